"""The skeleton overlay uses the matrices of the skin."""

import numpy as np

from rigview.render.frame import Frame
from rigview.render.overlay_lines import shown_joints, skeleton_lines
from rigview.scene.scene import Scene
from tests.support.models import rod_model


def test_bones_join_parents_and_children():
    scene = Scene()
    character = scene.show(rod_model())
    character.play_clip(0, 0.0)
    scene.display.skeleton = True
    scene.update(0.5)
    lines = skeleton_lines(Frame.of(scene))
    places = character.matrices[:, :3, 3]
    joints = np.nonzero(shown_joints(character.model))[0]
    bones = [
        (character.model.skeleton.parents[j], j)
        for j in joints
        if character.model.skeleton.parents[j] in joints
    ]
    assert len(lines) == 2 * len(bones) + 2 * len(joints)
    ends = {tuple(np.round([*line[:3], *line[3:6]], 4)) for line in lines}
    for parent, child in bones:
        assert tuple(np.round([*places[parent], *places[child]], 4)) in ends


def test_mesh_nodes_are_not_bones():
    model = rod_model()
    shown = shown_joints(model)
    for instance in model.instances:
        assert not shown[instance.joint]


def test_axes_follow_the_pose():
    scene = Scene()
    character = scene.show(rod_model())
    character.play_clip(0, 0.0)
    scene.display.axes = True
    scene.update(0.5)
    lines = skeleton_lines(Frame.of(scene))
    joints = np.nonzero(shown_joints(character.model))[0]
    way = lines[: len(joints), 3:6] - lines[: len(joints), :3]
    way /= np.linalg.norm(way, axis=1, keepdims=True)
    axis = character.matrices[joints, :3, 0]
    axis = axis / np.linalg.norm(axis, axis=1, keepdims=True)
    np.testing.assert_allclose(way, axis, atol=1e-4)


def test_no_lines_without_overlays():
    scene = Scene()
    scene.show(rod_model())
    scene.update(0.0)
    assert len(skeleton_lines(Frame.of(scene))) == 0
