"""Findings that sound characters do not have: flat models, birds, end joints, capes, lights."""

from dataclasses import replace

import numpy as np
import pytest

from rigview.checks.check_context import CheckContext
from tests.checks.cases_keys import STRAY, clip, stray, turning
from tests.checks.cases_motion import DIP, dipping
from tests.support.rule_case import findings_of
from tests.support.rule_figure import HEAD, HIPS, context
from tests.support.walking_figure import (
    CYCLE,
    LEFT,
    PLACES,
    RIGHT,
    key_times,
    walker,
)
from tests.support.walking_figure import (
    HEAD as WALKER_HEAD,
)


@pytest.mark.parametrize("thick", [0, 0.05])
def test_flat_model_has_no_height(thick):
    """A quad of 200 m, as thick as `thick` metres."""

    def flat(figure):
        figure.positions = figure.positions[:, [0, 2, 1]] * [120, 0, 110]
        figure.positions[0, 1] = thick

    assert not findings_of(context(flat)(), "units")


def flying(name, feet, dip):
    """All joints at another height; the head dips below the floor in the middle."""
    wave = np.sin(np.pi * np.arange(CYCLE + 1) / CYCLE)[:, None]
    channels = [
        (foot, "translation", key_times(), np.array(PLACES[foot]) + [0, feet, 0] + 0.1 * wave)
        for foot in (LEFT, RIGHT)
    ]
    head = [0, 0.7, 0] - wave * [0, 1.6 + dip, 0]
    return walker([*channels, (WALKER_HEAD, "translation", key_times(), head)], name)


@pytest.mark.parametrize(
    ("name", "feet", "count"),
    [("Act", 0, 1), ("Act", 0.6, 0), ("Bird_Flying", 0, 0), ("Soar", 0, 0)],
)
def test_flight_does_not_penetrate_the_floor(name, feet, count):
    assert len(findings_of(flying(name, feet, 0.3), "floor")) == count


def test_floor_names_the_mesh():
    context = dipping()
    mesh = context.model.meshes[0].name
    (finding,) = findings_of(context, "floor")
    assert f"at “LeftFoot” of mesh “{mesh}”" in finding.message
    assert finding.amount == pytest.approx(DIP * 1000, rel=0.01)


@pytest.mark.parametrize(("joint", "count"), [("Head", 1), ("Cape_L", 0), ("scarf.001", 0)])
def test_cloth_may_penetrate_the_floor(joint, count):
    context = flying("Act", 0, 0.3)
    skeleton = context.model.skeleton
    names = tuple(joint if name == "Head" else name for name in skeleton.names)
    model = replace(context.model, skeleton=replace(skeleton, names=names))
    assert len(findings_of(CheckContext(model), "floor")) == count


def test_hidden_mesh_may_penetrate_the_floor():
    context = flying("Act", 0, 0.3)
    (instance,) = context.model.instances
    hidden = replace(context.model, hidden_by_node=frozenset({instance.joint}))
    assert not findings_of(CheckContext(hidden), "floor")


@pytest.mark.parametrize("kind", ["lights", "camera"])
def test_target_with_a_light_or_camera_is_no_stray(kind):
    def change(b):
        stray(b)
        node = b.json["nodes"][-1]
        if kind == "camera":
            b.add("cameras", type="perspective", perspective={"yfov": 1, "znear": 0.1})
            node["camera"] = 0
            return
        b.json["extensionsUsed"] = ["KHR_lights_punctual"]
        b.json["extensions"] = {"KHR_lights_punctual": {"lights": [{"type": "point"}]}}
        node["extensions"] = {"KHR_lights_punctual": {"light": 0}}

    assert findings_of(clip(turning(), STRAY, change=stray)(), "stray-targets")
    assert not findings_of(clip(turning(), STRAY, change=change)(), "stray-targets")


def joint_below(parent, name):
    """Add a joint without influence below another one."""

    def change(figure):
        figure.names.append(name)
        figure.parents.append(parent)
        figure.nodes.append({"translation": [0, 0.2, 0]})
        figure.inverse = np.concatenate((figure.inverse, np.eye(4)[None]))

    return change


@pytest.mark.parametrize(
    ("parent", "name", "count"),
    [
        (HEAD, "HeadTop_End", 0),
        (HEAD, "Bone_end.001", 0),
        (HEAD, "Bip01 HeadNub", 0),
        (HIPS, "headnub", 0),
        (HEAD, "LeftHandThumb4", 0),
        (HIPS, "Pole", 1),
    ],
)
def test_end_of_a_chain_is_used(parent, name, count):
    """Some rigs mark ends by name, others by a further number: the end is the only child."""
    assert len(findings_of(context(joint_below(parent, name))(), "joints-unused")) == count
