"""The shapes of bones and joints in a picture: octahedra or lines, and dots.

Renderer and picking use the same shapes.
"""

from dataclasses import dataclass

import numpy as np

from ..animation.types import F32, F64, Index
from ..animation.vectors import across, cross, length, unit
from .camera import Camera
from .drawn_joints import DrawnJoints

WAIST = 0.12  # place of the greatest thickness, from the head, of the length
_THICK = 0.09  # from the axis to a corner of the waist, of the length
_THICKEST = 0.028  # the same at most, of the size of the skeleton
_THINNEST = 1.3, 0.25  # the same at least: pixels, but no more than this part of the length
_LINE = 0.045  # width of a line, of the length
_LINES = 1.5, 3.5  # least and greatest width of a line, pixels
_DOT = 0.2  # of the shortest bone at a joint
_DOTS = 2.5, 6.0  # least and greatest diameter of a dot, pixels
FACETS: Index = np.array(
    [(2 + k, 2 + (k + 1) % 4, 1) for k in range(4)]
    + [(2 + (k + 1) % 4, 2 + k, 0) for k in range(4)]
)  # rows of `BoneShapes.corners`, counterclockwise from outside
_UP = np.array([0.0, 1.0, 0.0])
EDGES: Index = np.array(
    sorted({tuple(sorted(edge)) for a, b, c in FACETS.tolist() for edge in ((a, b), (b, c))})
)


@dataclass(frozen=True, slots=True)
class BoneShapes:
    """Bones and joints as they are drawn; pixels are those of the picture as it is shown.

    Attributes
    ----------
    rows, bones
        [V] rows of `DrawnJoints.joints`, [B] rows of `DrawnJoints.bones`.
    places
        [V, 3] of the joints.
    dots
        [V] diameters, pixels.
    heads, tails
        [B, 3] ends of the bones.
    across
        [B, 2, 3] from the axis to two corners of the waist; the others are opposite.
    widths
        [B] of the lines, pixels.
    thickness
        [B] greatest thickness of the octahedra, pixels.
    """

    rows: Index
    bones: Index
    places: F64
    dots: F64
    heads: F64
    tails: F64
    across: F64
    widths: F64
    thickness: F64

    def corners(self) -> F64:
        """Return the corners [B, 6, 3] of octahedra: head, tail, and the waist around the axis."""
        waist = self.heads + WAIST * (self.tails - self.heads)
        around = self.across[:, (0, 1, 0, 1)] * np.array([1.0, 1.0, -1.0, -1.0])[:, None]
        ends = np.stack([self.heads, self.tails], axis=1)
        return np.concatenate([ends, waist[:, None] + around], axis=1)


def bone_shapes(
    drawn: DrawnJoints,
    visible: tuple[Index, Index],
    matrices: F32,
    world: F32 | F64,
    camera: Camera,
    size: tuple[float, float],
) -> BoneShapes:
    """Return the shapes of the visible joints and bones of a character.

    Parameters
    ----------
    visible
        Rows of `drawn.joints` and of `drawn.bones`.
    matrices
        [J, 4, 4] model-space matrix of every joint.
    world
        [4, 4] model space to the space of the camera.
    size
        Width and height of the picture as it is shown, pixels.
    """
    rows, bones = visible
    turn, shift = world[:3, :3].astype(np.float64), world[:3, 3].astype(np.float64)
    every = matrices[drawn.joints, :3, 3] @ turn.T + shift
    parents, children = drawn.bones[bones].T
    heads, tails = every[parents], every[children]
    steps = tails - heads
    lengths = length(steps)
    pixels = _pixels(camera, size, every)  # at each joint, metres
    rolls = matrices[drawn.joints[parents], :3, drawn.roll_axes[bones]] @ turn.T
    enlarged = float(np.cbrt(abs(turn[0] @ cross(turn[1], turn[2]))))
    cap = _THICKEST * drawn.size * enlarged
    scale = max(1.0, size[1] / 1000.0)
    counted = np.minimum(lengths, enlarged * drawn.thick_lengths[bones])
    thick = np.minimum(_THICK * counted, cap)
    least = np.minimum(_THINNEST[0] * scale * pixels[parents], _THINNEST[1] * lengths)
    radii = np.maximum(thick, least)
    seen = lengths / np.minimum(pixels[parents], pixels[children])
    dots = _DOT * enlarged * drawn.shortest[rows] / pixels[rows]
    return BoneShapes(
        rows=rows,
        bones=bones,
        places=every[rows],
        dots=np.clip(dots, scale * _DOTS[0], scale * _DOTS[1]),
        heads=heads,
        tails=tails,
        across=_across(steps, rolls) * radii[:, None, None],
        widths=np.clip(_LINE * seen, scale * _LINES[0], scale * _LINES[1]),
        thickness=2.0 * radii / pixels[parents],
    )


def _pixels(camera: Camera, size: tuple[float, float], points: F64) -> F64:
    """Return the height of a pixel at points [N, 3], metres."""
    projection = camera.projection(size[0] / size[1])
    row = projection[3] @ camera.view()
    w = points @ row[:3] + row[3]
    return np.maximum(w, 1e-9) * 2.0 / (projection[1, 1] * size[1])


def _across(steps: F64, rolls: F64) -> F64:
    """Return two unit vectors [B, 2, 3] across bones; the first is towards a direction [B, 3]."""
    axis = unit(steps, _UP)
    first = across(axis, rolls, _UP)
    return np.stack([first, cross(axis, first)], axis=1)
