"""Stepped evaluation: layers, parameters and scheduled changes as a function of time.

State that depends on history is stepped from tau = 0 at 1/120 s; steps end at scheduled changes,
at the ends of ramps, and at the requested time. The last step is always undone, so that the pose
does not depend on the times requested before. Over intervals of more than FAR seconds, aims of
limited speed are only evaluated at the end, where their earlier state is negligible: in long steps
and at last in small ones, or only in small ones if they do not meet their targets in these. Seeking
back continues from a checkpoint.
"""

import bisect
import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from ..animation.playback import Playback
from ..animation.pose import Pose
from ..animation.root_transform import RootTransform, rotate_about_y
from ..animation.types import F64
from ..errors import UsageError
from ..wording import suggestion
from .cone_limits import LimitViolation
from .layers import Layers, additives, limited_aims
from .mixer import ENDLESS, Mixer
from .parameters import Parameters
from .sources import FiredEvent
from .state import continue_from

CHECKPOINT_SHARE = 0.5  # of the age: the largest distance to the checkpoint before

State = TypeVar("State")


class Checkpoints(Generic[State]):
    """States in order of time; the first one stays, and one that no run from it reaches.

    States are few and farther apart the older they are: the distance between two is at most
    `CHECKPOINT_SHARE` of the age of the newer one, or one step of the simulation. Going back by a
    number of seconds so repeats at most that share of them. Their number grows with the logarithm
    of the time: about 30 a decade at most.

    Parameters
    ----------
    tau, state
        The first state and its time, seconds.
    """

    def __init__(self, tau: float, state: State) -> None:
        self._times = [tau]
        self._states = [state]
        self._staying = 1  # leading states that are never dropped

    @property
    def last(self) -> float:
        """The time of the newest state, seconds."""
        return self._times[-1]

    @property
    def times(self) -> list[float]:
        """The times of all states, seconds, ascending."""
        return list(self._times)

    def add(self, tau: float, state: State) -> None:
        """Add the newest state, and drop older ones that are closer together than needed."""
        self._times.append(tau)
        self._states.append(state)
        times, k = self._times, self._staying
        while k < len(times) - 1:
            if times[k + 1] - times[k - 1] <= CHECKPOINT_SHARE * (tau - times[k + 1]):
                del times[k], self._states[k]
            else:
                k += 1

    def go_back(self, tau: float) -> State:
        """Return the last state at or before a time, else the first; later ones are dropped."""
        place = max(bisect.bisect_right(self._times, tau), 1)
        del self._times[place:], self._states[place:]
        self._staying = min(self._staying, place)
        return self._states[-1]

    def replace(self, tau: float, state: State) -> None:
        """Replace all states but the first by one that was changed from outside, and keep it."""
        self._times[1:], self._states[1:] = [tau], [state]
        self._staying = 2


RATE = 120  # steps a second
FAR = 4.0  # seconds; over longer intervals aims are skipped at the beginning
COARSE = 40  # long steps at the end of such an interval
SMALL = 0.2  # seconds of small steps after them
KEPT = 0.5  # least seconds between the checkpoints for seeking back
LONGEST = 1000.0  # seconds whose events are listed in one step
MAX_EVENTS = 500_000  # of one list: three days of walking
MAX_STEPS = 100_000  # of one list of events: 14 minutes of small steps, half a minute of CPU time
ROUNDING = 1e-3  # seconds: tolerance of event times between steps of different length
_NONE_PASSED: tuple[float, float, list[FiredEvent]] = (math.nan, math.nan, [])


@dataclass(frozen=True, slots=True)
class Scheduled:
    """A change at a global time."""

    tau: float  # seconds
    do: Callable[["SteppedMixer", float], None]
    length: float = 0.0  # duration, seconds


class _State(NamedTuple):
    """The whole state at a global time."""

    tau: float
    following: int  # index of the next scheduled change
    layers: object
    parameters: object
    ground: RootTransform


class SteppedMixer(Mixer):
    """Evaluates layers over time: `seek` and `play`, then `sample`.

    Parameters
    ----------
    layers
        The layers.
    parameters
        The parameters.
    schedule
        Changes at global times.
    pivot
        Turning rate [...] about +Y at a global time, radians per second; None: none.
    has_root_motion
        Whether there is root motion beside the pivot.
    """

    def __init__(
        self,
        layers: Layers,
        parameters: Parameters,
        *,
        schedule: Sequence[Scheduled] = (),
        pivot: Callable[[float], F64] | None = None,
        has_root_motion: bool = True,
        batch: tuple[int, ...] = (),
    ) -> None:
        super().__init__(Playback(ENDLESS, passes=1), parameters)
        self.layers = layers
        self.schedule = sorted(schedule, key=lambda each: each.tau)
        self._pivot = pivot
        self._travels = has_root_motion
        self._batch = batch
        self._now = 0.0  # time of the state before the last step, which is undone
        self._following = 0
        self._skip_until = -math.inf  # up to here aims of limited speed are skipped
        self._ground = RootTransform.identity(batch)
        self._shown = self._ground
        self._asked: float | None = None
        self._steps_left = math.inf  # of a list of events
        self._taken: _State | None = None
        self._passed = _NONE_PASSED
        self._run_scheduled()
        self._checkpoints = Checkpoints(self._now, self._state())

    @property
    def tau(self) -> float:
        """The global time of the last `seek`, seconds."""
        return 0.0 if self._asked is None else self._asked

    @property
    def world(self) -> F64:
        """[..., 4, 4] model space to world space, from root motion and pivot."""
        return self._shown.matrix()

    def seek(self, tau: float) -> None:
        """Seek to a global time, seconds, with the state of a run from 0; no events fire."""
        self.fired = []
        self._reach(tau, None)

    def play(self, tau: float) -> None:
        """Advance to a global time, seconds; events since the last time are in `fired`.

        The first call fires the events from 0 on.
        """
        self.fired = []
        since = -math.inf if self._asked is None else self._asked
        self._reach(tau, since if since < tau else None)

    def sample(self, out: Pose) -> None:
        """Write the local pose; keep the largest excess of joint limits in `limit_violations`."""
        for _, operation in additives(self.layers):
            operation.reports = []  # the layer may be inactive now
        self.layers.sample(out)
        for name, past in self.reports():
            worst = self.limit_violations.get((name, past.joint))
            if worst is None or past.angle > worst[1].angle:
                self.limit_violations[name, past.joint] = self.tau, past

    def poses(self, taus: ArrayLike, rest: Pose) -> tuple[Pose, F64]:
        """Return the poses [T, ...] and world matrices [T, ..., 4, 4] at global times [T]."""
        times = np.asarray(taus, np.float64)
        pose = Pose.like(rest, (*times.shape, *self._batch))
        worlds = np.empty((*times.shape, *self._batch, 4, 4))
        for k in np.argsort(times, kind="stable").tolist():
            self.seek(float(times[k]))
            self.sample(Pose.over(pose.data[k], pose.count))
            worlds[k] = self.world
        return pose, worlds

    def speeds(self, taus: ArrayLike) -> F64:
        """Return the character's speed at global times [T], metres per second [T, ...].

        It is measured over the small step before each time; at the start over the first step.
        """
        times = np.maximum(np.asarray(taus, np.float64), 1 / RATE)
        ways = np.zeros((2, *times.shape, *self._batch, 3))
        if not self._travels:
            return ways[0, ..., 0]
        for k in np.argsort(times, kind="stable").tolist():
            for side, tau in enumerate((times[k] - 1 / RATE, times[k])):
                self.seek(float(tau))
                ways[side, k] = self._shown.translation
        return np.linalg.norm(ways[1] - ways[0], axis=-1) * RATE

    def events(self, begin: float, end: float) -> list[FiredEvent]:
        """Return the events after `begin` up to `end`; from 0, including those at the start.

        Raises
        ------
        UsageError
            There are more than `MAX_EVENTS`, or they need more than `MAX_STEPS`.
        """
        self._steps_left = MAX_STEPS
        try:
            return self._events(begin, end)
        finally:
            self._steps_left = math.inf

    def _events(self, begin: float, end: float) -> list[FiredEvent]:
        count = max(1, math.ceil((end - begin) / LONGEST))
        self._count_steps(count)
        self.seek(max(begin, 0.0))
        self.commit_long_step()
        if begin <= 0:
            self._asked = None
        found: list[FiredEvent] = []
        for number in range(1, count + 1):
            if number > 1:
                self.commit_long_step()
            self.play(min(begin + number * LONGEST, end))
            found += self.fired
            if len(found) > MAX_EVENTS:
                raise UsageError(f"more than {MAX_EVENTS} events from {begin:g} to {end:g} s")
        return found

    def set(
        self, name: str, value: ArrayLike, tau: float | None = None, seconds: float | None = None
    ) -> None:
        """Ramp a parameter to a value from the current time on; stored later states are dropped.

        Raises
        ------
        UsageError
            There is no such parameter, the hint lists similar ones; or it has values of another
            shape, such as a point in place of a number.
        """
        if name not in self.parameters:
            known = self.parameters.names()
            raise UsageError(f"no parameter {name!r}", hint=suggestion(name, known))
        self._check_value(name, value)
        at = self.tau if tau is None else tau
        self._take_back()
        self._commit(at)
        self.parameters.set(name, value, at, seconds)
        self._checkpoints.replace(self._now, self._state())
        self._reach(at, None)

    def _check_value(self, name: str, value: ArrayLike) -> None:
        """Check that a parameter can have a value: a number or a point, or one per character."""
        whole = self.parameters.at(name, self.tau).shape
        width = whole[len(self._batch) :]
        try:
            given = np.asarray(value, np.float64)
            np.broadcast_to(given, whole)
            fits = given.shape[given.ndim - len(width) :] == width and np.isfinite(given).all()
        except ValueError:
            fits = False
        if not fits:
            raise UsageError(f"{name!r} is {'a point' if width else 'a number'}, not {value!r}")

    def commit_long_step(self, lag: float = 4.0) -> bool:
        """Commit the current state if the last step is longer than `lag` seconds; return whether.

        An interval of constant weights is one long step, and every `play` searches all its events.
        This starts a new step; the result is the same but for rounding.
        """
        if self.tau - self._now <= lag:
            return False
        self._commit(self.tau)
        self._keep()
        self._reach(self.tau, None)
        return True

    def is_stepped_until(self, tau: float) -> bool:
        """Return whether a mixer at 0, without a schedule, needs small steps all the way to a time.

        Aims of limited speed do not count: they are skipped but for the end.
        """
        self.layers.skip_aims_until(tau)
        return not self.schedule and self._restless(tau)

    def reports(self) -> list[tuple[str, LimitViolation]]:
        """Return the joint limits violated by the last pose: layer, and the joint."""
        return [
            (layer.name, past)
            for layer, operation in additives(self.layers)
            for past in operation.reports
        ]

    def take_over(self, other: "SteppedMixer") -> None:
        """Take over the state of another mixer, layer by layer, if no scheduled change is past."""
        tau = other.tau
        if any(each.tau <= tau for each in (*self.schedule, *other.schedule)) or tau <= 0:
            return
        self._take_back()
        self._passed = _NONE_PASSED
        continue_from(self.layers, other.layers, tau)
        self._now, self._asked = tau, tau
        self._ground = self._shown = other._shown
        self._checkpoints.replace(self._now, self._state())

    # -- steps ------------------------------------------------------------------------------------

    def _reach(self, tau: float, since: float | None) -> None:
        if not math.isfinite(tau):
            raise UsageError(f"a mixer is played to a time in seconds, not to {tau}")
        self._take_back()
        tau = self._asked = float(tau)
        if tau < self._now:
            self._restore(self._checkpoints.go_back(tau))
        memory = self.layers.memory if tau - self._now > FAR else 0.0
        begin = math.floor((tau - memory) * RATE) / RATE if memory > 0 else -math.inf
        far = since is None or tau - since > FAR  # while frames follow each other, only one step
        if not far or memory * RATE < 3 * COARSE or not self._jump(tau, since, begin):
            self._steps(tau, since, begin)
        self._taken = self._state()
        if tau < 0:
            self.layers.advance(0.0, tau)  # clips play before the start, with root motion
            step = self.layers.step(events=False)
            self._shown = self._ground.compose(step.translation, step.yaw)
            return
        self._advance(tau, since)

    def _jump(self, tau: float, since: float | None, begin: float) -> bool:
        """Step to the last step before `tau`, with long steps from `begin` on; undone if in vain.

        Small steps begin where every aim met its target in long ones, at first as late as possible.
        If they meet again, the result is that of small steps only. Events after `since` count once.
        """
        before, aims = (self._state(), list(self.fired)), list(limited_aims(self.layers))
        for aim in aims:
            aim.chain.catch_up.begin()
        met: list[tuple[_State, list[FiredEvent]]] = []
        for end in np.linspace(begin, tau - SMALL, COARSE + 1)[1:].tolist():
            self._steps(end, since, begin, end)
            self._step_to(end, since)
            if all(aim.chain.catch_up.meets for aim in aims):
                met = [*met[-2:], (self._state(), list(self.fired))]
        if len(met) > 1 and met[-1][0].tau < self._now:
            met.pop()
        for begun, heard in met[:-3:-1]:
            self._restore(begun)
            self.fired = list(heard)
            for aim in aims:
                aim.chain.catch_up.allow(SMALL / 2)
            self._steps(tau, since, -math.inf, keep=False)
            if all(aim.chain.catch_up.met for aim in limited_aims(self.layers)):
                return True
        self._restore(before[0])
        self.fired = before[1]
        return False

    def _steps(
        self,
        tau: float,
        since: float | None,
        begin: float,
        coarse: float = -math.inf,
        *,
        keep: bool = True,
    ) -> None:
        """Step to the last step before `tau`.

        Aims of limited speed are skipped until `begin`, and in long steps also until `coarse`.
        """
        self._skip_until = begin
        self.layers.skip_aims_until(begin, coarse)
        end = self._boundary(tau)
        while end is not None:
            self._step_to(end, since)
            if keep and end >= self._checkpoints.last + KEPT and not begin < end <= coarse:
                self._keep()
            end = self._boundary(tau)

    def _count_steps(self, count: int) -> None:
        """Count steps of a list of events; UsageError if there are more than `MAX_STEPS`."""
        self._steps_left -= count
        if self._steps_left < 0:
            raise UsageError(
                f"--time: the events need more than {MAX_STEPS} steps: at least one for each "
                f"{LONGEST:g} s, and {RATE} a second while weights change or a pivot turns; end "
                "earlier"
            )

    def _step_to(self, end: float, since: float | None) -> None:
        self._count_steps(1)
        self._advance(end, since)
        self._ground, self._now = self._shown, end
        self._run_scheduled()

    def _boundary(self, tau: float) -> float | None:
        """Return the end of the next step before the last one to `tau`, None if there is none."""
        if tau <= self._now:
            return None
        events = self.schedule[self._following :]
        due = events[0].tau if events else math.inf
        stop = min(due, self.parameters.next_bend(self._now), tau)
        if self._now < self._skip_until:
            stop = min(stop, self._skip_until)
        if self._restless(stop):
            step = (math.floor(self._now * RATE + 1e-6) + 1) / RATE
            stop = min(stop, step) if step < tau else stop
        return stop if stop < tau or due <= tau == stop else None

    def _restless(self, stop: float) -> bool:
        pivot = self._pivot if self._travels else None  # turns alone are exact over any step
        if pivot is not None and np.any((pivot(self._now) != 0) | (pivot(stop) != 0)):
            return True
        return self.layers.needs_small_steps(self._now, stop)

    def _advance(self, tau: float, since: float | None) -> None:
        """Advance to `tau`; collect the events after `since`."""
        if since is None or tau <= since:
            self._move(tau, events=False)
            return
        earlier: list[FiredEvent] = []
        if since > self._now:
            if self._passed[:2] != (self._now, since):
                saved = self._state()
                self._move(since)
                self._restore(saved)
            earlier = self._passed[2]
        self._move(tau)
        self.fired += later_events(self._passed[2], earlier, since)

    def _move(self, tau: float, *, events: bool = True) -> None:
        before = self._now
        self.layers.advance(before, tau)
        step = self.layers.step(events=events)
        self._passed = (before, tau, step.events) if events else _NONE_PASSED
        translation, yaw = step.translation, step.yaw
        seconds = tau - before
        if self._pivot is not None and seconds:
            pivoted = (self._pivot(before) + self._pivot(tau)) / 2 * seconds
            translation, yaw = rotate_about_y(translation, pivoted / 2), yaw + pivoted
        self._shown = self._ground.compose(translation, yaw)

    def _run_scheduled(self) -> None:
        while self._following < len(self.schedule):
            due = self.schedule[self._following]
            if due.tau > self._now:
                return
            self._following += 1
            due.do(self, max(due.tau, 0.0))

    def _commit(self, tau: float) -> None:
        """Advance to `tau` and keep the last step."""
        self._reach(tau, None)
        if tau > self._now:
            self._ground, self._now = self._shown, tau
        self._taken = None

    # -- states -----------------------------------------------------------------------------------

    def _state(self) -> _State:
        saved = self.layers.save(), self.parameters.save()
        return _State(self._now, self._following, *saved, self._ground)

    def _restore(self, saved: _State) -> None:
        self._now, self._following = saved.tau, saved.following
        self.layers.restore(saved.layers)
        self.parameters.restore(saved.parameters)
        self._ground = self._shown = saved.ground

    def _take_back(self) -> None:
        if self._taken is not None:
            self._restore(self._taken)
            self._taken = None

    def _keep(self) -> None:
        self._checkpoints.add(self._now, self._state())


def later_events(
    events: list[FiredEvent], earlier: list[FiredEvent], since: float
) -> list[FiredEvent]:
    """Return the events of a step that are not in an earlier step to `since`.

    Events are matched by their pass and order, as their times are subject to rounding.
    """
    if not earlier:
        return events
    if events == earlier:  # as most frames fire none
        return []
    passed = Counter(map(_sort, earlier))
    found = []
    for event in events:
        if passed[_sort(event)] > 0:
            passed[_sort(event)] -= 1
        elif event.tau > since - ROUNDING:
            found.append(event)
    return found


def _sort(event: FiredEvent) -> tuple[str, str, str, int, int]:
    return event.layer, event.clip, event.name, event.number, event.character
