"""Morph weights set by hand, as a motion document has them."""

from dataclasses import replace
from types import MappingProxyType

import numpy as np

from ..errors import MotionError, UsageError
from ..model.model import Model
from ..model.morph_weights import find_morph_weights, weights_by_name
from ..motion.bind_names import set_morphs
from ..motion.document import MotionDoc
from ..scene.character import Character


def with_morphs_of(document: MotionDoc, character: Character) -> MotionDoc:
    """Return a document with the morph weights that are set in a character.

    It is the same object if it sets them already, be it by patterns.
    """
    model, override = character.model, character.override
    try:
        same = np.array_equal(set_morphs(model, document), override, equal_nan=True)
    except MotionError:  # it names targets that a reloaded model lacks
        same = False
    if same:
        return document
    return replace(document, morphs=MappingProxyType(weights_by_name(model, override)))


def only_morphs_differ(one: MotionDoc, other: MotionDoc) -> bool:
    """Return whether two documents differ in morph weights and in nothing else."""
    return one.morphs != other.morphs and replace(one, morphs=other.morphs) == other


def without_lost_morphs(document: MotionDoc, saved: MotionDoc, model: Model) -> MotionDoc:
    """Return a document without tried-out weights of targets that a reloaded model lacks.

    Those of the saved document stay: their loss is an error of the file.
    """
    kept = {
        name: weight
        for name, weight in document.morphs.items()
        if name in saved.morphs or _is_found(model, name)
    }
    if len(kept) == len(document.morphs):
        return document
    return replace(document, morphs=MappingProxyType(kept))


def _is_found(model: Model, name: str) -> bool:
    try:
        return bool(find_morph_weights(model, name))
    except UsageError:
        return False
