"""Golden files: reproducible bytes and valid names."""

import io
import zipfile

import numpy as np
import pytest
from PIL import Image

from rigview.errors import UsageError
from rigview.golden.files import (
    BROKEN,
    as_arrays,
    as_npz,
    as_pixels,
    as_png,
    checked_name,
    read_npz,
    read_png,
    shown,
)

ARRAYS = {"b": np.arange(6, dtype=np.float32).reshape(2, 3), "a": np.array(["Hüfte", "x"])}


@pytest.mark.parametrize("name", ["walk", "Walk 0.25", "hero-Walk_2", "歩く", "a+b (c)"])
def test_names(name):
    assert checked_name(name) == name


@pytest.mark.parametrize(
    "name",
    [
        "",
        "../walk",
        "a/b",
        "a\\b",
        "..",
        ".hidden",
        "walk.",
        " walk",
        "a:b",
        "a\nb",
        "x" * 200,
        3,
        None,
    ],
)
def test_invalid_names(name):
    with pytest.raises(UsageError, match="a golden"):
        checked_name(name)


def test_picture_keeps_pixels_and_renderer(rng):
    pixels = rng.integers(0, 256, (7, 5, 4), np.uint8)
    data = as_png(pixels, "Mesa 1 (é)")
    back, made_by = read_png(data)
    assert (back == pixels).all()
    assert made_by == "Mesa 1 (é)"
    assert as_png(pixels, "Mesa 1 (é)") == data


def test_picture_of_another_tool_has_no_renderer():
    buffer = io.BytesIO()
    Image.new("RGB", (3, 2), "red").save(buffer, "PNG")
    back, made_by = read_png(buffer.getvalue())
    assert back.shape == (2, 3, 4)
    assert made_by == ""


def test_pixels_without_alpha_are_opaque():
    assert (as_pixels(np.zeros((2, 3, 3), np.uint8))[..., 3] == 255).all()
    assert as_pixels(Image.new("RGBA", (3, 2))).shape == (2, 3, 4)


@pytest.mark.parametrize(
    "image",
    [np.zeros((2, 2, 4)), np.zeros((2, 2), np.uint8), np.zeros((0, 2, 4), np.uint8), "picture.png"],
)
def test_invalid_pictures(image):
    with pytest.raises(UsageError, match="a picture"):
        as_pixels(image)


def test_archive_has_constant_timestamps():
    data = as_npz(ARRAYS)
    back = read_npz(data)
    assert all((back[key] == ARRAYS[key]).all() for key in ARRAYS)
    assert as_npz(dict(reversed(ARRAYS.items()))) == data
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert {entry.date_time[0] for entry in archive.infolist()} == {1980}
    with np.load(io.BytesIO(data)) as plain:
        assert set(plain) == set(ARRAYS)


@pytest.mark.parametrize(
    ("pose", "message"),
    [
        ([1, 2], "dict of arrays"),
        ({"a": [object()]}, "not an array of numbers"),
        ({"a": [1.0, np.nan]}, "NaN or infinite numbers"),
        ({"a/b": [1.0]}, "invalid name"),
    ],
)
def test_invalid_poses(pose, message):
    with pytest.raises(UsageError, match=message):
        as_arrays(pose)


def damaged():
    png, npz = as_png(np.zeros((9, 9, 4), np.uint8), "x"), as_npz(ARRAYS)
    one = io.BytesIO()
    np.save(one, np.zeros(3))
    yield from ((read_png, data) for data in (b"", b"GIF89a", png[:40], png[:-30]))
    yield from ((read_npz, data) for data in (b"", b"PK", npz[:60], one.getvalue()))
    for read, data in ((read_png, png), (read_npz, npz)):
        for place in range(len(data)):
            yield read, data[:place] + bytes([data[place] ^ 255]) + data[place + 1 :]


def test_damaged_files_raise_expected_exceptions():
    stopped = 0
    for read, data in damaged():
        try:
            read(data)
        except BROKEN:
            stopped += 1
    assert stopped > 200


def test_paths_are_relative_to_the_working_directory(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert shown(tmp_path / "goldens" / "a.png") in ("goldens/a.png", "goldens\\a.png")
    assert shown(tmp_path.parents[1] / "a.png") == str(tmp_path.parents[1] / "a.png")
