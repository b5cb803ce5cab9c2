"""The playback bar along the lower edge: timeline, play, step, speed, trim and loop mode."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from imgui_bundle import imgui

from ...animation.playback import Mode
from ...model.lookup import clip_prefix
from ...session import played_motion, transport
from ...session.commands.actions import POSES, action
from ...session.session import Session
from ...session.timeline.timeline_view import TimelineView
from .. import icons, theme, widgets
from ..refresh import Refresh
from . import dope_rows, key_row, lanes, layer_strips, ruler, shown_pose

LARGEST_PASSES = 999_999_999  # of the motion file
SLOWEST, FASTEST = -4.0, 4.0  # the range of the speed slider; more can be typed
_LOOP_ICONS = {
    "Loop": icons.LOOP,
    "Ping-pong": icons.PING_PONG,
    "Once": icons.ONCE,
    transport.CONTINUOUS: icons.CONTINUOUS,
}
_BUTTON = 2.2  # font heights: width of a button

LEAST_SHARE = 0.005  # of weight; clips with less are not named
_NAMES = 4.0  # font heights; names are not drawn in less
_ZEROS = str.maketrans("123456789", "000000000")

LANES = (ruler.LANE, key_row.LANE, layer_strips.CLIP_LANE, layer_strips.LANE, dope_rows.LANE)
Control = tuple[float, Callable[[Session, float], None]]  # width in points, and what draws it


def height(session: Session, rows: Sequence[Sequence[Control]]) -> float:
    """Return the height of the bar with its `control_rows`, whole points; kept while they are."""
    kept = session.interface.of(Kept)
    if session.interface.of(Refresh).full or not kept.height:
        style = imgui.get_style()
        row = imgui.get_frame_height() + style.item_spacing.y
        controls = len(rows) * row + 2.0 * style.window_padding.y
        kept.height = math.ceil(controls) + lanes.height(session, LANES)
    return kept.height


def draw(session: Session, rows: Sequence[Sequence[Control]]) -> None:
    """Draw the timeline, and below it the controls, of `control_rows`."""
    with widgets.Disabled(session.transport.playable is None):
        timeline = lanes.draw(session, LANES)
    left = sum(width(session) > 0 for width, _ in _LEFT)
    _controls(session, rows[0][:left])
    if len(rows[0]) >= left:
        modes = rows[0][left:]
        _names(session, _total(modes))
        if modes:
            _controls(session, modes, right=True)
    for row in rows[1:]:
        _controls(session, row)
    if session.transport.playable is not None and timeline.axis.shows(timeline.present.time):
        ruler.draw_playhead(timeline)
    session.interface.of(Kept).timeline = timeline


def flash_events(session: Session) -> None:
    """Draw flashes of events that fire over the timeline, in each frame."""
    timeline = session.interface.of(Kept).timeline
    if session.transport.playable is not None and timeline is not None:
        events = session.interface.of(TimelineView).events
        key_row.flash_events(session, timeline.axis, events, low=timeline.low)


def _names(session: Session, taken: float) -> None:
    """Draw the names of the clips that play, or of the pose.

    `taken` is the width used at the right, points.
    """
    style, padding = imgui.get_style(), imgui.get_style().window_padding.x
    last = imgui.get_item_rect_max().x - imgui.get_window_pos().x
    room = imgui.get_window_width() - padding - taken - last - 2.0 * style.item_spacing.x
    character = session.character
    if character is None or room < _NAMES * widgets.em():
        return
    weights = playing_clips(session)
    prefix = clip_prefix(character.model)
    named = ", ".join(name.removeprefix(prefix) for name in weights)
    words = named if character.show == "clip" else POSES[character.show]
    imgui.same_line()
    widgets.label(widgets.shortened(words, room), theme.palette().quiet)
    tip = "\n".join(f"{name}: weight {weight:.2f}" for name, weight in weights.items())
    widgets.mark(session, "playing", tip)


def playing_clips(session: Session) -> dict[str, float]:
    """Return the names and weights of the clips that play, in the order of the layers."""
    character = session.transport.playable
    names: dict[str, float] = {}
    if character is None or character.show != "clip":
        return names
    for weight, source in character.mixer.playing():
        if weight >= LEAST_SHARE:
            names[source.clip.name] = max(weight, names.get(source.clip.name, 0.0))
    return names


def _total(controls: Sequence[Control]) -> float:
    """Return the width of controls side by side, points."""
    spacing = imgui.get_style().item_spacing.x
    return sum(width + spacing for width, _ in controls) - spacing if controls else 0.0


@dataclass(slots=True)
class Kept:
    """What passes that do not draw the bar use of earlier ones.

    Attributes
    ----------
    rows
        The rows of controls of the last pass that drew all panels.
    height
        The height of the bar then, points.
    timeline
        The timeline as it was last drawn, None before.
    """

    rows: list[list[Control]] = field(default_factory=list)
    height: float = 0.0
    timeline: lanes.Row | None = None


def control_rows(session: Session) -> list[list[Control]]:
    """Return the controls in rows: a single one if they fit, else the modes below the buttons.

    A narrow window needs more rows. They are kept while only the time changes.
    """
    kept = session.interface.of(Kept)
    if session.interface.of(Refresh).full or not kept.rows:
        kept.rows = _arranged(session)
    return kept.rows


def _arranged(session: Session) -> list[list[Control]]:
    """Return the controls in rows that are as wide as the window."""
    style = imgui.get_style()
    room = imgui.get_main_viewport().size.x - 2.0 * style.window_padding.x
    groups: list[list[Control]] = [
        [(wide, draw_it) for width, draw_it in each if (wide := width(session)) > 0]
        for each in (_LEFT, _RIGHT)
    ]
    if sum(width + style.item_spacing.x for group in groups for width, _ in group) < room:
        return [groups[0] + groups[1]]
    rows: list[list[Control]] = []
    for group in groups:
        used = room
        for width, draw_it in group:
            if used + width > room:
                rows.append([])
                used = 0.0
            rows[-1].append((width, draw_it))
            used += width + style.item_spacing.x
    return rows


def _controls(session: Session, controls: Sequence[Control], *, right: bool = False) -> None:
    """Draw controls side by side; at the right end of the row that the last ones began."""
    style = imgui.get_style()
    if right:
        imgui.same_line(imgui.get_window_width() - style.window_padding.x - _total(controls))
    for k, (width, draw_it) in enumerate(controls):
        if k:
            imgui.same_line()
        with widgets.Disabled(session.transport.playable is None and draw_it is not _pose):
            draw_it(session, width)


def _buttons_width(_session: Session) -> float:
    return 5.6 * _BUTTON * widgets.em() + 4.0 * theme.metrics().gap


def _buttons(session: Session, _width: float) -> None:
    wide = _BUTTON * widgets.em()
    running = session.transport.running
    widgets.icon_button(session, icons.FIRST, "first frame", wide)
    widgets.beside()
    widgets.icon_button(session, icons.PREVIOUS, "previous frame", wide)
    widgets.beside()
    play = icons.PAUSE if running else icons.PLAY
    widgets.icon_button(session, play, "play", 1.6 * wide, accent=True)
    widgets.beside()
    widgets.icon_button(session, icons.NEXT, "next frame", wide)
    widgets.beside()
    widgets.icon_button(session, icons.LAST, "last frame", wide)


def _frame_text(session: Session) -> str:
    if session.transport.playable is None:
        return "No animation"
    last = session.transport.frames[1]
    return f"Frame {session.transport.frame}" + ("" if last is None else f" / {last}")


def _frame_width(session: Session) -> float:
    """Return the width of the frame number, as wide with any digits."""
    text = _frame_text(session).translate(_ZEROS)
    return imgui.calc_text_size(text).x + 2.0 * imgui.get_style().frame_padding.x


def _frame_number(session: Session, _width: float) -> None:
    """Draw the frame number; a click opens "Go to frame"."""
    if session.transport.playable is None:
        widgets.quiet(_frame_text(session))
        return
    with widgets.Colored((imgui.Col_.button, widgets.CLEAR_COLOR)):
        if widgets.button(session, "go to frame", _frame_text(session)):
            action("go to frame").run(session)
    widgets.key_hint(session, action("go to frame"))


def _trim_width(_session: Session) -> float:
    inner = imgui.get_style().item_inner_spacing.x
    return imgui.get_frame_height() + inner + imgui.calc_text_size("Trim").x


def _trim(session: Session, _width: float) -> None:
    now = session.character is not None and session.character.trim
    tip = "Play from the first key to the last one instead of from 0"
    trim = widgets.checkbox(session, "trim", "Trim", now, tip)
    if trim != now and session.active is not None:
        played_motion.set_trim(session.active, trim=trim)


def _normal_speed(session: Session, width: float) -> None:
    widgets.icon_button(session, icons.UNDO, "speed 1", width)


def _loop(session: Session, width: float) -> None:
    now = session.transport.loop_name
    icon = icons.PING_PONG if now.startswith("Ping-pong") else _LOOP_ICONS.get(now, icons.LOOP)
    opened = widgets.begin_combo(session, "loop", f"{icon}  {now}", width)
    widgets.key_hint(session, action("loop"), "Loop mode")
    if not opened:
        return
    for name, mode, passes in transport.LOOPS:
        label = f"{_LOOP_ICONS[name]}  {name}"
        if widgets.selectable(session, f"loop {name}", label, chosen=name == now):
            session.transport.set_loop(mode, passes)
    if session.transport.can_be_continuous:
        name = transport.CONTINUOUS
        label = f"{icons.CONTINUOUS}  {name}"
        if widgets.selectable(session, f"loop {name}", label, chosen=name == now):
            session.transport.set_continuous()
    _times(session, now)
    imgui.end_combo()


def _times(session: Session, now: str) -> None:
    """Draw the loop modes with a number of passes, and a field for the number."""
    view, character = session.interface.of(TimelineView), session.character
    if character is None:
        return
    playback = character.playback
    if imgui.is_window_appearing() and 1.0 < float(playback.passes) < LARGEST_PASSES:
        view.times = round(float(playback.passes))
    imgui.separator()
    modes: tuple[tuple[Mode, str], ...] = (("loop", icons.LOOP), ("pingpong", icons.PING_PONG))
    for mode, icon in modes:
        name = transport.passes_name(mode, view.times)
        label, chosen = f"{icon}  {name}", name == now
        if widgets.selectable(session, f"loop {mode} N times", label, chosen=chosen):
            session.transport.set_loop(mode, view.times)
    imgui.set_next_item_width(-1)
    changed, times = imgui.input_int("##times", view.times, 1, 10)
    tip = "How often a pass is played; of ping-pong, forwards and back are a pass each"
    widgets.mark(session, "times", tip)
    if changed:
        view.times = min(max(times, 2), LARGEST_PASSES)
        if math.isfinite(playback.passes) and playback.passes != view.times:
            session.transport.set_loop(playback.mode, view.times)


def _speed(session: Session, width: float) -> None:
    now = session.transport.speed
    words, limits = ("Speed", f"{now:.2f}"), (SLOWEST, FASTEST)
    tip = "Speed: negative plays backwards. [ slower, ] faster; Ctrl+click to type"
    rate = widgets.slider(session, "speed", words, now, limits, width, tip=tip)
    if rate != now:
        session.transport.set_speed(round(rate, 2))


def _lanes_width(session: Session) -> float:
    """Return the width of a button that shows lanes; 0: nothing plays."""
    return _BUTTON * widgets.em() if session.transport.playable is not None else 0.0


def _strips(session: Session, width: float) -> None:
    shown = layer_strips.shown(session) or layer_strips.clip_shown(session)
    what = "the strips of the layers" if session.editor.shown else "the strip of the clip"
    words = f"Hide {what}" if shown else f"Show {what}"
    if widgets.toggle(session, "strips", icons.STRIPS, shown, words, width):
        session.interface.of(TimelineView).strips = not shown


def _dope_sheet(session: Session, width: float) -> None:
    shown, what = session.interface.dope_sheet, action("dope sheet")
    words = "Hide the keys of each joint" if shown else "Show the keys of each joint"
    if widgets.toggle(session, "dope sheet", icons.KEYS, shown, words, width):
        what.run(session)


def _pose(session: Session, _width: float) -> None:
    tip = "Pose, ghost, onion skins and key rotation"
    if widgets.begin_popover(session, "pose settings", icons.POSE, tip):
        shown_pose.draw(session)
        imgui.end_popup()


def _ems(count: float) -> Callable[[Session], float]:
    """Return a function of a width in font heights."""
    return lambda _session: count * widgets.em()


_Sized = tuple[Callable[[Session], float], Callable[[Session, float], None]]
_LEFT: tuple[_Sized, ...] = (
    (_buttons_width, _buttons),
    (_frame_width, _frame_number),
    (_lanes_width, _strips),
    (_lanes_width, _dope_sheet),
    (lambda _session: theme.metrics().icon, _pose),
)
_RIGHT: tuple[_Sized, ...] = (
    (_ems(8.2), _loop),
    (_trim_width, _trim),
    (_ems(9.0), _speed),
    (_ems(2.2), _normal_speed),
)
