"""When feet are on the ground, how fast the ground goes beneath them, and how far they slip."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..animation.types import F64, Bool, Index
from ..model.skinned_vertices import model_space
from .clip_ends import ends
from .feet import Foot, Steps, floor, steps
from .looping_clips import looping
from .subject import TALL, Subject

# Lengths are shares of the height; speeds are for a character 1.8 m tall.
REACHES = 0.06  # feet that come no nearer to the floor are not made to stand on it
DWELLS = 0.004  # how precisely a foot keeps the height that it stands at
NEAR = 0.012  # above where a foot stands: near the ground
CARRIES = 0.004  # above the lowest of a contact: carries the body
LIES = 0.4  # of the height of the hips at rest: a body whose hips are lower lies on something else
SINKS = 0.25  # m/s up or down: what goes faster does not stand
ALIKE = 0.12  # m/s: velocities of feet that stand on one ground differ by so much
AGREE = 0.5  # of all that is low: so much has to go at one speed for that to be the ground's
STANDS = 0.1  # m/s: ground that goes slower stands
SLIPS = 0.3  # m/s: what goes faster against the ground, or over one that stands, is a swing
TURNS = 3.0  # degrees a second: a ground that turns slower does not turn
SETTLED = 0.3, 0.15  # m/s, and a share of the ground's speed: a contact begins and ends so slow
REELS = 0.6  # m/s: a ground that turns goes so much faster or slower beneath a foot, at most
BRIEF = 0.08  # seconds: what is shorter is no contact
COARSE = 0.05  # seconds between samples: of clips so long nothing can be said
MOSTLY = 0.1, 0.9  # quantiles: what goes slower or faster is seldom
STARTS, LOOKED = 24, 400  # velocities that the common one is looked for from, and among


class Contact(NamedTuple):
    """A foot on the ground."""

    begin: float  # seconds of the clip
    end: float  # before `begin` where it goes on over the seam of a loop
    slid: float  # metres that it gets away from where it stands on the ground


@dataclass(frozen=True, slots=True, eq=False)
class Contacts:
    """What the feet of a clip do on the ground."""

    ground: F64  # [2] metres a second along x and z that the ground goes, below the origin
    turn: float  # radians a second that it turns about +Y
    lowest: float  # metres above the floor that any foot gets to
    feet: tuple[tuple[Foot, tuple[Contact, ...]], ...]
    pace: tuple[float, float]  # metres a second that they go, most of the time that they are low

    @property
    def speed(self) -> float:
        """Metres a second over the ground."""
        return float(np.hypot(*self.ground))


def contacts(subject: Subject, index: int) -> Contacts | None:
    """Return the contacts of a clip's feet; None where it has none to speak of.

    On the spot feet are pushed back over a ground that goes at one speed: the one that most of
    what is low has in common, or their median. Clips that travel, and those that do not loop, have
    a ground that stands; where feet on the spot go over it once, nothing can be said. Use it by
    `Subject.once`.
    """
    every, unit = subject.once(steps, index), subject.scale
    shown, tall = subject.sampled(index), unit * TALL
    sound = all(np.isfinite(each.heights + each.velocities.sum(axis=1)).all() for each in every)
    if not every or not sound or shown.step > COARSE:
        return None
    bases = [_base(each.heights, tall) for each in every]
    upright = _upright(subject, index)
    low = [
        _low(each, base, shown.step, unit) & upright
        for each, base in zip(every, bases, strict=True)
        if base < REACHES * tall
    ]
    if len(low) < len(every) or not any(on.any() for on in low):
        return None
    loop, travels = looping(subject, index).wanted, subject.once(ends, index).travels
    common, turn = _ground(every, low, unit, loop and not travels)
    if float(np.hypot(*common)) < STANDS * unit:
        common, turn = np.zeros(2), 0.0
    elif not loop and not travels:
        return None
    ground = np.zeros(2) if travels else common
    found = []
    for each, on in zip(every, low, strict=True):
        own = common + _swept(each.places, turn)
        held = on & _held(each.velocities, own, unit)
        runs = _runs(held, _settled(each.velocities, own, unit), loop, shown.step)
        slip = each.velocities - own + common - ground
        stands = tuple(_contact(each.heights, slip, rows, shown.times, unit) for rows in runs)
        found.append((each.foot, stands))
    lowest = min(float(each.heights.min()) for each in every)
    moves = np.concatenate([each.velocities[on] for each, on in zip(every, low, strict=True)])
    slow, fast = np.quantile(np.hypot(*moves.T), MOSTLY).tolist()
    return Contacts(ground, turn, lowest, tuple(found), (slow, fast))


def _base(heights: F64, tall: float) -> float:
    """Return the height that a foot keeps the longest, of those near its lowest."""
    few = heights[heights <= heights.min() + REACHES * tall]
    few = few[:: max(1, len(few) // LOOKED)]
    close = np.abs(few[:, None] - few) < DWELLS * tall
    return float(few[int(np.argmax(close.sum(axis=1)))])


def _upright(subject: Subject, index: int) -> Bool:
    """Tell when [T - 1] the hips are so high that feet carry them."""
    skeleton, hips = subject.model.skeleton, max(subject.hips, 0)
    places, low = subject.sampled(index).places[:, hips, 1], subject.once(floor)
    rest = float(model_space(skeleton, skeleton.rest)[0][hips, 1, 3]) - low
    middle = (places[1:] + places[:-1]) / 2 - low
    return np.asarray(middle > LIES * rest) if rest > 0 else np.ones(len(middle), bool)


def _low(each: Steps, base: float, step: float, unit: float) -> Bool:
    """Tell when [T - 1] a foot is near the ground and neither comes nor goes."""
    rising = np.abs(np.gradient(each.heights, step))
    return np.asarray((each.heights < base + NEAR * unit * TALL) & (rising < SINKS * unit))


def _ground(
    every: Sequence[Steps], low: Sequence[Bool], unit: float, moving: bool
) -> tuple[F64, float]:
    """Return how fast [2] the ground goes beneath what is low, and how fast it turns."""
    ground = _common([each.velocities[on] for each, on in zip(every, low, strict=True)], unit)
    if not moving:
        return ground, 0.0
    near = [np.hypot(*(each.velocities - ground).T) < REELS * unit for each in every]
    rows = [on & close for on, close in zip(low, near, strict=True)]
    turn = _turning(every, rows)
    if not turn:
        return ground, 0.0
    kept = [
        each.velocities[on] - _swept(each.places[on], turn)
        for each, on in zip(every, rows, strict=True)
    ]
    return _common(kept, unit), turn


def _common(parts: Sequence[F64], unit: float) -> F64:
    """Return the velocity [2] that most are near to: the peak of their density, or the median."""
    velocities = np.concatenate(parts)
    if not len(velocities):
        return np.zeros(2)
    few = velocities[:: max(1, len(velocities) // LOOKED)]
    at, alike = few[:: max(1, len(few) // STARTS)], ALIKE * unit
    near = np.zeros((len(at), len(few)))
    for _ in range(10):
        near = np.exp(-((at[:, None] - few) ** 2).sum(axis=2) / (2 * alike**2))
        at = (near @ few) / np.maximum(near.sum(axis=1), 1e-12)[:, None]
    best = at[int(np.argmax(near.sum(axis=1)))]
    close = np.hypot(*(few - best).T) < 2 * alike
    return np.asarray(best if close.mean() >= AGREE else np.median(few, axis=0))


def _turning(every: Sequence[Steps], rows: Sequence[Bool]) -> float:
    """Return how fast the ground turns, radians a second; 0 where that explains little.

    Only what changes of a foot's velocity along its way counts, so that feet that slip apart are
    no turn.
    """
    moves, arms = [], []
    for each, on in zip(every, rows, strict=True):
        if on.sum() < 3:
            continue
        x, z = (each.places[on] - each.places[on].mean(axis=0)).T
        moves.append((each.velocities[on] - each.velocities[on].mean(axis=0)).ravel())
        arms.append(np.stack([z, -x], axis=1).ravel())
    if not moves:
        return 0.0
    move, arm = np.concatenate(moves), np.concatenate(arms)
    turn = float(arm @ move / max(float(arm @ arm), 1e-12))
    left = move - turn * arm
    explains = left @ left < 0.5 * (move @ move)
    return turn if explains and abs(turn) > np.radians(TURNS) else 0.0


def _swept(places: F64, turn: float) -> F64:
    """Return how fast [..., 2] a ground that turns about the origin goes at places [..., 2]."""
    return np.stack([places[..., 1], -places[..., 0]], axis=-1) * turn


def _held(velocities: F64, ground: F64, unit: float) -> Bool:
    """Tell which velocities [n, 2] are those of a foot on the ground, rather than of a swing."""
    slip, speed = velocities - ground, np.hypot(*np.broadcast_to(ground, velocities.shape).T)
    return np.asarray(np.hypot(*slip.T) < SLIPS * unit + speed)


def _settled(velocities: F64, ground: F64, unit: float) -> Bool:
    """Tell which velocities [n, 2] are nearly the ground's."""
    slip, speed = velocities - ground, np.hypot(*np.broadcast_to(ground, velocities.shape).T)
    return np.asarray(np.hypot(*slip.T) < SETTLED[0] * unit + SETTLED[1] * speed)


def _runs(held: Bool, settled: Bool, loop: bool, step: float) -> list[Index]:
    """Return the stretches of samples that are held, over the seam of a loop as one.

    Each begins and ends with a sample that is settled: landing and lifting off are none of it.
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


def _contact(heights: F64, slip: F64, rows: Index, times: F64, unit: float) -> Contact:
    """Return what a foot does in a stretch of samples, that slips at a velocity [T - 1, 2]."""
    carries = heights[rows] < heights[rows].min() + CARRIES * unit * TALL
    way = np.cumsum(np.where(carries[:, None], slip[rows], 0) * (times[1] - times[0]), axis=0)
    few = np.concatenate([np.zeros((1, 2)), way[:: max(1, len(way) // LOOKED)], way[-1:]])
    extent = float(np.sqrt(((few[:, None] - few) ** 2).sum(axis=2).max()))
    return Contact(float(times[rows[0]]), float(times[rows[-1] + 1]), extent)
