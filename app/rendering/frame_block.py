"""The uniform block of a frame: camera, environment, exposure, ground."""

import moderngl
import numpy as np

from ..animation.types import F32
from .frame import Frame
from .ground_pass import SHADOW, radius
from .program import BLOCKS

OCCLUSION_TOLERANCE = 0.05  # difference of depth on one surface, of the radius of occlusion
_VECTORS = 4 + 14  # of lib/frame.glsl


class FrameBlock:
    """The uniform block of lib/frame.glsl."""

    def __init__(self, context: moderngl.Context) -> None:
        self._buffer = context.buffer(reserve=_VECTORS * 16, dynamic=True)
        self.content = b""  # that was uploaded last

    def use(
        self,
        frame: Frame,
        size: tuple[int, int],
        environment: F32,
        shift: tuple[float, float] = (0.0, 0.0),
        zoom: int = 1,
    ) -> None:
        """Upload and bind the values of a frame.

        Parameters
        ----------
        size
            Width and height of the picture, pixels.
        environment
            [N, 4] irradiance coefficients (see `environment_rows`).
        shift
            Offset of the surfaces in clip space, less than a pixel.
        zoom
            The resolution that is drawn, of that of the pixels of the picture.
        """
        camera = frame.camera
        block: F32 = np.zeros((_VECTORS, 4), np.float32)
        projection = camera.projection(size[0] / size[1])
        block[:4] = projection @ camera.view()
        block[0] += shift[0] * block[3]
        block[1] += shift[1] * block[3]
        block[4] = *frame.eye, 0.0 if camera.ortho else 1.0
        block[5] = *-frame.view_axis, zoom
        block[6 : 6 + len(environment)] = environment
        drawn = size[0] * zoom, size[1] * zoom
        pixel = 2.0 / (projection[1, 1] * drawn[1])
        block[15] = *drawn, 2.0**frame.look.shading.exposure, pixel
        block[16] = frame.floor, frame.cell, radius(frame) if frame.look.grid else 0.0, SHADOW
        occlusion = frame.lighting.occlusion
        tolerance = OCCLUSION_TOLERANCE * frame.occlusion_radius if occlusion else 0.0
        block[17] = *shift, tolerance, frame.part.viewport(size)[0] * zoom
        self._bind(block)

    def use_matrix(self, world_to_clip: F32) -> None:
        """Upload and bind only a matrix [4, 4], for depth alone."""
        self._bind(world_to_clip)

    def release(self) -> None:
        """Free the block."""
        self._buffer.release()

    def _bind(self, data: F32) -> None:
        content = data.tobytes()
        if content != self.content:
            self._buffer.write(content)
            self.content = content
        self._buffer.bind_to_uniform_block(BLOCKS["Frame"])
