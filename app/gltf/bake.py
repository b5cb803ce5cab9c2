"""Bake animations: resample at a frame rate, remove keys within a tolerance, into a .glb.

Keys that the others interpolate within the tolerance are removed; no key is added. The deviation of
the baked clips from the original is measured.
"""

from collections.abc import Callable, Collection, Mapping, Sequence, Set
from dataclasses import dataclass

import numpy as np

from ..animation.clip import Clip
from ..animation.resample import (
    can_quantize,
    closed,
    reduce_keys,
    resample,
    with_quantized_rotations,
)
from ..animation.types import F32
from ..model.clip_deviation import Deviation, deviation
from ..model.model import Model
from ..model.morph_weights import clip_with_weights, node_weights
from ..model.skinned_vertices import VertexBlock, height, vertex_blocks
from ..model.track_sensitivities import TrackSensitivities, track_sensitivities
from .document import Document, parse
from .read_model import read_model
from .save import Saved, channel_tracks, new_animation, save

METRES = 1e-4  # default tolerance at the skin of a character without a height
METRES_PER_HEIGHT = 6e-5  # default tolerance by height: 0.1 mm at 1.7 m
DEGREES = 0.05  # default tolerance of a joint's rotation, model space
MAX_WEIGHT = 1e-3  # maximum error of a morph weight, in proportion to a larger tolerance
MAX_ATTEMPTS = 6  # attempts to find the fraction of the tolerance that each track may use
FIRST_FRACTION = 0.5  # of the tolerance, in the first attempt
TARGET_USE = 0.9  # part of the tolerance that the next attempt should use
ENOUGH_USE = 0.75  # part of the tolerance at which the search stops
USABLE = 0.999  # usable part of the tolerance: leaves room for rounding to float32
MIN_FACTOR = 0.3  # smallest factor of the fraction from one attempt to the next
EPSILON = 1e-12  # prevents division by zero


@dataclass(frozen=True, slots=True)
class BakedClip:
    """The result of baking a clip."""

    name: str
    keys: tuple[int, int]  # of all tracks, before and after
    deviation: Deviation  # of the baked clip from the original
    not_reduced: int = 0  # tracks of more than two keys that keep all within the tolerance
    not_quantized: int = 0  # rotations that stay float32: they have tangents, or for the tolerance


@dataclass(frozen=True, slots=True)
class Baked:
    """A baked .glb, and the deviation of its clips."""

    data: bytes
    before: int  # size of the original in bytes, external files included
    reports: tuple[BakedClip, ...]
    model: Model  # the baked file, loaded


@np.errstate(all="ignore")  # extreme values of a file may overflow
def bake(
    document: Document,
    model: Model,
    *,
    fps: float | None = None,
    loop: bool = False,
    metres: float | None = None,
    degrees: float | None = None,
    keep_keys: bool = False,
    quantize_rotations: bool = False,
    clips: Collection[int] | None = None,
    extra_clips: Sequence[Clip] = (),
    morphs: F32 | None = None,
    step: Callable[[], None] = lambda: None,
) -> Baked:
    """Return a document with resampled or reduced keys, and the deviation from the original.

    Parameters
    ----------
    document, model
        From `open_document`, and `read_model` of that document.
    fps
        Keys per second; None: the keys of the file.
    loop
        Whether to leave out the keys at the end, which close loops; with `fps` only. The deviation
        is that of a player that interpolates between the last key and the first.
    metres
        Maximum deviation of a vertex; None: METRES_PER_HEIGHT times the character's height.
    degrees
        Maximum deviation of a joint's rotation, model space; None: DEGREES. With `fps`, keys are
        only reduced if one of both tolerances is given, which are then for the resampled clip.
    keep_keys
        Whether to keep all keys.
    quantize_rotations
        Whether to write rotations as normalized 16-bit integers, unless they have tangents or their
        clip would exceed a tolerance.
    clips
        Indices of the animations to bake; None: all. The others keep their bytes.
    extra_clips
        Clips to add; their tracks target the model's joints and channels.
    morphs
        Values [P] of morph weights that replace those of the clips to bake and of the nodes, NaN:
        not set; None: none is set.
    step
        Called before each clip, for progress.

    Raises
    ------
    ValueError
        The rate or a tolerance is not above 0, or the keys at the end are left out of keys that
        are not at a fixed rate.
    GltfError
        A buffer cannot be read.
    """
    limited = metres is not None or degrees is not None
    if any(limit is not None and limit <= 0 for limit in (metres, degrees)):
        raise ValueError(f"tolerances must be above 0, not {metres} m and {degrees} degrees")
    reduces = not keep_keys and (fps is None or limited)
    if loop and (reduces or fps is None):
        raise ValueError("the key at the end is left out at a fixed rate only, without a tolerance")
    chosen = range(len(model.clips)) if clips is None else sorted(clips)
    baker = _Baker(model, metres, DEGREES if degrees is None else degrees)
    originals = {c: model.clips[c] for c in chosen}
    originals |= {len(model.clips) + k: clip for k, clip in enumerate(extra_clips)}
    stored, weights = dict(originals), {}
    if morphs is not None and not np.isnan(morphs).all():
        originals = {c: clip_with_weights(model, clip, morphs) for c, clip in originals.items()}
        weights = node_weights(model, morphs)
    whole = {
        c: resample(clip, fps, loop=loop) if fps is not None else clip
        for c, clip in originals.items()
    }
    quantized = set(originals) if quantize_rotations else set()
    baked = {}
    for c, clip in whole.items():
        step()
        found = baker.reduced(clip, quantized=c in quantized) if reduces else clip
        if found is None and c in quantized:
            quantized.discard(c)
            found = baker.reduced(clip)
        baked[c] = clip if found is None else found
    while True:
        saved = _save(document, model, stored, baked, weights, quantized)
        result = read_model(parse(saved.data, document.name, None, None))
        written = {c: result.clips[c] for c in originals}
        deviations = {c: baker.measure(whole[c], clip) for c, clip in written.items() if reduces}
        exceeding = [c for c, found in deviations.items() if not baker.within_tolerance(found)]
        if all(baked[c] is whole[c] and c not in quantized for c in exceeding):
            break
        baked |= {c: whole[c] for c in exceeding}  # rounding in the file exceeded the tolerance
        quantized -= set(exceeding)
    if fps is not None or not reduces:
        for c, clip in originals.items():
            after = closed(written[c], clip.end) if loop else written[c]
            deviations[c] = baker.measure(clip, after)
    reports = tuple(
        BakedClip(
            clip.name,
            (clip.key_count, written[c].key_count),
            deviations[c],
            _not_reduced(whole[c], written[c]) if reduces else 0,
            _floats(written[c], quantized=c in quantized) if quantize_rotations else 0,
        )
        for c, clip in originals.items()
    )
    return Baked(saved.data, saved.before, reports, result)


def _floats(clip: Clip, *, quantized: bool) -> int:
    """Return the number of rotations of a clip that are not integers."""
    return sum(
        track.path == "rotation" and not (quantized and can_quantize(track))
        for track in clip.tracks
    )


def default_metres(model: Model, parts: list[VertexBlock] | None = None) -> float:
    """Return the tolerance of a model that is not given one; `parts` are its vertex blocks."""
    size = height(model, vertex_blocks(model) if parts is None else parts)
    return METRES_PER_HEIGHT * size if size > 0 else METRES


def _not_reduced(before: Clip, after: Clip) -> int:
    """Return the number of tracks of more than two keys that keep all of them."""
    counts = {(track.path, track.target, track.start): len(track.times) for track in after.tracks}
    return sum(
        counts.get((track.path, track.target, track.start)) == len(track.times) > 2
        for track in before.tracks
    )


def _save(
    document: Document,
    model: Model,
    before: dict[int, Clip],
    after: dict[int, Clip],
    weights: Mapping[int, list[float]],
    quantized: Set[int],
) -> Saved:
    """Return the file with the tracks of `after`; identical track objects keep their bytes.

    Rotations of the `quantized` clips become integers.
    """
    new = {
        id(old): track
        for c, clip in before.items()
        for old, track in zip(clip.tracks, after[c].tracks, strict=True)
        if track is not old or (c in quantized and can_quantize(track))
    }
    changed = {
        place: new[id(track)]
        for place, track in channel_tracks(document, model).items()
        if id(track) in new
    }
    extra = [
        new_animation(model, c.name, c.tracks) for k, c in after.items() if k >= len(model.clips)
    ]
    return save(document, changed, extra, weights, quantized)


class _Baker:
    """The tolerances, and the model on which deviations are measured."""

    def __init__(self, model: Model, metres: float | None, degrees: float) -> None:
        self.model = model
        self.parts = vertex_blocks(model)
        default = default_metres(model, self.parts)
        self.metres = default if metres is None else metres
        self.weight = MAX_WEIGHT * max(1.0, self.metres / default)
        self.degrees = degrees
        self.sensitivities: TrackSensitivities = track_sensitivities(model, self.parts)

    def measure(self, before: Clip, after: Clip) -> Deviation:
        """Return the deviation of a baked clip from the original."""
        return deviation(self.model, self.parts, before, after)

    def within_tolerance(self, found: Deviation) -> bool:
        """Return whether a deviation is within both tolerances."""
        return found.metres <= self.metres and found.degrees <= self.degrees

    def reduced(self, clip: Clip, *, quantized: bool = False) -> Clip | None:
        """Return the clip with the fewest keys found within the tolerances, None if none is.

        Errors of parent and child joints add up, so each track may use a fraction of the tolerance.
        The total deviation is measured, with rotations `quantized` if they will be, and the
        fraction decreased or increased.
        """
        best, fewest = None, clip.key_count
        fraction = np.array([FIRST_FRACTION, FIRST_FRACTION])  # of metres and of degrees
        failed = False
        for _ in range(MAX_ATTEMPTS):
            baked = reduce_keys(clip, *self._limits(clip, fraction))
            shown = with_quantized_rotations(baked) if quantized else baked
            found = self.measure(clip, shown)
            used = np.array([found.metres / self.metres, found.degrees / self.degrees])
            change = TARGET_USE / np.maximum(used, EPSILON)
            if not (used <= USABLE).all():
                failed = True
                fraction = fraction * np.clip(change, MIN_FACTOR, 1.0)
                continue
            if best is None or baked.key_count < fewest:
                best, fewest = baked, baked.key_count
            larger = np.minimum(fraction * np.clip(change, 1.0, 2.0), 1.0)
            if failed or used.max() >= ENOUGH_USE or np.array_equal(larger, fraction):
                break
            fraction = larger
        return best

    def _limits(self, clip: Clip, fraction: "np.ndarray") -> tuple[list[float], list["np.ndarray"]]:
        metres = float(fraction[0]) * self.metres
        turn = float(np.radians(fraction[1] * self.degrees))
        limits, scales = [], []
        for track in clip.tracks:
            limit, scale = metres, np.ones(track.values.shape[1])
            if track.path == "values":
                moved = self.sensitivities.values[track.start : track.start + len(scale)]
                scale = np.maximum(moved, metres / self.weight)
            else:
                per_unit = getattr(self.sensitivities, track.path)[track.target]
                limit = metres / max(float(per_unit), EPSILON)
            if track.path == "rotation":
                limit = min(turn, limit)
            limits.append(limit)
            scales.append(scale)
        return limits, scales
