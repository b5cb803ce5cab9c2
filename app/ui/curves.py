"""The curves panel above the playback bar: a list of animated joints and values, and charts."""

from collections.abc import Callable

from imgui_bundle import imgui

from ..animation.clip import Clip
from ..curves.curve_set import CurveSet
from ..curves.from_tracks import (
    ANGLES,
    animated_joints,
    changing_joints,
    channel_curves,
    joint_curves,
)
from ..model.model import Model
from ..session.actions import action
from ..session.session import Session
from ..session.settings import PANEL_SIZES
from ..session.ui_state import CurvesView
from . import curve_canvas, icons, layout, theme, widgets
from .shown_clip import shown_clip

LEAST, DEFAULT = PANEL_SIZES["curves"][0], 9.0  # least heights of the panel, font heights
SHARE, MOST_SHARE = 0.36, 0.7  # default and greatest height of the panel, part of the window
_LIST = 13.0  # default width of the list, font heights
LIST_SHARE = 0.4  # of the panel: the greatest width of the list
_NAMES: dict[str, str] = {"euler": "Degrees", "quaternion": "Quaternion"}


def height(session: Session, room: float) -> float:
    """Return the height of the panel, points; 0 if it is closed."""
    view = session.interface.curves
    if not view.shown or session.model is None:
        return 0.0
    em = widgets.em()
    wanted = layout.size(session, "curves", max(SHARE * room / em, DEFAULT)) * em
    return min(wanted, max(MOST_SHARE * room, LEAST * em))


def draw(session: Session) -> None:
    """Draw the panel into its window."""
    model, view = session.model, session.interface.curves
    clip = shown_clip(session, view.listed_clip)
    if model is None or clip is None:
        widgets.quiet("No clip is playing")
        return
    if view.listed_clip is not clip:
        view.listed_clip, view.subjects, view.changing_subjects = clip, *_subjects(model, clip)
    _find_subject(view, model)
    em = widgets.em()
    wide = min(
        layout.size(session, "curves list", _LIST) * em, LIST_SHARE * imgui.get_window_width()
    )
    with widgets.colored((imgui.Col_.child_bg, (0.0, 0.0, 0.0, 0.0))):
        if imgui.begin_child("subjects", imgui.ImVec2(wide, 0.0)):
            _list(session)
        imgui.end_child()
        imgui.same_line()
        corner = imgui.get_cursor_screen_pos()
        left = corner.x - imgui.get_style().item_spacing.x
        high = imgui.get_content_region_avail().y
        layout.edge(session, "curves list", (left, corner.y), high, left - wide)
        imgui.set_cursor_screen_pos(corner)
        flags = imgui.WindowFlags_.no_scrollbar | imgui.WindowFlags_.no_scroll_with_mouse
        if imgui.begin_child("curves", imgui.ImVec2(0.0, 0.0), 0, flags):
            _chart_area(session, _current_curves(session, model, clip))
        imgui.end_child()


def _find_subject(view: CurvesView, model: Model) -> None:
    """Show the first subject that changes where the model lacks the chosen one, until it returns.

    A file may be replaced for a while.
    """

    def there(name: str) -> bool:
        return name in view.subjects or model.skeleton.find(name) >= 0

    if view.missing and there(view.missing):
        view.subject, view.missing = view.missing, ""
    if view.subject and there(view.subject):
        return
    view.missing = view.missing or view.subject
    changing = [name for name in view.subjects if name in view.changing_subjects]
    view.subject = next(iter(changing or view.subjects), "")


def _subjects(model: Model, clip: Clip) -> tuple[dict[str, int], set[str]]:
    """Return the subjects with tracks in a clip, and the names of those whose values change.

    Subjects are joint indices, or complements of channel indices for channels without a joint.
    """
    names = model.skeleton.names
    found = {names[joint]: joint for joint in animated_joints(model, clip)}
    for track in clip.tracks:
        if track.path == "values" and model.channels[track.target].joint < 0:
            found[model.channels[track.target].pointer] = ~track.target
    pointers = {name for name, number in found.items() if number < 0}
    return found, pointers | {names[joint] for joint in changing_joints(model, clip)}


def _list(session: Session) -> None:
    view = session.interface.curves
    view.filter = widgets.search_field(
        session, "search curves", view.filter, f"{icons.SEARCH}  Search"
    )
    takes_first = widgets.entered() and bool(view.filter.strip())
    found = widgets.matches(view.filter)
    listed = [name for name in view.subjects if found(name)]
    if takes_first and listed:
        view.subject, view.missing = listed[0], ""
    if imgui.begin_child("names"):
        if not listed:
            widgets.quiet("No matching tracks")
        room = imgui.get_content_region_avail().x
        for name in listed:
            chosen = name == view.subject
            shown = widgets.shortened(name, room)
            color = (
                theme.palette().text if name in view.changing_subjects else theme.palette().quiet
            )
            with widgets.colored((imgui.Col_.text, color)):
                if imgui.selectable(f"{shown}###{name}", chosen)[0]:
                    view.subject, view.missing = name, ""
            widgets.mark(session, f"curves of {name}")
            still = "" if name in view.changing_subjects else " (constant)"
            widgets.hint(f"{name}{still}" if still or shown != name else "")
    imgui.end_child()


def _current_curves(session: Session, model: Model, clip: Clip) -> CurveSet:
    """Return the curves, cached until clip, subject, rotation mode or start changes."""
    view = session.interface.curves
    character = session.character
    begin = 0.0 if character is None else character.mixer.clip_begin(clip)
    key = (clip, view.subject, view.angles, begin)
    before = view.curves
    if before is None or view.curves_key != key:
        number = view.subjects.get(view.subject, model.skeleton.find(view.subject))
        if number < 0 and view.subject in view.subjects:
            view.curves = channel_curves(model, clip, ~number, begin=begin)
        else:
            joint = max(number, 0)
            view.curves = joint_curves(model, clip, joint, angles=view.angles, begin=begin)
        now = view.curves
        if before is None or (before.clip, before.begin, before.end) != (now.clip, begin, now.end):
            view.span = None
        view.curves_key = key
        return now
    return before


def _chart_area(session: Session, curves: CurveSet) -> None:
    view = session.interface.curves
    imgui.align_text_to_frame_padding()
    imgui.text(view.subject)
    imgui.same_line()
    widgets.quiet(f"in {curves.clip}")
    _choices(session, curves)
    if not curves.charts:
        widgets.quiet(f"{curves.clip} has no tracks of {view.subject}")
        return
    curve_canvas.draw(session, curves)


def _choices(session: Session, curves: CurveSet) -> None:
    """Draw, at the right end, the choice of track and rotation mode, and a button to fit the clip.

    Choices with a single option are left out, and all choices if the panel is too narrow.
    """
    wide, slim = 8.0 * widgets.em(), 2.2 * widgets.em()
    last = [(slim, _fit_button), (slim, _close_button)]
    parts: list[tuple[float, Callable[[Session, float], None]]] = [*last]
    if any(chart.name == "Rotation" for chart in curves.charts):
        parts.insert(0, (wide, _angles))
    if len(curves.charts) > 1:
        parts.insert(0, (wide, lambda session, width: _track(session, curves, width)))
    imgui.same_line()
    start, gap = imgui.get_cursor_pos_x(), 8.0
    end = imgui.get_window_width()
    while len(parts) > len(last) and sum(width + gap for width, _ in parts) > end - start:
        parts.pop(0)
    imgui.set_cursor_pos_x(max(end - sum(width + gap for width, _ in parts) + gap, start))
    for k, (width, draw_part) in enumerate(parts):
        if k:
            imgui.same_line(0.0, gap)
        draw_part(session, width)


def _track(session: Session, curves: CurveSet, width: float) -> None:
    view = session.interface.curves
    names = {"": "All tracks"} | {chart.name: chart.name for chart in curves.charts}
    before = view.chart if view.chart in names else ""
    chosen = widgets.choice(session, "curves track", names, before, width=width)
    if chosen != before:
        view.chart = chosen


def _fit_button(session: Session, width: float) -> None:
    view = session.interface.curves
    with widgets.disabled(view.span is None):
        if imgui.button(f"{icons.FIT}##all", imgui.ImVec2(width, imgui.get_frame_height())):
            view.span = None
    widgets.mark(session, "curves all")
    widgets.hint("Show the whole clip (double click)")


def _close_button(session: Session, width: float) -> None:
    if imgui.button(f"{icons.REMOVE}##close curves", (width, imgui.get_frame_height())):
        action("curves").run(session)
    widgets.mark(session, "curves close")
    widgets.hint(f"Close the curves ({action('curves').keys[0]})")


def _angles(session: Session, width: float) -> None:
    view = session.interface.curves
    words = widgets.choice(session, "curves angles", _NAMES, view.angles, width=width)
    view.angles = "quaternion" if words == "quaternion" else "euler"
    widgets.hint(f"Rotations: {ANGLES[view.angles]}")
