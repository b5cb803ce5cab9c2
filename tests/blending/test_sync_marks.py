"""What keeps clips from walking in step (RULINGS M8, M47)."""

import numpy as np
import pytest

from rigview.blending.sync_marks import Beat, discord
from tests.support.sync_groups import FEET


@pytest.mark.parametrize(
    ("all_beats", "clip", "other", "what"),
    [
        ([Beat(1, 1, FEET), Beat(1)], 1, 0, "the other has none"),
        ([Beat(1), Beat(1), Beat(1, 1, FEET)], 2, 0, "the other has none"),
        ([Beat(1, 1, FEET), Beat(1, 1, {"left": (0.1,)})], 1, 0, "only one of them.*'right'"),
        ([Beat(1, 1, {"left": (0.1,)}), Beat(1, 1, {"l": (0.1,)})], 1, 0, "only one of them"),
        ([Beat(1, 1, FEET), Beat(1, 1, {"left": (0.6,), "right": (0.1,)})], 1, 0, "orders"),
        ([Beat(1), Beat(1, loops=False)], 1, -1, "only a clip that loops"),
        ([Beat(1, 2, FEET)], 0, -1, "needs one phase per cycle: 2, not 1"),
        ([Beat(1, 1, {"left": (1.5,)})], 0, -1, "outside 0 to 1"),
        ([Beat(1, 1, {"a": (0.5,), "b": (0.5,)})], 0, -1, "distinct phases"),
        ([Beat(1, 2, {"a": (0.1, 0.4), "b": (0.5, 0.9)})], 0, -1, "same order in every cycle"),
        ([Beat(1, 1, {"a": (0.0,), "b": (1.0,)})], 0, -1, "distinct phases"),
        ([Beat(1, 0)], 0, -1, "cycles must be 1 or more"),
        (
            [Beat(1, c, {"a": tuple(np.arange(c) / c)}) for c in (97, 89, 83)],
            2,
            -1,
            "common multiple",
        ),
    ],
)
def test_what_cannot_walk_in_step(all_beats, clip, other, what):
    fault = discord(all_beats)
    assert fault is not None
    assert (fault.clip, fault.other) == (clip, other)
    with pytest.raises(AssertionError, match=what):
        raise AssertionError(fault.what)


def test_the_order_in_the_file_does_not_matter():
    turned = {"right": (0.7,), "left": (0.2,)}
    assert discord([Beat(1, 1, FEET), Beat(2, 1, turned), Beat(3, loops=True, marks=FEET)]) is None
