"""A motion at work: layers, parameters and what is scheduled, as a function of the global time.

What depends on history is stepped from tau = 0 at 1/120 s; steps are cut wherever something is
scheduled or a ramp bends, and at the time asked for (RULINGS M1, M2). That last step is always
taken back, so that the pose does not depend on which other times were asked for. Only aims of a
limited speed are not watched at the beginning of a way of more than FAR seconds: where they looked
so long ago no longer shows.
"""

import bisect
import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..animation.ground_motion import Ground, turned
from ..animation.pose import Pose
from ..animation.types import F32, F64
from . import handover
from .joint_limits import Past
from .layer_kinds import Cover
from .layers import Layers, additives
from .parameters import Parameters
from .step import Fired

RATE = 120  # steps a second
FAR = 4.0  # seconds, from where on the beginning of a way is gone without watching aims turn
KEPT = 0.5  # seconds between states kept to go back to
ROUNDING = 1e-3  # seconds that the time of an event may be off between a step and a longer one


@dataclass(frozen=True, slots=True)
class Scheduled:
    """Something that happens at a global time."""

    tau: float  # seconds
    do: Callable[["Mixer", float], None]
    length: float = 0.0  # seconds that it takes


class _State(NamedTuple):
    """Where everything stands at a global time."""

    tau: float
    following: int  # number of the next thing scheduled
    layers: object
    parameters: object
    ground: Ground


class Mixer:
    """Layers in motion.

    Parameters
    ----------
    layers
        What is played.
    parameters
        What drives it; the weights of layers are parameters too ("wave.weight").
    schedule
        In order of time.
    pivot
        Turning rate [...] about +Y at a global time, radians a second; None: none.
    length
        Seconds that are worth showing: of the longest pass.
    travels
        Whether anything may move the character beside the pivot: a way that turns is bent.
    """

    def __init__(
        self,
        layers: Layers,
        parameters: Parameters,
        *,
        schedule: Sequence[Scheduled] = (),
        pivot: Callable[[float], F64] | None = None,
        length: float = 0.0,
        travels: bool = True,
        batch: tuple[int, ...] = (),
    ) -> None:
        self.layers = layers
        self.parameters = parameters
        self.schedule = sorted(schedule, key=lambda each: each.tau)
        self.warnings: tuple[str, ...] = ()  # what was odd when it was bound
        self.fired: list[Fired] = []  # events since the last `go` or `play`
        self.held: dict[tuple[str, int], tuple[float, Past]] = {}  # layer, joint: when, how far
        self._length = length
        self._pivot = pivot
        self._travels = travels
        self._batch = batch
        self._now = 0.0  # everything stands here, but for the last step, which is taken back
        self._following = 0
        self._hasty = -math.inf  # up to there the way is gone without watching aims
        self._ground = Ground.still(batch)
        self._shown = self._ground
        self._asked: float | None = None
        self._kept: list[_State] = []
        self._taken: _State | None = None
        self._passed: tuple[float, float, list[Fired]] = 0.0, 0.0, []  # what the last step fired
        self._run_scheduled()
        self._keep()

    @property
    def tau(self) -> float:
        """The global time of the last `go`, seconds."""
        return 0.0 if self._asked is None else self._asked

    @property
    def length(self) -> float:
        """Seconds that are worth showing."""
        last = max((each.tau + each.length for each in self.schedule), default=0.0)
        return max(self._length, last + (self._length if last > 0 else 0.0))

    @property
    def world(self) -> F32:
        """[..., 4, 4] model space to world space, from root motion and pivoting."""
        return self._shown.matrix()

    def go(self, tau: float) -> None:
        """Stand at a global time, seconds, as a run from 0 would; nothing fires."""
        self.fired = []
        self._reach(tau, None)

    def play(self, tau: float) -> None:
        """Do the same, coming from the last time: what fires on the way is in `fired`.

        The first time it is what fires from 0 on.
        """
        self.fired = []
        since = -math.inf if self._asked is None else self._asked
        self._reach(tau, since if since < tau else None)

    def sample(self, out: Pose) -> None:
        """Write the local pose; takes note of joints that were held in their cones."""
        for _, act in additives(self.layers):
            act.reports = []  # it may not be heard now
        self.layers.sample(out)
        for name, past in self.reports():
            worst = self.held.get((name, past.joint))
            if worst is None or past.angle > worst[1].angle:
                self.held[name, past.joint] = self.tau, past

    def poses(self, taus: ArrayLike, rest: Pose) -> tuple[Pose, F32]:
        """Return the poses [T, ...] and worlds [T, ..., 4, 4] at global times [T], in any order."""
        times = np.asarray(taus, np.float64)
        pose = Pose.like(rest, (*times.shape, *self._batch))
        worlds = np.empty((*times.shape, *self._batch, 4, 4), np.float32)
        for k in np.argsort(times, kind="stable").tolist():
            self.go(float(times[k]))
            self.sample(Pose.over(pose.data[k], pose.count))
            worlds[k] = self.world
        return pose, worlds

    def speeds(self, taus: ArrayLike) -> F64:
        """Return how fast the character goes at global times [T], metres a second [T, ...].

        Over the last small step before each; at the beginning over the first one.
        """
        times = np.maximum(np.asarray(taus, np.float64), 1 / RATE)
        ways = np.zeros((2, *times.shape, *self._batch, 3))
        if not self._travels:
            return ways[0, ..., 0]
        for k in np.argsort(times, kind="stable").tolist():
            for side, tau in enumerate((times[k] - 1 / RATE, times[k])):
                self.go(float(tau))
                ways[side, k] = self._shown.travel
        return np.linalg.norm(ways[1] - ways[0], axis=-1) * RATE

    def events(self, begin: float, end: float) -> list[Fired]:
        """Return what fires after `begin` up to `end`; from 0, also what a start fires."""
        self.go(max(begin, 0.0))
        if begin <= 0:
            self._asked = None
        self.play(end)
        return self.fired

    def set(
        self, name: str, value: ArrayLike, tau: float | None = None, seconds: float | None = None
    ) -> None:
        """Run a parameter to a value from the present on; what was kept of later is forgotten."""
        at = self.tau if tau is None else tau
        self._take_back()
        self._commit(at)
        self.parameters.set(name, value, at, seconds)
        del self._kept[1:]
        self._keep()
        self._reach(at, None)

    def keep_up(self, lag: float = 4.0) -> bool:
        """Take the present for granted where the last step ended `lag` seconds ago; tells whether.

        A run of even weights is one long step, and every `play` looks through all its events. From
        here on it is a new one: the same but for rounding.
        """
        if self.tau - self._now <= lag:
            return False
        self._commit(self.tau)
        self._keep()
        self._reach(self.tau, None)
        return True

    def reports(self) -> list[tuple[str, Past]]:
        """Return what the last pose held back: layer, and the joint that was past its cone."""
        return [(layer.name, past) for layer, act in additives(self.layers) for past in act.reports]

    def adopt(self, other: "Mixer") -> None:
        """Go on where another mixer stands, layer by layer, after an edit.

        Where something scheduled has happened by then, the way is gone again from 0 instead.
        """
        tau = other.tau
        if any(each.tau <= tau for each in (*self.schedule, *other.schedule)) or tau <= 0:
            return
        self._take_back()
        self._passed = tau, tau, []
        handover.adopt(self.layers, other.layers, tau)
        self._now, self._asked = tau, tau
        self._ground = self._shown = other._shown
        self._keep()

    # -- the way ----------------------------------------------------------------------------------

    def _reach(self, tau: float, since: float | None) -> None:
        self._take_back()
        tau = self._asked = float(tau)
        if tau < self._now:
            self._go_back(tau)
        self._hasty = -math.inf
        memory = self.layers.memory if tau - self._now > FAR else 0.0
        if memory > 0:
            self._hasty = math.floor((tau - memory) * RATE) / RATE
        self.layers.hasten(self._hasty)
        end = self._boundary(tau)
        while end is not None:
            self._advance(end, since)
            self._ground = self._shown
            self._now = end
            self._run_scheduled()
            if end >= self._kept[-1].tau + KEPT:
                self._keep()
            end = self._boundary(tau)
        self._taken = self._state()
        if tau < 0:
            self.layers.advance(0.0, tau)  # plain clips run on, and so do their ways
            step = self.layers.step()
            self._shown = self._ground.then(step.travel, step.turn)
            return
        self._advance(tau, since)

    def _boundary(self, tau: float) -> float | None:
        """Return the end of the next step but the last one, None where `tau` comes first."""
        if tau <= self._now:
            return None
        events = self.schedule[self._following :]
        due = events[0].tau if events else math.inf
        stop = min(due, self.parameters.next_bend(self._now), tau)
        if self._now < self._hasty:
            stop = min(stop, self._hasty)
        if self._restless(stop):
            step = (math.floor(self._now * RATE + 1e-6) + 1) / RATE
            stop = min(stop, step) if step < tau else stop
        return stop if stop < tau or due <= tau == stop else None

    def _restless(self, stop: float) -> bool:
        pivot = self._pivot if self._travels else None  # turns alone add up over any step
        if pivot is not None and np.any((pivot(self._now) != 0) | (pivot(stop) != 0)):
            return True
        return self.layers.restless(self._now, stop)

    def _advance(self, tau: float, since: float | None) -> None:
        """Go from now to `tau`; collect what fires after `since`."""
        if since is None or tau <= since:
            self._move(tau)
            return
        earlier: list[Fired] = []
        if since > self._now:
            if self._passed[:2] != (self._now, since):
                saved = self._state()
                self._move(since)
                self._restore(saved)
            earlier = self._passed[2]
        self._move(tau)
        self.fired += _later(self._passed[2], earlier, since)

    def _move(self, tau: float) -> None:
        before = self._now
        self.layers.advance(before, tau)
        step = self.layers.step()
        self._passed = before, tau, step.events
        travel, turn = step.travel, step.turn
        seconds = tau - before
        if self._pivot is not None and seconds:
            pivoted = (self._pivot(before) + self._pivot(tau)) / 2 * seconds
            travel, turn = turned(travel, pivoted / 2), turn + pivoted
        self._shown = self._ground.then(travel, turn)

    def _run_scheduled(self) -> None:
        while self._following < len(self.schedule):
            due = self.schedule[self._following]
            if due.tau > self._now:
                return
            self._following += 1
            due.do(self, max(due.tau, 0.0))

    def _commit(self, tau: float) -> None:
        """Stand at `tau` for good, with all steps up to there."""
        self._reach(tau, None)
        if tau > self._now:
            self._ground, self._now = self._shown, tau
        self._taken = None

    # -- states -----------------------------------------------------------------------------------

    def _state(self) -> _State:
        return _State(
            self._now,
            self._following,
            self.layers.save(),
            self.parameters.save(),
            self._ground,
        )

    def _restore(self, state: _State) -> None:
        self._now, self._following = state.tau, state.following
        self.layers.restore(state.layers)
        self.parameters.restore(state.parameters)  # type: ignore[arg-type]
        self._ground = self._shown = state.ground

    def _take_back(self) -> None:
        if self._taken is not None:
            self._restore(self._taken)
            self._taken = None

    def _keep(self) -> None:
        self._kept.append(self._state())

    def _go_back(self, tau: float) -> None:
        place = bisect.bisect_right([state.tau for state in self._kept], tau) - 1
        place = max(place, 0)
        del self._kept[place + 1 :]
        self._restore(self._kept[place])


def _later(events: list[Fired], earlier: list[Fired], since: float) -> list[Fired]:
    """Return what fires in a step that another one to `since` has not passed.

    They are told apart by their number and order: when something fires is known but for rounding.
    """
    if not earlier:
        return events
    passed = Counter(map(_sort, earlier))
    found = []
    for event in events:
        if passed[_sort(event)] > 0:
            passed[_sort(event)] -= 1
        elif event.tau > since - ROUNDING:
            found.append(event)
    return found


def _sort(event: Fired) -> tuple[str, str, str, int, int]:
    return event.layer, event.clip, event.name, event.number, event.character


def covers(mixer: Mixer) -> dict[str, Cover]:
    """Return the layers that play a source of their own, by name."""
    return {layer.name: layer.act for layer in mixer.layers.layers if isinstance(layer.act, Cover)}
