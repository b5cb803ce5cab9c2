"""On which frames a clip has its keys."""

from typing import NamedTuple

import numpy as np

from ..animation.types import F64
from .subject import Subject

RATES = (24, 25, 30, 48, 50, 60, 120, 12, 15, 20, 100, 24000 / 1001, 30000 / 1001, 60000 / 1001)
OFF = 0.01  # of a frame: a key further from it is between frames
MOST = 0.8  # of the keys have to be on the frames of a rate for it to be the clip's own
EVEN = 0.02  # of a step: keys whose steps differ less are evenly spaced
USUAL = 30.0  # frames a second, where keys do not tell


class Frames(NamedTuple):
    """The frame rate of a clip's keys."""

    rate: float  # frames a second
    sure: bool  # whether the keys tell
    off: F64  # [n] times of the keys between frames, seconds


def frames(subject: Subject, index: int) -> Frames:
    """Return the lowest usual rate that has most keys on its frames; use it by `Subject.once`.

    Keys that are evenly spaced have a rate of their own. Where neither fits, keys are where
    somebody set them, and no key is off.
    """
    times = subject.clip(index).key_times
    if len(times) < 3:
        return Frames(USUAL, False, np.zeros(0))
    fits = [_off(times, rate) for rate in RATES]
    shares = [1 - off.mean() for off in fits]
    best = int(np.argmax(shares))  # of equal ones the first
    if shares[best] >= MOST:
        return Frames(float(RATES[best]), True, times[fits[best]])
    steps = np.diff(times)
    usual = float(np.median(steps))
    if usual > 0 and (np.abs(steps - usual) <= EVEN * usual).mean() >= MOST:
        return Frames(1 / usual, True, np.zeros(0))
    return Frames(USUAL, False, np.zeros(0))


def _off(times: F64, rate: float) -> "np.ndarray[tuple[int, ...], np.dtype[np.bool_]]":
    """Tell which keys are between frames, more than a float32 can be off."""
    beyond = np.abs(times * rate - np.round(times * rate))
    return np.asarray(beyond > OFF + 4 * np.spacing(times.astype(np.float32)) * rate)
