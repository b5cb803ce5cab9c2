"""Cross-fades: a smooth transition from one source to another."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..animation import quat
from ..animation.pose import Pose
from ..animation.rotation_mean import Blend
from ..animation.types import F32, F64, Bool
from ..animation.vectors import dot
from .blend import lerp_pose, quaternion_columns
from .pose_layout import PoseLayout
from .sources import Source, Step, StillSource
from .state import Node

Ease = Literal["cubic", "linear"]
Kind = Literal["smooth", "frozen"]
DEEPEST = 4  # nested fades whose sources all keep playing
_NEAR = 0.02  # cosine of half the angle of an arc, below which rounding may select the other arc
_WIDE = -0.1  # the same, about 11 degrees beyond half a turn
_TURNED = -0.9  # the same, of the remaining arc: the other arc is a fifth of it


def ease(u: float, start: float = 0.0, end: float = 1.0) -> float:
    """Return the eased share at `u` of a fade: ease in and out, at most 1.5 times the mean speed.

    A cubic Bézier curve with horizontal handles; clamped outside 0 and 1.
    """
    u = min(max(u, 0.0), 1.0)
    v = 1.0 - u
    return (v**3 + 3 * v**2 * u) * start + (3 * v * u**2 + u**3) * end


def linear(u: float, start: float = 0.0, end: float = 1.0) -> float:
    """Return the share at `u` of a linear fade."""
    u = min(max(u, 0.0), 1.0)
    return (1.0 - u) * start + u * end


def _sum_of_ease(u: float) -> float:
    """Return the integral of `ease` from 0 to u."""
    inside = min(max(u, 0.0), 1.0)
    return inside**3 - inside**4 / 2 + max(u - 1.0, 0.0)


def _sum_of_linear(u: float) -> float:
    inside = min(max(u, 0.0), 1.0)
    return inside**2 / 2 + max(u - 1.0, 0.0)


_EASES: Mapping[Ease, tuple[Callable[[float], float], Callable[[float], float]]] = {
    "cubic": (ease, _sum_of_ease),
    "linear": (linear, _sum_of_linear),
}


class FadeSettings(NamedTuple):
    """How one source fades to another."""

    seconds: float  # duration; 0: the new source is shown at once
    ease: Ease = "cubic"  # the curve of the new source's share
    kind: Kind = "smooth"  # both sources keep playing; "frozen": the old pose at the start is held
    rotation: Blend = "nlerp"


class FadeSource(Source):
    """A fade from one source to another.

    Each rotation's arc from the old to the new pose is chosen when the fade starts, and kept. A
    fade may start during another one: that fade is then the old source. Up to four nested fades
    keep playing; beyond that the oldest source is frozen in its current pose.

    Parameters
    ----------
    old, new
        Both are advanced to `tau0`.
    tau0
        Global time of the start, seconds.
    rig, batch
        Of the poses.
    """

    fades = True
    changing = ("_span", "old")

    def __init__(
        self,
        old: Source,
        new: Source,
        tau0: float,
        settings: FadeSettings,
        rig: PoseLayout,
        batch: tuple[int, ...] = (),
    ) -> None:
        self.old = old
        self.new = new
        self.tau0 = tau0
        self.seconds = settings.seconds
        self._rig = rig
        self._share, self._sum = _EASES[settings.ease]
        self._rotation: Blend = settings.rotation
        self._a = Pose.like(rig.skeleton.rest, batch)
        self._b = Pose.like(rig.skeleton.rest, batch)
        self._columns = quaternion_columns(rig)
        self._span = (tau0, tau0)  # of the last step
        if settings.kind == "frozen":
            self.hold()
        self._hold_the_oldest()
        self._look()
        self._arcs = CrossFadeRotations(self._turns(self._a), self._turns(self._b), self._rotation)

    def share(self, tau: float) -> float:
        """Return the share of the new source at a global time, from 0 to 1."""
        if self.is_complete(tau):
            return 1.0
        return self._share((tau - self.tau0) / self.seconds)

    def is_complete(self, tau: float) -> bool:
        """Return whether the fade is complete at a global time."""
        return tau >= self.tau0 + self.seconds

    def remaining(self, tau: float) -> Source:
        """Return the new source once the fade is complete."""
        return self.new if self.is_complete(tau) else self

    def weighted_parts(self, tau: float) -> Iterable[tuple[float, Source]]:
        """Return both sources with their shares."""
        share = self.share(tau)
        return (1.0 - share, self.old), (share, self.new)

    @property
    def has_phase(self) -> bool:
        """Whether the new source has one."""
        return self.new.has_phase

    def seek(self, time: float, tau: float) -> None:
        """Move both sources, or after the fade the new one, to a clip time."""
        for source in self._playing(tau):
            source.seek(time, tau)

    def set_rate(self, rate: ArrayLike, tau: float) -> None:
        """Set the speed of both sources, or after the fade of the new one."""
        for source in self._playing(tau):
            source.set_rate(rate, tau)

    def _playing(self, tau: float) -> tuple[Source, ...]:
        """Return the sources that still play at a global time."""
        if self.is_complete(tau):
            return (self.new,)
        self.old = self.old.remaining(tau)
        return self.old, self.new

    def advance(self, tau0: float, tau1: float) -> None:
        """Advance both sources from one global time to another, seconds."""
        if not self.is_complete(tau0):
            self.old = self.old.remaining(tau0)
            self.old.advance(tau0, tau1)
        self.new.advance(tau0, tau1)
        self.follow(tau0, tau1)

    def follow(self, tau0: float, tau1: float) -> None:
        """Advance the fade alone, where both sources have been advanced by the caller."""
        self._span = (tau0, tau1)
        if not self.is_complete(tau1):
            self._look()
            self._arcs.follow(self._turns(self._a), self._turns(self._b), self.share(tau1))

    def sample(self, out: Pose) -> None:
        """Write the whole pose at the current time."""
        share = self.share(self._span[1])
        if share >= 1:
            self.new.sample(out)
            return
        if not self._seen:
            self._look()
        out.assign(self._a)
        lerp_pose(out, self._b, share, None, self._rig, self._rotation)
        if share > 0:
            self._put_on_arcs(out)

    def _put_on_arcs(self, out: Pose) -> None:
        turned = self._turns(out)
        self._arcs.blend(turned)
        if self._rig.rotations:
            out.rotation[...] = turned[..., : out.count, :]
            out.values[..., self._columns] = turned[..., out.count :, :]

    def step(self, *, events: bool = True) -> Step:
        """Return the root motion of both, blended by their mean shares, and the events of both.

        Events are weighted by the share of their source when they fire.
        """
        begin, end = self._span
        new = self.new.step(events=events)
        if self.is_complete(begin):
            return new
        old, share = self.old.step(events=events), self._mean_share(begin, end)
        fired = [e._replace(weight=e.weight * (1 - self.share(e.tau))) for e in old.events]
        fired += [e._replace(weight=e.weight * self.share(e.tau)) for e in new.events]
        return Step(
            old.translation * (1 - share) + new.translation * share,
            old.yaw * (1 - share) + new.yaw * share,
            sorted((e for e in fired if e.weight > 0), key=lambda event: event.tau),
        )

    def needs_small_steps(self, tau0: float, tau1: float) -> bool:
        """Return whether the fade is in progress: arcs need small steps."""
        return not self.is_complete(tau0) or self.new.needs_small_steps(tau0, tau1)

    def hold(self) -> None:
        """Freeze the old source in its current pose."""
        self.old = _still(self.old, self._a)

    def parts(self) -> Iterable[tuple[str, Node]]:
        """Return both sources, and the arcs of the rotations."""
        return ("old", self.old), ("new", self.new), ("arcs", self._arcs)

    def restore(self, state: Any) -> None:  # noqa: ANN401
        """Restore a state that `save` returned."""
        super().restore(state)
        self._seen = False

    def _look(self) -> None:
        self._seen = True
        self.old.sample(self._a)
        self.new.sample(self._b)

    def _turns(self, pose: Pose) -> F32:
        """Return all rotations [..., J + k, 4] of a pose, including those in its values."""
        if not self._rig.rotations:
            return pose.rotation
        return np.concatenate([pose.rotation, pose.values[..., self._columns]], axis=-2)

    def _mean_share(self, tau0: float, tau1: float) -> float:
        """Return the mean of `share` between two global times."""
        u0, u1 = ((tau - self.tau0) / self.seconds for tau in (tau0, tau1))
        if u1 - u0 < 1e-9:  # too short for a difference of integrals
            return self.share(tau1)
        return (self._sum(u1) - self._sum(u0)) / (u1 - u0)

    def _hold_the_oldest(self) -> None:
        """Freeze the innermost fade where too many are nested."""
        fades = [self]
        while isinstance(fades[-1].old, FadeSource):
            fades.append(fades[-1].old)
        depth = len(fades) + fades[-1].old.fades
        if depth > DEEPEST:
            fades[DEEPEST - 1].hold()


def _still(source: Source, like: Pose) -> StillSource:
    """Return a source with the current pose of a source."""
    pose = like.copy()
    source.sample(pose)
    return StillSource(pose)


class CrossFadeRotations(Node):
    """The blended rotations of a cross-fade from `a` to `b`, each along an arc chosen once.

    Up to 180° an arc is the shorter one; a little beyond, it is continued. From then on it is
    *wide* until the fade ends: the blended rotation moves along with both motions by their
    weights, and towards `b` by the increase of its weight. About one axis this is slerp over any
    number of turns; about several it is continuous where no blend of `a` and `b` alone would be,
    since the axis of an arc of a full turn is undefined.

    Parameters
    ----------
    a, b
        [..., J, 4] unit quaternions; the shortest arcs between them are chosen.
    rotation
        Interpolation along the arcs until they are wide.
    """

    changing = ("_share", "_turn", "_wide", "_shown", "_goal", "_a", "_b")

    def __init__(self, a: F32, b: F32, rotation: Blend) -> None:
        turn = quat.multiply(quat.conjugate(a), b)
        self._rotation: Blend = rotation
        self._share = 0.0
        self._turn: F32 = np.where(turn[..., 3:] < 0, -turn, turn)  # [..., J, 4] from a to b
        self._wide: Bool = np.zeros(turn.shape[:-1], bool)
        self._shown: F64 = np.zeros(turn.shape)  # the blended rotation of wide arcs
        self._goal: F64 = self._shown  # b, with the sign that wide arcs approach
        self._a, self._b = a.copy(), b.copy()

    def follow(self, a: F32, b: F32, share: float) -> None:
        """Update the arcs for current rotations, less than half a turn from the last ones.

        Parameters
        ----------
        a, b
            [..., J, 4] current rotations.
        share
            Current share of `b`, below 1.
        """
        turn = quat.multiply(quat.conjugate(a), b)
        self._turn = np.where(dot(turn, self._turn)[..., None] < 0, -turn, turn)
        if self._wide.any():
            self._carry(a, b, share)
        new = ~self._wide & (self._turn[..., 3] < _WIDE)
        if new.any():
            self._shown, self._goal = self._shown.copy(), self._goal.copy()
            begin = a[new].astype(np.float64)
            turned = self._turn[new].astype(np.float64)
            self._shown[new] = _part(begin, turned, share, self._rotation)
            self._goal[new] = quat.multiply(begin, turned)
            self._wide = self._wide | new
        self._a, self._b, self._share = a.copy(), b.copy(), share

    def _carry(self, a: F32, b: F32, share: float) -> None:
        """Move the blended rotations of wide arcs along with `a` and `b`, and towards `b`."""
        wide = self._wide
        along_a, along_b = _move(self._a[wide], a[wide]), _move(self._b[wide], b[wide])
        shown: F64 = quat.multiply(quat.nlerp(along_a, along_b, self._share), self._shown[wide])
        goal: F64 = b[wide].astype(np.float64)
        goal = np.where(dot(goal, self._goal[wide])[..., None] < 0, -goal, goal)
        goal = np.where(dot(goal, shown)[..., None] < _TURNED, -goal, goal)
        closer = 1 - (1 - share) / (1 - self._share)
        self._shown, self._goal = self._shown.copy(), self._goal.copy()
        self._shown[wide] = _along(shown, goal, closer)
        self._goal[wide] = goal

    def blend(self, out: F32) -> None:
        """Correct shortest-arc blends [..., J, 4] of `a` and `b` in place where the arc differs."""
        near = self._turn[..., 3] < _NEAR
        if near.any():
            begin, turn = self._a[near].astype(np.float64), self._turn[near].astype(np.float64)
            out[near] = _part(begin, turn, self._share, self._rotation)
        if self._wide.any():
            out[self._wide] = self._shown[self._wide]


def _move(was: F32, now: F32) -> F64:
    """Return the rotations from `was` to `now` [n, 4] in the outer space, on the shorter arc."""
    back: F64 = quat.conjugate(was).astype(np.float64)
    move = quat.multiply(now.astype(np.float64), back)
    return np.where(move[..., 3:] < 0, -move, move)


def _part(begin: F64, turn: F64, share: float, rotation: Blend) -> F64:
    """Return `begin` [n, 4] rotated by a share of `turn`, along the arc given by its sign."""
    end = quat.multiply(begin, turn)
    if rotation == "slerp":
        return _along(begin, end, share)
    return quat.normalize(begin * (1 - share) + end * share)


def _along(a: F64, b: F64, share: float) -> F64:
    """Return slerp [n, 4] along the given arc, which need not be the shorter one."""
    angle = quat.arc(a, b)[..., None]
    return quat.normalize(a * np.sin((1 - share) * angle) + b * np.sin(share * angle))
