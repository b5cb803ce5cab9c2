"""Bind a motion file to a model: resolve names, and make layers and sources."""

import math

from ..blending.mixer import Mixer, Scheduled
from ..model.model import Model
from .bind_layers import LayerBuilder
from .bind_names import NameResolver
from .bind_schedule import scheduled_actions
from .bind_sources import Loop, SourceBuilder
from .document import (
    MotionDoc,
)


def bind(
    model: Model,
    doc: MotionDoc,
    *,
    speed: float = 1.0,
    loop: Loop | None = None,
    otherwise: Loop = ("loop", math.inf),
    trim: bool = False,
    batch: tuple[int, ...] = (),
    advise: bool = False,
) -> Mixer:
    """Return the mixer that plays the layers of a document on a model.

    Parameters
    ----------
    model
        With imported clips of other files (`rigview.loading.import_clips`).
    speed, loop, trim
        Applied to all clips; loop None: the document's setting, else `otherwise`.
    advise
        Also check entries that no layer plays, and add warnings about what is likely to look
        wrong; this samples every clip.
    batch
        Shape of a batch of characters; parameters are set for each one with `Mixer.set`.

    Raises
    ------
    MotionError
        The model lacks a name, or the document does not fit the model.
    """
    names = NameResolver(model, doc, batch)
    names.check()
    for name, each in doc.parameters.items():
        names.held(name, each.default, ("parameters", name, "default"))
    casting = SourceBuilder(names, speed=speed, loop=loop, otherwise=otherwise, trim=trim)
    stage = LayerBuilder(casting)
    layers = stage.layers(doc.layers, ("layers",))
    if advise:
        LayerBuilder(SourceBuilder(names)).check()  # with the document's own loop settings
    mixer = Mixer(
        layers,
        names.parameters,
        schedule=_schedule(stage),
        pivot=stage.pivot(),
        length=stage.length,
        travels=bool(casting.roots),
        batch=batch,
    )
    told = stage.advice(layers) if advise else ()
    mixer.warnings = tuple(dict.fromkeys([*names.warnings, *told]))
    return mixer


def _schedule(stage: LayerBuilder) -> list[Scheduled]:
    """Return the scheduled actions of the document, sorted by time."""
    entries, rates = list(enumerate(stage.names.doc.at)), dict(stage.speeds)
    in_order = sorted(entries, key=lambda entry: entry[1].time)
    return [each for k, at in in_order for each in scheduled_actions(stage, at, ("at", k), rates)]
