"""Golden pictures of three models: skin, several primitives, morph targets."""

import pytest

from app.camera import OrbitCamera
from app.gltf.load import load
from app.render.renderer import Renderer
from app.render.target import Target
from app.resources import asset_path
from app.scene import Display, Scene
from tests.render.golden import check_golden
from tests.shared import MODELS, needs_shared

SIZE = (256, 256)
CASES = [
    ("mannequin-walk", lambda: asset_path("mannequin.glb"), "Walk", 0.25, {}),
    (
        "mannequin-skeleton",
        lambda: asset_path("mannequin.glb"),
        "Walk",
        0.25,
        {"skeleton": True, "wireframe": True},
    ),
    pytest.param(
        "robot-dance", lambda: MODELS / "robot.glb", "Robot_Dance", 1.0, {}, marks=needs_shared
    ),
    pytest.param(
        "morph-cube",
        lambda: MODELS / "AnimatedMorphCube" / "AnimatedMorphCube.gltf",
        "Square",
        1.0,
        {},
        marks=needs_shared,
    ),
]


@pytest.mark.parametrize(("name", "path", "clip", "time", "display"), CASES)
def test_golden(gl, pytestconfig, name, path, clip, time, display):
    model = load(path())
    shown = Display(grid=False, background=(0.0, 0.0, 0.0, 0.0), **display)
    scene = Scene(camera=OrbitCamera(), display=shown)
    character = scene.show(model)
    character.play([c.name for c in model.clips].index(clip), 0.0, passes=1)
    scene.frame(1.0)
    scene.update(time)
    renderer, target = Renderer(gl), Target(gl, SIZE, 4)
    renderer.draw(scene, target)
    picture = target.read()
    renderer.release()
    target.release()
    made_by = f"{gl.info['GL_RENDERER']} {gl.info['GL_VERSION']}"
    check_golden(picture, name, made_by, update=pytestconfig.getoption("--update-goldens"))
