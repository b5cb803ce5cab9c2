"""All clips of a file at once: files with a clip for each node."""

import numpy as np
import pytest

from rigview.animation.pose import Pose
from rigview.cli.main import main
from rigview.motion.bind import bind
from rigview.motion.document import MotionDoc
from rigview.motion.single_clip import layers_of_all_clips
from rigview.session import character_files
from rigview.session.commands.actions import action, undo
from tests.support.animated_value_files import FeatureBuilder, rotation_about
from tests.support.pictures import read_picture
from tests.support.sessions import new_session


def clockwork():
    """Three hands, each with a clip of its own, of 1, 2 and 3 seconds."""
    b = FeatureBuilder()
    b.material((0.8, 0.3, 0.1, 1))
    mesh = b.square(0.4, material=0)
    for k in range(3):
        b.add("nodes", name=f"Hand.{k}", mesh=mesh, translation=[k, 0, 0])
        turn = [rotation_about("z", angle) for angle in (0, 120, 240)]
        times = np.linspace(0, k + 1, 3)
        b.animation((k, "rotation", times, turn), name=f"Turn.{k}")
    return b


def test_each_node_plays_its_own_clip():
    model = clockwork().load()
    layers = layers_of_all_clips(model)
    assert [layer.name for layer in layers] == ["Turn 0", "Turn 1", "Turn 2"]
    mixer, pose = bind(model, MotionDoc(layers=layers)), Pose.like(model.skeleton.rest)
    for time in (0.0, 0.4, 1.3, 2.6, 5.1):
        mixer.update(time)
        mixer.sample(pose)
        for k, clip in enumerate(model.clips):
            own = Pose.like(model.skeleton.rest)
            clip.sample(time % clip.end, own)
            joint = model.skeleton.names.index(f"Hand.{k}")
            np.testing.assert_allclose(pose.rotation[joint], own.rotation[joint], atol=1e-6)
            np.testing.assert_array_equal(pose.translation[joint], own.translation[joint])


def test_command_draws_all(tmp_path):
    path = clockwork().path(tmp_path, "clock.glb")
    words = "--time", "0.4", "--resolution", "90,60", "--samples", "1", "--quiet", "-o"
    pictures = []
    for k, more in enumerate((["--all-clips"], ["--animation", "Turn.0"], ["--pose", "rest"])):
        assert main(["render", str(path), *more, *words, str(tmp_path / f"{k}.png")]) == 0
        pictures.append(read_picture(tmp_path / f"{k}.png"))
    assert (pictures[0] != pictures[1]).any()
    assert (pictures[1] != pictures[2]).any()


def test_only_one_of_clip_and_all(tmp_path, capsys):
    path = clockwork().path(tmp_path, "clock.glb")
    words = ["render", str(path), "--all-clips", "--animation", "Turn.0", "-o", "x.png"]
    assert main(words) == 2
    assert "exclude each other" in capsys.readouterr().err


def test_action_of_the_window_and_its_undo(tmp_path):
    session = new_session(100.0)
    session.tick()
    character_files.open_file(session, clockwork().path(tmp_path, "clock.glb"))
    action("all clips").run(session)
    assert session.character.mixer.layered
    assert [layer.play for layer in session.document.layers] == ["Turn.0", "Turn.1", "Turn.2"]
    assert session.character.mixer.common_loop == pytest.approx(6.0)
    undo(session)
    assert not session.document.layers
