"""Sources: what a pose may come from."""

from typing import Protocol

from numpy.typing import ArrayLike

from app.animation.clip import Clip
from app.animation.playback import Playback
from app.animation.pose import Pose
from app.animation.types import F64


class Source(Protocol):
    """Something that has a pose at every time."""

    def advance(self, tau: ArrayLike) -> None:
        """Go to a global time, seconds."""

    def sample(self, out: Pose) -> None:
        """Write the whole pose of the time advanced to."""


class ClipSource:
    """A clip and where it stands. What the clip does not touch is at rest.

    Parameters
    ----------
    clip, playback
        The playback's batch is the batch of the poses.
    rest
        Pose of the skeleton at rest, without a batch.
    """

    def __init__(self, clip: Clip, playback: Playback, rest: Pose) -> None:
        self.clip = clip
        self.playback = playback
        self.time: F64 = playback.time(playback.tau0)  # [...] clip time, seconds
        self._rest = rest

    def advance(self, tau: ArrayLike) -> None:
        """Go to a global time, seconds."""
        self.time = self.playback.advance(tau).time

    def sample(self, out: Pose) -> None:
        """Write the whole pose of the time advanced to."""
        out.assign(self._rest)
        self.clip.sample(self.time, out)


class StillSource:
    """One pose that stands still."""

    def __init__(self, pose: Pose) -> None:
        self._pose = pose

    def advance(self, tau: ArrayLike) -> None:
        """Do nothing: it is the same at any time."""

    def sample(self, out: Pose) -> None:
        """Write the pose."""
        out.assign(self._pose)
