"""Videos made for tests, and what is in one that was written."""

from dataclasses import dataclass

import numpy as np
from PIL import Image

GREY = (128, 128, 128, 255)
RED = (200, 60, 40, 255)


def pictures(count=12, size=(40, 32), background=GREY):
    """A red square that goes to the right, on a plain background."""
    for k in range(count):
        picture = np.empty((size[1], size[0], 4), np.uint8)
        picture[:] = background
        picture[10:20, 2 + k : 12 + k] = RED
        yield picture


@dataclass
class Film:
    """A video as it was read again."""

    frames: np.ndarray  # [N, H, W, 4]
    ends: list[float]  # seconds, of every frame
    loops: int | None  # 0: for ever, None: nothing is said

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
        return Film(np.stack(frames), ends[1:], film.info.get("loop"))


def _video(path):
    import av

    with av.open(str(path)) as film:
        stream = film.streams.video[0]
        alpha = "alpha_mode" in {name.lower() for name in stream.metadata}
        if alpha:  # FFmpeg's own decoder of VP9 knows no alpha
            context = av.CodecContext.create("libvpx-vp9", "r")
            packets = [*film.demux(video=0)]
            found = [frame for packet in packets for frame in context.decode(packet)]
        else:
            found = list(film.decode(video=0))
        # made RGBA by FFmpeg at once a part of a frame loses its alpha now and then
        frames = np.stack([np.dstack([f.to_ndarray(format="rgb24"), _alpha(f)]) for f in found])
        rate = float(stream.average_rate)
        ends = [float(frame.pts * frame.time_base) + 1 / rate for frame in found]
        return Film(frames, ends, None)


def _alpha(frame):
    """The alpha [H, W] of a frame: its fourth plane; of a frame without one it is opaque."""
    if len(frame.planes) < 4:
        return np.full((frame.height, frame.width), 255, np.uint8)
    plane = frame.planes[3]
    return np.frombuffer(plane, np.uint8).reshape(-1, plane.line_size)[
        : frame.height, : frame.width
    ]
