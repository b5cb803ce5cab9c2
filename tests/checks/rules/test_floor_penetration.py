"""Precise floor penetration of feet that reverse at a key between samples."""

import numpy as np
import pytest

from rigview.checks.check_context import CheckContext
from rigview.checks.rules.floor_penetration import lowest
from rigview.loading.load import load
from tests.support.shared import MODELS, needs_shared
from tests.support.walking_figure import LEFT, PLACES, RIGHT, joint_channel, walker


def stamping(*stamps):
    """A clip of feet that go down and up again within 40 ms: (joint, time, metres) each."""
    channels = []
    for joint, time, depth in stamps:
        way = np.tile(np.array(PLACES[joint], float), (5, 1))
        way[2, 1] -= depth
        channels.append((joint, "translation", [0, time - 0.02, time, time + 0.02, 1], way))
    return walker(channels, "Stamp")


@pytest.mark.parametrize("time", [0.0251, 0.125, 0.1263, 0.49, 0.511, 0.97])
def test_depth_is_exact_for_any_key_time(time):
    context = stamping((LEFT, time, 0.2))
    found = lowest(context, 0)
    assert found.height == pytest.approx(-0.2, abs=1e-5)
    assert found.time == pytest.approx(time, abs=1e-5)
    assert context.model.skeleton.names[found.joint] == "LeftFoot"


@pytest.mark.parametrize(("left", "right"), [(0.30, 0.2), (0.2, 0.30)])
def test_deepest_of_several_minima_is_found(left, right):
    """One of them is on a sample, the other between two: the deeper one counts."""
    context = stamping((LEFT, 0.5, left), (RIGHT, 0.7499, right))
    found = lowest(context, 0)
    assert found.height == pytest.approx(-0.3, abs=1e-5)
    name = context.model.skeleton.names[found.joint]
    assert name == ("LeftFoot" if left > right else "RightFoot")


def test_foot_that_stays_below_the_floor():
    way = np.tile(np.array(PLACES[LEFT], float) - [0, 0.1, 0], (61, 1))
    assert lowest(walker(joint_channel(LEFT, way)), 0).height == pytest.approx(-0.1, abs=1e-5)


@needs_shared
def test_depth_of_the_robot_is_that_of_its_keys():
    """The value was computed by hand from the file: -0.2472 m at the fourth key."""
    context = CheckContext(load(str(MODELS / "robot.glb")))
    clip = next(c for c in context.clips if context.clip(c).name == "Robot_Jump")
    found = lowest(context, clip)
    assert found.height == pytest.approx(-0.2472, abs=5e-4)
    assert found.time == pytest.approx(0.125, abs=1e-4)
