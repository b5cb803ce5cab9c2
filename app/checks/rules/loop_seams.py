"""Rules about the seam of loops: the pose, velocity jumps, repeated frames, root drift."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ...animation import quat
from ...animation.clip import Clip
from ...animation.root_transform import rotate_about_y
from ...animation.types import F64, Bool
from ...animation.vectors import length
from ...wording import measure, number, quoted
from ..check_context import REFERENCE_HEIGHT, CheckContext
from ..clip_ends import EndComparison, compare_ends, local_rotations, mean_length, worst
from ..clip_rules import per_loop
from ..finding import Finding, Limit, Limits, rule
from ..looping_clips import loop_decision, motion_file_settings
from ..visible_size import greatest, size_of_amount, size_of_rotation, surface
from .key_timing import key_frame_rate

HARSHER = 1.5  # times the greatest change of velocity inside the clip
HELD = 0.05  # of the median step between frames: a smaller step repeats the pose
MOVING = 0.3  # of the median step: a greater step is motion
MEANT = 15.0  # degrees: a greater turn per pass is intended
NEAR = 15.0  # degrees: a displacement closer to an axis of the floor is intended along that axis
CLIMBS = 0.05  # of the height: a greater change of height per pass is intended


@rule(
    "loop-seam",
    "size",
    "the last pose of a clip that should loop differs from its first; displacement of the "
    "whole body is ignored",
    "make the last key of every track equal to its first, or declare that the clip does not loop",
    Limit("mm", 5.0, "mm", "between the joint positions of both ends", scaled=True),
    Limit("degrees", 2.0, "°", "between the local rotations of both ends"),
)
@per_loop
def _seams(context: CheckContext, limits: Limits, c: int, clip: Clip) -> Iterator[Finding]:
    found = context.cached(compare_ends, c)
    if not len(found.joints):
        return
    far, most_rotated = worst(found.position_gaps), worst(found.rotation_gaps)
    place = float(found.position_gaps[far]) * 1000
    angle = float(np.degrees(found.rotation_gaps[most_rotated]))
    by_place = place > limits["mm"]
    if not by_place and not angle > limits["degrees"]:
        return
    names = [context.model.skeleton.names[found.joints[k]] for k in (far, most_rotated)]
    missing = _one_frame_short(context, c, found)
    off = f"{measure(place, 'mm')} from its first pose at {quoted(names[0])}" if by_place else ""
    if angle > limits["degrees"]:
        off += f"{', ' if off else ''}rotated by {number(angle)}° at {quoted(names[1])}"
    yield Finding(
        f"{quoted(clip.name)} ends {off}; it should loop: {loop_decision(context, c).why}",
        place if by_place else angle,
        "mm" if by_place else "°",
        limits["mm" if by_place else "degrees"],
        joint=names[0 if by_place else 1],
        time=clip.end,
        size=_gap(context, c, found),
        fix="add the key that closes the loop: a copy of the first, one frame after the last"
        if missing
        else "",
    )


def _gap(context: CheckContext, c: int, found: EndComparison) -> float:
    """Return the greatest distance of the surface at the end from that at the start, metres.

    The displacement and the turn of the whole body are left out.
    """
    shown, hips = context.sampled(c), context.hips
    first, last = (surface(context, shown.matrices[k], shown.values[k]) for k in (0, -1))
    origin = shown.positions[0, hips] if hips >= 0 else np.zeros(3)
    move = found.displacement + origin - rotate_about_y(origin, found.turn)
    return greatest(rotate_about_y(last - move, -found.turn) - first)


def _one_frame_short(context: CheckContext, c: int, found: EndComparison) -> bool:
    """Return whether the clip would close if its last frame's motion continued for one frame."""
    shown, (rate, *_) = context.sampled(c), context.cached(key_frame_rate, c)
    if not shown.step > 0:
        return False
    ahead = min(max(1, round(1 / rate / shown.step)), len(shown.times) - 1)
    positions = shown.positions[:, found.joints]
    on = positions[-1] + (positions[-1] - positions[-1 - ahead])
    move = np.median(on - rotate_about_y(positions[0], found.turn), axis=0)
    left = mean_length(rotate_about_y(on - move, -found.turn) - positions[0])
    return bool(left < found.pose_distance / 2)


class _Velocities(NamedTuple):
    """Velocities of joints between the samples of a clip."""

    what: str
    unit: str
    limit: str
    scale: float  # from `values` to `unit`
    values: F64  # [T - 1, n, 3] metres or radians per second
    last: F64  # [n, 3] the last ones, in the heading of the first pose


@rule(
    "loop-speed",
    "size",
    "the velocity of a looping clip changes more at the seam than anywhere inside",
    "smooth the curves at the seam: give the first and the last key the same slope",
    Limit("mm_per_s", 750.0, "mm/s", "change of a joint's velocity", scaled=True),
    Limit("degrees_per_s", 720.0, "°/s", "change of a joint's angular velocity"),
)
@per_loop
def _speeds(context: CheckContext, limits: Limits, c: int, clip: Clip) -> Iterator[Finding]:
    found = context.cached(compare_ends, c)
    if len(context.sampled(c).times) < 6 or not len(found.joints):
        return
    for velocities in _velocities(context, c, found):
        values = velocities.values
        jump = length(values[0] - velocities.last) * velocities.scale
        # over two steps, because keys lie between samples
        inside = length(values[2:] - values[:-2]).max(axis=0) * velocities.scale
        exceeds = (jump > HARSHER * inside) & (jump > limits[velocities.limit])
        if not exceeds.any():
            continue
        k = worst(np.where(exceeds, jump, -1))
        joint = int(found.joints[k])
        beyond = float(jump[k] - inside[k]) / context.cached(key_frame_rate, c).rate
        name = context.model.skeleton.names[joint]
        message = (
            f"{quoted(clip.name)} has {velocities.what} jump at its seam: {quoted(name)} "
            f"changes by {number(jump[k])}{velocities.unit}, inside the clip by "
            f"{number(inside[k])} at most"
        )
        if velocities.limit == "mm_per_s":
            top = float(length(values[:, k]).max()) * velocities.scale
            message += f"; its top speed is {number(top)}"
        yield Finding(
            message,
            float(jump[k]),
            velocities.unit.strip(),
            limits[velocities.limit],
            joint=name,
            time=clip.end,
            size=size_of_amount(context, joint, beyond, velocities.unit.strip().removesuffix("/s")),
        )
        break


def _velocities(context: CheckContext, c: int, found: EndComparison) -> Iterator[_Velocities]:
    """Yield the velocities of the joints, then their angular velocities in parent space."""
    shown = context.sampled(c)
    moves = np.diff(shown.positions[:, found.joints], axis=0) / shown.step
    last = rotate_about_y(moves[-1], -found.turn)
    yield _Velocities("a velocity", " mm/s", "mm_per_s", 1000.0, moves, last)
    steps = _angular_steps(local_rotations(context, shown.rotations, found.joints))
    turns = steps / shown.step
    yield _Velocities(
        "an angular velocity", "°/s", "degrees_per_s", np.degrees(1.0), turns, turns[-1]
    )


def _angular_steps(rotations: F64) -> F64:
    """Return rotation vectors [T - 1, n, 3] between samples in parent space, radians."""
    turn = quat.multiply(rotations[1:], quat.conjugate(rotations[:-1]))
    turn = np.where(turn[..., 3:] < 0, -turn, turn)
    sine = length(turn[..., :3])[..., None]
    return turn[..., :3] * (2 * np.arctan2(sine, turn[..., 3:]) / np.where(sine > 0, sine, 1))


@rule(
    "loop-held-frame",
    "info",
    "a loop shows the same pose for two frames at its seam",
    "remove the key that repeats the pose, so that the clip is one frame shorter",
)
@per_loop
def _held(context: CheckContext, _: Limits, c: int, clip: Clip) -> Iterator[Finding]:
    found = context.cached(compare_ends, c)
    rate, certain, _off = context.cached(key_frame_rate, c)
    count = round(clip.duration * rate)
    if not certain or not 6 <= count < len(context.sampled(c).times) or not found.motion_range > 0:
        return
    steps = _steps(context, c, found, count)
    usual = float(np.median(steps))
    still: Bool = steps < HELD * usual
    moving: Bool = steps > MOVING * usual
    for at, one, before, after in ((clip.start, 0, -1, 1), (clip.end, -1, -2, 0)):
        if still[one] and moving[before] and moving[after]:
            yield Finding(
                f"{quoted(clip.name)} repeats a frame when it loops: its "
                f"{'first' if one == 0 else 'last'} two frames are the same",
                1000 / rate,
                "ms",
                time=at,
            )


def _steps(context: CheckContext, c: int, found: EndComparison, count: int) -> F64:
    """Return the root mean square motion of the joints between frames [count], metres."""
    shown = context.sampled(c)
    at = np.linspace(0, len(shown.times) - 1, count + 1)
    low = np.minimum(at.astype(int), len(shown.times) - 2)
    fraction = (at - low)[:, None, None]
    positions = shown.positions[:, found.joints]
    between = positions[low] * (1 - fraction) + positions[low + 1] * fraction
    return mean_length(np.diff(between, axis=0))


@rule(
    "root-drift",
    "size",
    "each pass of a loop on the spot displaces the whole body, or one that travels moves it "
    "beside its path",
    "close the curves of the root, or keep the root in place with a motion file",
    Limit("mm", 5.0, "mm", "displacement of the whole body per pass", scaled=True),
    Limit("percent", 2.0, "%", "deviation of a travelling clip, of the length of its path"),
    Limit("degrees", 1.0, "°", "rotation per pass"),
)
@per_loop
def _drifts(context: CheckContext, limits: Limits, c: int, clip: Clip) -> Iterator[Finding]:
    found = context.cached(compare_ends, c)
    name = context.model.skeleton.names[context.hips] if context.hips >= 0 else ""
    for amount, unit, limit, words in _amounts(context, c, found, limits):
        yield Finding(
            f"{quoted(clip.name)} drifts: after each pass the whole body is "
            f"{measure(amount, unit)} {words}",
            amount,
            unit,
            limits[limit],
            joint=name,
            time=clip.end,
            size=size_of_rotation(context, context.hips, amount) if unit == "°" else amount / 1000,
        )


def _amounts(
    context: CheckContext, c: int, found: EndComparison, limits: Limits
) -> Iterator[tuple[float, str, str, str]]:
    """Yield the drifts: an amount, its unit, the exceeded limit, and the direction."""
    x, y, z = (float(part) * 1000 for part in found.displacement)
    settings = motion_file_settings(context, c)
    axes = "" if settings is None or settings.root is None else settings.root.axes
    kept = axes if settings is not None and settings.root and settings.root.mode != "keep" else ""
    aside = _aside(x, z, found.travels)
    if aside > limits["mm"] and not {"x", "z"} <= set(kept):
        if not found.travels:
            yield aside, "mm", "mm", "displaced along the floor"
        elif aside > limits["percent"] / 100 * found.ground_distance * 1000:
            path = measure(found.ground_distance * 1000, "mm")
            yield aside, "mm", "mm", f"beside its path, {path} long"
    if limits["mm"] < abs(y) < CLIMBS * context.scale * REFERENCE_HEIGHT * 1000 and "y" not in kept:
        yield abs(y), "mm", "mm", "higher" if y > 0 else "lower"
    turn = float(np.degrees(found.turn))
    turns = settings is not None and settings.root is not None and settings.root.turn
    if limits["degrees"] < abs(turn) < MEANT and not turns:
        yield abs(turn), "°", "degrees", f"rotated to its {'left' if turn > 0 else 'right'}"


def _aside(x: float, z: float, travels: bool) -> float:
    """Return the drift along the floor: the whole displacement, or that across its axis."""
    if not travels:
        return float(np.hypot(x, z))
    off = min(abs(x), abs(z))
    return off if np.degrees(np.arctan2(off, max(abs(x), abs(z)))) < NEAR else 0.0
