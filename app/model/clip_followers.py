"""Which clips can follow one clip: its end compared with the start of every clip, a few at a time.

Amounts and limits are those of `rigview.model.transition_continuity`.
"""

from dataclasses import dataclass

import numpy as np

from .model import Model
from .transition_continuity import DEGREES, METRES, angles, distances, sampled_joints


@dataclass(frozen=True, slots=True)
class Follower:
    """A clip, and the differences of its start from the end of another."""

    clip: int
    metres: float  # greatest distance between positions of a joint, model space
    degrees: float  # greatest angle between local rotations of a joint
    joint: int  # of the greatest distance, -1 without joints

    @property
    def joins(self) -> bool:
        """Whether it follows without a blend."""
        return self.miss <= 1.0

    @property
    def miss(self) -> float:
        """The larger difference, relative to the limits of poses that are equal."""
        return max(self.metres / METRES, self.degrees / DEGREES)


class ClipFollowers:
    """Compares the ends of clips with the starts of all clips of a model.

    Attributes
    ----------
    ready
        Number of clips whose starts are known.
    """

    def __init__(self, model: Model) -> None:
        count, joints = len(model.clips), model.skeleton.count
        self.model = model
        self.ready = 0
        self._places = np.zeros((count, joints, 3))
        self._turns = np.zeros((count, joints, 4))
        self._found: tuple[int, list[Follower]] = -1, []  # of the clip asked for last

    @property
    def done(self) -> bool:
        """Whether the starts of all clips are known."""
        return self.ready == len(self.model.clips)

    @np.errstate(all="ignore")  # invalid numbers of a file propagate
    def work(self, count: int) -> None:
        """Evaluate the starts of the next `count` clips."""
        part = slice(self.ready, min(self.ready + count, len(self.model.clips)))
        clips = list(self.model.clips[part])
        if clips:
            begin = np.array([[clip.start for clip in clips]])
            found = sampled_joints(self.model.skeleton, clips, begin)
            self._places[part], self._turns[part] = found
            self.ready = part.stop

    @np.errstate(all="ignore")
    def after(self, clip: int) -> list[Follower]:
        """Return what can follow the end of a clip, the best first; empty until `done`."""
        if not self.done:
            return []
        if self._found[0] != clip:
            one = self.model.clips[clip]
            places, turns = sampled_joints(self.model.skeleton, [one], np.array([[one.end]]))
            near, turned = distances(places, self._places), angles(turns, self._turns)
            joints = near.joint[0].tolist() if self.model.skeleton.count else [-1] * self.ready
            amounts = zip(near.amount[0].tolist(), turned.amount[0].tolist(), joints, strict=True)
            followers = [Follower(k, *amount) for k, amount in enumerate(amounts)]
            self._found = clip, sorted(followers, key=lambda each: each.miss)
        return self._found[1]
