"""The camera and the joints of a picture, as a golden stores them."""

import json

import numpy as np
import pytest

from rigview.golden.files import BROKEN, as_png, read_png, read_shot
from rigview.golden.shot import Picture, Shot, differences_of_shots, shot_of
from rigview.scene.camera import OrbitCamera
from rigview.scene.scene import Scene
from tests.support.models import rod_model

PIXELS = np.full((6, 4, 4), 90, np.uint8)
CAMERA = OrbitCamera(np.array([0.1, 0.9, 1 / 3]), 2.7, 0.5, -0.1, 0.6, True)


def shot(*joints, **options):
    return Shot({"fit": "rest"} | options, CAMERA, joints)


def test_a_picture_is_stored_with_its_shot():
    one = shot({"Hüfte": [0.0, 1.0, 0.25]}, view="right")
    data = as_png(PIXELS, "Mesa 1", one)
    back = read_shot(data)
    assert back.as_text() == one.as_text()
    assert back.has_options_of(one)
    assert back.has_camera_of(one)
    assert (read_png(data)[0] == PIXELS).all()
    assert read_png(data)[1] == "Mesa 1"
    assert read_shot(as_png(PIXELS, "Mesa 1")) is None


def test_a_shot_has_the_joints_where_they_are_drawn():
    scene = Scene()
    character = scene.show(rod_model())
    character.set_placement(np.eye(4) + np.eye(4, k=3) * 5.0)
    scene.update(0.0)
    (joints,) = Shot.of(scene, CAMERA, {}).joints
    names, places = character.model.skeleton.names, character.matrices[:, :3, 3] + [5.0, 0.0, 0.0]
    assert set(joints) <= set(names)
    assert len(joints) > 1
    for name, place in joints.items():
        np.testing.assert_allclose(place, places[names.index(name)], atol=1e-5)


WRONG = {
    "not JSON": "{",
    "a list": "[]",
    "nothing": "{}",
    "deep": "[" * 100_000,
    **{
        f"{name}={value!r}": json.dumps(
            json.loads(shot().as_text())
            | {"camera": json.loads(shot().as_text())["camera"] | {name: value}}
        )
        for name, value in (
            ("target", [0, 1]),
            ("target", "here"),
            ("target", [0, 1, float("nan")]),
            ("distance", None),
            ("distance", 0),
            ("fov", 4),
            ("azimuth", 10**400),
        )
    },
    "joints": json.dumps(json.loads(shot().as_text()) | {"joints": [["Hips"]]}),
    "a place": json.dumps(json.loads(shot().as_text()) | {"joints": [{"Hips": [0, 1]}]}),
}


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG)
def test_a_broken_shot_is_a_broken_file(text):
    with pytest.raises(BROKEN):
        Shot.from_text(text)


def test_joints_that_moved_are_named_parents_first():
    before = shot({"Spine": [0, 1, 0], "Arm": [0, 1, 0], "Hand": [0, 0, 0], "Gone": [0, 0, 0]})
    after = shot({"Spine": [0, 1.00004, 0], "Arm": [0, 1, 0.05404], "Hand": [0.054, 0, 0]})
    assert differences_of_shots(before, after) == ["joints moved: 'Arm' 54 mm, 'Hand' 54 mm"]
    assert differences_of_shots(before, before) == []
    several = differences_of_shots(shot({}, {"Arm": [0, 0, 0]}), shot({}, {"Arm": [0.1, 0, 0]}))
    assert several == ["joints moved: 'Arm' of character 2 100 mm"]
    many = [{f"J{k}": [x, 0, 0] for k in range(9)} for x in (0, 1)]
    assert differences_of_shots(*map(shot, many))[0].endswith("'J5' 1000 mm and 3 more")


def test_other_options_of_the_camera_are_named():
    assert differences_of_shots(shot(), shot(view="right")) == [
        "the camera has other options: fit='rest', view='right', not fit='rest'"
    ]


def test_only_a_picture_as_it_was_drawn_has_a_shot():
    def picture():
        return Picture.of(PIXELS.copy(), shot(), lambda _: picture())

    drawn = picture()
    assert shot_of(drawn) is drawn.shot
    for computed in (drawn[..., :3], drawn[:3], drawn.copy(), 255 - drawn, np.asarray(drawn)):
        assert shot_of(computed) is None
    drawn[:2] = 0
    assert shot_of(drawn) is None
