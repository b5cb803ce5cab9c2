"""A mixer of a single clip: one layer of full weight, sampled without a blend or a copy."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..animation.clip import Clip
from ..animation.distinct import distinct
from ..animation.playback import Loop, Playback
from ..animation.pose import Pose
from ..animation.root_motion import RootMotion
from ..animation.types import F64
from .mixer import IN_PLACE, Mixer, StillMixer, Sweep, clip_begin
from .sources import ClipSource

SWEEP = 16  # evenly spaced samples of a sweep, beside keys
KEYS = 64  # sampled keys of a sweep, or 8 per second if that is more
MOST_KEYS = 1024
BATCH = 48  # poses sampled at once, which bounds memory


@dataclass(frozen=True, slots=True)
class ClipMotion:
    """What a motion file sets for a clip that plays alone.

    Attributes
    ----------
    root
        Its root motion.
    loop
        Its loop mode, None: not set.
    """

    root: RootMotion | None
    loop: Loop | None


class ClipMixer(Mixer):
    """A single clip, with its root motion.

    Parameters
    ----------
    clip, number
        The clip and its index in the file.
    rest
        Pose of the skeleton at rest, without a batch: joints without a track have it.
    playback
        Its range, seconds of the file, loop mode and speed; None: from 0 to the last key, looping.
    motion
        What a motion file sets; None: no motion file affects the clip.
    """

    def __init__(
        self,
        clip: Clip,
        rest: Pose,
        number: int = 0,
        playback: Playback | None = None,
        motion: ClipMotion | None = None,
    ) -> None:
        super().__init__(playback or playback_over((clip_begin(clip), clip.end)))
        self._root = None if motion is None else motion.root
        self.source = ClipSource(clip, self.playback, rest, root=self._root)
        self.name = clip.name
        self.clip = number
        self.from_motion = motion is not None
        self.own_loop = None if motion is None else motion.loop
        self._rest = rest
        self._world = IN_PLACE

    @property
    def world(self) -> F64:
        """[4, 4] model space to world space, by root motion since the start of the first pass."""
        return self._world

    @property
    def key_times(self) -> F64:
        """Key times [K] of the clip, seconds."""
        return self.source.clip.key_times

    @property
    def marked_times(self) -> F64:
        """Key times [K] of the clip, seconds; none if there is only one."""
        return self.key_times if self.key_times.size > 1 else np.zeros(0)

    def update(self, tau: float) -> None:
        """Advance to the global time `tau`, seconds."""
        self.source.advance(tau, tau)
        span = self.source.span
        if self._root is not None and span is not None:
            whole = replace(span, x0=np.zeros(()))
            self._world = self._root.transform_over(whole).matrix()

    def sample(self, out: Pose) -> None:
        """Write the local pose at the time of the last update."""
        self.source.sample(out)

    def sweep(self) -> Sweep:
        """Return poses over its range."""
        times, poses, rotates = self._sweep_times(), [], False
        for few in np.array_split(times, -(-len(times) // BATCH)):
            pose, roots = self.poses_at(few)
            poses.append(pose)
            rotates = rotates or bool((roots[..., :3, :3] != np.eye(3)).any())
        return Sweep(poses, rotates)

    def _sweep_times(self) -> F64:
        """Return the times at which a sweep samples the clip: evenly spaced ones and keys."""
        begin = float(self.playback.start)
        end = begin + float(self.playback.duration)
        limit = int(min(max(KEYS, 8.0 * (end - begin)), MOST_KEYS))
        keys = self.key_times[(self.key_times >= begin) & (self.key_times <= end)]
        step = max(1, -(-len(keys) // limit))
        return distinct(np.concatenate([np.linspace(begin, end, SWEEP), keys[::step]]))

    @property
    def shown_time(self) -> float:
        """Clip time of the last update, seconds."""
        return float(self.source.time)

    @property
    def accumulates(self) -> bool:
        """Whether root motion moves the character."""
        return self._root is not None and self._root.mode == "accumulate"

    def poses_at(self, times: F64) -> tuple[Pose, F64]:
        """Return local poses [T] at clip times, and root motion [T, 4, 4] since a pass began."""
        poses = Pose.like(self._rest, times.shape)
        poses.assign(self._rest)
        self.source.clip.sample(times, poses)
        if self._root is None:
            return poses, np.broadcast_to(IN_PLACE, (*times.shape, 4, 4))
        self._root.remove_root_motion(poses, times)
        if not self.accumulates:
            return poses, np.broadcast_to(IN_PLACE, (*times.shape, 4, 4))
        return poses, self._root.transform_at(times).matrix()

    def like(self, other: Mixer) -> bool:
        """Return whether range, loop mode of the motion file and root motion are equal."""
        return isinstance(other, ClipMixer) and self._settings() == other._settings()

    def _settings(self) -> tuple[object, ...]:
        now, root = self.playback, self._root
        motion = None if root is None else (root.joint, root.mode, root.axes, root.turn)
        return self.from_motion, float(now.start), float(now.duration), self.own_loop, motion

    @property
    def clip_playback(self) -> Playback:
        """The playback of the clip."""
        return self.playback

    def playing(self) -> Iterator[tuple[float, ClipSource]]:
        """Yield the clip with its weight, 1."""
        yield 1.0, self.source

    def clip_begin(self, clip: Clip) -> float:  # noqa: ARG002
        """Return the clip time at which a pass begins, seconds."""
        return float(self.playback.start)

    def time_in_clip(self, clip: Clip | None, tau: float) -> float:  # noqa: ARG002
        """Return the time of the clip at a global time, seconds."""
        return float(self.playback.time(tau))


def clip_mixer(
    clips: Sequence[Clip],
    rest: Pose,
    number: int,
    *,
    loop: Loop = ("loop", math.inf),
    speed: float = 1.0,
    trim: bool = False,
) -> Mixer:
    """Return the mixer of clip `number` of a file (-1: the rest pose).

    With `trim` a pass starts at the first key instead of at 0.
    """
    if number < 0:
        return StillMixer(rest)
    clip = clips[number]
    span = clip_begin(clip, trim=trim), clip.end
    return ClipMixer(clip, rest, number, playback_over(span, loop, speed))


def playback_over(
    span: tuple[float, float], loop: Loop = ("loop", math.inf), speed: float = 1.0
) -> Playback:
    """Return the playback of a range of a clip, start and end in seconds of the file."""
    (begin, end), (mode, passes) = span, loop
    return Playback(end - begin, passes=passes, mode=mode, rate=speed, start=begin)
