"""The backdrop, background and floor behind all surfaces: one sample per pixel, as it is smooth."""

from collections.abc import Hashable, Sequence

import moderngl
import numpy as np

from ...animation.types import F32
from ..context import GpuObjects
from ..frame import Frame, Pass, StillPass
from ..ground_pass import GroundPass, shadow_caster_points
from ..passes import ContactPass
from ..picture import Picture, Rectangle

_MARGIN = 2  # pixels


class Backdrop:
    """Draws the passes before those of surfaces: still ones, which are kept, and the floor."""

    def __init__(self, context: moderngl.Context, passes: Sequence[Pass]) -> None:
        self._still = [step for step in passes if isinstance(step, StillPass)]
        self._floor = [step for step in passes if isinstance(step, GroundPass | ContactPass)]
        self._kept = _KeptPicture(context)

    def draw(self, frame: Frame, picture: Picture, block: bytes) -> None:
        """Draw what is behind the surfaces of a frame; `block` is its uniform block."""
        self._kept.draw(self._still, frame, picture, block)
        for step in self._floor:
            step.draw(frame, picture)

    def draws(self, step: Pass) -> bool:
        """Return whether a pass is drawn behind the surfaces."""
        return step in self._still or step in self._floor

    def release(self) -> None:
        """Free the picture that is kept; the passes have other owners."""
        self._kept.release()


class _KeptPicture:
    """Draws still passes, or copies the picture of the frame before, if it is the same.

    The second of two equal frames is kept, so that a single picture takes no more memory.
    """

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._made = GpuObjects()
        self._drawn: Hashable = None  # what the last frame showed
        self._is_kept = False  # whether the picture shows it
        self._picture: moderngl.Framebuffer | None = None

    def draw(
        self, steps: Sequence[StillPass], frame: Frame, picture: Picture, block: bytes
    ) -> None:
        """Draw passes into the bound framebuffer, which is cleared.

        `block` is the frame's uniform block.
        """
        bound, size = picture.framebuffer, picture.size
        shown = block, size, frame.clear_color, *[(step, step.look(frame)) for step in steps]
        same = shown == self._drawn and picture.is_whole
        self._drawn = shown
        if same and self._is_kept and self._picture is not None:
            self._context.copy_framebuffer(bound, self._picture)
            return
        for step in steps:
            step.draw(frame, picture)
        if same:
            self._context.copy_framebuffer(self._sized(size), bound)
        self._is_kept = same

    def release(self) -> None:
        """Free the picture."""
        self._made.close()
        self._picture, self._is_kept = None, False

    def _sized(self, size: tuple[int, int]) -> moderngl.Framebuffer:
        """Return the picture with a size; its content is lost if the size changes."""
        if self._picture is None or self._picture.size != size:
            self.release()
            texture = self._made.add(self._context.texture(size, 4))
            self._picture = self._made.add(self._context.framebuffer([texture]))
        return self._picture


def has_backdrop(frame: Frame) -> bool:
    """Return whether anything but a single colour is behind the surfaces."""
    return frame.has_floor or frame.environment_map is not None or len(frame.background) > 1


def surface_box(frame: Frame, picture: Picture) -> Rectangle:
    """Return the box around all surfaces in a picture, pixels."""
    return box_around(shadow_caster_points(frame), frame, picture) or (0, 0, 0, 0)


def box_around(points: F32, frame: Frame, picture: Picture) -> Rectangle | None:
    """Return the box around points [N, 3] in a picture, pixels; None where none of it is drawn."""
    if not len(points):
        return None
    left, bottom, width, height = picture.viewport
    x, y, across, up = picture.scissor
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
