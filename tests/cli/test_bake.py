import io
import json
import os
import sys

import numpy as np
import pytest

from rigview.loading.load import load
from rigview.resources import asset_path
from tests.support.command_files import write_document

CLIPS = ["Turn", "Turn fast", "0", "Animation 3"]


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out.glb"


def test_writes_a_file_and_reports_changes(rigview, model_file, out):
    ran = rigview("bake", model_file, "-o", out)
    assert (ran.code, ran.err) == (0, "")
    assert [clip.name for clip in load(out).clips] == CLIPS
    assert ran.out.splitlines()[0].endswith("9 to 9 keys")
    assert len(ran.out.splitlines()) == 2 + len(CLIPS)


def test_json_report(rigview, model_file, out):
    ran = rigview("bake", model_file, "-o", out, "--json", "--fps", "1")
    found = json.loads(ran.out)
    assert set(found) == {"bytes", "clips"}
    assert found["bytes"] == [os.stat(model_file).st_size, os.stat(out).st_size]
    assert [clip["name"] for clip in found["clips"]] == CLIPS
    turn = found["clips"][0]
    counts = ["not_reduced", "not_quantized"]
    assert list(turn) == ["name", "keys", "max_mm", "max_deg", "joint", "time", *counts]
    assert turn["keys"] == [3, 3]  # 0.5, 1.5 and the end
    assert turn["joint"] == "Tip"
    assert turn["time"] == 1.0
    assert turn["max_deg"] > 20
    assert found["clips"][1] | {"max_mm": 0} == {
        "name": "Turn fast",
        "keys": [2, 2],
        "max_mm": 0,
        "max_deg": 0,
        "joint": None,
        "time": 0,
        "not_reduced": 0,
        "not_quantized": 0,
    }


def test_some_clips(rigview, model_file, out):
    ran = rigview("bake", model_file, "-o", out, "--json", "--animation", "Turn*")
    assert [clip["name"] for clip in json.loads(ran.out)["clips"]] == CLIPS[:2]
    arguments = ["--animation", "Turn", "--animation", "#3"]
    ran = rigview("bake", model_file, "-o", out, "--json", *arguments)
    assert [clip["name"] for clip in json.loads(ran.out)["clips"]] == ["Turn", "Animation 3"]


def test_imported_clips_are_baked(rigview, model_file, out):
    ran = rigview("bake", model_file, "-o", out, "--anims", model_file, "--json")
    assert ran.code == 0
    names = [clip.name for clip in load(out).clips]
    assert names[:4] == CLIPS
    assert len(names) == 8
    assert [clip["name"] for clip in json.loads(ran.out)["clips"]] == names
    one, two = load(out).clips[0].tracks[0], load(out).clips[4].tracks[0]
    assert (one.target, one.values.tolist()) == (two.target, two.values.tolist())


def test_standard_output(rigview, model_file, monkeypatch):
    class Binary(io.StringIO):
        buffer = io.BytesIO()

    monkeypatch.setattr(sys, "stdout", Binary())
    ran = rigview("bake", model_file, "-o", "-")
    assert ran.code == 0
    assert "keys" in ran.err
    assert len(load(Binary.buffer.getvalue()).clips) == 4


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["-o", "out.gltf"], ".glb"),
        (["-o", "-", "--json"], "standard output"),
        (["-o", "out.glb", "--fps", "24", "--keep-keys"], "--keep-keys excludes --fps"),
        (["-o", "out.glb", "--tolerance-mm", "1", "--keep-keys"], "--keep-keys excludes"),
        (["-o", "out.glb", "--fps", "9", "--loop", "loop", "--tolerance-mm", "1"], "exclude"),
        (["-o", "out.glb", "--mix", "A", "--cut", "a.toml"], "--mix plays the motion file"),
        (["-o", "out.glb", "--mix", "A", "--animation", "0", "--animation", "1"], "--mix plays"),
        (["-o", "out.glb", "--mix", "Turn"], "the file has an animation of this name"),
        (["-o", "out.glb", "--fps", "0"], "--fps"),
        (["-o", "out.glb", "--loop", "loop"], "--loop loop needs --fps"),
        (["-o", "out.glb", "--fps", "9", "--loop", "3"], "--loop 3: bake takes once or loop"),
        (["-o", "out.glb", "--tolerance-deg", "x"], "--tolerance-deg"),
        (["-o", "out.glb", "--animation", "Trun"], "'Turn'"),
        ([], "--output"),
    ],
)
def test_wrong_use(rigview, model_file, tmp_path, monkeypatch, arguments, words):
    monkeypatch.chdir(tmp_path)
    ran = rigview("bake", model_file, *arguments)
    assert ran.code == 2
    assert words in ran.err
    assert ran.err.count("\n") == 1
    assert not list(tmp_path.glob("out.*"))


def test_more_keys_than_fit(rigview, model_file, out):
    ran = rigview("bake", model_file, "-o", out, "--fps", "1e9")
    assert ran.code == 2
    assert "--fps: 1e+09 per second makes" in ran.err
    assert not out.exists()


def test_bvh_cannot_be_baked(rigview, tmp_path, out):
    (tmp_path / "a.BVH").write_text("HIERARCHY")
    ran = rigview("bake", tmp_path / "a.BVH", "-o", out)
    assert ran.code == 3
    assert "a.BVH: a BVH file has no glTF" in ran.err
    assert "--anims" in ran.err


def test_file_without_animations(rigview, tmp_path, out):
    ran = rigview("bake", write_document(tmp_path / "a.gltf", animations=None), "-o", out)
    assert ran.code == 2
    assert "no animation to bake" in ran.err


def test_unreadable_or_unwritable_file(rigview, tmp_path, model_file):
    assert rigview("bake", tmp_path / "none.glb", "-o", tmp_path / "out.glb").code == 3
    assert rigview("bake", model_file, "-o", tmp_path / "none" / "out.glb").code == 5


def test_file_may_be_baked_onto_itself(rigview, tmp_path):
    path = tmp_path / "character.glb"
    path.write_bytes(asset_path("mannequin.glb").read_bytes())
    ran = rigview("bake", path, "--in-place", "--animation", "Nod", "--json")
    before, after = json.loads(ran.out)["bytes"]
    assert after == path.stat().st_size < before


def test_imported_clips_use_the_motion_file(rigview, tmp_path):
    motion = tmp_path / "m.motion.toml"
    motion.write_text('version = 1\nanims = { files = ["missing.glb"] }\n')
    ran = rigview("bake", "--motion", str(motion), "-o", str(tmp_path / "out.glb"))
    assert ran.code == 3
    assert "missing.glb" in ran.err


def test_morph_weight_is_set(rigview, model_file, out):
    """In the clips with a track of it, and at rest for the others; nothing else changes."""
    before = load(model_file)
    ran = rigview("bake", model_file, "-o", out, "--set", "morph:Target 0=0.75")
    assert (ran.code, ran.err) == (0, "")
    after = load(out)
    assert after.skeleton.rest.values.tolist() == [0.75]
    for clip, baked in zip(before.clips, after.clips, strict=True):
        pose, held = before.skeleton.rest.copy(), after.skeleton.rest.copy()
        for u in (0.0, 0.3, 1.0):
            clip.sample(clip.start + u * clip.duration, pose)
            baked.sample(clip.start + u * clip.duration, held)
            assert held.values.tolist() == [0.75]
            np.testing.assert_allclose(held.rotation, pose.rotation, atol=1e-3)


def test_morph_weights_of_the_motion_file(rigview, model_file, tmp_path, out):
    motion = tmp_path / "m.toml"
    motion.write_text("version = 1\n[morphs]\n'Target 0' = 0.5\n")
    for words in (["--fps", "10"], []):
        ran = rigview("bake", model_file, "-o", out, "--motion", motion, *words)
        assert (ran.code, ran.err) == (0, "")
        model = load(out)
        pose = model.skeleton.rest.copy()
        model.clips[2].sample(0.4, pose)
        assert pose.values.tolist() == [0.5]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("speed=2", "--set speed=2: it sets the weights of morph targets, unless --mix is given"),
        ("morph:Smile=1", "no morph target 'Smile'"),
    ],
)
def test_wrong_values_are_refused(rigview, model_file, out, words, expected):
    ran = rigview("bake", model_file, "-o", out, "--set", words)
    assert ran.code == 2
    assert expected in ran.err
    assert not out.exists()


CUT = """[clips.Second]
source = "{0}"
range = [0.5, 0.9]
[clips.First]
source = "{0}"
range = [0, 0.5]
"""


def test_long_clip_is_cut_into_clips(rigview, model_file, tmp_path, out):
    cuts = tmp_path / "clips.toml"
    cuts.write_text(CUT.format(CLIPS[1]))
    ran = rigview("bake", model_file, "--cut", cuts, "-o", out, "--json")
    assert ran.code == 0
    before, after = load(model_file), load(out)
    assert after.clips.names[:2] == (CLIPS[0], CLIPS[2])
    assert after.clips.names[3:] == ("Second", "First"), "the third has no name"
    assert [after.clips[name].duration for name in ("Second", "First")] == pytest.approx([0.4, 0.5])
    for begin, name in ((0.5, "Second"), (0.0, "First")):
        times = np.linspace(0.0, after.clips[name].duration, 20)
        found = after.clips[name].sample(times).rotation
        expected = before.clips[1].sample(begin + times).rotation
        assert np.abs(np.abs((found * expected).sum(-1)) - 1).max() < 1e-5
    assert json.loads(ran.out)["bytes"][0] == model_file.stat().st_size


def test_ranges_of_the_motion_file_shorten_clips(rigview, model_file, tmp_path, out):
    motion = tmp_path / "a.motion.toml"
    text = f'version = 1\n[clips."{CLIPS[1]}"]\nrange = [0.25, 0.75]\n'
    motion.write_text(text + CUT.format(CLIPS[2]))
    ran = rigview("bake", model_file, "--motion", motion, "-o", out)
    assert ran.code == 0
    clips = load(out).clips
    assert clips.names == (*CLIPS, "Second", "First")
    assert [clip.duration for clip in clips[1:2]] == pytest.approx([0.5])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "clips.toml: cuts out no clip; write [clips.NAME]"),
        (CUT.format("Tum"), "clips.toml:2: clips.Second.source: no clip"),
        (CUT.format(CLIPS[1]).replace("0.9", "99"), "clips.toml:3: clips.Second.range: no part"),
    ],
)
def test_wrong_cut(rigview, model_file, tmp_path, out, text, words):
    cuts = tmp_path / "clips.toml"
    cuts.write_text(text)
    ran = rigview("bake", model_file, "--cut", cuts, "-o", out)
    assert ran.code == 3
    assert words in ran.err
    assert ran.err.count("\n") == 1
    assert not out.exists()
