"""The mixer of the layers of a motion file, on a timeline that runs on, loops or ends."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..animation.clip import Clip
from ..animation.playback import Mode, Playback
from ..animation.pose import Pose
from ..animation.types import F32, F64
from .common_loop import SETTLED, common_loop
from .layers import Layers
from .mixer import ENDLESS, Mixer, Sweep
from .parameters import Parameters
from .sources import ClipSource, weighted_clips
from .state import parts_of_type
from .stepped_mixer import Scheduled, SteppedMixer

SAMPLES = 24  # of a sweep
UNKNOWN = -1.0  # a common loop that was not computed yet


@dataclass(frozen=True, slots=True)
class Timeline:
    """What happens at which global time while layers play.

    Attributes
    ----------
    schedule
        Changes of layers and parameters.
    cuts
        Times and indices of the cameras cut to, sorted by time.
    marks
        Times that are marked, seconds.
    length
        Duration of the longest pass, seconds.
    """

    schedule: Sequence[Scheduled] = ()
    cuts: Sequence[tuple[float, int]] = ()
    marks: Sequence[float] = ()
    length: float = 0.0


class LayerMixer(SteppedMixer):
    """The layers of a motion file.

    Parameters
    ----------
    layers, parameters, pivot, has_root_motion, batch
        As of `SteppedMixer`.
    timeline
        What happens when.
    fresh
        Binds the layers again, with their own speed and looping, or those of `PlaybackSettings` by
        name.

    Attributes
    ----------
    named_poses
        The poses of the motion file that its sources share, which a drag writes into.
    override
        [P] values set in place of what plays (morph weights), NaN: not set; None: none is.
    """

    name = "motion"
    layered = True
    from_motion = True

    def __init__(
        self,
        layers: Layers,
        parameters: Parameters,
        timeline: Timeline,
        *,
        pivot: Callable[[float], F64] | None = None,
        has_root_motion: bool = True,
        batch: tuple[int, ...] = (),
        fresh: Callable[..., "LayerMixer"] | None = None,
    ) -> None:
        super().__init__(
            layers,
            parameters,
            schedule=timeline.schedule,
            pivot=pivot,
            has_root_motion=has_root_motion,
            batch=batch,
        )
        self._cuts = timeline.cuts
        self._marks = np.array(timeline.marks, np.float64)
        self._pass = timeline.length
        self._fresh = fresh
        self.named_poses: dict[str, Pose] = {}
        self.override: F32 | None = None
        self._loop: float | None = UNKNOWN
        self._anchor: tuple[float, float] | None = None  # of `playback` at the last update
        self._playing: list[tuple[float, ClipSource]] | None = None  # since the last step

    @property
    def scheduled_end(self) -> float:
        """The global time at which the last scheduled change is complete, seconds; 0: none."""
        return max((each.tau + each.length for each in self.schedule), default=0.0)

    @property
    def length(self) -> float:
        """Duration of the motion, seconds."""
        last = self.scheduled_end
        return max(self._pass, last + (self._pass if last > 0 else 0.0))

    @property
    def common_loop(self) -> float | None:
        """Seconds after which everything repeats, with the parameters as they are set.

        None with a schedule, or if something never repeats.
        """
        if self.schedule:
            return None
        if self._loop == UNKNOWN:
            pivots = self._pivot is not None and np.any(self._pivot(SETTLED) != 0)
            self._loop = None if pivots else common_loop(self.layers)
        return self._loop

    @property
    def clip_playback(self) -> Playback | None:
        """Playback of the first clip, None without clips that have one."""
        clips = self.layer_clips()
        return clips[0].playback if clips else None

    @property
    def cut(self) -> int | None:
        """Index of the camera of the last cut, -1: the free camera; None: no cut."""
        past = [camera for time, camera in self._cuts if time <= self.tau]
        return past[-1] if past else None

    @property
    def key_times(self) -> F64:
        """Times [K] of scheduled changes, seconds."""
        return np.unique([each.tau for each in self.schedule])

    @property
    def marked_times(self) -> F64:
        """Times [K] of the scheduled changes as they were written, seconds."""
        return self._marks

    def update(self, tau: float) -> None:
        """Advance to the global time `tau`; events fire if it was played without a seek."""
        anchor = float(self.playback.tau0), float(self.playback.t0)
        time = float(self.playback.advance(tau).time)
        if anchor == self._anchor:
            self.play(time)
        else:  # after a start, a seek or a change of speed no event fires
            self.seek(time)
        self._anchor = anchor

    def sample(self, out: Pose) -> None:
        """Write the local pose, with the values of `override`."""
        super().sample(out)
        if self.override is not None:
            np.copyto(out.values, self.override, where=~np.isnan(self.override))

    def sweep(self) -> Sweep:
        """Return poses over the motion at its own speed and looping."""
        mixer = self if self._fresh is None else self._fresh()
        taus = np.linspace(0.0, mixer.length, SAMPLES)
        poses, worlds = mixer.poses(taus, self.layers.rest)
        return Sweep([poses], bool((worlds[..., :3, :3] != np.eye(3)).any()))

    def twin(self) -> "LayerMixer | None":
        """Return another mixer of the same layers at 0; None if they cannot be bound again.

        Parameters have the values that they are set to; a schedule sets them itself.
        """
        if self._fresh is None:
            return None
        other = self._fresh(**self.settings._asdict())
        for name in () if self.schedule else self.parameters.names():
            value = self.parameters.at(name, SETTLED)
            if not np.array_equal(other.parameters.at(name, 0.0), value):
                other.set(name, value, 0.0, 0.0)
        return other

    def set_loop(self, mode: Mode, passes: float, tau: float) -> None:
        """Repeat the motion over its length; its time, rate and pause stay."""
        self._repeat(Playback(self.length or 1.0, passes=passes, mode=mode), tau)

    def set_continuous(self, tau: float) -> None:
        """Let time run without end from `tau` on."""
        self._repeat(Playback(ENDLESS, passes=1), tau)

    def set(
        self, name: str, value: ArrayLike, tau: float | None = None, seconds: float | None = None
    ) -> None:
        """Ramp a parameter to a value from the current time on; the common loop may change."""
        super().set(name, value, tau, seconds)
        self._loop = UNKNOWN

    def _reach(self, tau: float, since: float | None) -> None:
        self._playing = None
        super()._reach(tau, since)

    def _repeat(self, playback: Playback, tau: float) -> None:
        """Replace the playback; its time, rate and pause stay."""
        before, self.playback = self.playback, playback
        now, duration = float(before.time(tau)), float(playback.duration)
        playback.set_rate(before.rate, tau)
        playback.seek(now % duration if now > duration else now, tau)
        if before.paused:
            playback.pause(tau)

    def playing(self) -> Iterator[tuple[float, ClipSource]]:
        """Return the weights and sources of the clips that play, layer by layer."""
        if self._playing is None:
            self._playing = list(weighted_clips(self.layers, self.tau))
        return iter(self._playing)

    def layer_clips(self) -> Sequence[ClipSource]:
        """Return the clip sources of all layers, muted ones too."""
        return list(parts_of_type(self.layers, ClipSource))

    def time_in_clip(self, clip: Clip | None, tau: float) -> float:  # noqa: ARG002
        """Return the current time of a clip, seconds; 0 if it does not play."""
        times = [float(source.time) for _, source in self.playing() if source.clip is clip]
        return times[0] if times else 0.0

    def time_at(self, clip: Clip | None, seconds: float, tau: float) -> float:
        """Return the mixer's time at which a clip is at a time, seconds, if time runs evenly."""
        now = float(self.playback.time(tau))
        return max(now + seconds - self.time_in_clip(clip, tau), 0.0)

    def continue_from(self, other: Mixer, *, keep_state: bool = True) -> None:
        """Continue the playback of another mixer after an edit.

        With `keep_state` the state of each layer continues too; otherwise, or if a scheduled change
        has happened by then, it is evaluated again from 0.
        """
        super().continue_from(other)
        if not isinstance(other, LayerMixer):
            return
        self._anchor = other._anchor
        if keep_state:
            self.take_over(other)
        self.seek(other.tau)  # events fire only after the current frame
