"""The translation, rotation and scale tracks of one joint, each optional."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .clip import Clip
from .pose import Pose
from .track import Track
from .types import F32


class Transform(NamedTuple):
    """Translation, rotation and scale of one joint, any batch in front."""

    translation: F32  # [..., 3] metres, parent space
    rotation: F32  # [..., 4] unit quaternion xyzw
    scale: F32  # [..., 3]

    @classmethod
    def of(cls, pose: Pose, joint: int) -> "Transform":
        """Return a joint's transform in a pose, such as the rest pose."""
        return cls(
            pose.translation[..., joint, :], pose.rotation[..., joint, :], pose.scale[..., joint, :]
        )


@dataclass(frozen=True, slots=True, eq=False)
class TransformTrack:
    """Up to three tracks of one joint, for curves, panels and tests."""

    joint: int
    translation: Track | None = None
    rotation: Track | None = None
    scale: Track | None = None

    @classmethod
    def of(cls, clip: Clip, joint: int) -> "TransformTrack":
        """Return a clip's tracks of a joint; where two have the same target, the last one."""
        found = {
            track.path: track
            for track in clip.tracks
            if track.path != "values" and track.target == joint
        }
        return cls(joint, found.get("translation"), found.get("rotation"), found.get("scale"))

    @property
    def tracks(self) -> tuple[Track, ...]:
        """The tracks that exist."""
        return tuple(t for t in (self.translation, self.rotation, self.scale) if t is not None)

    @property
    def start(self) -> float:
        """The earliest start of its tracks, seconds; 0 without any."""
        return min((track.begin for track in self.tracks), default=0.0)

    @property
    def end(self) -> float:
        """The latest end of its tracks, seconds; 0 without any."""
        return max((track.end for track in self.tracks), default=0.0)

    @property
    def duration(self) -> float:
        """Seconds from the earliest key to the latest."""
        return self.end - self.start

    def sample(self, time: ArrayLike, reference: Transform, *, loop: bool = False) -> Transform:
        """Return the joint's transform at a time [...], seconds.

        Parameters
        ----------
        reference
            Values of components without a track, [C] or with the batch of `time`.
        loop
            Wrap over [start, end] of all three, so that they stay in step.
        """
        seconds = np.asarray(time, np.float64)
        if loop and self.duration > 0:
            seconds = self.start + np.mod(seconds - self.start, self.duration)
        elif loop:
            seconds = np.full(seconds.shape, self.start)
        return Transform(
            _component(self.translation, seconds, reference.translation),
            _component(self.rotation, seconds, reference.rotation),
            _component(self.scale, seconds, reference.scale),
        )


def _component(track: Track | None, seconds: ArrayLike, reference: F32) -> F32:
    if track is not None:
        return track.sample(seconds)
    shape = np.broadcast_shapes((*np.shape(seconds), reference.shape[-1]), reference.shape)
    return np.broadcast_to(reference, shape)
