"""Traces of the clip that plays alone: the path of a joint, and the joints before and after now.

Both are in the model space of the start of a pass, with the root motion since then, and are sampled
once: a path for each clip and joint, the joints around the present time for each such time.
"""

from dataclasses import dataclass

import numpy as np

from ..animation.types import F32, F64, Index
from ..blending.mixer import Mixer
from ..memo import Memo
from ..model.joint_key_times import joint_key_times
from ..model.model import Model

RATE = 120.0  # samples per second of a path
MOST_SAMPLES, MOST_FRAMES = 1200, 600  # of a path; longer ones are sampled more coarsely
_TOGETHER = 1 << 15  # joints times poses that are sampled at once
_NEAR = 1e-6  # frames


@dataclass(frozen=True, slots=True, eq=False)
class JointPath:
    """Where a joint is over a pass of a clip.

    Attributes
    ----------
    times
        [T] seconds of the clip, ascending.
    points
        [T, 3] metres, model space of the start of a pass.
    frames, keys
        Rows of the whole frames, and of the keys of the joint.
    """

    times: F64
    points: F32
    frames: Index
    keys: Index


@dataclass(frozen=True, slots=True, eq=False)
class OnionSkins:
    """Joints before and after the present time.

    Attributes
    ----------
    offsets
        [S] how many steps after the present time, below 0: before it; never 0.
    points
        [S, D, 3] positions of joints, metres, model space of the start of a pass.
    """

    offsets: Index
    points: F32


class ClipTraces:
    """The traces of a character; the last ones are kept."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._path = Memo(_sample_path)
        self._skins = Memo(_sample_skins)

    def joint_path(self, mixer: Mixer, joint: int, frame_rate: float) -> JointPath | None:
        """Return the path of a joint over what plays; None unless a clip plays alone."""
        if mixer.clip < 0 or joint < 0:
            return None
        begin, end = _range(mixer)
        return self._path(self._model, mixer, begin, end, joint, frame_rate)

    def onion_skins(self, mixer: Mixer, joints: Index, count: int, step: float) -> OnionSkins:
        """Return joints [D] at up to `count` times before and after the present one.

        They are `step` seconds of the clip apart; times beyond the ends of a pass are left out.
        """
        (begin, end), now = _range(mixer), mixer.shown_time
        return self._skins(self._model, mixer, begin, end, joints, now, count, step)


def pass_start(mixer: Mixer, world: F64) -> F64:
    """Return the matrix [4, 4] from the model space of the start of a pass to world space.

    Parameters
    ----------
    world
        [4, 4] from the present model space to world space.
    """
    shown = mixer.poses_at(np.array([mixer.shown_time])) if mixer.accumulates else None
    return world if shown is None else world @ np.linalg.inv(shown[1][0])


def _range(mixer: Mixer) -> tuple[float, float]:
    """Return the ends of a pass, seconds of the clip."""
    begin = float(mixer.playback.start)
    return begin, begin + float(mixer.playback.duration)


def _sample_path(
    model: Model, mixer: Mixer, begin: float, end: float, joint: int, frame_rate: float
) -> JointPath:
    keys = joint_key_times(model, model.clips[mixer.clip], joint)
    keys = keys[(keys >= begin) & (keys <= end)][: MOST_SAMPLES // 2]
    first, last = np.ceil(begin * frame_rate - _NEAR), np.floor(end * frame_rate + _NEAR)
    frames = np.zeros(0)
    if last - first < MOST_FRAMES:
        frames = np.clip(np.arange(first, last + 1) / frame_rate, begin, end)
    count = int(min(max((end - begin) * RATE, 1.0), MOST_SAMPLES))
    even = np.linspace(begin, end, count + 1)
    times = np.unique(np.concatenate([even, frames, keys]))
    points = _points(model, mixer, times, np.array([joint]))[:, 0]
    rows = np.searchsorted(times, frames), np.searchsorted(times, keys)
    return JointPath(times, points, *rows)


def _sample_skins(
    model: Model,
    mixer: Mixer,
    begin: float,
    end: float,
    joints: Index,
    now: float,
    count: int,
    step: float,
) -> OnionSkins:
    offsets = np.concatenate([np.arange(-count, 0), np.arange(1, count + 1)])
    times = now + offsets * step
    inside = (times >= begin - 1e-9) & (times <= end + 1e-9)
    offsets, times = offsets[inside], np.clip(times[inside], begin, end)
    return OnionSkins(offsets, _points(model, mixer, times, joints))


@np.errstate(all="ignore")  # NaN and infinity in files propagate
def _points(model: Model, mixer: Mixer, times: F64, joints: Index) -> F32:
    """Return where joints [D] are at clip times [T]: [T, D, 3]."""
    skeleton = model.skeleton
    together = max(_TOGETHER // max(skeleton.count, 1), 1)
    found = [np.zeros((0, len(joints), 3), np.float32)]
    for few in np.array_split(times, max(-(-len(times) // together), 1)):
        shown = mixer.poses_at(few)
        if shown is None or not len(few):
            continue
        poses, roots = shown
        places = skeleton.to_model(poses)[:, joints][..., :3, 3].astype(np.float64)
        moved = places @ np.swapaxes(roots[:, :3, :3], 1, 2) + roots[:, None, :3, 3]
        found.append(moved.astype(np.float32))
    return np.concatenate(found)
