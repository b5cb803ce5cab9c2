"""Baking a file: fewer keys within a tolerance, or keys at a fixed rate; and the proof of it."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import numpy as np

from ..animation.clip import Clip
from ..animation.resample import resample, thin
from ..model.clip_deviation import Deviation, deviation
from ..model.model import Model
from ..model.skinned_vertices import Levers, height, levers, pieces
from .document import Document, parse
from .load import read_model
from .save import Saved, added, channel_tracks, save

METRES = 1e-4  # at the skin, where nobody says it
OF_HEIGHT = 1e-4  # the same as a share of the character's height, where that is smaller
DEGREES = 0.05  # of a joint, in model space
WEIGHT = 1e-3  # a morph weight may be off, however little it moves
TRIES = 6  # at shares of the tolerance for one track, until all of them together hold
FIRST = 0.5  # the share to begin with
AIM = 0.9  # of the tolerance: what the next share is meant to reach
ENOUGH = 0.75  # of the tolerance: what uses this much is not tried again
ALMOST = 0.999  # of the tolerance: what the file rounds must not lead past it
LEAST = 0.3  # of a share that is left after one try
TINY = 1e-12  # keeps divisions finite


@dataclass(frozen=True, slots=True)
class Report:
    """What became of a clip."""

    name: str
    keys: tuple[int, int]  # of all tracks, before and after
    off: Deviation


@dataclass(frozen=True, slots=True)
class Baked:
    """A .glb, and how far its clips are from what they were."""

    data: bytes
    before: int  # bytes of the file and of what it refers to
    reports: tuple[Report, ...]
    model: Model  # the result, loaded


@np.errstate(all="ignore")  # absurd numbers of a file show as they are
def bake(
    document: Document,
    model: Model,
    *,
    fps: float | None = None,
    metres: float | None = None,
    degrees: float = DEGREES,
    clips: Collection[int] | None = None,
    more: Sequence[Clip] = (),
    step: Callable[[], None] = lambda: None,
) -> Baked:
    """Return a document with other keys, measured against what it was.

    Parameters
    ----------
    document, model
        From `open_document`, and from `read_model` of it.
    fps
        Keys a second; None: thin them out within the tolerances.
    metres
        How far a vertex may be off; None: METRES, or OF_HEIGHT of the character's height where
        that is smaller.
    degrees
        How far a joint may be off, model space.
    clips
        Which animations; None: all. The others keep their bytes.
    more
        Clips to add, whose tracks have the model's joints and channels for targets.
    step
        Called as each clip begins.

    Raises
    ------
    ValueError
        A rate or a tolerance that is not above 0.
    GltfError
        A buffer cannot be read.
    """
    if degrees <= 0 or (metres is not None and metres <= 0):
        raise ValueError(f"tolerances must be above 0, not {metres} m and {degrees} degrees")
    chosen = range(len(model.clips)) if clips is None else sorted(clips)
    job = _Job(model, metres, degrees)
    wanted = {c: model.clips[c] for c in chosen}
    wanted |= {len(model.clips) + k: clip for k, clip in enumerate(more)}
    made = {}
    for c, clip in wanted.items():
        step()
        made[c] = resample(clip, fps) if fps is not None else job.thinned(clip)
    while True:
        saved = _save(document, model, wanted, made)
        result = read_model(parse(saved.data, document.name, None, None))
        off = {c: job.measure(clip, result.clips[c]) for c, clip in wanted.items()}
        wide = [c for c, found in off.items() if fps is None and not job.holds(found)]
        if not wide or all(made[c] is wanted[c] for c in wide):
            break
        made |= {c: wanted[c] for c in wide}  # what was true in memory was not in the file
    reports = tuple(
        Report(clip.name, (_keys(clip), _keys(result.clips[c])), off[c])
        for c, clip in wanted.items()
    )
    return Baked(saved.data, saved.before, reports, result)


def _keys(clip: Clip) -> int:
    return sum(len(track.times) for track in clip.tracks)


def _save(
    document: Document, model: Model, before: dict[int, Clip], after: dict[int, Clip]
) -> Saved:
    """Write the file with the tracks of `after`; what is the same object stays as it is."""
    new = {
        id(old): track
        for c, clip in before.items()
        for old, track in zip(clip.tracks, after[c].tracks, strict=True)
        if track is not old
    }
    changed = {
        place: new[id(track)]
        for place, track in channel_tracks(document, model).items()
        if id(track) in new
    }
    extra = [added(model, c.name, c.tracks) for k, c in after.items() if k >= len(model.clips)]
    return save(document, changed, extra)


class _Job:
    """The tolerances, and the figure that they hold on."""

    def __init__(self, model: Model, metres: float | None, degrees: float) -> None:
        self.model = model
        self.parts = pieces(model)
        if metres is None:
            tall = height(model, self.parts)
            metres = min(METRES, OF_HEIGHT * tall) if tall > 0 else METRES
        self.metres = metres
        self.degrees = degrees
        self.levers: Levers = levers(model, self.parts)

    def measure(self, before: Clip, after: Clip) -> Deviation:
        """Compare a clip with what became of it."""
        return deviation(self.model, self.parts, before, after)

    def holds(self, off: Deviation) -> bool:
        """Tell whether both tolerances are kept."""
        return off.metres <= self.metres and off.degrees <= self.degrees

    def thinned(self, clip: Clip) -> Clip:
        """Return the smallest clip found within the tolerances; at worst the clip itself.

        Errors of joints above each other add up, so each track gets a share of the tolerance;
        what they come to together is measured, and the share made smaller or larger.
        """
        best, fewest = clip, _keys(clip)
        share = np.array([FIRST, FIRST])  # of metres and of degrees
        failed = False
        for _ in range(TRIES):
            made = thin(clip, *self._limits(clip, share))
            off = self.measure(clip, made)
            used = np.array([off.metres / self.metres, off.degrees / self.degrees])
            change = AIM / np.maximum(used, TINY)
            if not (used <= ALMOST).all():
                failed = True
                share = share * np.clip(change, LEAST, 1.0)
                continue
            if best is clip or _keys(made) < fewest:
                best, fewest = made, _keys(made)
            larger = np.minimum(share * np.clip(change, 1.0, 2.0), 1.0)
            if failed or used.max() >= ENOUGH or np.array_equal(larger, share):
                break
            share = larger
        return best

    def _limits(self, clip: Clip, share: "np.ndarray") -> tuple[list[float], list["np.ndarray"]]:
        metres, turn = float(share[0]) * self.metres, float(np.radians(share[1] * self.degrees))
        limits, scales = [], []
        for track in clip.tracks:
            scale = np.ones(track.values.shape[1])
            limit = metres
            if track.path == "rotation":
                limit = min(turn, metres / max(float(self.levers.turn[track.target]), TINY))
            elif track.path == "translation":
                limit = metres / max(float(self.levers.shift[track.target]), TINY)
            elif track.path == "scale":
                limit = metres / max(float(self.levers.grow[track.target]), TINY)
            else:
                moved = self.levers.values[track.start : track.start + len(scale)]
                scale = np.maximum(moved, metres / WEIGHT)
            limits.append(limit)
            scales.append(scale)
        return limits, scales
