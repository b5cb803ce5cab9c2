"""Joints near a point: dots before bones, the nearest first, through everything."""

import numpy as np
import pytest

from rigview.scene.camera import OrbitCamera
from rigview.scene.joint_picking import REACH, joints_at
from rigview.scene.scene import Scene
from tests.support.models import rod_model

SIZE = (400.0, 400.0)  # 100 points a metre
DOT = 4.0  # radius of the dots of long bones with their outline, points


@pytest.fixture
def rod():
    """Joints 1, 2 and 3 at heights of 0, 1 and 2 m, seen from +Z."""
    camera = OrbitCamera(azimuth=0.0, elevation=0.0, ortho=True, distance=10.0)
    camera.target = np.array([0.0, 1.0, 0.0])
    scene = Scene(camera=camera)
    character = scene.show(rod_model())
    character.play_clip(-1, 0.0)
    scene.update(0.0)
    return scene


def at(scene, x, y):
    """Joints near a point in metres."""
    camera = scene.camera.used
    place = camera.project(np.array([x, y, 0.0]), 1.0)[:2] * SIZE
    scale = np.linalg.norm(np.diff(camera.project(np.eye(3)[:2], 1.0)[:, :2], axis=0)) * 400
    assert scale > 50
    found = joints_at([scene.character], camera, SIZE, tuple(place.tolist()), style="lines")
    return [hit.joint for hit in found]


def metres(scene, points):
    """A distance in points as metres."""
    ends = scene.camera.used.project(np.array([[0.0, 0, 0], [1, 0, 0]]), 1.0)[:, 0] * SIZE[0]
    return points / float(ends[1] - ends[0])


def test_dots(rod):
    assert at(rod, 0.0, 0.0) == [1]
    assert at(rod, 0.0, 1.0) == [2, 1]
    assert at(rod, 0.0, 2.0) == [3, 2]


def test_a_bone_belongs_to_its_parent(rod):
    assert at(rod, 0.0, 0.5) == [1]
    assert at(rod, metres(rod, REACH - 0.5), 1.5) == [2]
    assert at(rod, metres(rod, REACH + 0.5), 1.5) == []


def test_a_line_is_nearer_than_a_dot_further_away(rod):
    off = 1.0 - metres(rod, DOT + 1.0)
    assert at(rod, 0.0, off) == [1, 2]
    assert at(rod, 0.0, 1.0 - metres(rod, DOT - 1.0))[0] == 2


def test_the_nearer_of_two_characters(rod):
    other = Scene()
    second = other.show(rod_model())
    second.play_clip(-1, 0.0)
    placement = np.eye(4)
    placement[0, 3] = metres(rod, 5.0)
    second.set_placement(placement)
    other.update(0.0)
    camera = rod.camera.used
    for x, first in ((0.0, 0), (placement[0, 3], 1)):
        place = camera.project(np.array([x, 0.5, 0.0]), 1.0)[:2] * SIZE
        hits = joints_at([rod.character, second], camera, SIZE, tuple(place.tolist()))
        assert [hit.character for hit in hits] == [first, 1 - first]
        assert hits[0].distance == pytest.approx(0.0, abs=1e-3)


def test_bones_that_begin_behind_the_camera(rod):
    """The camera stands beside joint 2 and looks along the rod, to joint 3."""
    camera = OrbitCamera(azimuth=0.0, elevation=-np.pi / 2 + 0.01, distance=1.0)
    camera.target = np.array([0.05, 2.2, 0.0])
    joint = rod.character.matrices[3, :3, 3]
    place = camera.project(joint, 1.0)[:2] * SIZE
    assert np.isnan(camera.project(rod.character.matrices[1, :3, 3], 1.0)).all()
    hits = joints_at([rod.character], camera, SIZE, tuple(place.tolist()))
    assert [hit.joint for hit in hits] == [3, 2]
    assert joints_at([rod.character], camera, SIZE, (1.0, 1.0)) == []
