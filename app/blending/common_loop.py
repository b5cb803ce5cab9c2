"""The common loop of layers: the least time after which everything that plays repeats."""

import math
from collections.abc import Iterable, Iterator

import numpy as np

from ..animation.types import F64
from .difference_source import DifferenceSource
from .layers import Layers
from .pose_modifiers import SourceModifier
from .sources import ClipSource, Source
from .space_source import SpaceSource
from .state import parts_of_type
from .strafe import StrafeSource

LONGEST = 60.0  # seconds; a longer loop is of no use on a timeline
NEAR = 1e-3  # seconds by which the period of a clip may miss the loop
SETTLED = 1e12  # a global time, seconds, after which no parameter moves


def common_loop(layers: Layers) -> float | None:
    """Return the common loop of layers with their present sources and final weights, seconds.

    None if nothing loops, if something never repeats (a clip that plays once, root motion that
    accumulates), or if the loop is longer than `LONGEST`.
    """
    return least_common_multiple(_periods(layers))


def least_common_multiple(periods: Iterable[float]) -> float | None:
    """Return the least multiple of all periods up to `LONGEST`, None if there is none.

    The multiples may miss each other by `NEAR`.
    """
    found = sorted(set(periods))
    if not found:
        return None
    longest = found[-1]
    for count in range(1, math.floor(LONGEST / longest) + 1):
        loop = count * longest
        if all(abs(loop - round(loop / each) * each) <= NEAR for each in found):
            return loop
    return None


def _periods(layers: Layers) -> Iterator[float]:
    """Yield the period of each clock with weight, seconds; infinity for one without."""
    for layer in layers.layers:
        if not (layer.active and np.any(layer.weight_at(SETTLED) > 0)):
            continue
        if isinstance(layer.operation, SourceModifier):
            yield from _periods_of(layer.operation.source)


def _periods_of(source: Source) -> Iterator[float]:
    if isinstance(source, Layers):
        yield from _periods(source)
    elif isinstance(source, DifferenceSource):
        yield from _periods_of(source.source)
    elif isinstance(source, ClipSource):
        yield from _clip_period(source)
    elif isinstance(source, SpaceSource):
        shares = source.weight_at(SETTLED).reshape(-1, len(source.members))[0]
        used = [member for member, share in zip(source.members, shares, strict=True) if share > 0]
        if source.group is None:
            for member in used:
                yield from _periods_of(member)
            return
        yield from (math.inf for member in source.clips if member in used and _travels(member))
        yield _over_rate(source.group.period(shares), source.group.rate)
    elif isinstance(source, StrafeSource):
        clips = list(parts_of_type(source, ClipSource))[: len(source.group.sync_tracks)]
        yield from (math.inf for clip in clips if _travels(clip))
        shares = source.weights.reshape(-1, source.weights.shape[-1])[0, : len(clips)]
        yield _over_rate(source.group.period(shares), source.group.rate)


def _clip_period(source: ClipSource) -> Iterator[float]:
    playback = source.playback
    duration = float(np.max(playback.duration))
    if _travels(source) or np.any(np.isfinite(playback.passes)):
        yield math.inf
    elif duration > 0:
        passes = 2 if playback.mode == "pingpong" else 1
        yield _over_rate(passes * duration, playback.rate)


def _over_rate(seconds: float, rate: F64) -> float:
    """Return the global seconds of clip seconds; infinity at rate 0."""
    pace = float(np.min(np.abs(rate)))
    return seconds / pace if pace > 0 else math.inf


def _travels(source: ClipSource) -> bool:
    return source.root is not None and source.root.mode == "accumulate"
