"""When the window draws its next frame: only if something changes, and no faster than the screen.

Times are seconds of one clock, which the callers read.
"""

import math

SETTLING = 3  # frames after a change, in which the panels find their final layout
TICK = 0.1  # seconds between frames while the panels may change by themselves
LINGER = 0.7  # seconds after an event for which they may, as tooltips appear with a delay
REST = 0.3  # seconds without a change after which the scene rests
_EARLY = 0.04  # of an interval: a frame that starts late must not miss the screen's next refresh


class FramePacer:
    """Decides when frames are drawn, and which of them draw the scene.

    Parameters
    ----------
    rate
        Frames a second, at most.
    """

    def __init__(self, rate: float) -> None:
        self._interval = (1.0 - _EARLY) / rate
        self._begun = -math.inf  # start of the last frame
        self._event = -math.inf  # last input, or last change
        self._changed = -math.inf  # last change of the scene
        self._frames = 0  # to draw because of it
        self._scenes = 0  # of them with the scene
        self._whole = 0  # of them with all panels
        self._moving = False

    def point(self, now: float) -> None:
        """Note a move of the pointer without a button."""
        self._event, self._frames = now, SETTLING

    def orbit(self, now: float) -> None:
        """Note a drag that moves the camera."""
        self.point(now)
        self._changed, self._scenes = now, SETTLING

    def change_panels(self, now: float) -> None:
        """Note a change that only panels show."""
        self.point(now)
        self._whole = SETTLING

    def change(self, now: float) -> None:
        """Note a change of scene and panels, or input that may change them."""
        self.change_panels(now)
        self.orbit(now)

    def move(self, now: float, *, moving: bool) -> None:
        """Note whether the scene moves by itself or is being dragged."""
        if self._moving and not moving:
            self.change(now)
        self._moving = moving

    def resting(self, now: float) -> bool:
        """Return whether the scene has been still for some time."""
        return not self._moving and now >= self._changed + REST

    @property
    def moving(self) -> bool:
        """Whether the scene moves by itself or is being dragged."""
        return self._moving

    @property
    def settled(self) -> bool:
        """Whether all frames that a change needs are drawn."""
        return not self._moving and not self._frames

    @property
    def keeps_panels(self) -> bool:
        """Whether the scene moves, and since the last change only time, pointer and camera did."""
        return self._moving and not self._whole

    def wait(self, now: float, *, sharp: bool, until: float = math.inf) -> float:
        """Return the seconds until the next frame, infinite if there is nothing to draw.

        Parameters
        ----------
        sharp
            Whether the last picture of the scene has the full resolution.
        until
            When the panels change by themselves, such as by the end of a notice.
        """
        due = until if until > self._begun else math.inf
        if self._moving or self._frames:
            due = self._begun + self._interval
        elif self._begun < self._event + LINGER:
            due = min(due, self._begun + TICK)
        if not sharp:
            due = min(due, max(self._changed + REST, self._begun + self._interval))
        return max(due - now, 0.0)

    def begin(self, now: float, *, sharp: bool) -> bool:
        """Start a frame; return whether it draws the scene."""
        self._begun = now
        scene = self._moving or self._scenes > 0 or (not sharp and self.resting(now))
        self._frames, self._scenes = max(self._frames - 1, 0), max(self._scenes - 1, 0)
        self._whole = max(self._whole - 1, 0)
        return scene
