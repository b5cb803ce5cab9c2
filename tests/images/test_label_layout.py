"""Places of labels: over no other label, within the picture, with lines where they are moved."""

from itertools import combinations

import numpy as np

from rigview.images.label_boxes import overlaps
from rigview.images.label_layout import nearest_in_box, place_labels

PICTURE = (400.0, 300.0)
SIZE = (40.0, 12.0)


def placed(points, free=()):
    return place_labels(points, [SIZE] * len(points), 12.0, PICTURE, free)


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


def test_without_room_there_is_no_label():
    assert placed([(200.0, 100.0)], [(0.0, 0.0, *PICTURE)]) == [None]


def test_lines_end_at_the_nearest_edge():
    assert nearest_in_box((0.0, 5.0), (10.0, 0.0, 20.0, 4.0)) == (10.0, 4.0)
    assert nearest_in_box((12.0, 2.0), (10.0, 0.0, 20.0, 4.0)) == (12.0, 2.0)
