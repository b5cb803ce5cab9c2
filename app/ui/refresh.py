"""Which panel a pass draws again, while the others keep what they showed.

While a character plays and only the pointer and the camera move, lists and settings do not change,
and numbers change faster than they can be read. Panels are then drawn some times a second, one in
a pass, so that frames stay equally long and short; ImGui keeps the triangles of the others (its
refresh policy). A panel is drawn whenever the pointer is over it, and once after that.
"""

import math
from dataclasses import dataclass, field

from imgui_bundle import imgui

from ..session.session import Session

PLAYHEAD = 20.0  # draws a second: of what moves
VALUES = 5.0  # of lists and numbers
CONTROLS = 1.0  # of what changes on input only
_EARLY = 0.9  # of the time between two draws: the next frame may come late
_LATE = 2.0  # of it: a panel that is drawn whatever else the pass draws
_IF_USED = int(
    imgui.internal.WindowRefreshFlags_.try_to_avoid_refresh
    | imgui.internal.WindowRefreshFlags_.refresh_on_hover
    | imgui.internal.WindowRefreshFlags_.refresh_on_focus
)


@dataclass(slots=True)
class Refresh:
    """When the panels were drawn.

    Attributes
    ----------
    full
        Whether the pass draws all panels.
    """

    full: bool = True
    _chosen: str = ""  # the panel whose turn it is
    _rates: dict[str, float] = field(default_factory=dict)  # of the panels of the last pass
    _drawn: dict[str, float] = field(default_factory=dict)  # tau of the last draw, by panel
    _pointed: set[str] = field(default_factory=set)  # panels that were under the pointer then

    def next_pass(self, session: Session, *, in_turns: bool) -> None:
        """Start a pass; panels are drawn `in_turns` unless one of them is in use."""
        interface = session.interface
        mouse_down = imgui.is_any_mouse_down() and not interface.viewport.dragged
        used = (
            interface.unmeasured
            or interface.keyboard_navigation
            or interface.widget_boxes is not None
            or mouse_down
            or imgui.is_any_item_active()
            or imgui.is_popup_open("", imgui.PopupFlags_.any_popup)
        )
        self.full = not in_turns or bool(used)
        waits = {name: self._waited(name, session.tau, rate) for name, rate in self._rates.items()}
        self._chosen = max(waits, key=waits.__getitem__, default="")
        self._rates.clear()

    def _waited(self, name: str, tau: float, rate: float) -> float:
        """Return how long a panel was not drawn, in times between two draws."""
        return (tau - self._drawn.get(name, -math.inf)) * rate

    def is_due(self, name: str, tau: float, rate: float) -> bool:
        """Return whether the pass draws a panel of `rate` draws a second.

        It draws the one that has waited longest, and those that have waited for too long.
        """
        self._rates[name] = rate
        due = self._waited(name, tau, rate) >= (_EARLY if name == self._chosen else _LATE)
        return self.full or due or name in self._pointed

    def note_draw(self, name: str, tau: float, *, pointed: bool) -> None:
        """Note that the pass draws a panel, and whether the pointer is over it."""
        self._drawn[name] = tau
        (self._pointed.add if pointed else self._pointed.discard)(name)


def begin(session: Session, name: str, flags: int, rate: float = VALUES) -> bool:
    """Begin the window of a panel; return whether to draw its contents.

    Otherwise it keeps them; a panel under the pointer or with the focus never does.
    """
    refreshed = session.interface.of(Refresh)
    due = refreshed.is_due(name, session.tau, rate)
    if not due:
        imgui.internal.set_next_window_refresh_policy(_IF_USED)
    drawn = imgui.begin(name, None, flags)[0] or due
    if drawn:
        pointed = imgui.is_window_hovered(imgui.HoveredFlags_.child_windows)
        refreshed.note_draw(name, session.tau, pointed=pointed)
    return drawn
