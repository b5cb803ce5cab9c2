"""Blended surfaces, back to front."""

from .frame import AnyTarget, Frame, Pass
from .transmission import TransmissionTarget


class BlendedPass(Pass):
    """Draws them over everything else; they hide nothing behind them."""

    def draw(self, frame: Frame, target: AnyTarget) -> None:
        """Draw the blended surfaces of a frame; no transmissive ones in the background of those."""
        transmissive = not isinstance(target, TransmissionTarget)
        target.framebuffer.depth_mask = False
        for surfaces in sorted(
            frame.surfaces, key=lambda drawn: -float((drawn.origin - frame.eye) @ frame.view_axis)
        ):
            defines = frame.defines(surfaces, target)
            surfaces.draw_blended(defines, frame, transmissive=transmissive)
        target.framebuffer.depth_mask = True
