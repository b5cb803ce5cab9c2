"""Frames for test videos, and reading written videos."""

from dataclasses import dataclass

import numpy as np
import pytest
from PIL import Image

GREY = (128, 128, 128, 255)
RED = (200, 60, 40, 255)


def need_encoder(name):
    """Skip the test if a file of this name cannot be written here."""
    if str(name).endswith((".mp4", ".webm")):
        pytest.importorskip("av", reason="the extra “video” is not installed")


def video_frames(count=12, size=(40, 32), background=GREY):
    """Frames with a red square that moves to the right."""
    for k in range(count):
        picture = np.empty((size[1], size[0], 4), np.uint8)
        picture[:] = background
        picture[10:20, 2 + k : 12 + k] = RED
        yield picture


@dataclass
class Video:
    """A video that was read."""

    frames: np.ndarray  # [N, H, W, 4]
    ends: list[float]  # of the frames, seconds
    loops: int | None  # 0: infinite, None: not stated

    @property
    def size(self):
        return self.frames.shape[2], self.frames.shape[1]


def read_film(path):
    return _moving_picture(path) if path.suffix in (".gif", ".webp") else _video(path)


def _moving_picture(path):
    with Image.open(path) as film:
        frames, ends = [], [0.0]
        for k in range(getattr(film, "n_frames", 1)):
            film.seek(k)
            film.load()
            frames.append(np.asarray(film.convert("RGBA")))
            ends.append(ends[-1] + film.info["duration"] / 1000)
        return Video(np.stack(frames), ends[1:], film.info.get("loop"))


def _video(path):
    import av

    with av.open(str(path)) as film:
        stream = film.streams.video[0]
        alpha = "alpha_mode" in {name.lower() for name in stream.metadata}
        if alpha:  # FFmpeg's VP9 decoder does not support alpha
            context = av.CodecContext.create("libvpx-vp9", "r")
            packets = [*film.demux(video=0)]
            found = [frame for packet in packets for frame in context.decode(packet)]
        else:
            found = list(film.decode(video=0))
        # conversion to RGBA by FFmpeg sometimes loses alpha in a part of a frame
        frames = np.stack([np.dstack([f.to_ndarray(format="rgb24"), _alpha(f)]) for f in found])
        rate = float(stream.average_rate)
        ends = [float(frame.pts * frame.time_base) + 1 / rate for frame in found]
        return Video(frames, ends, None)


def _alpha(frame):
    """The alpha [H, W] of a frame: its fourth plane, else opaque."""
    if len(frame.planes) < 4:
        return np.full((frame.height, frame.width), 255, np.uint8)
    plane = frame.planes[3]
    return np.frombuffer(plane, np.uint8).reshape(-1, plane.line_size)[
        : frame.height, : frame.width
    ]
