"""Tracks of imported clips that have no place in the model."""

from collections.abc import Mapping, Sequence

import numpy as np

from ..animation.track import Path, Track
from ..model.model import Model
from ..wording import counted

TURNED = 1e-3  # of a rotation's components: about 0.1 degrees
MOVED = 1e-3  # of the skeleton's size, and of a scale


@np.errstate(all="ignore")  # extreme values of a file may overflow
def lost_tracks(
    source: Model, imported: Mapping[Path, set[int]], channels: Sequence[set[int]]
) -> tuple[tuple[str, str], ...]:
    """Return the tracks that an import leaves out, such as "Sword rotation", and their clips.

    Tracks that leave a joint at rest are not counted, nor are the constant lengths and sizes of
    bones whose rotation is imported.

    Parameters
    ----------
    imported
        The joints of the source whose "rotation", "translation" and "scale" are imported.
    channels
        For each clip, the channels of the source whose values are imported.
    """
    size = float(np.abs(source.skeleton.rest.translation).max(initial=0.0))
    lost = []
    for clip, clip_channels in zip(source.clips, channels, strict=True):
        for track in clip.tracks:
            if track.path == "values":
                if track.target not in clip_channels and _varies(track, TURNED):
                    lost.append((source.channels[track.target].pointer, clip.name))
                continue
            if track.target in imported[track.path]:
                continue
            limit = MOVED * size if track.path == "translation" else MOVED
            matched = track.target in imported["rotation"]
            if _varies(track, limit) or not (matched or _rests(source, track, limit)):
                lost.append((f"{source.skeleton.names[track.target]} {track.path}", clip.name))
    return tuple(lost)


def listed_tracks(lost: Sequence[tuple[str, str]]) -> str:
    """Return the lost tracks as text, each once: "Sword rotation in 3 animations"."""
    clips: dict[str, list[str]] = {}
    for track, clip in lost:
        clips.setdefault(track, []).append(clip)
    return ", ".join(
        f"{track} in {found[0] if len(found) == 1 else counted(len(found), 'animation')}"
        for track, found in clips.items()
    )


def _varies(track: Track, limit: float) -> bool:
    """Return whether the keys of a track differ from one another."""
    values = track.values
    if track.path == "rotation":
        values = np.where(values @ values[0] < 0, -1, 1)[:, None] * values
    return float(np.abs(values - values[0]).max()) > limit


def _rests(source: Model, track: Track, limit: float) -> bool:
    """Return whether the first key of a track is the rest pose."""
    rest = getattr(source.skeleton.rest, track.path)[track.target]
    key = track.values[0]
    if track.path == "rotation" and float(key @ rest) < 0:
        key = -key
    return float(np.abs(key - rest).max()) <= limit
