"""Moves on the ground against their matrices."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rigview.animation.root_delta import RootDelta

numbers = st.floats(-5, 5)
angles = st.floats(-7, 7) | st.sampled_from([0.0, np.pi, -np.pi, 2 * np.pi, 1e-9, np.pi / 2])
moves = st.builds(
    lambda x, y, z, angle: RootDelta(np.array([x, y, z]), np.float64(angle)),
    numbers,
    numbers,
    numbers,
    angles,
)


def matrix(move):
    """The definition: turn about +Y, then travel."""
    c, s = np.cos(move.turn), np.sin(move.turn)
    out = np.array([[c, 0, s, 0], [0, 1, 0, 0], [-s, 0, c, 0], [0, 0, 0, 1.0]])
    out[:3, 3] = move.travel
    return out


def test_a_quarter_turn_to_the_left():
    """By hand: facing +Z, +90 degrees about +Y looks along +X."""
    quarter = RootDelta(np.array([0, 0, 1.0]), np.array(np.pi / 2))
    there = quarter.then(np.array([0, 0, 2.0]), np.array(0.0))
    assert there.travel == pytest.approx([2, 0, 1])
    assert quarter.repeat(2).travel == pytest.approx([1, 0, 1])
    assert quarter.repeat(4).travel == pytest.approx([0, 0, 0])
    assert float(quarter.repeat(4).turn) == pytest.approx(2 * np.pi)  # as it was made
    assert quarter.repeat(-1).travel == pytest.approx([1, 0, 0])


@given(moves)
def test_as_a_matrix(move):
    assert move.matrix() == pytest.approx(matrix(move), abs=1e-6)
    assert move.matrix().dtype == np.float32


@given(moves, moves)
def test_one_after_another_is_the_product(first, second):
    assert matrix(first.then(*second)) == pytest.approx(matrix(first) @ matrix(second))


@given(moves)
def test_there_and_back(move):
    assert matrix(move.then(*move.inverse())) == pytest.approx(np.eye(4), abs=1e-12)
    assert matrix(move.inverse()) == pytest.approx(np.linalg.inv(matrix(move)), abs=1e-9)


@given(moves, st.integers(-6, 6))
def test_repeating_is_the_power(move, count):
    expected = np.linalg.matrix_power(matrix(move), count)
    assert matrix(move.repeat(count)) == pytest.approx(expected, abs=1e-7)


def test_a_batch():
    rng = np.random.default_rng(3)
    many = RootDelta(rng.normal(size=(5, 3)), rng.normal(size=5))
    other = RootDelta(rng.normal(size=(5, 3)), rng.normal(size=5))
    then, inverse, repeated = many.then(*other), many.inverse(), many.repeat(np.arange(5))
    for c in range(5):
        a, b = (RootDelta(each.travel[c], each.turn[c]) for each in (many, other))
        for made, expected in (
            (then, a.then(*b)),
            (inverse, a.inverse()),
            (repeated, a.repeat(c)),
        ):
            assert made.travel[c] == pytest.approx(expected.travel)
            assert made.turn[c] == pytest.approx(float(expected.turn))
    still = RootDelta.still((5,))
    assert still.matrix() == pytest.approx(np.broadcast_to(np.eye(4), (5, 4, 4)))
