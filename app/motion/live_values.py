"""Live values of a motion document: what is tried out while it plays, and is no unsaved work.

They are the default values of parameters, mute and solo of layers, morph weights, and the weights
of layers that are given on the command line.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from .cross_references import WEIGHT
from .document import LayerSettings, MotionDoc, Nested, Parameter, Value

Given = Mapping[str, Value]  # values of the command line, by parameter or `LAYER.weight`
NOTHING_GIVEN: Given = MappingProxyType({})


def with_live_values(
    document: MotionDoc,
    live: MotionDoc,
    since: MotionDoc | None = None,
    given: Given = NOTHING_GIVEN,
) -> MotionDoc:
    """Return a document with the live values of another, by name.

    Parameters
    ----------
    since
        Only values that differ from those of this document.
    given
        Values of the command line: a layer whose weight is still that of `LAYER.weight` is live.
    """
    parameters = {
        name: _parameter(name, parameter, live, since)
        for name, parameter in document.parameters.items()
    }
    layers = _layers(document.layers, live.layers, () if since is None else since.layers, given)
    morphs = document.morphs if since is not None and since.morphs == live.morphs else live.morphs
    return replace(document, parameters=MappingProxyType(parameters), layers=layers, morphs=morphs)


def _parameter(
    name: str, parameter: Parameter, live: MotionDoc, since: MotionDoc | None
) -> Parameter:
    value = live.parameters.get(name)
    before = None if since is None else since.parameters.get(name)
    if value is None or np.shape(value.default) != np.shape(parameter.default):
        return parameter
    if before is not None and before.default == value.default:
        return parameter
    return replace(parameter, default=value.default)


def _layers(
    layers: Sequence[LayerSettings],
    live: Sequence[LayerSettings],
    since: Sequence[LayerSettings],
    given: Given,
) -> tuple[LayerSettings, ...]:
    present, earlier = ({layer.name: layer for layer in side} for side in (live, since))
    return tuple(
        _layer(layer, present.get(layer.name), earlier.get(layer.name), given) for layer in layers
    )


def _layer(
    layer: LayerSettings,
    live: LayerSettings | None,
    since: LayerSettings | None,
    given: Given,
) -> LayerSettings:
    if live is None:
        return layer
    mute = layer.mute if since is not None and since.mute == live.mute else live.mute
    solo = layer.solo if since is not None and since.solo == live.solo else live.solo
    weight = layer.weight
    if given.get(f"{layer.name}{WEIGHT}") == live.weight:
        weight = layer.weight if since is not None and since.weight == live.weight else live.weight
    play = layer.play
    if isinstance(play, Nested) and isinstance(live.play, Nested):
        earlier = since.play if since is not None else None
        inner = earlier.layers if isinstance(earlier, Nested) else ()
        play = Nested(_layers(play.layers, live.play.layers, inner, given))
    return replace(layer, mute=mute, solo=solo, weight=weight, play=play)
