"""Environment maps: reading, rotating, caching, and invalid files."""

import contextlib
import io
import os

import numpy as np
import pytest

from rigview import resources
from rigview.errors import AppError
from rigview.images.exr import as_exr
from rigview.scene import environment, hdri
from tests.support.radiance_files import in_runs, with_repetitions, write_radiance


@pytest.fixture
def sky(tmp_path, monkeypatch):
    monkeypatch.setattr(resources, "cache_folder", lambda: tmp_path / "cache")
    monkeypatch.setattr(environment, "SHARP_SIDE", 12)
    light = np.full((16, 32, 3), [0.25, 0.5, 1.0])
    light[4, 8] = 40.0
    return write_radiance(tmp_path / "sky.hdr", light)


def test_radiance_is_read(sky):
    light = hdri.read(sky)
    assert light.shape == (16, 32, 3)
    np.testing.assert_allclose(light[0, 0], [0.25, 0.5, 1.0], rtol=0.01)
    np.testing.assert_allclose(light[4, 8], 40.0, rtol=0.01)


def test_backgrounds_are_finer_and_follow_the_file(sky, tmp_path):
    light = hdri.background(sky, 0.0)
    assert light.dtype == np.float16
    np.testing.assert_allclose(light, hdri.read(sky), rtol=1e-3)
    assert hdri.background(sky, 0.0) is light, "it is kept"
    assert hdri.background(sky, 0.5).max() < light.max() / 2
    write_radiance(sky, np.full((8, 16, 3), 0.5))
    np.testing.assert_allclose(hdri.background(sky, 0.0), np.full((8, 16, 3), 0.5), rtol=0.01)
    large = write_radiance(tmp_path / "large.hdr", np.ones((600, 1200, 3)))
    assert hdri.background(large, 0.0).shape == (600, 1200, 3)
    with pytest.raises(AppError, match="no such file"):
        hdri.background(tmp_path / "none.hdr", 0.0)


def panorama(height):
    """Return random light [H, 2 H, 3] with equal pixels beside each other, as in a sky."""
    random = np.random.default_rng(height)
    light = random.gamma(0.3, 2.0, (height, 2 * height, 3))
    light[:, height // 4 : height] = light[:, :1]
    return light


@pytest.mark.parametrize("encode", [in_runs, with_repetitions, bytes])
@pytest.mark.parametrize("height", [4, 150, 600])
def test_encodings_of_radiance(tmp_path, encode, height):
    """Flat, and in both run-length encodings; large maps are averaged over squares."""
    light = panorama(height)
    path = write_radiance(tmp_path / "sky.hdr", light, encode)
    read = hdri.read(path, 256)
    step = 2 if height == 600 else 1
    blocks = light.reshape(height // step, step, 2 * height // step, step, 3).mean(axis=(1, 3))
    assert read.shape == blocks.shape
    np.testing.assert_allclose(read, blocks, atol=light.max(axis=-1).max() / 200)
    flat = hdri.read(write_radiance(tmp_path / "flat.hdr", light), 256)
    np.testing.assert_array_equal(read, flat)


@pytest.mark.parametrize("encode", [in_runs, bytes])
def test_radiance_as_ffmpeg_reads_it(tmp_path, encode):
    av = pytest.importorskip("av")
    path = write_radiance(tmp_path / "sky.hdr", panorama(64), encode)
    with av.open(str(path), format="hdr_pipe") as container:
        frame = next(container.decode(video=0))
    expected = frame.reformat(format="gbrpf32le").to_ndarray()
    np.testing.assert_array_equal(hdri.read(path), np.clip(expected, 0, hdri.BRIGHTEST))


@pytest.mark.parametrize("encode", [in_runs, with_repetitions])
def test_damaged_radiance_is_an_error(tmp_path, encode):
    """Whatever byte is changed, and wherever the file ends."""
    path = write_radiance(tmp_path / "sky.hdr", panorama(16), encode)
    data, random = path.read_bytes(), np.random.default_rng(1)
    for cut in random.integers(0, len(data), 40):
        path.write_bytes(data[:cut])
        with pytest.raises(AppError, match="cannot be read as a picture"):
            hdri.read(path)
    for at, byte in zip(random.integers(0, len(data), 200), random.bytes(200), strict=True):
        path.write_bytes(data[:at] + bytes((byte,)) + data[at + 1 :])
        with contextlib.suppress(AppError):
            assert hdri.read(path).shape[2] == 3


def test_environments_are_cached(sky):
    assert hdri.load_cached(sky) is None
    made, error = hdri.prefilter_and_cache(sky, hdri.read(sky))
    assert error is None
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


def test_half_floats_above_1_are_read(tmp_path):
    """As most maps have; FFmpeg's conversion of them clamps to 1."""
    pytest.importorskip("av")
    light = np.full((16, 32, 4), 0.25, np.float32)
    light[4:8, 8:16, :3] = 60.0, 30.0, 2.0
    path = tmp_path / "sun.exr"
    path.write_bytes(as_exr(light))
    assert np.array_equal(hdri.read(path), light[..., :3])
