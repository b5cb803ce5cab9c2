"""The functions of the public package: they take a file, its bytes or a model, and return data."""

import json
from dataclasses import replace

import numpy as np
import pytest

import rigview
from rigview import Clip, Track
from rigview.animation.pose import Pose
from rigview.blending.mask import Mask
from rigview.errors import AppError, MotionError, UnsupportedError, UsageError
from rigview.loading.load import load
from rigview.model.morph_weights import morph_weights
from rigview.motion.document import LayerSettings, Parameter
from tests.support.animated_value_files import robot_arm
from tests.support.bvh_text import body_bvh
from tests.support.light_mannequin import light_mannequin

MORE = """version = 1
anims = { files = ["more.glb"] }
attachments.sword = { file = "sword.glb", joint = "RightHand" }
[[layers]]
name = "base"
play = "Run"
"""


@pytest.fixture(scope="module")
def data():
    return light_mannequin(frozenset({"Walk", "Run", "Wave"}))


@pytest.fixture
def model(data):
    return load(data)


def test_an_unchanged_model_keeps_its_document(model, data, tmp_path):
    rigview.save(model, tmp_path / "same.glb")
    again = load(tmp_path / "same.glb")
    stored, written = (each.document.copied_json() for each in (model, again))
    for view in stored["bufferViews"]:
        view["byteOffset"] = view.get("byteOffset") or None
    for view in written["bufferViews"]:
        view.setdefault("byteOffset", None)
    assert written == stored
    assert bytes(again.document.chunk) == bytes(model.document.chunk)
    assert rigview.diff(model, again).same


def test_clips_are_matched_by_name_then_by_motion(model, tmp_path):
    walk, run = model.clips["Walk"], model.clips["Run"]
    model.document.json["animations"][model.clips.names.index("Run")]["extras"] = {"own": 1}
    slow = replace(
        walk,
        end=2 * walk.end,
        tracks=tuple(replace(track, times=track.times * 2) for track in walk.tracks),
    )
    changed = model.with_clips([run.renamed("Jog"), slow, walk.cut(0.1, 0.5, "Step")])
    rigview.save(changed, tmp_path / "changed.glb")
    again = load(tmp_path / "changed.glb")
    assert again.clips.names == ("Jog", "Walk", "Step")
    assert again.clips["Jog"].has_motion_of(run)
    assert again.document.json["animations"][0]["extras"] == {"own": 1}
    for clip in changed.clips:
        times = np.linspace(clip.start, clip.end, 7)
        one, two = again.clips[clip.name].sample(times), clip.sample(times)
        np.testing.assert_allclose(one.data, two.data, atol=1e-6)


def test_edited_json_is_saved(model, tmp_path):
    model.document.json["asset"]["extras"] = {"author": "me"}
    rigview.save(model, tmp_path / "edited.glb")
    assert load(tmp_path / "edited.glb").document.json["asset"]["extras"] == {"author": "me"}


def test_motion_capture_is_not_saved(tmp_path):
    with pytest.raises(UnsupportedError, match="retarget its clips to a character"):
        rigview.save(load(body_bvh().encode()), tmp_path / "capture.glb")
    assert not list(tmp_path.iterdir())


def of_track(model, joint=3, times=(0, 1, 2)):
    """A clip with one track, made by hand."""
    times = np.float32(times)
    still = np.tile(np.float32([0, 0, 0, 1]), (len(times), 1))
    return Clip.of("Own", [Track(joint, "rotation", "LINEAR", times, still)], model.skeleton.rest)


def test_check_of_a_model_in_memory(model, data):
    assert rigview.check(data) == rigview.check(model)
    walk = model.clips["Walk"]
    broken = walk.tracks[5]
    values = broken.values.copy()
    values[len(values) // 2] = np.roll(values[len(values) // 2], 1)
    bad = replace(
        walk, tracks=tuple(replace(t, values=values) if t is broken else t for t in walk.tracks)
    )
    found = rigview.check(model.with_clips([bad]), rules=["pop", "jump"])
    assert found
    assert found[0].joint == model.skeleton.names[broken.target]
    assert not rigview.check(model.with_clips([bad, walk]), clips=["#1"], rules=["pop", "jump"])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda m: rigview.check(m, rules=["popp"]), "no rule 'popp'; did you mean 'pop'?"),
        (lambda m: rigview.check(m, limits={"pup": {}}), "no rule 'pup'"),
        (lambda m: rigview.check(m, limits={"po*": {}}), "no rule 'po*'; did you mean 'pop'?"),
        (
            lambda m: rigview.check(m, limits={"foot-slide": {"nonsense": 3}}),
            "the rule 'foot-slide' has no limit 'nonsense'; its limits: ",
        ),
        (lambda m: rigview.check(m, limits={"loop-seam": {"m": 3}}), "did you mean 'mm'?"),
        (lambda m: rigview.check(m, clips=["Wlak"]), "no animation 'Wlak'; did you mean 'Walk'?"),
        (lambda m: rigview.bake(m, clips=["Wlak"]), "no animation 'Wlak'"),
        (lambda m: rigview.diff(m, "missing.glb"), "missing.glb: there is no such file"),
        (lambda m: Mask.of(m.skeleton, {"Hed": 1}), "no joint 'Hed'; did you mean 'Head'?"),
        (lambda m: Mask.of(m.skeleton, {"Head": 2}), "the weights of a mask are from 0 to 1"),
        (lambda m: rigview.save(m, "walk.fbx"), "a model is written as .glb, not as 'walk.fbx'"),
        (lambda m: rigview.attach(m, "sword.glb", "Head", scale=0), "scale must be above 0, not 0"),
        (lambda m: m.with_clips([of_track(m, 200)]), "but there are only 73"),
        (lambda m: m.with_clips([of_track(m, times=(1, 0, 2))]), "whose times do not ascend"),
        (lambda m: m.with_clips([of_track(m, times=(0, 1, np.nan))]), "whose times do not ascend"),
        (
            lambda m: m.with_clips([load(robot_arm().glb()).clips[0]]),
            "is of another skeleton: 3 joints, not 73; rigview.retarget converts the clips",
        ),
    ],
)
def test_wrong_names_suggest_the_nearest(model, call, message):
    with pytest.raises(AppError) as caught:
        call(model)
    assert message in str(caught.value)


def test_bake_of_a_model_with_other_clips(model):
    walk = model.clips["Walk"]
    baked = rigview.bake(model.with_clips([walk.reversed("Back")]), fps=10)
    assert baked.model.clips.names == ("Back",)
    assert baked.model.clips[0].key_count < walk.key_count
    assert load(baked.data).clips.names == ("Back",)
    reduced = rigview.bake(model, clips=["Walk"])
    assert [report.name for report in reduced.reports] == ["Walk"]


def test_retarget_from_motion_capture_and_models(model):
    captured = rigview.retarget(model, body_bvh().encode())
    assert len(captured) == 1
    assert captured[0].sample(0.1).count == model.skeleton.count
    other = load(light_mannequin(frozenset({"Run"})))
    (run,) = rigview.retarget(model.with_clips([]), other)
    times = np.linspace(0, run.end, 5)
    np.testing.assert_allclose(
        run.sample(times).data, model.clips["Run"].sample(times).data, atol=1e-5
    )


def test_blend_of_poses(model):
    a, b = (model.clips[name].sample(0.2) for name in ("Walk", "Run"))
    before = a.copy()
    assert rigview.blend(a, b, 0).equals(a)
    assert rigview.blend(a, b, 1).equals(b)
    half = rigview.blend(a, b, 0.5)
    np.testing.assert_allclose(half.translation, (a.translation + b.translation) / 2, atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(half.rotation, axis=-1), 1, atol=1e-6)
    assert a.equals(before)
    upper = Mask.of(model.skeleton, {"Spine": 1.0})
    masked = rigview.blend(a, b, 1.0, mask=upper)
    hips, head = (model.skeleton.find(name) for name in ("Hips", "Head"))
    assert (masked.rotation[hips] == a.rotation[hips]).all()
    assert (masked.rotation[head] == b.rotation[head]).all()
    turned = Mask.of(model.skeleton, {"Spine": 1.0}, "model")
    assert rigview.blend(a, b, 1.0, mask=turned, model=model).count == a.count
    with pytest.raises(UsageError, match="a mask in model space needs the model"):
        rigview.blend(a, b, 1.0, mask=turned)


def test_blend_adds_a_difference(model):
    wave = model.clips["Wave"]
    a, first = model.clips["Walk"].sample(0.2), wave.sample(0.0)
    added = rigview.blend(a, wave.sample(0.5), 1.0, mode="add", reference=first)
    assert not added.equals(a)
    same = rigview.blend(first, wave.sample(0.5), 1.0, mode="add", reference=first)
    np.testing.assert_allclose(
        np.abs((same.rotation * wave.sample(0.5).rotation).sum(axis=-1)), 1, atol=1e-5
    )
    with pytest.raises(UsageError, match="needs a reference"):
        rigview.blend(a, first, 1.0, mode="add")
    with pytest.raises(UsageError, match="mode is 'replace' or 'add', not 'mix'"):
        rigview.blend(a, first, 1.0, mode="mix")
    with pytest.raises(UsageError, match="the poses differ"):
        rigview.blend(a, Pose.over(np.zeros(10, np.float32), 1), 1.0)


def test_pygltflib_loses_no_key(model):
    gltf = model.document.to_pygltflib()
    gltf.asset.extras = {"author": "me"}
    again = load(gltf)
    json_of = json.dumps(again.document.json["asset"], sort_keys=True)
    assert '"author": "me"' in json_of
    assert again.clips.names == model.clips.names


def test_unknown_parameters_of_mixers_suggest_the_nearest(model):
    document = rigview.MotionDoc(parameters={"speed": Parameter(default=1.0)})
    layers = rigview.bind(model, replace(document, layers=(LayerSettings("base", play="Walk"),)))
    with pytest.raises(UsageError, match=r"no parameter 'sped'; did you mean 'speed'\?"):
        layers.set("sped", 1.0)
    clip = rigview.Character(model).mixer
    with pytest.raises(UsageError, match=r"no parameter 'sped'; only the layers of a motion"):
        clip.set("sped", 1.0)


@pytest.mark.parametrize("value", [[1.0, 2.0, 3.0], "fast", np.nan, None])
def test_a_parameter_that_is_a_number_takes_no_other_value(model, value):
    mixer = rigview.bind(model, moving(model))
    with pytest.raises(UsageError, match="'speed' is a number, not"):
        mixer.set("speed", value)
    mixer.set("goal", [1.0, 2.0, 3.0])
    for wrong in (3.0, [1.0, 2.0], [np.nan, 0.0, 0.0]):
        with pytest.raises(UsageError, match="'goal' is a point, not"):
            mixer.set("goal", wrong)
    many = rigview.bind(model, moving(model), batch=(2,))
    many.set("speed", [1.0, 2.0], seconds=0.0)
    many.set("goal", [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], seconds=0.0)
    many.seek(0.1)
    assert many.parameters.at("goal", 0.1).shape == (2, 3)
    with pytest.raises(UsageError, match="not to nan"):
        mixer.seek(float("nan"))


def moving(model):
    """A motion document with a number and a point as parameters, and a morph weight."""
    parameters = {"speed": Parameter(1.0), "goal": Parameter((0.0, 1.0, 0.0))}
    smile = rigview.MotionDoc(parameters=parameters, morphs={"smile": 0.7})
    assert {each.target for each in morph_weights(model)} >= {"smile"}
    return replace(smile, layers=(LayerSettings("base", play="Walk"),))


def test_a_bound_motion_sets_its_morph_weights(model):
    mixer, pose = rigview.bind(model, moving(model)), model.skeleton.rest.copy()
    mixer.seek(0.2)
    mixer.sample(pose)
    smile = next(each.value for each in morph_weights(model) if each.target == "smile")
    assert pose.values[smile] == np.float32(0.7)
    baked = rigview.bake(model, mix=mixer, span=(0.0, 0.5), fps=10).model
    assert baked.clips["Mix"].sample(0.3).values[smile] == np.float32(0.7)


def test_files_that_a_motion_file_names_are_read_with_the_model(tmp_path):
    (tmp_path / "hero.glb").write_bytes(light_mannequin(frozenset({"Walk"})))
    (tmp_path / "more.glb").write_bytes(light_mannequin(frozenset({"Run"})))
    (tmp_path / "sword.glb").write_bytes(robot_arm().glb())
    path = tmp_path / "m.motion.toml"
    path.write_text(MORE)
    plain = rigview.load(tmp_path / "hero.glb")
    with pytest.raises(MotionError) as caught:
        rigview.bind(plain, path)
    assert f"{path}:6: layers[0].play: " in str(caught.value)
    with pytest.raises(MotionError, match=r"nothing has the name .*Run.*; load\(path, motion="):
        rigview.bind(plain, rigview.read_motion(path).document)
    model = rigview.load(tmp_path / "hero.glb", motion=path)
    assert model.clips.names == ("Walk", "Run")
    assert any("sword" in name for name in model.skeleton.names)
    assert rigview.bind(model, rigview.read_motion(path)).layered


def test_attached_files_are_saved_as_one(model, tmp_path):
    (tmp_path / "sword.glb").write_bytes(robot_arm().glb())
    armed = rigview.attach(model, tmp_path / "sword.glb", "RightHand", scale=0.5)
    armed = rigview.attach(armed, tmp_path / "sword.glb", "LeftHand")
    assert armed.clips.names == model.clips.names
    rigview.save(armed, tmp_path / "armed.glb")
    again = load(tmp_path / "armed.glb")
    names = again.skeleton.names
    parents = {names[again.skeleton.parents[k]] for k, name in enumerate(names) if "sword" in name}
    assert parents == {"RightHand", "LeftHand"}
    assert again.skeleton.count == model.skeleton.count + 8
    with pytest.raises(AppError, match="no joint 'RightHnd'; did you mean 'RightHand'"):
        rigview.attach(model, tmp_path / "sword.glb", "RightHnd")
