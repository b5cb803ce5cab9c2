"""Open characters: an instance with its file, its motion editor and its panel state."""

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ..animation.track import Rotation
from ..blending.mixer import Mixer
from ..loading.file_watcher import file_stamps
from ..loading.git_revision import revision_of
from ..loading.read_character import CharacterFile
from ..model.facing import Direction
from ..model.model import Model
from ..model.skin_joints import heaviest_joint
from ..motion.cut_clips import Cuts, cuts
from ..motion.document import Anims, Attachment, MotionDoc, RetargetSettings
from ..motion.file_paths import motion_path
from ..motion.live_values import Given
from ..motion.read import MotionFile
from ..scene.bounds import PosedBounds
from ..scene.character import Character
from ..scene.instance import Instance
from ..scenedoc.shown import Shown
from . import played_motion
from .clip_results import ClipResults, FootContacts, pops_of
from .file_check import FileCheck
from .model_editor import ModelEditor
from .motion_editor import Editor
from .player import Host, NextClip, PlayRanges
from .transport import Transport
from .ui_state import MixerPanels

if TYPE_CHECKING:
    from ..loading.import_clips import ImportedFile

Imports = tuple[Anims, RetargetSettings, Cuts, Mapping[str, Attachment]]  # clips and attachments


@dataclass(slots=True)
class ClipImport:
    """An import of clips that runs, or waits for an answer because few joints match.

    Attributes
    ----------
    document
        The motion document that names the clips.
    added
        The files at the end of its list that were not there before.
    started_from
        The character's model, and its settings of the import, when it began.
    found
        The model with the clips, and the result for each file, while it waits.
    """

    document: MotionDoc
    added: tuple[Path, ...]
    started_from: tuple[Model, Imports]
    found: tuple[Model, tuple["ImportedFile", ...]] | None = None

    def new(self, report: tuple["ImportedFile", ...]) -> tuple["ImportedFile", ...]:
        """Return the results of the files that were added."""
        last = len(self.document.anims.files)
        return report[last - len(self.added) : last]


class Seen(NamedTuple):
    """What the view shows of a character, by name."""

    camera: str  # of the file
    camera_index: int  # -1: the orbit camera


class Lost(NamedTuple):
    """What could not go on after a reload."""

    before: Character
    substitute: Mixer  # what plays instead
    seen: Seen | None  # None: the character was not active


class OpenedCharacter(Instance):
    """An instance read from a file, with its motion editor and its transport.

    Attributes
    ----------
    session
        The session that has it.
    path
        The character's file, None if it was not read from a file.
    imports
        Results of importing the clips of other files.
    imported_with
        The settings of the motion document that they were imported with.
    given_files
        Files whose clips the user has added, absolute; they may lie in any folder.
    clip_import
        The import of clips in the background; None: none runs.
    editor
        The editor of its motion.
    changes
        The editor of its model.
    mixer_panels
        State of the mixer panels.
    transport
        Its playback controls alone; those of the session move linked characters, too.
    joint
        Joint whose weights were shown last, -1 for none.
    next_clip
        The clip that plays when the present one ends, None: the present one goes on.
    play_ranges
        The ranges of the ruler that are repeated.
    check
        The check of its files.
    foot_contacts
        The foot contacts of its clips.
    pops
        The pops of its clips.
    """

    def __init__(
        self,
        session: Host,
        model: Model,
        path: Path | None = None,
        imports: tuple["ImportedFile", ...] = (),
    ) -> None:
        super().__init__(Character(model), PosedBounds(model))
        self.shown = Shown(file=None if path is None else str(path))
        self.session = session
        self.path = path
        self.imports = imports
        self.imported_with = imports_of(MotionDoc())
        self.given_files: set[Path] = set()
        self.clip_import: ClipImport | None = None
        self.joint = -1
        self.next_clip: NextClip | None = None
        self.play_ranges = PlayRanges()
        self.transport = Transport(self)
        self.check = FileCheck()
        self.foot_contacts = FootContacts()
        self.pops = ClipResults(pops_of)
        self.mixer_panels = MixerPanels()
        self.editor = Editor(self)
        self.changes = ModelEditor(self, model, self._show_model)
        self._lost: Lost | None = None
        self._awaited = False  # at the last `poll`
        self._stamps: dict[Path, tuple[int, int]] = {}  # of the files when they were read

    @property
    def name(self) -> str:
        """The file's name; of a file of a git revision `REV:PATH`."""
        return self.model.name if self.path is None else revision_of(self.path) or self.path.name

    @property
    def source(self) -> str:
        """What names the file in a command: its absolute path or `REV:PATH`; "" without a file."""
        return "" if self.path is None else revision_of(self.path) or os.path.abspath(self.path)

    @property
    def facing(self) -> Direction:
        """The direction that it faces: by the motion document, else by the model."""
        return self.document.facing or super().facing

    @property
    def offset(self) -> float:
        """Seconds that it plays ahead of the others."""
        return self.shown.offset

    @property
    def document(self) -> MotionDoc:
        """Its motion document."""
        return self.editor.document

    @property
    def editors(self) -> tuple[Editor, ModelEditor]:
        """The editors of its motion and of its model: subjects of undo steps."""
        return self.editor, self.changes

    @property
    def dirty(self) -> bool:
        """Whether its motion or its model has unsaved changes."""
        return self.editor.dirty or self.changes.dirty

    @property
    def awaited(self) -> bool:
        """Whether something that the scene shows of it is being found out."""
        return self.character.layer_traces.awaited

    def poll(self) -> bool:
        """Return whether all that was awaited at the last call was found out since."""
        before, self._awaited = self._awaited, self.awaited
        return before and not self._awaited

    def begin(self, document: MotionDoc, file: MotionFile | None, given: Given) -> None:
        """Edit a motion that already plays, with the values given on the command line.

        `file` is None if the motion is in no file.
        """
        self.editor.set_document(document, file or MotionFile(MotionDoc()), given)
        self.imported_with = imports_of(document)
        if document.at:
            self.transport.set_loop("loop", math.inf)

    def reread(self, found: CharacterFile) -> None:
        """Replace the model by the file read again; keep what plays, variant and weights.

        Clip or layers, time, speed and loop are kept; of the active character also the file camera
        and the joint whose weights are shown. What the new file lacks is remembered, and returns
        when the file has it again, unless something else was chosen in the meantime.

        Raises
        ------
        MotionError
            The motion does not fit the new model; a single clip keeps playing.
        """
        now = self.changes.rebase(found.model)
        lost = self._lost if self._lost and self._lost.substitute is self.character.mixer else None
        before = self.character if lost is None else lost.before
        seen = self._seen(lost)
        character = self.replace_model(now)
        if seen is not None:
            self._show_again(seen)
        self.imports, self.joint = found.imports, -1
        played_motion.continue_from(character, before, self.document, self.session.tau)
        self.mark_read()
        try:
            self.editor.continue_from(before, found.motion)
        finally:
            kept = _plays_like(character, before)
            self._lost = None if kept else Lost(before, character.mixer, seen)

    def _seen(self, lost: "Lost | None") -> "Seen | None":
        """Return what the view shows of the active character by name; before a loss, if any."""
        scene, model = self.session.scene, self.model
        if scene.instances.active is not self:
            return None
        camera = scene.camera.file_camera
        past = None if lost is None else lost.seen
        return Seen(
            model.cameras[camera].name if camera >= 0 else past.camera if past else "",
            camera if camera >= 0 else past.camera_index if past else -1,
        )

    def _show_again(self, seen: "Seen") -> None:
        scene, model, k = self.session.scene, self.model, seen.camera_index
        there = 0 <= k < len(model.cameras) and model.cameras[k].name == seen.camera
        scene.camera.file_camera = k if there else -1
        scene.mask = ()

    def set_key_rotation(self, rotation: Rotation) -> None:
        """Interpolate rotations between LINEAR keys by slerp or nlerp; the time stays."""
        character, changes = self.character, self.changes
        changes.base = changes.base.with_key_rotation(rotation)
        character.use(character.model.with_key_rotation(rotation))
        if character.mixer.layered:
            self.editor.show()
        else:
            played_motion.restart_clip(self)

    def _show_model(self, model: Model) -> None:
        """Use the model with other keys, weights or factors; what plays goes on."""
        character, before = self.character, self.model
        character.use(model)
        if model.meshes is not before.meshes:
            self.bounds = PosedBounds(model)
        if model.clips is not before.clips and character.mixer.layered:
            self.editor.show()
        elif model.clips is not before.clips:
            played_motion.replace_clips(self)

    def save_model(self, path: Path) -> bool:
        """Write the file with the edits of the model; this does not count as a changed file."""
        saved = self.changes.save(path)
        self.mark_read()
        return saved

    def save(self, path: Path | None = None) -> bool:
        """Write the motion file, to a new path if given; this does not count as a changed file."""
        current = self.imported_with == imports_of(self.document)
        saved = self.editor.save(path)
        if current:  # only the paths of the files may have changed
            self.imported_with = imports_of(self.document)
        self.mark_read()
        return saved

    def sources(self) -> list[Path]:
        """Return the character's file and those of imported clips."""
        carried = [Path(each.file) for each in self.imports]
        return [] if self.path is None else [self.path, *carried]

    def files(self) -> list[Path]:
        """Return the files that the character depends on; they need not exist."""
        if self.path is None:
            return []
        motion = self.editor.path or motion_path(self.path)
        return [*self.sources(), *self.model.facts.files, motion]

    def mark_read(self) -> None:
        """Mark the present versions of the files as read."""
        self._stamps = file_stamps(self.files())

    @property
    def stamps(self) -> object:
        """An object that is new whenever the files were read, or the motion file was written."""
        return self._stamps

    def changed(self) -> bool:
        """Return whether a file was written since it was read; False while it is missing."""
        there = self.path is not None and self.path.is_file()
        return there and file_stamps(self.files()) != self._stamps

    def weights_joint(self) -> int:
        """Return the joint whose weights to show: the last one, else the one with most weight."""
        if self.joint < 0:
            self.joint = heaviest_joint(self.model)
        return self.joint


def imports_of(document: MotionDoc) -> Imports:
    """Return what clips of other files are imported with, cut out, and what is attached."""
    return document.anims, document.retarget, cuts(document), document.attachments


def _plays_like(character: Character, before: Character) -> bool:
    """Return whether a character plays the clip or the layers that it played before."""
    if before.mixer.layered:
        return character.mixer.layered
    return before.clip < 0 or (
        character.clip >= 0
        and character.model.clips[character.clip].name == before.model.clips[before.clip].name
    )
