"""Pose sources: clips, driven clips and constant poses, with root motion and events."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from ..animation.clip import Clip
from ..animation.events import EventTrack
from ..animation.playback import Playback, Span
from ..animation.pose import Pose
from ..animation.types import F64
from .parameters import Parameters
from .state import Node
from .sync_group import SyncTrack

if TYPE_CHECKING:
    from ..animation.root_motion import RootMotion

When = Callable[[float, tuple[int, ...]], float]  # x and an index in the batch to tau
MIN_EVENT_WEIGHT = 0.01  # layer weight below which events are not reported


class FiredEvent(NamedTuple):
    """An animation event that fired."""

    tau: float  # global time, seconds
    name: str
    clip: str
    layer: str
    weight: float
    number: int  # of the pass, from 0
    character: int = 0  # index in a batch


@dataclass(slots=True)
class Step:
    """Root motion of one time step, in the axes at its start, and its events.

    Attributes
    ----------
    translation
        [..., 3] metres.
    yaw
        [...] radians about +Y.
    events
        Events that fired, in order of time.
    """

    translation: F64 = field(default_factory=lambda: np.zeros(3))
    yaw: F64 = field(default_factory=lambda: np.zeros(()))
    events: list[FiredEvent] = field(default_factory=list)


class Source(Node, ABC):
    """A source of poses over time, by default a constant pose without root motion or events.

    Time only advances; restoring its state returns to an earlier time.

    Attributes
    ----------
    name
        Of the clip, "" for other sources.
    fades
        Whether it fades from one source to another.
    """

    name = ""
    fades = False

    @abstractmethod
    def sample(self, out: Pose) -> None:
        """Write the whole pose at the current time."""

    def advance(self, tau0: float, tau1: float) -> None:
        """Advance from one global time to another, seconds."""

    def step(self, *, events: bool = True) -> Step:  # noqa: ARG002
        """Return root motion and events of the last advance."""
        return Step()

    def needs_small_steps(self, tau0: float, tau1: float) -> bool:  # noqa: ARG002
        """Return whether the interval between two times needs small steps, not one long step."""
        return False

    def remaining(self, tau: float) -> "Source":  # noqa: ARG002
        """Return the source that plays on from `tau`: of a complete fade the new one."""
        return self

    def weighted_parts(self, tau: float) -> "Iterable[tuple[float, Source]]":  # noqa: ARG002
        """Return the sources in this one, with their shares of its weight at a global time."""
        return ()

    @property
    def has_phase(self) -> bool:
        """Whether it has a phase that another source can be moved to."""
        return False

    def seek(self, time: float, tau: float) -> None:
        """Move to a clip time, seconds, at a global time."""

    def set_rate(self, rate: ArrayLike, tau: float) -> None:
        """Set the clip seconds per second from a global time on."""


def weighted_clips(
    source: Source, tau: float, weight: float = 1.0
) -> "Iterator[tuple[float, ClipSource]]":
    """Yield the clip sources that play in a source with their weights at a global time.

    During a fade both its sources have a share of the weight.
    """
    if isinstance(source, ClipSource):
        yield weight, source
    for share, part in source.weighted_parts(tau):
        yield from weighted_clips(part, tau, weight * share)


def phase_of(time: F64, start: F64 | float, duration: F64 | float) -> F64:
    """Return the phase [...] of a clip time; a duration of 0 counts as 1 s."""
    return np.asarray((time - start) / np.where(np.asarray(duration) > 0, duration, 1.0))


class ClipSource(Source):
    """A clip and its playback. Joints and values without a track are at rest.

    Parameters
    ----------
    clip, playback
        The playback's batch is the batch of the poses.
    rest
        Pose of the skeleton at rest, without a batch.
    events
        Animation events of the clip.
    root
        Its root motion.
    sync_track
        Sync data of the clip in a sync group.
    """

    def __init__(
        self,
        clip: Clip,
        playback: Playback,
        rest: Pose,
        *,
        events: EventTrack | None = None,
        root: "RootMotion | None" = None,
        sync_track: SyncTrack | None = None,
    ) -> None:
        self.clip = clip
        self.name = clip.name
        self.playback = playback
        self.events = events
        self.root = root
        self.sync_track = sync_track
        self.time: F64 = playback.time(playback.tau0)  # [...] clip time, seconds
        self.span: Span | None = None  # of the last step
        self._when: When = self._by_playback
        self._rest = rest

    @property
    def phase(self) -> F64:
        """Phase [...] of the clip at the current time."""
        return phase_of(self.time, self.playback.start, self.playback.duration)

    @property
    def by_playback(self) -> bool:
        """Whether its time was that of its playback in the last step, not of a sync group."""
        return self._when == self._by_playback

    def time_at(self, phase: float) -> F64:
        """Return the clip time [...] at a phase, seconds."""
        return np.asarray(self.playback.start + phase * self.playback.duration)

    def advance(self, tau0: float, tau1: float) -> None:  # noqa: ARG002
        """Advance to a global time, seconds."""
        self.follow(self.playback.advance(tau1), self._by_playback)

    def follow(self, span: Span, when: When) -> None:
        """Use the time of a sync group; `when` returns the global time of an x in the span."""
        self.span = span
        self.time = span.time
        self._when = when

    def sample(self, out: Pose) -> None:
        """Write the whole pose at the current time."""
        out.assign(self._rest)
        self.clip.sample(self.time, out)
        if self.root is not None:
            self.root.remove_root_motion(out, self.time)

    def step(self, *, events: bool = True) -> Step:
        """Return root motion and events of the last advance."""
        step = Step()
        if self.span is None:
            return step
        if self.root is not None:
            step = Step(*self.root.transform_over(self.span))
        if events and self.events is not None:
            step.events = list(self._fired(self.events, self.span))
        return step

    def _fired(self, events: EventTrack, span: Span) -> Iterator[FiredEvent]:
        if not np.ndim(span.x1):
            for x, k, number in events.fired(span):
                yield FiredEvent(
                    self._when(x, ()), events.names[k], self.clip.name, "", 1.0, number
                )
            return
        for index, crossings in events.crowd(span):
            character = int(np.ravel_multi_index(index, np.shape(span.x1)))
            for x, k, number in crossings:
                tau, name = self._when(x, index), events.names[k]
                yield FiredEvent(tau, name, self.clip.name, "", 1.0, number, character)

    def _by_playback(self, x: float, index: tuple[int, ...]) -> float:
        when = self.playback.when(x)
        if not index:
            return float(when)
        return float(np.broadcast_to(when, np.shape(self.time))[index])

    @property
    def has_phase(self) -> bool:
        """Whether it loops."""
        return self.playback.mode == "loop"

    def seek(self, time: float, tau: float) -> None:
        """Move to a clip time, seconds, at a global time."""
        self.playback.seek(time, tau)

    def set_rate(self, rate: ArrayLike, tau: float) -> None:
        """Set the clip seconds per second from a global time on."""
        if not np.array_equal(rate, self.playback.rate):
            self.playback.set_rate(rate, tau)

    def save(self) -> Any:  # noqa: ANN401
        """Return the state, that of its playback included."""
        return self.playback.save(), self.time, self.span

    def restore(self, state: Any) -> None:  # noqa: ANN401
        """Restore a state that `save` returned."""
        playback, self.time, self.span = state
        self.playback.restore(playback)

    def continue_from(self, other: Self, tau: float) -> None:
        """Continue the playback of the same clip, range and loop mode, at the own rate."""
        rate = self.playback.rate
        if self._played_range != other._played_range:
            return
        self.playback.restore(other.playback.save())
        if not np.array_equal(rate, self.playback.rate):
            self.playback.set_rate(rate, tau)

    @property
    def _played_range(self) -> tuple[object, ...]:
        own = self.playback
        range_ = own.duration.tolist(), own.start.tolist()
        return self.name, own.mode, float(own.passes.max()), *range_


@dataclass(frozen=True, slots=True, eq=False)
class ParameterDrive:
    """A linear, clamped map from a parameter value to clip time or to a key number.

    Raises
    ------
    ValueError
        A number is not finite.
    """

    values: tuple[float, float]  # of the parameter
    to: tuple[float, float]  # clip times or key numbers they map to; both may decrease
    unit: Literal["seconds", "key"] = "seconds"  # key 2.5 is halfway from the second to the third
    key_times: F64 = field(default_factory=lambda: np.zeros(0))  # [K] seconds of key 1, 2, …

    def __post_init__(self) -> None:
        if not np.isfinite([*self.values, *self.to]).all():
            raise ValueError("values and mapped values must be finite")

    def time(self, value: ArrayLike) -> F64:
        """Return the clip time [...], seconds, for values [...]."""
        low, high = self.values
        v = np.asarray(value, np.float64)
        if low == high:  # a switch
            u = np.where(v < low, 0.0, 1.0)
        else:
            with np.errstate(over="ignore"):  # a tiny range: clamped
                u = np.clip((v - low) / (high - low), 0.0, 1.0)
        number = self.to[0] * (1 - u) + self.to[1] * u  # exact at both ends
        if self.unit == "seconds":
            return np.asarray(number)
        times = self.key_times if self.key_times.size else np.zeros(1)
        return np.interp(number, np.arange(1, len(times) + 1), times)


class DrivenSource(Source):
    """A clip whose time is set by a parameter, without events and root motion.

    Parameters
    ----------
    drive
        From the parameter's value to clip time.
    span
        Start and end of the clip's range, seconds, for its phase.
    """

    changing = ("time",)

    def __init__(
        self,
        clip: Clip,
        drive: ParameterDrive,
        parameter: str,
        parameters: Parameters,
        rest: Pose,
        root: "RootMotion | None" = None,
        *,
        span: tuple[float, float] | None = None,
    ) -> None:
        self.clip = clip
        self.name = clip.name
        self._span = span or (clip.start, clip.end)
        self._drive = drive
        self._parameter = parameter
        self._parameters = parameters
        self._rest = rest
        self._root = root
        self.time: F64 = np.zeros(())
        self.advance(0.0, 0.0)

    @property
    def phase(self) -> F64:
        """Phase [...] of the clip at the current time, 0 to 1."""
        start, end = self._span
        return np.clip(phase_of(self.time, start, end - start), 0.0, 1.0)

    def time_at(self, phase: float) -> F64:
        """Return the clip time at a phase, seconds."""
        start, end = self._span
        return np.asarray(start + phase * (end - start))

    def advance(self, tau0: float, tau1: float) -> None:  # noqa: ARG002
        """Advance to a global time, seconds."""
        self.time = self._drive.time(self._parameters.at(self._parameter, tau1))

    def sample(self, out: Pose) -> None:
        """Write the whole pose at the current time."""
        out.assign(self._rest)
        self.clip.sample(self.time, out)
        if self._root is not None:
            self._root.remove_root_motion(out, self.time)


class StillSource(Source):
    """A constant pose."""

    def __init__(self, pose: Pose) -> None:
        self._pose = pose

    def sample(self, out: Pose) -> None:
        """Write the pose."""
        out.assign(self._pose)
