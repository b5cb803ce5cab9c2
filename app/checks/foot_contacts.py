"""Feet of a character, and their contacts in a clip: times, velocity of the ground, sliding.

Feet are joints with their lowest points, and the motion of these over the ground.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..animation.playback import Loop
from ..animation.types import F64, I32, Bool, Index
from ..animation.vectors import length
from ..model.model import Model
from ..model.skinned_vertices import VertexBlock
from ..motion.document import ClipSettings, MotionDoc
from ..motion.read import MotionFile
from ..retargeting.ground_contact import outermost
from ..retargeting.joint_matching import MappedSkeleton, body_parts_of, normalized_names_of
from ..retargeting.reference_pose import descendants
from ..scene.contact_spans import ContactSpan, ContactSpans
from .check_context import REFERENCE_HEIGHT, CheckContext, ClipPoses
from .clip_ends import compare_ends
from .looping_clips import loop_decision

ON_FLOOR = 0.05  # of the height: points closer to the floor at rest are on the floor
GROUND = 0.1  # of the height: with a lowest vertex closer to y = 0, the floor is y = 0
MIRRORED = 0.05  # of the height: tolerance for two mirrored leaf joints to be a pair
HELD = 0.5  # of a vertex's weights: with more, the vertex belongs to a foot
SOFT = 0.002  # of the height: softness of the choice of the lowest points


@dataclass(frozen=True, slots=True, eq=False)
class Foot:
    """Points on the surface of a foot, and the joints they are bound to."""

    name: str
    side: str  # "left" or "right", "" if the name has no side
    joint: int
    joints: Index  # [P]
    points: F64  # [P, 3] joint space

    def positions(self, shown: ClipPoses) -> F64:
        """Return the positions of the points [T, P, 3], metres, model space."""
        matrices = shown.matrices[:, self.joints]
        turned: F64 = np.einsum("tpab,pb->tpa", matrices[..., :3, :3], self.points)
        return turned + matrices[..., :3, 3]


@dataclass(frozen=True, slots=True, eq=False)
class FootMotion:
    """Motion of a foot, between consecutive samples of a clip [T - 1]."""

    foot: Foot
    heights: F64  # [T - 1] metres, lowest point above the floor
    positions: F64  # [T - 1, 2] metres, x and z of the lowest points
    velocities: F64  # [T - 1, 2] metres per second, of the same points


def floor(context: CheckContext) -> float:
    """Return the height of the floor: 0, or the lowest vertex at rest if that is far from 0."""
    lowest = min(
        (float(points[:, 1].min()) for _, points in context.cached(_rest)),
        default=float(context.rest[0][:, 1, 3].min(initial=0)),
    )
    tall = context.scale * REFERENCE_HEIGHT
    return 0.0 if not abs(lowest) > GROUND * tall else lowest


def feet(context: CheckContext) -> list[Foot]:
    """Return the feet: by joint name, else the pairs of leaf joints on the floor at rest.

    Hands that are on the floor at rest are feet too.
    """
    tall, low = context.scale * REFERENCE_HEIGHT, context.cached(floor)
    named = body_parts_of(_body(context))
    ankles = [joint for joint, role in named.items() if role.part == "foot"]
    ankles = ankles or [joint for joint, role in named.items() if role.part == "toes"]
    palms = [joint for joint, role in named.items() if role.part == "hand"]
    found = [_foot(context, joint) for joint in sorted(ankles)]
    found += [
        foot
        for foot in (_foot(context, joint) for joint in sorted(palms))
        if _lowest(context, foot) < low + ON_FLOOR * tall
    ]
    if len(found) >= 2:
        return found
    return _pairs(context, low, tall)


def foot_motions(context: CheckContext, index: int) -> list[FootMotion]:
    """Return the motion of all feet in a clip; call it by `context.cached`."""
    shown, low = context.sampled(index), context.cached(floor)
    if len(shown.times) < 3:
        return []
    return [_steps(context, foot, shown, low) for foot in context.cached(feet)]


def _steps(context: CheckContext, foot: Foot, shown: ClipPoses, low: float) -> FootMotion:
    positions = foot.positions(shown)
    middle = (positions[1:, :, 1] + positions[:-1, :, 1]) / 2
    heights = middle.min(axis=1)
    weights = np.exp((heights[:, None] - middle) / (SOFT * context.scale * REFERENCE_HEIGHT))
    weights /= weights.sum(axis=1, keepdims=True)
    ground = positions[..., ::2]
    at = np.einsum("tp,tpa->ta", weights, (ground[1:] + ground[:-1]) / 2)
    moves = np.einsum("tp,tpa->ta", weights, np.diff(ground, axis=0) / shown.step)
    return FootMotion(foot, heights - low, at, moves)


def _rest(context: CheckContext) -> list[tuple[VertexBlock, F64]]:
    """Return the rest positions [V, 3] of all vertices, by block."""
    rest, matrices = context.model.skeleton.rest, context.rest[0]
    return [
        (block, block.skinned(block.palette(matrices), block.morphed(rest.values)))
        for block in context.blocks
    ]


def _foot(context: CheckContext, joint: int) -> Foot:
    """Return the outermost points of the mesh below a joint; without a skin, the joint origins."""
    skeleton = context.model.skeleton
    inside = descendants(skeleton, joint)
    matrices = context.rest[0]
    joints: list[Index] = []
    points: list[F64] = []
    for block, placed in context.cached(_rest):
        own = np.flatnonzero(inside[block.joints])
        if not len(own):
            continue
        heaviest = own[block.weights[:, own].argmax(axis=1)]
        held = block.weights[:, own].sum(axis=1) > HELD
        for column in np.unique(heaviest[held]).tolist():
            carrier = int(block.joints[column])
            few = placed[held & (heaviest == column)]
            back = np.linalg.pinv(matrices[carrier])
            local = outermost(few @ back[:3, :3].T + back[:3, 3])
            joints.append(np.full(len(local), carrier))
            points.append(local)
    if not joints:
        only = context.skin_joints[inside[context.skin_joints]].astype(np.intp)
        only = only if len(only) else np.array([joint])
        joints, points = [only], [np.zeros((len(only), 3))]
    name, side = skeleton.names[joint], context.cached(_sides)[joint]
    return Foot(name, side, joint, np.concatenate(joints), np.concatenate(points))


def _body(context: CheckContext) -> MappedSkeleton:
    return MappedSkeleton(context.model.skeleton, context.skin_joints, context.model.humanoid)


def _sides(context: CheckContext) -> dict[int, str]:
    """Return the side in the name of each joint of the skins."""
    return {joint: name.side for joint, name in normalized_names_of(_body(context)).items()}


def _lowest(context: CheckContext, foot: Foot) -> float:
    """Return the height of a foot's lowest point at rest."""
    own = context.rest[0][foot.joints]
    return float(((own[:, 1, :3] * foot.points).sum(axis=1) + own[:, 1, 3]).min())


def _pairs(context: CheckContext, low: float, tall: float) -> list[Foot]:
    """Return the leaf joints of the skin that are on the floor at rest and have a mirror image."""
    if not context.model.skins:
        return []
    joints: I32 = context.skin_joints
    above = set(context.model.skeleton.parents[joints].tolist())
    leaves = [_foot(context, joint) for joint in joints.tolist() if joint not in above]
    standing = [foot for foot in leaves if _lowest(context, foot) < low + ON_FLOOR * tall]
    positions = context.rest[0][[foot.joint for foot in standing], :3, 3]
    return [foot for k, foot in enumerate(standing) if _has_mirrored(positions, k, MIRRORED * tall)]


def _has_mirrored(positions: F64, index: int, near: float) -> bool:
    """Return whether another position [P, 3] is a mirror image of the one at an index."""
    apart = length(positions - positions[index] * [-1, 1, 1])
    apart[index] = np.inf
    return bool(apart.min() < near)


# Lengths are shares of the height; speeds are for a character 1.8 m tall.
REACHES = 0.06  # feet that stay higher above the floor have no contacts
DWELLS = 0.004  # tolerance for samples to be at the same height
NEAR = 0.012  # above the contact height: near the ground
TOUCHES = 0.0015  # above or below the contact height: on the ground at any speed
CARRIES = 0.004  # above the lowest sample of a contact: bears weight
LIES = 0.4  # of the height of the hips at rest: with lower hips the body does not stand on its feet
SINKS = 0.25  # m/s: a contact has a lower vertical speed
STAYS = 0.03  # m/s: a foot that stays on the ground at any speed has a lower vertical speed
ALIKE = 0.12  # m/s: spread of the velocities of feet on the same ground
SHARP = 0.3  # share of that spread, for the exact velocity
AGREE = 0.5  # share of the samples near the ground that must agree on the ground velocity
STANDS = 0.1  # m/s: below this the ground is static
SLIPS = 0.3  # m/s relative to the ground (plus its speed): above this the foot swings
TURNS = 3.0  # degrees per second: below this the ground does not turn
SETTLED = 0.3, 0.15  # m/s, and share of the ground speed: slide speed at the ends of a contact
REELS = 0.6  # m/s: how much a turning ground changes the velocity below a foot, at most
CALM = 0.5  # share of a contact in which a foot that follows the ground does so
BRIEF = 0.08  # seconds: the shortest contact
COARSE = 0.05  # seconds between samples: with larger steps contacts are not detected
SPEED_QUANTILES = 0.1, 0.9  # quantiles of the speed range
STARTS, LOOKED = 24, 400  # start points of the mean shift, and samples that it uses


class Contact(NamedTuple):
    """A time span in which a foot is on the ground."""

    begin: float  # seconds of the clip
    end: float  # before `begin` if the contact spans the seam of a loop
    slide: float  # metres, greatest distance between its positions on the ground
    calm: bool  # whether the foot mostly moves with the ground


@dataclass(frozen=True, slots=True, eq=False)
class Contacts:
    """The foot contacts of a clip."""

    ground_velocity: F64  # [2] metres per second, at the origin along x and z
    ground_turn: float  # radians per second, angular velocity of the ground about +Y
    lowest: float  # metres above the floor, lowest point of any foot
    feet: tuple[tuple[Foot, tuple[Contact, ...]], ...]
    speed_range: tuple[float, float]  # metres per second, range of the foot speeds near the ground

    @property
    def speed(self) -> float:
        """Speed of the ground, metres per second."""
        return float(np.hypot(*self.ground_velocity))

    @property
    def followed(self) -> int:
        """Number of feet that move with the ground in a contact."""
        return sum(any(contact.calm for contact in of_foot) for _, of_foot in self.feet)

    @property
    def fits(self) -> bool:
        """Whether the ground is static, or at least half of the feet move with it."""
        return not self.speed or self.followed >= len(self.feet) / 2


def contacts(context: CheckContext, index: int) -> Contacts | None:
    """Return the contacts of a clip's feet; None if they cannot be detected.

    A looping clip on the spot is treated as motion over a ground of constant velocity: the
    velocity that most samples near the floor share, or their median. Clips that travel and clips
    that do not loop have a static ground; None if a clip on the spot that does not loop moves its
    feet over it. Call it by `context.cached`.
    """
    motions, scale = context.cached(foot_motions, index), context.scale
    shown, tall = context.sampled(index), scale * REFERENCE_HEIGHT
    finite = all(
        np.isfinite(foot_motion.heights + foot_motion.velocities.sum(axis=1)).all()
        for foot_motion in motions
    )
    if not motions or not finite or shown.step > COARSE:
        return None
    bases = [_base(foot_motion.heights, tall) for foot_motion in motions]
    upright = _upright(context, index)
    low = [
        _low(foot_motion, base, shown.step, scale) & upright
        for foot_motion, base in zip(motions, bases, strict=True)
        if base < REACHES * tall
    ]
    if len(low) < len(motions) or not any(on.any() for on in low):
        return None
    loop = loop_decision(context, index).expected
    travels = context.cached(compare_ends, index).travels
    common, turn = _ground(motions, low, scale, loop and not travels)
    if float(np.hypot(*common)) < STANDS * scale:
        common, turn = np.zeros(2), 0.0
    elif not loop and not travels:
        return None
    ground = np.zeros(2) if travels else common
    grounds = [common + _swept(each.positions, turn) for each in motions]
    found = []
    standing = [
        on & _follows(each.velocities, own, SLIPS * scale, 1.0)
        for each, on, own in zip(motions, low, grounds, strict=True)
    ]
    carried = np.any(standing, axis=0)
    for each, on, own, base, stands in zip(motions, low, grounds, bases, standing, strict=True):
        held = stands | (on & ~carried) | _touches(each, base, shown.step, scale)
        calm = _follows(each.velocities, own, SETTLED[0] * scale, SETTLED[1])
        runs = _runs(held, calm, loop, shown.step)
        slip = each.velocities - own + common - ground
        of_foot = tuple(
            _contact(each.heights, slip, rows, shown.times, scale, bool(calm[rows].mean() > CALM))
            for rows in runs
        )
        found.append((each.foot, of_foot))
    lowest = min(float(each.heights.min()) for each in motions)
    moves = np.concatenate([each.velocities[on] for each, on in zip(motions, low, strict=True)])
    slow, fast = np.quantile(np.hypot(*moves.T), SPEED_QUANTILES).tolist()
    return Contacts(ground, turn, lowest, tuple(found), (slow, fast))


def _base(heights: F64, tall: float) -> float:
    """Return the most frequent height of a foot among those near its lowest."""
    few = heights[heights <= heights.min() + REACHES * tall]
    few = few[:: max(1, len(few) // LOOKED)]
    close = np.abs(few[:, None] - few) < DWELLS * tall
    return float(few[int(np.argmax(close.sum(axis=1)))])


def _upright(context: CheckContext, index: int) -> Bool:
    """Return [T - 1] whether the hips are high enough for the body to stand on its feet."""
    hips = max(context.hips, 0)
    positions, low = context.sampled(index).positions[:, hips, 1], context.cached(floor)
    rest = float(context.rest[0][hips, 1, 3]) - low
    middle = (positions[1:] + positions[:-1]) / 2 - low
    return np.asarray(middle > LIES * rest) if rest > 0 else np.ones(len(middle), bool)


def _low(motion: FootMotion, base: float, step: float, scale: float) -> Bool:
    """Return [T - 1] whether a foot is near the ground with little vertical speed."""
    rising = np.abs(np.gradient(motion.heights, step))
    return np.asarray(
        (motion.heights < base + NEAR * scale * REFERENCE_HEIGHT) & (rising < SINKS * scale)
    )


def _touches(motion: FootMotion, base: float, step: float, scale: float) -> Bool:
    """Return [T - 1] whether a foot stays at its contact height, at any speed along the ground."""
    rising = np.abs(np.gradient(motion.heights, step))
    above = np.abs(motion.heights - base)
    return np.asarray((above < TOUCHES * scale * REFERENCE_HEIGHT) & (rising < STAYS * scale))


def _ground(
    motions: Sequence[FootMotion], low: Sequence[Bool], scale: float, moving: bool
) -> tuple[F64, float]:
    """Return the velocity [2] of the ground and its angular velocity."""
    ground = _common(
        [motion.velocities[on] for motion, on in zip(motions, low, strict=True)], scale
    )
    if not moving:
        return ground, 0.0
    near = [np.hypot(*(motion.velocities - ground).T) < REELS * scale for motion in motions]
    rows = [on & close for on, close in zip(low, near, strict=True)]
    turn = _turning(motions, rows)
    if not turn:
        return ground, 0.0
    kept = [
        motion.velocities[on] - _swept(motion.positions[on], turn)
        for motion, on in zip(motions, rows, strict=True)
    ]
    return _common(kept, scale), turn


def _common(parts: Sequence[F64], scale: float) -> F64:
    """Return the most common velocity [2]: the peak of the density (mean shift), or the median."""
    velocities = np.concatenate(parts)
    if not len(velocities):
        return np.zeros(2)
    few = velocities[:: max(1, len(velocities) // LOOKED)]
    at, alike = few[:: max(1, len(few) // STARTS)], ALIKE * scale
    near = np.zeros((len(at), len(few)))
    for _ in range(10):
        near = np.exp(-((at[:, None] - few) ** 2).sum(axis=2) / (2 * alike**2))
        at = (near @ few) / np.maximum(near.sum(axis=1), 1e-12)[:, None]
    best = at[int(np.argmax(near.sum(axis=1)))]
    for _ in range(3):  # a narrower kernel, which feet that slide do not shift
        near = np.exp(-((best - few) ** 2).sum(axis=1) / (2 * (SHARP * alike) ** 2))
        best = (near @ few) / max(float(near.sum()), 1e-12)
    close = np.hypot(*(few - best).T) < 2 * alike
    return np.asarray(best if close.mean() >= AGREE else np.median(few, axis=0))


def _turning(motions: Sequence[FootMotion], rows: Sequence[Bool]) -> float:
    """Return the angular velocity of the ground, radians per second; 0 if it explains little.

    Only the deviations of each foot from its own mean velocity count, so that feet that slide
    apart are not taken for a turn.
    """
    moves, arms = [], []
    for motion, on in zip(motions, rows, strict=True):
        if on.sum() < 3:
            continue
        x, z = (motion.positions[on] - motion.positions[on].mean(axis=0)).T
        moves.append((motion.velocities[on] - motion.velocities[on].mean(axis=0)).ravel())
        arms.append(np.stack([z, -x], axis=1).ravel())
    if not moves:
        return 0.0
    move, arm = np.concatenate(moves), np.concatenate(arms)
    turn = float(arm @ move / max(float(arm @ arm), 1e-12))
    left = move - turn * arm
    explains = left @ left < 0.5 * (move @ move)
    return turn if explains and abs(turn) > np.radians(TURNS) else 0.0


def _swept(positions: F64, turn: float) -> F64:
    """Return the velocities [..., 2] at positions [..., 2] of a ground turning about the origin."""
    return np.stack([positions[..., 1], -positions[..., 0]], axis=-1) * turn


def _follows(velocities: F64, ground: F64, slip: float, share: float) -> Bool:
    """Return [n] which velocities [n, 2] are those of the ground.

    They differ by less than `slip`, metres per second, and a share of the speed of the ground.
    """
    speed = np.hypot(*np.broadcast_to(ground, velocities.shape).T)
    return np.asarray(np.hypot(*(velocities - ground).T) < slip + share * speed)


def _runs(held: Bool, settled: Bool, loop: bool, step: float) -> list[Index]:
    """Return the runs of samples in contact; in a loop, a run may span the seam.

    Each begins and ends with a settled sample, which excludes landing and lifting off.
    """
    count, shift = len(held), 0
    if loop and held[0] and held[-1] and not held.all():
        shift = int(np.flatnonzero(~held)[-1]) + 1
    order = np.roll(np.arange(count), -shift)
    edges = np.flatnonzero(np.diff(held[order].astype(int), prepend=0, append=0))
    runs = []
    for a, b in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        calm = np.flatnonzero(settled[order[a:b]])
        if len(calm) and (calm[-1] + 1 - calm[0]) * step >= BRIEF:
            runs.append(order[a + calm[0] : a + calm[-1] + 1])
    return runs


def _contact(heights: F64, slip: F64, rows: Index, times: F64, scale: float, calm: bool) -> Contact:
    """Return the contact of a run of samples, for slide velocities [T - 1, 2]."""
    bears_weight = heights[rows] < heights[rows].min() + CARRIES * scale * REFERENCE_HEIGHT
    path = np.cumsum(np.where(bears_weight[:, None], slip[rows], 0) * (times[1] - times[0]), axis=0)
    few = np.concatenate([np.zeros((1, 2)), path[:: max(1, len(path) // LOOKED)], path[-1:]])
    extent = float(np.sqrt(((few[:, None] - few) ** 2).sum(axis=2).max()))
    return Contact(float(times[rows[0]]), float(times[rows[-1] + 1]), extent, calm)


@np.errstate(all="ignore")  # invalid numbers of a file propagate
def clip_contacts(model: Model, number: int, own_loop: Loop | None = None) -> ContactSpans:
    """Return the contacts of a clip's feet; without feet on the ground, none.

    Parameters
    ----------
    number
        Index of the clip.
    own_loop
        Its loop mode in the motion file; None: not set.
    """
    clip, motion = model.clips[number], None
    if own_loop is not None:
        loops = own_loop[0] == "loop" and own_loop[1] > 1
        settings = ClipSettings(loop="loop" if loops else "once")
        motion = MotionFile(MotionDoc(clips={f"#{number}": settings}))
    context = CheckContext(model, clips=(number,), motion=motion)
    found = context.cached(contacts, number) if clip.duration > 0 else None
    if found is None or not found.fits:
        return ContactSpans(clip, {})
    spans = {
        foot.joint: tuple(ContactSpan(each.begin, each.end, each.slide) for each in of_foot)
        for foot, of_foot in found.feet
    }
    return ContactSpans(clip, spans)
