"""The path of a joint over layers, and the joints before and after the present time."""

import numpy as np
import pytest

from rigview.batch.jobs import Jobs, Shows
from rigview.motion.bind import bind
from rigview.motion.document import (
    At,
    ClipSettings,
    LayerSettings,
    MotionDoc,
    Parameter,
    Pivot,
    Root,
    Set,
)
from rigview.scene import layer_traces
from rigview.scene.character import Character
from rigview.scene.layer_traces import DELAY, MOST_SAMPLES, Part, sampled_part
from rigview.session.session import Session
from tests.support.clips import sliding_clip
from tests.support.fixed_clock import FixedClock
from tests.support.models import make_model, rod_model, show_model, square
from tests.support.sessions import advance

TIP = 3  # a joint of the rod
RATE = 30.0
BENT = MotionDoc(layers=(LayerSettings("base", "Bend", weight=0.5),))
SET = At(0.5, Set("base.weight", 1.0, 0.2))


def playing(document, tau, model=None):
    model = model or rod_model()
    character = Character(model)
    character.play(bind(model, document), 0.0)
    character.update(tau)
    return character


def drawn(character, joint=TIP):
    """The joint on its path at the present time, metres of the world."""
    traces, mixer = character.layer_traces, character.mixer
    path = traces.joint_path(mixer, joint, RATE)
    now = traces.shown_time(mixer)
    point = [np.interp(now, path.times, column) for column in path.points.T]
    return (traces.start(character.placement) @ [*point, 1.0])[:3]


@pytest.mark.parametrize(
    ("document", "part"),
    [
        (BENT, Part(0.0, 1.0, 1.0)),
        (MotionDoc(layers=BENT.layers, at=(SET,)), Part(0.0, 1.7)),
        (MotionDoc(layers=BENT.layers, at=(SET,), pivot=Pivot(90.0)), Part(0.0, 1.7)),
        (MotionDoc(layers=BENT.layers, pivot=Pivot(90.0)), Part(2.5, 4.5)),
    ],
)
def test_a_path_is_where_the_joint_goes(document, part):
    character = playing(document, 0.0)
    character.set_placement(np.array([[0, 0, 2, 1], [0, 2, 0, 0], [-2, 0, 0, 5], [0, 0, 0, 1.0]]))
    for tau in (3.13, 3.2) if not document.at else (0.13, 0.61, 1.6):
        character.update(tau)
        assert sampled_part(character.mixer) == part
        np.testing.assert_allclose(
            drawn(character), character.joint_world(TIP)[:3, 3], atol=2e-3, rtol=0
        )
    path = character.layer_traces.joint_path(character.mixer, TIP, RATE)
    frames = path.times[path.frames] * RATE
    np.testing.assert_allclose(frames, np.round(frames), atol=1e-9)
    assert not len(path.keys)


def test_skins_of_a_character_that_travels():
    model = make_model([square()], clips=(sliding_clip("Walk", 0.0, 1.0),))
    root = ClipSettings(root=Root("#0", "accumulate", axes="xyz"))
    document = MotionDoc(clips={"Walk": root}, layers=(LayerSettings("base", "Walk"),))
    character = playing(document, 20.2, model)
    traces, mixer = character.layer_traces, character.mixer
    skins = traces.onion_skins(mixer, np.array([0]), 2, 0.1, RATE)
    assert skins.offsets.tolist() == [-2, -1, 1, 2]
    start = traces.start(character.placement)
    for offset, point in zip(skins.offsets.tolist(), skins.points, strict=True):
        character.update(20.2 + 0.1 * offset)
        expected = character.joint_world(0)[:3, 3]
        np.testing.assert_allclose((start @ [*point[0], 1.0])[:3], expected, atol=1e-4)


def test_parameters_set_by_hand_are_followed():
    document = MotionDoc(layers=BENT.layers, parameters={"free": Parameter(0.0)})
    character = playing(document, 1.25)
    before = drawn(character)
    character.mixer.set("base.weight", 0.1, 1.25, 0.0)
    character.update(1.25)
    after = drawn(character)
    np.testing.assert_allclose(after, character.joint_world(TIP)[:3, 3], atol=2e-3)
    assert np.linalg.norm(after - before) > 0.1


def test_samples_in_steps_are_the_same():
    one, other = playing(BENT, 0.3), playing(BENT, 0.3)
    traces = one.layer_traces
    traces.in_steps = True
    assert traces.joint_path(one.mixer, TIP, RATE) is None
    assert traces.awaited
    clock = FixedClock(100.0)
    traces.work(clock)
    clock.frame += round(DELAY * 100.0)
    steps = 0
    while traces.awaited:
        traces.work(clock)
        steps += 1
    assert 5 < steps < MOST_SAMPLES
    path = traces.joint_path(one.mixer, TIP, RATE)
    whole = other.layer_traces.joint_path(other.mixer, TIP, RATE)
    np.testing.assert_array_equal(path.points, whole.points)
    assert traces.joint_path(one.mixer, TIP, RATE) is path
    assert not traces.awaited


def test_what_needs_many_small_steps_is_refused(monkeypatch):
    model = make_model([square()], clips=(sliding_clip("Walk", 0.0, 1.0),))
    root = ClipSettings(root=Root("#0", "accumulate", axes="xyz"))
    layers = (LayerSettings("base", "Walk"),)
    document = MotionDoc(clips={"Walk": root}, layers=layers, pivot=Pivot(90.0))
    character = playing(document, 0.0, model)
    traces, mixer = character.layer_traces, character.mixer
    assert traces.joint_path(mixer, 0, RATE) is not None
    monkeypatch.setattr(layer_traces, "LONG_RUN", 1.0)
    mixer.seek(3.0)
    for _ in range(2):
        assert traces.joint_path(mixer, 0, RATE).times[0] == 0.0, "that of before"
        assert not traces.awaited


def test_a_motion_without_length():
    model = make_model([square()], clips=(sliding_clip("Still", 0.0),))
    change = At(0.0, Set("base.weight", 0.5))
    document = MotionDoc(layers=(LayerSettings("base", "Still"),), at=(change,))
    character = playing(document, 0.0, model)
    skins = character.layer_traces.onion_skins(character.mixer, np.array([0]), 1, 0.1, RATE)
    assert skins.offsets.tolist() == [1]
    assert np.isfinite(skins.points).all()


def test_no_path_of_a_still_pose_or_of_no_joint():
    still = Character(rod_model())
    assert still.layer_traces.joint_path(still.mixer, TIP, RATE) is None
    character = playing(BENT, 0.3)
    assert character.layer_traces.joint_path(character.mixer, -1, RATE) is None


def test_the_scene_is_drawn_again_when_samples_are_there():
    session = Session(FixedClock(60.0), jobs=Jobs(in_background=True))
    session.tick()
    show_model(session, rod_model())
    session.editor.start(BENT)
    character = session.character
    session.update()
    assert not session.poll()
    assert character.layer_traces.joint_path(character.mixer, TIP, RATE) is None  # a frame
    assert session.awaited
    found = []
    for _ in range(20):
        advance(session, 1)
        found.append(session.poll())
    assert found.count(Shows.SCENE) == 1
    assert set(found) <= {Shows.NOTHING, Shows.SCENE}
    assert not session.awaited
    assert character.layer_traces.joint_path(character.mixer, TIP, RATE) is not None
