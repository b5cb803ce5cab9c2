"""Instances of a mesh: pictures and bounds are those of a node for each instance."""

import numpy as np
import pytest

from rigview.scene import bounds
from rigview.scene.camera import OrbitCamera
from tests.support.crowd_pictures import draw_scene, places_in_a_row, scene_with, show_crowd
from tests.support.draw import draw
from tests.support.instanced_files import instanced, transforms

CAMERA = OrbitCamera(azimuth=0.5, elevation=0.3, ortho=False, distance=6.0)
SIZE = {"size": (320, 240), "camera": CAMERA}


def pair(gl, *, options=None, **display):
    """Pictures of a file with instances, and of one with a node for each."""
    options = options or {}
    return [
        draw(gl, instanced(as_nodes=each, **options).load(), **(SIZE | display)).astype(int)
        for each in (False, True)
    ]


def assert_same(one, other, most=1, share=0.999):
    """At most single steps of 255, but for pixels of edges that rounding moves."""
    assert (one[..., 3] > 0).mean() > 0.03, "empty"
    apart = np.abs(one - other).max(axis=2)
    assert (apart <= most).mean() >= share
    assert (apart > 0).mean() < 0.02


@pytest.mark.parametrize("tau", [0.0, 0.7])
def test_lit_instances_of_an_animated_node(gl, tau):
    """With mirrored ones, below a stretched node."""
    one, other = pair(gl, tau=tau, samples=4)
    assert_same(one, other)


def test_shadow_and_occlusion(gl):
    one, other = pair(gl, samples=4, occlusion=True, shadow=True)
    assert_same(one, other)


@pytest.mark.parametrize("mode", ["normals", "base-colour"])
def test_view_modes(gl, mode):
    assert_same(*pair(gl, view_mode=mode))


def test_a_thousand_instances(gl):
    placed = transforms(1000)
    placed[0] *= 2
    placed[2] /= 3
    assert_same(*pair(gl, options={"placed": placed}), share=0.998)


def test_a_crowd(gl):
    pictures, places = [], np.ones((4, 4), np.float32)
    places[0, 3] = 0.4  # closer
    for as_nodes in (False, True):
        scene, _ = scene_with(instanced(as_nodes=as_nodes).load())
        scene.camera.orbit.distance = 6.0
        show_crowd(
            scene, [0, 0], places_in_a_row(2, turned=True) * places, times=np.array([0.2, 0.8])
        )
        pictures.append(draw_scene(gl, scene))
    assert_same(*pictures)


@pytest.mark.parametrize("most", [12, 11])
def test_bounds(most, monkeypatch):
    """Those of few instances are of a box each, those of more hold the same vertices."""
    monkeypatch.setattr(bounds, "MOST_PLACED", most)
    model, nodes = (instanced(as_nodes=each).load() for each in (False, True))
    pose, other = (each.clips[0].sample(0.4) for each in (model, nodes))
    found = bounds.PosedBounds(model).corners(pose)
    expected = bounds.PosedBounds(nodes).corners(other)
    ends = [np.array([x.min(axis=0), x.max(axis=0)]) for x in (found, expected)]
    if most == 12:
        np.testing.assert_allclose(*ends, atol=1e-5)
    exact = bounds.ExactBounds(model), bounds.ExactBounds(nodes)
    boxes = [
        each.boxes(m.skeleton.to_model(p), p.values, np.eye(4, dtype=np.float32), frozenset())
        for each, m, p in zip(exact, (model, nodes), (pose, other), strict=True)
    ]
    tight = np.array([boxes[1][:, 0].min(axis=0), boxes[1][:, 1].max(axis=0)])
    np.testing.assert_allclose(boxes[0][0], tight, atol=1e-5)
    assert (ends[0][0] <= tight[0] + 1e-5).all()
    assert (ends[0][1] >= tight[1] - 1e-5).all()
