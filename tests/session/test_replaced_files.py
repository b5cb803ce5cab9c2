"""An open file that is replaced, broken or missing for a while, and then put back."""

from dataclasses import replace

import numpy as np
import pytest

from rigview.motion.document import LayerSettings, MotionDoc
from rigview.motion.read import MotionFile
from rigview.motion.write import save_motion
from rigview.session import character_files, played_motion
from rigview.session.session import Session
from tests.support.animated_value_files import robot_arm
from tests.support.fixed_clock import FixedClock
from tests.support.light_mannequin import light_mannequin
from tests.support.looks import set_look
from tests.support.sessions import wait

LAYERS = MotionDoc(
    layers=(LayerSettings("base", "Walk"), LayerSettings("wave", "Wave", weight=0.5))
)


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "figure.glb"
    path.write_bytes(light_mannequin(frozenset({"Walk", "Wave", "Idle"})))
    save_motion(tmp_path / "figure.motion.toml", MotionFile(MotionDoc()), LAYERS)
    return path


@pytest.fixture
def session(path):
    session = Session(FixedClock(100.0))
    session.tick()
    character_files.open_file(session, path)
    wait(session, 0.7)
    return session


@pytest.fixture
def other(tmp_path):
    """Another character without these clips and joints."""
    return robot_arm().path(tmp_path, "arm.glb")


def write(session, path, data):
    """Write the file as another program does; the session notices it."""
    path.write_bytes(data)
    character_files.refresh(session)
    wait(session, 0.1)


def test_layers_return_with_the_file(session, path, other):
    original = path.read_bytes()
    session.transport.pause_at(0.9)
    session.update()
    before = session.character.pose.data.copy()
    write(session, path, other.read_bytes())
    assert not session.editor.shown
    assert session.interface.popup == "error"
    assert session.editor.document == LAYERS
    write(session, path, original)
    assert session.interface.popup == ""
    assert session.editor.shown
    assert not session.transport.running
    assert session.transport.time == pytest.approx(0.9)
    np.testing.assert_array_equal(session.character.pose.data, before)


def test_layers_return_with_edits_and_history(session, path, other):
    original = path.read_bytes()
    edited = replace(LAYERS, layers=(*LAYERS.layers, LayerSettings("more", "Idle", weight=0.1)))
    session.editor.edit(edited, "Add more")
    write(session, path, other.read_bytes())
    write(session, path, other.read_bytes() + b"  ")
    write(session, path, original[:1000])
    write(session, path, original)
    assert session.editor.shown
    assert session.editor.document == edited
    assert session.history.undo_label == "Add more"
    assert session.transport.running
    assert session.transport.time == pytest.approx(1.1), "time went on"


def test_layers_return_with_the_motion_file(session, path):
    motion = path.with_name("figure.motion.toml")
    text = motion.read_bytes()
    write(session, motion, b"version = 1\n")
    assert not session.editor.shown
    write(session, motion, text)
    assert session.editor.shown
    motion.unlink()
    character_files.refresh(session)
    assert session.editor.shown
    write(session, motion, text)
    assert session.editor.shown


def test_clip_and_time_return_with_the_file(session, path, other):
    original = path.read_bytes()
    played_motion.start_clip(session.transport, 2)
    session.transport.set_speed(0.5)
    session.transport.pause_at(0.4)
    name = session.character.mixer.name
    write(session, path, other.read_bytes())
    assert session.character.mixer.name != name
    write(session, path, original)
    assert session.character.mixer.name == name
    assert session.transport.time == pytest.approx(0.4)
    assert session.transport.speed == 0.5
    assert not session.editor.shown


def test_shown_weights_and_open_layer_return(session, path, other):
    original = path.read_bytes()
    joint = session.model.skeleton.find("LeftArm")
    assert joint >= 0
    set_look(session.scene, weights_joint=joint)
    session.interface.mixer_panels.layer = "wave"
    write(session, path, other.read_bytes())
    assert session.scene.weights_joint == -1
    write(session, path, original)
    assert session.scene.weights_joint == joint
    assert session.interface.mixer_panels.layer == "wave"


def test_choice_in_the_meantime_stays(session, path, other):
    original = path.read_bytes()
    write(session, path, other.read_bytes())
    played_motion.start_clip(session.transport, -1)
    write(session, path, original)
    assert not session.editor.shown
    session.editor.show()
    assert session.editor.shown


def test_broken_or_missing_file_keeps_the_layers(session, path):
    original, before = path.read_bytes(), session.character
    write(session, path, original[:1000])
    assert session.character is before
    path.unlink()
    character_files.refresh(session)
    assert session.character is before
    write(session, path, original)
    assert session.editor.shown
    assert session.interface.popup == ""
    assert session.transport.time == pytest.approx(0.9)
