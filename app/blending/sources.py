"""Pose sources: clips, driven clips and constant poses, with root motion and events."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np

from ..animation.clip import Clip
from ..animation.events import EventTrack
from ..animation.playback import Playback, Span
from ..animation.pose import Pose
from ..animation.types import F64
from .parameters import Parameters
from .step import FiredEvent, Step
from .sync_group import SyncTrack

if TYPE_CHECKING:
    from ..animation.root_motion import RootMotion
    from .driven_clip import ParameterDrive

When = Callable[[float, tuple[int, ...]], float]  # x and an index in the batch to tau
MIN_EVENT_WEIGHT = 0.01  # layer weight below which events are not reported


class Source(Protocol):
    """A source of poses over time. Time only advances; `restore` returns to an earlier state."""

    def advance(self, tau0: float, tau1: float) -> None:
        """Advance from one global time to another, seconds."""

    def sample(self, out: Pose) -> None:
        """Write the whole pose at the current time."""

    def step(self, *, events: bool = True) -> Step:
        """Return root motion and events of the last advance."""

    def needs_small_steps(self, tau0: float, tau1: float) -> bool:
        """Return whether the interval between two times needs small steps."""

    def save(self) -> object:
        """Return the state, for `restore`."""

    def restore(self, state: object) -> None:
        """Restore a state that `save` returned."""


def phase_of(time: F64, start: F64 | float, duration: F64 | float) -> F64:
    """Return the phase [...] of a clip time; a duration of 0 counts as 1 s."""
    return np.asarray((time - start) / np.where(np.asarray(duration) > 0, duration, 1.0))


class ClipSource:
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

    def needs_small_steps(self, tau0: float, tau1: float) -> bool:  # noqa: ARG002
        """Return False: one long step equals many short ones."""
        return False

    def save(self) -> object:
        """Return the state, for `restore`."""
        return self.playback.save(), self.time, self.span

    def restore(self, state: object) -> None:
        """Restore a state that `save` returned."""
        playback, self.time, self.span = cast(tuple[Any, ...], state)
        self.playback.restore(playback)


class DrivenSource:
    """A clip whose time is set by a parameter, without events and root motion.

    Parameters
    ----------
    drive
        From the parameter's value to clip time.
    span
        Start and end of the clip's range, seconds, for its phase.
    """

    def __init__(
        self,
        clip: Clip,
        drive: "ParameterDrive",
        parameter: str,
        parameters: Parameters,
        rest: Pose,
        root: "RootMotion | None" = None,
        *,
        span: tuple[float, float] | None = None,
    ) -> None:
        self.clip = clip
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

    def step(self, *, events: bool = True) -> Step:  # noqa: ARG002
        """Return no root motion and no events."""
        return Step()

    def needs_small_steps(self, tau0: float, tau1: float) -> bool:  # noqa: ARG002
        """Return False: one long step equals many short ones."""
        return False

    def save(self) -> object:
        """Return the state, for `restore`."""
        return self.time

    def restore(self, state: object) -> None:
        """Restore a state that `save` returned."""
        self.time = np.asarray(state)


class StillSource:
    """A constant pose."""

    def __init__(self, pose: Pose) -> None:
        self._pose = pose

    def advance(self, tau0: float, tau1: float) -> None:
        """Do nothing: the pose is constant."""

    def sample(self, out: Pose) -> None:
        """Write the pose."""
        out.assign(self._pose)

    def step(self, *, events: bool = True) -> Step:  # noqa: ARG002
        """Return no root motion and no events."""
        return Step()

    def needs_small_steps(self, tau0: float, tau1: float) -> bool:  # noqa: ARG002
        """Return False: one long step equals many short ones."""
        return False

    def save(self) -> object:
        """Return None: there is no state."""
        return None

    def restore(self, state: object) -> None:
        """Do nothing."""
