"""Spark lines: shapes in a unit box, with spikes and one scale for all lines."""

from dataclasses import replace

import numpy as np
import pytest

from rigview.curves.curve_set import Chart, Line
from rigview.curves.spark_line import COLUMNS, amplitude, spark_lines


def chart(*values, seconds=None):
    count = len(values[0])
    times = np.linspace(0.0, 1.0, count) if seconds is None else np.asarray(seconds)
    lines = tuple(
        Line(label, np.stack([times, np.asarray(row, float)], axis=1), np.zeros((0, 2)), NONE)
        for label, row in zip("XYZ", values, strict=False)
    )
    return Chart("Translation", "m", "LINEAR", lines)


NONE = np.zeros((0, 2, 2))


def test_lines_have_one_scale_and_their_own_middle():
    one = chart([0.0, 2.0], [10.0, 11.0])
    first, second = spark_lines(one, 0.0, 1.0)
    assert first[0, 1] > first[-1, 1], "up is the smaller y"
    high, half = first[0, 1] - first[-1, 1], second[0, 1] - second[-1, 1]
    assert half == pytest.approx(high / 2)
    assert 0.5 < high < 1.0
    assert first[:, 1].mean() == pytest.approx(0.5)
    assert second[:, 1].mean() == pytest.approx(0.5)
    assert amplitude(one) == 2.0


def test_constant_lines_are_in_the_middle():
    (line,) = spark_lines(chart([3.0, 3.0]), 0.0, 1.0)
    np.testing.assert_allclose(line[:, 1], 0.5)
    np.testing.assert_allclose(line[[0, -1], 0], [0.0, 1.0])


@pytest.mark.parametrize(
    ("unit", "noise"), [("m", 9e-5), ("0.01 m", 9e-3), ("°", 9e-3), ("", 9e-5)]
)
def test_noise_is_constant(unit, noise):
    """What changes by less than 0.1 mm or 0.01° is not seen: it does not fill the box."""
    flat = replace(chart([0.0, noise, 0.0]), unit=unit)
    assert flat.still
    (line,) = spark_lines(flat, 0.0, 1.0)
    np.testing.assert_allclose(line[:, 1], 0.5)
    assert not replace(chart([0.0, 2.0 * noise, 0.0]), unit=unit).still


def test_a_line_of_noise_is_flat_beside_one_that_moves():
    noisy, moving = spark_lines(chart([0.0, 5e-5, 0.0], [0.0, 1e-3, 0.0]), 0.0, 1.0)
    np.testing.assert_allclose(noisy[:, 1], noisy[0, 1])
    assert np.ptp(moving[:, 1]) > 0.5


def test_values_are_held_before_the_first_and_after_the_last_key():
    (line,) = spark_lines(chart([0.0, 1.0], seconds=[0.5, 1.0]), 0.0, 2.0)
    np.testing.assert_allclose(line[:, 0], [0.0, 0.25, 0.5, 1.0])
    assert line[0, 1] == line[1, 1]
    assert line[-1, 1] == line[-2, 1]


def test_a_spike_among_many_points_stays():
    values = np.zeros(5000)
    values[2501] = 1.0
    (line,) = spark_lines(chart(values), 0.0, 1.0)
    assert len(line) <= 2 * COLUMNS + 2
    assert line[:, 1].max() - line[:, 1].min() > 0.5
    assert np.all(np.diff(line[:, 0]) >= 0)


def test_a_smooth_line_of_many_points_has_no_steps():
    seconds = np.linspace(0.0, 1.0, 2000)
    smooth = np.sin(2 * np.pi * seconds)
    (line,) = spark_lines(chart(smooth), 0.0, 1.0)
    middle = line[1:-1]
    scale = (middle[:, 1].max() - middle[:, 1].min()) / 2
    exact = 0.5 - np.sin(2 * np.pi * middle[:, 0]) * scale
    np.testing.assert_allclose(middle[:, 1], exact, atol=0.02)
