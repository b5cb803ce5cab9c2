"""The outline of the selected part of a mesh, through everything before it."""

import moderngl

from .frame import Frame, Pass
from .overlay_lines import SELECTED
from .picture import Picture
from .program import Programs, set_uniforms

WIDTH = 2.0  # pixels at 1000 pixels of height


class OutlinePass(Pass):
    """Draws the part into a mask, and the outline of the mask."""

    over_surfaces = True

    def __init__(self, context: moderngl.Context, programs: Programs) -> None:
        super().__init__(context, programs)
        self._mask: moderngl.Framebuffer | None = None
        self._texture: moderngl.Texture | None = None

    def draws(self, frame: Frame) -> bool:
        """Return whether a part of a mesh of the active character is selected."""
        chosen = frame.selected
        return chosen is not None and chosen.primitive >= 0 and frame.active in frame.instances

    def draw(self, frame: Frame, target: Picture) -> None:
        """Draw the outline of a frame, if a part of the active character is selected."""
        chosen = frame.selected
        if chosen is None or frame.active is None or not self.draws(frame):
            return
        surfaces = frame.surfaces[0 if frame.crowd else frame.instances.index(frame.active)]
        items = [
            item
            for item in surfaces.items
            if (item.source.joint, item.number) == (chosen.joint, chosen.primitive)
        ]
        if not items:
            return
        mask = self._mask_of(target.drawn)
        mask.viewport = target.viewport
        mask.use()
        mask.clear()
        self._context.disable(moderngl.DEPTH_TEST | moderngl.BLEND)
        for item in items:
            surfaces.draw_mask(item, chosen.member)
        self._context.enable(moderngl.BLEND)
        self._context.disable(moderngl.CULL_FACE)
        target.framebuffer.use()
        self._draw_outline(target)
        self._context.enable(moderngl.DEPTH_TEST)

    def release(self) -> None:
        """Free the mask."""
        self._release_mask()

    def _draw_outline(self, target: Picture) -> None:
        array = self._programs.array("outline")
        height = target.drawn[1] / target.line_scale
        width = WIDTH * max(1.0, height / 1000.0) * target.line_scale
        values = {"outline_width": width, "outline_color": SELECTED, "outline_mask": self._texture}
        set_uniforms(array.program, values)
        array.render(moderngl.TRIANGLES, vertices=3)

    def _mask_of(self, size: tuple[int, int]) -> moderngl.Framebuffer:
        if self._mask is not None and self._mask.size != size:
            self._release_mask()
        if self._mask is None:
            self._texture = self._context.texture(size, 1)
            self._mask = self._context.framebuffer([self._texture])
        return self._mask

    def _release_mask(self) -> None:
        if self._mask is not None and self._texture is not None:
            self._context.detect_framebuffer(0).use()
            self._mask.release()
            self._texture.release()
        self._mask = self._texture = None
