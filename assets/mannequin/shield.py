"""The mannequin's shield: a file of its own, to be attached to the joint LeftForeArm.

A round shield of seven planks with a brass rim and boss, strapped to the back of the forearm. Its
axes are those of the joint: +Y along the forearm, -X out of the back of the hand.
"""

import itertools

import numpy as np
import pygltflib as gltf

from .bones import F64
from .shapes import at
from .solids import I64, hoop, turned
from .writer import Writer

OUT, ALONG, AHEAD = at(-1, 0, 0), at(0, 1, 0), at(0, 0, 1)  # away from the arm; along it; forward
MIDDLE = at(-0.057, 0.12, 0.0)  # metres: of the planks' backs, from the elbow
RADIUS = 0.19  # metres
SIDES = 32
PLANKS = 7
ROWS = 7  # of points along a plank
GAP = 0.0014  # metres: half the groove between two planks
RISE = 0.022  # metres: how far the middle stands out
THICK = 0.012
STRAPS = (0.055, 0.185)  # metres from the elbow
STRAP_RADII = (0.05, 0.0445)  # metres about the middle of the forearm, which is thinner at its end
# Name, colour (linear), how metallic and how rough it is.
MATERIALS = (
    ("Planks", (1.0, 1.0, 1.0), 0.0, 0.55),
    ("Brass", (0.75, 0.5, 0.17), 1.0, 0.3),
    ("Leather", (0.12, 0.05, 0.025), 0.0, 0.75),
)
OAK = np.array((0.36, 0.19, 0.085))
WALNUT = np.array((0.13, 0.05, 0.022))


def planks() -> tuple[F64, I64, F64]:
    """Return points, triangles and colours [V, 3] of the domed planks, with their edges."""
    points, triangles, colours, start = [], [], [], 0
    borders = np.linspace(-RADIUS, RADIUS, PLANKS + 1)
    for number, (low, high) in enumerate(itertools.pairwise(borders)):
        low, high = max(low + GAP, 0.001 - RADIUS), min(high - GAP, RADIUS - 0.001)
        across = np.linspace(low, high, 4)
        up = np.linspace(-1.0, 1.0, ROWS)
        half = np.sqrt(RADIUS**2 - across**2)
        x, y = np.broadcast_to(across, (ROWS, 4)), up[:, None] * half
        dome = RISE * (1.0 - (x**2 + y**2) / RADIUS**2)
        flat = MIDDLE + x[..., None] * AHEAD + y[..., None] * ALONG
        front, back = (flat + (dome + more)[..., None] * OUT for more in (THICK, 0.0))
        rows = np.concatenate((front, back[:, ::-1]), axis=1)  # a ring of 8 points at each height
        ring = np.arange(ROWS * 8).reshape(ROWS, 8)
        after = np.roll(ring, -1, axis=1)
        a, b, c, d = (part.ravel() for part in (ring[:-1], after[:-1], after[1:], ring[1:]))
        faces = [np.stack((a, b, c), axis=1), np.stack((a, c, d), axis=1)]
        for end, turn in ((ring[0], 1), (ring[-1], -1)):
            lid = [(end[i], end[i + 1], end[7 - i]) for i in range(3)]
            lid += [(end[i + 1], end[6 - i], end[7 - i]) for i in range(3)]
            faces.append(np.array(lid)[:, ::turn][:, ::-1])
        points.append(rows.reshape(-1, 3))
        triangles.append(np.concatenate(faces) + start)
        tone = (OAK, WALNUT)[number % 2] * (0.9 + 0.1 * ((3 * number) % 4))
        colours.append(np.tile(tone, (ROWS * 8, 1)))
        start += ROWS * 8
    return np.concatenate(points), np.concatenate(triangles), np.concatenate(colours)


def brass() -> tuple[F64, I64]:
    """Return points and triangles of the rim and the boss."""
    width = 0.009
    rim = hoop(
        MIDDLE,
        OUT,
        AHEAD,
        [
            (-0.002, RADIUS - width),
            (-0.002, RADIUS + 0.003),
            (THICK / 2.0, RADIUS + 0.006),
            (THICK + 0.002, RADIUS + 0.003),
            (THICK + 0.004, RADIUS - width),
        ],
        SIDES,
    )
    top = THICK + RISE
    boss = turned(
        MIDDLE,
        OUT,
        AHEAD,
        [
            (top - 0.01, 0.052),
            (top + 0.001, 0.052),
            (top + 0.003, 0.043),
            (top + 0.012, 0.039),
            (top + 0.024, 0.029),
            (top + 0.031, 0.015),
            (top + 0.033, 0.0),
        ],
        SIDES // 2,
    )
    return joined([rim, boss])


def leather() -> tuple[F64, I64]:
    """Return points and triangles of the straps round the forearm."""
    pieces = []
    for along, radius in zip(STRAPS, STRAP_RADII, strict=True):
        profile = [(-0.012, radius), (-0.012, radius + 0.004), (0.012, radius + 0.004)]
        pieces.append(hoop(ALONG * along, ALONG, AHEAD, [*profile, (0.012, radius)], 24))
    return joined(pieces)


def joined(pieces: list[tuple[F64, I64]]) -> tuple[F64, I64]:
    """Return several pieces as one, turned so that they enclose a volume."""
    points, triangles, start = [], [], 0
    for own, faces in pieces:
        a, b, c = (own[faces[:, i]] for i in range(3))
        outside = np.einsum("ij,ij->", a, np.cross(b, c)) > 0.0
        points.append(own)
        triangles.append((faces if outside else faces[:, ::-1]) + start)
        start += len(own)
    return np.concatenate(points), np.concatenate(triangles)


def creased(points: F64, triangles: I64, sharp: float) -> tuple[F64, F64, I64, I64]:
    """Return points, normals, triangles and sources [V], split at edges of more degrees.

    A corner's normal is the mean of the triangles about its point that face its own way.
    """
    corners = points[triangles]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    way = across / np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-15)
    near = triangles.ravel()[:, None] == triangles.ravel()
    owner = np.repeat(np.arange(len(triangles)), 3)
    alike = near & (way[owner] @ way[owner].T > np.cos(np.radians(sharp)))
    normals = alike.astype(np.float64) @ across[owner]
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-15)
    keys = np.column_stack((triangles.ravel(), np.round(normals, 4)))
    _, first, number = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    source = triangles.ravel()[first]
    return points[source], normals[first], number.reshape(-1, 3), source


def shield() -> bytes:
    """Return the shield as the bytes of a .glb file."""
    out = Writer("make_shield")
    wood, faces, colours = planks()
    wood, faces = joined([(wood, faces)])
    pieces = [(wood, faces, colours), (*brass(), None), (*leather(), None)]
    primitives: list[gltf.Primitive] = []
    for (name, colour, metal, rough), (points, triangles, tones) in zip(
        MATERIALS, pieces, strict=True
    ):
        look = gltf.PbrMetallicRoughness(
            baseColorFactor=[*colour, 1.0], metallicFactor=metal, roughnessFactor=rough
        )
        out.file.materials.append(
            gltf.Material(name=name, pbrMetallicRoughness=look, alphaCutoff=None)
        )
        places, normals, corners, source = creased(points, triangles, 40.0)
        attributes = gltf.Attributes(
            POSITION=out.accessor(places.astype(np.float32), gltf.ARRAY_BUFFER, bounds=True),
            NORMAL=out.accessor(normals.astype(np.float32), gltf.ARRAY_BUFFER),
        )
        if tones is not None:
            table = np.column_stack((tones[source], np.ones(len(source))))
            bytes_ = np.rint(255.0 * table).astype(np.uint8)
            attributes.COLOR_0 = out.accessor(bytes_, gltf.ARRAY_BUFFER, normalized=True)
        indices = out.accessor(corners.astype(np.uint16).ravel(), gltf.ELEMENT_ARRAY_BUFFER)
        primitives.append(
            gltf.Primitive(
                attributes=attributes, indices=indices, material=len(primitives), mode=None
            )
        )
    out.file.meshes.append(gltf.Mesh(name="Shield", primitives=primitives))
    out.file.nodes.append(gltf.Node(name="Shield", mesh=0))
    out.file.scenes.append(gltf.Scene(name="Shield", nodes=[0]))
    out.file.scene = 0
    return out.finish()
