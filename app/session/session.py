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
from ..scene.instance import sizes_apart
from ..scene.scene import Scene
from ..settings import Settings
from . import linked_transport, transport
from .motion_editor import Editor
from .open_character import Performer
from .ui_state import CANNOT_SHOW as CANNOT_SHOW
from .ui_state import Bench, Interface, Request

NO_MOTION = "This motion file is not used"
CHANGED_BADLY = "The file has changed and cannot be shown"
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
        self.left: list[Performer] = []  # whose motions an answer about what is not saved is of
        self._idle = Editor(self)  # where nobody is on stage

    @property
    def performers(self) -> list[Performer]:
        """All who are on stage, in the order in which they stand."""
        return [actor for actor in self.scene.actors if isinstance(actor, Performer)]

    @property
    def active(self) -> Performer | None:
        """The one that panels and keys work with."""
        actor = self.scene.active
        return actor if isinstance(actor, Performer) else None

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
        return any(each.editor.dirty for each in self.performers)

    def tick(self) -> None:
        """Read the clock; everything until the next tick happens at one moment."""
        self.tau = self.clock.now()

    def update(self) -> None:
        """Bring the scene to the present moment."""
        for each in self.performers:
            each.editor.follow()
        self.scene.update(self.tau)
        for each in self.performers:
            each.editor.listen(self.tau)

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
        self._send_up([each.model for each in found])
        self._put(self._engaged(found), prepare)
        if prepare is None:
            self._begin(self.performers, found)
            self.scene.frame(self.aspect)
        self._tell_sizes()

    def show(self, model: Model) -> None:
        """Put a model on stage alone and play its first clip."""
        self._put([Performer(self, model)])

    def add(self, paths: Sequence[Path]) -> None:
        """Put files beside who is on stage, where the last is active; they fall in with the others.

        Raises
        ------
        AppError
            One cannot be read; nothing is changed.
        """
        if not self.performers:
            self.open_all(paths)
            return
        found = self._read(paths)
        self._send_up([each.model for each in found], beside=True)
        new = self._engaged(found)
        for each in new:
            self.scene.admit(each)
            transport.choose_clip(each, 0 if each.model.clips else -1)
        self._begin(new, found)
        for each in new:
            linked_transport.fall_in(self, each)
        self.activate(new[-1])
        self.scene.frame(self.aspect)
        self._tell_sizes()

    def remove(self, performer: Performer) -> None:
        """Take one of several from the stage; where something of it is not saved, ask first."""
        if performer not in self.performers or len(self.performers) < 2:
            return

        def leave() -> None:
            if performer is self.active:
                self.next_character(1)
            self.scene.dismiss(performer)
            self.scene.frame(self.aspect)

        self.ask_to_leave(leave, [performer])

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
        return self._reread(self.performers)

    def refresh(self) -> None:
        """Read again what has changed on disk, unless it is gone for the moment.

        What is broken keeps what is on stage and says why, until it is mended.
        """
        interface, changed = self.interface, [each for each in self.performers if each.changed()]
        if not changed:
            return
        if interface.popup == "error" and interface.error_title in (CHANGED_BADLY, NO_MOTION):
            interface.popup = ""
        if not self._reread(changed):
            interface.error_title = CHANGED_BADLY
            for each in changed:
                each.mark_read()

    def files(self) -> list[Path]:
        """Return the files that what is on stage is made of; they need not exist."""
        return list(dict.fromkeys(file for each in self.performers for file in each.files()))

    def save(self) -> bool:
        """Write the motion file of the one that is worked with."""
        return self.active is not None and self.active.save()

    def ask_to_leave(
        self, leave: Callable[[], object], those: Iterable[Performer] | None = None
    ) -> None:
        """Do what leaves behind the motions of those, or of all, where they are saved; or ask."""
        left = [each for each in those or self.performers if each.editor.dirty]
        if left:
            self.interface.leave, self.left = leave, left
            self.interface.popup = "unsaved"
        else:
            leave()

    def activate(self, performer: Performer) -> None:
        """Work with another one of those on stage; nothing moves, and weights are its own."""
        if performer is self.active:
            return
        self.editor.let_go()
        painted = self.scene.display.weights_joint >= 0
        self.scene.activate(performer)
        self._sit_down(performer)
        if painted:
            self.scene.display.weights_joint = performer.bare_joint()

    def next_character(self, step: int) -> None:
        """Work with the one `step` places on, around the end of the row."""
        performers = self.performers
        if self.active is None or len(performers) < 2:
            self.notify("There is only one character")
            return
        chosen = performers[(performers.index(self.active) + step) % len(performers)]
        self.activate(chosen)
        self.notify(chosen.name)

    def pick(self, point: F64) -> None:
        """Work with whoever stands at a point [3] of the world, if anybody does."""
        actor = self.scene.actor_at(point)
        if isinstance(actor, Performer):
            self.activate(actor)

    def bare_joint(self) -> int:
        """Return the joint whose weights to paint: the last one, else the heaviest of the skin."""
        return -1 if self.active is None else self.active.bare_joint()

    def _sit_down(self, performer: Performer) -> None:
        """Let the panels be about another one."""
        interface = self.interface
        performer.bench.shown = interface.bench.shown
        interface.bench = performer.bench
        interface.filter_clips = ""
        interface.scroll_to_clip = interface.scroll_to_character = True
        self.scene.display.weights_joint = -1
        self.scene.display.mask = ()

    def _put(self, performers: Sequence[Performer], prepare: Prepare | None = None) -> None:
        """Put others on stage in place of all who are there; their first clips play."""
        self.scene.cast(performers)
        self.interface.bench = Bench(shown=self.interface.bench.shown)
        self._sit_down(performers[0])
        self.interface.scroll_to_clip = False
        for each in performers:
            each.mark_read()
        if prepare is not None:
            prepare(self)
            return
        self.scene.through = -1
        self.scene.camera = OrbitCamera(fov=self.scene.camera.fov, ortho=self.scene.camera.ortho)
        for each in performers:
            transport.choose_clip(each, 0 if each.model.clips else -1)
        self.scene.frame(self.aspect)

    def _read(self, paths: Sequence[Path]) -> list[Reading]:
        return [read(path, root=self.root, anims=self.anims, beside=self.beside) for path in paths]

    def _engaged(self, found: Sequence[Reading]) -> list[Performer]:
        return [Performer(self, each.model, each.path, each.fitted) for each in found]

    def _begin(self, performers: Sequence[Performer], found: Sequence[Reading]) -> None:
        """Let motions play that lie beside files; of those that cannot be used say why."""
        wrong = [each.wrong for each in found if each.wrong is not None]
        for performer, each in zip(performers, found, strict=True):
            performer.mark_read()
            try:
                if each.motion is not None:
                    performer.editor.start(each.motion.document, each.motion)
            except MotionError as error:
                wrong.append(error)
        self._fail_all(wrong, NO_MOTION)
        if any(performer.editor.shown for performer in performers):
            self.interface.bench.shown = True

    def _reread(self, performers: Sequence[Performer]) -> bool:
        """Read files again; tells whether all could be read, and of those that could not why."""
        wrong: list[AppError] = []
        misfits: list[AppError] = []
        done: list[Performer] = []
        for each in performers:
            if each.path is None:
                continue
            try:
                motion = each.editor.file_again()
                found = read_with(each.path, motion, root=self.root, anims=self.anims)
                self._send_up([found.model], beside=len(self.performers) > 1)
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
        self._fail_all(misfits, NO_MOTION)
        self._fail_all(wrong)
        return bool(done) and not wrong

    def _send_up(self, models: Sequence[Model], *, beside: bool = False) -> None:
        """Send models to the GPU before they go on stage: if that fails the old ones stay."""
        if self.accept is not None:
            for k, model in enumerate(models):
                self.accept(model, beside=beside or k > 0)

    def _fail_all(self, errors: Sequence[AppError], title: str = CANNOT_SHOW) -> None:
        if errors:
            self.fail(errors[0], title)
            self.interface.error = "\n".join(map(str, errors))

    def _tell_sizes(self) -> None:
        """Say so where somebody is too small to be found beside another one."""
        words = sizes_apart((each, each.name) for each in self.performers)
        if words and not self.scene.same_size:
            self.notify(f"{words}: S shows all of the same size")
