"""Posed bounds contain every drawn vertex, and are not much larger than needed."""

import numpy as np
import pytest

from rigview.animation.pose import Pose
from rigview.loading.load import load
from rigview.motion.bind import bind
from rigview.motion.document import LayerSettings, MotionDoc, Pivot
from rigview.resources import asset_path
from rigview.scene.bounds import PosedBounds
from rigview.scene.scene import Scene
from rigview.scene.scene_bounds import grid_cell
from tests.scene.drawn_points import drawn_points
from tests.support.shared import MODELS, needs_shared

NAMES = [
    "Fox.glb",
    "robot.glb",
    "CesiumMan.glb",
    "Woman.gltf",
    "AnimatedMorphCube/AnimatedMorphCube.gltf",
    "BoxAnimated.gltf",
    "SimpleMorph/SimpleMorph.gltf",
]


@needs_shared
@pytest.mark.parametrize("name", NAMES)
def test_bounds_contain_every_vertex(name):
    model = load(MODELS / name)
    bounds = PosedBounds(model)
    for clip in model.clips[:3]:
        for time in np.linspace(0.0, clip.end, 5):
            pose = Pose.like(model.skeleton.rest)
            clip.sample(time, pose)
            corners = bounds.corners(pose)
            points = np.concatenate(list(drawn_points(model, pose)))
            size = np.linalg.norm(np.ptp(points, axis=0))
            assert (corners.min(axis=0) <= points.min(axis=0) + 1e-5 * size).all()
            assert (corners.max(axis=0) >= points.max(axis=0) - 1e-5 * size).all()
            assert np.linalg.norm(np.ptp(corners, axis=0)) < 1.5 * size


@needs_shared
@pytest.mark.parametrize("name", NAMES)
def test_framing_fills_the_picture(name):
    """The swept character is inside the picture and fills most of it, at any scale."""
    model = load(MODELS / name)
    scene = Scene()
    scene.show(model).play_clip(0, 0.0)
    scene.frame(1.0)
    spans = []
    for time in np.linspace(0.0, model.clips[0].end, 25):
        scene.update(time)
        points = np.concatenate(list(drawn_points(model, scene.character.pose)))
        at = scene.camera.current.project(points, 1.0)[:, :2]
        assert np.abs(at - 0.5).max() <= 0.5
        spans.append(at)
    extent = np.ptp(np.concatenate(spans), axis=0).max()
    assert extent > 0.6


@pytest.mark.parametrize(
    ("size", "cell"), [(1.8, 1.0), (0.018, 0.01), (180.0, 100.0), (1800.0, 1000.0), (0.0, 1.0)]
)
def test_grid_cell(size, cell):
    assert grid_cell(size) == pytest.approx(cell)


@pytest.mark.parametrize("view", ["top", "front"])
def test_a_rotating_character_is_framed(view):
    """With pivot and lean: all of it is inside, in any direction."""
    scene = Scene()
    model = load(asset_path("mannequin.glb"))
    scene.show(model)
    document = MotionDoc(pivot=Pivot(50.0), layers=(LayerSettings("base", "LeanLeft"),))
    scene.character.play(bind(model, document), 0.0)
    scene.camera.orbit.use_preset(view)
    scene.frame(1.0)
    for tau in np.linspace(0, 8, 9):
        scene.update(tau)
        points = np.concatenate(list(drawn_points(model, scene.character.pose)))
        world = scene.character.world
        at = scene.camera.current.project(points @ world[:3, :3].T + world[:3, 3], 1.0)
        assert at[:, :2].min() > 0.0
        assert at[:, :2].max() < 1.0
