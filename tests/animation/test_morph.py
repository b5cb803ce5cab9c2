import numpy as np

from rigview.animation.morph import MorphTargets, morph_points
from tests.support.clips import f32


def test_morph_adds_weighted_displacements(rng):
    points = rng.normal(size=(5, 3)).astype(np.float32)
    deltas = rng.normal(size=(3, 5, 3)).astype(np.float32)
    weights = f32(0.5, 0, -2)
    expected = points + 0.5 * deltas[0] - 2 * deltas[2]
    np.testing.assert_allclose(morph_points(points, deltas, weights), expected, atol=1e-6)


def test_zero_weights_keep_base_bit_for_bit(rng):
    points = rng.normal(size=(5, 3)).astype(np.float32)
    deltas = rng.normal(size=(2, 5, 3)).astype(np.float32)
    np.testing.assert_array_equal(morph_points(points, deltas, f32(0, 0)), points)
    np.testing.assert_array_equal(morph_points(points, deltas[:0], np.zeros(0, np.float32)), points)


def test_morph_accepts_batches(rng):
    points = rng.normal(size=(4, 3)).astype(np.float32)
    deltas = rng.normal(size=(2, 4, 3)).astype(np.float32)
    weights = rng.normal(size=(2, 3, 2)).astype(np.float32)
    moved = morph_points(points, deltas, weights)
    assert moved.shape == (2, 3, 4, 3)
    np.testing.assert_allclose(moved[1, 2], morph_points(points, deltas, weights[1, 2]), atol=1e-6)


def test_morph_targets_keep_names_and_missing_normals():
    targets = MorphTargets(np.zeros((1, 2, 3), np.float32), None, None, ("Smile",))
    assert targets.names == ("Smile",)
    assert targets.normals is None
