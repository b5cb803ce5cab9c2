"""Mixers: what a character plays, as poses, root motion and events over time."""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..animation.clip import Clip
from ..animation.playback import Loop, Mode, Playback
from ..animation.pose import Pose
from ..animation.types import F64
from ..errors import UsageError
from .cone_limits import LimitViolation
from .parameters import Parameters
from .sources import ClipSource, FiredEvent

ENDLESS = 1e9  # duration of a playback without end, seconds
IN_PLACE: F64 = np.eye(4)  # no root motion
IN_PLACE.flags.writeable = False


class PlaybackSettings(NamedTuple):
    """Speed and looping of all clips of a motion, from the command line."""

    speed: float = 1.0
    loop: Loop | None = None  # None: as in the motion file
    default_loop: Loop = ("loop", math.inf)  # of clips without a loop setting


class Sweep(NamedTuple):
    """Poses over everything that a mixer plays, for its bounds."""

    poses: Sequence[Pose]  # each with the batch shape [T]
    rotates: bool = False  # whether root motion or a pivot rotates the character


class Mixer(ABC):
    """What a character plays: a clip, the layers of a motion file, or a still pose.

    Attributes
    ----------
    playback
        From the global time to the mixer's own time: the time of the clip, or of the layers.
    name
        Name of what plays, "" for a still pose.
    clip
        Index in its file of the clip that plays alone, -1 for none.
    still
        Whether there is nothing to play.
    layered
        Whether it plays layers, whose clips loop by themselves: time may then run without end.
    from_motion
        Whether a motion file affects what plays.
    own_loop
        The loop mode of a single clip that a motion file sets, None: not set.
    settings
        Speed and looping of all clips of layers.
    parameters
        The parameters; layer weights are parameters too ("wave.weight").
    warnings
        Warnings of binding the motion file.
    fired
        Events that fired between the last two updates.
    limit_violations
        The largest excess of each joint rotated beyond its limit: by layer and joint, time and
        violation.

    Examples
    --------
    >>> mixer = rigview.bind(model, "steps.motion.toml")
    >>> mixer.set("speed", 4.0, tau=0.0, seconds=0.5)
    >>> mixer.seek(0.75)
    >>> pose = model.skeleton.rest.copy()
    >>> mixer.sample(pose)
    """

    name = ""
    clip = -1
    still = False
    layered = False
    from_motion = False
    own_loop: Loop | None = None
    settings = PlaybackSettings()

    def __init__(self, playback: Playback, parameters: Parameters | None = None) -> None:
        self.playback = playback
        self.parameters = Parameters({}, {}) if parameters is None else parameters
        self.warnings: tuple[str, ...] = ()
        self.fired: list[FiredEvent] = []
        self.limit_violations: dict[tuple[str, int], tuple[float, LimitViolation]] = {}

    @abstractmethod
    def update(self, tau: float) -> None:
        """Advance to the global time `tau`, seconds."""

    @abstractmethod
    def sample(self, out: Pose) -> None:
        """Write the local pose at the time of the last update."""

    @abstractmethod
    def sweep(self) -> Sweep:
        """Return poses over everything that plays; playback is unchanged."""

    @property
    def shown_time(self) -> float:
        """Time of the last update of the clip that plays alone, seconds; 0 if there is none."""
        return 0.0

    @property
    def accumulates(self) -> bool:
        """Whether root motion of the clip that plays alone moves the character."""
        return False

    def poses_at(self, times: F64) -> tuple[Pose, F64] | None:  # noqa: ARG002
        """Return what the clip that plays alone shows at times of it; None if there is none.

        Parameters
        ----------
        times
            [T] seconds of the clip.

        Returns
        -------
        poses, roots
            Local poses [T], and matrices [T, 4, 4] of the root motion since the start of a pass.
        """
        return None

    def like(self, other: "Mixer") -> bool:
        """Return whether another mixer of the same clip has equal settings of a motion file."""
        return not other.from_motion

    @property
    def length(self) -> float:
        """Duration of a pass, seconds."""
        return float(self.playback.duration)

    @property
    def common_loop(self) -> float | None:
        """Seconds after which layers that run on repeat; None: never, or no layers play."""
        return None

    @property
    def world(self) -> F64:
        """[..., 4, 4] model space to world space, by root motion and pivot."""
        return IN_PLACE

    @property
    def cut(self) -> int | None:
        """Index of the camera of the last cut, -1: the free camera; None: no cut."""
        return None

    @property
    def key_times(self) -> F64:
        """Times [K] that playback steps to, seconds: keys, or scheduled changes."""
        return np.zeros(0)

    @property
    def marked_times(self) -> F64:
        """Times [K] that are marked on the timeline, seconds."""
        return self.key_times

    @property
    def clip_playback(self) -> Playback | None:
        """Playback of the clip that plays alone or in the base layer, None if it has none."""
        return None

    def play(self, tau: float) -> None:
        """Advance to a global time; the events since the last time are in `fired`."""
        self.update(tau)

    def events(self, begin: float, end: float) -> list[FiredEvent]:  # noqa: ARG002
        """Return the events after `begin` up to `end`; from 0, including those at the start."""
        return []

    def set_loop(self, mode: Mode, passes: float, tau: float) -> None:
        """Set the loop mode of `playback` from `tau` on; its time, rate and pause stay."""
        self.playback.set_mode(mode, passes, tau)

    def set_continuous(self, tau: float) -> None:  # noqa: B027 - only layers run on without end
        """Let time run without end from `tau` on, if it may."""

    def set(
        self,
        name: str,
        value: ArrayLike,  # noqa: ARG002
        tau: float | None = None,  # noqa: ARG002
        seconds: float | None = None,  # noqa: ARG002
    ) -> None:
        """Ramp a parameter to a value (UsageError: there is none of the name)."""
        raise UsageError(f"no parameter {name!r}", hint="only the layers of a motion have some")

    def commit_long_step(self, lag: float = 4.0) -> bool:  # noqa: ARG002
        """Commit the current state if the last step is longer than `lag` seconds; return whether.

        Its later state may then differ by rounding.
        """
        return False

    def continue_from(self, other: "Mixer", *, keep_state: bool = True) -> None:  # noqa: ARG002
        """Continue the playback of another mixer after an edit.

        With `keep_state` the pose continues too; otherwise it is that of a run from 0.
        """
        self.playback = other.playback

    def playing(self) -> Iterator[tuple[float, ClipSource]]:
        """Yield the weights and sources of the clips that play, layer by layer."""
        return iter(())

    def layer_clips(self) -> Sequence[ClipSource]:
        """Return the clip sources of all layers, muted ones too."""
        return ()

    def clip_begin(self, clip: Clip) -> float:
        """Return the clip time at which a pass of a clip begins, seconds."""
        return clip_begin(clip)

    def time_in_clip(self, clip: Clip | None, tau: float) -> float:  # noqa: ARG002
        """Return the current time of a clip, seconds; 0 if it does not play."""
        return 0.0

    def time_at(self, clip: Clip | None, seconds: float, tau: float) -> float:  # noqa: ARG002
        """Return the mixer's time at which a clip is at a time, seconds."""
        return seconds


def clip_begin(clip: Clip, *, trim: bool = False) -> float:
    """Return the clip time at which a pass begins, seconds; with `trim` that of the first key."""
    return clip.start if trim else min(0.0, clip.start)


class StillMixer(Mixer):
    """A still pose.

    Parameters
    ----------
    pose
        Local pose, without a batch.
    """

    still = True

    def __init__(self, pose: Pose) -> None:
        super().__init__(Playback(0.0))
        self._pose = pose

    def update(self, tau: float) -> None:
        """Do nothing: the pose is constant."""

    def sample(self, out: Pose) -> None:
        """Write the pose."""
        out.assign(self._pose)

    def sweep(self) -> Sweep:
        """Return the pose."""
        return Sweep([self._pose])


class PosesMixer(Mixer):
    """Given poses, one a second.

    Parameters
    ----------
    poses
        Local poses [N].
    """

    def __init__(self, poses: Pose) -> None:
        self._last = len(poses.data) - 1
        super().__init__(Playback(self._last, passes=1))
        self._poses = poses
        self._row = 0

    def update(self, tau: float) -> None:
        """Choose the pose of a time, seconds."""
        self._row = min(max(round(float(self.playback.time(tau))), 0), self._last)

    def sample(self, out: Pose) -> None:
        """Write the chosen pose."""
        out.data[...] = self._poses.data[self._row]

    def sweep(self) -> Sweep:
        """Return all poses."""
        return Sweep([self._poses])
