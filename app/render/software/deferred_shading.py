"""Deferred shading: the data of visible surfaces first, then their colours, once per pixel.

Software renderers shade blocks of pixels for each triangle: small triangles cost many times their
pixels. The data are cheap to draw, and no hidden surface is shaded. Samples of the driver that show
one smooth surface are shaded together.
"""

from collections.abc import Iterable

import moderngl
import numpy as np

from ...animation.types import F32
from ..draw_item import DrawItem
from ..frame import Frame, Group
from ..program import UNITS, Defines, Programs
from ..render_target import SurfaceData, Target
from ..surfaces import Surfaces
from .behind_samples import is_whole, surface_box

MOST_GROUPS = 16  # that have different numbers in the data
DENSE = 200  # pixels of the picture per triangle and material; with more of them it costs more
MOST_BYTES = 1 << 30  # of the data
DEPTH_STEPS = 1 << 24  # of a depth buffer
NEAREST = -1.0 + 32.0 / DEPTH_STEPS  # of clip space: in front of all surfaces but behind 0
EXACT = 1e-4  # greatest error of points that are computed from depths, of the size of the scene
_ADD_COLOR = moderngl.ONE, moderngl.ONE, moderngl.ZERO, moderngl.ONE
_OVER = moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA


class DeferredShading:
    """Draws the surfaces of a frame that can be shaded later."""

    def __init__(self, context: moderngl.Context, programs: Programs) -> None:
        self._context = context
        self._programs = programs
        self._arrays: dict[tuple[str, Defines], moderngl.VertexArray] = {}

    def draw(self, frame: Frame, target: Target) -> None:
        """Draw the data of the deferred surfaces of a frame, and shade them."""
        data = target.begin_data(frame.part)
        self._context.disable(moderngl.BLEND)
        for number, group in enumerate(frame.deferred):
            for surfaces, item in group.items:
                surfaces.draw_data(item, number)
        target.begin_shading()
        self._shade(data, frame, target)

    def release(self) -> None:
        """Free the vertex arrays; they are created again when they are needed."""
        for array in self._arrays.values():
            array.release()
        self._arrays.clear()

    def _shade(self, data: SurfaceData, frame: Frame, target: Target) -> None:
        """Draw the colours of all groups over what is behind the surfaces.

        Each is a triangle in front of or behind everything, where nothing else has that depth:
        llvmpipe skips blocks where all pixels fail the depth test.
        """
        context, into = self._context, target.framebuffer
        data.texture.use(UNITS["surface_data"])
        data.depth.use(UNITS["surface_depth"])
        context.disable(moderngl.CULL_FACE)
        context.enable(moderngl.BLEND)
        context.depth_func, depth = ">", 1.0
        kind: dict[str, int] = {}
        if target.multisampled:
            kind["MULTISAMPLED"] = 1
            into.scissor = surface_box(frame, target)
            context.depth_func = "1"
            self._render("cover", frozenset(kind.items()))
            context.blend_func = _ADD_COLOR  # type: ignore[assignment]  # the stub lacks four
            context.depth_func, depth = "<", NEAREST
        into.depth_mask = False
        values = frame.lighting.defines | kind | {"DEFERRED": 1, "CARRIED": 1}
        matrix = from_clip(frame, target.size)
        for number, group in enumerate(frame.deferred):
            defines: Defines = frozenset({**group.material.defines, **values}.items())
            program = self._programs.get("shade", defines)
            uniform = program["from_clip"]
            assert isinstance(uniform, moderngl.Uniform)
            uniform.write(matrix)
            if target.multisampled:
                program["drawn_size"] = target.viewport_of(frame.part)[2:]
                program["depth_slope"] = depth_slope(frame, target.size)
            program["material_group"] = number
            program["triangle_depth"] = depth
            group.material.use()
            self._render("shade", defines)
        into.depth_mask = True
        into.scissor = frame.part.scissor(target.size)
        context.depth_func = "<="
        context.blend_func = _OVER

    def _render(self, name: str, defines: Defines) -> None:
        """Draw a triangle that covers the picture."""
        program = self._programs.get(name, defines)
        known = self._arrays.get((name, defines))
        if known is None or known.program is not program:
            if known is not None:
                known.release()
            known = self._arrays[name, defines] = self._context.vertex_array(program, [])
        known.render(moderngl.TRIANGLES, vertices=3)


def deferred_groups(frame: Frame, target: Target) -> list[Group]:
    """Return the surfaces of a frame that are to be shaded later, on a software renderer.

    With the driver's samples, they are all opaque ones, or none.
    """
    if frame.look.overlays.wireframe or target.masked or target.data_bytes > MOST_BYTES:
        return []
    if target.multisampled and not (is_whole(frame, target) and _all_deferred(frame)):
        return []
    found = groups(frame.surfaces)
    width, height = target.viewport_of(frame.part)[2:]
    triangles = sum(surfaces.deferred_triangles for surfaces in frame.surfaces)
    dense = triangles * DENSE >= width * height * len(found)
    exact = _depth_error(frame, target) < EXACT * frame.size
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
        and len(surfaces.deferred) + len(_blended(surfaces)) == len(surfaces.items)
        for surfaces in frame.surfaces
    )


def has_more(frame: Frame) -> bool:
    """Return whether anything is drawn over the deferred surfaces of a frame."""
    return frame.overlaid or any(_blended(surfaces) for surfaces in frame.surfaces)


def _blended(surfaces: Surfaces) -> list[DrawItem]:
    return [item for item in surfaces.items if item.material.blend]


def _depth_error(frame: Frame, target: Target) -> float:
    """Return the error of points at the far end of a scene by the steps of depth, metres."""
    away = 1.0
    if not frame.camera.ortho:
        away = float(np.linalg.norm(frame.extent.mean(axis=0) - frame.eye)) + frame.size / 2.0
    return away**2 / (DEPTH_STEPS * max(depth_slope(frame, target.size), 1e-30))


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
