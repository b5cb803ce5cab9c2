"""Parameters: a slider or point for each."""

from imgui_bundle import imgui

from ..model.facing import axis_name
from ..motion import edit
from ..motion.document import At, Parameter, Set, Value
from ..session.session import Session
from . import icons, theme, widgets

FREE = (-1.0, 1.0)  # slider range of a parameter without a range; extended to its value
HALF_TURN = (-180.0, 180.0)


def draw(session: Session) -> None:
    """Draw all parameters."""
    parameters = session.editor.document.parameters
    if not parameters:
        return
    if widgets.section(session, f"Parameters  {len(parameters)}###parameters", "parameters"):
        for name, parameter in parameters.items():
            draw_one(session, name, parameter)


def draw_one(session: Session, name: str, parameter: Parameter, where: str = "") -> None:
    """Draw a parameter: a slider or a point, and a button that schedules its value.

    Parameters
    ----------
    where
        Distinguishes two widgets of the same parameter in a panel.
    """
    imgui.push_id(where)
    _draw_row(session, name, parameter)
    imgui.pop_id()


def _draw_row(session: Session, name: str, parameter: Parameter) -> None:
    value, current = session.editor.value_and_current(name)
    wide = theme.metrics().icon
    room = imgui.get_content_region_avail().x - wide - theme.metrics().gap
    if isinstance(value, tuple):
        _point(session, name, value, room)
    else:
        _number(session, name, parameter, 0.0 if value is None else value, current, room)
    widgets.beside()
    now = session.transport.time
    words = f"Set to this value from {now:.2f} s on; it is listed under Schedule"
    if widgets.toggle(session, f"set {name}", icons.STOPWATCH, False, words, wide):
        target = session.editor.value(name)
        if target is not None:
            scheduled = edit.with_at(session.editor.document, At(round(now, 3), Set(name, target)))
            session.editor.edit(scheduled, f"Set {name} at {now:.2f} s")


def slider_range(parameter: Parameter, value: float) -> tuple[float, float]:
    """Return the range of a slider."""
    if parameter.range is not None and parameter.range[1] > parameter.range[0]:
        return parameter.range
    if parameter.angle:
        return HALF_TURN
    return min(FREE[0], value), max(FREE[1], value)


def clamped(parameter: Parameter, value: float) -> float:
    """Return a value clamped to the parameter's range and rounded."""
    if parameter.range is not None:
        value = min(max(value, parameter.range[0]), parameter.range[1])
    return round(value, 3)


def _number(
    session: Session,
    name: str,
    parameter: Parameter,
    value: float,
    current: Value | None,
    width: float,
) -> None:
    """Draw a slider of a value, with a mark at the current one while it is damped."""
    ends = slider_range(parameter, value)
    unit = "°" if parameter.angle else ""
    words = (name, f"{value:.2f}{unit}")
    new = widgets.slider(session, f"parameter {name}", words, value, ends, width)
    current_value_marker(current, value, ends)
    if new != value:
        session.editor.drag(name, clamped(parameter, new), f"Value of {name}")
    if widgets.hinted():
        damp = f"; damped over {parameter.damp:g} s" if parameter.damp else ""
        widgets.tooltip(f"{name}: {ends[0]:g} to {ends[1]:g}{unit}{damp}")


def current_value_marker(value: object, goal: float, limits: tuple[float, float]) -> None:
    """Mark the current value on the last slider if it has not reached its goal yet."""
    if not isinstance(value, float) or abs(value - goal) < 2e-3 * (limits[1] - limits[0]):
        return
    low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
    share = min(max((value - limits[0]) / (limits[1] - limits[0]), 0.0), 1.0)
    x = low.x + (high.x - low.x) * share
    corners = (x - 4.0, high.y), (x + 4.0, high.y), (x, high.y - 5.0)
    color = theme.packed(theme.palette().knob)
    imgui.get_window_draw_list().add_triangle_filled(*corners, color)


def _point(session: Session, name: str, value: Value, width: float) -> None:
    """Draw a point's coordinates, and a button for its handle in the scene."""
    mixer = session.interface.mixer_panels
    widgets.quiet(widgets.shortened(name, width))
    words = f"{name}: metres along {_axes(session)}"
    widgets.hint(words)
    wide = theme.metrics().icon
    shown = mixer.handle == name
    handle = "Hide the handle in the scene" if shown else "Show a handle in the scene"
    if widgets.toggle(session, f"handle {name}", icons.TARGET, shown, handle, wide):
        mixer.handle = "" if shown else name
    widgets.beside()
    imgui.set_next_item_width(width - wide - theme.metrics().gap)
    assert isinstance(value, tuple)
    changed, numbers = imgui.drag_float3(f"##point {name}", list(value), 0.01, 0.0, 0.0, "%.2f")
    widgets.mark(session, f"parameter {name}", words)
    if changed and widgets.is_finite(*numbers):
        x, y, z = (round(number, 3) for number in numbers)
        session.editor.drag(name, (x, y, z), f"Value of {name}")


def _axes(session: Session) -> str:
    """Return what the axes of model space are to the active character."""
    sides = {"+Z": "left, up, forward", "-Z": "right, up, back", "+X": "forward, up, right"}
    sides["-X"] = "back, up, left"
    facing = None if session.active is None else axis_name(session.active.facing)
    return f"X, Y, Z ({sides[facing]})" if facing in sides else "X, Y, Z"
