"""Which clips can follow one clip: its end compared with the start of every clip.

Amounts and limits are those of `rigview.model.transition_continuity`.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .model import Model
from .transition_continuity import DEGREES, METRES, angles, distances, sampled_joints

PART = 16  # clips whose starts are evaluated at once


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
    """Compares the ends of clips with the starts of all clips of a model, which it evaluates.

    Parameters
    ----------
    report
        Called with the number of clips whose starts are known.
    """

    @np.errstate(all="ignore")  # invalid numbers of a file propagate
    def __init__(self, model: Model, report: Callable[[int], object] = int) -> None:
        count, joints = len(model.clips), model.skeleton.count
        self.model = model
        self._places = np.zeros((count, joints, 3))
        self._turns = np.zeros((count, joints, 4))
        self._found: tuple[int, list[Follower]] = -1, []  # of the clip asked for last
        for first in range(0, count, PART):
            part = slice(first, min(first + PART, count))
            clips = list(model.clips[part])
            begin = np.array([[clip.start for clip in clips]])
            found = sampled_joints(model.skeleton, clips, begin)
            self._places[part], self._turns[part] = found
            report(part.stop)

    @np.errstate(all="ignore")
    def after(self, clip: int) -> list[Follower]:
        """Return what can follow the end of a clip, the best first."""
        if self._found[0] != clip:
            one = self.model.clips[clip]
            places, turns = sampled_joints(self.model.skeleton, [one], np.array([[one.end]]))
            near, turned = distances(places, self._places), angles(turns, self._turns)
            joints = (
                near.joint[0].tolist()
                if self.model.skeleton.count
                else [-1] * len(self.model.clips)
            )
            amounts = zip(near.amount[0].tolist(), turned.amount[0].tolist(), joints, strict=True)
            followers = [Follower(k, *amount) for k, amount in enumerate(amounts)]
            self._found = clip, sorted(followers, key=lambda each: each.miss)
        return self._found[1]
