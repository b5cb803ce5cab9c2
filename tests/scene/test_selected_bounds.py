"""The points and the point of a selection, which the camera frames and follows."""

import numpy as np
import pytest

from rigview.loading.load import load
from rigview.scene.scene import Scene
from rigview.scene.selected import Selected
from rigview.scene.selected_bounds import selected_point, selected_points
from tests.support.looks import set_look
from tests.support.rule_figure import Figure


@pytest.fixture
def scene():
    scene = Scene()
    scene.show(load(Figure().builder().glb()))
    scene.update(0.0)
    return scene


def joint(scene, name):
    return scene.character.model.skeleton.names.index(name)


def test_a_joint_is_framed_with_its_children(scene):
    arm = Selected(joint(scene, "LeftArm"))
    points = selected_points(scene.instances.active, arm)
    low, high = points.min(axis=0), points.max(axis=0)
    assert (low <= [0.2001, 1.4, 0.0]).all()
    assert (high >= [0.5999, 1.4, 0.0]).all()
    assert (high - low < 0.7).all()
    np.testing.assert_allclose(selected_point(scene.instances.active, arm), [0.2, 1.4, 0.0])


def test_a_part_and_a_vertex(scene):
    node = scene.character.model.instances[0].joint
    part = selected_points(scene.instances.active, Selected(node, 0))
    assert np.ptp(part, axis=0)[1] == pytest.approx(1.8)
    vertex = Selected(node, 0, 0)
    expected = scene.character.model.meshes[0].primitives[0].positions[0]
    np.testing.assert_allclose(selected_point(scene.instances.active, vertex), expected, atol=1e-6)
    box = selected_points(scene.instances.active, vertex)
    assert 0.0 < np.ptp(box, axis=0).max() < 0.2
    assert not len(selected_points(scene.instances.active, Selected(node, 9)))


def test_framing_the_selection_keeps_the_depth_range(scene):
    scene.frame(1.0)
    camera = scene.camera.orbit
    distance, far = camera.distance, scene.camera.used.far
    assert not scene.frame_selected(1.0)
    set_look(scene, selected=Selected(joint(scene, "Head")))
    assert scene.frame_selected(1.0)
    assert camera.distance < 0.3 * distance
    assert scene.camera.used.far > 0.9 * far
    np.testing.assert_allclose(camera.target, [0.0, 1.6, 0.0], atol=0.05)


def test_the_camera_follows_the_selected_joint(scene):
    set_look(scene, selected=Selected(joint(scene, "LeftHand")))
    scene.camera.follow_selected = True
    scene.update(0.0)
    before = scene.camera.current.target.copy()
    placement = np.eye(4)
    placement[:3, 3] = [1.0, 0.0, 2.0]
    scene.character.set_placement(placement)
    scene.update(0.0)
    np.testing.assert_allclose(scene.camera.current.target - before, [1.0, 0.0, 2.0], atol=1e-6)
    set_look(scene, selected=None)
    scene.character.set_placement(np.eye(4))
    scene.update(0.0)
    np.testing.assert_allclose(scene.camera.current.target - before, [1.0, 0.0, 2.0], atol=1e-6)


def test_the_free_camera_stays_while_it_follows(scene):
    set_look(scene, selected=Selected(joint(scene, "LeftHand")))
    scene.camera.follow_selected = True
    scene.update(0.0)
    before = scene.camera.orbit.target.copy()
    placement = np.eye(4)
    for x in (0.1, 0.7, 1e6, 0.3):
        placement[0, 3] = x
        scene.character.set_placement(placement)
        scene.update(0.0)
        np.testing.assert_array_equal(scene.camera.orbit.target, before)
        np.testing.assert_allclose(
            scene.camera.current.target - before, [x, 0.0, 0.0], atol=1e-6 + 1e-9 * x
        )
    shown = scene.camera.current.target
    for change in ("follow_selected", "follow"):
        setattr(scene.camera, change, False)
        scene.update(0.0)
        np.testing.assert_array_equal(scene.camera.current.target, shown, "no jump")
    scene.camera.rebase()
    np.testing.assert_array_equal(scene.camera.orbit.target, shown)
