"""Which panels a pass draws again, and which keep what they showed.

While a character plays and only the pointer and the camera move, lists and settings do not change,
and numbers change faster than they can be read. Panels are then drawn some times a second, in
turns, so that frames stay equally long; ImGui keeps the triangles of the others (its refresh
policy). A panel is drawn whenever the pointer is over it, and once after that.
"""

import math
from dataclasses import dataclass, field

from imgui_bundle import imgui

from ..session.session import Session

PLAYHEAD = 30.0  # draws a second: of what moves
VALUES = 10.0  # of lists and numbers
CONTROLS = 5.0  # of buttons over the scene
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
    _taken: set[float] = field(default_factory=set)  # rates of which a panel was drawn in this pass
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
        self._taken.clear()

    def is_due(self, name: str, tau: float, rate: float) -> bool:
        """Return whether the pass draws a panel of `rate` draws a second.

        Of panels with the same rate it draws one, unless another has waited for long.
        """
        waited = (tau - self._drawn.get(name, -math.inf)) * rate
        due = waited >= _LATE or (waited >= _EARLY and rate not in self._taken)
        if due:
            self._taken.add(rate)
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
