"""What is behind all surfaces: drawn with one sample per pixel, as it is smooth by itself."""

from collections.abc import Sequence

import moderngl
import numpy as np

from ...animation.types import F32
from ..frame import Frame, Pass, StillPass
from ..ground_pass import shadow_caster_points
from ..render_target import Target, zoomed
from ..sample_frames import Rectangle
from .kept_picture import KeptPicture

CORNERS = 8  # of a box
TOLERANCE = 2e-3  # of the size of a character: surfaces on the floor are not below it
_MARGIN = 2  # pixels


class BehindSamples:
    """Draws passes behind the samples of a target.

    Parameters
    ----------
    background
        Passes that are behind all surfaces.
    grid, floor
        Passes that are behind surfaces above the floor, if the camera is above it too.
    """

    def __init__(
        self,
        context: moderngl.Context,
        background: Sequence[StillPass],
        grid: StillPass,
        floor: Sequence[Pass],
    ) -> None:
        self._context = context
        self._background = background
        self._grid = grid
        self._floor = floor
        self._kept = KeptPicture(context)
        self._drawn: list[Pass] = []  # of the last frame
        self._below: Rectangle | None = None  # around its surfaces below the floor

    def draw(self, frame: Frame, target: Target, block: bytes) -> None:
        """Draw what is behind the surfaces of a frame; `block` is its uniform block."""
        self._drawn = []
        if not frame.has_background:
            return
        above = frame.view_axis[1] < 0.0 if frame.camera.ortho else frame.eye[1] > frame.floor
        still = [*self._background, *([self._grid] if above else ())]
        floor = self._floor if above else ()
        self._kept.draw(still, frame, target, block)
        for step in floor:
            step.draw(frame, target)
        self._drawn = [*still, *floor]
        self._below = _below_floor(frame, target)

    @property
    def has_floor(self) -> bool:
        """Whether the floor is behind the surfaces above it, in the last frame."""
        return self._grid in self._drawn

    def draws(self, step: Pass) -> bool:
        """Return whether a pass is drawn behind the surfaces of the last frame."""
        return step in self._drawn

    def draw_rests(self, frame: Frame, target: Target) -> None:
        """Draw what all passes cover of surfaces below the floor."""
        for step in self._drawn:
            self.draw_rest(step, frame, target)

    def draw_rest(self, step: Pass, frame: Frame, target: Target) -> bool:
        """Draw what a pass covers of surfaces below the floor.

        Returns whether the rest of it is behind the surfaces.
        """
        if step not in self._drawn:
            return False
        if step not in self._background and self._below is not None:
            framebuffer, context = target.framebuffer, self._context
            whole = framebuffer.scissor
            framebuffer.scissor = self._below
            context.blend_func = (moderngl.DST_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA)
            step.draw(frame, target)
            context.blend_func = (moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA)
            framebuffer.scissor = whole
        return True

    def release(self) -> None:
        """Free the picture that is kept; the passes have other owners."""
        self._kept.release()


def is_whole(frame: Frame, target: Target) -> bool:
    """Return whether a frame is a whole picture."""
    return frame.part.scissor(target.size) == (0, 0, *target.size)


def shows_only_surfaces(frame: Frame, target: Target) -> bool:
    """Return whether a whole picture shows only surfaces, but for what is behind them."""
    if not is_whole(frame, target) or frame.overlaid:
        return False
    items = [item for surfaces in frame.surfaces for item in surfaces.items]
    return all(item.geometry.mode == moderngl.TRIANGLES for item in items)


def surface_box(frame: Frame, target: Target) -> Rectangle:
    """Return the box around all surfaces in a target, pixels."""
    return box_around(shadow_caster_points(frame), frame, target) or (0, 0, 0, 0)


def _below_floor(frame: Frame, target: Target) -> Rectangle | None:
    """Return the box around the surfaces below the floor in a target, pixels; None without any."""
    points = shadow_caster_points(frame)
    low = frame.floor - TOLERANCE * frame.character_size
    if len(points) % CORNERS == 0:
        boxes = points.reshape(-1, CORNERS, 3)
        points = boxes[boxes[..., 1].min(axis=1) < low].reshape(-1, 3)
    return box_around(points, frame, target)


def box_around(points: F32, frame: Frame, target: Target) -> Rectangle | None:
    """Return the box around points [N, 3] in a target, pixels; None where none of it is drawn."""
    if not len(points):
        return None
    left, bottom, width, height = target.viewport_of(frame.part)
    x, y, across, up = zoomed(frame.part.scissor(target.size), target.zoom)
    matrix = frame.camera.projection(width / height) @ frame.camera.view()
    clip = points @ matrix[:, :3].T + matrix[:, 3]
    if clip[:, 3].min() <= 0.0:
        return x, y, across, up
    places = (clip[:, :2] / clip[:, 3:] + 1.0) * (0.5 * width, 0.5 * height) + (left, bottom)
    if not np.isfinite(places).all():
        return x, y, across, up
    ends = np.clip([places.min(axis=0) - _MARGIN, places.max(axis=0) + _MARGIN], -1e6, 1e6)
    (x0, y0), (x1, y1) = ends.astype(int).tolist()
    x0, y0, x1, y1 = max(x0, x), max(y0, y), min(x1, x + across), min(y1, y + up)
    return (x0, y0, x1 - x0, y1 - y0) if x0 < x1 and y0 < y1 else None
