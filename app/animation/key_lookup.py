"""The keys around a time, and the interpolation factor between them, for all tracks at once."""

from bisect import bisect_right
from collections.abc import Sequence

import numpy as np

from .distinct import distinct
from .types import F32, F64, Index


class KeyTimes:
    """L lists of key times; tracks that share one list (most do) need one look-up.

    Several lists are searched by one binary search over integers: each key is the rank of its
    time among all times of the clip, plus a stride per list. Ranks are exact, so t >= key gives
    the same result as for a single list.

    Parameters
    ----------
    key_times
        L ascending arrays [K] of seconds, none empty.
    """

    def __init__(self, key_times: Sequence[F32]) -> None:
        self.single = len(key_times) == 1
        self.counts: Index = np.array([len(times) for times in key_times], np.intp)
        self.firsts: Index = np.cumsum(self.counts) - self.counts  # [L] first key of each
        self.keys: F64 = np.concatenate(key_times).astype(np.float64)  # [sum K]
        self.intervals: F64 = np.diff(self.keys, append=self.keys[-1])  # [sum K] to the next key
        self.intervals[self.firsts[1:] - 1] = 0.0  # after each list's last key
        self.divisors: F64 = np.where(self.intervals > 0, self.intervals, np.inf)
        self._key_list: list[float] = self.keys.tolist() if self.single else []
        self.union: F64 = self.keys if self.single else distinct(self.keys)  # all key times, sorted
        self._strides: Index = np.arange(len(key_times), dtype=np.intp) * (len(self.union) + 1)
        ranks = np.searchsorted(self.union, self.keys)
        self._ranks: Index = ranks + np.repeat(self._strides, self.counts)

    def find(self, seconds: F64) -> tuple[Index, F32]:
        """Return the key and the interpolation factor in each list.

        Parameters
        ----------
        seconds
            [...] within the range of float32.

        Returns
        -------
        keys, fractions
            [..., L] indices into the concatenated `keys`: of the last key at or before the time
            rounded to float32, or the first key if it is later; and the interpolation factor to
            the next key, 0 to 1.
        """
        rounded = seconds.astype(np.float32).astype(np.float64)[..., None]
        found = np.searchsorted(self.union, rounded, side="right") - 1
        if not self.single:
            found = np.searchsorted(self._ranks, found + self._strides, side="right") - 1
        found = np.maximum(found, self.firsts)
        key = self.keys[found]
        since_key = np.where(rounded == key, 0.0, seconds[..., None] - key)
        return found, np.clip(since_key / self.divisors[found], 0.0, 1.0).astype(np.float32)

    def find_one(self, seconds: float) -> tuple[int, float]:
        """Return the same for one time and a single list; plain numbers are ten times faster."""
        rounded = float(np.float32(seconds))
        found = max(bisect_right(self._key_list, rounded) - 1, 0)
        if rounded == self._key_list[found]:
            return found, 0.0
        u = (seconds - self._key_list[found]) / float(self.divisors[found])
        return found, min(max(u, 0.0), 1.0)

    def clamp(self, k: Index) -> Index:
        """Return the indices [..., L] of key number `k` [...], clamped to each list's last key."""
        return self.firsts + np.clip(k[..., None], 0, self.counts - 1)
