"""`rigview render -o FILE.exr`: the light before tone mapping; and .jpg without transparency."""

import io

import numpy as np
import pytest
from PIL import Image

from rigview.images.exr import frame_light

SMALL = ("--resolution", "48x40", "--samples", "1", "--no-grid")


def neutral(light):
    """Khronos PBR Neutral of light [..., 3]."""
    least = light.min(axis=-1, keepdims=True)
    light = light - np.where(least < 0.08, least - 6.25 * least**2, 0.04)
    peak = np.maximum(light.max(axis=-1, keepdims=True), 1e-9)
    start = 0.8 - 0.04
    new = 1 - (1 - start) ** 2 / (peak + 1 - 2 * start)
    grey = 1 / (0.15 * (peak - new) + 1)
    return np.where(peak < start, light, light * new / peak * grey + new * (1 - grey))


def encoded(light):
    light = np.clip(light, 0.0, 1.0)
    return np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)


def picture(path):
    with Image.open(path) as shown:
        return np.asarray(shown.convert("RGBA")) / 255.0


def light(path):
    av = pytest.importorskip("av", reason="the extra “video” is not installed")
    with av.open(io.BytesIO(path.read_bytes()), "r", format="exr_pipe") as container:
        return frame_light(next(container.decode(video=0))).astype(float)


def test_tone_mapped_light_is_the_picture(rigview, model_file, tmp_path):
    for options in (["--background", "black", "--exposure", "2"], ["--no-background"]):
        for name in ("out.png", "out.exr"):
            ran = rigview("render", model_file, "-o", tmp_path / name, *SMALL, *options)
            assert (ran.code, ran.err) == (0, "")
        shown, found = picture(tmp_path / "out.png"), light(tmp_path / "out.exr")
        alpha = np.maximum(found[..., 3:], 1e-6)
        assert np.abs(encoded(neutral(found[..., :3] / alpha)) - shown[..., :3]).max() < 1 / 255
        assert np.abs(found[..., 3] - shown[..., 3]).max() < 1 / 255, "of the shadow"
        solid = shown[..., 3] == 1.0
        assert (found[..., 3][solid] == 1.0).all()
        assert found.max() > 1.0 or "--no-background" in options


def test_a_sequence_and_a_turn_of_light(rigview, model_file, tmp_path):
    ran = rigview("render", model_file, "-o", tmp_path / "s.exr", *SMALL, "--frames", "0..1")
    assert ran.code == 0, ran.err
    assert (
        rigview("render", model_file, "-o", tmp_path / "a.exr", *SMALL, "--fit", "clip").code == 0
    )
    assert np.array_equal(light(tmp_path / "s_0000.exr"), light(tmp_path / "a.exr"))
    turn = ("--seconds", "0.2", "--frame-rate", "10", "--time", "0")
    assert rigview("turntable", model_file, "-o", tmp_path / "t.exr", *SMALL, *turn).code == 0
    assert light(tmp_path / "t_0001.exr").shape == (40, 48, 4)


def test_options_of_light(rigview, model_file, tmp_path):
    ran = rigview("render", model_file, "-o", tmp_path / "a.exr", *SMALL, "--tone-mapping", "aces")
    assert ran.code == 0
    assert "--tone-mapping has no effect in an .exr" in ran.err
    ran = rigview("sheet", model_file, "-o", tmp_path / "a.exr", *SMALL)
    assert (ran.code, ".png or .jpg" in ran.err) == (2, True)


def test_missing_encoder_is_said_before_the_file_is_read(rigview, tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "av.codec", None)
    ran = rigview("render", tmp_path / "none.glb", "-o", tmp_path / "a.exr", *SMALL)
    assert ran.code == 5
    assert "rigview[video]" in ran.err


def test_a_jpg_is_flattened_on_the_background(rigview, model_file, tmp_path):
    ran = rigview(
        "render", model_file, "-o", tmp_path / "a.jpg", *SMALL, "--background", "#ff000000"
    )
    assert (ran.code, ran.err) == (0, "")
    assert np.abs(picture(tmp_path / "a.jpg")[0, 0] - (1, 0, 0, 1)).max() < 0.02
