"""The frame rate on which a clip's keys are placed."""

from typing import NamedTuple

import numpy as np

from ..animation.types import F64
from .check_context import CheckContext

RATES = (24, 25, 30, 48, 50, 60, 120, 12, 15, 20, 100, 24000 / 1001, 30000 / 1001, 60000 / 1001)
OFF = 0.01  # of a frame: tolerance for a key to be on a frame
MIN_ON_FRAMES = 0.8  # share of the keys that must be on the frames of a rate
EVEN = 0.02  # of a step: tolerance for keys to be evenly spaced
USUAL = 30.0  # frames per second, if the keys give no rate


class KeyFrameRate(NamedTuple):
    """The frame rate of a clip's keys."""

    rate: float  # frames per second
    certain: bool  # whether the keys determine it
    off: F64  # [n] times of the keys between frames, seconds


def key_frame_rate(context: CheckContext, index: int) -> KeyFrameRate:
    """Return the lowest usual rate with most keys on its frames; call it by `context.cached`.

    Else the rate of evenly spaced keys. If neither fits, the keys were placed by hand and none
    counts as between frames.
    """
    times = context.clip(index).key_times
    if len(times) < 3:
        return KeyFrameRate(USUAL, False, np.zeros(0))
    fits = [_off(times, rate) for rate in RATES]
    on_frames = [1 - off.mean() for off in fits]
    best = int(np.argmax(on_frames))  # the first of equal ones
    if on_frames[best] >= MIN_ON_FRAMES:
        return KeyFrameRate(float(RATES[best]), True, times[fits[best]])
    steps = np.diff(times)
    usual = float(np.median(steps))
    if usual > 0 and (np.abs(steps - usual) <= EVEN * usual).mean() >= MIN_ON_FRAMES:
        return KeyFrameRate(1 / usual, True, np.zeros(0))
    return KeyFrameRate(USUAL, False, np.zeros(0))


def _off(times: F64, rate: float) -> "np.ndarray[tuple[int, ...], np.dtype[np.bool_]]":
    """Return [K] which keys are between frames, by more than float32 rounding."""
    beyond = np.abs(times * rate - np.round(times * rate))
    return np.asarray(beyond > OFF + 4 * np.spacing(times.astype(np.float32)) * rate)
