"""The cameras of a page that shows two versions: each shows both."""

import math

import numpy as np
import pytest

from rigview.tasks.character_page import _enclosing

FOV = math.radians(45.0)


def camera(target, distance):
    return {"target": target, "distance": distance, "azimuth": 0.5, "fov": FOV}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (camera([0.0, 1.0, 0.0], 3.0), camera([2.0, 1.0, 0.5], 4.0)),
        (camera([0.0, 1.0, 0.0], 5.0), camera([0.0, 1.2, 0.0], 1.0)),
        (camera([0.0, 1.0, 0.0], 2.0), camera([0.0, 1.0, 0.0], 2.0)),
        (camera([-3.0, 0.0, 0.0], 1.0), camera([3.0, 0.0, 0.0], 1.0)),
    ],
)
def test_the_camera_of_two_shows_what_both_show(one, other):
    found = _enclosing(one, other)
    reach = math.tan(FOV / 2.0)
    for each in (one, other):
        apart = np.linalg.norm(np.subtract(found["target"], each["target"]))
        assert apart + each["distance"] * reach <= found["distance"] * reach * (1.0 + 1e-9)
    spread = np.linalg.norm(np.subtract(one["target"], other["target"])) / reach
    radii = one["distance"], other["distance"]
    assert found["distance"] == pytest.approx(max(*radii, (sum(radii) + spread) / 2.0))
    assert found["azimuth"] == one["azimuth"]
