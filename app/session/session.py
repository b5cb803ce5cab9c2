"""The session: the scene, its open characters and the panel state, without a window.

Panels and actions are functions of a session. It needs neither OpenGL nor a display.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..animation.types import F64
from ..clock import Clock
from ..errors import AppError, MotionError
from ..loading.read_character import CharacterFile, UploadModel, read, read_with
from ..model.model import Model
from ..motion.document import MotionDoc
from ..motion.read import MotionFile
from ..scene.camera import OrbitCamera
from ..scene.character import Character
from ..scene.instance import size_difference
from ..scene.scene import Scene
from . import linked_transport, playing
from .motion_editor import Editor
from .open_character import OpenCharacter
from .settings import Settings
from .ui_state import CANNOT_SHOW as CANNOT_SHOW
from .ui_state import Interface, MixerPanels, Request

MOTION_NOT_USED = "The motion file cannot be used"
RELOAD_FAILED = "The changed file cannot be read"
NOTICE_SECONDS = 4.0  # long enough to read a path
Prepare = Callable[["Session"], None]  # sets up a new scene instead of playing the first clips


@dataclass
class Session:
    """A scene that plays, with its open characters, settings and panel state.

    Attributes
    ----------
    tau
        The global time of the current frame, seconds.
    aspect
        Width over height of the part of the view that no panel covers.
    together
        Whether playback of all characters is linked; else only the active one is controlled.
    requests
        Requests of actions, which the window executes after the frame.
    """

    clock: Clock
    frame_rate: float = 30.0  # frames per second of frame steps
    root: Path | None = None  # folder that files may be read from, None: each file's own
    anims: tuple[Path, ...] = ()  # files whose clips are imported for every character
    read_motions: bool = True  # read the motion files beside characters
    settings: Settings = field(default_factory=Settings)
    scene: Scene = field(default_factory=Scene)
    interface: Interface = field(default_factory=Interface)
    requests: list[Request] = field(default_factory=list)
    accept: UploadModel | None = None
    together: bool = True
    tau: float = 0.0
    aspect: float = 1.0

    def __post_init__(self) -> None:
        self.unsaved: list[OpenCharacter] = []  # listed in the pop-up about unsaved changes
        self._idle = Editor(self)  # used while no character is open

    @property
    def open_characters(self) -> list[OpenCharacter]:
        """All open characters, in display order."""
        return [each for each in self.scene.instances if isinstance(each, OpenCharacter)]

    @property
    def active(self) -> OpenCharacter | None:
        """The open character that panels and keys apply to."""
        instance = self.scene.active
        return instance if isinstance(instance, OpenCharacter) else None

    @property
    def character(self) -> Character | None:
        """The active character."""
        return self.scene.character

    @property
    def model(self) -> Model | None:
        """The active character's model."""
        return None if self.scene.character is None else self.scene.character.model

    @property
    def path(self) -> Path | None:
        """The active character's file."""
        return None if self.active is None else self.active.path

    @property
    def editor(self) -> Editor:
        """The active character's motion editor."""
        return self._idle if self.active is None else self.active.editor

    @property
    def document(self) -> MotionDoc:
        """The active character's motion document."""
        return self.editor.document

    @property
    def dirty(self) -> bool:
        """Whether any character has unsaved changes."""
        return any(each.editor.dirty for each in self.open_characters)

    def tick(self) -> None:
        """Read the clock; everything until the next tick uses the same time."""
        self.tau = self.clock.now()

    def update(self) -> None:
        """Update the scene to the current time."""
        for each in self.open_characters:
            each.editor.sync_to_document()
        self.scene.update(self.tau)
        for each in self.open_characters:
            each.editor.record_events(self.tau)

    def notify(self, text: str) -> None:
        """Show a notice for a few seconds."""
        self.interface.notice = text
        self.interface.notice_end = self.clock.now() + NOTICE_SECONDS  # loading may have taken long

    def fail(self, error: AppError, title: str = CANNOT_SHOW) -> None:
        """Show an error pop-up."""
        self.interface.error = str(error)
        self.interface.error_title = title
        self.interface.popup = "error"

    def ask(self, request: Request) -> None:
        """Add a request for the window, once."""
        if request not in self.requests:
            self.requests.append(request)

    def open(
        self, path: Path, prepare: Prepare | None = None, motion: MotionFile | None = None
    ) -> None:
        """Open one file in place of all characters; see `open_all`."""
        self.open_all([path], prepare, [motion])

    def open_all(
        self,
        paths: Sequence[Path],
        prepare: Prepare | None = None,
        motions: Sequence[MotionFile | None] = (),
    ) -> None:
        """Open files side by side in place of all characters; play motion files or first clips.

        A motion file that cannot be used is reported, and the first clip plays.

        Parameters
        ----------
        prepare
            Sets up the new scene instead.
        motions
            With `prepare`: motion files that were read already; their `anims` are imported.

        Raises
        ------
        AppError
            A file cannot be read; the scene is unchanged.
        """
        if prepare is None:
            found = self._read(paths)
        else:
            pairs = zip(paths, motions, strict=True)
            found = [read_with(*pair, root=self.root, anims=self.anims) for pair in pairs]
        self._upload([each.model for each in found])
        self._replace_all(self._create(found), prepare)
        if prepare is None:
            self._start_motions(self.open_characters, found)
            self.scene.frame(self.aspect)
        self._notify_size_difference()

    def show(self, model: Model) -> None:
        """Show a model without a file in place of all characters and play its first clip."""
        self._replace_all([OpenCharacter(self, model)])

    def add(self, paths: Sequence[Path]) -> None:
        """Add files beside the open characters, in step with them; the last one becomes active.

        Raises
        ------
        AppError
            A file cannot be read; nothing is changed.
        """
        if not self.open_characters:
            self.open_all(paths)
            return
        found = self._read(paths)
        self._upload([each.model for each in found], beside=True)
        new = self._create(found)
        for each in new:
            self.scene.add(each)
            playing.choose_clip(each, 0 if each.model.clips else -1)
        self._start_motions(new, found)
        for each in new:
            linked_transport.join_playback(self, each)
        self.activate(new[-1])
        self.scene.frame(self.aspect)
        self._notify_size_difference()

    def remove(self, open_character: OpenCharacter) -> None:
        """Remove one of several characters; ask first if it has unsaved changes."""
        if open_character not in self.open_characters or len(self.open_characters) < 2:
            return

        def leave() -> None:
            if open_character is self.active:
                self.next_character(1)
            self.scene.remove(open_character)
            self.scene.frame(self.aspect)

        self.ask_to_leave(leave, [open_character])

    def try_open(self, *paths: Path) -> bool:
        """Open files; if that fails, keep the scene and show the error.

        Ask first if there are unsaved changes.
        """
        if self.dirty:
            self.ask_to_leave(lambda: self.try_open(*paths))
            return False
        return self._try(self.open_all, paths)

    def try_add(self, *paths: Path) -> bool:
        """Add files beside the open characters; show the error if that fails."""
        return self._try(self.add, paths)

    def _try(self, take: Callable[[Sequence[Path]], None], paths: Sequence[Path]) -> bool:
        try:
            take(paths)
        except AppError as error:
            self.fail(error)
            return False
        for path in reversed(paths):
            self.settings.remember(path)
        return True

    def reload(self) -> bool:
        """Read all files again and keep clips, times, speed, camera and panels."""
        return self._reread(self.open_characters)

    def refresh(self) -> None:
        """Reload the characters whose files have changed on disk, unless a file is missing.

        A file that cannot be read keeps the old character and shows the error until it is fixed.
        """
        interface = self.interface
        changed = [each for each in self.open_characters if each.changed()]
        if not changed:
            return
        if interface.popup == "error" and interface.error_title in (RELOAD_FAILED, MOTION_NOT_USED):
            interface.popup = ""
        if not self._reread(changed):
            interface.error_title = RELOAD_FAILED
            for each in changed:
                each.mark_read()

    def files(self) -> list[Path]:
        """Return the files that the open characters depend on; they need not exist."""
        return list(dict.fromkeys(file for each in self.open_characters for file in each.files()))

    def ask_to_leave(
        self, leave: Callable[[], object], closing: Iterable[OpenCharacter] | None = None
    ) -> None:
        """Call `leave`; if closing characters (default: all) have unsaved changes, ask first."""
        unsaved = [each for each in closing or self.open_characters if each.editor.dirty]
        if unsaved:
            self.interface.after_unsaved, self.unsaved = leave, unsaved
            self.interface.popup = "unsaved"
        else:
            leave()

    def activate(self, open_character: OpenCharacter) -> None:
        """Make another open character the active one; shown weights become those of its joint."""
        if open_character is self.active:
            return
        self.editor.end_drag()
        painted = self.scene.display.weights_joint >= 0
        self.scene.activate(open_character)
        self._show_panels_of(open_character)
        if painted:
            self.scene.display.weights_joint = open_character.weights_joint()

    def next_character(self, step: int) -> None:
        """Make the character `step` positions further active, wrapping at the end."""
        open_characters = self.open_characters
        if self.active is None or len(open_characters) < 2:
            self.notify("There is only one character")
            return
        chosen = open_characters[(open_characters.index(self.active) + step) % len(open_characters)]
        self.activate(chosen)
        self.notify(chosen.name)

    def pick(self, point: F64) -> None:
        """Make the character at a world-space point [3] active, if there is one."""
        instance = self.scene.instance_at(point)
        if isinstance(instance, OpenCharacter):
            self.activate(instance)

    def _show_panels_of(self, open_character: OpenCharacter) -> None:
        """Show the panels of another character."""
        interface = self.interface
        open_character.mixer_panels.shown = interface.mixer_panels.shown
        interface.mixer_panels = open_character.mixer_panels
        interface.filter_clips = ""
        interface.scroll_to_clip = interface.scroll_to_character = True
        self.scene.display.weights_joint = -1
        self.scene.display.mask = ()

    def _replace_all(
        self, characters: Sequence[OpenCharacter], prepare: Prepare | None = None
    ) -> None:
        """Replace all open characters and play the first clips of the new ones."""
        self.scene.set_instances(characters)
        self.interface.mixer_panels = MixerPanels(shown=self.interface.mixer_panels.shown)
        self._show_panels_of(characters[0])
        self.interface.scroll_to_clip = False
        for each in characters:
            each.mark_read()
        if prepare is not None:
            prepare(self)
            return
        self.scene.file_camera = -1
        self.scene.camera = OrbitCamera(fov=self.scene.camera.fov, ortho=self.scene.camera.ortho)
        for each in characters:
            playing.choose_clip(each, 0 if each.model.clips else -1)
        self.scene.frame(self.aspect)

    def _read(self, paths: Sequence[Path]) -> list[CharacterFile]:
        return [
            read(p, root=self.root, anims=self.anims, with_motion=self.read_motions) for p in paths
        ]

    def _create(self, found: Sequence[CharacterFile]) -> list[OpenCharacter]:
        return [OpenCharacter(self, each.model, each.path, each.imports) for each in found]

    def _start_motions(self, characters: list[OpenCharacter], found: list[CharacterFile]) -> None:
        """Play the motion files beside characters; report those that cannot be used."""
        wrong = [each.motion_error for each in found if each.motion_error is not None]
        for own, each in zip(characters, found, strict=True):
            own.mark_read()
            try:
                if each.motion is not None:
                    own.editor.start(each.motion.document, each.motion)
            except MotionError as error:
                wrong.append(error)
        self._fail_all(wrong, MOTION_NOT_USED)
        if any(each.editor.shown for each in characters):
            self.interface.mixer_panels.shown = True

    def _reread(self, characters: Sequence[OpenCharacter]) -> bool:
        """Reload characters; return whether all files could be read, and show errors."""
        wrong: list[AppError] = []
        misfits: list[AppError] = []
        done: list[OpenCharacter] = []
        for each in characters:
            if each.path is None:
                continue
            try:
                motion = each.editor.reread_file()
                found = read_with(each.path, motion, root=self.root, anims=self.anims)
                self._upload([found.model], beside=len(self.open_characters) > 1)
            except AppError as error:
                wrong.append(error)
                continue
            try:
                each.reread(found)
            except MotionError as error:
                misfits.append(error)
            done.append(each)
        if done:
            self.scene.measure()
            more = f" and {len(done) - 1} more" if len(done) > 1 else ""
            self.notify(f"Reloaded {done[0].name}{more}")
        self._fail_all(misfits, MOTION_NOT_USED)
        self._fail_all(wrong)
        return bool(done) and not wrong

    def _upload(self, models: Sequence[Model], *, beside: bool = False) -> None:
        """Upload models to the GPU before they are shown: if that fails, the old ones stay."""
        if self.accept is not None:
            for k, model in enumerate(models):
                self.accept(model, beside=beside or k > 0)

    def _fail_all(self, errors: Sequence[AppError], title: str = CANNOT_SHOW) -> None:
        if errors:
            self.fail(errors[0], title)
            self.interface.error = "\n".join(map(str, errors))

    def _notify_size_difference(self) -> None:
        """Show a notice if a character is too small to be found beside another one."""
        words = size_difference((each, each.name) for each in self.open_characters)
        if words and not self.scene.same_size:
            self.notify(f"{words}; S scales all to the same height")
