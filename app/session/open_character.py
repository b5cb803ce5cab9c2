"""Open characters: an instance with its file, its motion editor and its panel state."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..animation.track import Rotation
from ..errors import AppError
from ..loading.file_watcher import file_stamps
from ..loading.read_character import CharacterFile
from ..model.facing import Direction
from ..model.model import Model
from ..model.skin_joints import heaviest_joint
from ..motion.document import MotionDoc
from ..motion.motion_path import motion_path
from ..motion.read import MotionFile
from ..scene.bounds import PosedBounds
from ..scene.character import Character
from ..scene.instance import Instance
from ..scene.scene import Scene
from . import playing, transport
from .motion_editor import Editor
from .transport import Player
from .ui_state import CANNOT_SHOW, MixerPanels

if TYPE_CHECKING:
    from ..loading.import_clips import ImportedFile


class OpenCharacter(Instance):
    """An instance read from a file, with its motion editor; a player for `transport`.

    Attributes
    ----------
    path
        The character's file, None if it was not read from a file.
    imports
        Results of importing the clips of other files.
    editor
        The editor of its motion.
    mixer_panels
        State of the mixer panels.
    joint
        Joint whose weights were shown last, -1 for none.
    """

    def __init__(
        self,
        session: Player,
        model: Model,
        path: Path | None = None,
        imports: tuple["ImportedFile", ...] = (),
    ) -> None:
        super().__init__(Character(model), PosedBounds(model))
        self._session = session
        self.path = path
        self.imports = imports
        self.joint = -1
        self.mixer_panels = MixerPanels()
        self.editor = Editor(self)
        self._stamps: dict[Path, tuple[int, int]] = {}  # of the files when they were read

    @property
    def scene(self) -> Scene:
        """The session's scene."""
        return self._session.scene

    @property
    def tau(self) -> float:
        """The global time of the current frame, seconds."""
        return self._session.tau

    @property
    def frame_rate(self) -> float:
        """Frames per second of frame steps."""
        return self._session.frame_rate

    @property
    def name(self) -> str:
        """The file's name."""
        return self.model.name if self.path is None else self.path.name

    @property
    def facing(self) -> Direction:
        """The direction that it faces: by the motion document, else by the model."""
        return self.document.facing or super().facing

    @property
    def document(self) -> MotionDoc:
        """Its motion document."""
        return self.editor.document

    def notify(self, text: str) -> None:
        """Show a notice for a few seconds."""
        self._session.notify(text)

    def fail(self, error: AppError, title: str = CANNOT_SHOW) -> None:
        """Show an error pop-up."""
        self._session.fail(error, title)

    def begin(self, document: MotionDoc, file: MotionFile | None) -> None:
        """Edit a motion that already plays; `file` is None if the motion is in no file."""
        self.editor.set_document(document, file or MotionFile(MotionDoc()))
        if document.at:
            transport.set_loop(self, "loop", math.inf)

    def reread(self, found: CharacterFile) -> None:
        """Replace the model by the file read again; keep clip, time, speed, loop, variant, weights.

        The active character also keeps the file camera and the joint whose weights are shown.

        Raises
        ------
        MotionError
            The motion does not fit the new model; a single clip keeps playing.
        """
        before, was, now = self.character, self.model, found.model
        if self.scene.instances.active is self:
            self._keep_view(was, now)
        character = self.replace_model(now)
        self.imports, self.joint = found.imports, -1
        character.variant = kept_index(before.variant, was.variants, now.variants)
        playing.continue_from(character, before, self.document, self.tau)
        self.mark_read()
        self.editor.continue_from(before, found.motion)

    def _keep_view(self, was: Model, now: Model) -> None:
        scene = self.scene
        names = ([camera.name for camera in model.cameras] for model in (was, now))
        scene.camera.file_camera = kept_index(scene.camera.file_camera, *names)
        painted = scene.display.weights_joint
        if painted >= 0:
            scene.display.weights_joint = now.skeleton.find(was.skeleton.names[painted])
        scene.display.mask = ()

    def set_key_rotation(self, rotation: Rotation) -> None:
        """Interpolate rotations between LINEAR keys by slerp or nlerp; the time stays."""
        character = self.character
        character.model = character.model.with_key_rotation(rotation)
        if character.mixer.layered:
            self.editor.show()
        else:
            playing.restart_clip(self)

    def save(self, path: Path | None = None) -> bool:
        """Write the motion file, to a new path if given; this does not count as a changed file."""
        saved = self.editor.save(path)
        self.mark_read()
        return saved

    def files(self) -> list[Path]:
        """Return the files that the character depends on; they need not exist."""
        if self.path is None:
            return []
        carried = [Path(each.file) for each in self.imports]
        motion = self.editor.path or motion_path(self.path)
        return [self.path, *self.model.facts.files, *carried, motion]

    def mark_read(self) -> None:
        """Mark the present versions of the files as read."""
        self._stamps = file_stamps(self.files())

    def changed(self) -> bool:
        """Return whether a file was written since it was read; False while it is missing."""
        there = self.path is not None and self.path.is_file()
        return there and file_stamps(self.files()) != self._stamps

    def weights_joint(self) -> int:
        """Return the joint whose weights to show: the last one, else the one with most weight."""
        if self.joint < 0:
            self.joint = heaviest_joint(self.model)
        return self.joint


def kept_index(number: int, before: Sequence[str], now: Sequence[str]) -> int:
    """Return an index if the name at it is unchanged in the reloaded file, else -1."""
    there = 0 <= number < min(len(before), len(now)) and before[number] == now[number]
    return number if there else -1
