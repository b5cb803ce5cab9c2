"""How bright a file's lights are where its model stands."""

import math
from dataclasses import replace

import numpy as np
import pytest

from rigview.animation.skin import Skin
from rigview.model.light_levels import LIMIT, light_level
from tests.support.animated_value_files import LIGHT, lit_floor
from tests.support.models import square_model

HALF = math.hypot(4, 4) / 2  # of the floor's diagonal, metres


def over(lux):
    return math.log2(lux / math.pi)


def test_a_sun_in_lux():
    assert light_level(lit_floor("directional", intensity=8).load()).over == pytest.approx(over(8))


@pytest.mark.parametrize("kind", ["point", "spot"])
def test_a_lamp_by_the_square_of_its_distance(kind):
    high = light_level(lit_floor(kind, height=10, intensity=500).load())
    assert high.over == pytest.approx(over(500 / 100), abs=1e-6)
    within = light_level(lit_floor(kind, height=0.1, intensity=500).load())
    assert within.over == pytest.approx(over(500 / HALF**2), abs=1e-6), "as at the model's edge"


def test_a_skin_of_one_joint_is_as_large_as_its_mesh():
    model = lit_floor(height=0, intensity=500).load()
    floor, bulb = model.instances[0], model.lights[0].joint
    skin = Skin("", np.array([bulb], np.int32), np.eye(4, dtype=np.float32)[None])
    skinned = replace(model, skins=(skin,), instances=(replace(floor, skin=0),))
    skinned.skeleton.rest.rotation[bulb] = 0, 0, 0, 1
    assert light_level(skinned).over == pytest.approx(over(500 / HALF**2), abs=1e-6)


def test_a_lamp_that_does_not_reach_the_model():
    far = light_level(lit_floor(height=10, intensity=500, range=5).load())
    assert not far.shines
    assert light_level(lit_floor(height=10, intensity=500, range=8).load()).shines


def test_no_light_and_one_that_is_off():
    for model in (square_model(), lit_floor(intensity=0).load(), lit_floor(color=[0, 0, 0]).load()):
        assert not light_level(model).shines
        assert light_level(model).gain == 1.0


def test_the_most_that_a_clip_makes_of_it():
    b = lit_floor("directional", intensity=0)
    b.pointer((f"{LIGHT}/intensity", [0, 1, 2], [0, 4000, 1]))
    assert light_level(b.load()).over == pytest.approx(over(4000))
    b.pointer((f"{LIGHT}/color", [0, 1], [[0.5, 0.5, 0.5], [0, 0, 0]]))
    assert light_level(b.load()).over == pytest.approx(over(4000)), "as the file has it at rest"


def test_what_is_too_bright_is_drawn_white_and_told():
    bearable = lit_floor("directional", intensity=0.99 * math.pi * 2**LIMIT).load()
    assert light_level(bearable).gain == 1.0
    assert bearable.warnings == []
    sun = lit_floor("directional", intensity=2049).load()  # 3 W/m2, as lumens: Blender's "standard"
    assert 2049 * light_level(sun).gain == pytest.approx(math.pi)
    (told,) = sun.warnings
    assert told.startswith("/extensions/KHR_lights_punctual/lights: 9.3 EV above white")
    assert "--exposure 9.3" in told
