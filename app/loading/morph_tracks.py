"""Morph weight tracks of another file, matched by the names of the morph targets."""

from collections.abc import Iterator

import numpy as np

from ..animation.clip import Clip
from ..animation.track import Track
from ..model.model import Channel, Model


def morph_tracks(source: Model, model: Model, clip: Clip) -> tuple[list[Track], set[int]]:
    """Return tracks of the morph weights in both models, and the channels they are from.

    Weights are matched by the names of the morph targets; the channels are those of the source.
    """
    source_tracks: dict[int, list[Track]] = {}
    for track in clip.tracks:
        if track.path == "values":
            source_tracks.setdefault(track.target, []).append(track)
    source_names = {
        channel: names for channel, names in morph_names(source).items() if channel in source_tracks
    }
    tracks: list[Track] = []
    channels: set[int] = set()
    for channel, names in morph_names(model).items():
        best = max(source_names, key=lambda c: len(set(source_names[c]) & set(names)), default=-1)
        if best >= 0:
            source_weights = [
                source_names[best].index(name) if name in source_names[best] else -1
                for name in names
            ]
            found = list(
                _weights(source_tracks[best], source.channels[best], channel, model, source_weights)
            )
            tracks += found
            channels |= {best} if found else set()
    return tracks, channels


def _weights(
    tracks: list[Track], source: Channel, channel: int, model: Model, source_weights: list[int]
) -> Iterator[Track]:
    """Yield the tracks of a weights channel; `source_weights` has the source index or -1."""
    slot = model.channels[channel]
    for track in tracks:
        first, width = track.start - source.start, track.values.shape[1]
        pairs = [(k, n - first) for k, n in enumerate(source_weights) if 0 <= n - first < width]
        if not pairs:
            continue
        whole = width == source.width
        columns, source_columns = (list(column) for column in zip(*pairs, strict=True))
        start, size = (slot.start, slot.width) if whole else (slot.start + columns[0], 1)
        rest = slot.default if whole else slot.default[columns[0] : columns[0] + 1]
        columns = columns if whole else [0]
        keys = np.tile(rest, (len(track.times), 1)).astype(np.float32)
        keys[:, columns] = track.values[:, source_columns]
        tangents = None
        if track.tangents is not None:
            tangents = np.zeros((len(keys), 2, size), np.float32)
            tangents[:, :, columns] = track.tangents[:, :, source_columns]
        yield Track(channel, "values", track.interpolation, track.times, keys, tangents, start)


def morph_names(model: Model) -> dict[int, tuple[str, ...]]:
    """Return the morph target names by weights channel."""
    found = {}
    for instance in model.instances:
        targets = [p.morph for p in model.meshes[instance.mesh].primitives if p.morph is not None]
        if instance.channel >= 0 and targets:
            found[instance.channel] = targets[0].names
    return found
