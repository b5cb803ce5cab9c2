"""Render targets: a multisampled framebuffer, or many shifted pictures; resolved and read back."""

from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any, ClassVar, NamedTuple

import moderngl
import numpy as np

from ..animation.types import U8, U32
from ..errors import ContextError
from ..scene.versions import PicturePart
from ..wording import binary_size
from .program import Programs
from .sample_frames import PROBES, Rectangle, SampleFrames, bytes_per_pixel, zoom_of

MULTISAMPLES = 4  # per pixel of a multisampled framebuffer; other numbers are drawn one by one
CLEARED = 0.3  # of a picture: a part that is cleared quicker than the whole
DATA_BYTES = 16  # of a sample of `SurfaceData`
MAX_BYTES = 1 << 32  # of the buffers: 4 GiB
_FEWER = "choose a lower resolution or fewer samples"


class SurfaceData(NamedTuple):
    """Buffers of the data of visible surfaces (see lib/surface_data.glsl)."""

    framebuffer: moderngl.Framebuffer
    texture: moderngl.Texture  # four words
    depth: moderngl.Texture


class Target:
    """A framebuffer of `size` (width, height) pixels with `samples` samples each.

    Four samples are those of the driver, if it has them; other numbers are pictures that are drawn
    one after the other and averaged. With a `divisor`, it is shown as many times
    larger, and overlay lines are as much thinner.

    Attributes
    ----------
    multisamples
        Samples of the framebuffer.
    shifts
        Offset of each picture in clip space.
    zoom
        Resolution of the picture that is drawn next, of that of the finished one.
    quick
        Whether effects that are slow on software renderers are left out.
    masked
        Whether only some pixels are drawn: those of the greatest depth, before anything is drawn.

    Raises
    ------
    ContextError
        It takes more than `MAX_BYTES`, or the driver cannot allocate it.
    """

    defines: ClassVar[dict[str, int]] = {}  # in shaders of surfaces

    def __init__(
        self, context: moderngl.Context, size: tuple[int, int], samples: int = 4, divisor: int = 1
    ) -> None:
        self.context = context
        self.size = size
        self.divisor = divisor
        limit = context.info["GL_MAX_RENDERBUFFER_SIZE"]
        if max(size) > limit:
            raise ContextError(f"a picture of {size[0]} x {size[1]} pixels; at most {limit}")
        self.samples = samples
        multisampled = samples == MULTISAMPLES <= context.max_samples
        self.multisamples = MULTISAMPLES if multisampled else 1
        self._zoom = zoom_of(samples, limit / max(size))
        self._check_size()
        self.shifts = [(0.0, 0.0)]
        self.quick = False
        self._resolving: moderngl.VertexArray | None = None
        self.masked = False
        self.zoom = 1
        self._opaque = True  # the background
        self._viewport = 0, 0, *size  # of the part that is drawn, pixels
        self._frames: SampleFrames | None = None
        self._data: SurfaceData | None = None
        self._multisampled: moderngl.Framebuffer | None = None
        self._is_behind = False  # whether anything is drawn behind the samples
        self._box: Rectangle | None = None  # around the samples that differ from it
        self._is_shaded = False  # whether their mean is drawn already
        self._single: moderngl.Framebuffer | None = None  # receives the depth of the samples
        self._words: U32 | None = None  # [H, W] buffer of the last read, bottom row first
        with ExitStack() as made:
            try:
                self._allocate(made)
            except moderngl.Error:
                sides = f"{size[0]} x {size[1]} pixels with {self.samples} samples"
                raise ContextError(f"not enough GPU memory for {sides}", hint=_FEWER) from None
            made.pop_all()  # keep them

    def _check_size(self) -> None:
        """Raise if the buffers take too much memory, before any of it is allocated."""
        pixel = 8  # colour and depth, bytes
        if self.multisamples > 1:
            pixel += 8 * self.multisamples
        elif self.samples > 1:
            pixel += bytes_per_pixel(self._zoom)
        width, height = self.size
        if (needed := width * height * pixel) > MAX_BYTES:
            taken = f"{width} x {height} pixels with {self.samples} samples"
            taken += f" take {binary_size(needed)} of memory"
            raise ContextError(f"{taken}; at most {binary_size(MAX_BYTES)}", hint=_FEWER)

    def _allocate(self, made: ExitStack) -> None:
        """Create the framebuffers, and add what frees them."""
        context, size = self.context, self.size
        self.texture = context.texture(size, 4)
        made.callback(self.texture.release)
        depth = depth_texture(context, size)
        made.callback(depth.release)
        self._resolved = self.framebuffer = context.framebuffer([self.texture], depth)
        made.callback(self._resolved.release)
        if self.multisamples == 1 < self.samples:
            self._frames = SampleFrames(context, self.texture, self.samples, self._zoom, depth)
            made.callback(self._frames.release)
            self.shifts = self._frames.shifts
        elif self.samples > 1:
            color = context.texture(size, 4, samples=self.samples)
            made.callback(color.release)
            depth = context.depth_texture(size, samples=self.samples)
            made.callback(depth.release)
            self._multisampled = self.framebuffer = context.framebuffer([color], depth)

    @property
    def drawn(self) -> tuple[int, int]:
        """Width and height of the picture that is drawn next."""
        return self.size[0] * self.zoom, self.size[1] * self.zoom

    def viewport_of(self, part: PicturePart) -> Rectangle:
        """Return the box that the camera's picture fills in the picture that is drawn next."""
        return zoomed(part.viewport(self.size), self.zoom)

    @property
    def line_scale(self) -> float:
        """Pixels of the picture that is drawn next for one of the picture as it is shown."""
        return self.zoom / self.divisor

    @property
    def unlit(self) -> moderngl.Framebuffer:
        """Where unlit things are drawn: the same framebuffer."""
        return self.framebuffer

    def select(self, number: int) -> None:
        """Choose the picture that is drawn next, of those of `shifts`."""
        if self._frames is not None:
            self.zoom, self.masked = self._frames.zoom(number), number >= PROBES

    @property
    def multisampled(self) -> bool:
        """Whether the samples of the driver are drawn, and averaged at the end."""
        return self.multisamples > 1

    def begin_behind(self, color: tuple[float, float, float, float], part: PicturePart) -> None:
        """Bind the finished picture for what is behind the samples of a part, and clear it.

        `color` is sRGB, premultiplied.
        """
        self._is_behind = True
        self.framebuffer = self._resolved
        self.framebuffer.scissor = part.scissor(self.size)
        self.framebuffer.clear(*color, depth=1.0)
        self.framebuffer.use()
        self.framebuffer.viewport = part.viewport(self.size)

    def begin(
        self,
        color: tuple[float, float, float, float],
        part: PicturePart,
        programs: Programs,
        number: int = 0,
        box: Rectangle | None = None,
    ) -> None:
        """Bind the framebuffer for a part of the picture, and clear that part.

        Parameters
        ----------
        color
            sRGB, premultiplied.
        number
            Of the samples that are drawn one by one.
        box
            Where anything is drawn over what is behind the samples; None: everywhere.
        """
        scissor = part.scissor(self.size)
        if self._multisampled is not None:
            color = (0.0, 0.0, 0.0, 0.0) if self._is_behind else color
            self.framebuffer = self._multisampled
        if self._frames is not None:
            self.framebuffer = self._frames.begin(scissor, number)
        self.framebuffer.scissor = zoomed(scissor, self.zoom)
        self._opaque = color[3] >= 1.0
        self.framebuffer.color_mask = (not self.masked,) * 4
        depth, cleared = 0.0 if self.masked else 1.0, self._quickly_cleared(box)
        self.framebuffer.clear(*color, depth=depth, viewport=cleared)
        self.framebuffer.color_mask = True, True, True, True
        self.framebuffer.use()
        self._viewport = part.viewport(self.size)
        self.framebuffer.viewport = self.viewport_of(part)
        self._box = box
        if box is not None:
            self.framebuffer.scissor = box
        if self._frames is not None and self.masked:
            self.framebuffer.scissor = zoomed(self._frames.rectangle, self.zoom)
            self._frames.open_wanted(programs, color, self._viewport, number)

    def _quickly_cleared(self, box: Rectangle | None) -> Rectangle | None:
        """Return the box to clear, None for everything, which is quicker if the box is large."""
        pixels = self.size[0] * self.size[1]
        return box if box is not None and box[2] * box[3] < CLEARED * pixels else None

    def draw_behind(self, programs: Programs, name: str, values: Mapping[str, Any]) -> None:
        """Draw a program at the greatest depth, where a masked picture is drawn.

        The program is one with `TILED` defined; `values` are its uniforms.
        """
        assert self._frames is not None
        self._frames.draw_behind(programs, name, values, self._viewport)

    @property
    def data_bytes(self) -> int:
        """Memory of the data of surfaces, bytes."""
        width, height = self.size
        return width * height * DATA_BYTES * self.multisamples

    def begin_data(self, part: PicturePart) -> SurfaceData:
        """Bind the buffers of the data of surfaces, which share the depth of the picture.

        The depth of the driver's samples is cleared.

        Raises
        ------
        ContextError
            The driver cannot allocate them.
        """
        self._box = None
        data = self._data = self._data or self._made_data()
        framebuffer = data.framebuffer
        framebuffer.scissor = part.scissor(self.size)
        if self.multisampled:
            framebuffer.color_mask = False, False, False, False
            framebuffer.clear(depth=1.0)
            framebuffer.color_mask = True, True, True, True
        framebuffer.use()
        framebuffer.viewport = self.viewport_of(part)
        return data

    def begin_shading(self) -> None:
        """Bind the framebuffer that surfaces are shaded into: of the driver's samples the mean."""
        self._is_shaded = self.multisampled
        self.framebuffer.use()

    def begin_over(self, part: PicturePart) -> None:
        """Bind the driver's samples for what is drawn over shaded surfaces; their depth stays."""
        assert self._multisampled is not None
        self._is_shaded, self._box = False, None
        drawn = self.framebuffer = self._multisampled
        drawn.scissor = part.scissor(self.size)
        drawn.depth_mask = False
        drawn.clear()
        drawn.depth_mask = True
        drawn.use()
        drawn.viewport = self.viewport_of(part)

    def _made_data(self) -> SurfaceData:
        drawn = self._multisampled or self._resolved
        depth = drawn.depth_attachment
        assert isinstance(depth, moderngl.Texture)
        samples = self.multisamples if self.multisampled else 0
        try:
            texture = self.context.texture(depth.size, 4, dtype="u4", samples=samples)
        except moderngl.Error:
            sides = f"{self.size[0]} x {self.size[1]} pixels with {self.samples} samples"
            raise ContextError(f"not enough GPU memory for {sides}", hint=_FEWER) from None
        if not samples:
            texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
        return SurfaceData(self.context.framebuffer([texture], depth), texture, depth)

    def add(self, programs: Programs, number: int) -> bool:
        """Add the samples drawn; return whether the part of the picture is finished."""
        if self._frames is None:
            return True
        finished = self._frames.add(programs, number, opaque=self._opaque)
        if finished:
            self.framebuffer = self._resolved
        return finished

    def end(self, programs: Programs) -> None:
        """End drawing parts: what follows is not limited to one. Average the samples."""
        self.framebuffer.scissor = None  # type: ignore[assignment]  # the stub lacks "none"
        if self._multisampled is not None:
            self._resolved.scissor = self._box  # type: ignore[assignment]
            self._resolved.viewport = 0, 0, *self.size
            if not self._is_shaded:
                self._resolve(programs)
            self._is_behind = self._is_shaded = False

    def _resolve(self, programs: Programs) -> None:
        """Draw the average of the samples over what is behind them.

        It is done by a shader: Mesa compiles that of a blit in every process.
        """
        if self._resolving is None:
            self._resolving = self.context.vertex_array(programs.get("resolve"), [])
        drawn = self.framebuffer.color_attachments[0]
        assert isinstance(drawn, moderngl.Texture)
        self._resolved.use()
        self.context.enable_only(moderngl.BLEND if self._is_behind else moderngl.NOTHING)
        self.context.blend_func = (moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA)
        drawn.use(0)
        self._resolving.program["samples"] = 0
        self._resolving.render(moderngl.TRIANGLES, vertices=3)

    def read(self) -> U8:
        """Return the picture [H, W, 4], top row first, straight alpha."""
        width, height = self.size
        if self._words is None:
            self._words = np.empty((height, width), "<u4")  # reused: new pages are slow
        self._resolved.read_into(self._words, components=4, alignment=1)
        words = self._words[::-1]
        if int(words.min()) >> 24 == 255:  # all opaque: checking whole words is faster
            words = words.copy()
            return words.view(np.uint8).reshape(height, width, 4)
        return straight_alpha(words.view(np.uint8).reshape(height, width, 4))

    def depth(self, x: int, y: int) -> float:
        """Return the depth, -1 near to 1 far, at a pixel counted from the top left."""
        drawn, flipped = self._resolved, self.size[1] - 1 - y
        if self._box is not None and not _holds(self._box, x, flipped):
            return 1.0
        if self._multisampled is not None:
            drawn = self._single = self._single or self.context.simple_framebuffer(self.size)
            self.context.copy_framebuffer(drawn, self._multisampled)
        data = drawn.read((x, flipped, 1, 1), attachment=-1, dtype="f4", alignment=1)
        return float(np.frombuffer(data, np.float32)[0]) * 2.0 - 1.0

    def release(self) -> None:
        """Free the target; the default framebuffer is bound, as bound ones cannot be freed."""
        self.context.detect_framebuffer(0).use()
        if self._frames is not None:
            self._frames.release()
        if self._resolving is not None:
            self._resolving.release()
        if self._data is not None:
            self._data.framebuffer.release()
            self._data.texture.release()
        framebuffers = {self.framebuffer, self._resolved, self._single or self._resolved}
        for framebuffer in framebuffers:
            for attachment in framebuffer.color_attachments:
                attachment.release()
            if framebuffer.depth_attachment is not None:
                framebuffer.depth_attachment.release()
            framebuffer.release()


def depth_texture(context: moderngl.Context, size: tuple[int, int]) -> moderngl.Texture:
    """Return a depth texture that is read as numbers."""
    texture = context.depth_texture(size)
    texture.compare_func = ""
    texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
    return texture


def _holds(box: Rectangle, x: int, y: int) -> bool:
    left, low, width, height = box
    return left <= x < left + width and low <= y < low + height


def zoomed(box: Rectangle, zoom: int) -> Rectangle:
    """Return a box in a picture of `zoom` times the resolution."""
    left, low, width, height = box
    return left * zoom, low * zoom, width * zoom, height * zoom


def straight_alpha(premultiplied: U8) -> U8:
    """Return [H, W, 4] with colours divided by alpha; all four are 0 if alpha is 0."""
    alpha = premultiplied[..., 3:]
    if (alpha == 255).all():
        return np.ascontiguousarray(premultiplied)
    safe = np.maximum(alpha, 1).astype(np.float32)
    color = np.minimum(np.rint(premultiplied[..., :3] * (255.0 / safe)), 255.0)
    return np.concatenate([np.where(alpha == 0, 0, color).astype(np.uint8), alpha], axis=-1)
