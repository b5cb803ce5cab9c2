"""Speed, acceleration and angular speed of a joint in model space."""

import numpy as np

from rigview.animation.clip import Clip
from rigview.animation.track import Track
from rigview.curves.model_space_curves import speed_curves
from rigview.model.model import Model
from tests.support.models import make_model, square

RATE = 30


def model_of(path, values):
    times = np.arange(len(values)) / RATE
    track = Track(0, path, "LINEAR", times, np.asarray(values, np.float32))
    model = make_model([square()], clips=(Clip.of("move", (track,)),))
    assert isinstance(model, Model)
    return model


def charts_of(model):
    curves = speed_curves(model, model.clips[0], 0)
    return {chart.name: chart.lines[0].points for chart in curves.charts}


def test_speed_and_acceleration_of_free_fall():
    seconds = np.arange(31) / RATE
    places = np.zeros((31, 3))
    places[:, 1] = -0.5 * 9.81 * seconds**2
    charts = charts_of(model_of("translation", places))
    inside = slice(2, -2)
    times, speed = charts["Speed"].T
    np.testing.assert_allclose(times, seconds, atol=1e-6)
    np.testing.assert_allclose(speed[inside], 9.81 * seconds[inside], atol=1e-3)
    np.testing.assert_allclose(charts["Acceleration"][inside, 1], 9.81, atol=1e-2)
    np.testing.assert_allclose(charts["Angular speed"][:, 1], 0.0, atol=1e-3)


def test_angular_speed_of_a_full_turn():
    half = np.pi * np.arange(31) / 30
    turn = np.stack([0 * half, np.sin(half), 0 * half, np.cos(half)], axis=1)
    turn[::2] *= -1  # the same rotations
    charts = charts_of(model_of("rotation", turn))
    np.testing.assert_allclose(charts["Angular speed"][:, 1], 360.0, rtol=1e-3)
    np.testing.assert_allclose(charts["Speed"][:, 1], 0.0, atol=1e-6)


def test_one_key_has_no_speed():
    charts = charts_of(model_of("translation", np.ones((1, 3))))
    assert all((points[:, 1] == 0).all() for points in charts.values())
