"""The curves panel above the playback bar: a list of animated joints and values, and charts."""

from collections.abc import Callable

from imgui_bundle import imgui

from ..animation.clip import Clip
from ..curves.curve_set import CurveSet
from ..curves.from_tracks import (
    ANGLES,
    Angles,
    animated_joints,
    changing_joints,
    value_names,
)
from ..curves.key_edits import HeldKey
from ..curves.model_space_curves import CurveSpace, curves_of
from ..memo import Memo
from ..model.lookup import joint_prefix
from ..model.model import Model
from ..scene.selected import Selected
from ..session.clip_results import clip_number
from ..session.commands.actions import action
from ..session.curve_keys import CurveKeys, delete_key, move_key, selected_key
from ..session.session import Session
from ..session.settings import PANEL_SIZES
from ..session.ui_state import CurvesView
from . import curve_canvas, icons, layout, theme, widgets
from .shown_clip import shown_clip

LEAST, DEFAULT = PANEL_SIZES["curves"][0], 9.0  # least heights of the panel, font heights
SHARE, LOW_SHARE = 0.36, 0.8  # default height, part of the window; in a low window
MOST_SHARE = 0.8  # greatest height of the panel, part of the window
_LIST = 13.0  # default width of the list, font heights
DEFAULT_LIST_SHARE, LIST_SHARE = 0.28, 0.4  # of the panel: greatest width of the list
_LIST_WIDTH, _TITLE_WIDTH = 8.5, 9.0  # of a drop-down; least width of the title; font heights
_SPACES: dict[CurveSpace, str] = {"local": "Local space", "model": "Model space", "speed": "Speed"}
_FIELDS = 21.0  # font heights: least room of the fields of a key
_STILL = int(imgui.WindowFlags_.no_scrollbar | imgui.WindowFlags_.no_scroll_with_mouse)
Choice = Callable[[Session, float], None]  # draws a widget of a width in points
Part = tuple[float, Choice]
_NAMES: dict[Angles, str] = {"euler": "Degrees", "quaternion": "Quaternion"}


def height(session: Session, room: float) -> float:
    """Return the height of the panel, whole points; 0 if it is closed."""
    view = session.interface.curves
    if not view.shown or session.model is None:
        return 0.0
    em = widgets.em()
    low = room < layout.LOW * em
    least = max(LOW_SHARE * room / em, LEAST) if low else DEFAULT
    wanted = layout.size(session, "curves", max(SHARE * room / em, least)) * em
    return float(round(min(wanted, max(MOST_SHARE * room, LEAST * em))))


def draw(session: Session) -> None:
    """Draw the panel into its window."""
    model, view = session.model, session.interface.curves
    clip = shown_clip(session, view.listed_clip)
    if model is None or clip is None:
        widgets.quiet("No clip is playing")
        return
    if view.listed_clip is not clip:
        if view.listed_clip is None or view.listed_clip.name != clip.name:
            view.isolated = ("", "")
        view.listed_clip, view.subjects, view.changing_subjects = clip, *_subjects(model, clip)
        view.searched = _searched(model, clip, view.subjects)
    _find_subject(view, model)
    _find_pops(session, model, clip)
    em = widgets.em()
    room = imgui.get_window_width()
    default = min(_LIST, DEFAULT_LIST_SHARE * room / em)
    wide = min(layout.size(session, "curves list", default) * em, LIST_SHARE * room)
    with widgets.Colored((imgui.Col_.child_bg, widgets.CLEAR_COLOR)):
        if imgui.begin_child("subjects", imgui.ImVec2(wide, 0.0)):
            _list(session)
        imgui.end_child()
        imgui.same_line()
        corner = imgui.get_cursor_screen_pos()
        left = corner.x - imgui.get_style().item_spacing.x
        high = imgui.get_content_region_avail().y
        layout.edge(session, "curves list", (left, corner.y), high, left - wide)
        imgui.set_cursor_screen_pos(corner)
        if imgui.begin_child("curves", imgui.ImVec2(0.0, 0.0), 0, _STILL):
            _chart_area(session, _current_curves(session, model, clip))
        imgui.end_child()


def _find_subject(view: CurvesView, model: Model) -> None:
    """Show the first subject that changes where the model lacks the chosen one, until it returns.

    A file may be replaced for a while.
    """

    def there(name: str) -> bool:
        return name in view.subjects or name in model.skeleton.index_of

    if view.missing and there(view.missing):
        view.subject, view.missing = view.missing, ""
    if view.subject and there(view.subject):
        return
    view.missing = view.missing or view.subject
    changing = [name for name in view.subjects if name in view.changing_subjects]
    view.subject = next(iter(changing or view.subjects), "")


def _find_pops(session: Session, model: Model, clip: Clip) -> None:
    """Find the pops of the shown joint."""
    view, active = session.interface.curves, session.active
    joint = view.subjects.get(view.subject, model.skeleton.index_of.get(view.subject, -1))
    number = clip_number(model, clip)
    view.pops = ()
    if active is not None and joint >= 0 and number >= 0:
        found = active.pops.find(model, active.document, number, session.jobs)
        view.pops = () if found is None else found.get(joint, ())


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


def _searched(model: Model, clip: Clip, subjects: dict[str, int]) -> dict[str, str]:
    """Return the text that a search matches, by subject: its name and those of its tracks."""
    words = {name: [name] for name in subjects}
    names = model.skeleton.names
    for track in clip.tracks:
        if track.path != "values":
            words.get(names[track.target], []).append(track.path)
            continue
        channel = model.channels[track.target]
        subject = names[channel.joint] if channel.joint >= 0 else channel.pointer
        values = value_names(model, track.target)
        start = track.start - channel.start
        words.get(subject, []).extend(values[start : start + track.values.shape[1]])
    return {name: " ".join(texts) for name, texts in words.items()}


def _list(session: Session) -> None:
    view = session.interface.curves
    view.filter, takes_first, _ = widgets.search_field(session, "search curves", view.filter)
    names = list(view.subjects)
    listed = [names[k] for k in widgets.matching(view.filter, list(view.searched.values()))]
    prefix = "" if session.model is None else joint_prefix(session.model)
    if takes_first and listed:
        _choose(session, listed[0])
    if imgui.begin_child("names", child_flags=imgui.ChildFlags_.nav_flattened):
        if not listed:
            widgets.quiet("No matching tracks")
        for k in widgets.in_sight(len(listed), imgui.get_text_line_height_with_spacing()):
            _row(session, listed[k], prefix)
    imgui.end_child()


def _row(session: Session, name: str, prefix: str) -> None:
    """Draw a subject, without the prefix, quiet if its values do not change."""
    view, palette = session.interface.curves, theme.palette()
    changes = name in view.changing_subjects
    room = imgui.get_content_region_avail().x
    shown = widgets.shortened(name.removeprefix(prefix), room)
    still = "" if changes else " (constant)"
    with widgets.Colored((imgui.Col_.text, palette.text if changes else palette.quiet)):
        chosen = name == view.subject
        pressed = widgets.selectable(session, f"curves of {name}", shown, chosen=chosen)
    widgets.hint(f"{name}{still}" if still or shown != name else "")
    if pressed:
        _choose(session, name)


def _choose(session: Session, name: str) -> None:
    """Show the curves of a subject; a joint becomes the selection."""
    view = session.interface.curves
    view.subject, view.missing = name, ""
    joint = view.subjects[name]
    if joint >= 0 and session.active is not None:
        session.selections.select(session.active, Selected(joint))


def _current_curves(session: Session, model: Model, clip: Clip) -> CurveSet:
    """Return the curves; those of another clip or subject are shown as a whole."""
    view, character = session.interface.curves, session.character
    begin = 0.0 if character is None else character.mixer.clip_begin(clip)
    number = view.subjects.get(view.subject, model.skeleton.index_of.get(view.subject, 0))
    before = view.curves
    now = view.curves = _curves_of(model, clip, number, view.space, view.angles, begin)
    if now is before:
        return now
    dragged = session.interface.of(CurveKeys).drag is not None
    whole = before is not None and (before.clip, before.begin, before.end)
    if whole != (now.clip, begin, now.end) and not dragged:
        view.span = None
    if before is None or before.subject != now.subject:
        view.isolated = ("", "")
    _isolate_fault(view, now)
    return now


_curves_of = Memo(curves_of)


def _isolate_fault(view: CurvesView, curves: CurveSet) -> None:
    """Show only the component that alone is off at the time of a fault, once they are drawn."""
    if view.faulty is None:
        return
    subject, name, seconds = view.faulty
    view.faulty = None
    chart = next((each for each in curves.charts if each.name == name), None)
    label = "" if chart is None or curves.subject != subject else chart.line_off(seconds)
    if label:
        view.isolated = (name, label)


def _chart_area(session: Session, curves: CurveSet) -> None:
    """Draw the subject, the choices, and the charts, which scroll if the panel is low."""
    _head(session, curves)
    if not curves.charts:
        widgets.quiet(f"{curves.clip} has no tracks of {session.interface.curves.subject}")
        return
    if imgui.begin_child("charts", window_flags=imgui.WindowFlags_.no_scroll_with_mouse):
        curve_canvas.draw(session, curves)
    imgui.end_child()


def _key_fields(session: Session, held: HeldKey, room: float) -> None:
    """Draw time and value of the selected key, and a button that deletes it, in `room` points."""
    em, chosen = widgets.em(), session.interface.of(CurveKeys).chosen
    words = "" if chosen is None else f"{chosen.chart} {chosen.label} {chosen.key}"
    widgets.label(widgets.shortened(words, room - (_FIELDS - 5.0) * em))
    moved = []
    for name, number, form in (("time", held.seconds, "%.4f s"), ("value", held.value, "%.5g")):
        imgui.same_line()
        imgui.set_next_item_width(5.5 * em)
        changed, given = imgui.drag_float(f"##key {name}", number, 0.005, 0.0, 0.0, form)
        widgets.mark(session, f"key {name}", f"Drag it, or Ctrl+click: type the {name} of the key")
        moved.append(given if changed and widgets.is_finite(given) else number)
    if moved != [held.seconds, held.value]:
        move_key(session, held, moved[0], moved[1])
    imgui.same_line()
    if widgets.button(session, "delete key", "Delete"):
        delete_key(session)
    widgets.key_hint(session, action("delete key"))


def _head(session: Session, curves: CurveSet) -> None:
    """Draw subject and clip, or the selected key, and the choices at the right end.

    In a narrow panel there are only the choices, which are narrower: the list shows the subject.
    """
    em, gap = widgets.em(), imgui.get_style().item_spacing.x
    lists = _lists(session, curves)
    buttons: list[Part] = [(2.2 * em, _fit_button), (2.2 * em, _close_button)]
    fixed = sum(width + gap for width, _ in buttons) - gap
    room = imgui.get_content_region_avail().x
    total = fixed + len(lists) * (_LIST_WIDTH * em + gap)
    left = room - total - gap
    if left < _TITLE_WIDTH * em:
        width = min((room - fixed) / max(len(lists), 1) - gap, _LIST_WIDTH * em)
        total = fixed + len(lists) * (width + gap)
    else:
        width = _LIST_WIDTH * em
        held = selected_key(session)
        if held is None or left < _FIELDS * em:
            _title(session.interface.curves.subject, curves.clip, left)
        else:
            _key_fields(session, held, left)
        imgui.same_line()
    imgui.set_cursor_pos_x(max(imgui.get_window_width() - total, 0.0))
    for k, (wide, draw_part) in enumerate([*((width, part) for part in lists), *buttons]):
        if k:
            imgui.same_line(0.0, gap)
        draw_part(session, max(wide, em))


def _title(subject: str, clip: str, room: float) -> None:
    """Draw the names of subject and clip, shortened to `room` points."""
    name = widgets.shortened(subject, 0.6 * room)
    widgets.label(name)
    widgets.hint(subject if name != subject else "")
    imgui.same_line()
    left = room - imgui.calc_text_size(f"{name}in ").x - 2.0 * widgets.em()
    widgets.quiet(f"in {widgets.shortened(clip, left)}")


def _lists(session: Session, curves: CurveSet) -> list[Choice]:
    """Return the choices that have more than one option: space, track, rotation mode."""
    found: list[Choice] = []
    if session.interface.curves.subjects.get(curves.subject, 0) >= 0:
        found.append(_space)
    if len(curves.charts) > 1:
        found.append(lambda session, width: _track(session, curves, width))
    if any(chart.name == "Rotation" for chart in curves.charts):
        found.append(_angles)
    return found


def _space(session: Session, width: float) -> None:
    view = session.interface.curves
    tip = (
        "Local: the stored tracks, relative to the parent. "
        "Model: where the joint is in the model, sampled with its parents. "
        "Speed: how fast it moves and turns there"
    )
    view.space = widgets.choice(session, "curves space", _SPACES, view.space, width=width, tip=tip)


def _track(session: Session, curves: CurveSet, width: float) -> None:
    view = session.interface.curves
    names = {"": "All tracks"} | {chart.name: chart.name for chart in curves.charts}
    before = view.chart if view.chart in names else ""
    chosen = widgets.choice(session, "curves track", names, before, width=width)
    if chosen != before:
        view.chart = chosen


def _fit_button(session: Session, width: float) -> None:
    view = session.interface.curves
    with widgets.Disabled(view.span is None):
        tip = "Show the whole clip (double click)"
        if widgets.button(session, "curves all", icons.FIT, width, tip):
            view.span = None


def _close_button(session: Session, width: float) -> None:
    if widgets.button(session, "curves close", icons.REMOVE, width):
        action("curves").run(session)
    widgets.key_hint(session, action("curves"), "Close the curves")


def _angles(session: Session, width: float) -> None:
    view = session.interface.curves
    view.angles = widgets.choice(session, "curves angles", _NAMES, view.angles, width=width)
    widgets.hint(f"Rotations: {ANGLES[view.angles]}")
