"""Strafe sources: six directional clips, forward and backward halves, and transitions.

Directions are radians about +Y: 0 forward, positive to the character's left (+X). The circle is
divided into two halves of three clips each, because blending forward and backward clips makes
legs cross. The half changes beyond 90° plus a hysteresis, so that it does not flicker. After a
transition clip the new half continues where its pose is nearest to the transition's last pose.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from ..animation.playback import Span
from ..animation.pose import Pose
from ..animation.skeleton import Skeleton
from ..animation.types import F64, Bool, Index
from .joined_groups import advance_with
from .pose_layout import PoseLayout
from .sources import ClipSource, Source, Step
from .space_source import PLAIN_MEAN, MeanSettings, SpaceSource, seek_group
from .state import Node
from .sync_group import SyncGroup

ROLES = ("forward", "left", "right", "back", "left_back", "right_back")
TURNS = ("left_to_back", "left_to_front", "right_to_back", "right_to_front")
HYSTERESIS = np.pi / 18
_SIDE = np.pi / 2
_ENTERED = (4, 1, 5, 2)  # the role after each transition
_ROUNDING = 1e-9  # seconds
_PHASES = 128  # compared for the nearest pose


class Direction(NamedTuple):
    """The direction of movement over global time."""

    at: Callable[[float], F64]  # radians [...] at a time
    changes: Callable[[float, float], bool]  # whether it changes between two times


class HalfChange(NamedTuple):
    """When and how fast the half changes."""

    hysteresis: float = HYSTERESIS  # radians beyond the side, 0 to pi / 2
    seconds: float = 0.2  # duration of a fade; at most half a transition clip


class StrafeState(NamedTuple):
    """State of all characters; arrays are never written in place."""

    back: Bool  # [...] whether in, or fading to, the backward half
    theta: F64  # [...] direction at the last step
    turn: Index  # [...] index of the current transition clip, -1: none
    done: F64  # [...] elapsed clip seconds of a transition, or seconds of a fade
    whole: F64  # [...] their total
    fade: F64  # [...] length of the fades at its start and end
    left: F64  # [..., 6] weights at the start of the change
    shown: F64  # [..., 6] weights of the last step


class StrafeSource(Source):
    """Six clips and the transitions between the forward and backward half, by a direction.

    The six clips are one sync group, in phase in both halves. A change of half without a transition
    clip is a fade in phase, from the current weights; it can be reversed before its end. A
    transition clip plays once from start to end, without interruption: the old half fades out at
    its start, and the new half fades in at its end, at the phase whose pose is nearest to the
    transition's last pose, so that the feet continue. In reverse or at rate 0 every change is a
    fade.

    Parameters
    ----------
    members
        [6] clips as in ROLES; the group advances them, their playbacks are not used.
    transitions
        Names of TURNS to transition clips.
    group
        The sync group of the members.
    """

    changing = ("_state",)

    def __init__(
        self,
        members: Sequence[ClipSource],
        transitions: Mapping[str, ClipSource],
        direction: Direction,
        rig: PoseLayout,
        group: SyncGroup,
        *,
        half_change: HalfChange,
        settings: MeanSettings = PLAIN_MEAN,
    ) -> None:
        hysteresis = half_change.hysteresis
        if not 0 <= hysteresis < np.pi / 2:
            raise ValueError(f"hysteresis must be within 0 and pi / 2, not {hysteresis}")
        strange = [name for name in transitions if name not in TURNS]
        if len(members) != len(ROLES) or strange:
            raise ValueError(f"strafing takes {len(ROLES)} clips and {TURNS}, not {strange}")
        self.group = group
        self._direction = direction
        self._hysteresis, self._seconds = half_change
        self._batch = settings.batch
        self._clips = {TURNS.index(name): clip for name, clip in transitions.items()}
        everything = [*members, *self._clips.values()]
        self._mean = SpaceSource(everything, None, direction.changes, rig, settings=settings)
        self._lengths = np.zeros(len(TURNS))
        self._entries = np.zeros(len(TURNS))
        for k, clip in self._clips.items():
            self._lengths[k] = np.max(clip.playback.duration)  # the same for all characters
            last = poses_at(clip, self._lengths[k], rig.skeleton.rest)
            self._entries[k] = nearest_time(members[_ENTERED[k]], last, rig.skeleton)
        self._idle = {k: self._still_span(k) for k in self._clips}
        self._state = self._begin()
        group.start(np.argmax(self._state.shown, axis=-1))
        self._mean.weights = self._all(self._state)
        self._follow(0.0, self._state.done, self._state)

    @property
    def members(self) -> tuple[Source, ...]:
        """The clips as in ROLES, then the transition clips."""
        return self._mean.members

    @property
    def weights(self) -> F64:
        """The weights [..., n] of the last step: of ROLES, then of the transition clips."""
        return self._mean.weights

    @property
    def back(self) -> Bool:
        """Whether it is in, or fading to, the backward half [...]."""
        return self._state.back

    def advance(self, tau0: float, tau1: float) -> None:
        """Advance from one global time to another, seconds."""
        tau1 = max(tau1, 0.0)  # constant before the start
        if self._is_steady(tau0, tau1):
            self.group.advance(tau1 - tau0, self._state.shown)
            self._follow(tau0, self._state.done, self._state)
            return
        before = self._turned(self._state, tau0)
        seconds = tau1 - tau0
        paces = np.where(before.turn >= 0, self.group.rate, 1.0)

        def weights_at(since: float) -> F64:
            """Return the weights [..., 6] at seconds since the step's start."""
            progress = np.minimum(before.done + paces * since, before.whole)
            return self._six(before._replace(done=progress), self._at(tau0 + since))

        done = before.done + paces * seconds
        done = np.where(done > before.whole - _ROUNDING, before.whole, done)
        self._enter(before, done, seconds)
        advance_with(self.group, seconds, weights_at)
        after = self._turned(before._replace(done=done), tau1)
        self._follow(tau0, before.done, before._replace(done=done))
        self._state = after
        self._mean.weights = self._all(after)

    def sample(self, out: Pose) -> None:
        """Write the weighted mean pose."""
        self._mean.sample(out)

    def step(self, *, events: bool = True) -> Step:
        """Return the weighted mean root motion, and the events of the selected members."""
        return self._mean.step(events=events)

    def needs_small_steps(self, tau0: float, tau1: float) -> bool:
        """Return whether the direction changes or a change of half is in progress."""
        state = self._state
        if self._direction.changes(tau0, tau1) or np.any(state.done < state.whole):
            return True
        return bool(np.any(self._at(tau0) != state.theta)) or self._mean.needs_small_steps(
            tau0, tau1
        )

    def parts(self) -> Iterable[tuple[str, Node]]:
        """Return the sync group and the mean of the clips."""
        return ("group", self.group), ("mean", self._mean)

    def weighted_parts(self, tau: float) -> Iterable[tuple[float, Source]]:
        """Return the clips with their weights in the last step."""
        return self._mean.weighted_parts(tau)

    def continue_from(self, other: Self, tau: float) -> None:  # noqa: ARG002
        """Continue the change of half of the same clips."""
        names = [member.name for member in self.members]
        same = np.array_equal(self._lengths, other._lengths) and self._batch == other._batch
        if same and names == [member.name for member in other.members]:
            self._state, self._mean.weights = other._state, other.weights

    def seek(self, time: float, tau: float) -> None:  # noqa: ARG002
        """Move the heaviest clip to a clip time, and the others to its phase."""
        seek_group(self.group, self._mean.clips, self.weights, time)

    def set_rate(self, rate: ArrayLike, tau: float) -> None:  # noqa: ARG002
        """Set the clip seconds per second of the group."""
        self.group.set_rate(rate)

    # -- the change of half -----------------------------------------------------------------------

    def _begin(self) -> StrafeState:
        theta = self._at(0.0)
        none = np.zeros(self._batch)
        back = half(theta, np.zeros(self._batch, bool), 0.0)
        shown = weights(theta, back, self._hysteresis)
        turn = np.full(self._batch, -1)
        return StrafeState(back, theta, turn, none, none, none, shown, shown)

    def _at(self, tau: float) -> F64:
        return np.broadcast_to(wrap(self._direction.at(tau)), self._batch)

    def _is_steady(self, tau0: float, tau1: float) -> bool:
        """Return whether the weights stay as they are: neither direction nor half changes."""
        state = self._state
        return not self._direction.changes(tau0, tau1) and bool(
            (state.done == state.whole).all()
            and (self._at(tau1) == state.theta).all()
            and (half(state.theta, state.back, self._hysteresis) == state.back).all()
        )

    def _turned(self, state: StrafeState, tau: float) -> StrafeState:
        """Return the state for the direction at a global time, with a change of half if needed.

        A transition clip is played to its end first.
        """
        theta = self._at(tau)
        settled = (state.turn < 0) | (state.done >= state.whole)
        back = np.where(settled, half(theta, state.back, self._hysteresis), state.back)
        new = back != state.back
        if new.any():
            came = np.where((state.theta == 0) | (np.abs(state.theta) == np.pi), theta, state.theta)
            turn = np.where(came < 0, 2, 0) + np.where(back, 0, 1)
            length = self._lengths[turn]
            plays = (length > 0) & (self.group.rate > 0)
            whole = np.where(plays, length, self._seconds)
            fade = np.where(plays, np.minimum(self._seconds * self.group.rate, length / 2), whole)
            state = state._replace(
                back=back,
                turn=np.where(new, np.where(plays, turn, -1), state.turn),
                done=np.where(new, 0.0, state.done),
                whole=np.where(new, whole, state.whole),
                fade=np.where(new, fade, state.fade),
                left=np.where(new[..., None], state.shown, state.left),
            )
        state = state._replace(theta=theta)
        return state._replace(shown=self._six(state, theta))

    def _eased(self, state: StrafeState) -> tuple[F64, F64]:
        """Return the progress [...] of the old half's fade-out, and of the new one's fade-in."""
        gone = _ease(state.done, state.fade)
        return gone, _ease(state.done - (state.whole - state.fade), state.fade)

    def _six(self, state: StrafeState, theta: F64) -> F64:
        """Return the weights [..., 6] of ROLES, without those of transition clips."""
        gone, come = self._eased(state)
        now = weights(theta, state.back, self._hysteresis)
        return (1.0 - gone)[..., None] * state.left + come[..., None] * now

    def _all(self, state: StrafeState) -> F64:
        """Return the weights of all members [..., n]."""
        gone, come = self._eased(state)
        clip = gone - come
        parts = [np.where(state.turn == k, clip, 0.0)[..., None] for k in self._clips]
        return np.concatenate((state.shown, *parts), axis=-1)

    def _enter(self, state: StrafeState, done: F64, seconds: float) -> None:
        """Move characters whose new half starts to fade in to the phase after the transition."""
        fade_in_start = state.whole - state.fade
        enters = (state.turn >= 0) & (state.done < fade_in_start) & (done >= fade_in_start)
        if not enters.any():
            return
        turn = np.maximum(state.turn, 0)
        entered = np.asarray(_ENTERED)[turn]
        cycles = np.array([sync_track.cycle for sync_track in self.group.sync_tracks])
        cycle = self.group.cycle(weights(state.theta, state.back))
        pace = cycles[entered] / np.where(cycle > 0, cycle, 1.0)
        x = self._entries[turn] - pace * (state.whole - done + self.group.rate * seconds)
        (at, *others), parts = self.group.save()
        self.group.enter(entered, x)
        self.group.restore(([np.where(enters, self.group.at, at), *others], parts))

    def _follow(self, tau0: float, before: F64, state: StrafeState) -> None:
        """Update the clips from the group, and the transition clips."""
        members = self._mean.clips[: len(ROLES)]
        spans = self.group.spans([float(member.playback.start) for member in members])
        for k, (member, span) in enumerate(zip(members, spans, strict=True)):
            member.follow(
                span,
                lambda x, index, k=k: tau0 + self.group.when(k, x, index),  # type: ignore[misc]
            )
        for k, member in self._clips.items():
            plays = state.turn == k
            if not plays.any():
                member.follow(self._idle[k], _never)
                continue
            x0, x1 = np.where(plays, before, 0.0), np.where(plays, state.done, 0.0)
            one, start = np.ones(()), float(member.playback.start)
            length = np.asarray(self._lengths[k])
            span = Span(x0, x1, length, "loop", one, start + x1, plays & (x0 == 0.0))
            member.follow(
                span,
                lambda x, index, x0=x0: (  # type: ignore[misc]
                    tau0
                    + float((x - x0[index]) / np.broadcast_to(self.group.rate, x0.shape)[index])
                ),
            )

    def _still_span(self, k: int) -> Span:
        """Return the interval of a transition clip that does not play, by index of TURNS."""
        zero = np.zeros(self._batch)
        start, length = float(self._clips[k].playback.start), np.asarray(self._lengths[k])
        return Span(zero, zero, length, "loop", np.ones(()), start + zero, zero > 0)


def _never(x: float, _index: tuple[int, ...]) -> float:
    """Return when a clip that does not play was at `x`: nothing asks."""
    raise AssertionError(x)


def _ease(done: F64, whole: F64) -> F64:
    """Return 3 u² - 2 u³ of u = done / whole, clamped to 0 and 1; a step if `whole` is 0."""
    u = np.clip(done / np.where(whole > 0, whole, 1.0), 0.0, 1.0)
    return np.where(whole > 0, u * u * (3.0 - 2.0 * u), np.where(done >= 0, 1.0, 0.0))


def weights(theta: ArrayLike, back: ArrayLike, hysteresis: float = HYSTERESIS) -> F64:
    """Return the weights [..., 6] of ROLES for directions [...] and halves [...].

    Neighbours are blended by angle; beyond the side, within the hysteresis, only the side clip has
    weight. Beyond the hysteresis, which is reached only while a transition delays the change of
    half, one side blends into the other, so that the weights are continuous.
    """
    angle = wrap(theta)
    behind = np.asarray(back, bool)
    off = np.where(behind, np.pi - np.abs(angle), np.abs(angle))  # from the middle of the half
    share = np.minimum(off / _SIDE, 1.0)
    over = np.clip((off - _SIDE - hysteresis) / (_SIDE - hysteresis), 0.0, 1.0) / 2.0
    near, far = share * (1.0 - over), share * over
    left = angle > 0
    half = np.stack((1.0 - share, np.where(left, near, far), np.where(left, far, near)), axis=-1)
    held = behind[..., None]
    return np.concatenate((np.where(held, 0.0, half), np.where(held, half, 0.0)), axis=-1)


def half(theta: ArrayLike, back: ArrayLike, hysteresis: float) -> Bool:
    """Return whether the backward half applies [...], by the last half and the direction."""
    beyond = np.abs(wrap(theta))
    out: Bool = np.where(back, beyond >= _SIDE - hysteresis, beyond > _SIDE + hysteresis)
    return out


def wrap(theta: ArrayLike) -> F64:
    """Return angles wrapped to (-pi, pi]."""
    return np.pi - np.mod(np.pi - np.asarray(theta, np.float64), 2.0 * np.pi)


def nearest_time(source: ClipSource, pose: Pose, skeleton: Skeleton) -> float:
    """Return the local time x, seconds, at which a clip is nearest to a pose.

    Poses are compared by joint positions in model space, relative to their mean.

    Parameters
    ----------
    source
        A looping clip.
    pose
        Without a batch.
    """
    length = float(np.max(source.playback.duration))  # the same for all characters
    if length <= 0:
        return 0.0
    local = np.arange(_PHASES, dtype=np.float64) * (length / _PHASES)
    poses = poses_at(source, local, skeleton.rest)
    difference = _positions(skeleton, poses) - _positions(skeleton, pose)
    distance = np.einsum("tji,tji->t", difference, difference)  # squared, of all joints
    best = int(np.argmin(distance))
    before, here, after = distance[best - 1], distance[best], distance[(best + 1) % _PHASES]
    curve = before - 2.0 * here + after  # of a parabola through three samples
    offset = (before - after) / (2.0 * curve) if curve > 0 else 0.0
    return float(np.mod(local[best] + offset * (length / _PHASES), length))


def poses_at(source: ClipSource, local: F64, rest: Pose) -> Pose:
    """Return the poses [...] of a clip at local times x [...], independent of its playback."""
    out = Pose.like(rest, local.shape)
    times = local + source.playback.start
    source.clip.sample(times, out)
    if source.root is not None:
        source.root.remove_root_motion(out, times)
    return out


def _positions(skeleton: Skeleton, pose: Pose) -> F64:
    """Return joint positions [..., J, 3] relative to their mean."""
    positions = skeleton.to_model(pose)[..., :3, 3].astype(np.float64)
    return positions - positions.mean(axis=-2, keepdims=True)
