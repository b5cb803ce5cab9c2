"""Views, the key light and aims follow the direction that a character faces."""

import json
import shlex
from pathlib import Path

import numpy as np
import pytest

from rigview.checks.check_context import CheckContext
from rigview.checks.examine import examine
from rigview.checks.rule_settings import Settings
from rigview.cli import view
from rigview.cli.main import main
from rigview.loading.load import load
from rigview.motion.bind import bind
from rigview.motion.document import Ik
from rigview.motion.read import parse_motion
from rigview.motion.write import write_motion
from rigview.options.parser import parse
from rigview.rendering.frame import Frame
from rigview.scene.lights import key_light, lights_of
from rigview.session import character_files
from rigview.session.commands.actions import action
from rigview.session.copied_text import copy_command
from rigview.session.session import Session
from rigview.tasks.build_scene import playing_scene
from rigview.tasks.playback_setup import load_playback
from tests.support.copied_commands import SIZE, draw_session, run_command
from tests.support.five_joint_model import pose_at
from tests.support.fixed_clock import FixedClock
from tests.support.humanoids import humanoid, turned_places
from tests.support.mannequin_variants import write_turned, write_untextured
from tests.support.motion_texts import document_from
from tests.support.pictures import read_picture
from tests.support.sessions import new_session

LAYER = '[[layers]]\nname = "base"\nplay = "Idle"\n'


@pytest.fixture(scope="module")
def turned(tmp_path_factory):
    return write_turned(tmp_path_factory.mktemp("turned") / "turned.glb")


def scene_of(path, *words):
    options = parse("render", [str(path), "-o", "x.png", "--quiet", *words])
    scene = playing_scene(options, [load_playback(options)], 1.0)
    scene.update(0.0)
    return scene


def light_of(scene):
    frame = Frame.of(scene)
    return lights_of(frame.characters, frame.camera, frame.front)[0].direction


def degrees(scene):
    return np.degrees(scene.camera.orbit.azimuth) % 360


def with_motion(turned, folder, text):
    """A copy of the turned file beside a motion file."""
    path = folder / "turned.glb"
    path.write_bytes(turned.read_bytes())
    (folder / "turned.motion.toml").write_text("version = 1\n" + text)
    return path


@pytest.mark.parametrize(
    ("words", "azimuth"),
    [
        ((), 205),
        (("--view", "front"), 180),
        (("--view", "right"), 270),
        (("--view", "back"), 0),
        (("--view", "left"), 90),
        (("--camera-azimuth", "50"), 230),
        (("--camera-elevation", "50"), 205),
    ],
)
def test_views_start_at_the_front(turned, words, azimuth):
    scene = scene_of(turned, *words)
    assert degrees(scene) == pytest.approx(azimuth)
    light = key_light().direction
    np.testing.assert_allclose(light_of(scene), light * [-1, 1, -1], atol=1e-12)


def test_the_front_of_both_files_looks_the_same(tmp_path, turned):
    shown = []
    for path in (turned, write_untextured(tmp_path / "plain.glb")):
        out = tmp_path / "out.png"
        words = ["--view", "front", "--no-motion", "--animation", "Idle", "--no-background"]
        assert main(["render", str(path), "-o", str(out), "--resolution", "90,120", *words]) == 0
        shown.append(read_picture(out).astype(int))
    assert (np.abs(shown[0] - shown[1]) > 32).mean() < 0.005


@pytest.mark.parametrize("layers", [LAYER, ""], ids=["layers", "a clip"])
def test_the_motion_file_says_what_a_character_faces(turned, tmp_path, layers):
    path = with_motion(turned, tmp_path, "facing = [1, 0, 0]\n" + layers)
    assert degrees(scene_of(path)) == pytest.approx(115)
    assert degrees(scene_of(path, "--no-motion")) == pytest.approx(205)
    options = parse("view", [str(path), "--view", "back"])
    session = Session(FixedClock(30))
    session.tick()
    motions = [view.motion_file(options)]
    character_files.open_file(session, path, lambda s: view.set_up_scene(options, s, motions))
    assert degrees(session.scene) == pytest.approx(270)
    character_files.open_file(session, path)
    assert degrees(session.scene) == pytest.approx(115)


def test_views_of_the_window_follow_the_active_character(turned):
    session = new_session(30)
    session.tick()
    plain = "assets/mannequin.glb"
    character_files.open_files(session, [turned, Path(plain).resolve()])
    assert degrees(session.scene) == pytest.approx(205)
    action("front").run(session)
    assert degrees(session.scene) == pytest.approx(180)
    session.activate(session.open_characters[1])
    action("right").run(session)
    assert degrees(session.scene) == pytest.approx(90)
    light = key_light().direction
    np.testing.assert_allclose(light_of(session.scene), light * [-1, 1, -1], atol=1e-12)


@pytest.mark.parametrize("pose", ["clip", "rest"])
def test_a_copied_command_has_the_same_light(gl, turned, tmp_path, monkeypatch, pose):
    path = with_motion(turned, tmp_path, "facing = [1, 0, 0]\n")
    session = Session(FixedClock(60))
    session.tick()
    session.interface.viewport.aspect = SIZE[0] / SIZE[1]
    character_files.open_file(session, path)
    session.character.show = pose
    line = copy_command(session, SIZE, 1)
    shown = draw_session(gl, session, 1)
    np.testing.assert_array_equal(run_command(line, tmp_path, monkeypatch), shown)
    assert "--no-motion" not in shlex.split(line)


AIM = """
version = 1
[parameters]
eye = { default = [0.5, 1.7, -2] }
[aims.look]
chain = { Spine = 0.3, Head = 1 }
target = "eye"
[[layers]]
name = "look"
play = "look"
"""


@pytest.mark.parametrize("facing", ["", "facing = [0, 0, -1]\n"], ids=["found", "stated"])
def test_an_aim_without_forward_points_the_face_at_the_target(facing):
    names = {} if not facing else {"rename": lambda name: name.removesuffix("Foot")}
    model = humanoid(turned_places(180), **names)
    pose = pose_at(bind(model, document_from(facing + AIM.lstrip())), model, 0.0)
    matrix = model.skeleton.to_model(pose)[model.skeleton.find("Head")]
    sight = np.array([0.5, 1.7, -2]) - matrix[:3, 3]
    np.testing.assert_allclose(-matrix[:3, 2], sight / np.linalg.norm(sight), atol=1e-5)
    assert abs(pose.rotation[model.skeleton.find("Head"), 1]) < 0.3, "a small turn"


def test_ik_without_pole_bends_towards_the_front():
    text = AIM.replace("aims.look", "iks.leg").replace("[0.5, 1.7, -2]", "[-0.1, 0.5, 0]")
    text = text.replace(
        "chain = { Spine = 0.3, Head = 1 }", 'chain = ["LeftUpLeg", "LeftLeg", "LeftFoot"]'
    )
    text = text.replace('play = "look"', 'play = "leg"')
    for turn, ahead in ((0, 1), (180, -1)):
        model = humanoid(turned_places(turn))
        pose = pose_at(bind(model, document_from(text.lstrip())), model, 0.0)
        knee = model.skeleton.to_model(pose)[model.skeleton.find("LeftLeg"), :3, 3]
        assert knee[2] * ahead > 0.1
    assert Ik(("a", "b", "c"), "eye").pole is None


def test_the_writer_keeps_the_facing():
    file = parse_motion("# Guard\nversion = 1\nfacing = [0, 0, -1] # as exported\n")
    assert file.document.facing == (0.0, 0.0, -1.0)
    assert write_motion(file, file.document) == file.text
    assert "facing = [0, 0, -1]" in write_motion(parse_motion("version = 1\n"), file.document)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("facing = [0, 1, 0]", "the direction must not be vertical"),
        ("facing = [0, 0, 0]", "zero in all components"),
        ('facing = "back"', "three numbers"),
    ],
)
def test_errors_name_the_key(turned, tmp_path, capsys, text, words):
    path = with_motion(turned, tmp_path, text)
    assert main(["render", str(path), "-o", str(tmp_path / "x.png")]) == 3
    error = capsys.readouterr().err
    assert "turned.motion.toml:2: facing" in error
    assert words in error


FACING_ALONE = Settings(only=("facing",))


def test_info_and_check_report_the_facing(turned, capsys):
    assert main(["info", str(turned), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["facing"] == [0, 0, -1]
    assert main(["info", str(turned)]) == 0
    assert "  faces -Z\n" in capsys.readouterr().out
    (finding,) = examine(CheckContext(load(turned)), FACING_ALONE)
    assert (finding.severity, finding.place) == ("info", "/scenes")
    stated = parse_motion("version = 1\nfacing = [0, 0, -1]\n")
    assert not examine(CheckContext(load(turned), motion=stated), FACING_ALONE)
