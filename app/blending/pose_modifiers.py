"""Layer operations: override, additive, look-at and two-bone IK, applied to the pose beneath."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import Generic, Self, TypeVar

import numpy as np

from ..animation.pose import Pose
from ..animation.rotation_mean import Blend
from ..animation.types import F32, F64
from ..animation.vectors import all_set
from . import additive, blend
from .aim import AimChain
from .cone_limits import ConeLimits, LimitViolation
from .difference_source import DifferenceSource, DifferenceSpace
from .mask import Mask
from .pose_layout import PoseLayout
from .sources import Source, Step
from .state import Node
from .two_bone_ik import TwoBone

Target = Callable[[float, Pose], F64]  # tau and the input pose to a point [..., 3], model space


class PoseModifier(Node, ABC):
    """The operation of a layer: it advances with time, and modifies the pose it is applied to.

    Attributes
    ----------
    pose_dependent
        Whether its state depends on the poses in between.
    memory
        Seconds after which its earlier state is negligible.
    """

    pose_dependent = False
    memory = 0.0

    @abstractmethod
    def apply(self, pose: Pose, weight: F64, mask: Mask | None, tau: float, seconds: float) -> None:
        """Modify a pose in place at `tau`; `seconds` have passed for speed limits."""

    def advance(self, tau0: float, tau1: float) -> None:
        """Advance from one global time to another, seconds."""

    def step(self, *, events: bool = True) -> Step:  # noqa: ARG002
        """Return root motion and events of the last advance."""
        return Step()

    def needs_small_steps(self, tau0: float, tau1: float) -> bool:  # noqa: ARG002
        """Return whether the interval between two times needs small steps."""
        return self.pose_dependent


S = TypeVar("S", bound=Source)


class SourceModifier(PoseModifier, Generic[S]):
    """The operation of a layer that plays a source."""

    changing = ("source",)

    def __init__(self, source: S) -> None:
        self.source = source

    def parts(self) -> Iterable[tuple[str, Node]]:
        """Return the source."""
        return (("source", self.source),)

    def advance(self, tau0: float, tau1: float) -> None:
        """Advance the source."""
        self.source.advance(tau0, tau1)

    def needs_small_steps(self, tau0: float, tau1: float) -> bool:
        """Return whether the source needs small steps."""
        return self.source.needs_small_steps(tau0, tau1)


class OverrideModifier(SourceModifier[Source]):
    """A source that overrides the pose beneath: P = lerp(P, L, weight mask)."""

    def __init__(
        self, source: Source, rig: PoseLayout, rotation: Blend, batch: tuple[int, ...] = ()
    ) -> None:
        super().__init__(source)
        self._rig = rig
        self._rotation: Blend = rotation
        self._pose = Pose.like(rig.skeleton.rest, batch)

    def apply(self, pose: Pose, weight: F64, mask: Mask | None, tau: float, seconds: float) -> None:  # noqa: ARG002
        """Blend the source's pose over a pose, in place."""
        if mask is None and all_set(weight >= 1):
            self.source.sample(pose)
            return
        self.source.sample(self._pose)
        blend.lerp_pose(pose, self._pose, weight, mask, self._rig, self._rotation)

    def step(self, *, events: bool = True) -> Step:
        """Return root motion and events of the source."""
        return self.source.step(events=events)


class AdditiveModifier(SourceModifier[DifferenceSource | DifferenceSpace]):
    """An additive: a difference D, added to the pose beneath: P = lerp(P, P ⊕ D, weight mask).

    Parameters
    ----------
    source
        Samples D.
    space
        Of D.
    limits
        Cones about the reference pose.
    """

    def __init__(
        self,
        source: DifferenceSource | DifferenceSpace,
        space: additive.Space,
        rig: PoseLayout,
        *,
        limits: ConeLimits | None = None,
        rotation: Blend = "nlerp",
        batch: tuple[int, ...] = (),
    ) -> None:
        super().__init__(source)
        self.limits = limits
        self.reports: list[LimitViolation] = []  # joints clamped in the last pose
        self._space: additive.Space = space
        self._rotation: Blend = rotation
        self._rig = rig
        self._difference = Pose.like(rig.skeleton.rest, batch)

    def apply(self, pose: Pose, weight: F64, mask: Mask | None, tau: float, seconds: float) -> None:  # noqa: ARG002
        """Add the difference to a pose, in place."""
        self.source.sample(self._difference)
        additive.add(pose, self._difference, weight, mask, self._space, self._rig, self._rotation)
        if self.limits is not None:
            joints = np.ones(pose.count, np.float32) if mask is None else mask.joints
            self.source.refer(self._difference)
            self.reports = self.limits.apply(pose, self._difference, weight[..., None] * joints)

    def step(self, *, events: bool = True) -> Step:
        """Return the source's events; an additive has no root motion."""
        return Step(events=self.source.step(events=events).events)


class LookAtModifier(PoseModifier):
    """A look-at: a chain of joints aimed at a target."""

    changing = ("_direction",)

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
        self._direction: F64 | None = None

    def turn(self, pose: Pose, tau: float, seconds: float) -> None:
        """Turn towards the target of a pose as `apply` does; the pose stays as it is."""
        point = self.target(tau, pose)
        self._direction = self.chain.direction(pose, point, self._direction, seconds)

    def apply(self, pose: Pose, weight: F64, mask: Mask | None, tau: float, seconds: float) -> None:
        """Aim the chain of a pose, in place."""
        self._turned.assign(pose)
        point = self.target(tau, pose)
        direction = self.chain.solve(self._turned, point, self._direction, seconds)
        if self.pose_dependent:
            self._direction = direction
        blend.lerp_pose(pose, self._turned, weight, mask, self._rig, self._rotation)

    def continue_from(self, other: Self, tau: float) -> None:  # noqa: ARG002
        """Continue from the direction of another look-at, where both have a limited speed."""
        if self.pose_dependent and other.pose_dependent:
            self.restore(other.save())


class TwoBoneModifier(PoseModifier):
    """Two-bone IK: a limb bent so that its end reaches a target."""

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

    def apply(self, pose: Pose, weight: F64, mask: Mask | None, tau: float, seconds: float) -> None:  # noqa: ARG002
        """Bend the limb of a pose, in place."""
        self._bent.assign(pose)
        self.bones.solve(pose, self.target(tau, pose), self._bent)
        blend.lerp_pose(pose, self._bent, weight, mask, self._rig, self._rotation)


def joint_target(rig: PoseLayout, joint: int) -> Target:
    """Return the target that is a joint's origin in the pose before."""

    def origin(_tau: float, pose: Pose) -> F64:
        matrices: F32 = rig.skeleton.to_model(pose)
        return matrices[..., joint, :3, 3].astype(np.float64)

    return origin
