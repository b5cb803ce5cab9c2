"""Curves in model space: transforms, speeds, and the unit of translations below scaled parents."""

import numpy as np
import pytest

from rigview.animation.clip import Clip
from rigview.animation.track import Track
from rigview.curves.from_tracks import joint_curves, local_metre, metre_words
from rigview.curves.model_space_curves import model_space_curves, speed_curves
from rigview.model.model import Model
from tests.support.clips import make_track
from tests.support.models import make_model, square


def armature(scale) -> Model:
    """A joint below a scaled armature, as files in centimetres have it."""
    model = make_model([square()], (-1, 0))
    model.skeleton.rest.scale[0] = scale
    return model


def lift() -> Clip:
    """The joint moves 100 units up in a second."""
    return Clip.of(
        "Lift", [make_track("translation", "LINEAR", [0, 1], [[0, 0, 0], [0, 100, 0]], target=1)]
    )


@pytest.mark.parametrize(
    ("scale", "unit"),
    [(1, "m"), (0.01, "0.01 m"), (1.0001, "m"), ((1, 2, 1), "local units")],
)
def test_unit_of_local_translation(scale, unit):
    model = armature(scale)
    assert metre_words(local_metre(model, 1)) == unit
    assert metre_words(local_metre(model, 0)) == "m"
    (chart,) = joint_curves(model, lift(), 1).charts
    assert chart.heading == f"Translation (local, {unit})"
    assert chart.lines[1].points[-1, 1] == 100


def test_model_space_applies_the_parents():
    translation, rotation = model_space_curves(armature(0.01), lift(), 1).charts
    assert translation.heading == "Translation (model, m)"
    assert translation.summary == "sampled"
    np.testing.assert_allclose(translation.lines[1].points[[0, -1]], [[0, 0], [1, 1]], atol=1e-6)
    assert rotation.still


def test_quaternions_and_animated_scale():
    grow = Clip.of("Grow", [make_track("scale", "LINEAR", [0, 1], [[1, 1, 1], [2, 2, 2]])])
    charts = model_space_curves(armature(1), grow, 1, angles="quaternion", begin=0.5).charts
    assert [chart.name for chart in charts] == ["Translation", "Rotation", "Scale"]
    assert [line.label for line in charts[1].lines] == ["X", "Y", "Z", "W"]
    assert charts[2].lines[0].points[0].tolist() == pytest.approx([0.5, 1.5])


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
