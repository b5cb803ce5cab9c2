"""Files attached to joints: they move with them, and leave everything else as it was."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from rigview.animation.pose import Pose
from rigview.cli.main import main
from rigview.cli.view import set_up_scene
from rigview.errors import GltfError, MotionError, UnsupportedError
from rigview.gltf.save import model_bytes
from rigview.loading.attachments import with_attachments
from rigview.loading.load import load
from rigview.loading.read_character import read
from rigview.motion.document import Attachment
from rigview.options.parser import parse
from rigview.resources import asset_path
from rigview.session import character_files
from rigview.session.view_record import view_record
from rigview.tasks.playback_setup import motion_file
from tests.support.animated_value_files import conveyor, lit_floor, robot_arm
from tests.support.bvh_text import body_bvh
from tests.support.full_file import full_file
from tests.support.gltf_validator import validated
from tests.support.pictures import read_picture
from tests.support.sessions import new_session
from tests.support.shared import MODELS, needs_shared

HAND = "LeftHand"
PLACE = Attachment("prop.glb", HAND, (0.1, 0.2, -0.1), (90.0, 0.0, 0.0), 2.0)


@pytest.fixture
def model():
    return load(asset_path("mannequin.glb"))


def attached(tmp_path, model, builder, *, file="prop.glb", **attachments):
    builder.bound()
    (tmp_path / file).write_bytes(builder.glb())
    return with_attachments(model, attachments or {"Prop": PLACE}, folder=tmp_path)


def model_matrices(model, clip, time):
    pose = Pose.like(model.skeleton.rest)
    model.clips[clip].sample(time, pose)
    return model.skeleton.to_model(pose)


def test_it_moves_with_its_joint(tmp_path, model):
    whole = attached(tmp_path, model, robot_arm())
    names = whole.skeleton.names
    turn = np.array([[2, 0, 0, 0.1], [0, 0, -2, 0.2], [0, 2, 0, -0.1], [0, 0, 0, 1.0]])
    for time in (0.0, 0.3, 0.7):
        matrices = model_matrices(whole, "Wave", time)
        hand = matrices[names.index(HAND)].astype(np.float64)
        np.testing.assert_allclose(matrices[names.index("Base")], hand @ turn, atol=1e-6)
        up = np.eye(4)
        up[1, 3] = 1.0
        upper = matrices[names.index("Upper")]
        np.testing.assert_allclose(upper, hand @ turn @ up, atol=1e-6)


def test_the_character_stays_as_it_was(tmp_path, model):
    whole = attached(tmp_path, model, robot_arm())
    for name in model.skeleton.names:
        assert name in whole.skeleton.names
    assert whole.clips.names == model.clips.names
    ours = [whole.skeleton.names.index(name) for name in model.skeleton.names]
    np.testing.assert_array_equal(
        model_matrices(whole, "Run", 0.3)[ours], model_matrices(model, "Run", 0.3)
    )
    for one, two in zip(model.meshes, whole.meshes, strict=False):
        for a, b in zip(one.primitives, two.primitives, strict=True):
            np.testing.assert_array_equal(a.positions, b.positions)
            np.testing.assert_array_equal(a.weights, b.weights)
    assert len(whole.meshes) == len(model.meshes) + 1
    assert len(whole.materials) == len(model.materials) + 1
    assert whole.name == model.name


def test_indices_of_every_kind_are_moved(tmp_path):
    """Textures, lights, cameras, variants and an extension that is not drawn."""
    host, prop = conveyor().load(), full_file()
    whole = attached(tmp_path, host, prop, Prop=Attachment("prop.glb", "Belt"))
    own = prop.load()
    assert whole.variants == host.variants, "variants are those of the character"
    assert [light.name for light in whole.lights] == [light.name for light in own.lights]
    assert [each.name for each in whole.cameras] == [each.name for each in own.cameras]
    (instance,) = [each for each in whole.instances if each.mesh == len(host.meshes)]
    part = whole.meshes[instance.mesh].primitives[0]
    first = own.meshes[0].primitives[0]
    assert part.material == first.material + len(host.materials)
    np.testing.assert_array_equal(part.positions, first.positions)
    other = attached(tmp_path, own, conveyor(), Prop=Attachment("prop.glb", "Socket"))
    info = other.materials[-1].base_color_texture
    image = other.images[info.image]
    np.testing.assert_array_equal(image.pixels, conveyor().load().images[0].pixels)


def test_attached_lights_light(tmp_path):
    host = lit_floor().load()
    whole = attached(tmp_path, host, lit_floor(), Prop=Attachment("prop.glb", "Floor", scale=0.5))
    assert len(whole.lights) == 2 * len(host.lights)
    assert len({light.joint for light in whole.lights}) == 2


def test_separate_files_of_a_prop(tmp_path, model):
    folder = tmp_path / "props"
    folder.mkdir()
    builder = conveyor()
    text = json.loads(builder.gltf("data.bin"))
    (folder / "data.bin").write_bytes(bytes(builder.blob))
    (folder / "prop.gltf").write_text(json.dumps(text))
    whole = with_attachments(model, {"Prop": Attachment("props/prop.gltf", HAND)}, folder=tmp_path)
    assert whole.facts.files[-2:] == (folder / "prop.gltf", folder / "data.bin")
    assert len(whole.images) == len(model.images) + 1


def test_saved_with_its_attachment(tmp_path, model):
    whole = attached(tmp_path, model, conveyor())
    path = tmp_path / "armed.glb"
    path.write_bytes(model_bytes(whole))
    again = load(path)
    assert again.skeleton.names == whole.skeleton.names
    assert len(again.meshes) == len(whole.meshes)
    (issues,) = validated(path)
    assert [each for each in issues if each.severity == "error"] == []


def test_attachments_are_replaced_and_removed(tmp_path, model):
    whole = attached(tmp_path, model, robot_arm())
    again = attached(tmp_path, whole, conveyor(), Belt=Attachment("prop.glb", "Head"))
    assert "Base" not in again.skeleton.names
    assert "Belt" in again.skeleton.names
    bare = with_attachments(again, {}, folder=tmp_path)
    assert bare.skeleton.names == model.skeleton.names
    assert with_attachments(bare, {}, folder=tmp_path) is bare


@pytest.mark.parametrize(
    ("attachment", "place", "message"),
    [
        (Attachment("prop.glb", "LeftHnd"), "joint", "LeftHand"),
        (Attachment("none.glb", HAND), "file", "no such file"),
        (Attachment("../prop.glb", HAND), "file", "lies outside"),
        (Attachment("walk.bvh", HAND), "file", "motion capture"),
    ],
)
def test_what_cannot_be_attached(tmp_path, model, attachment, place, message):
    (tmp_path / "walk.bvh").write_text(body_bvh())
    with pytest.raises(MotionError, match=message) as caught:
        attached(tmp_path, model, robot_arm(), Prop=attachment)
    assert caught.value.path == ("attachments", "Prop", place)


def test_motion_capture_carries_nothing(tmp_path):
    path = tmp_path / "walk.bvh"
    path.write_text(body_bvh())
    with pytest.raises(UnsupportedError, match="motion capture"):
        attached(tmp_path, load(path), robot_arm())


def test_file_given_on_the_command_line_may_be_anywhere(tmp_path, model):
    far = tmp_path / "far"
    far.mkdir()
    (far / "prop.glb").write_bytes(robot_arm().glb())
    given = Attachment(str(far / "prop.glb"), HAND, given=True)
    assert "Base" in with_attachments(model, {"P": given}, folder=tmp_path).skeleton.names
    missing = Attachment(str(far / "none.glb"), HAND, given=True)
    with pytest.raises(GltfError, match="no such file"):
        with_attachments(model, {"P": missing}, folder=tmp_path)


def test_an_unknown_joint_on_the_command_line(tmp_path, capsys):
    hero = shutil.copy(asset_path("mannequin.glb"), tmp_path / "hero.glb")
    (tmp_path / "prop.glb").write_bytes(robot_arm().glb())
    words = ["render", str(hero), "--attach", f"{tmp_path / 'prop.glb'}=LeftHnd", "-o", "x.png"]
    assert main(words) == 2
    shown = capsys.readouterr().err
    assert "no joint 'LeftHnd'; did you mean 'LeftHand'" in shown
    assert "motion.toml" not in shown, "there is no motion file"


def test_what_is_given_is_copied_and_saved_with_the_comments_of_the_file(tmp_path, monkeypatch):
    """A file of --attach is no unsaved work, but part of what the window shows and saves."""
    shutil.copy(asset_path("mannequin.glb"), tmp_path / "hero.glb")
    text = "# mine\nversion = 1 # one\n[parameters]\nspeed = {} # fast\n"
    path = tmp_path / "hero.motion.toml"
    path.write_text(text)
    (tmp_path / "prop.glb").write_bytes(robot_arm().glb())
    monkeypatch.chdir(tmp_path)
    options = parse("view", ["hero.glb", "--attach", f"prop.glb={HAND}"])
    session, motion = new_session(100.0), motion_file(options)
    session.tick()
    character_files.open_file(
        session, Path("hero.glb"), lambda s: set_up_scene(options, s, [motion]), motion
    )
    own = session.active
    assert "Base" in own.model.skeleton.names
    assert not session.dirty
    shown = view_record(session, (64, 64), 1).characters[0].motion
    assert "prop" in shown.document.attachments
    assert own.save(path)
    written = path.read_text()
    assert written.startswith(text)
    assert '[attachments.prop]\nfile = "prop.glb"\njoint = "LeftHand"' in written
    again = read(Path("hero.glb"))
    assert again.model.skeleton.names == own.model.skeleton.names


def test_command_and_motion_file_draw_the_same(tmp_path):
    hero = shutil.copy(asset_path("mannequin.glb"), tmp_path / "hero.glb")
    (tmp_path / "prop.glb").write_bytes(robot_arm().glb())
    words = "--resolution", "160,200", "--samples", "1", "--quiet", "--time", "0.4"
    clip = "--animation", "Wave"
    out = [tmp_path / f"{k}.png" for k in range(3)]
    given = "--attach", f"{tmp_path / 'prop.glb'}={HAND}"
    assert main(["render", str(hero), *given, *clip, *words, "-o", str(out[0])]) == 0
    (tmp_path / "hero.motion.toml").write_text(
        'version = 1\n[attachments.prop]\nfile = "prop.glb"\njoint = "LeftHand"\n'
    )
    assert main(["render", str(hero), *clip, *words, "-o", str(out[1])]) == 0
    assert main(["render", str(hero), "--no-motion", *clip, *words, "-o", str(out[2])]) == 0
    first, second, bare = map(read_picture, out)
    np.testing.assert_array_equal(first, second)
    assert (first != bare).any()
    found = read(hero)
    assert "Base" in found.model.skeleton.names
    assert tmp_path / "prop.glb" in found.model.facts.files, "it is watched"


@needs_shared
@pytest.mark.parametrize("name", ["CesiumMan.glb", "Fox.glb", "Woman.gltf", "robot.glb"])
def test_skinned_characters_on_a_hand(tmp_path, model, name):
    given = Attachment(str(MODELS / name), HAND, given=True)
    whole, own = with_attachments(model, {"Prop": given}, folder=tmp_path), load(MODELS / name)
    assert len(whole.skins) == len(model.skins) + len(own.skins)
    rest = whole.skeleton.to_model(whole.skeleton.rest).astype(np.float64)
    alone = own.skeleton.to_model(own.skeleton.rest).astype(np.float64)
    nodes = whole.skeleton.joint_of_node
    first = int(model.skeleton.nodes.max()) + 1
    hand = rest[whole.skeleton.names.index(HAND)]
    size = np.abs(alone[:, :3, 3]).max()
    for joint, node in enumerate(own.skeleton.nodes.tolist()):
        moved = rest[nodes[first + node]]
        np.testing.assert_allclose(moved, hand @ alone[joint], atol=2e-5 * max(size, 1.0))
    (tmp_path / "armed.glb").write_bytes(model_bytes(whole))
    assert load(tmp_path / "armed.glb").skeleton.count == whole.skeleton.count
