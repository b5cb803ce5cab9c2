"""The clips that sources and layers play."""

from .cross_fade import FadeSource
from .layers import Layers
from .phase_fade import PhaseFade
from .pose_modifiers import AdditiveModifier, OverrideModifier, PoseModifier
from .sources import ClipSource, Source
from .space_source import SpaceSource
from .strafe import StrafeSource


def clip_sources(source: Source) -> list[ClipSource]:
    """Return the clip sources of a source."""
    if isinstance(source, ClipSource):
        return [source]
    if isinstance(source, SpaceSource | StrafeSource):
        return [clip for member in source.members for clip in clip_sources(member)]
    if isinstance(source, PhaseFade):
        source = source.fade
    if isinstance(source, FadeSource):
        return [*clip_sources(source.old), *clip_sources(source.new)]
    if isinstance(source, Layers):
        return [clip for layer in source.layers for clip in layer_clip_sources(layer.operation)]
    return []


def layer_clip_sources(operation: PoseModifier) -> list[ClipSource]:
    """Return the clip sources of a layer."""
    return (
        clip_sources(operation.source)
        if isinstance(operation, OverrideModifier | AdditiveModifier)
        else []
    )


def weighted_clips(layers: Layers, tau: float) -> list[tuple[float, ClipSource]]:
    """Return the weights and clip sources of active layers at a global time, layer by layer.

    During a fade both its sources have a share of the weight.
    """
    found: list[tuple[float, ClipSource]] = []
    for layer in layers.layers:
        if layer.active and isinstance(layer.operation, OverrideModifier | AdditiveModifier):
            found += _weighted(layer.operation.source, float(layer.weight_at(tau)), tau)
    return found


def _weighted(source: Source, weight: float, tau: float) -> list[tuple[float, ClipSource]]:
    if isinstance(source, PhaseFade):
        source = source.fade
    if isinstance(source, FadeSource):
        share = source.share(tau)
        old = _weighted(source.old, weight * (1.0 - share), tau)
        return old + _weighted(source.new, weight * share, tau)
    if isinstance(source, SpaceSource | StrafeSource):
        return [
            each
            for share, member in zip(source.weights.tolist(), source.members, strict=True)
            for each in _weighted(member, weight * share, tau)
        ]
    if isinstance(source, Layers):
        return [(weight * share, each) for share, each in weighted_clips(source, tau)]
    return [(weight, each) for each in clip_sources(source)]
