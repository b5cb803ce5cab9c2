"""A picture of what is behind all surfaces, kept while neither camera nor settings change."""

from collections.abc import Hashable, Sequence

import moderngl

from ..frame import Frame, StillPass
from ..render_target import Target


class KeptPicture:
    """Draws still passes, or copies the picture of the frame before, if it is the same.

    The second of two equal frames is kept, so that a single picture takes no more memory.
    """

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._drawn: Hashable = None  # what the last frame showed
        self._is_kept = False  # whether the picture shows it
        self._picture: moderngl.Framebuffer | None = None

    def draw(self, steps: Sequence[StillPass], frame: Frame, target: Target, block: bytes) -> None:
        """Draw passes into the bound framebuffer, which is cleared.

        `block` is the frame's uniform block.
        """
        bound, size = target.framebuffer, target.size
        shown = block, size, frame.clear_color, *[(step, step.look(frame)) for step in steps]
        same = shown == self._drawn and frame.part.scissor(size) == (0, 0, *size)
        self._drawn = shown
        if same and self._is_kept and self._picture is not None:
            self._context.copy_framebuffer(bound, self._picture)
            return
        for step in steps:
            step.draw(frame, target)
        self._is_kept = same
        if same:
            self._context.copy_framebuffer(self._sized(size), bound)

    def release(self) -> None:
        """Free the picture."""
        self._is_kept = False
        if self._picture is not None:
            (texture,) = self._picture.color_attachments
            self._picture.release()
            texture.release()
            self._picture = None

    def _sized(self, size: tuple[int, int]) -> moderngl.Framebuffer:
        """Return the picture with a size; its content is lost if the size changes."""
        if self._picture is not None and self._picture.size != size:
            self.release()
        if self._picture is None:
            self._picture = self._context.framebuffer([self._context.texture(size, 4)])
        return self._picture
