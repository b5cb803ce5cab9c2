"""How a part of a picture is drawn into a target: forward, all passes in their order."""

from collections.abc import Sequence
from dataclasses import replace

import moderngl

from ..animation.types import F32
from .context import SizedObjects, set_surface_state, widen_lines
from .frame import Frame, Pass
from .frame_block import FrameBlock
from .passes import TransmissivePass
from .picture import Picture
from .program import UNITS, Programs
from .render_target import Target

RADIANCE = {"RADIANCE": 1}  # in shaders
TRANSMITTED = "transmitted_light", "transmitted_unlit"  # uniforms of the textures


class TransmissionTarget(SizedObjects):
    """What transmissive surfaces show behind them: the frame without them, with mipmaps.

    There are two textures. Lit surfaces are stored as linear radiance, before tone mapping, so that
    their full brightness is transmitted. Unlit surfaces, ground and background are stored as
    displayed. Both are drawn in one pass, by shaders with RADIANCE defined.
    """

    purpose = "transmission"
    _textures: list[moderngl.Texture]
    _framebuffers: list[moderngl.Framebuffer]

    def begin(self, seen: Picture) -> Picture:
        """Bind and clear both for what is seen through the transmissive surfaces of a picture.

        Raises
        ------
        ContextError
            The driver cannot allocate it.
        """
        self.make(seen.drawn, seen.samples)
        both, displayed = self._framebuffers[:2]
        both.clear(depth=1.0)
        displayed.clear(*seen.color, depth=1.0)
        both.use()
        both.viewport = seen.viewport
        return replace(
            seen, framebuffer=both, displayed=displayed, tiles=None, defines=RADIANCE, linear=False
        )

    def finish(self) -> None:
        """Resolve the samples, build mipmaps, and bind both textures."""
        if len(self._framebuffers) > 2:
            self._context.copy_framebuffer(self._framebuffers[2], self._framebuffers[0])
        for texture, name in zip(self._textures, TRANSMITTED, strict=True):
            texture.build_mipmaps()
            texture.filter = (moderngl.LINEAR_MIPMAP_NEAREST, moderngl.LINEAR)
            texture.use(UNITS[name])

    def _make(self, size: tuple[int, int], samples: int) -> None:
        context, add = self._context, self._made.add
        self._textures = [add(context.texture(size, 4, dtype=kind)) for kind in ("f2", "f1")]
        for texture in self._textures:
            texture.repeat_x = texture.repeat_y = False
        drawn: list[moderngl.Texture | moderngl.Renderbuffer] = [*self._textures]
        if samples > 1:
            drawn = [
                add(context.renderbuffer(size, 4, samples=samples, dtype=kind))
                for kind in ("f2", "f1")
            ]
        depth = add(context.depth_renderbuffer(size, samples=samples if samples > 1 else 0))
        self._framebuffers = [
            add(context.framebuffer(drawn, depth)),
            add(context.framebuffer(drawn[1:], depth)),
        ]
        if samples > 1:
            self._framebuffers.append(add(context.framebuffer(self._textures)))


class ForwardDrawing:
    """Runs passes one after the other, for each picture that a target averages.

    Parameters
    ----------
    passes
        All passes, in their order.
    """

    def __init__(
        self, context: moderngl.Context, programs: Programs, passes: Sequence[Pass]
    ) -> None:
        self._context = context
        self._programs = programs
        self._passes = passes
        self._block = FrameBlock(context)
        self._refracted = TransmissionTarget(context)
        self._behind = [  # what is seen through transmissive surfaces
            step
            for step in passes
            if not (step.over_surfaces or isinstance(step, TransmissivePass))
        ]

    def draw(self, frame: Frame, target: Target, environment: F32) -> None:
        """Draw a frame into its part of a target.

        `environment` are the irradiance coefficients (see `environment_rows`).
        """
        for picture in target.pictures(self._programs, frame.part, frame.clear_color):
            self._prepare(frame, picture, environment)
            picture.clear()
            for step in self._passes:
                step.draw(frame, picture)

    def _prepare(self, frame: Frame, picture: Picture, environment: F32) -> None:
        """Set what surfaces need in a picture, and draw what they refract in it."""
        widen_lines(self._context, picture.size[1], picture.zoom)
        self._block.use(frame, picture.size, environment, picture.shift, picture.zoom)
        set_surface_state(self._context)
        if any(surfaces.transmits for surfaces in frame.surfaces):
            seen = self._refracted.begin(picture)
            for step in self._behind:
                step.draw(frame, seen)
            self._refracted.finish()

    def unload(self) -> None:
        """Free what has the size of a picture."""
        self._refracted.release()

    def release(self) -> None:
        """Free all GPU objects, and those of the passes."""
        self.unload()
        self._block.release()
        for step in self._passes:
            step.release()
