"""The scene's picture in the window, its resolution while it moves, and clicks into it."""

import math
from pathlib import Path
from typing import NamedTuple

from ..rendering.render_target import Target
from ..rendering.renderer import Renderer
from ..session.screenshot import save_picture, without_panels
from ..session.session import Session

BRIEFLY = 0.001  # seconds for events between pieces of textures
DECODING = 0.02  # seconds between looks at textures that are being decoded
SLOW = 0.05  # seconds: longer frames lower the resolution
SLOW_FRAMES = 2  # in a row, before it is lowered: a single one may be a file being loaded
FIRST_TRIAL = 2.0  # seconds of quick frames, before a higher resolution is tried
LAST_TRIAL = 64.0  # the same after it was too slow repeatedly
DIVISORS = (2, 3)
MOVING_SAMPLES = 4  # of the moving scene, at most
_SAMPLED = 2.0  # cost of a pixel with several samples, to one with a single sample


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


class Resolution(NamedTuple):
    """Pixels of the view a pixel of the scene, along each edge, and samples a pixel."""

    divisor: int
    samples: int

    @property
    def cost(self) -> float:
        """Estimated time of a frame, to one at full size with a single sample."""
        return (1.0 if self.samples == 1 else _SAMPLED) / self.divisor**2


class ResolutionSteps:
    """Chooses the resolution of the moving scene from the time that frames take.

    Parameters
    ----------
    samples
        Samples a pixel of the resting scene.

    Attributes
    ----------
    full
        The resolution of the resting scene.
    """

    def __init__(self, samples: int) -> None:
        single = (Resolution(1, 1),) if samples > 1 else ()
        lower = tuple(Resolution(divisor, 1) for divisor in DIVISORS)
        self.full = Resolution(1, samples)
        self._steps = (Resolution(1, min(samples, MOVING_SAMPLES)), *single, *lower)
        self._step = 0
        self._slow: list[float] = []  # seconds of the last frames, all of them slow
        self._since = 0.0  # time of the last slow frame or change
        self._trial = False  # whether the step was raised to try it
        self._wait = FIRST_TRIAL

    @property
    def moving(self) -> Resolution:
        """The resolution of the moving scene."""
        return self._steps[self._step]

    def measure(self, seconds: float, now: float) -> None:
        """Consider the time of a frame that drew the moving scene, which ended at `now`."""
        if seconds > SLOW:
            self._slow.append(seconds)
            self._since = now
            if len(self._slow) == SLOW_FRAMES:
                self._lower(min(self._slow))
            return
        self._slow.clear()
        if self._step and now - self._since > self._wait:
            self._step -= 1
            self._since, self._trial = now, True
        elif self._trial and now - self._since > FIRST_TRIAL:
            self._trial, self._wait = False, FIRST_TRIAL

    def _lower(self, seconds: float) -> None:
        """Take the next step whose frames are estimated to be quick enough, or the last one."""
        self._slow.clear()
        if self._trial:
            self._trial, self._wait = False, min(2.0 * self._wait, LAST_TRIAL)
        goal = self.moving.cost * SLOW / seconds
        lower = range(self._step + 1, len(self._steps))
        self._step = next((k for k in lower if self._steps[k].cost <= goal), len(self._steps) - 1)
