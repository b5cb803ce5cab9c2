"""The short passes: surfaces by their kinds, shadow map, what they occlude, and the outline."""

from collections.abc import Mapping

import moderngl

from .ambient_occlusion import FloorPolygon
from .context import SizedObjects
from .frame import Frame, Pass
from .frame_block import FrameBlock
from .ground_pass import on_floor
from .overlay_lines import SELECTED
from .peeling import MOST_PEELED, Peeling
from .picture import Picture
from .program import Programs
from .shadow import GpuLights, ShadowMap

OUTLINE_WIDTH = 2.0  # pixels at 1000 pixels of height
GHOST_OFFSET = 2.0, 8.0  # polygon offset: surfaces at the same place hide a ghost


class ShadowPass:
    """Draws the depth of all surfaces as seen by the first light that casts a shadow.

    Map and lights are bound.
    """

    def __init__(self, context: moderngl.Context, shadow_map: ShadowMap) -> None:
        self._map = shadow_map
        self._block = FrameBlock(context)
        self._lights = GpuLights(context)

    def draw(self, frame: Frame) -> None:
        """Draw the shadow map of a frame."""
        light = frame.lighting.shadow_light
        if light is not None:
            self._map.fit(light, frame.extent, frame.character_size)
            self._map.begin()
            self._block.use_matrix(self._map.matrix)
            for surfaces in frame.surfaces:
                surfaces.draw_depth()
        self._lights.write(frame.lighting.lights, None if light is None else self._map)
        self._lights.use()
        self._map.use()

    def release(self) -> None:
        """Free the map and the lights."""
        self._map.release()
        self._lights.release()
        self._block.release()


class OpaquePass(Pass):
    """Draws opaque and masked surfaces, and the opaque parts of blended ones."""

    def draw(self, frame: Frame, target: Picture) -> None:
        """Draw the opaque surfaces of a frame, behind the wireframe if there is one."""
        if frame.look.overlays.wireframe and frame.crowd is None:
            self._context.polygon_offset = 1.0, 1.0
        for surfaces in frame.surfaces:
            surfaces.draw_opaque(frame.defines(surfaces, target))


class ContactPass(Pass):
    """Draws the occlusion of the floor, if the frame has both."""

    def __init__(self, context: moderngl.Context, programs: Programs) -> None:
        super().__init__(context, programs)
        self._floor = FloorPolygon(programs, "contact")

    def draw(self, frame: Frame, target: Picture) -> None:
        """Draw the occlusion of the floor of a frame."""
        if not (frame.has_floor and frame.lighting.occlusion):
            return
        with on_floor(self._context, target):
            self._floor.draw(frame, target.defines)


class TransmissivePass(Pass):
    """Draws transmissive surfaces that are not blended, in place of what they refract."""

    def draw(self, frame: Frame, target: Picture) -> None:
        """Draw the transmissive surfaces of a frame."""
        self._context.disable(moderngl.BLEND)
        for surfaces in frame.surfaces:
            surfaces.draw_transmissive(frame.defines(surfaces, target))
        self._context.enable(moderngl.BLEND)


class BlendedPass(Pass):
    """Draws blended surfaces, back to front; they hide nothing behind them.

    Few that may cross are peeled: sorted at each sample.
    """

    def __init__(self, context: moderngl.Context, programs: Programs) -> None:
        super().__init__(context, programs)
        self._peeling = Peeling(context)

    def draw(self, frame: Frame, target: Picture) -> None:
        """Draw the blended surfaces of a frame; no transmissive ones where they refract it."""
        eye, axis, transmissive = frame.eye, frame.view_axis, target.displayed is None
        ordered = [
            (surfaces, surfaces.back_to_front(eye, axis, transmissive=transmissive))
            for surfaces in sorted(
                frame.surfaces, key=lambda drawn: -float((drawn.origin - eye) @ axis)
            )
        ]

        def draw_colors() -> None:
            for surfaces, items in ordered:
                surfaces.draw_blended(frame.defines(surfaces, target), items)

        def draw_depth(defines: Mapping[str, int]) -> None:
            for surfaces, items in ordered:
                surfaces.draw_blended_depth(defines, items)

        target.framebuffer.depth_mask = False
        count = sum(each.item.geometry.triangles for _, items in ordered for each in items)
        peeled = 1 < count <= MOST_PEELED and self._peeling.can_peel(target)
        if peeled and any(surfaces.cross(items) for surfaces, items in ordered):
            self._peeling.draw(target, draw_depth, draw_colors)
        else:
            draw_colors()
        target.framebuffer.depth_mask = True

    def release(self) -> None:
        """Free what peeling uses."""
        self._peeling.release()


class GhostPass(Pass):
    """Draws characters as translucent shapes: the nearest surfaces of each, over all others."""

    over_surfaces = True

    def draws(self, frame: Frame) -> bool:
        """Return whether a frame has ghosts."""
        return bool(frame.ghosts)

    def draw(self, frame: Frame, target: Picture) -> None:
        """Draw the ghosts of a frame: first their depth, then what has that depth."""
        if not frame.ghost_surfaces:
            return
        framebuffer, context = target.framebuffer, self._context
        context.polygon_offset = GHOST_OFFSET
        for colored in (False, True):
            framebuffer.color_mask = (colored,) * 4
            for surfaces in frame.ghost_surfaces:
                surfaces.draw_opaque(frame.defines(surfaces, target))
        context.polygon_offset = 0.0, 0.0


class WireframePass(Pass):
    """Draws the edges of all triangles over the surfaces, if the look has a wireframe."""

    over_surfaces = True

    def draws(self, frame: Frame) -> bool:
        """Return whether a frame has a wireframe."""
        return frame.look.overlays.wireframe

    def draw(self, frame: Frame, _: Picture) -> None:
        """Draw the wireframe of a frame; a crowd has none."""
        if self.draws(frame) and frame.crowd is None:
            self._context.polygon_offset = 0.0, 0.0
            for surfaces in frame.surfaces:
                surfaces.draw_wires()


class OutlinePass(Pass):
    """Draws the outline of the selected part of a mesh, through everything before it.

    The part is drawn into a mask first.
    """

    over_surfaces = True

    def __init__(self, context: moderngl.Context, programs: Programs) -> None:
        super().__init__(context, programs)
        self._mask = _Mask(context)

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
        self._mask.make(target.drawn)
        self._mask.framebuffer.viewport = target.viewport
        self._mask.framebuffer.use()
        self._mask.framebuffer.clear()
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
        self._mask.release()

    def _draw_outline(self, target: Picture) -> None:
        height = target.drawn[1] / target.line_scale
        width = OUTLINE_WIDTH * max(1.0, height / 1000.0) * target.line_scale
        values = {
            "outline_width": width,
            "outline_color": SELECTED,
            "outline_mask": self._mask.texture,
        }
        self._programs.draw("outline", values)


class _Mask(SizedObjects):
    """A texture that is drawn into."""

    purpose = "an outline"
    texture: moderngl.Texture
    framebuffer: moderngl.Framebuffer

    def _make(self, size: tuple[int, int], _samples: int) -> None:
        self.texture = self._made.add(self._context.texture(size, 1))
        self.framebuffer = self._made.add(self._context.framebuffer([self.texture]))
