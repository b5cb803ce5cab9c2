"""The one kernel that blends poses: a weighted mean of several, and one mixed over another."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from app.animation import orientation
from app.animation.mask import Mask
from app.animation.pose import PARTS, Pose
from app.animation.rig import Rig
from app.animation.rotation import TOO_SHORT, Blend, between, mean_of
from app.animation.types import F32, F64, Index

_ROUNDING = 1e-5  # of the square of a sum of rotations
_ONES = np.ones(
    (4, 4), np.float32
)  # a product with it sums four components, twice as fast as einsum


class PoseStack:
    """Poses side by side, and their weighted mean (SPEC D1).

    Parameters
    ----------
    rig
        Its rest pose is what no weight at all gives.
    count
        n, how many poses.
    batch
        Of each pose.
    ranks
        [n] which pose comes first in the file: of equal weights the lowest rank is the heaviest,
        so that the order of the poses does not matter. Without them, their order.
    """

    def __init__(
        self,
        rig: Rig,
        count: int,
        batch: tuple[int, ...] = (),
        ranks: Sequence[int] | None = None,
    ) -> None:
        rest = rig.skeleton.rest
        self.rig = rig
        self.data: F32 = np.empty((*batch, count, rest.data.shape[-1]), np.float32)
        self.data[...] = rest.data
        joints = rest.count
        self.rows = tuple(Pose.over(self.data[..., i, :], joints) for i in range(count))
        self._order = sorted(range(count), key=(ranks or range(count)).__getitem__)
        self._rotation = Pose.over(self.data, joints).rotation  # [..., n, J, 4]
        self._values_are_no_sums = bool(rig.step.any() or rig.rotations)

    @np.errstate(all="ignore")  # absurd numbers of a file show as they are
    def mean(self, weights: ArrayLike, out: Pose, rotation: Blend = "nlerp") -> None:
        """Write the weighted mean of the rows.

        Parameters
        ----------
        weights
            [n] for all characters, or [..., n]; not negative, of any sum. A single pose that
            weighs anything is copied bit for bit; none at all gives the rest pose.
        out
            Pose of the stack's batch; not one of the rows.
        rotation
            How rotations are blended, signs by the dot with the heaviest.

        Raises
        ------
        ValueError
            Where there is not a weight for each pose.
        """
        given: F64 = np.asarray(weights, np.float64)
        if given.shape[-1:] != (len(self.rows),):
            raise ValueError(f"weights must be [..., {len(self.rows)}], not {given.shape}")
        if given.ndim > 1:
            self._mean_of_each(np.maximum(given, 0.0), out, rotation)
            return
        listed = given.tolist()
        data, turned = self.data, self._rotation
        if min(listed) > 0 and len(listed) > 1:
            heaviest = max(self._order, key=listed.__getitem__)  # of equal ones the first
        else:
            active = [i for i in self._order if listed[i] > 0]
            if len(active) < 2:
                out.assign(self.rows[active[0]] if active else self.rig.skeleton.rest)
                return
            data = data[..., active, :]
            turned = Pose.over(data, out.count).rotation
            listed = [listed[i] for i in active]
            heaviest = listed.index(max(listed))
        total = sum(listed)
        parts = [weight / total for weight in listed]
        shares = np.array(parts, np.float32)
        (np.dot if data.ndim == 2 else np.matmul)(shares, data, out=out.data)
        least = 1.0 - 2.0 * min(parts) * parts[heaviest] + _ROUNDING
        if rotation == "slerp" or not _quick_unit(turned, shares, heaviest, least, out.rotation):
            place = np.full(data.shape[:-2], heaviest)
            out.rotation[...] = mean_of(turned, shares, place, rotation)
        if self._values_are_no_sums:
            place = np.full(data.shape[:-2], heaviest)
            _finish_values(self.rig, data[..., PARTS * out.count :], shares, place, out, rotation)

    def _mean_of_each(self, weights: F64, out: Pose, rotation: Blend) -> None:
        """Write the means of characters that each have weights [..., n] of their own."""
        order = np.array(self._order)
        heaviest = order[np.argmax(weights[..., order], axis=-1)]
        total = weights.sum(axis=-1, keepdims=True)
        shares = (weights / np.where(total > 0, total, 1)).astype(np.float32)
        np.matmul(shares[..., None, :], self.data, out=out.data[..., None, :])
        out.rotation[...] = mean_of(self._rotation, shares, heaviest, rotation)
        _finish_values(
            self.rig, self.data[..., PARTS * out.count :], shares, heaviest, out, rotation
        )
        count = np.count_nonzero(weights, axis=-1)
        alone = count == 1
        if alone.any():
            out.data[alone] = self.data[alone, heaviest[alone]]
        out.data[count == 0] = self.rig.skeleton.rest.data


def _quick_unit(q: F32, shares: F32, heaviest: int, least: float, sums: F32) -> bool:
    """Make means of plain sums [..., J, 4], in the fewest calls; tell whether that went well.

    Plain sums are right where all rotations are on the side of the heaviest. Their squares say so
    where they are long: |sum|² = 1 - 2 Σ wᵢ wⱼ (1 - qᵢ·qⱼ) over all pairs, which with one on the
    other side is below 1 - 2 w_least w_heaviest. A product with ones sums in half the time that
    einsum takes.
    """
    squares = np.matmul(sums * sums, _ONES)  # [..., J, 4], four times the same
    if not np.minimum.reduce(squares, axis=None, initial=1.0) > least:
        dots = np.matmul(q * q[..., heaviest, None, :, :], _ONES)  # [..., n, J, 4]
        near = np.copysign(shares[:, None, None], dots)
        np.add.reduce(np.multiply(near, q, out=near), axis=-3, out=sums)
        squares = np.matmul(sums * sums, _ONES)
        if not np.minimum.reduce(squares, axis=None, initial=1.0) > TOO_SHORT**2:
            return False
    np.divide(sums, np.sqrt(squares), out=sums)
    return True


def _finish_values(
    rig: Rig, values: F32, shares: F32, heaviest: Index, out: Pose, rotation: Blend
) -> None:
    """Write those of the other values [..., n, P] that are no sums: steps and rotations."""
    if rig.step.any():
        own = np.take_along_axis(values, heaviest[..., None, None], axis=-2)[..., 0, :]
        np.copyto(out.values, own, where=rig.step)
    if rig.rotations:
        columns = quaternion_columns(rig)
        out.values[..., columns] = mean_of(values[..., columns], shares, heaviest, rotation)


def mix(
    pose: Pose,
    over: Pose,
    weight: ArrayLike,
    mask: Mask | None,
    rig: Rig,
    rotation: Blend = "nlerp",
) -> None:
    """Bring a pose towards another one, in place: P = lerp(P, L, weight · mask).

    Parameters
    ----------
    pose, over
        P and L.
    weight
        [...] from 0, which leaves a pose alone, to 1, which copies the other bit for bit.
    mask
        A weight per joint, or None for all.
    rig
        Of both poses.
    rotation
        How rotations are blended, on the shorter arc.
    """
    each: F64 = np.asarray(weight, np.float64)
    if each.ndim == 0 and (mask is None or each <= 0):
        if each <= 0:
            return
        if each >= 1:
            pose.assign(over)
            return
    spread = each[..., None] if mask is None else each[..., None] * mask.spread
    wide = np.broadcast_to(np.clip(spread, 0, 1).astype(np.float32), pose.data.shape)
    _mix_by_number(pose, over, wide, mask, rig, rotation)


@np.errstate(all="ignore")  # absurd numbers of a file show as they are
def _mix_by_number(
    pose: Pose, over: Pose, spread: F32, mask: Mask | None, rig: Rig, rotation: Blend
) -> None:
    """Mix by a weight from 0 to 1 for every number of the pose, [..., 10 J + P]."""
    joints = pose.count
    new = Pose.over(pose.data + (over.data - pose.data) * spread, joints)
    weights, value_weights = spread[..., : 3 * joints : 3], spread[..., PARTS * joints :]
    if mask is not None and mask.space == "model":
        skeleton = rig.skeleton
        a = orientation.to_model(skeleton, pose.rotation)
        b = orientation.to_model(skeleton, over.rotation)
        turned = between(a, b, weights, rotation)
        new.rotation[...] = orientation.to_local(skeleton, turned)
        spread = spread.copy()  # a joint is as before only where its parent is, too
        above = weights[..., np.where(skeleton.parents < 0, np.arange(joints), skeleton.parents)]
        sure = np.where(weights == above, weights, np.float32(0.5))
        spread[..., 6 * joints : PARTS * joints] = np.repeat(sure, 4, axis=-1)
    else:
        new.rotation[...] = between(pose.rotation, over.rotation, weights, rotation)
    if rig.rotations:
        columns = quaternion_columns(rig)
        a, b = pose.values[..., columns], over.values[..., columns]
        new.values[..., columns] = between(a, b, value_weights[..., columns[:, 0]], rotation)
    if rig.step.any():
        heavier = np.where(value_weights > 0.5, over.values, pose.values)
        np.copyto(new.values, heavier, where=rig.step)
    np.copyto(new.data, over.data, where=spread == 1)
    np.copyto(pose.data, new.data, where=spread != 0)


def quaternion_columns(rig: Rig) -> Index:
    """Return where in `Pose.values` its quaternions stand, [k, 4]."""
    return np.add.outer(np.array(rig.rotations, np.intp), np.arange(4))
