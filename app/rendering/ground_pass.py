"""The ground: its shadow, and the grid, fading outwards."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import moderngl
import numpy as np

from ..animation.types import F32, F64
from ..scene.environment import harmonics
from .frame import Frame, Pass, StillPass
from .picture import Picture
from .program import Programs
from .shadow import ShadowMap

GRID_RADII = 6.0  # radius of the grid where it has faded, over the radius of the scene
SHADOW = 0.42  # opacity of the shadow
MIN_LIGHT_SLOPE = 0.05  # sine of the least light elevation with a shadow on the ground
DEPTH_OFFSET = 4.0, 16.0  # polygon offset: a floor of the file at the same height hides it
CORNERS = 8  # of a box
SIDES = 12  # of the polygon that contains the shadow
MIDDLE_GREY = 0.21  # linear: sRGB 0.5
DISC_SIDES = 24  # sides of the grid's disc


def _outline() -> tuple[F64, F64]:
    """Return the directions [2, S] of a polygon's sides, and the matrix from distances to corners.

    The corner of two neighbouring sides n and m with distances a and b is their intersection:
    [S, 2 S] is the inverse.
    """
    step = 2 * np.pi / SIDES
    turn = np.arange(SIDES) * step
    normals = np.stack([np.cos(turn), np.sin(turn)])
    corners = np.zeros((SIDES, SIDES, 2))
    here = np.arange(SIDES)
    after = (here + 1) % SIDES
    corners[here, here] = np.stack([np.sin(turn + step), -np.cos(turn + step)], -1) / np.sin(step)
    corners[after, here] = np.stack([-np.sin(turn), np.cos(turn)], -1) / np.sin(step)
    return normals, corners.reshape(SIDES, 2 * SIDES)


_SIDE_DIRECTIONS, _DISTANCES_TO_CORNERS = _outline()


class GroundPass(Pass):
    """Draws the shadow on the floor, below the characters."""

    def __init__(
        self, context: moderngl.Context, programs: Programs, shadow_map: ShadowMap
    ) -> None:
        super().__init__(context, programs)
        self._shadow_map = shadow_map

    def draw(self, frame: Frame, target: Picture) -> None:
        """Draw the shadow of a frame, if there are a floor and a light that casts one."""
        light = frame.lighting.shadow_light
        if not frame.has_floor or light is None or light.direction[1] >= -MIN_LIGHT_SLOPE:
            return
        points, margin = shadow_caster_points(frame), self._shadow_map.margin
        corners = shadow_outline(points, light.direction, frame.floor, margin)
        values = {"ground_corners": corners.astype(np.float32)}
        with on_floor(self._context, target):
            self._programs.draw("ground", values, target.defines, moderngl.TRIANGLE_FAN, SIDES)


@contextmanager
def on_floor(context: moderngl.Context, target: Picture) -> Iterator[None]:
    """Draw on the floor: from both sides, hidden by a floor of the file, hiding nothing."""
    context.disable(moderngl.CULL_FACE)
    target.framebuffer.depth_mask = False
    context.polygon_offset = DEPTH_OFFSET
    yield
    context.polygon_offset = 0.0, 0.0
    target.framebuffer.depth_mask = True


def radius(frame: Frame) -> float:
    """Return the radius at which the grid has faded, metres."""
    return max(GRID_RADII * frame.size / 2.0, 4.0 * frame.cell)


def shadow_outline(points: F32, direction: F64, floor: float, margin: float) -> F64:
    """Return a polygon [SIDES, 3] on the floor that contains the shadow of points [N, 3].

    Parameters
    ----------
    points
        Space of the frame, metres; their hull contains all shadow casters.
    direction
        [3] unit vector of the light, downwards.
    floor
        Height, metres.
    margin
        Half the width of the soft edge, perpendicular to the light, metres.
    """
    distance = (floor - points[:, 1]) / direction[1]
    hits = points[:, ::2] + distance[:, None] * direction[::2]
    distances = (hits @ _SIDE_DIRECTIONS).max(axis=0) + margin / -direction[1]
    corners = np.full((SIDES, 3), floor, np.float64)
    corners[:, ::2] = (distances @ _DISTANCES_TO_CORNERS).reshape(SIDES, 2)
    return corners


def shadow_caster_points(frame: Frame) -> F32:
    """Return points [N, 3] whose hull contains all shadow casters, space of the frame."""
    if frame.caster_points is None:
        frame.caster_points = _shadow_caster_points(frame)
    return frame.caster_points


def _shadow_caster_points(frame: Frame) -> F32:
    found = []
    for instance in frame.instances if frame.crowd is None else ():
        character = instance.character
        world = character.world_from(frame.origin)
        corners = instance.bounds.corners(character.pose, character.matrices)
        found.append(corners @ world[:3, :3].T + world[:3, 3])
    if any(map(len, found)):
        return np.concatenate(found)
    return np.stack(np.meshgrid(*frame.extent.T), axis=-1).reshape(-1, 3)


def boxes_below(points: F32, height: float) -> F32:
    """Return the corners [N, 3] of boxes, without those of boxes above a height, metres."""
    if len(points) % CORNERS:  # single points: the file has no boxes
        return points
    boxes = points.reshape(-1, CORNERS, 3)
    out: F32 = boxes[boxes[..., 1].min(axis=1) < height].reshape(-1, 3)
    return out


class GridPass(StillPass):
    """Draws the grid below the characters."""

    def look(self, frame: Frame) -> tuple[Any, ...]:
        """Return the uniforms of the grid, () if there is none."""
        return tuple(grid_uniforms(frame).values()) if frame.look.grid else ()

    def draw(self, frame: Frame, target: Picture) -> None:
        """Draw the grid of a frame."""
        if not frame.look.grid:
            return
        values, defines = grid_uniforms(frame), {**target.defines, "SIDES": DISC_SIDES}
        with on_floor(self._context, target):
            self._programs.draw("grid", values, defines, moderngl.TRIANGLE_FAN, DISC_SIDES)


def grid_uniforms(frame: Frame) -> dict[str, Any]:
    """Return the uniforms of the program of the grid."""
    middle = (frame.extent[0] + frame.extent[1]) / 2.0
    return {
        "grid_center": (float(middle[0]), float(middle[2])),
        "grid_colors": (0.2 if _is_bright(frame) else 0.75, 0.4),
    }


def _is_bright(frame: Frame) -> bool:
    """Return whether the background behind the floor is brighter than a middle grey."""
    if frame.environment_map is None or frame.environment is None:
        return sum(frame.background[-1][:3]) > 1.5
    below = harmonics(np.array([0.0, -1.0, 0.0])) @ frame.environment.irradiance
    return float(below.mean()) * 2.0**frame.look.shading.exposure > MIDDLE_GREY
