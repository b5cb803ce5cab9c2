"""How software renderers draw a part of a picture: as little as possible once for each sample.

The backdrop is drawn once a pixel, or copied from the frame before; dense meshes are shaded once
for each pixel, instead of for each triangle and sample: first the data of visible surfaces are
drawn, then their colours. Software renderers shade blocks of pixels for each triangle: small
triangles cost many times their pixels. The data are cheap to draw, and no hidden surface is shaded.
Samples of the driver that show one smooth surface are shaded together.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

import moderngl
import numpy as np

from ...animation.types import F32
from ..context import GpuObjects
from ..forward_drawing import ForwardDrawing
from ..frame import Frame, Pass
from ..gpu_material import GpuMaterial
from ..gpu_model import DrawItem
from ..multisampling import Multisampling
from ..passes import OpaquePass
from ..picture import CLEAR, Picture, Rectangle
from ..program import UNITS, Programs
from ..render_target import Target, not_enough_memory
from ..surfaces import Surfaces
from .backdrop import Backdrop, has_backdrop, surface_box

MOST_GROUPS = 16  # that have different numbers in the data
DENSE = 200  # pixels of the picture per triangle and material; with more of them it costs more
DATA_BYTES = 16  # of the data of a sample
MOST_BYTES = 1 << 30  # of all data
DEPTH_STEPS = 1 << 24  # of a depth buffer
NEAREST = -1.0 + 32.0 / DEPTH_STEPS  # of clip space: in front of all surfaces but behind 0
EXACT = 1e-4  # greatest error of points that are computed from depths, of the size of the scene
_ADD_COLOR = moderngl.ONE, moderngl.ONE, moderngl.ZERO, moderngl.ONE
_OVER = moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA


class Group(NamedTuple):
    """Items that are shaded together, by one program with one material."""

    material: GpuMaterial
    items: list[tuple[Surfaces, DrawItem]]


class DeferredShading:
    """Draws surfaces that can be shaded later."""

    def __init__(self, context: moderngl.Context, programs: Programs) -> None:
        self._context = context
        self._programs = programs
        self._made = GpuObjects()
        self._data: moderngl.Framebuffer | None = None  # see lib/surface_data.glsl

    def draw(self, groups: Sequence[Group], frame: Frame, drawn: Picture, into: Picture) -> None:
        """Draw the data of surfaces of a frame, and shade them.

        Parameters
        ----------
        drawn
            Receives the depth of the surfaces; that of the driver's samples is cleared.
        into
            Receives their colours: of the driver's samples the mean, otherwise the same picture.

        Raises
        ------
        ContextError
            The driver cannot allocate the data.
        """
        framebuffer = self._data_of(drawn)
        framebuffer.scissor = drawn.scissor
        if drawn.samples > 1:
            framebuffer.color_mask = False, False, False, False
            framebuffer.clear(depth=1.0)
            framebuffer.color_mask = True, True, True, True
        framebuffer.use()
        framebuffer.viewport = drawn.viewport
        self._context.disable(moderngl.BLEND)
        for number, group in enumerate(groups):
            for surfaces, item in group.items:
                surfaces.draw_data(item, number)
        into.framebuffer.use()
        self._shade(groups, frame, drawn, into)

    def release(self) -> None:
        """Free the data; they are allocated again when they are needed."""
        self._made.close()
        self._data = None

    def _data_of(self, drawn: Picture) -> moderngl.Framebuffer:
        """Return the buffer of four words a sample of a picture, whose depth it shares."""
        depth = drawn.framebuffer.depth_attachment
        if self._data is None or self._data.depth_attachment is not depth:
            self.release()
            samples = drawn.samples if drawn.samples > 1 else 0
            try:
                texture = self._context.texture(drawn.size, 4, dtype="u4", samples=samples)
            except moderngl.Error:
                raise not_enough_memory(drawn.size, drawn.samples) from None
            if not samples:
                texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
            self._made.add(texture)
            self._data = self._made.add(self._context.framebuffer([texture], depth))
        return self._data

    def _shade(self, groups: Sequence[Group], frame: Frame, drawn: Picture, into: Picture) -> None:
        """Draw the colours of all groups over what is behind the surfaces.

        Each is a triangle in front of or behind everything, where nothing else has that depth:
        llvmpipe skips blocks where all pixels fail the depth test.
        """
        context, framebuffer = self._context, into.framebuffer
        data = self._data_of(drawn)
        attached = data.color_attachments[0], data.depth_attachment
        for texture, name in zip(attached, ("surface_data", "surface_depth"), strict=True):
            assert isinstance(texture, moderngl.Texture)
            texture.use(UNITS[name])
        context.disable(moderngl.CULL_FACE)
        context.enable(moderngl.BLEND)
        context.depth_func, depth = ">", 1.0
        kind: dict[str, int] = {}
        if drawn.samples > 1:
            kind["MULTISAMPLED"] = 1
            framebuffer.scissor = surface_box(frame, into)
            context.depth_func = "1"
            self._programs.draw("cover", {}, kind)
            context.blend_func = _ADD_COLOR  # type: ignore[assignment]  # the stub lacks four
            context.depth_func, depth = "<", NEAREST
        framebuffer.depth_mask = False
        kind |= frame.lighting.defines | {"DEFERRED": 1, "CARRIED": 1}
        values = {
            "from_clip": from_clip(frame, into.size),
            "drawn_size": into.viewport[2:],
            "depth_slope": depth_slope(frame, into.size),
            "triangle_depth": depth,
        }
        for number, group in enumerate(groups):
            group.material.use()
            numbered = {**values, "material_group": number}
            self._programs.draw("shade", numbered, {**group.material.defines, **kind})
        framebuffer.depth_mask = True
        framebuffer.scissor = into.scissor
        context.depth_func = "<="
        context.blend_func = _OVER


def deferred_groups(frame: Frame, picture: Picture) -> list[Group]:
    """Return the surfaces of a frame that are to be shaded later, on a software renderer.

    With the driver's samples, they are all opaque ones, or none.
    """
    width, height = picture.drawn
    too_large = width * height * DATA_BYTES * picture.samples > MOST_BYTES
    if frame.look.overlays.wireframe or picture.tiles is not None or too_large:
        return []
    if picture.samples > 1 and not (picture.is_whole and _all_deferred(frame)):
        return []
    found = groups(frame.surfaces)
    triangles = sum(surfaces.deferred_triangles for surfaces in frame.surfaces)
    dense = triangles * DENSE >= width * height * len(found)
    exact = _depth_error(frame, picture.size) < EXACT * frame.size
    return found if len(found) <= MOST_GROUPS and dense and exact else []


def groups(surfaces: Iterable[Surfaces]) -> list[Group]:
    """Return the items of surfaces that can be shaded later, by material."""
    found: dict[int, Group] = {}
    for each in surfaces:
        for item in each.deferred:
            material = item.material
            found.setdefault(id(material), Group(material, [])).items.append((each, item))
    return list(found.values())


def _all_deferred(frame: Frame) -> bool:
    """Return whether all opaque surfaces can be shaded later."""
    return all(
        surfaces.mode == "lit"
        and not surfaces.transmits
        and len(surfaces.deferred) + len(surfaces.blended) == len(surfaces.items)
        for surfaces in frame.surfaces
    )


def has_blended(frame: Frame) -> bool:
    """Return whether a frame has blended surfaces."""
    return any(surfaces.blended for surfaces in frame.surfaces)


def _depth_error(frame: Frame, size: tuple[int, int]) -> float:
    """Return the error of points at the far end of a scene by the steps of depth, metres."""
    away = 1.0
    if not frame.camera.ortho:
        away = float(np.linalg.norm(frame.extent.mean(axis=0) - frame.eye)) + frame.size / 2.0
    return away**2 / (DEPTH_STEPS * max(depth_slope(frame, size), 1e-30))


def depth_slope(frame: Frame, size: tuple[int, int]) -> float:
    """Return the change of depth (0 to 1) per metre; of a perspective, at a distance of 1 m."""
    matrix = frame.camera.projection(size[0] / size[1])
    return float(abs(matrix[2, 2] if frame.camera.ortho else matrix[2, 3])) / 2.0


def from_clip(frame: Frame, size: tuple[int, int]) -> F32:
    """Return the matrix [4, 4] from clip space to points from the camera, columns in its rows."""
    camera = frame.camera
    inverse = np.linalg.inv(camera.projection(size[0] / size[1]) @ camera.view())
    inverse[:3] -= np.outer(frame.eye, inverse[3])
    return np.ascontiguousarray(inverse.T, np.float32)


CLEARED = 0.3  # of a picture: a box that is cleared quicker than the whole


class SoftwareDrawing(ForwardDrawing):
    """Draws the same pictures as `ForwardDrawing`, but for single steps of 255 and edges."""

    def __init__(
        self, context: moderngl.Context, programs: Programs, passes: Sequence[Pass]
    ) -> None:
        super().__init__(context, programs, passes)
        self._at_once = passes
        self._deferred = DeferredShading(context, programs)
        self._backdrop = Backdrop(context, passes)
        opaque = _OpaquePass(context, programs, self._deferred)
        self._passes = [opaque if isinstance(step, OpaquePass) else step for step in passes]

    def draw(self, frame: Frame, target: Target, environment: F32) -> None:
        """Draw a frame into its part of a target."""
        sampling, finished = target.sampling, target.finished(frame.part, frame.clear_color)
        if not isinstance(sampling, Multisampling):
            super().draw(frame, target, environment)
            return
        samples = sampling.picture(finished)
        overlaid = any(step.over_surfaces and step.draws(frame) for step in self._passes)
        alone = finished.is_whole and not overlaid and _only_triangles(frame)
        groups = deferred_groups(frame, samples)
        if not (alone or groups or has_backdrop(frame)):
            super().draw(frame, target, environment)
            return
        sampling.box = None
        self._prepare(frame, samples, environment)
        samples = replace(samples, color=CLEAR)  # the rest of them shows the backdrop
        finished.clear()
        self._backdrop.draw(frame, finished, self._block.content)
        if groups:
            self._deferred.draw(groups, frame, samples, finished)
            if not (overlaid or has_blended(frame)):
                return
            self._draw_over(frame, samples)
        else:
            sampling.box = surface_box(frame, samples) if alone else None
            self._draw_samples(frame, samples, sampling.box)
        sampling.average(self._programs, sampling.box or finished.scissor, over=True)

    def _draw_over(self, frame: Frame, samples: Picture) -> None:
        """Draw what is over shaded surfaces, whose depth stays."""
        samples.framebuffer.depth_mask = False
        samples.clear()
        samples.framebuffer.depth_mask = True
        for step in self._at_once:
            if isinstance(step, OpaquePass):
                draw_rest(frame, samples)
            elif not self._backdrop.draws(step):
                step.draw(frame, samples)

    def _draw_samples(self, frame: Frame, samples: Picture, box: Rectangle | None) -> None:
        """Draw everything but the backdrop, within a box if there is one."""
        framebuffer, (width, height) = samples.framebuffer, samples.size
        if box is not None and box[2] * box[3] < CLEARED * width * height:
            framebuffer.clear(viewport=box)
            framebuffer.use()
            framebuffer.viewport = samples.viewport
        else:
            samples.clear()
        framebuffer.scissor = box or samples.scissor
        for step in self._at_once:
            if not self._backdrop.draws(step):
                step.draw(frame, samples)

    def unload(self) -> None:
        """Free what has the size of a picture."""
        super().unload()
        self._deferred.release()
        self._backdrop.release()


class _OpaquePass(OpaquePass):
    """Draws deferred surfaces later, and the others as on a GPU."""

    def __init__(
        self, context: moderngl.Context, programs: Programs, deferred: DeferredShading
    ) -> None:
        super().__init__(context, programs)
        self._deferred = deferred

    def draw(self, frame: Frame, target: Picture) -> None:
        """Draw the opaque surfaces of a frame."""
        groups = deferred_groups(frame, target)
        if groups:
            self._deferred.draw(groups, frame, target, target)
            draw_rest(frame, target)
        else:
            super().draw(frame, target)


def draw_rest(frame: Frame, picture: Picture) -> None:
    """Draw the opaque surfaces of a frame that are never deferred."""
    for surfaces in frame.surfaces:
        surfaces.draw_opaque(frame.defines(surfaces, picture), rest=True)


def _only_triangles(frame: Frame) -> bool:
    """Return whether all surfaces are of triangles, rather than lines and points."""
    items = (item for surfaces in frame.surfaces for item in surfaces.items)
    return all(item.geometry.mode == moderngl.TRIANGLES for item in items)
