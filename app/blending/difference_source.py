"""Sources of differences from a reference pose, for additive layers; spaces blend them.

Source: Gregory, Game Engine Architecture, 11.6.5 and 11.6.6.3.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from ..animation.clip import Clip
from ..animation.pose import Pose
from ..animation.types import F64
from .additive import Space, difference
from .pose_layout import PoseLayout
from .sources import ClipSource, DrivenSource, Source, Step
from .space_source import SpaceSource
from .state import Node

if TYPE_CHECKING:
    from ..animation.root_motion import RootMotion


class DifferenceSource(Source):
    """The difference D of a clip's pose S from a reference R; it has no root motion.

    Parameters
    ----------
    source
        Samples S.
    reference
        R: a constant pose, or a clip that is sampled at the phase of S, as clip, and start and
        length of its range in seconds.
    space
        Of D.
    root
        The root motion of the reference clip.
    """

    def __init__(
        self,
        source: ClipSource | DrivenSource,
        reference: Pose | tuple[Clip, float, float],
        space: Space,
        rig: PoseLayout,
        *,
        root: "RootMotion | None" = None,
        batch: tuple[int, ...] = (),
    ) -> None:
        self.source = source
        self.name = source.name
        self._reference = reference
        self._space: Space = space
        self._rig = rig
        self._root = root
        self._shown = Pose.like(rig.skeleton.rest, batch)
        self._other = Pose.like(rig.skeleton.rest, batch)

    def parts(self) -> Iterable[tuple[str, Node]]:
        """Return the source of S."""
        return (("source", self.source),)

    def weighted_parts(self, tau: float) -> Iterable[tuple[float, Source]]:  # noqa: ARG002
        """Return the source of S."""
        return ((1.0, self.source),)

    def advance(self, tau0: float, tau1: float) -> None:
        """Advance the source of S."""
        self.source.advance(tau0, tau1)

    def sample(self, out: Pose) -> None:
        """Write D at the current time."""
        self.source.sample(self._shown)
        self.refer(self._other)
        difference(self._shown, self._other, self._space, self._rig, out)

    def refer(self, out: Pose) -> None:
        """Write R at the current time."""
        self._refer(self.source.phase, out)

    def poses_at(self, phase: float) -> tuple[Pose, Pose]:
        """Return S, with its root motion, and R at a phase, without a batch."""
        source, other = self._rig.skeleton.rest.copy(), self._rig.skeleton.rest.copy()
        self.source.clip.sample(self.source.time_at(phase), source)
        self._refer(np.asarray(phase), other)
        return source, other

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
        """Return the events of the source."""
        return Step(events=self.source.step(events=events).events)

    @property
    def has_phase(self) -> bool:
        """Whether the source has a phase."""
        return self.source.has_phase

    def seek(self, time: float, tau: float) -> None:
        """Move the source to a clip time, seconds."""
        self.source.seek(time, tau)

    def set_rate(self, rate: ArrayLike, tau: float) -> None:
        """Set the clip seconds per second from a global time on."""
        self.source.set_rate(rate, tau)


class DifferenceSpace(SpaceSource):
    """The weighted mean of differences: aim and look between the directions of their clips."""

    members: tuple[DifferenceSource, ...]

    def refer(self, out: Pose) -> None:
        """Write the weighted mean of the members' references at the current time."""
        for member, row in zip(self.members, self._stack.rows, strict=True):
            member.refer(row)
        self._stack.mean(self.weights, out, self._rotation)
