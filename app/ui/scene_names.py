"""Names over the scene: of joints, characters and compared versions, and of what is pointed at."""

from collections.abc import Iterator

import numpy as np
from imgui_bundle import imgui

from ..animation.types import F64, Bool
from ..images.label_layout import Box, Label, first_free, nearest_in_box
from ..memo import Memo
from ..model.lookup import joint_prefix
from ..model.model import Model
from ..scene.character import Character
from ..scene.named_joints import NamedJoint, face_boxes, named_joints
from ..scene.selected import name_of
from ..session import picking
from ..session.comparison import Comparison
from ..session.session import Session
from ..session.ui_state import Hovered
from . import theme, widgets
from .widgets import Point

MOST = 400  # names of joints drawn at once; more would be unreadable
SIZE = 0.875  # of the font's height: names of joints
GAP = 6.0  # smallest distance between two captions, points
NEAR = 2.5  # font heights: joints within it crowd each other's names
FULL, GONE = 3, 10  # nearer joints there: from which a name fades, and is invisible
FAINTEST = 0.2  # opacity: fainter names are left out
BESIDE_BRANCH = 0.35  # opacity of the other names while a branch is hovered
HOVERED = 1.5  # font heights from the pointer to the joint whose branch is hovered
PAD = 3.0  # of the background around the name of a joint, points
STALE = 1.0  # seconds after which the name of something that moves is out of date
ROW = 1.7  # font heights: of the name of a version
_OFFSET = 14.0, 18.0  # of a name from the pointer, points
_GHOST = (0.55, 0.66, 1.0, 1.0)  # as of ghosts in mesh.frag


def of_joints(session: Session) -> None:
    """Draw the names of visible joints: over no other name and no face, with lines if moved.

    They fade where nearer joints crowd them; those of the branch under the pointer are full.
    """
    if session.character is None or not session.scene.look.overlays.joint_names:
        return
    left, top, right, bottom = session.interface.viewport.box
    lines = imgui.get_background_draw_list()
    lines.push_clip_rect((left, top), (right, bottom))
    placed = _place(session)
    for _, (x, y), label, shown in placed:
        if label is not None and label.moved:
            end = nearest_in_box((x, y), label.box)
            color = theme.packed(theme.palette().text, 0.55 * shown)
            at = (x + left, y + top), (end[0] + left, end[1] + top)
            lines.add_line(*at, color, max(widgets.em() / 16.0, 1.0))
    chosen = _highlighted(session)
    for joint, _, label, shown in placed:
        if label is not None:
            painted = joint.joint == chosen and joint.character is session.character
            _write(session, joint.name, label, shown, painted=painted)
    lines.pop_clip_rect()


def _write(session: Session, name: str, label: Label, shown: float, *, painted: bool) -> None:
    """Write the name of a joint at its place in the view, with an opacity."""
    left, top, *_ = session.interface.viewport.box
    x0, y0, x1, y1 = label.box
    low, high = (round(x0 + left), round(y0 + top)), (round(x1 + left), round(y1 + top))
    widgets.mark_box(session, f"joint name {name}", low, high)
    _field(low, high, 0.62 * shown, 3.0)
    color = theme.packed(theme.palette().accent if painted else theme.palette().text, shown)
    lines, at = imgui.get_background_draw_list(), (low[0] + PAD, low[1] + 1.0)
    lines.add_text(imgui.get_font(), round(SIZE * widgets.em()), at, color, name)


def _field(low: Point, high: Point, opacity: float, rounding: float = 4.0) -> None:
    """Draw the dark field behind a name."""
    color = theme.packed(theme.palette().bar, opacity)
    imgui.get_background_draw_list().add_rect_filled(low, high, color, rounding)


def _highlighted(session: Session) -> int:
    """Return the joint of the active character whose name stands out, -1: none."""
    chosen = session.scene.selected
    if chosen is not None and chosen.primitive < 0:
        return chosen.joint
    return session.scene.weights_joint


def _place(session: Session) -> list[tuple[NamedJoint, Point, Label | None, float]]:
    """Return the joints between the panels, their places in the view, labels and opacities."""
    interface, em = session.interface, widgets.em()
    left, top, right, bottom = interface.viewport.box
    view = right - left, bottom - top
    ends = interface.viewport.covered
    joints, places = named_joints(session.scene, view)
    seen = (places[:, 0] > ends[0]) & (places[:, 0] < view[0] - ends[1])
    near = seen.nonzero()[0][:MOST]
    shown, full = _opacities(session, [joints[row] for row in near.tolist()], places[near])
    order = np.concatenate([np.flatnonzero(full), np.flatnonzero(~full & (shown >= FAINTEST))])
    rows, opacities = near[order].tolist(), shown[order].tolist()
    joints, points = [joints[row] for row in rows], [(x, y) for x, y in places[rows].tolist()]
    height = round(SIZE * em)
    sizes = [
        (round(imgui.calc_text_size(each.name).x * height / em) + 2 * PAD, height + PAD)
        for each in joints
    ]
    free = face_boxes(session.scene, view)
    free += [(0.0, 0.0, ends[0], view[1]), (view[0] - ends[1], 0.0, *view)]
    free += [
        (x - left, y - top, end - left, below - top)
        for x, y, end, below in (*interface.viewport.over, *interface.viewport.captions)
    ]
    keys = [(id(each.character), each.joint) for each in joints]
    labels = interface.viewport.labels.place(points, sizes, height, view, free, keys=keys)
    return list(zip(joints, points, labels, opacities, strict=True))


def _opacities(session: Session, joints: list[NamedJoint], places: F64) -> tuple[F64, Bool]:
    """Return the opacities [N] of names, nearest first, and which are of the hovered branch [N].

    Parameters
    ----------
    places
        [N, 2] of the joints in the view, points.
    """
    em, (left, top, *_) = widgets.em(), session.interface.viewport.box
    apart = np.linalg.norm(places[:, None] - places, axis=-1)
    crowd = np.tril(apart < NEAR * em, -1).sum(axis=1)
    shown: F64 = np.clip((GONE - crowd) / (GONE - FULL), 0.0, 1.0)
    full = np.zeros(len(joints), bool)
    io = imgui.get_io()
    away = np.linalg.norm(places - (io.mouse_pos.x - left, io.mouse_pos.y - top), axis=-1)
    if not io.want_capture_mouse and len(away) and away.min() < HOVERED * em:
        pointed = joints[int(away.argmin())]
        branch = _branch(pointed.character.model, pointed.joint)
        full = _of(pointed.character, joints) & branch[[each.joint for each in joints]]
        shown = np.where(full, 1.0, BESIDE_BRANCH * shown)
    chosen = _highlighted(session)
    if chosen >= 0 and session.character is not None:
        is_chosen = np.array([each.joint == chosen for each in joints], bool)
        shown[_of(session.character, joints) & is_chosen] = 1.0
    return shown, full


def _of(character: Character, joints: list[NamedJoint]) -> Bool:
    """Return which joints [N] are of a character."""
    return np.array([each.character is character for each in joints], bool)


@Memo
def _branch(model: Model, joint: int) -> Bool:
    """Return which joints [J] are a joint, above or below it."""
    marked = np.arange(model.skeleton.count) == joint
    return model.skeleton.below(marked) | model.skeleton.above(marked)


def at_pointer(session: Session) -> None:
    """Draw the name of the joint, part or vertex under the pointer beside it.

    There is none while a panel uses the mouse or a button is down.
    """
    io, viewport = imgui.get_io(), session.interface.viewport
    place = io.mouse_pos.x, io.mouse_pos.y
    left, top, right, bottom = viewport.box
    inside = left <= place[0] < right and top <= place[1] < bottom
    if io.want_capture_mouse or imgui.is_any_mouse_down() or not inside:
        viewport.hovered = Hovered()
        return
    if place != viewport.hovered.place:
        size = max(right - left, 1.0), max(bottom - top, 1.0)
        found = picking.at(session, (place[0] - left, place[1] - top), size)
        name = ""
        if found is not None:
            model = found[0].model
            name = name_of(model, found[1]).removeprefix(joint_prefix(model))
        viewport.hovered = Hovered(place, session.tau, name)
    hovered = viewport.hovered
    if not hovered.name or (session.moving and session.tau > hovered.since + STALE):
        return
    em, taken = widgets.em(), imgui.calc_text_size(hovered.name)
    x = min(place[0] + _OFFSET[0], right - taken.x - 0.5 * em)
    y = min(place[1] + _OFFSET[1], bottom - taken.y - 0.5 * em)
    low = x - 0.4 * em, y - 0.2 * em
    _field(low, (x + taken.x + 0.4 * em, y + taken.y + 0.2 * em), 0.85)
    ink = theme.packed(theme.palette().text)
    imgui.get_background_draw_list().add_text((x, y), ink, hovered.name)


def of_characters(session: Session) -> None:
    """Draw the file name below each character; the active one's has a border."""
    session.interface.viewport.captions = ()
    open_characters = [character for character in session.open_characters if not character.hidden]
    compared = session.comparison.mode is not None  # they are at the same place
    if len(session.open_characters) < 2 or session.interface.hidden or compared:
        return
    left, top, right, bottom = session.interface.viewport.box
    size = np.array([right - left, bottom - top])
    camera, floor = session.scene.camera.used, session.scene.bounds.floor
    feet = np.array(
        [each.edge_on_floor(floor, camera.direction()) for each in open_characters]
    ).reshape(-1, 3)
    with np.errstate(invalid="ignore"):
        seen = session.scene.camera.used.project(feet, float(size[0] / max(size[1], 1.0)))
    order = sorted(
        range(len(open_characters)), key=lambda k: open_characters[k] is not session.active
    )
    lines, em = imgui.get_background_draw_list(), widgets.em()
    covered = session.interface.viewport.covered
    first, last = left + covered[0] + em, right - covered[1] - em  # the free part of the view
    taken: list[Box] = []
    lines.push_clip_rect((left, top), (right, bottom))
    for k in order:
        if not np.isfinite(seen[k]).all() or abs(seen[k, 0] - 0.5) > 0.5 or seen[k, 1] < 0.0:
            continue
        text = widgets.shortened(open_characters[k].name, 12.0 * em)
        x, y = (seen[k, :2] * size + (left, top)).tolist()
        wide = imgui.calc_text_size(text).x
        begin = max(min(x - wide / 2.0, last - wide), first)
        below = _lines_below(begin, min(y + 0.4 * em, bottom - 1.6 * em), wide, bottom)
        spot = first_free(below, taken, GAP)
        if spot is None:
            continue
        taken.append(spot)
        number = session.open_characters.index(open_characters[k]) + 1
        widgets.mark_box(session, f"caption {number}", spot[:2], spot[2:])
        low, high = (spot[0] - 5, spot[1] - 2), (spot[2] + 5, spot[3] + 3)
        _field(low, high, 0.62, 3.0)
        active = open_characters[k] is session.active
        if active:
            lines.add_rect(low, high, theme.packed(theme.palette().accent), 3.0, 1.5)
        ink = theme.packed(theme.palette().text if active else theme.palette().quiet)
        lines.add_text(spot[:2], ink, text)
    session.interface.viewport.captions = tuple(taken)
    lines.pop_clip_rect()


def _lines_below(x: float, y: float, wide: float, bottom: float) -> Iterator[Box]:
    """Yield the boxes of a caption at a point and in the lines below it."""
    em = widgets.em()
    while y <= bottom - 1.5 * em:
        yield round(x), round(y), round(x + wide), round(y + em)
        y += 1.6 * em


def of_versions(session: Session) -> None:
    """Draw the names of both versions, each at the top of the part of the view that shows it."""
    comparison = session.comparison
    pair, versions = comparison.pair, comparison.versions
    if pair is None or versions is None or session.interface.hidden:
        return
    viewport = session.interface.viewport
    left, _, right, _ = viewport.box
    width, em = right - left, widgets.em()
    old, new = (_name_of_version(comparison, k) for k in range(2))
    begin, end = (left + edge * width for edge in versions.free)
    y = viewport.top + 0.8 * em
    end = min((end, *(box[0] for box in viewport.over if box[3] > y)))  # beside the cube
    if versions.mode == "side-by-side":
        middle = left + versions.middle * width
        _version(session, old, (begin, middle), y, 0.5)
        _version(session, new, (middle, end), y, 0.5)
    elif versions.mode == "wipe":
        edge = left + versions.edge * width
        _version(session, old, (begin, edge - 0.6 * em), y, 1.0)
        _version(session, new, (edge + 0.6 * em, end), y, 0.0)
    elif versions.mode == "overlaid":
        _version(session, new, (begin, end), y, 0.5)
        _version(session, f"{old} (translucent)", (begin, end), y + ROW * em, 0.5, _GHOST)


def _name_of_version(comparison: Comparison, version: int) -> str:
    """Return the name of a version, with a note if it lacks the playing clip."""
    pair, missing = comparison.pair, comparison.missing
    if pair is None:
        return ""
    own, other = pair[version], pair[1 - version]
    name = own.name if own.name != other.name else f"{own.name} ({('old', 'new')[version]})"
    if missing is not None and missing[0] is own:
        return f"{name}: no clip {missing[1]}"
    return name


def _version(
    session: Session,
    text: str,
    room: Point,
    y: float,
    align: float,
    color: theme.Color | None = None,
) -> None:
    """Draw the name of a version between two places: at the left end (0), middle or right (1)."""
    em = widgets.em()
    wide = room[1] - room[0] - 0.8 * em
    if wide < 2.0 * em:
        return
    text = widgets.shortened(text, wide)
    size = imgui.calc_text_size(text).x
    x = round(room[0] + 0.4 * em + align * (wide - size))
    low, high = (x - 0.4 * em, y - 0.2 * em), (x + size + 0.4 * em, y + 1.25 * em)
    _field(low, high, 0.8)
    lines = imgui.get_background_draw_list()
    if color is not None:
        lines.add_rect_filled(low, (low[0] + 4.0, high[1]), theme.packed(color), 2.0)
    lines.add_text((x, y), theme.packed(theme.palette().text), text)
    widgets.mark_box(session, f"version {text}", low, high)
