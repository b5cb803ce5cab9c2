"""Blend space sources: several sources, weighted by parameters, as one source."""

from collections.abc import Callable, Iterable, Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..animation.pose import Pose
from ..animation.rotation_mean import Blend
from ..animation.types import F64, Bool
from ..animation.vectors import some
from .blend import PoseStack
from .joined_groups import Group, advance_with
from .pose_layout import PoseLayout
from .sources import ClipSource, FiredEvent, Source, Step
from .state import Node, distinct_names, parts_of_type
from .sync_group import SyncGroup

WeightFunction = Callable[[float], F64]  # tau to the members' weights [..., n]
EventSelection = Literal["heaviest", "all", "none"]


class MeanSettings(NamedTuple):
    """How members are averaged."""

    ranks: Sequence[int] | None = None  # [n] file order of the clips, for ties
    rotation: Blend = "nlerp"
    events: EventSelection = "heaviest"  # the members whose events are reported
    batch: tuple[int, ...] = ()  # of the poses


PLAIN_MEAN = MeanSettings()


class SpaceSource(Source):
    """The weighted mean of its members' poses.

    Parameters
    ----------
    members
        n sources; with a `group` they are clips, whose own playbacks are not used.
    weight_at
        Weights at a global time, from parameters; None: the caller sets `weights`.
    moving
        Whether the weights change between two global times.
    group
        The sync group of the members; None: each has its own playback.

    Attributes
    ----------
    clips
        The clips of the members.
    """

    changing = ("group", "weights")

    def __init__(
        self,
        members: Sequence[Source],
        weight_at: WeightFunction | None,
        moving: Callable[[float, float], bool],
        rig: PoseLayout,
        *,
        group: SyncGroup | None = None,
        settings: MeanSettings = PLAIN_MEAN,
    ) -> None:
        self.members = tuple(members)
        names = distinct_names([each.name for each in self.members])
        self._named = tuple(zip(names, self.members, strict=True))
        self.clips = tuple(
            clip for each in self.members for clip in parts_of_type(each, ClipSource)
        )
        clips = (each for each in self.members if isinstance(each, ClipSource))
        ways = [each.root for each in clips if each.root is not None]  # differences have none
        self._ways = [way for way in ways if way.mode == "accumulate"]
        self.group = group
        nothing = np.zeros((*settings.batch, len(members)))
        self.weights: F64 = (
            nothing if weight_at is None else weight_at(0.0)
        )  # [..., n] of the last step
        self._weigh: WeightFunction = weight_at or (lambda _tau: self.weights)
        self._moving = moving
        self._even = weight_at is None  # whether the weights were constant in the last step
        self._rotation = settings.rotation
        self._event_selection: EventSelection = settings.events
        self._stack = PoseStack(rig, len(members), settings.batch, settings.ranks)

    def weight_at(self, tau: float) -> F64:
        """Return the weights [..., n] at a global time."""
        return self._weigh(tau)

    def advance(self, tau0: float, tau1: float) -> None:
        """Advance from one global time to another, seconds."""
        now = self._weigh(tau1)
        self._even = not self._moving(tau0, tau1)
        if self.group is None:
            for member in self.members:
                member.advance(tau0, tau1)
        else:
            seconds = max(tau1, 0.0) - tau0  # constant before the start
            if self._even:
                self.group.advance(seconds, now)
            else:
                advance_with(self.group, seconds, lambda since: self._weigh(tau0 + since))
            self.follow(tau0, self.group)
        self.weights = now

    def follow(self, tau0: float, group: Group, first: int = 0) -> None:
        """Update the members after a step of a group that started at `tau0`.

        They are the clips of the group from index `first` on.
        """
        clips = self.clips
        spans = group.spans([float(clip.playback.start) for clip in clips], first)
        for k, (member, span) in enumerate(zip(clips, spans, strict=True), start=first):
            member.follow(
                span,
                lambda x, index, k=k: tau0 + group.when(k, x, index),  # type: ignore[misc]
            )

    def update_weights(self, tau: float) -> None:
        """Set the weights of a global time, where the caller advances the group."""
        self._even = False
        self.weights = self._weigh(tau)

    def sample(self, out: Pose) -> None:
        """Write the weighted mean pose; members without weight are not sampled."""
        has_weight: Bool = np.any(self.weights.reshape(-1, len(self.members)) != 0, axis=0)
        for member, row, used in zip(self.members, self._stack.rows, has_weight, strict=True):
            if used:
                member.sample(row)
        self._stack.mean(self.weights, out, self._rotation)

    def step(self, *, events: bool = True) -> Step:
        """Return the weighted mean root motion, and the events of the selected members."""
        total = Step()
        heard = self._heard() if events else frozenset[int]()
        for i, member in enumerate(self.members):
            weight = self.weights[..., i]
            if i not in heard and not some(weight != 0):
                continue
            moved = member.step(events=i in heard)
            total.translation = total.translation + weight[..., None] * moved.translation
            total.yaw = total.yaw + weight * moved.yaw
            total.events += self._weighted(moved.events, i)
        total.events.sort(key=lambda event: event.tau)
        return total

    def _heard(self) -> frozenset[int]:
        """Return the members whose events may be reported."""
        if self._event_selection == "none":
            return frozenset()
        if self._event_selection == "all" or not self._even:
            return frozenset(range(len(self.members)))
        rows = self.weights.reshape(-1, len(self.members))
        return frozenset(rows.argmax(axis=-1).tolist())

    def _weighted(self, events: list[FiredEvent], i: int) -> list[FiredEvent]:
        """Return those events of member `i` that are reported, with their weights."""
        if self._even and self.weights.ndim == 1:  # then only heard members have events
            share = float(self.weights[i])
            return [event._replace(weight=event.weight * share) for event in events]
        return [weighted for event in events for weighted in self._weighted_event(event, i)]

    def _weighted_event(self, event: FiredEvent, i: int) -> list[FiredEvent]:
        """Return an event of member `i` with its weight when it fires, or nothing."""
        weights = self.weights if self._even else self._weigh(event.tau)
        weights = weights.reshape(-1, len(self.members))[event.character]
        if self._event_selection == "heaviest" and i != int(np.argmax(weights)):
            return []
        return [event._replace(weight=event.weight * float(weights[i]))]

    def needs_small_steps(self, tau0: float, tau1: float) -> bool:
        """Return whether changing weights affect phase or root motion, or root motion turns.

        The mean of straight root motion is exact for any step length.
        """
        if (self.group is not None or self._ways) and self._moving(tau0, tau1):
            return True
        if any(way.turn for way in self._ways) and np.count_nonzero(self.weights > 0) > 1:
            return True
        return any(member.needs_small_steps(tau0, tau1) for member in self.members)

    def parts(self) -> Iterable[tuple[str, Node]]:
        """Return the sync group, if there is one, and the members."""
        return self._named if self.group is None else (("group", self.group), *self._named)

    def weighted_parts(self, tau: float) -> Iterable[tuple[float, Source]]:  # noqa: ARG002
        """Return the members with their weights in the last step."""
        return zip(self.weights.tolist(), self.members, strict=True)

    @property
    def has_phase(self) -> bool:
        """Whether the members are synchronised."""
        return self.group is not None

    def seek(self, time: float, tau: float) -> None:
        """Move all clips to a clip time; in a group, that of the heaviest."""
        if self.group is not None:
            seek_group(self.group, self.clips, self.weights, time)
            return
        for member in self.members:
            member.seek(time, tau)

    def set_rate(self, rate: ArrayLike, tau: float) -> None:
        """Set the clip seconds per second of the group, or of each member."""
        if self.group is not None:
            self.group.set_rate(rate)
            return
        for member in self.members:
            member.set_rate(rate, tau)


def seek_group(group: SyncGroup, clips: Sequence[ClipSource], weights: F64, time: float) -> None:
    """Move a group so that its heaviest clip, by weights [..., n], is at a clip time, seconds."""
    shares = weights.reshape(-1, weights.shape[-1])[0, : len(group.sync_tracks)]
    k = int(np.argmax(shares))
    group.enter(k, time - float(np.max(clips[k].playback.start)))
