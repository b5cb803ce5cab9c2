"""Root transforms compared with their matrices."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rigview.animation.root_transform import RootTransform

numbers = st.floats(-5, 5)
angles = st.floats(-7, 7) | st.sampled_from([0.0, np.pi, -np.pi, 2 * np.pi, 1e-9, np.pi / 2])
moves = st.builds(
    lambda x, y, z, angle: RootTransform(np.array([x, y, z]), np.float64(angle)),
    numbers,
    numbers,
    numbers,
    angles,
)


def matrix(move):
    """Return the definition as a matrix: rotate about +Y, then translate."""
    c, s = np.cos(move.yaw), np.sin(move.yaw)
    out = np.array([[c, 0, s, 0], [0, 1, 0, 0], [-s, 0, c, 0], [0, 0, 0, 1.0]])
    out[:3, 3] = move.translation
    return out


def test_quarter_turn_to_the_left():
    """A character that faces +Z faces +X after +90 degrees about +Y."""
    quarter = RootTransform(np.array([0, 0, 1.0]), np.array(np.pi / 2))
    there = quarter.compose(np.array([0, 0, 2.0]), np.array(0.0))
    assert there.translation == pytest.approx([2, 0, 1])
    assert quarter.repeat(2).translation == pytest.approx([1, 0, 1])
    assert quarter.repeat(4).translation == pytest.approx([0, 0, 0])
    assert float(quarter.repeat(4).yaw) == pytest.approx(2 * np.pi)  # as it was made
    assert quarter.repeat(-1).translation == pytest.approx([1, 0, 0])


@given(moves)
def test_matrix_equals_definition(move):
    assert move.matrix() == pytest.approx(matrix(move), rel=1e-12, abs=1e-12)
    assert move.matrix().dtype == np.float64


@given(moves, moves)
def test_compose_is_the_matrix_product(first, second):
    assert matrix(first.compose(*second)) == pytest.approx(matrix(first) @ matrix(second))


@given(moves)
def test_inverse_undoes_transform(move):
    assert matrix(move.compose(*move.inverse())) == pytest.approx(np.eye(4), abs=1e-12)
    assert matrix(move.inverse()) == pytest.approx(np.linalg.inv(matrix(move)), abs=1e-9)


@given(moves, st.integers(-6, 6))
def test_repeat_is_the_matrix_power(move, count):
    expected = np.linalg.matrix_power(matrix(move), count)
    assert matrix(move.repeat(count)) == pytest.approx(expected, abs=1e-7)


def test_batch_equals_single():
    rng = np.random.default_rng(3)
    many = RootTransform(rng.normal(size=(5, 3)), rng.normal(size=5))
    other = RootTransform(rng.normal(size=(5, 3)), rng.normal(size=5))
    composed, inverse, repeated = many.compose(*other), many.inverse(), many.repeat(np.arange(5))
    for c in range(5):
        a, b = (RootTransform(batch.translation[c], batch.yaw[c]) for batch in (many, other))
        for made, expected in (
            (composed, a.compose(*b)),
            (inverse, a.inverse()),
            (repeated, a.repeat(c)),
        ):
            assert made.translation[c] == pytest.approx(expected.translation)
            assert made.yaw[c] == pytest.approx(float(expected.yaw))
    still = RootTransform.identity((5,))
    assert still.matrix() == pytest.approx(np.broadcast_to(np.eye(4), (5, 4, 4)))
