"""The mark of the loop seam at the end of the track; its tooltip has the numbers of `check`."""

from imgui_bundle import imgui

from ...session.session import Session
from ...session.timeline.loop_seam import LoopSeam
from ...session.timeline.time_axis import TimeAxis
from ...session.timeline.timeline_view import TimelineView
from .. import icons, theme, widgets
from .key_row import MIDDLE, TALL


def draw(session: Session, axis: TimeAxis, top: float, right: float) -> None:
    """Draw the mark of the clip that plays alone, between the axis and `right`."""
    character = session.character
    if character is None or character.mixer.clip < 0:
        return
    seam, awaited = session.interface.of(TimelineView).seams.find(
        character.model,
        session.document,
        character.mixer.clip,
        session.tau,
        in_background=session.files.in_background,
    )
    session.interface.wait("seam", awaited=awaited)
    if seam is None:
        return
    em = widgets.em()
    left, tall = axis.right + 0.6 * em, TALL * em
    imgui.set_cursor_screen_pos((left, top))
    imgui.invisible_button("seam", (max(right - left, 1.0), tall))
    widgets.mark(session, "seam")
    icon, color = _look(seam)
    wide = imgui.calc_text_size(icon).x
    place = left + (right - left - wide) / 2.0, top + (MIDDLE - 0.5) * em
    imgui.get_window_draw_list().add_text(place, theme.packed(color), icon)
    found = seam.faults or (("The loop is closed.",) if seam.loops else ())
    if imgui.is_item_hovered(imgui.HoveredFlags_.for_tooltip):
        widgets.tooltip("\n".join([*found, seam.distance]), session.interface.of(TimelineView).top)


def _look(seam: LoopSeam) -> tuple[str, theme.Color]:
    """Return icon and color: a fault, a closed loop, or a clip that does not loop."""
    palette = theme.palette()
    if seam.faults:
        return icons.WARNING, palette.warning
    return (icons.CHECKED if seam.loops else icons.ONCE), palette.quiet
