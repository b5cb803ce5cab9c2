"""The playback bar along the lower edge: timeline, play, step, speed, trim and loop mode."""

import math
from collections.abc import Callable, Sequence

from imgui_bundle import imgui

from ...session import linked_transport, playing, transport
from ...session.actions import action
from ...session.session import Session
from .. import icons, theme, widgets
from . import events, playing_clips

SLOWEST, FASTEST = -4.0, 4.0  # the range of the speed slider; more can be typed
_LOOP_ICONS = {
    "Loop": icons.LOOP,
    "Ping-pong": icons.PING_PONG,
    "Once": icons.ONCE,
    transport.CONTINUOUS: icons.CONTINUOUS,
}
_TICK_SIZE = 0.7  # height of the numbers of a ruler without an end, of the font's
_BUTTON, _BUTTON_GAP = 2.2, 4.0  # width of a button, font heights; and points between two
_LEAST_GAP = 3.0  # points between key markers; denser keys are not drawn

Control = tuple[float, Callable[[Session, float], None]]  # width in points, and what draws it


def height(session: Session) -> float:
    """Return the height of the bar, points; a narrow window needs more rows."""
    style = imgui.get_style()
    rows = 1 + len(_rows(session))
    between = (rows - 1) * style.item_spacing.y
    return rows * imgui.get_frame_height() + between + 2.0 * style.window_padding.y


def draw(session: Session) -> None:
    """Draw the timeline, and the controls below it."""
    with widgets.disabled(transport.playable_character(session) is None):
        _scrub_row(session)
        rows = _rows(session)
        _controls(session, rows[0][: len(_LEFT)])
        if len(rows[0]) >= len(_LEFT):
            modes = rows[0][len(_LEFT) :]
            _names(session, _total(modes))
            if modes:
                _controls(session, modes, right=True)
        for row in rows[1:]:
            _controls(session, row)


def _names(session: Session, taken: float) -> None:
    """Draw the names of the clips that play; `taken` is the width used at the right, points."""
    style = imgui.get_style()
    imgui.same_line()
    end = imgui.get_window_width() - style.window_padding.x - taken
    playing_clips.draw(session, end - imgui.get_cursor_pos_x() - style.item_spacing.x)


def _total(controls: Sequence[Control]) -> float:
    """Return the width of controls side by side, points."""
    spacing = imgui.get_style().item_spacing.x
    return sum(width + spacing for width, _ in controls) - spacing if controls else 0.0


def _rows(session: Session) -> list[list[Control]]:
    """Return the controls in rows: a single one if they fit, else the modes below the buttons."""
    style = imgui.get_style()
    room = imgui.get_main_viewport().size.x - 2.0 * style.window_padding.x
    groups: list[list[Control]] = [
        [(width(session), draw_it) for width, draw_it in each] for each in (_LEFT, _RIGHT)
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
        draw_it(session, width)


def _scrub_row(session: Session) -> None:
    begin, end = session.interface.ruler or transport.ruler(session)
    now = transport.time(session)
    em = widgets.em()
    imgui.align_text_to_frame_padding()
    imgui.text(f"{now:.2f} s")
    widest = imgui.calc_text_size(f"{end:.2f} s").x
    imgui.same_line(max(4.2 * em, widest + 1.2 * em))
    last = icons.CONTINUOUS if transport.is_endless(session) else f"{end:.2f} s"
    width = imgui.get_content_region_avail().x - imgui.calc_text_size(last).x - 0.8 * em
    _scrub(session, (begin, end), now, max(width, 4.0 * em))
    imgui.same_line(0.0, 0.8 * em)
    widgets.quiet(last)


def _scrub(session: Session, ruler: tuple[float, float], now: float, width: float) -> None:
    """Draw the timeline; a click or drag seeks."""
    em = widgets.em()
    begin, end = ruler
    tall = imgui.get_frame_height()
    low = imgui.get_cursor_screen_pos()
    imgui.invisible_button("scrub", imgui.ImVec2(width, tall))
    widgets.mark(session, "scrub")
    length = max(end - begin, 1e-9)
    inset = 0.45 * em
    span = width - 2.0 * inset
    session.interface.ruler = ruler if imgui.is_item_active() else None
    if imgui.is_item_active() or imgui.is_item_hovered():
        u = (imgui.get_io().mouse_pos.x - low.x - inset) / span
        seconds = begin + min(max(u, 0.0), 1.0) * length
        if imgui.is_item_active():
            linked_transport.seek(session, seconds)
            now = seconds
        else:
            frame = math.floor(seconds * session.frame_rate + 1e-6)
            near = events.near_timeline(
                session, ruler, imgui.get_io().mouse_pos.x, low.x + inset, span
            )
            words = [f"{event.name} of {event.clip} at {event.tau:.2f} s" for event in near[:6]]
            imgui.set_tooltip("\n".join([f"{seconds:.2f} s, frame {frame}", *words]))
    lines = imgui.get_window_draw_list()
    left, y = low.x + inset, low.y + tall / 2.0
    place = left + span * min(max((now - begin) / length, 0.0), 1.0)
    if transport.is_endless(session):
        _ticks(ruler, left, y, span)
    thick = 0.16 * em
    for x0, x1, color in (
        (left, left + span, theme.packed(theme.palette().rail)),
        (left, place, theme.packed(theme.palette().accent)),
    ):
        lines.add_rect_filled(
            imgui.ImVec2(x0, y - thick), imgui.ImVec2(x1, y + thick), color, thick
        )
    for x in _key_places(session, begin, length, span):
        lines.add_line(
            imgui.ImVec2(left + x, y + 0.34 * em),
            imgui.ImVec2(left + x, y + 0.56 * em),
            theme.packed(theme.palette().quiet, 0.7),
        )
    events.draw_on_timeline(session, ruler, left, y, span)
    lines.add_circle_filled(imgui.ImVec2(place, y), 0.42 * em, theme.packed(theme.palette().knob))
    lines.add_circle_filled(imgui.ImVec2(place, y), 0.24 * em, theme.packed(theme.palette().accent))


def _ticks(ruler: tuple[float, float], left: float, y: float, span: float) -> None:
    """Draw whole seconds below a ruler that moves on with the time."""
    em, (begin, end) = widgets.em(), ruler
    lines, color = imgui.get_window_draw_list(), theme.packed(theme.palette().quiet)
    size = _TICK_SIZE * imgui.get_font_size()
    for second in range(math.ceil(begin), math.floor(end) + 1):
        x = left + (second - begin) / max(end - begin, 1e-9) * span
        words = f"{second}"
        half = imgui.calc_text_size(words).x * _TICK_SIZE / 2.0
        lines.add_line((x, y + 0.2 * em), (x, y + 0.3 * em), color)
        lines.add_text(imgui.get_font(), size, (x - half, y + 0.2 * em), color, words)


def _key_places(session: Session, begin: float, length: float, span: float) -> list[float]:
    """Return the positions of keys on the timeline, points; none if they are too dense."""
    character = transport.playable_character(session)
    if character is None:
        return []
    times = character.mixer.marked_times
    if times.size > span / _LEAST_GAP:
        return []
    return [float(x) for x in (times - begin) / length * span if -0.5 <= x <= span + 0.5]


def _buttons_width(_session: Session) -> float:
    return 5.6 * _BUTTON * widgets.em() + 4.0 * _BUTTON_GAP


def _buttons(session: Session, _width: float) -> None:
    wide = _BUTTON * widgets.em()
    running = transport.is_running(session)
    widgets.icon_button(session, icons.FIRST, "first frame", wide)
    imgui.same_line(0.0, _BUTTON_GAP)
    widgets.icon_button(session, icons.PREVIOUS, "previous frame", wide)
    imgui.same_line(0.0, _BUTTON_GAP)
    play = icons.PAUSE if running else icons.PLAY
    widgets.icon_button(session, play, "play", 1.6 * wide, accent=True)
    imgui.same_line(0.0, _BUTTON_GAP)
    widgets.icon_button(session, icons.NEXT, "next frame", wide)
    imgui.same_line(0.0, _BUTTON_GAP)
    widgets.icon_button(session, icons.LAST, "last frame", wide)


def _frame_text(session: Session) -> str:
    if transport.playable_character(session) is None:
        return "No animation"
    last = transport.frames(session)[1]
    return f"Frame {transport.frame(session)}" + ("" if last is None else f" / {last}")


def _frame_width(session: Session) -> float:
    """Return the width of the frame number, as wide with any digits."""
    text = "".join("0" if letter.isdigit() else letter for letter in _frame_text(session))
    return imgui.calc_text_size(text).x + 2.0 * imgui.get_style().frame_padding.x


def _frame_number(session: Session, _width: float) -> None:
    """Draw the frame number; a click opens "Go to frame"."""
    if transport.playable_character(session) is None:
        widgets.quiet(_frame_text(session))
        return
    with widgets.colored((imgui.Col_.button, (0.0, 0.0, 0.0, 0.0))):
        if imgui.button(f"{_frame_text(session)}###frame"):
            action("go to frame").run(session)
    widgets.mark(session, "go to frame")
    widgets.hint(widgets.named(action("go to frame")))


def _trim_width(_session: Session) -> float:
    inner = imgui.get_style().item_inner_spacing.x
    return imgui.get_frame_height() + inner + imgui.calc_text_size("Trim").x


def _trim(session: Session, _width: float) -> None:
    character = session.character
    changed, trim = imgui.checkbox("Trim", character is not None and character.trim)
    widgets.mark(session, "trim")
    widgets.hint("Play from the first key to the last one instead of from 0")
    if changed:
        playing.set_trim(session, trim=trim)


def _normal_speed(session: Session, width: float) -> None:
    widgets.icon_button(session, icons.UNDO, "speed 1", width)


def _loop(session: Session, width: float) -> None:
    now = transport.loop_name(session)
    imgui.set_next_item_width(width)
    opened = imgui.begin_combo("##loop", f"{_LOOP_ICONS.get(now, icons.LOOP)}  {now}")
    widgets.mark(session, "loop")
    widgets.hint(f"Loop mode ({action('loop').keys[0]})")
    if not opened:
        return
    for name, mode, passes in transport.LOOPS:
        if imgui.selectable(f"{_LOOP_ICONS[name]}  {name}", name == now)[0]:
            transport.set_loop(session, mode, passes)
        widgets.mark(session, f"loop {name}")
    if transport.can_be_continuous(session):
        name = transport.CONTINUOUS
        if imgui.selectable(f"{icons.CONTINUOUS}  {name}", name == now)[0]:
            transport.set_continuous(session)
        widgets.mark(session, f"loop {name}")
    imgui.end_combo()


def _speed(session: Session, width: float) -> None:
    imgui.set_next_item_width(width)
    rate = transport.speed(session)
    words = ("Speed", f"{rate:.2f}")
    changed, rate = widgets.slider(session, "speed", words, rate, (SLOWEST, FASTEST))
    widgets.hint("Speed: negative plays backwards. [ slower, ] faster; Ctrl+click to type")
    if changed:
        linked_transport.set_speed(session, round(rate, 2))


def _ems(count: float) -> Callable[[Session], float]:
    """Return a function of a width in font heights."""
    return lambda _session: count * widgets.em()


_Sized = tuple[Callable[[Session], float], Callable[[Session, float], None]]
_LEFT: tuple[_Sized, ...] = ((_buttons_width, _buttons), (_frame_width, _frame_number))
_RIGHT: tuple[_Sized, ...] = (
    (_ems(8.2), _loop),
    (_trim_width, _trim),
    (_ems(9.0), _speed),
    (_ems(2.2), _normal_speed),
)
