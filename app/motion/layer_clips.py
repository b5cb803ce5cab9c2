"""The clips that a layer plays, from which the built-in mask "touched" is made."""

from collections.abc import Iterator

from ..animation.clip import Clip
from ..errors import KeyPath
from .bind_names import NameResolver
from .document import Fade, LayerSettings, Nested, Play, StillClip, StrafeSpace


def clips_of_layer(names: NameResolver, layer: LayerSettings, path: KeyPath) -> list[Clip]:
    """Return all clips of a layer, including those that it fades to."""
    return [names.model.clips[number] for number in sorted(set(_of_layer(names, layer, path)))]


def _of_layer(names: NameResolver, layer: LayerSettings, path: KeyPath) -> Iterator[int]:
    yield from _numbers(names, layer.play, (*path, "play"))
    for k, at in enumerate(names.doc.at):
        if isinstance(at.do, Fade) and at.do.layer == layer.name:
            yield from _numbers(names, at.do.to, ("at", k, "fade", "to"))


def _numbers(names: NameResolver, play: Play, path: KeyPath) -> Iterator[int]:
    doc = names.doc
    if isinstance(play, Nested):
        for k, layer in enumerate(play.layers):
            yield from _of_layer(names, layer, (*path, "layers", k))
    elif isinstance(play, StillClip):
        yield names.clip(play.clip, path)
    elif not isinstance(play, str) or play in doc.aims or play in doc.iks:
        return
    elif play in doc.additives:
        yield names.clip(doc.additives[play].source, path)
    elif play in doc.spaces:
        space = doc.spaces[play]
        if isinstance(space, StrafeSpace):
            clips = [*space.clips.values(), *space.transitions.values()]
        else:
            clips = [space_clip.clip for space_clip in space.clips]
        for clip in clips:
            yield names.clip(clip, path)
    else:
        yield names.clip(play, path)
