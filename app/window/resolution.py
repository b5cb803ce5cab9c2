"""The resolution of the moving scene, lowered while frames are slow."""

from typing import NamedTuple

SLOW = 0.05  # seconds: longer frames lower the resolution
SLOW_FRAMES = 2  # in a row, before it is lowered: a single one may be a file being loaded
FIRST_TRIAL = 2.0  # seconds of quick frames, before a higher resolution is tried
LAST_TRIAL = 64.0  # the same after it was too slow repeatedly
DIVISORS = (2, 3)
MOVING_SAMPLES = 4  # of the moving scene, at most
_SAMPLED = 2.0  # cost of a pixel with several samples, to one with a single sample


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
