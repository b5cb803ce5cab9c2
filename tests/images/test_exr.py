"""OpenEXR pictures."""

import io

import numpy as np
import pytest

from rigview.errors import OutputError
from rigview.images.exr import as_displayed, as_exr, as_light, frame_light
from rigview.images.stills import as_still, is_linear

av = pytest.importorskip("av", reason="the extra “video” is not installed")


def read(data: bytes) -> tuple[str, np.ndarray]:
    with av.open(io.BytesIO(data), "r", format="exr_pipe") as container:
        frame = next(container.decode(video=0))
        return frame.format.name, frame_light(frame)


def test_half_floats_are_kept() -> None:
    light = np.random.default_rng(1).random((37, 51, 4), np.float32) * 40.0
    light[..., 3] /= 40.0
    data = as_still(light, "a.exr")
    name, back = read(data)
    assert name.startswith("gbrapf16")
    assert np.array_equal(back, light.astype(np.float16).astype(np.float32))
    assert data == as_exr(light)  # equal bytes


def test_numbers_beyond_half_floats() -> None:
    light = np.ones((4, 4, 4), np.float32)
    light[0, :3, 0] = np.nan, np.inf, -1.0
    _, back = read(as_exr(light))
    assert back[0, :3, 0].tolist() == [0.0, 65504.0, 0.0]


def test_displayed_light() -> None:
    pixels = np.random.default_rng(2).integers(0, 256, (16, 16, 4), np.uint8)
    pixels[..., 3] = np.maximum(pixels[..., 3], 40)
    assert np.array_equal(as_displayed(as_light(pixels)), pixels)


def test_missing_encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "av.codec", None)
    with pytest.raises(OutputError, match="PyAV"):
        is_linear("a.EXR")
