"""A resolved record draws the picture of the record that was asked for, and stays as it is."""

import numpy as np
import pytest

from rigview.errors import UsageError
from rigview.options.parser import parse
from rigview.resources import asset_path
from rigview.scene.resolve import resolve
from rigview.scenedoc.scene_doc import SceneDoc
from rigview.tasks.build_scene import playing_scene
from rigview.tasks.several_characters import load_characters
from tests.support.full_file import full_file
from tests.support.shared import MODELS, needs_shared

MANNEQUIN = str(asset_path("mannequin.glb"))
LINES = [
    "--animation Wa* --time 0.4 --view right",
    "--animation #1 --hide-joints LeftArm,!LeftHand --select #12 --weights #9",
    "--camera-target 0,1,0 --camera-fov 30 --fit clip",
    "--camera-position 1,2,3 --ortho",
    "--crowd 2x2 --animation #0 --animation Wa*",
    "--camera-azimuth 30 --camera-elevation 5 --camera-follow none",
]


def staged(options):
    return playing_scene(options, load_characters(options), 1.3)


def drawn_from(scene, tau):
    """What a picture depends on: the camera's matrices, and the palettes of the characters."""
    scene.update(tau)
    camera = scene.camera.used
    characters = [each.character for each in scene.instances]
    hidden = [(each.hidden_parts, each.hidden_joints, each.variant) for each in characters]
    palettes = [palette for each in characters for palette in each.palettes]
    return hidden, scene.selected, scene.weights_joint, [camera.view(), *palettes]


def parsed(*words):
    return parse("render", [*words, "--no-motion", "-o", "x.png", "--quiet"])


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize(
    "file", [MANNEQUIN, pytest.param(str(MODELS / "CesiumMan.glb"), marks=needs_shared)]
)
def test_a_resolved_record_shows_the_same(file, line):
    words = line.split()
    if file != MANNEQUIN:
        words = [word.replace("Wa*", "#0").replace("LeftArm,!LeftHand", "#5") for word in words]
        words = [word.replace("#12", "#4").replace("#1", "#0") for word in words]
    options = parsed(file, *words)
    scene = staged(options)
    found = resolve(options.scene, scene)
    assert found.camera.position is not None or options.scene.crowd.size
    again = staged(options.with_scene(**{name: getattr(found, name) for name in NAMES}))
    assert resolve(found, again) == found
    one, other = drawn_from(scene, 0.7), drawn_from(again, 0.7)
    assert one[:3] == other[:3]
    for a, b in zip(one[3], other[3], strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-12)


NAMES = ("characters", "crowd", "selected", "camera", "look")


def test_names_of_a_file(tmp_path):
    path = str(full_file().path(tmp_path))
    options = parsed(path, "--variant", "1", "--camera", "1", "--hide-mesh", "#0")
    scene = staged(options)
    found = resolve(options.scene, scene)
    model = scene.instances[0].model
    assert found.character.variant == model.variants[1]
    assert found.camera.name == model.cameras[1].name
    assert found.camera.position is None
    assert "#" not in (found.character.hidden_meshes or "")
    assert resolve(found, scene) == found


def test_each_character_has_its_own_names():
    options = parsed(MANNEQUIN, MANNEQUIN, "--animation", "Wa*", "--animation", "#0")
    scene = staged(options)
    found = resolve(options.scene, scene)
    first = scene.instances[0].model.clips[0].name
    assert [each.clip for each in found.characters] == ["Walk", first]


def test_an_empty_scene_and_missing_names():
    options = parsed(MANNEQUIN)
    scene = staged(options)
    empty = SceneDoc(characters=())
    assert resolve(empty, scene) is empty
    wrong = options.scene.with_character(variant="Night")
    with pytest.raises(UsageError, match="no variant"):
        resolve(wrong, scene)


@pytest.mark.parametrize("follow", ["selection", "none"])
def test_camera_follows_what_is_chosen(follow):
    options = parsed(
        MANNEQUIN, "--animation", "Walk", "--select", "LeftFoot", "--camera-follow", follow
    )
    scene = staged(options)
    foot = scene.selected.joint
    scene.update(0.0)
    target, before = scene.camera.current.target, scene.character.joint_world(foot)[:3, 3]
    scene.update(0.4)
    moved = scene.character.joint_world(foot)[:3, 3] - before
    assert np.linalg.norm(moved) > 0.1
    wanted = moved if follow == "selection" else np.zeros(3)
    np.testing.assert_allclose(scene.camera.current.target - target, wanted, atol=1e-6)
