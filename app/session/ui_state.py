"""Where the panels of a window stand; nothing of it shows in a picture."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from ..animation.clip import Clip
from ..curves.curve_set import Curves
from ..motion.document import Fade

Popup = Literal["", "help", "error", "go to frame", "open", "add", "unsaved"]
Copy = Literal["copy command", "copy python", "copy test"]
Request = Literal["open", "add", "picture", Copy, "full screen", "quit"]
CANNOT_SHOW = "This file cannot be shown"
Box = tuple[float, float, float, float]  # left, top, right, bottom; points of the window


@dataclass(slots=True)
class CurvesView:
    """What the panel of curves shows."""

    shown: bool = False
    subject: str = ""  # a joint's name or a channel's pointer
    angles: Literal["euler", "quaternion"] = "euler"
    chart: str = ""  # "Rotation", or "": all of them
    filter: str = ""
    height: float = 0.0  # of the panel, of the font's height; 0: as it fits
    span: tuple[float, float] | None = None  # seconds that are shown, None: the whole clip
    pressed_on_key: bool = False  # the button went down on a key, so that dragging does not scrub
    curves: Curves | None = None  # made of:
    curves_key: tuple[object, ...] = ()
    subjects: dict[str, int] = field(default_factory=dict)  # what can be chosen, of this clip:
    listed_clip: Clip | None = None
    changing_subjects: set[str] = field(default_factory=set)  # those that do not stand still


@dataclass(slots=True)
class MixerPanels:
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
    handle_drawn: bool = False  # whether it is drawn there
    event: str = ""  # the name typed for a new one


@dataclass(slots=True)
class Interface:
    """Where the panels stand; nothing of it shows in a picture."""

    hidden: bool = False  # all panels
    keyboard_navigation: bool = False  # arrows and Space work the panels, until Esc or a click
    popup: Popup = ""
    error: str = ""  # what went wrong
    error_title: str = CANNOT_SHOW
    after_unsaved: Callable[[], object] | None = (
        None  # what waits for an answer about what is not saved
    )
    notice: str = ""  # a passing message
    notice_end: float = 0.0  # tau at which it goes
    typed: tuple[str, float] = ("", 0.0)  # last character that did something, and until when
    pivot: tuple[float, float] | None = None  # place in the view, 0 to 1, to turn about
    picked: tuple[float, float] | None = None  # place in the view of whom to work with
    pressed: tuple[float, float] | None = None  # where the button went down over the view, points
    filter_joints: str = ""
    filter_clips: str = ""
    filter_plays: str = ""
    mixer_panels: MixerPanels = field(default_factory=MixerPanels)
    scroll_to_clip: bool = False  # the list has yet to show the clip that plays
    scroll_to_character: bool = False  # and the list of characters the one that is worked with
    typed_path: str = ""  # in the pop-up that stands in for a file dialog
    frame: int = 0  # in the pop-up that asks for one
    curves: CurvesView = field(default_factory=CurvesView)
    frame_ms: float = 0.0  # what a frame takes this program, smoothed, milliseconds
    view: Box = (0.0, 0.0, 1.0, 1.0)  # where the scene is drawn
    widget_boxes: dict[str, Box] | None = None  # where the widgets are; None: nobody asks
