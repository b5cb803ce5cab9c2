"""Where the keys of a clip in a layer are on the ruler; the rows and keys of the dope sheet."""

import math

import numpy as np
import pytest

from rigview.animation.clip import Clip
from rigview.motion.document import At, ClipSettings, Fade, LayerSettings, MotionDoc
from rigview.session import played_motion
from rigview.session.session import Session
from rigview.session.timeline.time_axis import TimeAxis
from rigview.session.timeline.timeline_keys import (
    ROOT,
    KeyPlaces,
    dope_rows,
    nearest_key,
    playing_keys,
    row_marks,
)
from tests.support.clips import make_track, sliding_clip
from tests.support.fixed_clock import FixedClock
from tests.support.models import make_model, show_model, square

KEYS = np.array([0.0, 0.5, 2.0])


def session_with(document, tau):
    session = Session(FixedClock(30.0))
    session.tick()
    clips = sliding_clip("Long", *KEYS), sliding_clip("Short", 0.0, 1.0)
    show_model(session, make_model([square()], clips=clips))
    session.editor.start(document)
    session.transport.pause_at(tau)
    session.update()
    return session


def test_keys_of_a_single_clip_are_where_they_are():
    session = session_with(MotionDoc(), 0.3)
    played_motion.choose_clip(session.active, 0)
    found = playing_keys(session.transport)
    assert found.clip.name == "Long"
    assert found.places.on_ruler(KEYS, 0.0, 2.0) is KEYS


@pytest.mark.parametrize("loop", [None, "pingpong", "3"])
@pytest.mark.parametrize("speed", [1.0, -0.5])
def test_keys_of_a_layer_are_where_they_are_passed(loop, speed):
    layer = LayerSettings("base", "Long", speed=speed)
    document = MotionDoc(clips={"Long": ClipSettings(loop=loop)}, layers=(layer,))
    session = session_with(document, 0.7)
    clip, places = playing_keys(session.transport)
    assert clip.name == "Long"
    times = places.on_ruler(KEYS, 0.0, 9.0)
    assert len(times) >= 3
    assert (np.diff(times) > 0).all()
    for time in times[times > 0].tolist():
        session.transport.pause_at(time - 1e-7)
        session.update()
        (_, source), *_ = session.character.mixer.playing()
        near = np.abs(KEYS - float(source.time)).min()
        assert near < 1e-5, time


def test_the_new_clip_of_a_fade():
    fade = At(1.0, Fade("base", "Short", 0.5, in_phase=False))
    document = MotionDoc(layers=(LayerSettings("base", "Long"),), at=(fade,))
    session = session_with(document, 1.2)
    clip, places = playing_keys(session.transport)
    assert clip.name == "Short"
    assert places.on_ruler(np.array([0.0, 1.0]), 0.5, 3.2) == pytest.approx([1.0, 2.0, 3.0])


def test_passes_and_ends():
    places = KeyPlaces(0.5, 1.0, 1.0, 2.0, passes=2.0)
    assert places.on_ruler(np.array([0.0, 1.0]), 0.0, 9.0) == pytest.approx([2.5, 3.5])
    assert not len(KeyPlaces(0.5, 1.0, passes=math.inf).on_ruler(np.array([0.2]), 0.0, 9.0))


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
    model = sheet_model()
    rows = dope_rows(model, model.clips[0], ROOT)
    assert [(row.joint, row.depth) for row in rows] == [(0, 0), (3, 2), (2, 1), (4, 2)]
    assert rows[2].times.tolist() == [0.0, 0.5, 1.0]
    below = dope_rows(model, model.clips[0], 2)
    assert [(row.joint, row.depth) for row in below] == [(2, 0), (4, 1)]
    assert dope_rows(model, model.clips[0], 2) is below
    (lower,) = dope_rows(model, model.clips[0], 1)
    assert (lower.joint, lower.depth, lower.times.tolist()) == (3, 1, [0.25])


def test_marks_are_those_of_the_axis():
    model = sheet_model()
    rows = dope_rows(model, model.clips[0], 2)
    axis = TimeAxis(0.0, 1.0, 10.0, 100.0)
    marks = row_marks(rows, axis, ALONE, 5.0)[0]
    assert marks == [(10.0, 10.0), (60.0, 60.0), (110.0, 110.0)]
    assert row_marks(rows, axis, ALONE, 5.0)[0] is marks
    assert row_marks(rows, axis._replace(end=2.0), ALONE, 5.0)[0] == [
        (10.0, 10.0),
        (35.0, 35.0),
        (60.0, 60.0),
    ]
    rows = dope_rows(model, model.clips[0], 3)
    assert row_marks(rows, axis, ALONE, 5.0)[0] == [(35.0, 35.0)]


def test_nearest_key():
    times = np.array([0.0, 0.5, 1.0])
    assert nearest_key(times, 0.47, 0.05) == 0.5
    assert nearest_key(times, 0.4, 0.05) is None
    assert nearest_key(np.zeros(0), 0.4, 9.0) is None
