"""Live values of a motion document: what is tried out while it plays, and is no unsaved work.

They are the default values of parameters, mute and solo of layers, and morph weights.
"""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from .document import LayerSettings, MotionDoc, Parameter


def with_live_values(
    document: MotionDoc, live: MotionDoc, since: MotionDoc | None = None
) -> MotionDoc:
    """Return a document with the live values of another, by name.

    Parameters
    ----------
    since
        Only values that differ from those of this document.
    """
    parameters = {
        name: _parameter(name, parameter, live, since)
        for name, parameter in document.parameters.items()
    }
    present = _by_name(live)
    earlier = {} if since is None else _by_name(since)
    layers = tuple(
        _layer(layer, present.get(layer.name), earlier.get(layer.name)) for layer in document.layers
    )
    morphs = document.morphs if since is not None and since.morphs == live.morphs else live.morphs
    return replace(document, parameters=MappingProxyType(parameters), layers=layers, morphs=morphs)


def _by_name(document: MotionDoc) -> Mapping[str, LayerSettings]:
    return {layer.name: layer for layer in document.layers}


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


def _layer(
    layer: LayerSettings, live: LayerSettings | None, since: LayerSettings | None
) -> LayerSettings:
    if live is None:
        return layer
    mute = layer.mute if since is not None and since.mute == live.mute else live.mute
    solo = layer.solo if since is not None and since.solo == live.solo else live.solo
    return replace(layer, mute=mute, solo=solo)
