"""A clip of what a mixer plays, with root motion put back into the joints."""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..animation import quat
from ..animation.clip import Clip
from ..animation.pose import Pose
from ..animation.resample import USUAL, even_times, frame_rate_of
from ..animation.track import Interpolation, Path, Track
from ..animation.types import F32, F64
from ..blending.mixer import IN_PLACE, Mixer
from ..errors import UsageError
from ..model.model import Model
from ..model.morph_weights import apply_weights

MOST_RATE = 240  # keys per second of a mix, unless another rate is given
Span = tuple[float, float]  # begin and end, seconds since the start


def mixed_span(mixer: Mixer) -> Span:
    """Return the time after which everything that a mixer plays repeats, else that of one pass."""
    return 0.0, mixer.common_loop or mixer.length


def mixed_rate(mixer: Mixer) -> float:
    """Return the keys per second that keep every key of the clips that a mixer plays.

    It is the lowest common multiple of the clips' frame rates at their speeds, at most 240, else
    the highest one.
    """
    played = [(each.clip.key_times, each.playback.rate) for each in mixer.layer_clips()]
    overall = float(np.abs(mixer.playback.rate).max())
    rates = set()
    for times, speed in played or [(mixer.key_times, np.ones(1))]:
        found = frame_rate_of(times)
        if found.certain:
            rates.add(max(1, round(found.rate * float(np.abs(speed).max()) * overall)))
    if not rates:
        return USUAL
    common = math.lcm(*rates)
    return float(common if common <= MOST_RATE else max(rates))


class Mixed(NamedTuple):
    """What a mixer plays as a clip, with the times [T] of its keys and the root motion at them."""

    clip: Clip
    times: F32
    root_motion: F64  # [T, 4, 4]

    @property
    def moving(self) -> Clip:
        """The clip (UsageError: everything has the rest pose)."""
        if not self.clip.tracks:
            raise UsageError("what plays has the rest pose at all times")
        return self.clip


def sampled_mix(
    model: Model,
    mixer: Mixer,
    name: str,
    span: Span,
    fps: float,
    *,
    loop: bool = False,
    weights: F32 | None = None,
) -> Mixed:
    """Return what a mixer plays from its start as a clip that begins at 0 s.

    It has twice as many keys as `resample` leaves in it at `fps`, so that the error between them
    is known. Joints and values that have their rest pose all the time have no track; those that
    stand still have two keys. Root motion moves the topmost joints.

    Parameters
    ----------
    model
        Of the mixer.
    span
        The part of what plays.
    fps, loop
        As `resample` will be given them.
    weights
        [P] morph weights that replace those of the mix, NaN: not set; None: none is set.
    """
    length = span[1] - span[0]
    if loop and length > 0:
        fps = max(1, round(length * fps)) / length
    times = even_times(0.0, length, 2 * fps)
    poses, worlds = _played(model, mixer, span[0] + times.astype(np.float64))
    if weights is not None:
        apply_weights(poses.values, weights)
    roots = _moved_roots(model)
    if (worlds != IN_PLACE).any():
        turn: F32 = quat.from_matrix(worlds[:, None, :3, :3]).astype(np.float32)
        moved = np.einsum("tab,tjb->tja", worlds[:, :3, :3], poses.translation[:, roots])
        poses.translation[:, roots] = moved + worlds[:, None, :3, 3]
        poses.rotation[:, roots] = quat.multiply(turn, poses.rotation[:, roots])
    tracks = tuple(_tracks(model, times, poses))
    return Mixed(Clip.of(name, tracks, model.skeleton.rest), times, worlds)


def _played(model: Model, mixer: Mixer, taus: F64) -> tuple[Pose, F64]:
    """Return poses [T] and root motion [T, 4, 4] at ascending times since the start."""
    poses, worlds = Pose.like(model.skeleton.rest, taus.shape), np.empty((*taus.shape, 4, 4))
    mixer.playback.start_at(0.0)
    for k, tau in enumerate(taus.tolist()):
        mixer.update(tau)
        mixer.sample(Pose.over(poses.data[k], poses.count))
        worlds[k] = mixer.world
    return poses, worlds


def _moved_roots(model: Model) -> list[int]:
    """Return the topmost joints above skins and rigid meshes; without any, all of them."""
    parents = model.skeleton.parents
    used = {int(joint) for skin in model.skins for joint in skin.joints}
    used |= {each.joint for each in model.instances if each.skin < 0}
    while below := {joint for joint in used if parents[joint] >= 0}:
        used = (used - below) | {int(parents[joint]) for joint in below}
    return sorted(used) or np.flatnonzero(parents < 0).tolist()


def _tracks(model: Model, times: F32, poses: Pose) -> Iterator[Track]:
    """Yield the tracks of what differs from the rest pose at any time."""
    rest = model.skeleton.rest
    parts: tuple[tuple[Path, F32, F32], ...] = (
        ("translation", poses.translation, rest.translation),
        ("rotation", poses.rotation, rest.rotation),
        ("scale", poses.scale, rest.scale),
    )
    for path, values, still in parts:
        for joint in np.flatnonzero((values != still).any(axis=(0, 2))).tolist():
            yield _track(joint, path, "LINEAR", times, values[:, joint])
    for c, channel in enumerate(model.channels):
        values = poses.values[:, channel.slice]
        if (values != rest.values[channel.slice]).any():
            how: Interpolation = "STEP" if channel.kind == "step" else "LINEAR"
            yield _track(c, "values", how, times, values, channel.start)


def _track(
    target: int, path: Path, how: Interpolation, times: F32, values: F32, start: int = 0
) -> Track:
    if (values == values[0]).all():
        ends = np.unique([0, len(times) - 1])
        times, values = times[ends], values[ends]
    values = np.array(quat.align_signs(values) if path == "rotation" else values)
    return Track(target, path, how, times, values, None, start)
