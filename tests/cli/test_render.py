import io
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.support.gltf_documents import make_glb
from tests.support.shared import MODELS, needs_shared

ROOT = Path(__file__).resolve().parents[2]
SMALL = ("--resolution", "48x40", "--samples", "1")


def pixels(path):
    with Image.open(path) as picture:
        assert picture.format == "PNG"
        return np.asarray(picture.convert("RGBA"))


@pytest.fixture
def picture(rigview, model_file, tmp_path):
    """Run `render` on the small file and return the picture [H, W, 4]."""

    def run(*arguments):
        target = tmp_path / "out.png"
        ran = rigview("render", model_file, "-o", target, *SMALL, *arguments)
        assert ran.code == 0, ran.err
        return pixels(target)

    return run


def test_stills_fit_the_pose(picture):
    usual = picture("--animation", "#0", "--time", "0.3")
    assert np.array_equal(usual, picture("--animation", "#0", "--time", "0.3", "--fit", "pose"))


def test_one_picture(picture):
    drawn = picture()
    assert drawn.shape == (40, 48, 4)
    assert (drawn[..., 3] == 255).all()
    assert drawn[..., :3].std() > 5


def test_verbose_names_the_renderer(rigview, model_file, tmp_path):
    ran = rigview("render", model_file, "-o", tmp_path / "out.png", *SMALL, "--verbose")
    assert ran.code == 0
    assert ran.err.startswith("rigview: drawn by ")


@pytest.mark.parametrize("arguments", [(), ("--crowd", "3"), ("--crowd", "3", "--in-step")])
def test_file_without_nodes(rigview, tmp_path, arguments):
    file, target = tmp_path / "empty.glb", tmp_path / "out.png"
    file.write_bytes(make_glb({"asset": {"version": "2.0"}}))
    ran = rigview("render", file, "-o", target, *SMALL, *arguments)
    assert ran.code == 0, ran.err
    assert pixels(target).shape == (40, 48, 4)


def test_same_command_same_picture(picture):
    assert np.array_equal(picture("--time", "1"), picture("--time", "1"))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (["--time", "1"], ["--frame", "30"]),
        (["--time", "2"], ["--phase", "1"]),
        (["--time", "9"], ["--phase", "1", "--loop", "loop"]),
        (["--time", "3", "--loop", "loop"], ["--time", "1"]),
        (["--time", "0.5", "--speed", "2"], ["--time", "1"]),
        (["--time", "0.5", "--trim"], ["--time", "1"]),
        (["--view", "right"], ["--camera-azimuth", "90", "--camera-elevation", "0"]),
        (["--resolution", "48,40"], ["--resolution", "48x40"]),
        (["--background", "white"], ["--background", "#fff"]),
    ],
)
def test_equivalent_options(picture, one, other):
    assert np.array_equal(picture(*one), picture(*other))


@pytest.mark.parametrize(
    "options",
    [
        ["--time", "1"],
        ["--animation", "0", "--time", "1"],
        ["--view", "left"],
        ["--camera-position", "0,1,9"],
        ["--camera-target", "2,0,0"],
        ["--camera-fov", "20", "--camera-position", "3,3,8"],
        ["--ortho"],
        ["--background", "#336699"],
        ["--no-background"],
        ["--skeleton"],
        ["--joint-names", "--resolution", "480x400"],
        ["--wireframe"],
        ["--no-grid"],
        ["--weights", "Tip"],
        ["--hide-mesh", "Body"],
        ["--hide-mesh", "Body/0"],
        ["--hide-joints", "Body"],
        ["--select", "Tip"],
        ["--select", "mesh:Body"],
        ["--onion-skins", "1"],
        ["--select", "vertex:Body/0/1"],
        ["--view-mode", "base-colour"],
        ["--exposure", "2"],
        ["--tone-mapping", "aces"],
        ["--samples", "4"],
    ],
)
def test_option_changes_the_picture(picture, options):
    plain = ["--resolution", "480x400"] if "--resolution" in options else []
    assert not np.array_equal(picture(*plain), picture(*options))


def test_transparent_background_is_straight_alpha(picture):
    drawn = picture("--no-background")
    assert (drawn[0, 0] == 0).all()
    assert (drawn[..., 3] == 255).any()
    assert (picture("--no-background", "--grid")[..., 3] > 0).sum() > (drawn[..., 3] > 0).sum()


def test_background_is_the_colour_that_was_asked_for(picture):
    assert picture("--background", "#336699", "--no-grid")[0, 0].tolist() == [0x33, 0x66, 0x99, 255]


@pytest.mark.parametrize("name", ["rest", "bind"])
def test_still_pose_does_not_move(picture, name):
    assert np.array_equal(
        picture("--pose", name, "--time", "0"), picture("--pose", name, "--time", "1.3")
    )


def test_sequence_equals_single_pictures(rigview, model_file, tmp_path, picture):
    ran = rigview(
        "render", model_file, "-o", tmp_path / "s.png", *SMALL, "--frames", "0..4:2",
        "--frame-rate", "4",
    )  # fmt: skip
    assert ran.code == 0
    assert not ran.err  # no progress in a pipe
    names = sorted(name for name in os.listdir(tmp_path) if name.startswith("s"))
    assert names == ["s_0000.png", "s_0002.png", "s_0004.png", "small.gltf"]
    for frame in (0, 2, 4):
        alone = picture("--frame", str(frame), "--frame-rate", "4", "--fit", "clip")
        assert np.array_equal(pixels(tmp_path / f"s_{frame:04}.png"), alone)


def test_picture_on_standard_output(model_file):
    ran = subprocess.run(
        [sys.executable, "-m", "rigview", "render", model_file, "-o", "-", *SMALL],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    assert pixels(io.BytesIO(ran.stdout)).shape == (40, 48, 4)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["-o", "out.bmp"], ".png"),
        (["-o", "out.png", "--time", "0,1"], "--frames"),
        (["-o", "out.png", "--frames", "0..3", "--time", "1"], "--frames and --time"),
        (["-o", "-", "--frames", "0..3"], "standard output"),
        (["-o", "out.png", "--weights", "Tipp"], "no joint 'Tipp'; did you mean 'Tip'?"),
        (["-o", "out.png", "--select", "Tipp"], "no joint 'Tipp'; did you mean 'Tip'?"),
        (["-o", "out.png", "--hide-mesh", "Body,Bdy"], "no mesh at 'Bdy'; did you mean 'Body'?"),
        (["-o", "out.png", "--hide-joints", "Body,!Tipp"], "no joint 'Tipp'"),
        (["-o", "out.png", "--hide-mesh", "Body/2"], "no part 2: the mesh has 1 part"),
        (
            ["-o", "out.png", "--camera-position", "0,0,0", "--camera-target", "-0,0,0"],
            "--camera-position and --camera-target must differ",
        ),
        (["-o", "out.png", "--joint-path"], "--joint-path needs --select JOINT"),
        (["-o", "out.png", "--onion-skins", "21"], "--onion-skins: 21 is not from 0 to 20"),
        (["-o", "out.png", "--select", "mesh:Tip"], "no mesh at 'Tip'"),
        (["-o", "out.png", "--select", "mesh:Body/3"], "no part 3: the mesh has 1 part"),
        (["-o", "out.png", "--select", "vertex:Body/0/99"], "no vertex 99: the part has"),
        (["-o", "out.png", "--select", "vertex:Body/0"], "is not JOINT, mesh:NODE/PART or"),
        (["-o", "out.png", "--animation", "Swim"], "no animation 'Swim'"),
        (["-o", "out.png", "--background", "red", "--no-background"], "--no-background"),
        (["-o", "out.png", "--camera-position", "0,1,2", "--view", "top"], "--camera-position"),
    ],
)
def test_wrong_use(rigview, model_file, options, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # an output that is wrongly written goes there
    ran = rigview("render", model_file, *options)
    assert ran.code == 2
    assert words in ran.err
    assert ran.err.count("\n") == 1


def test_missing_folder_is_exit_5_before_any_work(rigview, tmp_path):
    ran = rigview("render", tmp_path / "missing.glb", "-o", tmp_path / "none" / "x.png")
    assert ran.code == 5
    assert "does not exist" in ran.err


def test_file_with_nothing_to_draw(rigview, tmp_path):
    path = tmp_path / "empty.gltf"
    path.write_text('{"asset": {"version": "2.0"}}')
    assert rigview("render", path, "-o", tmp_path / "empty.png", *SMALL).code == 0
    assert pixels(tmp_path / "empty.png").shape == (40, 48, 4)


@needs_shared
def test_feet_and_head_of_a_real_character_are_in_frame(rigview, tmp_path):
    target = tmp_path / "fox.png"
    options = ("--no-background", "--no-shadow", "--animation", "Run", "--phase", "0.4")
    small = ("--resolution", "64,64")
    assert rigview("render", MODELS / "Fox.glb", "-o", target, *options, *small).code == 0
    alpha = pixels(target)[..., 3] > 0
    assert 0.1 < alpha.mean() < 0.9
    assert not alpha[[0, -1]].any()
    assert not alpha[:, [0, -1]].any()


@pytest.mark.parametrize(
    "arguments",
    [
        ["FILE", "--crowd", "4", "--animation", "Turn*", "--animation", "0"],
        ["FILE", "FILE", "--animation", "Turn*"],
        ["FILE", "--at", "1:set:base.weight=1", "--animation", "Turn*"],
    ],
)
def test_each_warning_is_printed_once(rigview, model_file, tmp_path, arguments):
    named = [model_file if each == "FILE" else each for each in arguments]
    ran = rigview("render", *named, "--resolution", "16,16", "-o", tmp_path / "out.png")
    lines = ran.err.splitlines()
    assert ran.code == 0
    assert any("matches 2 animations" in line for line in lines)
    assert len(lines) == len(set(lines))
