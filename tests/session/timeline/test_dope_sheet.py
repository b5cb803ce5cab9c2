"""The rows and keys of the dope sheet."""

import numpy as np

from rigview.animation.clip import Clip
from rigview.session.timeline.dope_sheet import ROOT, DopeSheet, nearest_key
from rigview.session.timeline.key_places import KeyPlaces
from rigview.session.timeline.timeline_ticks import TimeAxis
from tests.support.clips import make_track
from tests.support.models import make_model, square

#       0
#     1   2
#     3   4     joints by index; 3 is below 1
ALONE = KeyPlaces()
PARENTS = (-1, 0, 0, 1, 2)


def sheet_model():
    tracks = [
        make_track("translation", "LINEAR", times, np.zeros((len(times), 3)), target=joint)
        for joint, times in TIMES.items()
    ]
    return make_model([square()], PARENTS, clips=(Clip.of("clip", tracks),))


TIMES = {0: (0.0, 1.0), 2: (0.0, 0.5, 1.0), 3: (0.25,), 4: (0.0, 1.0)}


def test_rows_are_those_of_the_branch_as_a_tree():
    model, sheet = sheet_model(), DopeSheet()
    rows = sheet.rows(model, model.clips[0], ROOT)
    assert [(row.joint, row.depth) for row in rows] == [(0, 0), (3, 2), (2, 1), (4, 2)]
    assert rows[2].times.tolist() == [0.0, 0.5, 1.0]
    below = sheet.rows(model, model.clips[0], 2)
    assert [(row.joint, row.depth) for row in below] == [(2, 0), (4, 1)]
    assert sheet.rows(model, model.clips[0], 2) is below
    (lower,) = sheet.rows(model, model.clips[0], 1)
    assert (lower.joint, lower.depth, lower.times.tolist()) == (3, 1, [0.25])


def test_marks_are_those_of_the_axis():
    model, sheet = sheet_model(), DopeSheet()
    rows = sheet.rows(model, model.clips[0], 2)
    axis = TimeAxis(0.0, 1.0, 10.0, 100.0)
    marks = sheet.marks(rows, axis, ALONE, 5.0)[0]
    assert marks == [(10.0, 10.0), (60.0, 60.0), (110.0, 110.0)]
    assert sheet.marks(rows, axis, ALONE, 5.0)[0] is marks
    assert sheet.marks(rows, axis._replace(end=2.0), ALONE, 5.0)[0] == [
        (10.0, 10.0),
        (35.0, 35.0),
        (60.0, 60.0),
    ]
    rows = sheet.rows(model, model.clips[0], 3)
    assert sheet.marks(rows, axis, ALONE, 5.0)[0] == [(35.0, 35.0)]


def test_nearest_key():
    times = np.array([0.0, 0.5, 1.0])
    assert nearest_key(times, 0.47, 0.05) == 0.5
    assert nearest_key(times, 0.4, 0.05) is None
    assert nearest_key(np.zeros(0), 0.4, 9.0) is None
