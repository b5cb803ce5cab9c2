"""Root motion: extracting the root's movement from a clip, and applying it to the character."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from . import quat
from .clip import Clip
from .model_space import about_y
from .playback import Span, wrap
from .pose import Pose
from .root_transform import RootTransform, rotate_about_y
from .skeleton import Skeleton
from .transform import compose
from .types import F32, F64

RootMode = Literal["keep", "in-place", "accumulate"]
FINE = 1 / 60  # seconds between heading samples: it turns by less than half a circle in it
_MAX_PATH_POINTS = 1 << 14  # points per path


class RootPath(NamedTuple):
    """The path of a joint over one pass."""

    times: F64  # [K] clip time, seconds
    points: F64  # [K, 3] metres, model space

    @property
    def displacement(self) -> F64:
        """From the first point to the last [3], metres."""
        return np.asarray(self.points[-1] - self.points[0])

    @property
    def speed(self) -> float:
        """Ground speed from the first point straight to the last, metres per second."""
        seconds = float(self.times[-1] - self.times[0])
        x, _, z = self.displacement
        return float(np.hypot(x, z)) / seconds if seconds > 0 else 0.0


class _JointState(NamedTuple):
    """Position and rotation of the joint in model space, and the axes of its parent."""

    position: F64  # [..., 3] metres
    rotation: F64  # [..., 4]
    above: F64  # [..., 3, 3] axes of its parent
    parent_rotation: F64  # [..., 4]


class RootMotion:
    """The root motion of a clip, and how it is applied.

    "keep" leaves the pose as is. The other modes lock the joint's model-space position on `axes`,
    and with `turn` its heading, at the values of the start of the range: the clip plays in place.
    "accumulate" moves the character by the extracted motion, pass after pass.

    The heading is the twist about +Y of the joint's rotation since the start.

    Parameters
    ----------
    clip, skeleton, joint
        Ancestors of the joint may have transforms, and may be animated.
    mode
        As above.
    axes
        Of model space: any combination of "x", "y" and "z".
    turn
        Whether the heading is extracted too.
    begin
        Clip time at x = 0, seconds.

    Raises
    ------
    ValueError
        Unknown mode or axes.
    """

    def __init__(
        self,
        clip: Clip,
        skeleton: Skeleton,
        joint: int,
        mode: RootMode = "in-place",
        axes: str = "xz",
        turn: bool = False,
        begin: float = 0.0,
    ) -> None:
        if mode not in ("keep", "in-place", "accumulate"):
            raise ValueError(f"mode must be keep, in-place or accumulate, not {mode!r}")
        if not set(axes) <= set("xyz"):
            raise ValueError(f"axes must be a combination of x, y and z, not {axes!r}")
        self.clip = clip
        self.joint = joint
        self.mode: RootMode = mode
        self.axes = axes
        self.turn = turn
        self.begin = begin
        self._held = [i for i, axis in enumerate("xyz") if axis in axes]
        chain = skeleton.upwards(joint)[::-1]
        moved = set(clip.joints.tolist()) | {joint}
        still = next(i for i, above in enumerate(chain) if above in moved)
        rest = skeleton.rest
        # matrix [4, 4] and rotation [4] of the topmost ancestors, which the clip does not animate
        self._base = base, _ = _above(rest, chain[:still]), _turn_above(rest, chain[:still])
        self._chain = chain[still:]  # from the topmost animated joint on
        self._slide = _inverse(base[:3, :3]) if len(self._chain) == 1 else None
        place = {joint: i for i, joint in enumerate(self._chain)}
        tracks = [
            replace(track, target=place[track.target])
            for track in clip.tracks
            if track.path != "values" and track.target in place
        ]
        self._rest = Pose(*_rows(rest, self._chain), np.zeros(0, np.float32))
        beginning = None if clip.rest is None else self._rest
        self._clip = replace(clip, tracks=tuple(tracks), rest=beginning)
        self._shown: tuple[F64, _JointState] | None = None  # cached: of the last time
        self._begun: tuple[F64, RootTransform] | None = None  # cached: inverse at a step's start
        self._pass: tuple[F64, RootTransform] | None = None
        self._first = self._state_at(begin)
        back = quat.conjugate(self._first.rotation)
        self._twist: F64 = quat.multiply(np.eye(4), back)[:, [1, 3]]  # gives y and w of the product

    def transform_at(self, time: ArrayLike) -> RootTransform:
        """Return the root's motion since the start of the range.

        Applied to the in-place pose, it gives the pose of the clip.

        Parameters
        ----------
        time
            [...] clip time, seconds.
        """
        seconds = np.asarray(time, np.float64)
        state = self._state_at(seconds)
        in_place = self._in_place(state.position)
        if not self.turn:
            return RootTransform(state.position - in_place, np.zeros(seconds.shape))
        yaw = self._heading(state)
        expected = np.interp(seconds, *self._headings)
        yaw = yaw + 2 * np.pi * np.round((expected - yaw) / (2 * np.pi))
        return RootTransform(state.position - rotate_about_y(in_place, yaw), yaw)

    def remove_root_motion(self, pose: Pose, time: ArrayLike) -> None:
        """Remove the root motion from the clip's pose [..., J] at a time [...], in place.

        Only the joint's local translation and rotation change. Under ancestors of non-uniform
        scale the rotation is removed, but not the shear.
        """
        if self.mode == "keep":
            return
        state = self._state_at(time)
        if self._held:
            off = self._in_place(state.position) - state.position
            slide = _inverse(state.above) if self._slide is None else self._slide
            pose.translation[..., self.joint, :] += (slide @ off[..., None])[..., 0]
        if self.turn:
            rotation = quat.multiply(about_y(-self._heading(state)), state.rotation)
            local = quat.multiply(quat.conjugate(state.parent_rotation), rotation)
            pose.rotation[..., self.joint, :] = quat.normalize(local)

    def transform_over(self, span: Span) -> RootTransform:
        """Return the root motion of a step, in the axes at its start; zero unless accumulating.

        Pass k continues where pass k - 1 ended; reverse passes of ping-pong reverse the motion.
        The motion of a step equals the sum of the smaller steps in it.
        """
        if self.mode != "accumulate" or _equal(span.x0, span.x1):
            shape = np.broadcast_shapes(np.shape(span.x0), np.shape(span.x1))
            return RootTransform.identity(shape)
        ends = [wrap(x, span.duration, span.mode, span.passes) for x in (span.x0, span.x1)]
        (from_pass, from_time), (to_pass, to_time) = ends
        total = self._inverse_at(self.begin + from_time)
        passes = to_pass - from_pass
        if span.mode == "loop" and passes.any():
            total = total.compose(*self._pass_motion(span.duration).repeat(passes))
        return total.compose(*self.transform_at(self.begin + to_time))

    def path(self, duration: float | None = None, rate: float = 60.0) -> RootPath:
        """Return the joint's path over one pass of `duration` seconds (None: to the end).

        `rate` is in points per second; a pass of many minutes has fewer.
        """
        length = max(self.clip.end - self.begin if duration is None else duration, 0.0)
        count = max(int(np.ceil(min(length * rate, _MAX_PATH_POINTS))), 1)
        times = self.begin + length * (np.arange(count + 1) / count)
        return RootPath(times, self._state_at(times).position)

    def _inverse_at(self, time: F64) -> RootTransform:
        """Return the inverse motion of a time [...], cached: long steps share their start."""
        if self._begun is None or not _equal(self._begun[0], time):
            self._begun = time, self.transform_at(time).inverse()
        return self._begun[1]

    def _pass_motion(self, duration: F64) -> RootTransform:
        """Return the motion of one pass of T [...] seconds, cached."""
        if self._pass is None or not _equal(self._pass[0], duration):
            self._pass = duration, self.transform_at(self.begin + duration)
        return self._pass[1]

    def _state_at(self, time: ArrayLike) -> _JointState:
        seconds = np.asarray(time, np.float64)
        if self._shown is None or not _equal(self._shown[0], seconds):
            pose = Pose.like(self._rest, seconds.shape)
            self._clip.sample(seconds, pose)
            state = self._compute_state(pose.translation, pose.rotation, pose.scale)
            self._shown = seconds.copy(), state
        return self._shown[1]

    @np.errstate(all="ignore")  # invalid numbers of a file propagate
    def _compute_state(self, translation: F32, rotation: F32, scale: F32) -> _JointState:
        """Return the joint's model-space state; loops over the few animated ancestors."""
        above, turn = self._base
        t: F64 = translation.astype(float)
        r: F64 = rotation.astype(float)
        if len(self._chain) > 1:
            local = np.empty((*t.shape[:-1], 4, 4))
            compose(t, r, scale.astype(float), out=local)  # type: ignore[arg-type]
            for a in range(len(self._chain) - 1):
                above = above @ local[..., a, :, :]
                turn = quat.multiply(turn, r[..., a, :]) if self.turn else turn
        axes = above[..., :3, :3]
        position = (axes @ t[..., -1, :, None])[..., 0] + above[..., :3, 3]
        whole = quat.multiply(turn, r[..., -1, :]) if self.turn else turn
        return _JointState(position, whole, axes, turn)

    def _in_place(self, position: F64) -> F64:
        out = position.copy()
        out[..., self._held] = self._first.position[self._held]
        return out

    def _heading(self, state: _JointState) -> F64:
        """Return the twist about +Y [...] since the start, within half a circle."""
        twist = state.rotation @ self._twist
        y, w = twist[..., 0], twist[..., 1]
        return 2 * np.arctan2(y * np.copysign(1, w), np.abs(w))

    @cached_property
    def _headings(self) -> tuple[F64, F64]:
        """Times [K] and unwrapped headings [K] along the clip; 0 at the start."""
        first, last = min(self.clip.start, self.begin, 0.0), max(self.clip.end, self.begin)
        regular = np.linspace(first, last, int(np.ceil((last - first) / FINE)) + 2)
        times = np.unique(np.concatenate([regular, self._clip.key_times, [self.begin]]))
        headings = np.unwrap(self._heading(self._state_at(times)))
        return times, headings - headings[np.searchsorted(times, self.begin)]


def _equal(a: F64, b: F64) -> bool:
    """Return whether arrays are equal; of single numbers numpy's `array_equal` takes long."""
    if not (a.ndim or b.ndim):
        return bool(a == b)
    return np.array_equal(a, b)


def _rows(pose: Pose, joints: Sequence[int]) -> tuple[F32, F32, F32]:
    """Return translation, rotation and scale [..., A, C] of some joints."""
    if len(joints) == 1:
        one = slice(joints[0], joints[0] + 1)
        return pose.translation[..., one, :], pose.rotation[..., one, :], pose.scale[..., one, :]
    rows = np.asarray(joints, np.intp)
    return pose.translation[..., rows, :], pose.rotation[..., rows, :], pose.scale[..., rows, :]


def _above(rest: Pose, chain: Sequence[int]) -> F64:
    """Return the matrix [4, 4] of a chain of joints at rest."""
    t, r, s = (rows.astype(float) for rows in _rows(rest, chain))
    out = np.eye(4)
    for matrix in compose(t, r, s, out=np.empty((len(chain), 4, 4))):  # type: ignore[arg-type]
        out = out @ matrix
    return out


def _turn_above(rest: Pose, chain: Sequence[int]) -> F64:
    """Return the rotation [4] of a chain of joints at rest."""
    out = np.array([0.0, 0.0, 0.0, 1.0])
    for joint in chain:
        out = quat.multiply(out, rest.rotation[joint].astype(float))
    return out


def _inverse(axes: F64) -> F64:
    """Return the inverse of axes [..., 3, 3]; zeros where they are singular."""
    flat = (np.linalg.det(axes) == 0)[..., None, None]
    return np.where(flat, 0.0, np.linalg.inv(np.where(flat, np.eye(3), axes)))
