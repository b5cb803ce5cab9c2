"""Morph weights set by --set and [morphs]: in every command, in place of the clip's."""

import numpy as np
import pytest

from rigview import render
from rigview.cli.main import main
from tests.support.command_files import write_document
from tests.support.pictures import read_picture

SET = "--set", "morph:Target 0=0.75"
ALONE = "version = 1\n[morphs]\n'Target 0' = 0.5\n"
LAYERS = ALONE + '[[layers]]\nname = "base"\nplay = "0"\n[parameters]\nsize = { default = 1 }\n'


@pytest.fixture
def face(tmp_path):
    """A file whose clip "0" moves the weight of node 3 from 0 to 1 within a second."""
    return write_document(tmp_path / "face.gltf")


def weights(face, *words):
    out = face.parent / "out.npz"
    times = () if "--key" in words else ("--time", "0,0.25,1")
    assert main(["pose", str(face), *times, *words, "-o", str(out)]) == 0
    return np.load(out)["weights_3"][:, 0].tolist()


@pytest.mark.parametrize("words", [(), ("--pose", "rest"), ("--key", "0,1,1"), ("--hold",)])
def test_set_overrides_the_clip(face, words):
    assert weights(face, "--animation", "0", *words) != [0.75] * 3
    assert weights(face, "--animation", "0", *words, *SET) == [0.75] * 3


@pytest.mark.parametrize("text", [ALONE, LAYERS], ids=["clip", "layers"])
def test_motion_file(face, text):
    (face.parent / "face.motion.toml").write_text(text)
    alone = () if text is LAYERS else ("--animation", "0")
    assert weights(face, *alone) == [0.5] * 3
    assert weights(face, *alone, *SET) == [0.75] * 3, "--set wins"
    assert weights(face, "--animation", "0") == [0.5] * 3
    assert weights(face, "--animation", "0", "--no-motion") == [0, 0.25, 1]


def test_file_without_clips(tmp_path):
    face = write_document(tmp_path / "face.gltf", animations=None)
    assert weights(face, *SET) == [0.75] * 3


def test_with_a_parameter(face):
    (face.parent / "face.motion.toml").write_text(LAYERS)
    assert weights(face, *SET, "--set", "size=2") == [0.75] * 3


def test_last_one_counts(face):
    assert weights(face, "--animation", "0", *SET, "--set", "morph:T*=0.25") == [0.25] * 3


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--set", "morph:Target=1"], "no morph target 'Target'; did you mean 'Target 0'?"),
        (["--set", "morph:Target 0"], "expected morph:NAME=VALUE; write --set morph:Smile=0.5"),
        (["--set", "morph:=1"], "expected morph:NAME=VALUE"),
        (["--set", "morph:Target 0=high"], "'high' is not a number"),
        (["--set", "morph:Target 0=nan"], "not a finite number"),
    ],
)
@pytest.mark.parametrize("command", ["pose", "render", "sheet"])
def test_wrong_use(face, capsys, command, words, expected):
    out = face.parent / ("out.npz" if command == "pose" else "out.png")
    assert main([command, str(face), *words, "-o", str(out)]) == 2
    found = capsys.readouterr().err
    assert found.startswith("rigview: ")
    assert f"--set {words[1]}: " in found
    assert expected in found


@pytest.mark.parametrize("command", ["pose", "render", "sheet"])
def test_unknown_name_in_the_motion_file(face, capsys, command):
    motion = face.parent / "face.motion.toml"
    motion.write_text("version = 1\n\n[morphs]\nTarget = 1\n")
    out = face.parent / ("out.npz" if command == "pose" else "out.png")
    assert main([command, str(face), "-o", str(out)]) == 3
    expected = f'{motion}:4: morphs.Target: no morph target "Target"; did you mean "Target 0"?'
    assert capsys.readouterr().err == f"rigview: {expected}\n"


def test_pictures(gl, face):
    """A weight set is the picture of the clip at that weight, seen by the same camera."""
    camera = {"camera_position": (1, 1, 8), "camera_target": (1, 1, 0)}
    options = {"resolution": (120, 90), "samples": 1, "no_motion": True, **camera}
    options |= {"grid": False, "shadow": False}
    at_clip = render(face, "0", 0.75, **options)
    held = render(face, "0", 0.0, set="morph:Target 0=0.75", **options)
    np.testing.assert_array_equal(held, at_clip)
    assert (held != render(face, "0", 0.0, **options)).any()


def test_crowd_and_sheet(face):
    small = "--resolution", "120,90", "--samples", "1", "--no-background"
    for words in (["render", "--crowd", "3"], ["sheet"]):
        found = []
        for more in ((), SET):
            out = face.parent / "out.png"
            args = [words[0], str(face), "--animation", "0", *words[1:], *small, *more, "--quiet"]
            assert main([*args, "-o", str(out)]) == 0
            found.append(read_picture(out))
        assert found[0].shape == found[1].shape
        assert (found[0] != found[1]).any()


def test_fixture(face, rigview_pose):
    assert rigview_pose(face, "0", 0.2, set="morph:Target 0=0.75")["weights_3"].tolist() == [[0.75]]
