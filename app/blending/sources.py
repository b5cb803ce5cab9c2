"""Sources: what a pose may come from, and what it brings beside: root motion and events."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np

from ..animation.clip import Clip
from ..animation.events import EventTrack
from ..animation.playback import Playback, Span
from ..animation.pose import Pose
from ..animation.types import F64
from .parameters import Parameters
from .step import Fired, Step
from .sync_group import Beat

if TYPE_CHECKING:
    from ..animation.root_motion import RootMotion
    from .driven_clip import Drive

When = Callable[[float, tuple[int, ...]], float]  # x and a place in the batch to tau
SILENT = 0.01  # weight below which nothing is heard of a layer (SPEC C6)


class Source(Protocol):
    """Something that has a pose at every time. Time only goes on; `restore` goes back."""

    def advance(self, tau0: float, tau1: float) -> None:
        """Go from one global time to another, seconds."""

    def sample(self, out: Pose) -> None:
        """Write the whole pose of the time advanced to."""

    def step(self) -> Step:
        """Return what the last advance brings beside the pose."""

    def restless(self, tau0: float, tau1: float) -> bool:
        """Tell whether the way between two times must be gone in small steps to be right."""

    def save(self) -> object:
        """Return the state, for `restore`."""

    def restore(self, state: object) -> None:
        """Go back to a state that `save` gave."""


class ClipSource:
    """A clip and where it stands. What the clip does not touch is at rest.

    Parameters
    ----------
    clip, playback
        The playback's batch is the batch of the poses.
    rest
        Pose of the skeleton at rest, without a batch.
    events
        Named triggers on the clip.
    root
        What is done with the motion of its root.
    beat
        What a group goes by that keeps this clip in step with others (SPEC C5).
    """

    def __init__(
        self,
        clip: Clip,
        playback: Playback,
        rest: Pose,
        *,
        events: EventTrack | None = None,
        root: "RootMotion | None" = None,
        beat: Beat | None = None,
    ) -> None:
        self.clip = clip
        self.playback = playback
        self.events = events
        self.root = root
        self.beat = beat
        self.time: F64 = playback.time(playback.tau0)  # [...] clip time, seconds
        self.span: Span | None = None  # of the last step
        self._when: When = self._by_playback
        self._rest = rest

    def advance(self, tau0: float, tau1: float) -> None:  # noqa: ARG002
        """Go to a global time, seconds."""
        self.follow(self.playback.advance(tau1), self._by_playback)

    def follow(self, span: Span, when: When) -> None:
        """Go where a clock says, which knows the global time of every x in the span."""
        self.span = span
        self.time = span.time
        self._when = when

    def sample(self, out: Pose) -> None:
        """Write the whole pose of the time advanced to."""
        out.assign(self._rest)
        self.clip.sample(self.time, out)
        if self.root is not None:
            self.root.settle(out, self.time)

    def step(self) -> Step:
        """Return root motion and events of the last advance."""
        step = Step()
        if self.span is None:
            return step
        if self.root is not None:
            step = Step(*self.root.travel(self.span))
        if self.events is not None:
            step.events = list(self._fired(self.events, self.span))
        return step

    def _fired(self, events: EventTrack, span: Span) -> Iterator[Fired]:
        if not np.ndim(span.x1):
            for x, k, number in events.fired(span):
                yield Fired(self._when(x, ()), events.names[k], self.clip.name, "", 1.0, number)
            return
        for index, crossings in events.crowd(span):
            character = int(np.ravel_multi_index(index, np.shape(span.x1)))
            for x, k, number in crossings:
                tau, name = self._when(x, index), events.names[k]
                yield Fired(tau, name, self.clip.name, "", 1.0, number, character)

    def _by_playback(self, x: float, index: tuple[int, ...]) -> float:
        when = self.playback.when(x)
        return float(np.broadcast_to(when, np.shape(self.time))[index])

    def restless(self, tau0: float, tau1: float) -> bool:  # noqa: ARG002
        """Tell that any step is as good as many."""
        return False

    def save(self) -> object:
        """Return the state, for `restore`."""
        return self.playback.save(), self.time, self.span

    def restore(self, state: object) -> None:
        """Go back to a state that `save` gave."""
        playback, self.time, self.span = cast(tuple[Any, ...], state)
        self.playback.restore(playback)


class DrivenSource:
    """A clip whose time is set by a parameter (SPEC C9). Nothing fires and nothing travels.

    Parameters
    ----------
    drive
        From the parameter's value to the clip's own time.
    """

    def __init__(
        self,
        clip: Clip,
        drive: "Drive",
        parameter: str,
        parameters: Parameters,
        rest: Pose,
        root: "RootMotion | None" = None,
    ) -> None:
        self.clip = clip
        self._drive = drive
        self._parameter = parameter
        self._parameters = parameters
        self._rest = rest
        self._root = root
        self.time: F64 = np.zeros(())
        self.advance(0.0, 0.0)

    def advance(self, tau0: float, tau1: float) -> None:  # noqa: ARG002
        """Go to a global time, seconds."""
        self.time = self._drive.time(self._parameters.at(self._parameter, tau1))

    def sample(self, out: Pose) -> None:
        """Write the whole pose."""
        out.assign(self._rest)
        self.clip.sample(self.time, out)
        if self._root is not None:
            self._root.settle(out, self.time)

    def step(self) -> Step:
        """Return nothing."""
        return Step()

    def restless(self, tau0: float, tau1: float) -> bool:  # noqa: ARG002
        """Tell that any step is as good as many."""
        return False

    def save(self) -> object:
        """Return the state, for `restore`."""
        return self.time

    def restore(self, state: object) -> None:
        """Go back to a state that `save` gave."""
        self.time = np.asarray(state)


class StillSource:
    """One pose that stands still."""

    def __init__(self, pose: Pose) -> None:
        self._pose = pose

    def advance(self, tau0: float, tau1: float) -> None:
        """Do nothing: it is the same at any time."""

    def sample(self, out: Pose) -> None:
        """Write the pose."""
        out.assign(self._pose)

    def step(self) -> Step:
        """Return nothing."""
        return Step()

    def restless(self, tau0: float, tau1: float) -> bool:  # noqa: ARG002
        """Tell that any step is as good as many."""
        return False

    def save(self) -> object:
        """Return nothing: it never changes."""
        return None

    def restore(self, state: object) -> None:
        """Do nothing."""
