"""Sync mismatches: why clips cannot form a sync group."""

import numpy as np
import pytest

from rigview.blending.sync_marks import SyncTrack, sync_mismatch
from tests.support.sync_groups import FOOT_MARKS


@pytest.mark.parametrize(
    ("all_tracks", "clip", "other", "what"),
    [
        ([SyncTrack(1, 1, FOOT_MARKS), SyncTrack(1)], 1, 0, "only one of them has sync marks"),
        (
            [SyncTrack(1), SyncTrack(1), SyncTrack(1, 1, FOOT_MARKS)],
            2,
            0,
            "only one of them has sync marks",
        ),
        (
            [SyncTrack(1, 1, FOOT_MARKS), SyncTrack(1, 1, {"left": (0.1,)})],
            1,
            0,
            "only one of them.*'right'",
        ),
        (
            [SyncTrack(1, 1, {"left": (0.1,)}), SyncTrack(1, 1, {"l": (0.1,)})],
            1,
            0,
            "only one of them",
        ),
        (
            [SyncTrack(1, 1, FOOT_MARKS), SyncTrack(1, 1, {"left": (0.6,), "right": (0.1,)})],
            1,
            0,
            "orders",
        ),
        ([SyncTrack(1), SyncTrack(1, loops=False)], 1, -1, "only a looping clip"),
        ([SyncTrack(1, 2, FOOT_MARKS)], 0, -1, "needs one phase per cycle: 2, not 1"),
        ([SyncTrack(1, 1, {"left": (1.5,)})], 0, -1, "outside 0 to 1"),
        ([SyncTrack(1, 1, {"a": (0.5,), "b": (0.5,)})], 0, -1, "distinct phases"),
        ([SyncTrack(1, 2, {"a": (0.1, 0.4), "b": (0.5, 0.9)})], 0, -1, "same order in every cycle"),
        ([SyncTrack(1, 1, {"a": (0.0,), "b": (1.0,)})], 0, -1, "distinct phases"),
        ([SyncTrack(1, 0)], 0, -1, "cycles must be 1 or more"),
        (
            [SyncTrack(1, c, {"a": tuple(np.arange(c) / c)}) for c in (97, 89, 83)],
            2,
            -1,
            "common multiple",
        ),
    ],
)
def test_sync_mismatch_is_reported(all_tracks, clip, other, what):
    fault = sync_mismatch(all_tracks)
    assert fault is not None
    assert (fault.clip, fault.other) == (clip, other)
    with pytest.raises(AssertionError, match=what):
        raise AssertionError(fault.what)


def test_order_of_marks_has_no_influence():
    turned = {"right": (0.7,), "left": (0.2,)}
    assert (
        sync_mismatch(
            [
                SyncTrack(1, 1, FOOT_MARKS),
                SyncTrack(2, 1, turned),
                SyncTrack(3, loops=True, marks=FOOT_MARKS),
            ]
        )
        is None
    )
