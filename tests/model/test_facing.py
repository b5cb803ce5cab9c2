"""The facing of characters, found by the names and places of their joints."""

import numpy as np
import pytest

from rigview.loading.load import load
from rigview.model.facing import DEFAULT_FACING, axis_name, direction_of, find_facing, forward_axis
from rigview.model.model import Mesh, MeshInstance
from rigview.model.statistics import describe
from tests.support.humanoids import HUMANOID, humanoid, turned_places
from tests.support.models import make_primitive
from tests.support.shared import MODELS, needs_shared


@pytest.mark.parametrize(
    ("degrees", "axis"),
    [(0, "+Z"), (12, "+Z"), (-40, "+Z"), (90, "+X"), (180, "-Z"), (165, "-Z"), (-90, "-X")],
)
def test_the_nearest_axis_to_the_direction_of_feet_and_sides(degrees, axis):
    model = humanoid(turned_places(degrees))
    assert axis_name(find_facing(model)) == axis
    found = describe(model)
    assert axis_name(found["facing"]) == axis
    assert found["facing_found"]


def test_other_conventions_of_names():
    model = humanoid(turned_places(180), rename=lambda name: f"mixamorig:{name}", seed=3)
    assert find_facing(model) == (0.0, 0.0, -1.0)


def _swapped(name):
    return name.replace("Left", "-").replace("Right", "Left").replace("-", "Right")


@pytest.mark.parametrize(
    "model",
    [
        humanoid(rename=_swapped),
        humanoid(turned_places(180), rename=lambda name: f"Bone {sum(map(ord, name))}"),
        humanoid({k: at for k, at in HUMANOID.items() if not k.endswith(("Foot", "Toe"))}),
        humanoid({"Root": ("", (0, 1, 0)), "Lid": ("Root", (0, 1.2, -0.3))}),
    ],
    ids=["feet contradict the sides", "names without meaning", "only sides", "a prop"],
)
def test_an_unclear_facing_is_that_of_gltf(model):
    assert find_facing(model) is None
    found = describe(model)
    assert found["facing"] == list(DEFAULT_FACING)
    assert not found["facing_found"]


def test_feet_without_toe_joints_point_along_their_mesh():
    places = {name: at for name, at in turned_places(180).items() if "Toe" not in name}
    model = humanoid(places)
    feet = [model.skeleton.find(f"{side}Foot") for side in ("Left", "Right")]
    corners = np.array([[x, y, z] for x in (-0.04, 0.04) for y in (-0.08, 0) for z in (-0.2, 0.06)])
    ankles = model.skeleton.to_model(model.skeleton.rest)[feet, :3, 3]
    joints = np.zeros((16, 4), np.uint16)
    joints[:, 0] = np.repeat(feet, 8)
    weights = np.zeros((16, 4), np.float32)
    weights[:, 0] = 1
    points = np.concatenate([corners + ankle for ankle in ankles])
    mesh = Mesh("Shoes", (make_primitive(points, joints=joints, weights=weights),))
    object.__setattr__(model, "meshes", (mesh,))
    object.__setattr__(model, "instances", (MeshInstance(0, 0, 0, -1, True),))
    assert find_facing(model) == (0.0, 0.0, -1.0)


def test_forward_is_the_axis_of_a_joint_nearest_to_the_facing():
    model = humanoid(turned_places(180), seed=5)
    head = model.skeleton.find("Head")
    assert forward_axis(model.skeleton, head, DEFAULT_FACING) == (0.0, 0.0, 1.0)
    axis = np.array(forward_axis(model.skeleton, head, (0.0, 0.0, -1.0)))
    away = model.skeleton.to_model(model.skeleton.rest)[head, :3, :3] @ axis
    assert np.abs(axis).sum() == 1.0
    assert away[2] < -1 / np.sqrt(3) + 1e-6


def test_directions():
    assert direction_of(0.0) == (0.0, 0.0, 1.0)
    assert direction_of(np.pi) == (0.0, 0.0, -1.0)
    assert axis_name((0.6, 0.0, 0.8)) == "0.6, 0, 0.8"


@needs_shared
@pytest.mark.parametrize("name", ["CesiumMan.glb", "Fox.glb", "Woman.gltf", "robot.glb"])
def test_real_characters_face_z(name):
    assert find_facing(load(MODELS / name)) == (0.0, 0.0, 1.0)
