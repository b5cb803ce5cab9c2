"""Environment maps: reading, rotating, caching, and invalid files."""

import io
import os

import numpy as np
import pytest

from rigview import resources
from rigview.errors import AppError
from rigview.scene import environment, hdri
from tests.support.radiance_files import write_radiance

av = pytest.importorskip("av")


@pytest.fixture
def sky(tmp_path, monkeypatch):
    monkeypatch.setattr(resources, "cache_folder", lambda: tmp_path / "cache")
    monkeypatch.setattr(environment, "SAMPLES", 16)
    monkeypatch.setattr(environment, "SIDE", 12)
    light = np.full((16, 32, 3), [0.25, 0.5, 1.0])
    light[4, 8] = 40.0
    return write_radiance(tmp_path / "sky.hdr", light)


def test_radiance_is_read(sky):
    light = hdri.read(sky)
    assert light.shape == (16, 32, 3)
    np.testing.assert_allclose(light[0, 0], [0.25, 0.5, 1.0], rtol=0.01)
    np.testing.assert_allclose(light[4, 8], 40.0, rtol=0.01)


def test_environments_are_cached(sky):
    assert hdri.load_cached(sky) is None
    made = hdri.prefilter_and_cache(sky, hdri.read(sky))
    again = hdri.load_cached(sky)
    assert again is not None
    np.testing.assert_array_equal(again.irradiance, made.irradiance)
    assert hdri.load_cached(sky, 90.0) is None, "turned it is another"
    np.testing.assert_array_equal(hdri.load_cached(sky, 360.0).levels, again.levels)
    kept = list((resources.cache_folder() / "environments").iterdir())
    assert [path.suffix for path in kept] == [".npz"]
    whole = kept[0].read_bytes()
    middle = len(whole) // 2
    flipped = whole[:middle] + bytes([whole[middle] ^ 255]) + whole[middle + 1 :]
    for damaged in (b"PK broken", whole[:-50], flipped, other_arrays()):
        kept[0].write_bytes(damaged)
        assert hdri.load_cached(sky) is None
        hdri.prefilter_and_cache(sky, hdri.read(sky))
        assert kept[0].read_bytes() == whole, "written again"
    sky.write_bytes(sky.read_bytes()[:-4] + b"\x00" * 4)
    assert hdri.load_cached(sky) is None, "another content"


def other_arrays():
    """Return a valid archive with arrays of other shapes."""
    buffer = io.BytesIO()
    np.savez(buffer, irradiance=np.zeros((4, 3), np.float32), levels=np.zeros((2, 2), np.float16))
    return buffer.getvalue()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes on this system")
def test_pipes_and_devices_are_not_read(tmp_path, sky):
    pipe, device = tmp_path / "pipe.hdr", tmp_path / "device.hdr"
    os.mkfifo(pipe)
    device.symlink_to("/dev/zero")
    for path in (pipe, device):
        assert hdri.load_cached(path) is None
        with pytest.raises(AppError, match="it is not a file"):
            hdri.read(path)
    hdri.prefilter_and_cache(sky, hdri.read(sky))
    cached = next((resources.cache_folder() / "environments").iterdir())
    cached.unlink()
    os.mkfifo(cached)
    assert hdri.load_cached(sky) is None, "a pipe in place of a cache file"


def test_rotation_by_90_degrees():
    """Light from +X comes from -Z afterwards."""
    light = np.zeros((8, 16, 3), np.float32)
    light[:, 8] = 1.0
    looked = environment.directions(8, 16)
    turned = hdri.rotated(light, 90.0)
    before, after = ((looked * picture[..., :1]).sum((0, 1)) for picture in (light, turned))
    np.testing.assert_allclose([after[2], after[0]], [-before[0], before[2]], atol=1e-5)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.png", b"", "not '.png'"),
        ("a", b"", "files without an extension"),
        ("empty.hdr", b"", "cannot be read as a picture"),
        ("words.exr", b"no picture at all", "cannot be read as a picture"),
        ("cut.hdr", b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 16 +X 32\n", "cannot be read"),
        (
            "huge.hdr",
            b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 90000 +X 180000\n" + b"\0" * 9,
            "pixels|read",
        ),
    ],
)
def test_unsupported_and_damaged_files(tmp_path, name, content, said):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(AppError, match=said) as caught:
        hdri.read(tmp_path / name)
    assert "\n" not in str(caught.value)
    assert caught.value.file == str(tmp_path / name)


def test_missing_file(tmp_path):
    with pytest.raises(AppError, match="no such file"):
        hdri.read(tmp_path / "none.hdr")
    with pytest.raises(AppError):
        hdri.load_cached(tmp_path / "none.hdr") or hdri.read(tmp_path / "none.hdr")


def test_a_square_picture_is_an_error(tmp_path):
    with pytest.raises(AppError, match="twice as wide as high"):
        hdri.read(write_radiance(tmp_path / "probe.hdr", np.ones((16, 16, 3))))
