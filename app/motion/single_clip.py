"""A single clip with its settings in a motion file."""

import math
from dataclasses import replace

from ..animation.playback import Loop, parse_loop
from ..blending.clip_mixer import ClipMixer, ClipMotion, clip_mixer, playback_over
from ..blending.mixer import Mixer
from ..model.model import Model
from .bind_names import NameResolver
from .bind_sources import SourceBuilder
from .cross_references import BASE, TOUCHED
from .document import Anims, LayerSettings, MotionDoc, RetargetSettings
from .edit import free_name
from .layer_content import layer_name


def clip_mixer_with_settings(
    model: Model,
    document: MotionDoc,
    clip: int,
    *,
    loop: Loop | None = None,
    default_loop: Loop = ("loop", math.inf),
    speed: float = 1.0,
    trim: bool = False,
) -> Mixer:
    """Return the mixer of clip number `clip` (-1: the rest pose), with its settings.

    A clip that is driven by a parameter plays without its settings.

    Parameters
    ----------
    loop
        Loop mode; None: the clip's own setting, else `default_loop`.
    trim
        Play from the first key instead of from 0, unless the document sets the range.

    Raises
    ------
    MotionError
        The document does not fit the model.
    """
    rest = model.skeleton.rest
    alone = clip_mixer(model.clips, rest, clip, loop=loop or default_loop, speed=speed, trim=trim)
    plain = not concerns_all_clips(document)
    if clip < 0 or (plain and not document.clips):
        return alone
    names = NameResolver(model, document)
    settings = names.settings_of(clip)[1]
    whole = settings.range is None or settings.source is not None
    silent = whole and settings.loop is None and settings.root is None
    if (plain and silent) or settings.drive is not None:
        return alone
    source_builder = SourceBuilder(names, trim=trim)
    begin, end = source_builder.clip_range(clip)
    own_loop = None if settings.loop is None else parse_loop(settings.loop)
    return ClipMixer(
        model.clips[clip],
        rest,
        clip,
        playback_over((begin, end), loop or own_loop or default_loop, speed),
        ClipMotion(root=source_builder.root(clip, begin), loop=own_loop),
    )


def concerns_all_clips(document: MotionDoc) -> bool:
    """Return whether a document concerns clips without settings: facing, clips of other files."""
    imports = document.anims != Anims() or document.retarget != RetargetSettings()
    return document.facing is not None or imports


def is_driven(model: Model, document: MotionDoc, clip: int) -> bool:
    """Return whether a parameter of the document sets the time of clip number `clip`."""
    return NameResolver(model, document).settings_of(clip)[1].drive is not None


def single_clip_document(document: MotionDoc, clip: int) -> MotionDoc:
    """Return a document that plays only clip number `clip` (-1: nothing)."""
    return replace(document, layers=base_layers(clip), at=(), pivot=None)


def layers_of_all_clips(model: Model) -> tuple[LayerSettings, ...]:
    """Return a layer for each clip, all at once: each moves the joints that it has tracks of.

    Exporters write a clip for each node where nothing says that they belong together.
    """
    made: list[LayerSettings] = []
    for clip in model.clips:
        name = free_name(layer_name(clip.name), (each.name for each in made))
        made.append(LayerSettings(name, clip.name, mask=TOUCHED if made else None))
    return tuple(made)


def base_layers(clip: int) -> tuple[LayerSettings, ...]:
    """Return a base layer that plays a clip."""
    return (LayerSettings(BASE, f"#{clip}"),) if clip >= 0 else ()
