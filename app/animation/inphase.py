"""A cross-fade in phase: until it is over, both sides walk as one group (RULINGS M6)."""

from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from app.animation.beat import Beat, mismatch
from app.animation.pose import Pose
from app.animation.sources import ClipSource, Source, When
from app.animation.spaces import SpaceSource
from app.animation.step import Step
from app.animation.sync import SyncGroup
from app.animation.transition import FadeSource
from app.animation.types import F64

Side = ClipSource | SpaceSource


class InPhase:
    """Two sides of a fade, and the group that both are in.

    Parameters
    ----------
    fade
        Between the two.
    old, new
        Clips that loop or synchronised spaces, at the moment the fade starts; `new` is brought
        to the phase of `old`.
    group
        Of both, from `together`.
    """

    def __init__(self, fade: FadeSource, old: Side, new: Side, group: SyncGroup) -> None:
        self.fade = fade
        self.old = old
        self.new = new
        self.group = group

    def advance(self, tau0: float, tau1: float) -> None:
        """Go from one global time to another, seconds."""
        middle = (tau0 + tau1) / 2
        beta = self.fade.share(middle)
        weights = np.concatenate(
            [(1 - beta) * _weights(self.old, middle), beta * _weights(self.new, middle)], axis=-1
        )
        self.group.advance(tau1 - tau0, weights)
        bring(self.group, self.old, self.new, tau0, tau1)
        self.fade.follow(tau0, tau1)

    def over(self, tau: float) -> bool:
        """Tell whether the fade is."""
        return self.fade.over(tau)

    def alone(self, tau: float) -> Source:
        """Return the new side, which goes on by itself from where it is at `tau`."""
        count = 1 if isinstance(self.new, ClipSource) else len(self.new.members)
        if isinstance(self.new, ClipSource):
            self.new.playback.enter(self.group.x(len(self.group.beats) - 1), tau)
        else:
            self.new.group = self.group.last(count)
        return self.new

    def sample(self, out: Pose) -> None:
        """Write the pose of the fade."""
        self.fade.sample(out)

    def step(self) -> Step:
        """Return what the fade brings."""
        return self.fade.step()

    def restless(self, tau0: float, tau1: float) -> bool:  # noqa: ARG002
        """Tell that the weights of the group change."""
        return True

    def save(self) -> object:
        """Return the state, for `restore`."""
        return self.group.save(), self.fade.save()

    def restore(self, state: object) -> None:
        """Go back to a state that `save` gave."""
        group, fade = cast(tuple[Any, ...], state)
        self.group.restore(group)
        self.fade.restore(fade)


def in_phase(
    old: Side, new: Side, tau: float, fade: Callable[[Source, Source], FadeSource]
) -> InPhase:
    """Return a fade that starts at `tau`; `new` is brought to the phase of `old` first."""
    group = together(old, new)
    bring(group, old, new, tau, tau)
    return InPhase(fade(old, new), old, new, group)


def bring(group: SyncGroup, old: Side, new: Side, tau0: float, tau1: float) -> None:
    """Bring both sides to where their group has gone in a step."""
    first = 0
    for side in (old, new):
        if isinstance(side, SpaceSource):
            side.follow(tau0, group, first)
            side.weigh_at(tau1)
            first += len(side.members)
            continue
        playback = side.playback
        passes, start = float(playback.passes), float(np.max(playback.start))
        side.follow(group.span(first, passes=passes, start=start), _when(group, first, tau0))
        first += 1


def _when(group: SyncGroup, clip: int, tau0: float) -> When:
    return lambda x, index: tau0 + group.when(clip, x, index)


def can_lead(source: Source) -> bool:
    """Tell whether a source has a phase that another can be brought to."""
    if isinstance(source, SpaceSource):
        return source.group is not None
    return isinstance(source, ClipSource) and source.playback.mode == "loop"


def together(old: Side, new: Side) -> SyncGroup:
    """Return the group of both: old where it stands, new at its phase.

    Sync marks count where both sides have the same ones, otherwise the phase of the clips.
    """
    beats = [*_beats(old), *_beats(new)]
    plain = mismatch(beats) is not None
    mine = _group(old, plain=plain)
    its = _group(new, plain=plain)
    return mine.follow(its, _heaviest(old), _heaviest(new))


def _group(side: Side, *, plain: bool) -> SyncGroup:
    """Return a side as a group that stands where it does."""
    if isinstance(side, SpaceSource) and side.group is not None and not plain:
        return side.group
    beats = _beats(side)
    if plain:
        beats = [Beat(beat.duration, beat.cycles) for beat in beats]
    rate = side.playback.rate if isinstance(side, ClipSource) else _rate(side)
    group = SyncGroup(beats, rate, _batch(side))
    if isinstance(side, SpaceSource) and side.group is not None:
        k = _heaviest(side)
        group.enter(k, side.group.x(k))
    elif isinstance(side, ClipSource) and side.span is not None:
        group.enter(0, side.span.x1)
    return group


def _rate(side: SpaceSource) -> F64:
    return np.ones(()) if side.group is None else side.group.rate


def _batch(side: Side) -> tuple[int, ...]:
    return side.time.shape if isinstance(side, ClipSource) else side.weights.shape[:-1]


def _beats(side: Side) -> Sequence[Beat]:
    if isinstance(side, SpaceSource):
        return [] if side.group is None else side.group.beats
    return [Beat(float(side.playback.duration)) if side.beat is None else side.beat]


def _weights(side: Side, tau: float) -> F64:
    return side.weigh(tau) if isinstance(side, SpaceSource) else np.ones((*side.time.shape, 1))


def _heaviest(side: Side) -> int:
    if isinstance(side, ClipSource):
        return 0
    return int(np.argmax(side.weights.reshape(-1, side.weights.shape[-1]).sum(axis=0)))
