"""The scene's picture in the window, and clicks into it."""

import math
from pathlib import Path

from ..rendering.render_target import Target
from ..rendering.renderer import Renderer
from ..session.screenshot import save_picture, without_panels
from ..session.session import Session
from .resolution import Resolution, ResolutionSteps

BRIEFLY = 0.001  # seconds for events between pieces of textures
DECODING = 0.02  # seconds between looks at textures that are being decoded


class SceneView:
    """The view of a session's scene, drawn into a texture of its own.

    Parameters
    ----------
    renderer
        Draws the scene; freed by `release`.
    samples
        Samples a pixel of the resting scene.
    jobs
        Compile poses.

    Attributes
    ----------
    steps
        Chooses the resolution of the moving scene.
    target
        The last picture, None before the first.
    """

    def __init__(self, renderer: Renderer, samples: int) -> None:
        self.renderer = renderer
        self.samples = samples
        self.steps = ResolutionSteps(samples)
        self.target: Target | None = None
        self._drawn: tuple[tuple[int, int], Resolution] | None = None  # full size and resolution

    @property
    def sharp(self) -> bool:
        """Whether the last picture has the full resolution and all effects."""
        if self.target is None or self._drawn is None or self.target.quick:
            return False
        return self._drawn[1] == self.steps.full

    @property
    def complete(self) -> bool:
        """Whether it is sharp, and all textures are uploaded."""
        return self.sharp and not self.renderer.textures_pending

    @property
    def poll_seconds(self) -> float:
        """The longest time between two pieces of textures, seconds."""
        if not self.renderer.textures_pending:
            return math.inf
        return BRIEFLY if self.renderer.textures_ready else DECODING

    def size(self, session: Session, ratio: float) -> tuple[int, int]:
        """Return the size of the view in pixels.

        Parameters
        ----------
        ratio
            Pixels a point.
        """
        left, top, right, bottom = session.interface.viewport.box
        return max(round((right - left) * ratio), 1), max(round((bottom - top) * ratio), 1)

    def draw(self, session: Session, ratio: float, *, full: bool, redraw: bool = True) -> Target:
        """Draw the scene; return its resolved target.

        Parameters
        ----------
        ratio
            Pixels a point.
        full
            Draw at full resolution, rather than that of the moving scene.
        redraw
            Whether the scene may differ from the last picture, which is returned otherwise.
        """
        size = self.size(session, ratio)
        known = self._drawn is not None and self._drawn[0] == size
        if self.target is not None and known and not redraw:
            return self.target
        resolution = self.steps.full if full else self.steps.moving
        if self.target is None or self._drawn != (size, resolution):
            if self.target is not None:
                self.target.release()
            smaller = max(size[0] // resolution.divisor, 1), max(size[1] // resolution.divisor, 1)
            self.target = Target(
                self.renderer.context, smaller, resolution.samples, resolution.divisor
            )
            self._drawn = size, resolution
        occluded = session.scene.look.shading.occlusion and self.renderer.software
        self.target.quick = occluded and not full
        self.renderer.draw(session.scene, self.target)
        return self.target

    def save_picture(self, session: Session, ratio: float) -> Path:
        """Save the scene at full resolution, and return the path.

        Raises
        ------
        OutputError
            The file cannot be written.
        """
        with without_panels(session) as anew:
            anew = self.renderer.finish_textures() or anew or not self.sharp
            return save_picture(session, self.draw(session, ratio, full=True, redraw=anew))

    def handle_clicks(self, session: Session) -> None:
        """Orbit around the double-clicked point."""
        interface, target = session.interface, self.target
        pivot, interface.viewport.pivot = interface.viewport.pivot, None
        if target is None:
            return
        aspect = target.size[0] / target.size[1]
        if pivot is not None and (depth := _depth(target, pivot)) < 1.0:
            x = pivot[0] - session.scene.part_at(pivot[0]).shift
            session.scene.camera.orbit_around(x, pivot[1], depth, aspect)

    def release(self) -> None:
        """Free all resources."""
        if self.target is not None:
            self.target.release()
        self.renderer.release()


def _depth(target: Target, place: tuple[float, float]) -> float:
    """Return the depth (-1..1) at a position (0..1) of the view; 1 for the background."""
    width, height = target.size
    pixel = min(int(place[0] * width), width - 1), min(int(place[1] * height), height - 1)
    return target.depth(max(pixel[0], 0), max(pixel[1], 0))
