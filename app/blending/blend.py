"""Pose blending: the weighted mean of several poses, and a lerp of one towards another."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ..animation.model_space import to_local_rotations, to_model_rotations
from ..animation.pose import PARTS, Pose
from ..animation.rotation_mean import TOO_SHORT, Blend, between, mean_of
from ..animation.types import F32, F64, Index
from .mask import Mask
from .pose_layout import PoseLayout

_ROUNDING = 1e-5  # of the square of a sum of rotations
_ONES = np.ones((4, 4), np.float32)
_ONE = np.ones(4, np.float32)


# Prepared weights: the poses with weight (None: all), their shares of sum 1, the index of the
# heaviest of them, and the `_least_square`.
_Plan = tuple[list[int] | None, F32, int, float]


class PoseStack:
    """A stack of poses, and their weighted mean.

    Parameters
    ----------
    rig
        Its rest pose is the mean where all weights are 0.
    count
        n, the number of poses.
    batch
        Of each pose.
    ranks
        [n] file order of the poses: of equal weights the lowest rank counts as the heaviest, so
        that the result does not depend on the order of the poses. None: their order.
    """

    def __init__(
        self,
        rig: PoseLayout,
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
        self._weights_key = b""  # the weights [n] of the plan
        self._plan: _Plan | Pose = rest
        self._values_are_no_sums = bool(rig.step.any() or rig.rotations)

    @np.errstate(all="ignore")  # invalid numbers of a file propagate
    def mean(self, weights: ArrayLike, out: Pose, rotation: Blend = "nlerp") -> None:
        """Write the weighted mean of the rows.

        Parameters
        ----------
        weights
            [n] for all characters, or [..., n]; not negative, of any sum. A single pose with
            weight is copied bit for bit; without any weight the result is the rest pose.
        out
            Pose of the stack's batch; not one of the rows.
        rotation
            How rotations are blended; signs are aligned with the heaviest.

        Raises
        ------
        ValueError
            The number of weights is not n.
        """
        given: F64 = np.asarray(weights, np.float64)
        if given.shape[-1:] != (len(self.rows),):
            raise ValueError(f"weights must be [..., {len(self.rows)}], not {given.shape}")
        if given.ndim > 1:
            self._mean_of_each(np.maximum(given, 0.0), out, rotation)
            return
        said = given.tobytes()
        if self._weights_key != said:  # most weights are constant for many frames
            self._weights_key, self._plan = said, self._planned(given.tolist())
        if isinstance(self._plan, Pose):
            out.assign(self._plan)
            return
        weighted, shares, heaviest, least = self._plan
        data, turned = self.data, self._rotation
        if weighted is not None:
            data = data[..., weighted, :]
            turned = Pose.over(data, out.count).rotation
        if data.ndim == 2:
            shares.dot(data, out.data)
        else:
            np.matmul(shares, data, out=out.data)
        if rotation == "slerp" or not _quick_unit(turned, shares, heaviest, least, out.rotation):
            place = np.full(data.shape[:-2], heaviest)
            out.rotation[...] = mean_of(turned, shares, place, rotation)
        if self._values_are_no_sums:
            place = np.full(data.shape[:-2], heaviest)
            _finish_values(self.rig, data[..., PARTS * out.count :], shares, place, out, rotation)

    def _planned(self, weights: list[float]) -> _Plan | Pose:
        """Return the plan for weights [n], or the pose itself where only one has weight."""
        weighted, kept = None, weights
        if min(weights) > 0 and len(weights) > 1:
            heaviest = self._order[0]
            for i in self._order:  # of equal weights the first in the file
                if weights[i] > weights[heaviest]:
                    heaviest = i
        else:
            first = [i for i in self._order if weights[i] > 0]
            if len(first) < 2:
                return self.rows[first[0]] if first else self.rig.skeleton.rest
            weighted = sorted(first)
            kept = [weights[i] for i in weighted]
            heaviest = weighted.index(max(first, key=weights.__getitem__))
        total = sum(kept)
        shares = np.array([weight / total for weight in kept], np.float32)
        return weighted, shares, heaviest, _least_square(min(kept) / total, kept[heaviest] / total)

    def _mean_of_each(self, weights: F64, out: Pose, rotation: Blend) -> None:
        """Write the means for weights [..., n] per character."""
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
    """Normalise plain sums [..., J, 4] to means, in place; return whether they are valid.

    Plain sums are valid where all rotations are in the hemisphere of the heaviest. Squares above
    `least` guarantee that; otherwise the dot products are computed. Products with ones sum faster
    than einsum, and argmin is faster than min.
    """
    squares = _squares(sums)
    shortest = _least(squares)
    if not shortest > least:
        products = q * q[..., heaviest, None, :, :]  # [..., n, J, 4]
        if not _least(products.reshape(-1, 4).dot(_ONE)) >= 0:
            dots = np.matmul(products, _ONES)
            near = np.copysign(shares[:, None, None], dots)
            np.add.reduce(np.multiply(near, q, out=near), axis=-3, out=sums)
            squares = _squares(sums)
            shortest = _least(squares)
        if not shortest > TOO_SHORT**2:
            return False
    np.divide(sums, np.sqrt(squares, out=squares), out=sums)
    return True


def _least_square(lightest: float, heaviest: float) -> float:
    """Return a bound: a sum with a greater square has no rotation opposite to the heaviest.

    |sum|² = 1 - 2 Σ wᵢ wⱼ (1 - qᵢ·qⱼ) over all pairs. If i is opposite to h, their pair takes
    wᵢ wₕ; any other is at angles a and at least π/2 - a from the two, and with both takes at least
    its weight times the minimum of wᵢ (1 - cos a) + wₕ (1 - sin a). All of this grows with wᵢ.
    """
    both = lightest + heaviest
    others = (1.0 - both) * (both - math.hypot(lightest, heaviest))
    return 1.0 - 2.0 * (lightest * heaviest + others) + _ROUNDING


def _squares(sums: F32) -> F32:
    """Return the squares of sums [..., J, 4], each four times."""
    product = sums * sums
    return product.dot(_ONES) if product.ndim == 2 else np.matmul(product, _ONES)


def _least(numbers: F32) -> float:
    """Return the minimum; NaN if one is NaN, 1 if there are none."""
    return numbers.item(numbers.argmin()) if numbers.size else 1.0


def _finish_values(
    rig: PoseLayout, values: F32, shares: F32, heaviest: Index, out: Pose, rotation: Blend
) -> None:
    """Write the values [..., n, P] that are not blended as sums: STEP values and rotations."""
    if rig.step.any():
        own = np.take_along_axis(values, heaviest[..., None, None], axis=-2)[..., 0, :]
        np.copyto(out.values, own, where=rig.step)
    if rig.rotations:
        columns = quaternion_columns(rig)
        out.values[..., columns] = mean_of(values[..., columns], shares, heaviest, rotation)


def lerp_pose(
    pose: Pose,
    over: Pose,
    weight: ArrayLike,
    mask: Mask | None,
    rig: PoseLayout,
    rotation: Blend = "nlerp",
) -> None:
    """Interpolate a pose towards another one, in place: P = lerp(P, L, weight · mask).

    Parameters
    ----------
    pose, over
        P and L.
    weight
        [...] from 0, which leaves a pose unchanged, to 1, which copies the other bit for bit.
    mask
        A weight per joint, or None for all.
    rig
        Of both poses.
    rotation
        How rotations are blended, on the shorter arc.
    """
    weights: F64 = np.asarray(weight, np.float64)
    if weights.ndim == 0 and (mask is None or weights <= 0):
        if weights <= 0:
            return
        if weights >= 1:
            pose.assign(over)
            return
    wide = np.empty(pose.data.shape, np.float32)
    if mask is None:
        wide[...] = np.minimum(np.maximum(weights, 0.0), 1.0)[..., None]
    else:
        spread = weights[..., None] * mask.spread
        np.minimum(np.maximum(spread, 0.0, out=spread), 1.0, out=spread)
        wide[...] = spread
    _mix_by_number(pose, over, wide, mask, rig, rotation)


@np.errstate(all="ignore")  # invalid numbers of a file propagate
def _mix_by_number(
    pose: Pose, over: Pose, spread: F32, mask: Mask | None, rig: PoseLayout, rotation: Blend
) -> None:
    """Interpolate by a weight from 0 to 1 per number of the pose, [..., 10 J + P]."""
    joints = pose.count
    new = Pose.over(pose.data + (over.data - pose.data) * spread, joints)
    weights, value_weights = spread[..., : 3 * joints : 3], spread[..., PARTS * joints :]
    if mask is not None and mask.space == "model":
        skeleton = rig.skeleton
        a = to_model_rotations(skeleton, pose.rotation)
        b = to_model_rotations(skeleton, over.rotation)
        turned = between(a, b, weights, rotation)
        new.rotation[...] = to_local_rotations(skeleton, turned)
        spread = spread.copy()  # a joint is unchanged only if its parent is unchanged, too
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


def quaternion_columns(rig: PoseLayout) -> Index:
    """Return the columns of quaternions in `Pose.values`, [k, 4]."""
    return np.add.outer(np.array(rig.rotations, np.intp), np.arange(4))
