"""Boxes of labels: the first free one, also with a gap beside it."""

import pytest

from rigview.images.label_boxes import first_free, overlaps

BOX = (10.0, 10.0, 20.0, 20.0)


@pytest.mark.parametrize(
    ("other", "gap", "expected"),
    [
        ((19.0, 19.0, 30.0, 30.0), 0.0, True),
        ((20.0, 10.0, 30.0, 20.0), 0.0, False),  # edges touch
        ((10.0, 20.0, 20.0, 30.0), 0.0, False),
        ((23.0, 10.0, 30.0, 20.0), 2.0, False),
        ((23.0, 10.0, 30.0, 20.0), 4.0, True),  # too close beside it
        ((10.0, 23.0, 20.0, 30.0), 4.0, False),  # but not below
    ],
)
def test_overlap_is_the_same_in_both_orders(other, gap, expected):
    assert overlaps(BOX, [other], gap) is expected
    assert overlaps(other, [BOX], gap) is expected


def test_the_first_free_box():
    boxes = [(0.0, 0.0, 11.0, 11.0), (15.0, 15.0, 16.0, 16.0), (30.0, 0.0, 40.0, 5.0)]
    assert first_free(boxes, [BOX]) == boxes[2]
    assert first_free(boxes[:2], [BOX]) is None
    assert first_free(boxes, []) == boxes[0]
