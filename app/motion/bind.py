"""A motion file put to work on a model: names become joints and clips, layers become sources."""

import math

from ..blending.mixer import Mixer, Scheduled
from ..model.model import Model
from .bind_layers import Stage
from .bind_names import Names
from .bind_schedule import scheduled
from .bind_sources import Casting, Loop
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
    """Return the mixer that plays a document's layers on a model.

    Parameters
    ----------
    model
        With the clips of other files in it (`rigview.loading.import_clips`).
    speed, loop, trim
        What holds for every clip of the run; loop None: as the document says, else `otherwise`.
    advise
        Look at what no layer plays, too: names that the model lacks are errors there as well. And
        add to the warnings what is likely to look wrong; that takes a look at every clip.
    batch
        Of the characters; their parameters are `Mixer.set` one by one.

    Raises
    ------
    MotionError
        A name that the model lacks, and all else that only shows with the model at hand.
    """
    names = Names(model, doc, batch)
    names.check()
    for name, each in doc.parameters.items():
        names.held(name, each.default, ("parameters", name, "default"))
    casting = Casting(names, speed=speed, loop=loop, otherwise=otherwise, trim=trim)
    stage = Stage(casting)
    layers = stage.layers(doc.layers, ("layers",))
    if advise:
        Stage(Casting(names)).check()  # as the document says it, however this run loops
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


def _schedule(stage: Stage) -> list[Scheduled]:
    """Return what the document schedules, in the order of time."""
    entries, rates = list(enumerate(stage.names.doc.at)), dict(stage.speeds)
    in_order = sorted(entries, key=lambda entry: entry[1].time)
    return [each for k, at in in_order for each in scheduled(stage, at, ("at", k), rates)]
