"""`bake --mix`: what plays as a clip of the file, against `pose` of what plays."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

from rigview.loading.load import load
from rigview.motion.mixed_clip import mixed_rate
from tests.support.animated_value_files import conveyor, flip_book, morphed_nodes, two_cameras
from tests.support.light_mannequin import light_mannequin

BLEND = """version = 1
[[layers]]
name = "base"
play = "Walk"
[[layers]]
name = "wave"
play = "Wave"
weight = 0.5
[morphs]
smile = 0.25
"""
TRAVEL = """version = 1
[clips.WalkForward]
root = { joint = "Root", mode = "accumulate", axes = "xz", turn = true }
[[layers]]
name = "base"
play = "WalkForward"
"""
CLIPS = frozenset(("Walk", "Wave", "WalkForward", "Idle"))
NEAR = 2e-5  # metres, between float32 poses


@pytest.fixture
def hero(tmp_path):
    """The bundled character with four clips, and the path of the motion file beside it."""
    path = tmp_path / "hero.glb"
    path.write_bytes(light_mannequin(CLIPS))
    return path, tmp_path / "hero.motion.toml"


@pytest.fixture
def places(rigview, tmp_path):
    """Return the node matrices [T, N, 4, 4] and morph weights [T, M] of `pose` at times."""

    def run(*arguments):
        out = tmp_path / "pose.npz"
        ran = rigview("pose", *arguments, "-o", out, "--quiet")
        assert ran.code == 0, ran.err
        with np.load(out) as arrays:
            weights = [arrays[name] for name in arrays if name.startswith("weights_")]
            return arrays["node_global"].astype(np.float64), np.concatenate(weights, axis=1)

    return run


@pytest.mark.parametrize("text", [BLEND, TRAVEL])
def test_the_clip_is_what_plays(rigview, hero, places, tmp_path, text):
    (file, motion), out = hero, tmp_path / "out.glb"
    motion.write_text(text)
    ran = rigview("bake", file, "--mix", "All", "--fps", "20", "-o", out, "--json")
    assert (ran.code, ran.err) == (0, "")
    found = json.loads(ran.out)["clips"]
    assert [row["name"] for row in found] == ["All"]
    before, after = load(file), load(out)
    assert after.clips.names == (*before.clips.names, "All")
    assert all(map(type(before.clips[0]).has_motion_of, before.clips, after.clips))
    clip = after.clips["All"]
    assert clip.start == 0
    times = ",".join(str(k / 20) for k in range(int(clip.end * 20)))
    wanted, weights = places(file, "--time", times)
    given, held = places(out, "--no-motion", "--animation", "All", "--time", times)
    assert np.abs(wanted - given).max() < NEAR
    assert np.abs(weights - held).max() < 1e-6
    between = ",".join(str((k + 0.5) / 20) for k in range(int(clip.end * 20)))
    wanted, given = (
        places(*arguments, "--time", between)[0]
        for arguments in ([file], [out, "--no-motion", "--animation", "All"])
    )
    far = np.linalg.norm((wanted - given)[..., :3, 3], axis=-1).max()
    assert far <= found[0]["max_mm"] / 1000 + NEAR, "the error between the keys is reported"


def test_root_motion_moves_the_root(rigview, hero, tmp_path):
    (file, motion), out = hero, tmp_path / "out.glb"
    motion.write_text(TRAVEL)
    assert rigview("bake", file, "--mix", "All", "--time", "0..2", "-o", out).code == 0
    model = load(out)
    clip, first = model.clips["All"], model.clips["WalkForward"]
    assert clip.end == 2
    ends = [
        each.sample([each.start, each.end]).translation[:, model.skeleton.find("Root")]
        for each in (clip, first)
    ]
    way, step = (np.linalg.norm(each[1] - each[0]) for each in ends)
    assert way == pytest.approx(step * 2 / first.duration, rel=0.2)


def test_parameters_speed_and_loop(rigview, hero, tmp_path):
    (file, motion), out = hero, tmp_path / "out.glb"
    motion.write_text(BLEND)
    walk = load(file).clips["Walk"]
    arguments = ["--set", "wave.weight=0", "--speed", "2", "--loop", "loop", "--fps", "10"]
    ran = rigview("bake", file, "--mix", "All", "-o", out, *arguments)
    assert (ran.code, ran.err) == (0, "")
    clip = load(out).clips["All"]
    count = round(walk.duration / 2 * 10)
    track = max(clip.tracks, key=lambda track: len(track.times))
    np.testing.assert_allclose(track.times, np.arange(count) * walk.duration / 2 / count, rtol=1e-5)


def test_reduced_keys_of_a_mix(rigview, hero, tmp_path):
    (file, motion), out = hero, tmp_path / "out.glb"
    motion.write_text(BLEND)
    arguments = ["--tolerance-mm", "0.5", "--quantize-rotations"]
    counts = []
    for more in ([], arguments):
        ran = rigview("bake", file, "--mix", "All", "-o", out, "--json", *more)
        counts.append(json.loads(ran.out)["clips"][0]["keys"][1])
        assert json.loads(ran.out)["clips"][0]["not_quantized"] == 0
    assert counts[1] < 0.7 * counts[0]
    types = [row["componentType"] for row in load(out).document.json["accessors"]]
    assert types.count(5122) > 10


def test_settings_of_a_single_clip(rigview, hero, tmp_path):
    """Without layers the clip of --animation plays with its range."""
    (file, motion), out = hero, tmp_path / "out.glb"
    motion.write_text("version = 1\n[clips.Walk]\nrange = [0.2, 0.6]\n")
    ran = rigview("bake", file, "--mix", "Part", "--animation", "Walk", "-o", out)
    assert (ran.code, ran.err) == (0, "")
    clips = load(out).clips
    assert clips["Part"].end == pytest.approx(0.4)
    assert clips["Walk"].end == load(file).clips["Walk"].end


@pytest.mark.parametrize("make", [flip_book, conveyor, two_cameras])
def test_other_animated_values_are_included(rigview, tmp_path, make):
    """Visibility, materials and cameras, which have pointers."""
    file, out = make().path(tmp_path, "a.glb"), tmp_path / "out.glb"
    last = "--animation", f"#{len(load(file).clips) - 1}"
    assert rigview("bake", file, "--mix", "Copy", "--fps", "60", "-o", out, *last).code == 0
    model = load(out)
    first, copy = model.clips[-2:]
    times = np.linspace(0, copy.end, 9)[:-1] + 0.003
    one, two = (clip.sample(times).values for clip in (first, copy))
    assert one.size
    np.testing.assert_allclose(one, two, atol=0.05)
    assert not model.warnings


def test_nothing_plays(rigview, tmp_path):
    file = morphed_nodes().path(tmp_path, "a.glb")
    ran = rigview("bake", file, "--mix", "All", "-o", tmp_path / "out.glb")
    assert ran.code == 2
    assert "nothing plays" in ran.err


def test_more_keys_than_fit(rigview, hero, tmp_path):
    out = tmp_path / "out.glb"
    ran = rigview("bake", hero[0], "--mix", "All", "--fps", "1e8", "-o", out)
    assert ran.code == 2
    assert "are more than 20000 keys" in ran.err
    assert not out.exists()


@pytest.mark.parametrize(
    ("spacings", "rate"), [((24, 24), 24), ((24, 30), 120), ((25, 48), 48), ((None, 25), 25)]
)
def test_the_rate_of_a_mix_fits_the_keys_of_its_clips(spacings, rate):
    """1/25 and 1/48 s have 1/1200 s in common, which is too fine: the higher rate."""
    clips = [np.arange(10) / each if each else np.array([0, 0.31, 0.437, 1.9]) for each in spacings]
    mixer = SimpleNamespace(
        layer_clips=lambda: [_source(times) for times in clips], playback=_at_speed(1.0)
    )
    assert mixed_rate(mixer) == rate
    alone = SimpleNamespace(layer_clips=tuple, key_times=clips[1], playback=_at_speed(-2.0))
    assert mixed_rate(alone) == 2 * spacings[1]


def _source(times):
    return SimpleNamespace(clip=SimpleNamespace(key_times=times), playback=_at_speed(1.0))


def _at_speed(rate):
    return SimpleNamespace(rate=np.asarray(rate))
