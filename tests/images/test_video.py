import sys
from fractions import Fraction

import numpy as np
import pytest

from rigview.errors import OutputError, UsageError
from rigview.images.video import (
    ENDINGS,
    available,
    encode,
    exact_rate,
    on_black,
    require,
    video_bytes,
)
from tests.support.videos import GREY, RED, read_film, video_frames

av = pytest.importorskip("av", reason="the extra “video” is not installed")


@pytest.fixture(params=ENDINGS)
def path(request, tmp_path):
    return tmp_path / f"film{request.param}"


def test_every_picture_is_a_frame(path):
    encode(video_frames(), path, 10.0)
    film = read_film(path)
    assert film.frames.shape == (12, 32, 40, 4)
    assert film.ends == pytest.approx([(k + 1) / 10 for k in range(12)], abs=2e-3)
    away = np.abs(film.frames.astype(int) - np.stack([*video_frames()]))
    assert away[:, :6].max() <= 2  # mid grey comes back
    for k in range(12):
        assert np.abs(film.frames[k, 14:16, 5 + k : 9 + k].astype(int) - RED).max() <= 8


def test_equal_videos_are_equal_files(path):
    encode(video_frames(3), path, 10.0)
    assert video_bytes(video_frames(3), path.suffix, 10.0) == path.read_bytes()


def test_h264_options_are_deterministic():
    options = video_bytes(iter([np.full((256, 32, 4), 255, np.uint8)]), ".mp4", 10.0)
    assert b"mbtree=0" in options
    assert b" threads=4 " in options  # on any machine


def test_transparency(path):
    encode(video_frames(background=(0, 0, 0, 0)), path, 10.0)
    frames = read_film(path).frames.astype(int)
    if path.suffix == ".mp4":
        assert np.abs(frames[:, 2:8] - (0, 0, 0, 255)).max() <= 2
        return
    assert frames[:, 2:8, :, 3].max() <= 2
    assert frames[:, 25:, :, 3].max() <= 2
    for k in range(12):  # nothing is left of where it was
        assert frames[k, 12:18, 4 + k : 10 + k, 3].min() >= 250
        assert np.abs(frames[k, 12:18, 4 + k : 10 + k, :3] - RED[:3]).max() <= 12
        assert frames[k, 12:18, :k, 3].max(initial=0) <= 12


@pytest.mark.parametrize("ending", [".gif", ".webp"])
@pytest.mark.parametrize(("loop", "said"), [(True, {0}), (False, {None, 1})])
def test_loop_flag(tmp_path, ending, loop, said):
    path = tmp_path / f"film{ending}"
    encode(video_frames(3), path, 10.0, loop=loop)
    assert read_film(path).loops in said


@pytest.mark.parametrize("fps", [12.0, 23.976, 24.0, 29.97, 30.0, 33.3, 59.94])
def test_duration_of_the_video(path, fps):
    encode(video_frames(24), path, fps)
    film = read_film(path)
    assert film.ends[-1] == pytest.approx(24 / fps, abs=0.0055 if path.suffix == ".gif" else 2e-3)
    assert len(film.frames) == (24 if fps < 50 or path.suffix != ".gif" else 20)


def test_gif_drops_frames_above_50_per_second(tmp_path):
    path = tmp_path / "film.gif"
    encode(video_frames(24), path, 100.0)
    film = read_film(path)
    assert np.diff([0.0, *film.ends]) == pytest.approx(0.02)
    assert len(film.frames) == 12


def test_mp4_index_precedes_the_frames(tmp_path):
    encode(video_frames(), tmp_path / "film.mp4", 10.0)
    data = (tmp_path / "film.mp4").read_bytes()
    assert 0 < data.index(b"moov") < data.index(b"mdat")


@pytest.mark.parametrize(("ending", "codec"), [(".mp4", "h264"), (".webm", "vp9")])
def test_stream_metadata(tmp_path, ending, codec):
    path = tmp_path / f"film{ending}"
    encode(video_frames(), path, 29.97)
    with av.open(str(path)) as film:
        stream = film.streams.video[0]
        next(film.decode(video=0))
        context = stream.codec_context
        assert context.name == codec
        assert context.pix_fmt == "yuv420p"
        assert (context.colorspace, context.color_range) == (1, 1)
        assert (context.color_primaries, context.color_trc) == (1, 1)
        assert stream.average_rate == Fraction(30000, 1001)


@pytest.mark.parametrize("size", [(41, 33), (1, 1), (2, 3)])
def test_odd_sizes_keep_pixel_positions(path, size):
    picture = np.full((size[1], size[0], 4), GREY, np.uint8)
    picture[:, size[0] // 2 :] = RED
    encode([picture] * 3, path, 10.0)
    film = read_film(path)
    even = path.suffix == ".mp4"
    assert film.size == tuple(side + side % 2 if even else side for side in size)
    if size[0] > 10:
        assert np.abs(film.frames[:, 4:-4, 2:16].astype(int) - GREY).max() <= 3
        assert np.abs(film.frames[:, 4:, 24:].astype(int) - RED).max() <= 8


@pytest.mark.parametrize("ending", [".gif", ".webp"])
def test_static_areas_are_equal_in_every_frame(tmp_path, rng, ending):
    noise = rng.integers(0, 256, (64, 64, 4), np.uint8)
    noise[..., 3] = 255
    film = [noise.copy() for _ in range(6)]
    for k, picture in enumerate(film):
        picture[20:30, 6 * k : 6 * k + 10] = RED
    encode(film, tmp_path / f"film{ending}", 10.0)
    frames = read_film(tmp_path / f"film{ending}").frames
    assert (frames[:, 40:] == frames[0, 40:]).all()
    assert (frames[:, :16] == frames[0, :16]).all()


def test_plain_areas_of_a_gif_are_not_dithered(tmp_path):
    ramp = np.full((64, 256, 4), (48, 50, 54, 255), np.uint8)
    ramp[:32, :, 0] = np.arange(256)
    ramp[:32, :, 1] = np.arange(256)[::-1]
    ramp[:32, :, 2] = np.arange(32)[:, None] * 8
    encode([ramp] * 2, tmp_path / "film.gif", 10.0)
    frame = read_film(tmp_path / "film.gif").frames[0].astype(int)
    assert (frame[32:] == (48, 50, 54, 255)).all()
    assert np.abs(frame[:32] - ramp[:32]).mean() < 10  # 255 colours for 8192


@pytest.mark.parametrize(
    ("fps", "exact"),
    [
        (30.0, Fraction(30)),
        (29.97, Fraction(30000, 1001)),
        (23.976, Fraction(24000, 1001)),
        (23.98, Fraction(24000, 1001)),
        (59.94, Fraction(60000, 1001)),
        (12.5, Fraction(25, 2)),
        (1 / 3, Fraction(1, 3)),
    ],
)
def test_exact_rate(fps, exact):
    assert exact_rate(fps) == exact


@pytest.mark.parametrize("fps", [0.0, -1.0, 1e-6, 1001.0, 1e15, float("nan")])
def test_invalid_frame_rate(path, fps):
    with pytest.raises(UsageError, match="invalid frame rate"):
        encode(video_frames(), path, fps)
    assert not path.exists()


def test_too_large_webp(tmp_path):
    with pytest.raises(UsageError, match="16384 x 1 pixels: at most 16383"):
        encode([np.zeros((1, 16384, 4), np.uint8)], tmp_path / "film.webp", 10.0)


@pytest.mark.parametrize(
    "wrong",
    [
        [],
        [np.zeros((4, 4, 3), np.uint8)],
        [np.zeros((4, 4, 4))],
        [np.zeros((4, 4, 4), np.uint8), np.zeros((4, 6, 4), np.uint8)],
    ],
)
def test_invalid_pictures(path, wrong):
    with pytest.raises(ValueError, match="picture"):
        encode(wrong, path, 10.0)


def test_on_black():
    picture = np.array([[[200, 100, 50, 255], [200, 100, 50, 128], [200, 100, 50, 0]]], np.uint8)
    assert on_black(picture).tolist() == [[[200, 100, 50], [100, 50, 25], [0, 0, 0]]]


def test_without_the_encoder(monkeypatch):
    monkeypatch.setitem(sys.modules, "av", None)
    monkeypatch.setitem(sys.modules, "av.codec", None)
    for ending in (".mp4", ".webm"):
        assert not available(ending)
        with pytest.raises(OutputError, match=r"pip install 'rigview\[video\]'"):
            require(ending)
    assert available(".gif")
    assert available(".webp")


def test_encoder_error_is_one_line(tmp_path):
    with pytest.raises(OutputError, match="the encoder failed: No such file"):
        encode(video_frames(), tmp_path / "none" / "film.mp4", 10.0)


def test_unknown_ending(tmp_path):
    with pytest.raises(ValueError, match=r"\.avi"):
        encode(video_frames(), tmp_path / "film.avi", 10.0)
