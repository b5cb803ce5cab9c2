"""Generate the bundled character: mannequin.glb, or the given file.

`python assets/make_mannequin.py [FILE]` writes the same bytes every time.
"""

import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pygltflib as gltf

from mannequin import gaits, gestures, moves
from mannequin.body import PARTS, Body, build, prop
from mannequin.bones import F64, INDEX, NAMES, REST
from mannequin.paint import Canvas, textures
from mannequin.puppet import Motion
from mannequin.tracks import add_clip
from mannequin.unwrap import I64, Sheet, corner_normals, openness, tangents, unwrap
from mannequin.writer import (
    Surface,
    Writer,
    add_camera,
    add_material,
    add_mesh,
    add_node,
    add_skeleton,
)

HERE = Path(__file__).resolve().parent
FIRST = ("Idle", "Walk", "Run")
TRAVELLING = {"Walk": "WalkForward", "Run": "RunForward"}  # the same, over the ground
FACE_ROOM, EYE_ROOM = 1.7, 2.6  # how much finer the head and the eyes are painted


def clips() -> list[Motion]:
    """Return all clips; the first one is the default of viewers."""
    found = [*gaits.clips(), *moves.clips(), *gestures.clips()]
    found += [travelling(motion) for motion in found if motion.name in TRAVELLING]
    names = [motion.name for motion in found]
    if len(set(names)) < len(names):
        raise ValueError(f"two clips have one name: {names}")
    return sorted(found, key=lambda m: FIRST.index(m.name) if m.name in FIRST else len(FIRST))


def travelling(motion: Motion) -> Motion:
    """Return a copy of an in-place clip with root motion at its declared speed."""
    x, z = motion.speed
    way = np.outer(motion.times, (x, 0.0, z))
    return replace(
        motion, name=TRAVELLING[motion.name], hips=motion.hips + way, loop=False, speed=(0.0, 0.0)
    )


def room(body: Body) -> F64:
    """Return the relative texel density of each triangle [T]."""
    wanted = {"head": FACE_ROOM, "lid": FACE_ROOM, "frame": FACE_ROOM, "eye": EYE_ROOM}
    return np.array([wanted.get(name, 1.0) for name in PARTS])[body.part]


def morphed(body: Body, sheet: Sheet) -> dict[str, tuple[F64, F64]]:
    """Return displacements [V, 3] of points and normals for every morph target."""
    before = corner_normals(body.points, body.triangles)
    found = {}
    for name, points in body.morphs.items():
        moved = points - body.points
        turned = corner_normals(points, body.triangles) - before
        found[name] = moved[sheet.source], turned[sheet.source]
    return found


def laid(
    points: F64, normals: F64, sheet: Sheet, extra: Mapping[str, object] | None = None
) -> Surface:
    """Return a surface with the vertices of its UV sheet."""
    points, normals = points[sheet.source], normals[sheet.source]
    normals = normals / np.linalg.norm(normals, axis=1, keepdims=True)
    along = tangents(points, normals, sheet.texcoords, sheet.triangles)
    return Surface(points, normals, along, sheet.texcoords, sheet.triangles, **(extra or {}))  # type: ignore[arg-type]


def canvas(surface: Surface, sheet: Sheet, part: I64) -> Canvas:
    """Return the texture canvas of a sheet."""
    light = openness(surface.points, surface.normals, surface.triangles)
    return Canvas(sheet, surface.points, surface.normals, surface.tangents, part, light)


def make() -> bytes:
    """Return the character as the bytes of a .glb file."""
    out = Writer("make_mannequin")
    body, (points, normals, triangles, part) = build(), prop()
    sheet, other = unwrap(
        [
            (body.points, body.normals, body.triangles, room(body)),
            (points, normals, triangles, np.ones(len(triangles))),
        ]
    )
    weights = body.weights[sheet.source]
    figure = laid(
        body.points, body.normals, sheet, {"weights": weights, "morphs": morphed(body, sheet)}
    )
    held = laid(points, normals, other)
    add_material(
        out,
        "Wood",
        textures([canvas(figure, sheet, body.part), canvas(held, other, part)]),
    )
    skin = add_skeleton(out, "Mannequin")
    out.file.scenes.append(gltf.Scene(name="Mannequin", nodes=[0]))
    out.file.scene = 0
    mesh = add_mesh(out, "Body", figure)
    node = add_node(out, gltf.Node(name="Body", mesh=mesh, skin=skin))
    blade = add_mesh(out, "Sword", held, REST[INDEX["Prop"]])
    add_node(out, gltf.Node(name="Sword", mesh=blade), "Prop")
    add_camera(out, "HeadCamera view", "HeadCamera")
    for motion in clips():
        add_clip(out, motion, node, tuple(body.morphs))
    return out.finish()


if __name__ == "__main__":
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "mannequin.glb"
    path.write_bytes(make())
    print(f"{path}: {path.stat().st_size:,} bytes, {len(NAMES)} joints")
