"""The scene's picture in the window, and clicks into it."""

from ..render.render_target import Target
from ..render.renderer import Renderer
from ..session.session import Session


class SceneView:
    """The view of a session's scene, drawn into a texture of its own.

    Parameters
    ----------
    renderer
        Draws the scene; freed by `release`.
    samples
        Samples a pixel.

    Attributes
    ----------
    target
        The last picture, None before the first.
    """

    def __init__(self, renderer: Renderer, samples: int) -> None:
        self.renderer = renderer
        self.samples = samples
        self.target: Target | None = None

    def draw(self, session: Session, ratio: float) -> Target:
        """Draw the scene at the size of the view; return its resolved target.

        Parameters
        ----------
        ratio
            Pixels a point.
        """
        left, top, right, bottom = session.interface.view
        size = max(round((right - left) * ratio), 1), max(round((bottom - top) * ratio), 1)
        if self.target is None or self.target.size != size:
            if self.target is not None:
                self.target.release()
            self.target = Target(self.renderer.context, size, self.samples)
        self.renderer.draw(session.scene, self.target)
        self.target.resolve()
        return self.target

    def handle_clicks(self, session: Session) -> None:
        """Orbit around the double-clicked point; make the clicked character active."""
        interface, target = session.interface, self.target
        pivot, interface.pivot = interface.pivot, None
        picked, interface.picked = interface.picked, None
        if target is None:
            return
        aspect = target.size[0] / target.size[1]
        if pivot is not None and (depth := _depth(target, pivot)) < 1.0:
            session.scene.camera.orbit.orbit_around(*pivot, depth, aspect)
        if picked is not None and (depth := _depth(target, picked)) < 1.0:
            session.pick(session.scene.camera.used.unproject(*picked, depth, aspect))

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
