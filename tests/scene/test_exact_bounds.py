"""Exact boxes of every drawn vertex, world space."""

import numpy as np
import pytest

from rigview.loading.load import load
from rigview.rendering.overlay_lines import bounds_lines
from rigview.resources import asset_path
from rigview.scene.bounds import ExactBounds
from rigview.scene.scene import Scene
from tests.scene.drawn_points import drawn_points
from tests.support.animated_value_files import flip_book
from tests.support.models import rod_model


def posed(model, tau=0.4):
    scene = Scene()
    character = scene.show(model)
    character.play_clip(0, 0.0)
    scene.update(tau)
    return character


def boxes(character, world=None, hidden=frozenset()):
    world = np.eye(4, dtype=np.float32) if world is None else world
    values = character.pose.values
    return ExactBounds(character.model).boxes(character.matrices, values, world, hidden)


def ends(points):
    return np.stack([points.min(axis=0), points.max(axis=0)])


@pytest.mark.parametrize("source", ["rod", "mannequin"])
def test_boxes_are_tight(source):
    model = rod_model() if source == "rod" else load(asset_path("mannequin.glb"))
    character = posed(model)
    found = boxes(character)
    points = list(drawn_points(model, character.pose))
    assert len(found) == sum(each.in_scene for each in model.instances)
    whole = [found[:, 0].min(axis=0), found[:, 1].max(axis=0)]
    np.testing.assert_allclose(whole, ends(np.concatenate(points)), atol=1e-5)
    if len(found) == len(points):
        np.testing.assert_allclose(found, [ends(each) for each in points], atol=1e-5)


def test_boxes_are_aligned_with_world_axes():
    character = posed(rod_model())
    turned = np.eye(4, dtype=np.float32)
    turned[:3, :3] = [[0, -2, 0], [2, 0, 0], [0, 0, 2]]
    turned[:3, 3] = 1, 2, 3
    points = np.concatenate(list(drawn_points(character.model, character.pose)))
    placed = points @ turned[:3, :3].T + turned[:3, 3]
    np.testing.assert_allclose(boxes(character, turned)[0], ends(placed), atol=1e-5)


def test_hidden_meshes_have_no_box():
    character = posed(load(flip_book().glb()), 0.3)
    hidden = character.pointer_values.hidden(character.pose.values)
    found = boxes(character, hidden=hidden)
    assert len(found) == 1  # of four frames
    np.testing.assert_allclose(found[0][1] - found[0][0], [1.5, 1.5, 0], atol=1e-6)


def test_two_meshes_have_a_third_common_box():
    one = np.array([[[0, 0, 0], [1, 2, 3]]], np.float32)
    lines = bounds_lines(one)
    assert len(lines) == 12
    lengths = np.linalg.norm(lines[:, 3:6] - lines[:, :3], axis=1)
    assert sorted(lengths) == [1] * 4 + [2] * 4 + [3] * 4
    assert len({tuple(line[:6]) for line in lines}) == 12
    both = bounds_lines(np.concatenate([one, one + 5]))
    assert len(both) == 36
    assert both[-12:, :6].min() == 0
    assert both[-12:, :6].max() == 8
    assert both[-1, 10] > both[0, 10], "distinguishable without colour"
    assert len(bounds_lines(np.zeros((0, 2, 3), np.float32))) == 0
