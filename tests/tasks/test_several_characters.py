"""Several files side by side in one scene, each with its own clip."""

import shutil

import numpy as np
import pytest

from rigview.cli.main import main
from rigview.errors import UsageError
from rigview.options.parser import parse
from rigview.resources import asset_path
from rigview.scene.bounds import PosedBounds
from rigview.scene.instance import Instance
from rigview.scene.lights import lights_of
from rigview.scene.named_joints import named_joints
from rigview.scene.scene import Scene
from rigview.tasks import several_characters
from rigview.tasks.build_scene import playing_scene
from tests.support.animated_value_files import lit_floor, robot_arm
from tests.support.pictures import read_picture, separate_parts

CHARACTER = asset_path("mannequin.glb")
SMALL = ("--resolution", "200,120", "--samples", "1", "--no-background", "--no-shadow", "--quiet")


def at_the_edge(pixels):
    """Whether something reaches out of the picture."""
    solid = pixels[..., 3] > 0
    return bool(np.concatenate([solid[0], solid[-1], solid[:, 0], solid[:, -1]]).any())


@pytest.fixture
def alone(tmp_path):
    """The bundled character without its motion file."""
    return str(shutil.copy(CHARACTER, tmp_path / "figure.glb"))


def staged(*words):
    args = parse("render", [*map(str, words), "-o", "x.png", "--no-motion"])
    scene = playing_scene(args, several_characters.load_characters(args), 1.5)
    scene.update(0.4)
    return scene


def test_files_are_side_by_side_and_framed(tmp_path, alone):
    robot = robot_arm().path(tmp_path, "arm.glb")
    out = tmp_path / "out.png"
    assert (
        main(["render", alone, str(robot), alone, "-o", str(out), "--view", "front", *SMALL]) == 0
    )
    pixels = read_picture(out)
    assert separate_parts(pixels) == 3
    assert not at_the_edge(pixels)
    solid = pixels[..., 3] > 0
    across, down = (np.ptp(np.flatnonzero(solid.any(axis=k))) / solid.shape[1 - k] for k in (0, 1))
    assert max(across, down) > 0.6


def test_first_file_keeps_its_position(alone):
    scene = staged(alone, alone)
    np.testing.assert_array_equal(scene.character.world, np.eye(4))
    other = scene.instances[1].character
    swept = PosedBounds(scene.character.model).sweep(scene.character.mixer.sweep().poses)
    low, high = swept[:, 0].min(), swept[:, 0].max()
    assert other.world[0, 3] == pytest.approx(1.1 * (high - low), rel=1e-4)
    assert not other.world[1:3, 3].any()


def test_measuring_again_keeps_positions(alone):
    scene = staged(alone, alone, alone)
    places = [each.world.copy() for each in scene.characters]
    extent = scene.bounds.extent.copy()
    scene.measure()
    np.testing.assert_array_equal(extent, scene.bounds.extent)
    np.testing.assert_array_equal(places, [each.world for each in scene.characters])


def test_each_plays_its_own_clip(alone):
    scene = staged(alone, alone, alone, "--animation", "Idle", "--animation", "Walk")
    names = [clip.name for clip in scene.character.model.clips]
    played = [names[each.clip] for each in scene.characters[1:]]
    assert played == ["Walk", "Walk"], "the last one is for the rest"
    first, second = (each.pose.rotation for each in scene.characters[:2])
    assert np.abs(first - second).max() > 0.05
    np.testing.assert_array_equal(second, scene.characters[2].pose.rotation)


def test_clip_changes_only_its_own_character(tmp_path, alone):
    still = ["--time", "0.4", "--no-shadow", "--view", "front", "--no-occlusion", *SMALL]
    camera = ["--camera-position", "0.8,1,6", "--camera-target", "0.8,1,0"]
    still[3:5] = camera
    found = []
    for clip in ("Idle", "Walk"):
        out = tmp_path / f"{clip}.png"
        words = ["render", alone, alone, "--animation", "Idle", "--animation", clip]
        assert main([*words, "-o", str(out), *still]) == 0
        found.append(read_picture(out))
    changed = (found[0] != found[1]).any(axis=(0, 2))
    assert changed.any()
    first = np.flatnonzero(found[0][..., 3].any(axis=0))
    assert changed.argmax() > first[0] + 10, "what stands at the left is the same"


def test_lights_apply_to_all_files(gl, tmp_path):
    lit, dark = lit_floor("directional").load(), robot_arm().load()
    scene = Scene()
    scene.show(dark)
    key, _ = lights_of(scene.characters, scene.camera.used)
    scene.instances.add(Instance.of(lit))
    scene.update(0.0)
    (light,) = lights_of(scene.characters, scene.camera.used)
    assert light.color.tolist() != key.color.tolist()


def test_joint_names_of_all_files(alone):
    one, both = staged(alone), staged(alone, alone)
    names = [[joint.name for joint in named_joints(each, (400, 200))[0]] for each in (one, both)]
    assert sorted(names[1]) == sorted(names[0] * 2)


def test_new_file_replaces_the_scene(alone):
    scene = staged(alone, alone)
    scene.show(scene.character.model)
    assert len(scene.instances) == len(scene.characters) == 1


def test_gpu_resources_are_released_with_their_characters(gl):
    from rigview.rendering.render_target import Target
    from rigview.rendering.renderer import Renderer

    renderer, target = Renderer(gl), Target(gl, (32, 32), 1)
    scene = Scene()
    scene.show(robot_arm().load())
    scene.instances.add(Instance.of(robot_arm().load()))
    scene.frame(1.0)
    scene.update(0.0)
    renderer.draw(scene, target)
    assert len(renderer._models) == 2
    scene.remove(scene.instances[1])
    renderer.draw(scene, target)
    assert len(renderer._models) == 1
    scene.instances.add(Instance.of(robot_arm().load()))
    scene.frame(1.0)
    renderer.draw(scene, target)
    renderer.unload()
    assert len(renderer._models) == 0
    renderer.release()
    target.release()


def test_turntable_frames_all_files(tmp_path, alone):
    out = tmp_path / "####.png"
    words = ["turntable", alone, alone, "--animation", "Walk", "--seconds", "1"]
    assert main([*words, "--frame-rate", "4", "-o", str(out), *SMALL]) == 0
    pictures = [read_picture(path) for path in sorted(tmp_path.glob("*.png"))]
    assert len(pictures) >= 3
    for pixels in pictures:
        assert not at_the_edge(pixels)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["{file}", "--animation", "Walk", "--animation", "Run"], "given 2 times for 1 file"),
        (["{file}", "-"], "standard input"),
        (["{file}", "{file}", "--animation", "Walk", "--animation", "Rum"], "no animation 'Rum'"),
        (["{file}", "missing.glb"], "missing.glb"),
    ],
)
def test_excluded_options(tmp_path, alone, capsys, words, said):
    given = [word.format(file=alone) for word in words]
    assert main(["render", *given, "-o", str(tmp_path / "x.png")]) in (2, 3)
    err = capsys.readouterr().err
    assert said in err
    assert len(err.splitlines()) == 1
    assert not list(tmp_path.glob("x.png"))


def test_single_file_is_unchanged():
    options = parse("render", ["a.glb", "--animation", "Walk", "-o", "x.png"])
    assert (options.file, options.files) == ("a.glb", ("a.glb",))
    assert options.shown.clip == "Walk"
    options = parse("render", ["-o", "x.png"])
    assert (options.file, options.files, options.shown.clip) == (None, (), None)
    assert len(options.scene.characters) == 1


def test_more_clips_than_files_is_wrong_use():
    with pytest.raises(UsageError, match="2 times for 1 file"):
        parse("render", ["--animation", "a", "--animation", "b", "-o", "x.png"])


def lit_by(folder, name, count):
    b = lit_floor("point")
    for _ in range(count - 1):
        b.add("nodes", extensions={"KHR_lights_punctual": {"light": 0}})
    b.add("cameras", name=f"Eye of {name}", type="perspective", perspective={"yfov": 1, "znear": 1})
    b.add("nodes", name=f"Post of {name}", camera=0, translation=[0, 1, 4])
    b.extension("KHR_materials_variants", variants=[{"name": f"Coat of {name}"}])
    return str(b.path(folder, f"{name}.glb"))


@pytest.mark.parametrize(
    ("option", "text"),
    [("camera", "Eye of b"), ("variant", "Coat of b"), ("weights", "Post of b")],
)
def test_name_of_another_file_is_reported(tmp_path, capsys, option, text):
    files = [lit_by(tmp_path, name, 1) for name in "ab"]
    out = tmp_path / "out.png"
    assert main(["render", *files, f"--{option}", text, "-o", str(out)]) == 2
    said = capsys.readouterr().err
    assert f"--{option}: {text!r} is not in the active file 1 but in " in said
    assert "--active 2" in said
    assert "b.glb" in said
    assert main(["render", *files, f"--{option}", "Nope", "-o", str(out)]) == 2
    assert "is not in the active file" not in capsys.readouterr().err


@pytest.mark.parametrize(("counts", "told"), [((9, 9), True), ((9, 7), False), ((1, 17), True)])
def test_too_many_lights_are_reported_once(tmp_path, capsys, counts, told):
    files = [lit_by(tmp_path, name, count) for name, count in zip("ab", counts, strict=True)]
    out = str(tmp_path / "out.png")
    assert main(["render", *files, "--resolution", "32,32", "--samples", "1", "-o", out]) == 0
    said = capsys.readouterr().err
    assert ("18 lights in all files; only the first 16 are used" in said) == told


def test_hidden_file_is_not_drawn(tmp_path):
    """Its light, too, is out: the switch is its own file's."""
    b = lit_floor("point", intensity=9.0)
    b.extension("KHR_node_visibility")
    for node in b.json["nodes"]:
        node.setdefault("extensions", {})["KHR_node_visibility"] = {"visible": False}
    hidden, robot = str(b.path(tmp_path, "hidden.glb")), str(robot_arm().path(tmp_path, "arm.glb"))
    out = tmp_path / "out.png"
    assert main(["render", robot, hidden, *SMALL, "--view", "front", "-o", str(out)]) == 0
    assert separate_parts(read_picture(out)) == 1


def test_all_files_hidden_gives_an_empty_scene(rigview, tmp_path):
    given = [str(CHARACTER), str(CHARACTER), "--hide", "1", "--hide", "2", "--no-motion"]
    ran = rigview("render", *given, "--resolution", "16,16", "-o", str(tmp_path / "x.png"))
    assert (ran.code, ran.err) == (0, "")
