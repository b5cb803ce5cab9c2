"""The panel "Space": the clips of a blend space on a pad, and the point dragged among them."""

from dataclasses import replace

import numpy as np
from imgui_bundle import imgui

from ..animation.types import F64
from ..blending import strafe
from ..blending.blend_space import BlendSpace1D, BlendSpace2D, BlendSpaceCorners
from ..motion import edit, layer_content
from ..motion.cross_references import differences
from ..motion.document import MotionDoc, Parameter, Space, SpaceClip, StrafeSpace
from ..session.session import Session
from . import blend_space_pad, icons, parameters, source_picker, theme, widgets
from .shown_clip import shown_clip

MARGIN = 0.12  # of the extent: margin around the outermost clips
_DIAL = {
    "forward": 0.0,
    "left": 90.0,
    "right": -90.0,
    "back": 180.0,
    "left_back": 135.0,
    "right_back": -135.0,
}


def draw(session: Session) -> None:
    """Draw the selected blend space of the document."""
    document, mixer = session.editor.document, session.interface.mixer_panels
    names = list(document.spaces)
    if mixer.space not in names:
        mixer.space = names[0] if names else ""
    if len(names) > 1:
        mixer.space = widgets.choice(session, "space", {name: name for name in names}, mixer.space)
    elif names:
        imgui.text(widgets.shortened(names[0], imgui.get_content_region_avail().x))
    space = document.spaces.get(mixer.space)
    if isinstance(space, StrafeSpace):
        _strafe(session, mixer.space, space)
    elif space is not None:
        _line_or_plane(session, mixer.space, space)
    else:
        widgets.note(
            "A blend space arranges clips on a line or a plane and blends the clips "
            "nearest to a point. Drag the point to change the blend."
        )
    _create(session)


def _line_or_plane(session: Session, name: str, space: Space) -> None:
    """Draw a line or plane, the sliders of its parameters, and its clips."""
    document, mixer = session.editor.document, session.interface.mixer_panels
    now = tuple(_value(session, axis, present=False) for axis in (space.x, space.y))
    there = tuple(_value(session, axis, present=True) for axis in (space.x, space.y))
    weights = _weights(document, space, there)
    names = [space_clip.clip for space_clip in space.clips]
    if space.kind == "line":
        places = [(space_clip.clip, space_clip.at[0]) for space_clip in space.clips]
        ends = _extent(document, space, 0)
        asked, frame = blend_space_pad.line(session, places, weights, ends, now[0])
        goal: tuple[float, ...] | None = None if asked is None else (asked,)
        spots = [(place, 0.0) for _, place in places]
    else:
        spots = [(space_clip.at[0], space_clip.at[1]) for space_clip in space.clips]
        across, up = (_extent(document, space, axis) for axis in (0, 1))
        goal, frame = blend_space_pad.plane(
            session,
            list(zip(names, spots, strict=True)),
            weights,
            _cells(space),
            ((across[0], up[0]), (across[1], up[1])),
            (now[0], now[1]),
        )
    if imgui.is_item_activated():
        mixer.point = blend_space_pad.nearest(spots, frame) if mixer.arrange else -1
    if goal is not None:
        if mixer.arrange:
            _move_clip(session, name, space, goal)
        else:
            for axis, value in zip((space.x, space.y), goal, strict=False):
                _set(session, name, axis, value)
    mixer.arrange = widgets.checkbox(
        session, "arrange", "Move the clips", mixer.arrange, "Drag the clips instead of the point"
    )
    _axes(session, name, space)
    _clips(session, name, space, weights)


def _move_clip(session: Session, name: str, space: Space, goal: tuple[float, ...]) -> None:
    point = session.interface.mixer_panels.point
    if not 0 <= point < len(space.clips):
        return
    at = tuple(round(number, 2) for number in goal)
    others = [other.at for k, other in enumerate(space.clips) if k != point]
    if at in others:  # two clips at one position are an error: skipped during a drag
        return
    moved = edit.with_space_point(session.editor.document, name, point, at)
    clip = space.clips[point].clip
    session.editor.edit(moved, f"Position of {clip} in {name}", f"place {name} {point}")


def _value(session: Session, axis: str | float, *, present: bool) -> float:
    """Return a parameter's target value, or its current value while it is damped."""
    if not isinstance(axis, str):
        return float(axis)
    value = session.editor.current_value(axis) if present else None
    if value is None:
        value = session.editor.value(axis)
    return value if isinstance(value, float | int) else 0.0


def _set(session: Session, name: str, axis: str | float, value: float) -> None:
    parameter = _parameter(session.editor.document, axis)
    if isinstance(axis, str) and parameter is not None:
        session.editor.drag(axis, parameters.clamped(parameter, value), f"Point of {name}")


def _parameter(document: MotionDoc, axis: str | float) -> Parameter | None:
    return document.parameters.get(axis) if isinstance(axis, str) else None


def _weights(document: MotionDoc, space: Space, there: tuple[float, ...]) -> F64:
    """Return the clips' weights [n]; zeros if the positions are invalid."""
    at = np.array([clip.at for clip in space.clips], np.float64)
    try:
        if space.kind == "line":
            ring = isinstance(space.x, str) and document.parameters[space.x].angle
            return BlendSpace1D(at[:, 0], ring).weights(there[0])
        plane = BlendSpaceCorners(at) if space.kind == "corners" else BlendSpace2D(at)
        return plane.weights(there[0], there[1])
    except (ValueError, KeyError, IndexError):
        return np.zeros(len(space.clips))


def _cells(space: Space) -> list[list[int]]:
    """Return the corners of each cell of a plane, in order around the cell."""
    at = np.array([clip.at for clip in space.clips], np.float64)
    try:
        return [[int(k) for k in cell] for cell in BlendSpace2D(at).cells]
    except ValueError:
        return []


def _extent(document: MotionDoc, space: Space, axis: int) -> tuple[float, float]:
    """Return the visible range of an axis: the clips, and the parameter's own range."""
    numbers = [clip.at[axis] for clip in space.clips if axis < len(clip.at)] or [0.0]
    low, high = min(numbers), max(numbers)
    room = MARGIN * (high - low) or 1.0
    low, high = low - room, high + room
    parameter = _parameter(document, (space.x, space.y)[axis])
    if parameter is not None and parameter.range is not None:
        return min(low + room, parameter.range[0]), max(high - room, parameter.range[1])
    return low, high


def _axes(session: Session, name: str, space: Space) -> None:
    """Draw the sliders of the space's parameters."""
    document = session.editor.document
    for axis in (space.x,) if space.kind == "line" else (space.x, space.y):
        if not _slider(session, axis):
            widgets.quiet(f"Constant {axis}")
    words = "All clips share one phase, so that the feet touch the ground together"
    sync = widgets.checkbox(session, "sync", "Sync", space.sync, words)
    if sync != space.sync:
        changed_space = edit.with_entry(document, "spaces", name, replace(space, sync=sync))
        session.editor.edit(changed_space, f"Sync of {name}")


def _slider(session: Session, axis: str | float) -> bool:
    """Draw the slider of an axis that is a parameter; return whether it is one."""
    parameter = _parameter(session.editor.document, axis)
    if not isinstance(axis, str) or parameter is None:
        return False
    parameters.draw_one(session, axis, parameter)
    return True


def _clips(session: Session, name: str, space: Space, weights: F64) -> None:
    """Draw the list of clips with their weights, and a list to add a clip."""
    em, palette = widgets.em(), theme.palette()
    document = session.editor.document
    places = ["at " + ", ".join(f"{number:.2f}" for number in clip.at) for clip in space.clips]
    widest = max((imgui.calc_text_size(place).x for place in places), default=0.0) + 0.8 * em
    for index, (space_clip, weight) in enumerate(zip(space.clips, weights.tolist(), strict=True)):
        low = imgui.get_cursor_screen_pos()
        room = imgui.get_content_region_avail().x - theme.metrics().icon - 0.5 * em
        tall = imgui.get_frame_height()
        lines = imgui.get_window_draw_list()
        high, color = (low.x + room * weight, low.y + tall), theme.packed(palette.accent, 0.35)
        lines.add_rect_filled(low, high, color, 4.0)
        right, y = low.x + room - 0.4 * em, low.y + imgui.get_style().frame_padding.y
        ink = palette.text if weight > 0.0 else palette.quiet
        widgets.text_before(right, y, places[index], ink)
        wide = widest + widgets.text_before(right - widest, y, f"{weight:.2f}", ink)
        imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + 0.4 * em)
        widgets.label(widgets.shortened(space_clip.clip, room - wide - 0.8 * em))
        widgets.hint(space_clip.clip)
        imgui.same_line(imgui.get_cursor_pos_x() + room + 0.4 * em)
        label = f"remove {space_clip.clip} {index}"
        if widgets.toggle(session, label, icons.REMOVE, False, "Remove the clip"):
            less = edit.without_space_clip(document, name, index)
            session.editor.edit(less, f"Remove {space_clip.clip} from {name}")
    added_only = bool(differences(document, name))
    group, title = ("Additives", "an additive") if added_only else ("Clips", "a clip")
    chosen = source_picker.choose(
        session, "space clip", f"{icons.ADD}  Add {title}…", only=(group,)
    )
    if isinstance(chosen, str):
        added = SpaceClip(chosen, _free_place(session, space))
        session.editor.edit(edit.with_space_clip(document, name, added), f"Add {chosen} to {name}")


def _free_place(session: Session, space: Space) -> tuple[float, ...]:
    """Return the position of the point; if a clip is there, a position beside all clips."""
    count = 1 if space.kind == "line" else 2
    at = tuple(
        round(_value(session, axis, present=False), 2) for axis in (space.x, space.y)[:count]
    )
    near = [np.abs(np.subtract(clip.at, at)).max() < 1e-3 for clip in space.clips]
    if not any(near):
        return at
    return (max(clip.at[0] for clip in space.clips) + 1.0, *at[1:])


def _strafe(session: Session, name: str, space: StrafeSpace) -> None:
    """Draw the dial of a strafe space and its clips."""
    now = _value(session, space.x, present=False)
    roles = [role for role in _DIAL if role in space.clips]
    weights = _strafe_weights(roles, _value(session, space.x, present=True))
    clips = [(space.clips[role], _DIAL[role]) for role in roles]
    asked = blend_space_pad.dial(session, clips, weights, now)
    if asked is not None:
        _set(session, name, space.x, round(asked, 1))
    _slider(session, space.x)
    for role, weight in zip(roles, weights.tolist(), strict=True):
        clip = space.clips[role]
        widgets.quiet(role.replace("_", " "))
        imgui.same_line(7.0 * widgets.em())
        imgui.text(f"{weight:.2f}  {clip}")


def _strafe_weights(roles: list[str], degrees: float) -> F64:
    """Return the weights of the clips on either side of a direction, forwards or backwards."""
    theta = np.radians(degrees)
    weights = strafe.weights(theta, strafe.half(theta, back=False, hysteresis=0.0))
    return weights[[strafe.ROLES.index(role) for role in roles]]


def _create(session: Session) -> None:
    """Draw lists that create a space of the playing clip and another one, on a line or plane."""
    model, character = session.model, session.character
    if model is None or character is None or len(model.clips) < 2:
        return
    widgets.heading("New")
    playing, document = shown_clip(session), session.editor.document
    first = model.clips[max(character.clip, 0)].name if playing is None else playing.name
    layer = edit.find_layer(document, session.interface.mixer_panels.layer)
    group, added = "Clips", ""
    if layer is not None and isinstance(layer.play, str) and layer.play in document.additives:
        group, added, first = "Additives", layer.name, layer.play
    for kind, words in (("line", "Line"), ("points", "Plane")):
        title = f"{icons.ADD}  {words}: {first} and…"
        chosen = source_picker.choose(session, f"new {kind}", title, only=(group,))
        if isinstance(chosen, str) and chosen != first:
            make_space(session, first, chosen, plane=kind == "points", layer=added)


def make_space(session: Session, first: str, second: str, *, plane: bool, layer: str = "") -> None:
    """Create a space of two clips with new parameters, played by the base layer.

    A space of two additives is played by their `layer`.
    """
    document = session.editor.document
    taken = [*document.parameters, *document.spaces, *document.additives, *document.aims]
    taken += [clip.name for clip in session.model.clips] if session.model is not None else []
    name = edit.free_name("plane" if plane else "line", taken)
    axes = [edit.free_name(axis, document.parameters) for axis in ("blend", "lift")[: 1 + plane]]
    for axis in axes:
        document = edit.with_entry(
            document, "parameters", axis, Parameter(0.0, (0.0, 1.0), damp=0.2)
        )
    ends: tuple[tuple[float, ...], ...] = ((0.0, 0.0), (1.0, 0.0)) if plane else ((0.0,), (1.0,))
    clips = tuple(SpaceClip(clip, at) for clip, at in zip((first, second), ends, strict=True))
    space = Space("points" if plane else "line", clips, axes[0], axes[-1] if plane else 0.0)
    document = edit.with_entry(document, "spaces", name, space)
    if layer:
        document = edit.with_play(document, layer, name)
    else:
        document = layer_content.with_base(document, name)
    if session.editor.edit(document, f"Create {name}"):
        session.interface.mixer_panels.space = name
