"""Places of labels: over no other label, within the picture, with lines where they are moved."""

from itertools import combinations

import numpy as np
import pytest

from rigview.images.label_layout import LabelLayout, first_free, nearest_in_box, overlaps

PICTURE = (400.0, 300.0)
SIZE = (40.0, 12.0)


def placed(points, free=()):
    return LabelLayout().place(points, [SIZE] * len(points), 12.0, PICTURE, free)


def test_a_single_label_is_at_the_right():
    (label,) = placed([(200.0, 100.0)])
    left, top, right, bottom = label.box
    assert not label.moved
    assert 200.0 < left < 215.0
    assert (top + bottom) / 2 == 100.0
    assert (right - left, bottom - top) == SIZE


def test_crowded_labels_do_not_overlap():
    rng = np.random.default_rng(1)
    points = [(float(x), float(y)) for x, y in rng.uniform((180, 130), (220, 170), (24, 2))]
    labels = [each for each in placed(points) if each is not None]
    assert len(labels) == len(points)
    assert any(each.moved for each in labels)
    assert not any(overlaps(a.box, [b.box]) for a, b in combinations(labels, 2))
    for left, top, right, bottom in (each.box for each in labels):
        assert min(left, top) >= 0
        assert right <= PICTURE[0]
        assert bottom <= PICTURE[1]


def test_boxes_that_stay_free_are_not_covered():
    face = (150.0, 80.0, 260.0, 140.0)
    (label,) = placed([(200.0, 100.0)], [face])
    assert label.moved
    assert not overlaps(label.box, [face])


def test_labels_keep_their_places_while_there_is_room():
    """A label with a line stays while its joint moves a little; one beside its joint, too."""
    layout, face = LabelLayout(), (205.0, 90.0, 260.0, 110.0)

    def place(x, free):
        return layout.place([(x, 100.0)], [SIZE], 12.0, PICTURE, free, keys=["Hand"])[0]

    assert place(200.0, [face]).box[2] < 200.0, "at the left of the joint"
    assert place(201.0, []).box[2] < 201.0
    layout = LabelLayout()
    around = (150.0, 80.0, 260.0, 140.0)
    far = place(200.0, [around])
    kept = place(202.0, [(170.0, 85.0, 240.0, 130.0)])
    assert far.moved
    assert kept.box[0] - far.box[0] == 2.0
    assert not place(202.0, []).moved, "beside the joint as soon as there is room"


def test_without_room_there_is_no_label():
    assert placed([(200.0, 100.0)], [(0.0, 0.0, *PICTURE)]) == [None]


def test_lines_end_at_the_nearest_edge():
    assert nearest_in_box((0.0, 5.0), (10.0, 0.0, 20.0, 4.0)) == (10.0, 4.0)
    assert nearest_in_box((12.0, 2.0), (10.0, 0.0, 20.0, 4.0)) == (12.0, 2.0)


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
