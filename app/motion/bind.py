"""Bind a motion file to a model: resolve names, and make layers and sources."""

import math
from functools import partial

from ..animation.playback import Loop
from ..blending.layer_mixer import LayerMixer, Timeline
from ..blending.mixer import PlaybackSettings
from ..blending.stepped_mixer import Scheduled
from ..model.model import Model
from .bind_layers import LayerBuilder
from .bind_names import NameResolver
from .bind_schedule import scheduled_actions
from .bind_sources import SourceBuilder
from .cross_references import all_layers, check_entries
from .document import Cut, MotionDoc
from .random_start import with_random_starts


def bind(
    model: Model,
    doc: MotionDoc,
    *,
    speed: float = 1.0,
    loop: Loop | None = None,
    default_loop: Loop = ("loop", math.inf),
    trim: bool = False,
    batch: tuple[int, ...] = (),
    advise: bool = False,
) -> LayerMixer:
    """Return the mixer that plays the layers of a document on a model.

    Parameters
    ----------
    model, doc
        With imported clips of other files (`rigview.loading.import_clips`).
    speed, loop, trim
        Applied to all clips; loop None: the document's setting, else `default_loop`.
    advise
        Also check entries that no layer plays, and add warnings about what is likely to look
        wrong; this samples every clip.
    batch
        Shape of a batch of characters; parameters are set for each one with `LayerMixer.set`.

    Raises
    ------
    MotionError
        The model lacks a name, or the document does not fit the model.
    """
    names = _checked_names(model, doc, batch)
    source_builder = SourceBuilder(
        names, speed=speed, loop=loop, default_loop=default_loop, trim=trim
    )
    layer_builder = LayerBuilder(source_builder)
    layers = layer_builder.layers(names.doc.layers, ("layers",))
    if advise:
        LayerBuilder(SourceBuilder(names)).check()  # with the document's own loop settings
    mixer = LayerMixer(
        layers,
        names.parameters,
        Timeline(
            schedule=_schedule(layer_builder),
            cuts=_cuts(model, doc),
            marks=[at.time for at in doc.at],
            length=layer_builder.length,
        ),
        pivot=layer_builder.pivot(),
        has_root_motion=bool(source_builder.roots),
        batch=batch,
        fresh=partial(bind, model, doc, trim=trim),
    )
    mixer.named_poses = names.poses
    mixer.settings = PlaybackSettings(speed, loop, default_loop)
    warnings = layer_builder.advice(layers) if advise else ()
    mixer.warnings = tuple(dict.fromkeys([*names.warnings, *warnings]))
    return mixer


def validate(model: Model, doc: MotionDoc) -> tuple[str, ...]:
    """Check all entries of a document without binding its layers; return warnings.

    Raises
    ------
    MotionError
        The model lacks a name, or the document does not fit the model.
    """
    names = _checked_names(model, doc)
    LayerBuilder(SourceBuilder(names)).check()
    return tuple(dict.fromkeys(names.warnings))


def _checked_names(model: Model, doc: MotionDoc, batch: tuple[int, ...] = ()) -> NameResolver:
    check_entries(doc)
    names = NameResolver(model, with_random_starts(doc), batch)
    names.check()
    for path, layer in all_layers(doc):
        choice = () if layer.random is None else layer.random.choice
        for k, name in enumerate(choice):
            if not any(name in table for table in (doc.spaces, doc.additives, doc.aims, doc.iks)):
                names.clip(name, (*path, "random", "choice", k))
    for name, parameter in doc.parameters.items():
        names.warn_if_clamped(name, parameter.default, ("parameters", name, "default"))
    return names


def _schedule(layer_builder: LayerBuilder) -> list[Scheduled]:
    """Return the scheduled actions of the document, sorted by time."""
    entries = list(enumerate(layer_builder.names.doc.at))
    rates = {name: each.speed for name, each in layer_builder.covered.items()}
    in_order = sorted(entries, key=lambda entry: entry[1].time)
    return [
        each
        for k, at in in_order
        for each in scheduled_actions(layer_builder, at, ("at", k), rates)
    ]


def _cuts(model: Model, doc: MotionDoc) -> list[tuple[float, int]]:
    """Return the times and cameras of the cuts of a document, sorted by time; -1: the free one."""
    cuts = [(at.time, at.do.camera) for at in doc.at if isinstance(at.do, Cut)]
    found = [(time, model.camera_named(name)) for time, name in cuts]
    in_order = sorted(found, key=lambda cut: cut[0])
    return [(time, -1 if camera is None else camera) for time, camera in in_order]
