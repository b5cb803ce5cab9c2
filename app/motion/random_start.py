"""Layers that start at random: noise such as breath, fatigue or distraction is never in step.

What is drawn depends on the seed and the name of the layer alone, so that every picture of a motion
file shows the same.
"""

from dataclasses import replace

import numpy as np

from .document import LayerSettings, MotionDoc, changed_layers


def with_random_starts(document: MotionDoc) -> MotionDoc:
    """Return the document with the phase, speed and content that its layers draw."""
    layers = changed_layers(document.layers, _started)
    return document if layers == document.layers else replace(document, layers=layers)


def _started(layer: LayerSettings) -> LayerSettings:
    """Return a layer with what it draws."""
    if layer.random is None:
        return layer
    phase, speed, choice = drawn(layer.name, layer.random.seed)
    changed = replace(layer, random=None)
    if layer.random.phase:
        changed = replace(changed, phase=phase)
    if layer.random.speed is not None and not isinstance(layer.speed, str):
        low, high = layer.random.speed
        changed = replace(changed, speed=layer.speed * (low + speed * (high - low)))
    if layer.random.choice:
        count = len(layer.random.choice)
        changed = replace(changed, play=layer.random.choice[int(choice * count)])
    return changed


def drawn(name: str, seed: int) -> tuple[float, float, float]:
    """Return three numbers from 0 to 1 for the phase, the speed and the choice of a layer."""
    phase, speed, choice = np.random.default_rng([seed, *name.encode()]).random(3).tolist()
    return phase, speed, choice
