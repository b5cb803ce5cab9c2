"""State of the panels; none of it is part of rendered pictures.

What one panel alone uses is a class of its own, beside it: `Interface.of` returns its instance.
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from ..animation.clip import Clip
from ..curves.curve_set import CurveSet
from ..curves.from_tracks import Angles
from ..curves.model_space_curves import CurveSpace
from ..images.label_layout import LabelLayout
from ..motion.document import Fade
from .outliner import Outliner

if TYPE_CHECKING:
    from ..checks.rules.pops import PopMark

Asked = Literal["open", "add", "add clips", "attach"]  # requests for files, and their pop-ups
Popup = Literal[
    "",
    "help",
    "error",
    "go to frame",
    Asked,
    "dropped",
    "few joints",
    "unsaved",
    "save as",
    "commands",
    "export",
    "texture",
]
Copy = Literal[
    "copy command",
    "copy range",
    "copy export",
    "copy python",
    "copy test",
    "copy check",
    "copy diff",
]
Request = Literal[
    Asked,
    "environment",
    "save as",
    "picture",
    "export",
    Copy,
    "full screen",
    "quit",
]
CANNOT_SHOW = "The file cannot be opened"
SEARCHES = "filter", "filter_clips", "filter_meshes", "filter_morphs"  # fields of panels' states
State = TypeVar("State")
Box = tuple[float, float, float, float]  # left, top, right, bottom; points of the window


@dataclass(slots=True)
class CurvesView:
    """State of the curves panel."""

    shown: bool = False
    subject: str = ""  # a joint's name or a channel's pointer
    missing: str = ""  # the chosen subject while the model lacks it
    angles: Angles = "euler"
    space: CurveSpace = "local"
    pops: "tuple[PopMark, ...]" = ()  # of the shown joint in `listed_clip`
    chart: str = ""  # "Rotation"; "": all charts
    faulty: tuple[str, str, float] | None = None  # subject, chart and seconds of a fault to show
    isolated: tuple[str, str] = ("", "")  # chart and label of the only curve shown of that chart
    filter: str = ""
    span: tuple[float, float] | None = None  # visible seconds, None: the whole clip
    pressed_on_key: bool = False  # a drag that started on a key does not scrub
    curves: CurveSet | None = None  # that are shown
    subjects: dict[str, int] = field(default_factory=dict)  # of `listed_clip`: joint or channel
    searched: dict[str, str] = field(default_factory=dict)  # of `subjects`: name and track names
    listed_clip: Clip | None = None
    changing_subjects: set[str] = field(default_factory=set)  # subjects whose values change


@dataclass(slots=True)
class MixerPanels:
    """State of the mixer panels of one character."""

    shown: bool = False
    tab: str = ""  # to open in the next frame
    panel: str = ""  # the panel shown in a narrow window
    collapsed: bool = False  # hides that panel below its list
    height: float = 0.0  # of the contents of the mixer, points
    layer: str = ""  # the layer with open details
    scroll_to_layer: bool = False  # scroll the mixer to it
    renamed: tuple[str, str] = ("", "")  # a layer's name and the text typed in its field
    fade: Fade = field(default_factory=lambda: Fade("", ""))  # settings of the next cross-fade
    moment: int = -1  # index of the scheduled cross-fade with open details
    space: str = ""
    arrange: bool = False  # drag the clips of a space instead of its point
    point: int = -1  # index of the dragged clip
    mask: str = ""
    mask_joint: int = -1  # the selected joint to which its tree has scrolled, -1 for none
    show_mask: bool = False  # draw the mask on the mesh, once its panel is chosen by hand
    painting: bool = False  # a drag paints weights over the rows of a mask
    folded: set[int] = field(default_factory=set)  # joints whose children are folded in the tree
    handle: str = ""  # the parameter with a handle in the scene
    handle_drawn: bool = False  # whether the handle was drawn in this frame
    event: str = ""  # the typed name of a new event


@dataclass(slots=True)
class Hovered:
    """What is under the resting pointer in the scene."""

    place: tuple[float, float] = (-1.0, -1.0)  # of the pointer, points of the window
    since: float = 0.0  # tau at which the pointer came there
    name: str = ""


@dataclass(slots=True)
class Viewport:
    """The part of the window with the scene: its place, what is drawn over it, and the pointer.

    Attributes
    ----------
    box
        Of the scene.
    covered
        Width of the panels over its left and over its right end.
    aspect
        Width over height of the part that no panel covers.
    over
        The boxes of the widgets over it: of the view cube with its axes, and of the overlays.
    top
        Lower end of the overlays' icons, or the upper end of the scene.
    captions
        The boxes of the characters' names.
    pivot
        The place (0 to 1) of a new orbit pivot.
    pressed
        Where a button was pressed over it, points of the window.
    dragged
        Whether a button is down that was pressed over it, away from handles.
    """

    box: Box = (0.0, 0.0, 1.0, 1.0)
    covered: tuple[float, float] = (0.0, 0.0)
    aspect: float = 1.0
    over: tuple[Box, ...] = ()
    top: float = 0.0
    captions: tuple[Box, ...] = ()
    labels: LabelLayout = field(default_factory=LabelLayout)  # of joints
    pivot: tuple[float, float] | None = None
    hovered: Hovered = field(default_factory=Hovered)
    pressed: tuple[float, float] | None = None
    dragged: bool = False


@dataclass(slots=True)
class Start:
    """State of the bar at the start without a file."""

    shown: bool = False


@dataclass(slots=True)
class Interface:
    """State of all panels."""

    requests: list[Request] = field(default_factory=list)  # executed after the frame, by the window
    hidden: bool = False  # hides all panels
    unmeasured: int = 0  # passes until panels that are new, and what contains them, are measured
    keyboard_navigation: bool = False  # arrows and Space control the panels, until Esc or a click
    typing: bool = False  # a text field, a list or a menu has the keyboard focus
    popup: Popup = ""
    list_in_popup: bool = False  # a list of the pop-up is open: Esc closes only the list
    error: str = ""  # text of the error pop-up
    error_title: str = CANNOT_SHOW
    notice: str = ""  # a message shown for a few seconds
    notice_end: float = 0.0  # tau at which the notice disappears
    start: Start = field(default_factory=Start)
    outliner: Outliner = field(default_factory=Outliner)
    filter_clips: str = ""
    mixer_panels: MixerPanels = field(default_factory=MixerPanels)
    tabs: dict[str, str] = field(default_factory=dict)  # the chosen tab of each row of tabs
    inspect: bool = False  # a new selection opens the inspector
    scroll_to_clip: bool = False  # scroll the list to the playing clip
    scroll_to_character: bool = False  # scroll the list to the active character
    frame: int = 0  # in the pop-up "Go to frame"
    dope_sheet: bool = False  # whether the timeline shows it
    curves: CurvesView = field(default_factory=CurvesView)
    frame_ms: float = 0.0  # smoothed time per frame, milliseconds
    viewport: Viewport = field(default_factory=Viewport)
    panel_bottom: float = 0.0  # lower limit of the panel that is being drawn, points of the window
    widget_boxes: dict[str, Box] | None = None  # by name, recorded for the trace, else None
    _states: dict[type[Any], Any] = field(default_factory=dict)  # of panels, by their classes

    def ask(self, request: Request) -> None:
        """Add a request for the window, once."""
        if request not in self.requests:
            self.requests.append(request)

    def clear_searches(self) -> None:
        """Show all rows of the lists of what is open."""
        for state in (self, self.outliner, self.curves, *self._states.values()):
            for name in SEARCHES:
                if hasattr(state, name):
                    setattr(state, name, "")

    def of(self, kind: type[State]) -> State:
        """Return the state of a panel, made by its class when it is first asked for."""
        if kind not in self._states:
            self._states[kind] = kind()
        found: State = self._states[kind]
        return found
