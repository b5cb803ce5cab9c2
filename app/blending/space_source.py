"""A blend space at work: several sources, weighed by parameters, as one source (SPEC D4, D5)."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Literal, cast

import numpy as np

from ..animation.pose import Pose
from ..animation.rotation_mean import Blend
from ..animation.types import F64, Bool
from .blend import PoseStack
from .joined_groups import Tied
from .skeleton_channels import Rig
from .sources import ClipSource, Source
from .step import Fired, Step
from .sync_group import SyncGroup

Weigh = Callable[[float], F64]  # tau to the weights [..., n] of the members
Heard = Literal["heaviest", "all", "none"]


class SpaceSource:
    """The weighted mean of its members' poses.

    Parameters
    ----------
    members
        n sources; with a `group` they are clips, whose own playbacks are not used.
    weigh
        Weights at a global time, from parameters; None: who uses it sets `weights`.
    moving
        Tells whether the weights change between two global times.
    group
        What keeps the members in step; None: each has its own clock.
    ranks
        [n] which clip comes first in the file, for ties.
    events
        Whose events are delivered.
    """

    def __init__(
        self,
        members: Sequence[Source],
        weigh: Weigh | None,
        moving: Callable[[float, float], bool],
        rig: Rig,
        *,
        group: SyncGroup | None = None,
        ranks: Sequence[int] | None = None,
        rotation: Blend = "nlerp",
        events: Heard = "heaviest",
        batch: tuple[int, ...] = (),
    ) -> None:
        self.members = tuple(members)
        self.group = group
        nothing = np.zeros((*batch, len(members)))
        self.weights: F64 = nothing if weigh is None else weigh(0.0)  # [..., n] of the last step
        self._weigh: Weigh = weigh or (lambda _tau: self.weights)
        self._moving = moving
        self._even = False  # whether the weights are the same all through the last step
        self._rotation = rotation
        self._heard: Heard = events
        self._stack = PoseStack(rig, len(members), batch, ranks)

    @property
    def clips(self) -> tuple[ClipSource, ...]:
        """The members that are clips."""
        return tuple(member for member in self.members if isinstance(member, ClipSource))

    def weigh(self, tau: float) -> F64:
        """Return the weights [..., n] at a global time."""
        return self._weigh(tau)

    def advance(self, tau0: float, tau1: float) -> None:
        """Go from one global time to another, seconds."""
        now = self._weigh(tau1)
        self._even = not self._moving(tau0, tau1)
        if self.group is None:
            for member in self.members:
                member.advance(tau0, tau1)
        else:
            end = max(tau1, 0.0)  # before the start a group stands as at it (RULINGS M1)
            middle = now if self._even else self._weigh((tau0 + end) / 2)
            self.group.advance(end - tau0, middle)
            self.follow(tau0, self.group)
        self.weights = now

    def follow(self, tau0: float, group: SyncGroup | Tied, first: int = 0) -> None:
        """Bring the members to where a group has gone in a step that began at `tau0`.

        They are the clips of the group from number `first` on.
        """
        for k, member in enumerate(self.clips, start=first):
            member.follow(
                group.span(k, start=float(member.playback.start)),
                lambda x, index, k=k: tau0 + group.when(k, x, index),  # type: ignore[misc]
            )

    def weigh_at(self, tau: float) -> None:
        """Take the weights of a global time; for who advances the group from outside."""
        self._even = False
        self.weights = self._weigh(tau)

    def sample(self, out: Pose) -> None:
        """Write the mean pose; members without weight are not sampled."""
        heard: Bool = np.any(self.weights.reshape(-1, len(self.members)) != 0, axis=0)
        for member, row, used in zip(self.members, self._stack.rows, heard, strict=True):
            if used:
                member.sample(row)
        self._stack.mean(self.weights, out, self._rotation)

    def step(self) -> Step:
        """Return the mean root motion, and the events of who is heard."""
        total = Step()
        for i, member in enumerate(self.members):
            weight = self.weights[..., i]
            moved = member.step()
            total.travel = total.travel + weight[..., None] * moved.travel
            total.turn = total.turn + weight * moved.turn
            total.events += [heard for each in moved.events for heard in self._hear(each, i)]
        total.events.sort(key=lambda event: event.tau)
        return total

    def _hear(self, event: Fired, i: int) -> list[Fired]:
        """Return an event of a member with its weight when it fires, or nothing."""
        if self._heard == "none":
            return []
        weights = self.weights if self._even else self._weigh(event.tau)
        weights = weights.reshape(-1, len(self.members))[event.character]
        if self._heard == "heaviest" and i != int(np.argmax(weights)):
            return []
        return [replace(event, weight=event.weight * float(weights[i]))]

    def restless(self, tau0: float, tau1: float) -> bool:
        """Tell whether weights change while a phase or a way depends on them, or ways bend.

        The mean of straight ways is straight, however long the step.
        """
        ways = [member.root for member in self.clips if member.root is not None]
        ways = [way for way in ways if way.mode == "accumulate"]
        if (self.group is not None or ways) and self._moving(tau0, tau1):
            return True
        if any(way.turn for way in ways) and np.count_nonzero(self.weights > 0) > 1:
            return True
        return any(member.restless(tau0, tau1) for member in self.members)

    def save(self) -> object:
        """Return the state, for `restore`."""
        group = None if self.group is None else self.group.save()
        return self.group, group, self.weights, [member.save() for member in self.members]

    def restore(self, state: object) -> None:
        """Go back to a state that `save` gave."""
        self.group, group, self.weights, members = cast(tuple[Any, ...], state)
        if self.group is not None:
            self.group.restore(group)
        for member, saved in zip(self.members, members, strict=True):
            member.restore(saved)
