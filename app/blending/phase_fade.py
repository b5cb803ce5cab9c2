"""Cross-fades in phase: both sources are one sync group until the fade is complete."""

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import ArrayLike

from ..animation.pose import Pose
from ..animation.types import F64
from .cross_fade import DEEPEST, FadeSource
from .joined_groups import Group, advance_with, join
from .sources import ClipSource, Source, Step, When
from .space_source import SpaceSource
from .state import Node
from .sync_group import SyncGroup
from .sync_marks import SyncTrack


class PhaseFade(Source):
    """A fade between two sources in one sync group.

    Parameters
    ----------
    fade
        Between the two.
    old, new
        Looping clips, synchronised blend spaces, or fades to them, at the start of the fade; `new`
        is moved to the phase of `old`.
    group
        The sync group of both, from `join`.
    """

    fades = True
    changing = ("old", "group")

    def __init__(self, fade: FadeSource, old: "Side", new: "Side", group: Group) -> None:
        self.fade = fade
        self.old = old
        self.new = new
        self.group = group

    def advance(self, tau0: float, tau1: float) -> None:
        """Advance from one global time to another, seconds."""
        tau1 = max(tau1, 0.0)  # constant before the start
        advance_with(self.group, tau1 - tau0, lambda seconds: _weights(self, tau0 + seconds))
        follow_group(self, self.group, tau0, tau1)

    def is_complete(self, tau: float) -> bool:
        """Return whether the fade is complete at a global time."""
        return self.fade.is_complete(tau)

    def remaining(self, tau: float) -> Source:
        """Return the new source once the fade is complete; it continues on its own from `tau`."""
        if not self.is_complete(tau):
            return self
        _detach(self.new, self.group, tau)
        return self.new

    def weighted_parts(self, tau: float) -> Iterable[tuple[float, Source]]:
        """Return both sources with their shares."""
        return self.fade.weighted_parts(tau)

    @property
    def has_phase(self) -> bool:
        """Whether it has a phase: always."""
        return True

    def set_rate(self, rate: ArrayLike, tau: float) -> None:
        """Change the speed of both sources from `tau` on."""
        self.group.rate = np.broadcast_to(np.asarray(rate, np.float64), self.group.batch)
        for clip in _clips(self):
            clip.playback.set_rate(rate, tau)

    def seek(self, time: float, tau: float) -> None:  # noqa: ARG002
        """Move the leading clip of the new source to a clip time, and both sources with it."""
        k = _leader(self)
        clip = _clips(self)[k]
        self.group.enter(k, time - float(np.max(clip.playback.start)))

    def sample(self, out: Pose) -> None:
        """Write the pose of the fade."""
        self.fade.sample(out)

    def step(self, *, events: bool = True) -> Step:
        """Return root motion and events of the fade."""
        return self.fade.step(events=events)

    def needs_small_steps(self, tau0: float, tau1: float) -> bool:  # noqa: ARG002
        """Return True: the weights of the group change."""
        return True

    def parts(self) -> Iterable[tuple[str, Node]]:
        """Return the sync group and the fade."""
        return ("group", self.group), ("fade", self.fade)


Side = (
    ClipSource | SpaceSource | FadeSource | PhaseFade
)  # of a fade, the new source is in the group


def start_phase_fade(
    old: Side, new: Side, tau: float, fade: Callable[[Source, Source], FadeSource]
) -> PhaseFade:
    """Return a fade that starts at `tau`, with `new` moved to the phase of `old`."""
    if isinstance(old, PhaseFade):
        _shorten(old, tau)
    group = _joined(old, new, tau)
    return PhaseFade(fade(old, new), old, new, group)


def enter_phase(old: Side, new: Side, tau: float) -> None:
    """Move `new` to the phase of `old` at `tau`; it then continues on its own."""
    _detach(new, _joined(old, new, tau), tau)


def _joined(old: Side, new: Side, tau: float) -> Group:
    """Return the sync group of both, with `new` moved to the phase of `old`."""
    group = join(_group(old, tau), _single_group(new, tau), _leader(old), _leader(new))
    _bring(new, group, len(_clips(old)), tau, tau)
    return group


def _detach(new: Side, group: Group, tau: float) -> None:
    """Detach the source that was added last to a group, with its state at `tau`."""
    if isinstance(new, ClipSource):
        new.playback.enter(group.x(len(group.sync_tracks) - 1), tau)
    elif isinstance(new, SpaceSource):
        rest = group.last(len(new.members))
        assert isinstance(rest, SyncGroup)  # the clips of a space have matching marks
        new.group = rest


def _shorten(newest: PhaseFade, tau: float) -> None:
    """Remove completed fades from a fade that is about to be faded from.

    With the next one, at most four fades keep playing: beyond that the oldest source is frozen.
    Removed clips are the first of the group, and leave it.
    """
    fades, count = [newest], len(newest.group.sync_tracks)
    while isinstance(fades[-1].old, PhaseFade):
        inner = fades[-1].old
        if inner.is_complete(tau):
            _replace_old(fades[-1], inner.new)
        elif len(fades) == DEEPEST - 2 and isinstance(inner.old, PhaseFade | FadeSource):
            inner.fade.hold()
            _replace_old(fades[-1], inner.fade)
        else:
            fades.append(inner)
    last = fades[-1]
    if isinstance(last.old, FadeSource) and last.old.is_complete(tau):
        _replace_old(last, _new(last.old))
    left = len(_clips(newest))
    if left < count:
        newest.group = newest.group.last(left)


def _replace_old(fade: PhaseFade, old: Side) -> None:
    fade.old = fade.fade.old = old


def follow_group(source: PhaseFade, group: Group, tau0: float, tau1: float) -> None:
    """Update both sources after a step of their group."""
    _bring(source, group, 0, tau0, tau1)


def _bring(side: Side, group: Group, first: int, tau0: float, tau1: float) -> None:
    if isinstance(side, PhaseFade):
        _bring(side.old, group, first, tau0, tau1)
        _bring(side.new, group, first + len(_clips(side.old)), tau0, tau1)
        side.fade.follow(tau0, tau1)
    elif isinstance(side, FadeSource):
        side.old.advance(tau0, tau1)
        _bring(_new(side), group, first, tau0, tau1)
        side.follow(tau0, tau1)
    elif isinstance(side, SpaceSource):
        side.follow(tau0, group, first)
        side.update_weights(tau1)
    else:
        playback = side.playback
        passes, start = float(playback.passes), float(np.max(playback.start))
        side.follow(group.span(first, passes=passes, start=start), _when(group, first, tau0))


def _when(group: Group, clip: int, tau0: float) -> When:
    return lambda x, index: tau0 + group.when(clip, x, index)


def _new(fade: FadeSource) -> Side:
    assert isinstance(fade.new, ClipSource | SpaceSource | FadeSource | PhaseFade)
    return fade.new


def _clips(side: Side) -> tuple[ClipSource, ...]:
    """Return the clips of a source that are in the group, in group order."""
    if isinstance(side, PhaseFade):
        return (*_clips(side.old), *_clips(side.new))
    if isinstance(side, FadeSource):
        return _clips(_new(side))
    return side.clips if isinstance(side, SpaceSource) else (side,)


def _group(side: Side, tau: float) -> Group:
    """Return the sync group of a source, with its state at `tau`."""
    if isinstance(side, PhaseFade):
        return side.group
    return _group(_new(side), tau) if isinstance(side, FadeSource) else _single_group(side, tau)


def _single_group(side: Side, tau: float) -> SyncGroup:
    """Return a clip or a blend space as a sync group."""
    if isinstance(side, SpaceSource) and side.group is not None:
        return side.group
    assert isinstance(side, ClipSource)
    playback = side.playback
    sync_track = (
        SyncTrack(float(np.max(playback.duration))) if side.sync_track is None else side.sync_track
    )
    group = SyncGroup([sync_track], playback.rate, side.time.shape)
    group.enter(0, playback.x(tau))
    return group


def _weights(side: Side, tau: float) -> F64:
    """Return the weights [..., n] of a source's clips in the group."""
    if isinstance(side, PhaseFade):
        beta = side.fade.share(tau)
        old, new = _weights(side.old, tau), _weights(side.new, tau)
        return np.concatenate([(1 - beta) * old, beta * new], axis=-1)
    if isinstance(side, FadeSource):
        return _weights(_new(side), tau)
    return side.weight_at(tau) if isinstance(side, SpaceSource) else np.ones((*side.time.shape, 1))


def _leader(side: Side) -> int:
    """Return the index of the leading clip: the heaviest of the newest source."""
    if isinstance(side, PhaseFade):
        return len(_clips(side.old)) + _leader(side.new)
    if isinstance(side, FadeSource):
        return _leader(_new(side))
    if isinstance(side, SpaceSource):
        return int(np.argmax(side.weights.reshape(-1, side.weights.shape[-1]).sum(axis=0)))
    return 0
