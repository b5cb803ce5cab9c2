"""What a window is about, without the window: the scene, the file it came from, and its panels.

Panels and actions are functions of a session. It can be had without OpenGL and without a display.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from app import transport
from app.animation.clip import Clip
from app.camera import OrbitCamera
from app.character import Character
from app.clock import Clock
from app.curves import Curves
from app.editing import Editor, motion_path
from app.errors import AppError, MotionError
from app.files import load
from app.model import Model
from app.motion.document import Fade, MotionDoc
from app.motion.read import MotionFile, read_motion
from app.scene import Scene
from app.settings import Settings
from app.watching import stamps

if TYPE_CHECKING:
    from app.anims import Carried

Popup = Literal["", "help", "error", "go to frame", "open", "unsaved"]
Request = Literal["open", "picture", "copy command", "full screen", "quit"]
CANNOT_SHOW = "This file cannot be shown"
NO_MOTION = "This motion file is not used"
CHANGED_BADLY = "The file has changed and cannot be shown"
Box = tuple[float, float, float, float]  # left, top, right, bottom; points of the window
NOTICE_SECONDS = 4.0  # long enough to read a path


@dataclass(slots=True)
class CurvesView:
    """What the panel of curves shows."""

    shown: bool = False
    subject: str = ""  # a joint's name or a channel's pointer
    angles: Literal["euler", "quaternion"] = "euler"
    chart: str = ""  # "Rotation", or "": all of them
    filter: str = ""
    high: float = 0.0  # of the panel, of the font's height; 0: as it fits
    span: tuple[float, float] | None = None  # seconds that are shown, None: the whole clip
    on_key: bool = False  # the button went down on a key, so that dragging does not scrub
    curves: Curves | None = None  # made of:
    made_of: tuple[object, ...] = ()
    subjects: dict[str, int] = field(default_factory=dict)  # what can be chosen, of this clip:
    listed_of: Clip | None = None
    lively: set[str] = field(default_factory=set)  # those that do not stand still


@dataclass(slots=True)
class Bench:
    """Where the panels of the motion stand."""

    shown: bool = False
    tab: str = ""  # to be opened
    panel: str = ""  # the only one, in a narrow window
    layer: str = ""  # whose details are open
    renamed: tuple[str, str] = ("", "")  # a layer's name, and what is typed over it
    fade: Fade = field(default_factory=lambda: Fade("", ""))  # how the next cross-fade will go
    space: str = ""
    arrange: bool = False  # the clips of a space are dragged, not its point
    point: int = -1  # the clip that is dragged
    mask: str = ""
    show_mask: bool = True  # on the mesh
    painting: bool = False  # the mouse draws weights over the rows of a mask
    folded: set[int] = field(default_factory=set)  # joints of the tree
    handle: str = ""  # the parameter that has a handle in the scene
    handled: bool = False  # whether it is drawn there
    event: str = ""  # the name typed for a new one


@dataclass(slots=True)
class Interface:
    """Where the panels stand; nothing of it shows in a picture."""

    hidden: bool = False  # all panels
    by_key: bool = False  # arrows and Space work the panels, until Esc or a click
    popup: Popup = ""
    error: str = ""  # what went wrong
    error_title: str = CANNOT_SHOW
    leave: Callable[[], object] | None = None  # what waits for an answer about what is not saved
    notice: str = ""  # a passing message
    notice_end: float = 0.0  # tau at which it goes
    typed: tuple[str, float] = ("", 0.0)  # last character that did something, and until when
    pivot: tuple[float, float] | None = None  # place in the view, 0 to 1, to turn about
    filter_joints: str = ""
    filter_clips: str = ""
    filter_plays: str = ""
    bench: Bench = field(default_factory=Bench)
    scroll_to_clip: bool = False  # the list has yet to show the clip that plays
    joint: int = -1  # joint whose weights were last painted, -1: none yet
    typed_path: str = ""  # in the pop-up that stands in for a file dialog
    frame: int = 0  # in the pop-up that asks for one
    curves: CurvesView = field(default_factory=CurvesView)
    frame_ms: float = 0.0  # what a frame takes this program, smoothed, milliseconds
    view: Box = (0.0, 0.0, 1.0, 1.0)  # where the scene is drawn
    marks: dict[str, Box] | None = None  # where the widgets are; None: nobody asks


@dataclass
class Session:
    """A scene that plays, and what a person does with it.

    Attributes
    ----------
    tau
        The global time of the present frame, seconds.
    aspect
        Width over height of the part of the picture that no panel covers.
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
    accept: Callable[[Model], object] | None = None  # takes a new model, or raises AppError
    path: Path | None = None
    tau: float = 0.0
    aspect: float = 1.0
    fitted: tuple["Carried", ...] = ()  # how the clips of `anims` fitted

    def __post_init__(self) -> None:
        self.editor = Editor(self)  # of the motion on stage
        self._stamps: dict[Path, tuple[int, int]] = {}  # of the files on stage, as they were read

    @property
    def character(self) -> Character | None:
        """The character on stage."""
        return self.scene.character

    @property
    def model(self) -> Model | None:
        """The model on stage."""
        return None if self.scene.character is None else self.scene.character.model

    def tick(self) -> None:
        """Read the clock; everything until the next tick happens at one moment."""
        self.tau = self.clock.now()

    def update(self) -> None:
        """Bring the scene to the present moment."""
        self.editor.follow()
        self.scene.update(self.tau)
        self.editor.listen(self.tau)

    def notify(self, text: str) -> None:
        """Show a passing message."""
        self.interface.notice = text
        self.interface.notice_end = self.tau + NOTICE_SECONDS

    def ask(self, request: Request) -> None:
        """Ask the window for something, once."""
        if request not in self.requests:
            self.requests.append(request)

    def open(
        self,
        path: Path,
        prepare: Callable[["Session"], None] | None = None,
        motion: MotionFile | None = None,
    ) -> None:
        """Load a file, put it on stage and play its first clip, or its motion file, at once.

        A motion file that cannot be used is told of, and the first clip plays.

        Parameters
        ----------
        prepare
            What to do with the new scene instead.
        motion
            Read already, for `prepare`: the clips of other files that it names are carried over.

        Raises
        ------
        AppError
            It cannot be read; what is on stage stays.
        """
        if prepare is not None:
            self.show(self._load(path, motion), prepare)
            self.path = path
            self._stamps = stamps(self.files())
            return
        wrong: AppError | None = None
        beside = motion_path(path)
        if self.beside and beside.is_file():
            try:
                motion = read_motion(beside)
                model = self._load(path, motion)
            except MotionError as error:
                motion, wrong = None, error
        if motion is None:
            model = self._load(path, None)
        self.show(model)
        self.path = path
        self._stamps = stamps(self.files())
        try:
            if motion is not None:
                self.editor.start(motion.document, motion)
        except MotionError as error:
            wrong = error
        if wrong is not None:
            self.fail(wrong, NO_MOTION)
        elif self.editor.shown:
            self.interface.bench.shown = True
            self.scene.frame(self.aspect)

    def begin(self, document: MotionDoc, file: MotionFile | None, tau: float | None) -> None:
        """Take a motion that was put to work on stage as the one to edit; hold it at `tau`, if any.

        Parameters
        ----------
        file
            What it comes from; None: it is in no file.
        """
        self.editor.take(document, file or MotionFile(MotionDoc()))
        self.interface.bench.shown = True
        self.scene.follow = True
        if document.at:
            transport.set_loop(self, "loop", math.inf)
        if tau is not None:
            transport.hold(self, tau)

    def show(self, model: Model, prepare: Callable[["Session"], None] | None = None) -> None:
        """Put a model on stage and play its first clip, or do `prepare` instead."""
        self.scene.show(model)
        self.editor = Editor(self)
        self.interface.bench = Bench(shown=self.interface.bench.shown)
        self.scene.display.weights_joint = -1
        self.scene.display.mask = ()
        self.interface.joint = -1
        self.interface.filter_clips = ""
        if prepare is not None:
            prepare(self)
            return
        self.scene.through = self.scene.display.variant = -1
        self.scene.camera = OrbitCamera(fov=self.scene.camera.fov, ortho=self.scene.camera.ortho)
        transport.choose_clip(self, 0 if model.clips else -1)
        self.scene.frame(self.aspect)

    def try_open(self, path: Path) -> bool:
        """Open a file; where that fails keep what is on stage and say why in a pop-up.

        Where something is not saved, ask first.
        """
        if self.editor.dirty:
            self.ask_to_leave(lambda: self.try_open(path))
            return False
        try:
            self.open(path)
        except AppError as error:
            self.fail(error)
            return False
        self.settings.remember(path)
        return True

    def reload(self) -> bool:
        """Read the file again and keep clip, time, speed, camera and panels."""
        if self.path is None or self.character is None:
            return False
        before = self.character
        joints = before.model.skeleton.names
        painted = self.scene.display.weights_joint
        seen = self.scene.through, self.scene.display.variant
        try:
            motion = self.editor.file_again()
            model = self._load(self.path, motion)
        except AppError as error:
            self.fail(error)
            return False
        character = self.scene.show(model)
        self.interface.joint = -1
        was = before.model
        self.scene.through = _again(
            seen[0], [each.name for each in was.cameras], [each.name for each in model.cameras]
        )
        self.scene.display.variant = _again(seen[1], was.variants, model.variants)
        if painted >= 0:
            self.scene.display.weights_joint = model.skeleton.find(joints[painted])
        character.carry_over(before, self.tau)
        try:
            self.editor.go_on(before, motion)
        except AppError as error:
            self.fail(error, NO_MOTION)
        self.scene.measure()
        self._stamps = stamps(self.files())
        self.notify(f"Read {self.path.name} again")
        return True

    def save(self) -> bool:
        """Write the motion file; that is no change to read again."""
        saved = self.editor.save()
        self._stamps = stamps(self.files())
        return saved

    def files(self) -> list[Path]:
        """Return the files that what is on stage is made of; they need not exist."""
        if self.path is None or self.model is None:
            return []
        carried = [Path(each.file) for each in self.fitted]
        motion = self.editor.path or motion_path(self.path)
        return [self.path, *self.model.facts.files, *carried, motion]

    def refresh(self) -> None:
        """Read again what has changed on disk, unless it is gone for the moment.

        What is broken keeps what is on stage and says why, until it is mended.
        """
        interface = self.interface
        if self.path is None or not self.path.is_file() or stamps(self.files()) == self._stamps:
            return
        if interface.popup == "error" and interface.error_title in (CHANGED_BADLY, NO_MOTION):
            interface.popup = ""
        if not self.reload():
            interface.error_title = CHANGED_BADLY
            self._stamps = stamps(self.files())

    def _load(self, path: Path, motion: MotionFile | None) -> Model:
        """Return a model, with the clips of the files that a motion file and `anims` name."""
        model, self.fitted = load(path, root=self.root), ()
        if self.anims or (motion is not None and motion.document.anims.files):
            from app.anims import with_all_anims  # few sessions have any

            model, self.fitted = with_all_anims(model, motion, self.anims, root=self.root)
        if self.accept is not None:
            self.accept(model)
        return model

    def ask_to_leave(self, leave: Callable[[], object]) -> None:
        """Do something that leaves the motion behind, where all is saved; else ask first."""
        if self.editor.dirty:
            self.interface.leave = leave
            self.interface.popup = "unsaved"
        else:
            leave()

    def fail(self, error: AppError, title: str = CANNOT_SHOW) -> None:
        """Show an error until it is closed."""
        self.interface.error = str(error)
        self.interface.error_title = title
        self.interface.popup = "error"

    def bare_joint(self) -> int:
        """Return the joint whose weights to paint: the last one, else the heaviest of the skin."""
        model = self.model
        if model is None:
            return -1
        if self.interface.joint < 0:
            self.interface.joint = heaviest_joint(model)
        return self.interface.joint


def _again(number: int, before: Sequence[str], now: Sequence[str]) -> int:
    """Return the number of what has it still in a file read again, else -1."""
    there = 0 <= number < min(len(before), len(now)) and before[number] == now[number]
    return number if there else -1


def weighted_joints(model: Model) -> list[int]:
    """Return the joints that some skin lists, in the skeleton's order."""
    return sorted({int(joint) for skin in model.skins for joint in skin.joints})


def heaviest_joint(model: Model) -> int:
    """Return the joint that moves most of the vertices, -1 where the file has no skin."""
    sums = np.zeros(model.skeleton.count)
    for instance in model.instances:
        if instance.skin < 0:
            continue
        joints = model.skins[instance.skin].joints
        for part in model.meshes[instance.mesh].primitives:
            if part.joints is not None and part.weights is not None:
                flat = joints[part.joints.ravel()]
                sums += np.bincount(flat, part.weights.ravel(), model.skeleton.count)
    return int(sums.argmax()) if sums.any() else -1
