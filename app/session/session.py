"""What a window is about, without the window: the scene, who is on stage, and its panels.

Panels and actions are functions of a session. It can be had without OpenGL and without a display.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..animation.types import F64
from ..clock import Clock
from ..errors import AppError, MotionError
from ..loading.read_character import Accept, Reading, read, read_with
from ..model.model import Model
from ..motion.read import MotionFile
from ..scene.camera import OrbitCamera
from ..scene.character import Character
from ..scene.instance import size_difference
from ..scene.scene import Scene
from ..settings import Settings
from . import linked_transport, transport
from .motion_editor import Editor
from .open_character import OpenCharacter
from .ui_state import CANNOT_SHOW as CANNOT_SHOW
from .ui_state import Interface, MixerPanels, Request

MOTION_NOT_USED = "This motion file is not used"
RELOAD_FAILED = "The file has changed and cannot be shown"
NOTICE_SECONDS = 4.0  # long enough to read a path
Prepare = Callable[["Session"], None]  # does with a new scene what its files' first clips would


@dataclass
class Session:
    """A scene that plays, and what a person does with it.

    Attributes
    ----------
    tau
        The global time of the present frame, seconds.
    aspect
        Width over height of the part of the picture that no panel covers.
    together
        Whether all who are on stage are played and sought at once, not only the active one.
    requests
        What actions ask of the window, which carries them out after the frame.
    """

    clock: Clock
    frame_rate: float = 30.0  # frames a second that stepping goes by
    root: Path | None = None  # folder that files may come from, None: each file's own
    anims: tuple[Path, ...] = ()  # files whose clips are put on every character
    beside: bool = True  # motion files that lie beside characters are read
    settings: Settings = field(default_factory=Settings)
    scene: Scene = field(default_factory=Scene)
    interface: Interface = field(default_factory=Interface)
    requests: list[Request] = field(default_factory=list)
    accept: Accept | None = None
    together: bool = True
    tau: float = 0.0
    aspect: float = 1.0

    def __post_init__(self) -> None:
        self.unsaved: list[
            OpenCharacter
        ] = []  # whose motions an answer about what is not saved is of
        self._idle = Editor(self)  # where nobody is on stage

    @property
    def open_characters(self) -> list[OpenCharacter]:
        """All who are on stage, in the order in which they stand."""
        return [each for each in self.scene.instances if isinstance(each, OpenCharacter)]

    @property
    def active(self) -> OpenCharacter | None:
        """The one that panels and keys work with."""
        instance = self.scene.active
        return instance if isinstance(instance, OpenCharacter) else None

    @property
    def character(self) -> Character | None:
        """The character that is worked with."""
        return self.scene.character

    @property
    def model(self) -> Model | None:
        """The model that is worked with."""
        return None if self.scene.character is None else self.scene.character.model

    @property
    def path(self) -> Path | None:
        """The file that is worked with."""
        return None if self.active is None else self.active.path

    @property
    def editor(self) -> Editor:
        """The editor of the motion that is worked with."""
        return self._idle if self.active is None else self.active.editor

    @property
    def dirty(self) -> bool:
        """Whether something is not saved of anybody."""
        return any(each.editor.dirty for each in self.open_characters)

    def tick(self) -> None:
        """Read the clock; everything until the next tick happens at one moment."""
        self.tau = self.clock.now()

    def update(self) -> None:
        """Bring the scene to the present moment."""
        for each in self.open_characters:
            each.editor.sync_to_document()
        self.scene.update(self.tau)
        for each in self.open_characters:
            each.editor.record_events(self.tau)

    def notify(self, text: str) -> None:
        """Show a passing message."""
        self.interface.notice = text
        self.interface.notice_end = self.clock.now() + NOTICE_SECONDS  # reading may have taken long

    def fail(self, error: AppError, title: str = CANNOT_SHOW) -> None:
        """Show an error until it is closed."""
        self.interface.error = str(error)
        self.interface.error_title = title
        self.interface.popup = "error"

    def ask(self, request: Request) -> None:
        """Ask the window for something, once."""
        if request not in self.requests:
            self.requests.append(request)

    def open(
        self,
        path: Path,
        prepare: Prepare | None = None,
        motion: MotionFile | None = None,
    ) -> None:
        """Put one file on stage alone, as `open_all` does several."""
        self.open_all([path], prepare, [motion])

    def open_all(
        self,
        paths: Sequence[Path],
        prepare: Prepare | None = None,
        motions: Sequence[MotionFile | None] = (),
    ) -> None:
        """Put files on stage side by side and play their first clips, or motion files, at once.

        A motion file that cannot be used is told of, and the first clip plays.

        Parameters
        ----------
        prepare
            What to do with the new scene instead.
        motions
            Read already, for `prepare`: the clips of other files that they name are carried over.

        Raises
        ------
        AppError
            A file cannot be read; what is on stage stays.
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
        """Put a model on stage alone and play its first clip."""
        self._replace_all([OpenCharacter(self, model)])

    def add(self, paths: Sequence[Path]) -> None:
        """Put files beside who is on stage, where the last is active; they fall in with the others.

        Raises
        ------
        AppError
            One cannot be read; nothing is changed.
        """
        if not self.open_characters:
            self.open_all(paths)
            return
        found = self._read(paths)
        self._upload([each.model for each in found], beside=True)
        new = self._create(found)
        for each in new:
            self.scene.add(each)
            transport.choose_clip(each, 0 if each.model.clips else -1)
        self._start_motions(new, found)
        for each in new:
            linked_transport.join_playback(self, each)
        self.activate(new[-1])
        self.scene.frame(self.aspect)
        self._notify_size_difference()

    def remove(self, open_character: OpenCharacter) -> None:
        """Take one of several from the stage; where something of it is not saved, ask first."""
        if open_character not in self.open_characters or len(self.open_characters) < 2:
            return

        def leave() -> None:
            if open_character is self.active:
                self.next_character(1)
            self.scene.remove(open_character)
            self.scene.frame(self.aspect)

        self.ask_to_leave(leave, [open_character])

    def try_open(self, *paths: Path) -> bool:
        """Open files; where that fails keep what is on stage and say why in a pop-up.

        Where something is not saved, ask first.
        """
        if self.dirty:
            self.ask_to_leave(lambda: self.try_open(*paths))
            return False
        return self._try(self.open_all, paths)

    def try_add(self, *paths: Path) -> bool:
        """Put files beside who is on stage; where that fails say why in a pop-up."""
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
        """Read again what has changed on disk, unless it is gone for the moment.

        What is broken keeps what is on stage and says why, until it is mended.
        """
        interface, changed = (
            self.interface,
            [each for each in self.open_characters if each.changed()],
        )
        if not changed:
            return
        if interface.popup == "error" and interface.error_title in (RELOAD_FAILED, MOTION_NOT_USED):
            interface.popup = ""
        if not self._reread(changed):
            interface.error_title = RELOAD_FAILED
            for each in changed:
                each.mark_read()

    def files(self) -> list[Path]:
        """Return the files that what is on stage is made of; they need not exist."""
        return list(dict.fromkeys(file for each in self.open_characters for file in each.files()))

    def save(self) -> bool:
        """Write the motion file of the one that is worked with."""
        return self.active is not None and self.active.save()

    def ask_to_leave(
        self, leave: Callable[[], object], those: Iterable[OpenCharacter] | None = None
    ) -> None:
        """Do what leaves behind the motions of those, or of all, where they are saved; or ask."""
        left = [each for each in those or self.open_characters if each.editor.dirty]
        if left:
            self.interface.after_unsaved, self.unsaved = leave, left
            self.interface.popup = "unsaved"
        else:
            leave()

    def activate(self, open_character: OpenCharacter) -> None:
        """Work with another one of those on stage; nothing moves, and weights are its own."""
        if open_character is self.active:
            return
        self.editor.end_drag()
        painted = self.scene.display.weights_joint >= 0
        self.scene.activate(open_character)
        self._show_panels_of(open_character)
        if painted:
            self.scene.display.weights_joint = open_character.weights_joint()

    def next_character(self, step: int) -> None:
        """Work with the one `step` places on, around the end of the row."""
        open_characters = self.open_characters
        if self.active is None or len(open_characters) < 2:
            self.notify("There is only one character")
            return
        chosen = open_characters[(open_characters.index(self.active) + step) % len(open_characters)]
        self.activate(chosen)
        self.notify(chosen.name)

    def pick(self, point: F64) -> None:
        """Work with whoever stands at a point [3] of the world, if anybody does."""
        instance = self.scene.instance_at(point)
        if isinstance(instance, OpenCharacter):
            self.activate(instance)

    def weights_joint(self) -> int:
        """Return the joint whose weights to paint: the last one, else the heaviest of the skin."""
        return -1 if self.active is None else self.active.weights_joint()

    def _show_panels_of(self, open_character: OpenCharacter) -> None:
        """Let the panels be about another one."""
        interface = self.interface
        open_character.mixer_panels.shown = interface.mixer_panels.shown
        interface.mixer_panels = open_character.mixer_panels
        interface.filter_clips = ""
        interface.scroll_to_clip = interface.scroll_to_character = True
        self.scene.display.weights_joint = -1
        self.scene.display.mask = ()

    def _replace_all(
        self, open_characters: Sequence[OpenCharacter], prepare: Prepare | None = None
    ) -> None:
        """Put others on stage in place of all who are there; their first clips play."""
        self.scene.set_instances(open_characters)
        self.interface.mixer_panels = MixerPanels(shown=self.interface.mixer_panels.shown)
        self._show_panels_of(open_characters[0])
        self.interface.scroll_to_clip = False
        for each in open_characters:
            each.mark_read()
        if prepare is not None:
            prepare(self)
            return
        self.scene.file_camera = -1
        self.scene.camera = OrbitCamera(fov=self.scene.camera.fov, ortho=self.scene.camera.ortho)
        for each in open_characters:
            transport.choose_clip(each, 0 if each.model.clips else -1)
        self.scene.frame(self.aspect)

    def _read(self, paths: Sequence[Path]) -> list[Reading]:
        return [read(path, root=self.root, anims=self.anims, beside=self.beside) for path in paths]

    def _create(self, found: Sequence[Reading]) -> list[OpenCharacter]:
        return [OpenCharacter(self, each.model, each.path, each.fitted) for each in found]

    def _start_motions(
        self, open_characters: Sequence[OpenCharacter], found: Sequence[Reading]
    ) -> None:
        """Let motions play that lie beside files; of those that cannot be used say why."""
        wrong = [each.wrong for each in found if each.wrong is not None]
        for open_character, each in zip(open_characters, found, strict=True):
            open_character.mark_read()
            try:
                if each.motion is not None:
                    open_character.editor.start(each.motion.document, each.motion)
            except MotionError as error:
                wrong.append(error)
        self._fail_all(wrong, MOTION_NOT_USED)
        if any(open_character.editor.shown for open_character in open_characters):
            self.interface.mixer_panels.shown = True

    def _reread(self, open_characters: Sequence[OpenCharacter]) -> bool:
        """Read files again; tells whether all could be read, and of those that could not why."""
        wrong: list[AppError] = []
        misfits: list[AppError] = []
        done: list[OpenCharacter] = []
        for each in open_characters:
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
            self.notify(f"Read {done[0].name}{more} again")
        self._fail_all(misfits, MOTION_NOT_USED)
        self._fail_all(wrong)
        return bool(done) and not wrong

    def _upload(self, models: Sequence[Model], *, beside: bool = False) -> None:
        """Send models to the GPU before they go on stage: if that fails the old ones stay."""
        if self.accept is not None:
            for k, model in enumerate(models):
                self.accept(model, beside=beside or k > 0)

    def _fail_all(self, errors: Sequence[AppError], title: str = CANNOT_SHOW) -> None:
        if errors:
            self.fail(errors[0], title)
            self.interface.error = "\n".join(map(str, errors))

    def _notify_size_difference(self) -> None:
        """Say so where somebody is too small to be found beside another one."""
        words = size_difference((each, each.name) for each in self.open_characters)
        if words and not self.scene.same_size:
            self.notify(f"{words}: S shows all of the same size")
