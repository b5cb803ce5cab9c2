"""Curves in model space, and the unit of local translations below scaled parents."""

import numpy as np
import pytest

from rigview.animation.clip import Clip
from rigview.curves.from_tracks import joint_curves, local_metre, metre_words
from rigview.curves.model_space_curves import model_space_curves
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
