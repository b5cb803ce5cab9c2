"""`--crowd`: many instances of a character, on the command line and in the window."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from rigview.cli.main import main
from rigview.cli.view import set_up_scene
from rigview.fields.readers import grid
from rigview.options.parser import parse
from rigview.resources import asset_path
from rigview.scene.crowd import CrowdLayout
from rigview.session import character_files
from rigview.session.copied_text import copy_command
from rigview.tasks.build_scene import playing_scene
from rigview.tasks.playback_setup import load_playback
from tests.support.animated_value_files import lit_floor, robot_arm, two_cameras
from tests.support.copied_commands import SIZE, draw_session, open_session, run_command
from tests.support.pictures import read_picture, separate_parts
from tests.support.sessions import advance

SMALL = "--resolution", "240,160", "--samples", "1", "--no-background", "--no-shadow"


@pytest.fixture
def robot(tmp_path):
    return str(robot_arm().path(tmp_path, "arm.glb"))


def drawn_by(out, *words):
    assert main(["render", *map(str, words), *SMALL, "--quiet", "-o", str(out)]) == 0
    return read_picture(out)


def test_crowd_is_a_grid(tmp_path):
    """Flat signs, from the front; those of the second row are hidden behind the first."""
    sign = two_cameras().path(tmp_path, "sign.glb")
    words = sign, "--crowd", "2x3", "--view", "front", "--ortho"
    found = drawn_by(tmp_path / "1.png", *words)
    assert separate_parts(found) == 3
    np.testing.assert_array_equal(drawn_by(tmp_path / "2.png", *words), found)


@pytest.mark.parametrize(
    ("view", "elevation"),
    [((), 30.0), (("--view", "front"), 0.0), (("--camera-elevation", "5"), 5)],
)
def test_crowds_are_seen_from_above(robot, view, elevation):
    options = parse("render", [robot, "-o", "x.png", "--quiet", "--crowd", "6", *view])
    scene = playing_scene(options, [load_playback(options)], 1.0)
    assert np.degrees(scene.camera.orbit.elevation) == pytest.approx(elevation)


def test_a_crowd_of_one_is_the_character(tmp_path, robot):
    place = "--camera-position", "1,2,6", "--camera-target", "0,1,0"
    words = robot, "--time", "0.4", "--no-shadow", *place
    np.testing.assert_allclose(
        drawn_by(tmp_path / "1.png", *words, "--crowd", "1").astype(int),
        drawn_by(tmp_path / "0.png", *words).astype(int),
        atol=1,
    )


def test_crowd_loops_after_a_pass(tmp_path, robot):
    words = robot, "--crowd", "4", "--loop", "loop", "--no-shadow"
    start, later, whole = (
        drawn_by(tmp_path / f"{time}.png", *words, "--time", time).astype(int)
        for time in ("0", "0.3", "1")
    )
    assert (np.abs(later - start).max(axis=-1) > 50).sum() > 200
    np.testing.assert_allclose(whole, start, atol=1)


def test_motion_file_is_ignored(tmp_path):
    shutil.copy(asset_path("mannequin.glb"), tmp_path / "figure.glb")
    (tmp_path / "figure.motion.toml").write_text("this is no TOML")
    drawn_by(tmp_path / "out.png", tmp_path / "figure.glb", "--crowd", "2")


def test_turntable_of_a_crowd(tmp_path):
    sign, out = two_cameras().path(tmp_path, "sign.glb"), tmp_path / "turn.{frame:02}.png"
    words = "--crowd", "3", "--time", "0", "--seconds", "0.4", "--frame-rate", "10", *SMALL
    assert main(["turntable", str(sign), *words, "--quiet", "-o", str(out)]) == 0
    found = [separate_parts(read_picture(path)) for path in sorted(tmp_path.glob("turn.*.png"))]
    assert found[::2] == [3, 3], "from the front, and from behind"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--crowd", "0"], "0 is not from 1 to 10000"),
        (["--crowd", "3x3x3"], "neither a number nor rows and columns"),
        (["--crowd", "4", "--motion", "x.toml"], "--crowd and --motion exclude each other"),
        (["--crowd", "4", "--at", "1:speed:base=2"], "--crowd and --at exclude each other"),
        (["--crowd", "4", "--set", "a=1"], "--crowd and --set exclude each other"),
        (["--crowd", "4", "--camera", "Wide"], "--crowd and --camera exclude each other"),
        (["--crowd", "4", "--pose", "bind"], "--crowd and --pose bind exclude each other"),
        (["--crowd", "4", "--animation", "Run"], "Run"),
        (["--in-step"], "--in-step needs --crowd"),
        (
            ["--crowd", "4", "--in-step", "--animation", "0", "--animation", "0"],
            "--in-step takes one --animation",
        ),
    ],
)
def test_excluded_options(tmp_path, robot, capsys, words, expected):
    out = tmp_path / "out.png"
    assert main(["render", robot, *words, "-o", str(out)]) == 2
    assert expected in capsys.readouterr().err
    assert not out.exists()


def test_crowd_takes_one_file(tmp_path, robot, capsys):
    out = str(tmp_path / "out.png")
    assert main(["render", robot, robot, "--crowd", "2", "-o", out]) == 2
    assert "--crowd takes one file" in capsys.readouterr().err


def test_crowd_in_step(tmp_path, robot):
    """All arms look alike: each has two parts in this view, of the same sizes."""
    words = robot, "--view", "front", "--ortho", "--time", "0.4", "--no-shadow"
    spread = drawn_by(tmp_path / "spread.png", *words, "--crowd", "1x3")
    found = drawn_by(tmp_path / "in step.png", *words, "--crowd", "1x3", "--in-step")
    assert (found != spread).any()
    columns = (found[..., 3] > 128).sum(axis=0)
    groups = np.split(columns, np.flatnonzero(np.diff(columns > 0)) + 1)
    sizes = np.reshape([group.sum() for group in groups if group.any()], (3, 2))
    np.testing.assert_allclose(sizes, sizes[:1].repeat(3, axis=0), rtol=0.02)


def test_undrawn_options_are_reported(tmp_path, capsys):
    file = str(lit_floor("point").path(tmp_path, "lamp.glb"))
    words = "--crowd", "20", "--skeleton", "--joint-names", "--axes", "--ghost", "rest", *SMALL
    assert main(["render", file, *words, "-o", str(tmp_path / "out.png")]) == 0
    assert capsys.readouterr().err.splitlines() == [
        f"rigview: {file}: warning: --skeleton is not drawn for a crowd",
        f"rigview: {file}: warning: --joint-names is not drawn for a crowd",
        f"rigview: {file}: warning: --axes is not drawn for a crowd",
        f"rigview: {file}: warning: --ghost is not drawn for a crowd",
        f"rigview: {file}: warning: the crowd has 20 lights; "
        "only the 16 nearest to the camera are used",
    ]


def test_one_directional_light_is_not_reported(tmp_path, capsys):
    file = str(lit_floor("directional").path(tmp_path, "lamp.glb"))
    out = str(tmp_path / "out.png")
    assert main(["render", file, "--crowd", "20", *SMALL, "-o", out]) == 0
    assert not capsys.readouterr().err


def test_several_clips_are_distributed_evenly(tmp_path):
    file = two_cameras().path(tmp_path, "filmed.glb")
    words = "--crowd", "6", "--animation", "Back", "--animation", "Zoom", *SMALL
    args = parse("render", [str(file), *words, "-o", "x.png"])
    from rigview.tasks.crowd_setup import new_crowd
    from rigview.tasks.input_file import load_source

    assert new_crowd(args, load_source(args)).clips == (0, 1)


@pytest.mark.parametrize("loop", ["once", "pingpong"])
def test_window_copies_a_crowd_in_step(gl, tmp_path, robot, monkeypatch, loop):
    session = open_session(Path(robot))
    set_up_scene(parse("view", [robot, "--crowd", "2x2", "--loop", loop]), session)
    session.scene.crowd_layout.in_step = True
    advance(session, 83)
    line = copy_command(session, SIZE, samples=1)
    assert session.scene.crowd.shared
    assert "--crowd 2x2 --in-step" in line
    drawn = draw_session(gl, session, samples=1)
    np.testing.assert_array_equal(run_command(line, tmp_path, monkeypatch), drawn)


def test_window_shows_and_copies_a_crowd(gl, tmp_path, robot, monkeypatch):
    """Opened with it, run on for a while, seen from aside: the copied line draws the same."""
    session = open_session(Path(robot))
    set_up_scene(parse("view", [robot, "--crowd", "2x2"]), session)
    assert session.scene.crowd.count == 4
    session.scene.camera.orbit.orbit(0.5, 0.2)
    advance(session, 83)
    line = copy_command(session, SIZE, 1)
    assert "--crowd 2x2" in line
    seen = draw_session(gl, session, 1)
    np.testing.assert_array_equal(run_command(line, tmp_path, monkeypatch), seen)
    session.scene.crowd_layout = CrowdLayout(*grid("2"))
    assert (draw_session(gl, session, 1) != seen).any()
    character_files.open_file(session, Path(robot))
    session.update()
    assert session.scene.crowd.count == 2, "another file is seen as a crowd, too"


def test_crowd_is_rendered(tmp_path, robot):
    """Nothing of it is black or cut off at the edge."""
    pixels = drawn_by(tmp_path / "out.png", robot, "--crowd", "30")
    solid = pixels[..., 3] == 255
    assert solid.sum() > 500
    assert pixels[solid][:, 0].min() > 15
    assert not any(edge.any() for edge in (solid[0], solid[-1], solid[:, 0], solid[:, -1]))
    with Image.open(tmp_path / "out.png") as image:
        assert image.size == (240, 160)
