"""`turntable`: one turn of whole passes, with the character in frame at constant distance."""

import os
import sys

import numpy as np
import pytest

from rigview.cli.turntable import bounding_rings, camera_turns
from rigview.loading.load import load
from rigview.resources import asset_path
from rigview.scene.scene import Scene
from tests.support.shared import MODELS, needs_shared
from tests.support.videos import need_encoder, read_film

SMALL = ("--resolution", "48x40", "--samples", "1")


@pytest.fixture
def turntable(rigview, model_file, tmp_path):
    def run(*arguments, name="out.gif", file=model_file):
        need_encoder(name)
        ran = rigview("turntable", file, "-o", tmp_path / name, *SMALL, *arguments)
        assert ran.code == 0, ran.err
        return read_film(tmp_path / name), ran.err

    return run


@pytest.mark.parametrize(
    ("options", "seconds"),
    [
        ([], 4.0),  # two passes of 2 s
        (["--seconds", "5.1"], 6.0),
        (["--seconds", "4.9"], 4.0),
        (["--speed", "0.8", "--seconds", "5.5"], 5.0),
        (["--trim"], 4.5),
        (["--loop", "once", "--seconds", "3"], 3.0),
        (["--loop", "pingpong", "--seconds", "9"], 8.0),
        (["--pose", "rest", "--seconds", "3.1"], 3.1),
        (["--time", "0.7", "--seconds", "2.5"], 2.5),
        (["--phase", "0.7", "--seconds", "2.5"], 2.5),
        (["--frame", "7", "--seconds", "2.5"], 2.5),
    ],
)
def test_turn_has_whole_passes(turntable, options, seconds):
    made, said = turntable("--frame-rate", "10", *options)
    assert made.ends[-1] == pytest.approx(seconds)
    assert len(made.frames) == round(10 * seconds)
    assert not said


def test_longer_turn_is_reported(turntable):
    made, said = turntable("--frame-rate", "5", "--seconds", "0.5")
    assert "one turn takes 2 s, rounded to whole passes" in said
    assert len(made.frames) == 10
    assert not turntable("--frame-rate", "5", "--seconds", "0.5", "--quiet")[1]


def test_still_pose_turns(rigview, turntable, tmp_path, model_file):
    made, _ = turntable("--time", "1.2", "--seconds", "1", "--frame-rate", "8", name="out.webp")
    steps = np.abs(np.roll(made.frames, -1, axis=0).astype(int) - made.frames).mean(axis=(1, 2, 3))
    assert steps.min() > 0.3
    assert steps[-1] < 1.5 * steps[:-1].max()


@pytest.mark.parametrize("azimuth", [0, 90, 200])
def test_turn_starts_and_ends_at_the_given_view(turntable, azimuth):
    options = ("--pose", "rest", "--seconds", "1", "--frame-rate", "4", "--no-grid")
    options += ("--background", "#303236")  # a gradient differs by the loss of the format
    options += ("--camera-elevation", "0", "--camera-azimuth")
    start, _ = turntable(*options, str(azimuth), name="out.webp")
    quarter, _ = turntable(*options, str(azimuth - 90), name="out.webp")
    assert len(start.frames) == 4
    for k in range(4):
        away = start.frames[k].astype(int) - quarter.frames[(k + 1) % 4]
        assert np.abs(away).max() < 25
        assert np.abs(away).mean() < 1.0


@pytest.mark.parametrize("ending", [".mp4", ".webm"])
def test_as_a_video(turntable, ending):
    made, _ = turntable("--frame-rate", "4", "--seconds", "2", name=f"out{ending}")
    assert len(made.frames) == 8


def test_as_pictures(rigview, model_file, tmp_path):
    rate = ("--frame-rate", "2", "--seconds", "2", *SMALL)
    assert rigview("turntable", model_file, "-o", tmp_path / "t.png", *rate).code == 0
    assert rigview("turntable", model_file, "-o", tmp_path / "{clip}_##.png", *rate).code == 0
    written = [f"t_000{k}.png" for k in range(4)] + [f"Turn_0{k}.png" for k in range(4)]
    assert sorted(os.listdir(tmp_path)) == sorted([*written, "small.gltf"])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["-o", "-"], "the extension of '-' must be .mp4"),
        (["-o", "out.avi"], "must be .mp4 or .webm or .gif or .webp or .png"),
        (["-o", "out.gif", "--time", "1,2"], "turntable takes a single time"),
        (["-o", "out.gif", "--time", "1", "--phase", "0"], "--time and --phase"),
        (["-o", "out.gif", "--seconds", "1e12"], "frames"),
        (["-o", "{clop}.gif"], "{clop}"),
    ],
)
def test_wrong_use(rigview, model_file, tmp_path, monkeypatch, options, words):
    monkeypatch.chdir(tmp_path)
    ran = rigview("turntable", model_file, *options)
    assert ran.code == 2
    assert words in ran.err
    assert ran.err.count("\n") == 1
    assert os.listdir(tmp_path) == ["small.gltf"]


def test_missing_encoder(rigview, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "av", None)
    monkeypatch.setitem(sys.modules, "av.codec", None)
    ran = rigview("turntable", tmp_path / "missing.glb", "-o", tmp_path / "x.webm")
    assert ran.code == 5
    assert "rigview[video]" in ran.err


def test_rings_hold_all_points_from_every_side(rng):
    points = rng.normal(size=(50, 3)).astype(np.float32)
    axis = np.array([0.3, 5.0, -0.2])
    rings = bounding_rings(points, axis)
    assert rings[:, 1].min() == pytest.approx(points[:, 1].min())
    assert rings[:, 1].max() == pytest.approx(points[:, 1].max())
    for angle in np.linspace(0, np.pi, 40):
        side = np.array([np.cos(angle), 0, np.sin(angle)])
        reach = (points - axis) @ side
        assert ((rings - axis) @ side).max() >= reach.max()
        assert ((rings - axis) @ side).min() <= reach.min()
    far = np.hypot(*(points - axis)[:, [0, 2]].T).max()
    assert np.hypot(*(rings - axis)[:, [0, 2]].T).max() < 1.01 * far


@pytest.mark.parametrize("elevation", [-0.5, 0.0, 0.6, 1.5])
@pytest.mark.parametrize("ortho", [False, True])
def test_character_stays_in_frame_at_constant_distance(elevation, ortho):
    scene = Scene()
    character = scene.show(load(asset_path("mannequin.glb")))
    character.play_clip(1, 0.0)
    scene.camera.orbit.elevation, scene.camera.orbit.ortho = elevation, ortho
    scene.frame(0.8)
    turns = camera_turns(scene, 0.8, 12, framed=True)
    positions = np.array([turn.position for turn in turns])
    steps = np.linalg.norm(positions - np.roll(positions, 1, axis=0), axis=1)
    assert steps == pytest.approx(np.full(12, steps[0]))  # the last step ends at the start
    distance, middles = scene.camera.orbit.distance, []
    for k, turn in enumerate(turns):
        scene.update(k / 12)
        scene.camera.orbit.place(turn)
        seen = scene.camera.current.project(
            scene.instances.active.bounds.corners(character.pose), 0.8
        )[..., :2]
        assert seen.min() >= 0.0
        assert seen.max() <= 1.0
        assert scene.camera.orbit.distance == pytest.approx(distance, rel=1e-12)
        axis = np.array([[*scene.bounds.extent.mean(axis=0)]], np.float32)
        middles.append(scene.camera.current.project(axis, 0.8)[0, :2])
    assert np.ptp(middles, axis=0).max() < 1e-6  # the axis stands still in the picture
    assert np.mean(middles, axis=0) == pytest.approx([0.5, 0.5], abs=0.1)


def test_the_camera_follows_root_motion(turntable):
    options = ("--animation", "WalkForward", "--no-background", "--frame-rate", "4")
    options = (*options, "--no-shadow")
    made, _ = turntable(*options, name="out.webp", file=asset_path("mannequin.glb"))
    alpha = made.frames[..., 3] > 0
    assert not alpha[:, [0, -1]].any()
    for seen in alpha:  # in 4 s it goes as many times its own height
        assert np.mean(np.nonzero(seen.any(axis=0))) == pytest.approx(24, abs=6)


@needs_shared
@pytest.mark.parametrize(("name", "clip"), [("Fox.glb", "Run"), ("robot.glb", "Robot_Walking")])
def test_real_characters_stay_in_frame(turntable, name, clip):
    options = (
        "--animation",
        clip,
        "--no-background",
        "--no-shadow",
        "--frame-rate",
        "4",
        "--quiet",
    )
    made, _ = turntable(*options, name="out.webp", file=MODELS / name)
    alpha = made.frames[..., 3] > 0
    assert not alpha[:, [0, -1]].any()
    assert not alpha[:, :, [0, -1]].any()
    assert (alpha.mean(axis=(1, 2)) > 0.03).all()
