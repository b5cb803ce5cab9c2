"""Findings on the timeline: icons above the keys at their times; a click goes to one."""

from imgui_bundle import imgui

from ...session.finding_places import tooltip_text
from ...session.findings.go_to_finding import open_next
from ...session.session import Session
from ...session.timeline.time_axis import TimeAxis
from ...session.timeline.timeline_marks import FindingGroup, finding_groups
from ...session.timeline.timeline_view import TimelineView
from .. import widgets
from ..findings import finding_marks

SIZE = 0.58  # font heights
_APART = 0.7  # font heights: nearer findings have one mark
_REACH = 0.4  # font heights from the middle of a mark to the pointer


def draw(session: Session, axis: TimeAxis, top: float) -> None:
    """Draw the marks below the upper edge of the track."""
    em, boxes = widgets.em(), session.interface.widget_boxes
    for k, group in enumerate(finding_groups(session, axis, _APART * em)):
        finding_marks.draw(group.found, (group.x, _middle(top)), SIZE)
        if boxes is not None:
            half = 0.5 * SIZE * em
            boxes[f"findings at {k}"] = (group.x - half, top, group.x + half, top + 2.0 * half)


def take_mouse(session: Session, axis: TimeAxis, top: float) -> str:
    """Go to the finding that was pressed in the track that was drawn last; the next one of several.

    Returns the text of the tooltip of the finding under the pointer, "" without one.
    """
    view, group = session.interface.of(TimelineView), None
    if imgui.is_item_hovered() or imgui.is_item_activated():
        group = _pointed(session, axis, top)
    if imgui.is_item_activated():
        view.on_finding = group is not None and imgui.is_mouse_down(imgui.MouseButton_.left)
        if view.on_finding and group is not None and session.active is not None:
            open_next(session, session.active, group.found)
    if not imgui.is_item_active():
        view.on_finding = False
    return "" if group is None else tooltip_text(group.found)


def _pointed(session: Session, axis: TimeAxis, top: float) -> FindingGroup | None:
    """Return the findings under the pointer."""
    mouse, em = imgui.get_io().mouse_pos, widgets.em()
    groups = finding_groups(session, axis, _APART * em)
    if abs(mouse.y - _middle(top)) > _REACH * em or not groups:
        return None
    nearest = min(groups, key=lambda group: abs(group.x - mouse.x))
    return nearest if abs(nearest.x - mouse.x) <= _REACH * em else None


def _middle(top: float) -> float:
    return top + 0.5 * SIZE * widgets.em()
