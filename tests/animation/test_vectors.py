"""The extent of points, column by column; single vectors and batches."""

import numpy as np
import pytest

from rigview.animation import quat, vectors
from rigview.animation.joint_chain import direction_inverse
from rigview.animation.vectors import extent


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("shape", [(1, 3), (500, 3), (500, 2)])
def test_extent_equals_minimum_and_maximum(rng, kind, shape):
    points = rng.normal(size=shape).astype(kind)
    found = extent(points)
    assert found.dtype == kind
    np.testing.assert_array_equal(found, [points.min(axis=0), points.max(axis=0)])


def test_extent_of_a_part_of_an_array(rng):
    points = rng.normal(size=(40, 3))[::2, ::2]
    np.testing.assert_array_equal(extent(points), [points.min(axis=0), points.max(axis=0)])


def test_extent_with_nan():
    points = np.array([[1.0, 2.0], [np.nan, 4.0]])
    np.testing.assert_array_equal(extent(points), [[np.nan, 2.0], [np.nan, 4.0]])


UP = np.array((0.0, 1.0, 0.0))
DIRECTIONS = np.array(
    [(1, 0, 0), (-1, 0, 0), UP, -UP, (0.6, 0, 0.8), (0.36, 0.48, -0.8), (0, -0.6, 0.8)]
)  # parallel, opposite and others
PAIRS = np.array([(a, b) for a in DIRECTIONS for b in DIRECTIONS])


@pytest.mark.parametrize(
    "of_two",
    [
        vectors.dot,
        vectors.cross,
        vectors.angle,
        lambda a, b: vectors.unit(a + b, b),
        lambda a, b: vectors.across(a, b, np.broadcast_to(UP, a.shape)),
        lambda a, b: vectors.arc(a, b, np.broadcast_to(UP, a.shape)),
        lambda a, b: vectors.within(b, a, 0.7, np.broadcast_to(UP, a.shape)),
        lambda a, b: vectors.rotate(vectors.turn(a, np.full(a.shape[:-1], 0.3)), b),
    ],
)
def test_single_vectors_equal_those_of_a_batch(of_two):
    together = of_two(*PAIRS.swapaxes(0, 1))
    alone = [of_two(a, b) for a, b in PAIRS]
    assert {each.dtype for each in alone} == {np.dtype(np.float64)}
    np.testing.assert_allclose(alone, together, atol=1e-15)


@pytest.mark.parametrize(
    "of_two",
    [
        quat.multiply,
        lambda a, b: quat.slerp(a, b, 0.3),
        lambda a, b: quat.normalize(a + b),
        lambda a, _: quat.to_matrix(a),
        lambda a, b: direction_inverse(quat.to_matrix(a) * b[..., :3, None]),
    ],
)
def test_single_rotations_equal_those_of_a_batch(of_two):
    up = np.broadcast_to(UP, PAIRS[:, 0].shape)
    turns = np.concatenate([vectors.arc(*PAIRS.swapaxes(0, 1), up), -np.eye(4)])
    pairs = np.stack([turns, turns[::-1]], axis=1)
    together = of_two(*pairs.swapaxes(0, 1))
    np.testing.assert_allclose([of_two(a, b) for a, b in pairs], together, atol=1e-15)


@pytest.mark.parametrize("size", [0.0, 1e-200, 1e200, np.inf, np.nan])
def test_single_vectors_of_any_size_raise_no_error(size):
    a, b = size * np.array((1.0, 2.0, -1.0)), np.array((0.6, 0.0, 0.8))
    found = [vectors.unit(a, b), vectors.angle(a, b), vectors.across(b, a, UP)]
    found += [vectors.arc(vectors.unit(a, b), b, UP), direction_inverse(np.full((3, 3), size))]
    if np.isfinite(size):
        assert all(np.isfinite(each).all() for each in found)
