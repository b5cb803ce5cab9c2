"""At which times of a file's clips numbers are made."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tests.tools.oracle.document import F64
from tests.tools.oracle.evaluate import Evaluation

REST = -1
WITHIN = (0.137, 0.29, 0.5, 0.731, 0.911)  # of a clip's end
PAST, PAST_TWICE = 1.37, 2.6131  # times a clip's end
GOLDEN = 0.6180339887498949  # its multiples leave no gaps between 0 and 1
CLEAR = 1e-3  # of a clip's end: no sample comes nearer to a key of STEP, but on it
MOST_KEYS = 6


@dataclass(frozen=True)
class Sample:
    """A time asked for, and why."""

    clip: int
    time: float  # seconds
    loop: bool
    end: float  # seconds, of the clip
    label: str

    @property
    def t_eff(self) -> float:
        """Seconds after clamping or wrapping."""
        if self.loop:
            return self.time - self.end * math.floor(self.time / self.end)
        return min(self.time, self.end)


def thorough(evaluation: Evaluation) -> list[Sample]:
    """Return about twenty samples a clip: what a small file affords."""
    samples = [Sample(REST, 0.0, False, 0.0, "rest")]
    for clip in range(len(evaluation.clips)):
        samples.extend(_thorough(evaluation, clip))
    return samples


def brief(evaluation: Evaluation) -> list[Sample]:
    """Return four samples a clip: inside, on a key, looped, and by turns one of the ends."""
    samples = [Sample(REST, 0.0, False, 0.0, "rest")]
    for clip in range(len(evaluation.clips)):
        *_, twice, once = found = list(_thorough(evaluation, clip))
        labelled = {sample.label: sample for sample in found}
        share = GOLDEN * (clip + 1) % 1
        samples.append(_clear(evaluation, clip, share, loop=False, label=f"{share:.3f}"))
        samples.append(labelled.get("exact key", labelled["zero"]))
        turns = ("zero", "end", "past end, clamped", "past end, looped twice")
        turn = labelled[turns[clip % len(turns)]]
        samples.extend((once, turn) if turn is not twice else (twice,))
    return samples


def _thorough(evaluation: Evaluation, clip: int) -> Iterator[Sample]:
    end = evaluation.end(clip)
    yield Sample(clip, 0.0, False, end, "zero")
    if end == 0:
        return
    keys = _keys(evaluation, clip)
    if keys[0] > 0:
        yield Sample(clip, keys[0] / 2, False, end, "before first key")
        yield Sample(clip, keys[0], False, end, "first key")
    for share in WITHIN:
        yield _clear(evaluation, clip, share, loop=False, label=f"{share:g}")
    inner = keys[1:-1]
    for k in np.unique(np.linspace(0, len(inner) - 1, MOST_KEYS).round()) if len(inner) else ():
        yield Sample(clip, float(inner[int(k)]), False, end, "exact key")
    if len(inner):
        yield Sample(clip, float(inner[-1]), False, end, "last but one key")
    yield Sample(clip, end, False, end, "end")
    yield _clear(evaluation, clip, PAST, loop=False, label="past end, clamped")
    yield _clear(evaluation, clip, PAST_TWICE, loop=True, label="past end, looped twice")
    yield _clear(evaluation, clip, PAST, loop=True, label="past end, looped")


def _keys(evaluation: Evaluation, clip: int) -> list[float]:
    return sorted({float(t) for channel in evaluation.channels(clip) for t in channel.times})


def _clear(evaluation: Evaluation, clip: int, share: float, *, loop: bool, label: str) -> Sample:
    """Return a sample moved on until it is clear of the keys of STEP."""
    end = evaluation.end(clip)
    channels = [each for each in evaluation.channels(clip) if each.interpolation == "STEP"]
    steps = np.concatenate([each.times for each in channels] or [np.zeros(0)])
    while True:
        sample = Sample(clip, share * end, loop, end, label)
        if sample.t_eff >= end or not (abs(steps - sample.t_eff) < CLEAR * end).any():
            return sample
        share += 2 * CLEAR


def vertices(count: int, moved: F64, most: int) -> np.ndarray:
    """Return up to `most` vertices, half of them among those `moved` by morph targets."""
    if count <= most:
        return np.arange(count)
    chosen = np.linspace(0, count - 1, most // 2 if len(moved) else most).round()
    if len(moved):
        among = np.linspace(0, len(moved) - 1, most - most // 2).round().astype(int)
        chosen = np.concatenate([chosen, moved[among]])
    return np.unique(chosen.astype(int))
