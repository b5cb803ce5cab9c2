"""What is at a point of the view, and clicks that select it."""

import math
from collections.abc import Collection

import numpy as np

from ..scene.drawn_joints import only_skeleton
from ..scene.joint_picking import joints_at
from ..scene.selected import MeshPart, Selected, primitive_of, vertex_positions
from ..scene.versions import PicturePart
from .opened_character import OpenedCharacter
from .selection import Clicks, Picked, Point
from .session import Session

SAME_PLACE = 4.0  # points between clicks that go through what lies behind each other


def click(session: Session, place: Point, size: Point) -> None:
    """Select what is at a point of a view; after a click there, the next one behind it.

    A click on nothing selects nothing.
    """
    selections = session.selections
    clicks, now = selections.clicks, selections.current
    seen = clicks.found if math.dist(clicks.place, place) <= SAME_PLACE else []
    if not seen or now is None or seen[-1] != (now.character, now.chosen):
        seen = []
    found = at(session, place, size, seen) or (at(session, place, size) if seen else None)
    if found is None:
        selections.clicks = Clicks()
        selections.clear()
        return
    again = found in seen
    selections.clicks = Clicks(
        clicks.place if seen else place, [found] if again else [*seen, found]
    )
    selections.select(*found)


def at(session: Session, place: Point, size: Point, seen: Collection[Picked] = ()) -> Picked | None:
    """Return what is at a point of a view of a size, None if nothing is.

    Joints while the skeleton is drawn; else the vertex next to the point while weights or the
    wireframe are shown; else the part of a mesh. What was `seen` is looked through. Of compared
    versions it is the one that is drawn there.
    """
    part = session.scene.part_at(place[0] / size[0])
    place = place[0] - round(part.shift * size[0]), place[1]
    part = PicturePart((*part.ghosts, *part.instances))
    shown = _shown(session, part)
    joints = _joints(session, shown, place, size)
    if joints:
        return next((found for found in joints if found not in seen), joints[0])
    if session.selections.pick_surface is None:
        return None
    pixels = max(round(size[0]), 1), max(round(size[1]), 1)
    omitted = [
        MeshPart(shown.index(character), chosen.member, chosen.joint, chosen.primitive)
        for character, chosen in seen
        if character in shown
    ]
    pixel = int(place[0]), int(place[1])
    hit = session.selections.pick_surface(session.scene, pixels, pixel, omitted, part)
    if hit is None or hit.part.instance >= len(shown):
        return None
    character, found = shown[hit.part.instance], hit.part
    chosen = Selected(found.node, found.primitive, member=found.member)
    scene = session.scene
    if (scene.look.overlays.wireframe or scene.weights_joint >= 0) and scene.crowd is None:
        chosen = _vertex(session, character, chosen, hit.triangle, place, size)
    return character, chosen


def joint_at(session: Session, place: Point, size: Point) -> Picked | None:
    """Return the drawn joint at a point of a view of a size, None if there is none."""
    part = session.scene.part_at(place[0] / size[0])
    place = place[0] - round(part.shift * size[0]), place[1]
    return next(iter(_joints(session, _shown(session, part), place, size)), None)


def _joints(
    session: Session, characters: list[OpenedCharacter], place: Point, size: Point
) -> list[Picked]:
    """Return the drawn joints at a point, nearest first; a crowd has none."""
    if session.scene.crowd is not None:
        return []
    every = session.scene.look.overlays.skeleton
    shown = [each for each in characters if every or only_skeleton(each.model)]
    camera = session.scene.camera.used
    style = session.scene.look.overlays.bones
    hits = joints_at([each.character for each in shown], camera, size, place, style=style)
    return [(shown[hit.character], Selected(hit.joint)) for hit in hits]


def _shown(session: Session, part: PicturePart) -> list[OpenedCharacter]:
    """Return the characters of a part of the picture, in its order; the active one of a crowd."""
    if session.scene.crowd is not None:
        return [] if session.active is None else [session.active]
    return [each for each in part.instances if isinstance(each, OpenedCharacter)]


def _vertex(
    session: Session,
    character: OpenedCharacter,
    part: Selected,
    triangle: int,
    place: Point,
    size: Point,
) -> Selected:
    """Return the corner of a triangle, line or point that is nearest to a point of the view."""
    found = primitive_of(character.model, part)
    if found is None:
        return part
    corners = {"triangles": 3, "lines": 2, "points": 1}[found.topology]
    rows = np.arange(triangle * corners, (triangle + 1) * corners)
    if found.indices is not None:
        rows = found.indices[rows].astype(np.intp)
    points = vertex_positions(character.character, part, rows)
    seen = session.scene.camera.used.project(points, size[0] / size[1])[:, :2] * size
    away = np.hypot(*(np.nan_to_num(seen, nan=math.inf) - place).T)
    return part._replace(vertex=int(rows[away.argmin()]))
