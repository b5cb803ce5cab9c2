"""Instances are added, removed and lined up; the camera stays where it is."""

import math

import numpy as np
import pytest

from rigview.scene.camera import DEFAULT_ANGLES
from rigview.scene.instance import Instance
from rigview.scene.instance_list import InstanceList
from rigview.scene.scene import Scene
from rigview.scenedoc.shown import Shown
from tests.support import animated_value_files
from tests.support.models import rod_model


def three():
    instances = InstanceList()
    instances.replace([Instance.of(rod_model()) for _ in range(3)])
    return instances


def test_neighbour_is_the_next_one_or_the_one_before():
    instances = three()
    first, second, third = instances
    assert instances.neighbour(first) is second
    assert instances.neighbour(third) is second
    instances.remove(second)
    instances.remove(third)
    assert instances.neighbour(first) is None


def test_instances_stand_beside_each_other_in_their_order():
    instances = three()
    instances.add(Instance.of(rod_model()), 1)
    instances.line_up()
    for left, right in zip(list(instances)[:-1], list(instances)[1:], strict=True):
        assert left.extent[1, 0] < right.extent[0, 0]


@pytest.mark.parametrize(("count", "columns"), [(8, 8), (9, 3), (20, 5)])
def test_many_stand_in_a_grid(count, columns):
    instances = InstanceList()
    instances.replace([Instance.of(rod_model()) for _ in range(count)])
    instances.line_up()
    assert (instances.columns, instances.in_rows) == (columns, columns < count)
    ends = np.array([each.extent for each in instances])
    for k in range(count):
        if (k + 1) % columns and k + 1 < count:
            assert ends[k, 1, 0] < ends[k + 1, 0, 0], "beside each other"
            assert ends[k, 0, 2] == ends[k + 1, 0, 2]
        if k + columns < count:
            assert ends[k, 0, 2] > ends[k + columns, 1, 2], "behind each other"
            assert ends[k, 0, 0] == ends[k + columns, 0, 0]
    np.testing.assert_array_equal(instances[0].character.placement, np.eye(4))


def test_a_grid_is_seen_from_above_and_a_row_is_not():
    scene = Scene()
    for count, elevation in ((8, math.radians(DEFAULT_ANGLES[1])), (9, math.radians(30.0))):
        scene.set_instances([Instance.of(rod_model()) for _ in range(count)])
        scene.view_by_default()
        assert scene.camera.orbit.elevation == pytest.approx(elevation)


def test_one_that_is_left_alone_is_centred_again():
    instances = three()
    instances.line_up()
    *others, last = instances
    for other in others:
        instances.remove(other)
    np.testing.assert_array_equal(last.character.placement, np.eye(4))
    assert instances.active is None


def test_hidden_instances_keep_their_place_but_not_their_extent():
    scene = Scene()
    scene.set_instances([Instance.of(rod_model()) for _ in range(2)])
    whole = scene.bounds.extent
    scene.instances[1].bind(Shown(hidden=True))
    scene.measure()
    np.testing.assert_array_equal(scene.bounds.extent, scene.instances[0].extent)
    assert scene.bounds.extent[1, 0] < whole[1, 0]


def test_removing_the_active_instance_keeps_the_view():
    scene = Scene()
    scene.set_instances([Instance.of(animated_value_files.two_cameras().load())])
    scene.instances.add(Instance.of(rod_model()))
    scene.frame(1.0)
    scene.camera.file_camera = 0
    scene.update(0.0)
    eye = scene.camera.used.position()
    scene.remove(scene.instances[0])
    assert scene.instances.active is scene.instances[0]
    assert scene.camera.uses_orbit
    np.testing.assert_allclose(scene.camera.used.position(), eye, atol=1e-5)
