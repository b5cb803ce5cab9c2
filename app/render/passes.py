"""The shadow map of the first light that casts a shadow, and the lights themselves."""

import moderngl

from .frame import AnyTarget, Frame, Pass
from .frame_block import FrameBlock
from .lights import GpuLights
from .shadow import ShadowMap


class ShadowPass(Pass):
    """Draws the depth of all surfaces as seen by the light, and binds map and lights."""

    def __init__(self, context: moderngl.Context, shadow_map: ShadowMap) -> None:
        self._map = shadow_map
        self._block = FrameBlock(context)
        self._lights = GpuLights(context)

    def draw(self, frame: Frame, _: AnyTarget) -> None:
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
