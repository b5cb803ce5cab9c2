"""Opaque and masked surfaces, and the opaque parts of blended ones."""

import moderngl

from .deferred_shading import DeferredShading
from .frame import AnyTarget, Frame, Pass
from .render_target import Target


class OpaquePass(Pass):
    """Draws them behind the wireframe, if there is one."""

    def __init__(self, context: moderngl.Context, deferred: DeferredShading) -> None:
        self._context = context
        self._deferred = deferred

    def draw(self, frame: Frame, target: AnyTarget) -> None:
        """Draw the opaque surfaces of a frame."""
        if frame.look.overlays.wireframe and frame.crowd is None:
            self._context.polygon_offset = 1.0, 1.0
        rest = bool(frame.deferred) and isinstance(target, Target)
        if rest and isinstance(target, Target) and not frame.shaded:
            self._deferred.draw(frame, target)
        for surfaces in frame.surfaces:
            surfaces.draw_opaque(frame.defines(surfaces, target), rest=rest)
