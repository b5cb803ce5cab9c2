"""Layer operations: override, additive, look-at and two-bone IK, applied to the pose beneath."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np

from ..animation.clip import Clip
from ..animation.pose import Pose
from ..animation.rotation_mean import Blend
from ..animation.types import F32, F64
from ..animation.vectors import all_set
from . import additive, blend
from .aim import AimChain
from .cone_limits import ConeLimits, LimitViolation
from .mask import Mask
from .pose_layout import PoseLayout
from .sources import ClipSource, DrivenSource, Source
from .step import Step
from .two_bone_ik import TwoBone

if TYPE_CHECKING:
    from ..animation.root_motion import RootMotion

Target = Callable[[float, Pose], F64]  # tau and the input pose to a point [..., 3], model space


class PoseModifier(Protocol):
    """The operation of a layer: it advances with time, and modifies the pose it is applied to."""

    def advance(self, tau0: float, tau1: float) -> None:
        """Advance from one global time to another, seconds."""

    def apply(self, pose: Pose, weight: F64, mask: Mask | None, seconds: float) -> None:
        """Modify a pose in place; `seconds` have passed for speed limits."""

    def step(self, *, events: bool = True) -> Step:
        """Return root motion and events of the last advance."""

    def needs_small_steps(self, tau0: float, tau1: float) -> bool:
        """Return whether the interval between two times needs small steps."""

    @property
    def pose_dependent(self) -> bool:
        """Whether its state depends on the poses in between."""

    def save(self) -> object:
        """Return the state, for `restore`."""

    def restore(self, state: object) -> None:
        """Restore a state that `save` returned."""


class OverrideModifier:
    """A source that overrides the pose beneath: P = lerp(P, L, weight mask)."""

    pose_dependent = False

    def __init__(
        self, source: Source, rig: PoseLayout, rotation: Blend, batch: tuple[int, ...] = ()
    ) -> None:
        self.source = source
        self._rig = rig
        self._rotation: Blend = rotation
        self._pose = Pose.like(rig.skeleton.rest, batch)

    def advance(self, tau0: float, tau1: float) -> None:
        """Advance the source."""
        self.source.advance(tau0, tau1)

    def apply(self, pose: Pose, weight: F64, mask: Mask | None, seconds: float) -> None:  # noqa: ARG002
        """Blend the source's pose over a pose, in place."""
        if mask is None and all_set(weight >= 1):
            self.source.sample(pose)
            return
        self.source.sample(self._pose)
        blend.lerp_pose(pose, self._pose, weight, mask, self._rig, self._rotation)

    def step(self, *, events: bool = True) -> Step:
        """Return root motion and events of the source."""
        return self.source.step(events=events)

    def needs_small_steps(self, tau0: float, tau1: float) -> bool:
        """Return whether the source needs small steps."""
        return self.source.needs_small_steps(tau0, tau1)

    def save(self) -> object:
        """Return the source and its state."""
        return self.source, self.source.save()

    def restore(self, state: object) -> None:
        """Restore a state that `save` returned."""
        self.source, saved = cast(tuple[Any, ...], state)
        self.source.restore(saved)


class AdditiveModifier:
    """An additive: the difference of a source from a reference, added to the pose beneath.

    Parameters
    ----------
    source
        S.
    reference
        R: a constant pose, or a clip that is sampled at the phase of S, as clip, and start and
        length of its range in seconds.
    root
        The root motion of that clip.
    """

    pose_dependent = False

    def __init__(
        self,
        source: ClipSource | DrivenSource,
        reference: Pose | tuple[Clip, float, float],
        space: additive.Space,
        rig: PoseLayout,
        *,
        root: "RootMotion | None" = None,
        limits: ConeLimits | None = None,
        rotation: Blend = "nlerp",
        batch: tuple[int, ...] = (),
    ) -> None:
        self.source = source
        self.limits = limits
        self.reports: list[LimitViolation] = []  # joints clamped in the last pose
        self._reference = reference
        self._root = root
        self._space: additive.Space = space
        self._rotation: Blend = rotation
        self._rig = rig
        self._source = Pose.like(rig.skeleton.rest, batch)
        self._other = Pose.like(rig.skeleton.rest, batch)
        self._difference = Pose.like(rig.skeleton.rest, batch)

    def advance(self, tau0: float, tau1: float) -> None:
        """Advance the source."""
        self.source.advance(tau0, tau1)

    def apply(self, pose: Pose, weight: F64, mask: Mask | None, seconds: float) -> None:  # noqa: ARG002
        """Add the difference to a pose, in place."""
        source, other = self._source, self._other
        self.source.sample(source)
        self._refer(self.source.phase, other)
        additive.difference(source, other, self._space, self._rig, self._difference)
        additive.add(pose, self._difference, weight, mask, self._space, self._rig, self._rotation)
        if self.limits is not None:
            joints = np.ones(pose.count, np.float32) if mask is None else mask.joints
            self.reports = self.limits.apply(pose, other, weight[..., None] * joints)

    def reference_at(self, phase: float) -> Pose:
        """Return R at a phase, without a batch."""
        pose = self._rig.skeleton.rest.copy()
        self._refer(np.asarray(phase), pose)
        return pose

    def _refer(self, phase: F64, out: Pose) -> None:
        """Write R at a phase [...] of S."""
        if isinstance(self._reference, Pose):
            out.assign(self._reference)
            return
        clip, begin, length = self._reference
        out.assign(self._rig.skeleton.rest)
        clip.sample(begin + phase * length, out)
        if self._root is not None:
            self._root.remove_root_motion(out, begin + phase * length)

    def step(self, *, events: bool = True) -> Step:
        """Return the source's events; an additive has no root motion."""
        return Step(events=self.source.step(events=events).events)

    def needs_small_steps(self, tau0: float, tau1: float) -> bool:
        """Return whether the source needs small steps."""
        return self.source.needs_small_steps(tau0, tau1)

    def save(self) -> object:
        """Return the state of the source."""
        return self.source.save()

    def restore(self, state: object) -> None:
        """Restore a state that `save` returned."""
        self.source.restore(state)


class LookAtModifier:
    """A look-at: a chain of joints aimed at a target."""

    def __init__(
        self,
        chain: AimChain,
        target: Target,
        rig: PoseLayout,
        *,
        pose_dependent: bool = False,
        memory: float = 0.0,
        rotation: Blend = "nlerp",
        batch: tuple[int, ...] = (),
    ) -> None:
        self.chain = chain
        self.memory = memory  # seconds of about two turns at its limited speed
        self._rotation: Blend = rotation
        self.target = target
        self.pose_dependent = pose_dependent  # whether its speed is limited
        self._rig = rig
        self._turned = Pose.like(rig.skeleton.rest, batch)
        self._tau = 0.0
        self._direction: F64 | None = None

    def advance(self, tau0: float, tau1: float) -> None:  # noqa: ARG002
        """Set the current time."""
        self._tau = tau1

    def turn(self, pose: Pose, seconds: float) -> None:
        """Turn towards the target of a pose as `apply` does; the pose stays as it is."""
        point = self.target(self._tau, pose)
        self._direction = self.chain.direction(pose, point, self._direction, seconds)

    def apply(self, pose: Pose, weight: F64, mask: Mask | None, seconds: float) -> None:
        """Aim the chain of a pose, in place."""
        self._turned.assign(pose)
        point = self.target(self._tau, pose)
        direction = self.chain.solve(self._turned, point, self._direction, seconds)
        if self.pose_dependent:
            self._direction = direction
        blend.lerp_pose(pose, self._turned, weight, mask, self._rig, self._rotation)

    def step(self, *, events: bool = True) -> Step:  # noqa: ARG002
        """Return no root motion and no events."""
        return Step()

    def needs_small_steps(self, tau0: float, tau1: float) -> bool:  # noqa: ARG002
        """Return whether it turns at a limited speed."""
        return self.pose_dependent

    def save(self) -> object:
        """Return the time and the current direction."""
        return self._tau, self._direction

    def restore(self, state: object) -> None:
        """Restore a state that `save` returned."""
        self._tau, self._direction = cast(tuple[Any, ...], state)


class TwoBoneModifier:
    """Two-bone IK: a limb bent so that its end reaches a target."""

    pose_dependent = False

    def __init__(
        self,
        bones: TwoBone,
        target: Target,
        rig: PoseLayout,
        *,
        rotation: Blend = "nlerp",
        batch: tuple[int, ...] = (),
    ) -> None:
        self.bones = bones
        self._rotation: Blend = rotation
        self.target = target
        self._rig = rig
        self._bent = Pose.like(rig.skeleton.rest, batch)
        self._tau = 0.0

    def advance(self, tau0: float, tau1: float) -> None:  # noqa: ARG002
        """Set the current time."""
        self._tau = tau1

    def apply(self, pose: Pose, weight: F64, mask: Mask | None, seconds: float) -> None:  # noqa: ARG002
        """Bend the limb of a pose, in place."""
        self._bent.assign(pose)
        self.bones.solve(pose, self.target(self._tau, pose), self._bent)
        blend.lerp_pose(pose, self._bent, weight, mask, self._rig, self._rotation)

    def step(self, *, events: bool = True) -> Step:  # noqa: ARG002
        """Return no root motion and no events."""
        return Step()

    def needs_small_steps(self, tau0: float, tau1: float) -> bool:  # noqa: ARG002
        """Return False: it has no state."""
        return False

    def save(self) -> object:
        """Return the time."""
        return self._tau

    def restore(self, state: object) -> None:
        """Restore a state that `save` returned."""
        self._tau = float(state)  # type: ignore[arg-type]


def joint_target(rig: PoseLayout, joint: int) -> Target:
    """Return the target that is a joint's origin in the pose before."""

    def origin(_tau: float, pose: Pose) -> F64:
        matrices: F32 = rig.skeleton.to_model(pose)
        return matrices[..., joint, :3, 3].astype(np.float64)

    return origin
