"""Clips that a motion file cuts out of long ones: `source` and `range` of [clips.NAME].

Source: Gregory, Game Engine Architecture, 11.6.2.2.
"""

from collections.abc import Iterator
from dataclasses import replace

from ..animation.clip import Clip
from ..errors import UsageError
from ..model.lookup import find_clip
from ..model.model import Model
from ..model.named_clips import Clips
from ..tomlfile.toml_errors import motion_error, quoted
from .document import MotionDoc

Cuts = tuple[tuple[str, str, tuple[float, float]], ...]  # name, source and range of clips


def cuts(document: MotionDoc) -> Cuts:
    """Return the clips that a document cuts out of others, in its order."""
    return tuple(
        (name, each.source, each.range)
        for name, each in document.clips.items()
        if each.source is not None and each.range is not None
    )


def with_cut_clips(model: Model, document: MotionDoc) -> Model:
    """Return the model with the clips that a document cuts out, in its order, after the others.

    Raises
    ------
    MotionError
        A source does not exist or has no such part, or another clip has the name.
    """
    made = list(_cut(model, document))
    if not made:
        return model
    return replace(model, clips=Clips([*model.clips, *made], model.clips.aliases))


def _cut(model: Model, document: MotionDoc) -> Iterator[Clip]:
    names = [clip.name for clip in model.clips]
    for name, source, span in cuts(document):
        path = ("clips", name)
        if name in names:
            message = "a clip of the character has the same name"
            raise motion_error((*path, "source"), message, hint="use another name")
        try:
            long = model.clips[find_clip(model, source).index]
            yield replace(long.cut(*span, name), source=long.name)
        except UsageError:
            message = f"no clip {quoted(source)}"
            raise motion_error((*path, "source"), message, wrong=source, known=names) from None
        except ValueError as error:
            raise motion_error((*path, "range"), str(error)) from None


def with_parts_only(model: Model, document: MotionDoc) -> Model:
    """Return the model whose long clips are replaced by the clips that a document cuts out.

    Clips of which it names a range, without a source, are shortened to it.

    Raises
    ------
    MotionError
        See `with_cut_clips`; or a range is outside its clip.
    """
    whole = with_cut_clips(model, document)
    sources = {clip.source for clip in whole.clips} - {""}
    kept = []
    for clip in whole.clips:
        settings = document.clips.get(clip.name)
        if clip.name in sources:
            continue
        if settings is None or settings.range is None or settings.source is not None:
            kept.append(clip)
            continue
        try:
            kept.append(clip.cut(settings.range[0], min(settings.range[1], clip.end)))
        except ValueError as error:
            raise motion_error(("clips", clip.name, "range"), str(error)) from None
    return model if kept == list(model.clips) else model.with_clips(kept)
