"""`--at` and `--set` that do not fit the motion file."""

import json

import numpy as np
import pytest

from rigview.resources import asset_path
from tests.support.light_mannequin import light_mannequin

MANNEQUIN = asset_path("mannequin.glb")
BASE = '[[layers]]\nname = "base"\nplay = "Walk"\n'
LATE = '[[at]]\ntime = 2\nfade = { layer = "base", to = "Nope" }\n'


@pytest.fixture
def pose(rigview, tmp_path):
    def run(text, *options):
        where = ("--no-motion",)
        if text is not None:
            file = tmp_path / "m.motion.toml"
            file.write_text(f"version = 1\n{text}", encoding="utf-8")
            where = ("--motion", file)
        return rigview("pose", MANNEQUIN, "-o", tmp_path / "out.npz", *where, *options)

    return run


def test_errors_of_at_are_usage_errors(pose):
    ran = pose(BASE, "--at", "1:fade:base=Nope")
    assert ran.code == 2
    assert '--at 1:fade:base=Nope: nothing has the name "Nope"' in ran.err


def test_errors_of_the_file_keep_their_line(pose):
    ran = pose(BASE + LATE, "--at", "1:fade:base=Run")
    assert ran.code == 3
    assert "m.motion.toml:7: at[0].fade.to" in ran.err


def test_at_with_a_single_clip_warns(pose):
    ran = pose(BASE, "--animation", "Idle", "--at", "1:fade:base=Run")
    assert ran.code == 0
    assert "--at is ignored" in ran.err


def test_set_without_a_motion_file_fails(pose):
    ran = pose(None, "--set", "sped=3")
    assert ran.code == 2
    assert 'no parameter or layer weight "sped"' in ran.err


def test_actions_without_layers_warn(pose, tmp_path):
    at_once = '[[at]]\ntime = 0\nfade = { layer = "base", to = "Run", seconds = 0 }\n'
    ran = pose(at_once, "--time", "0.3")
    assert ran.code == 0
    assert "[[at]] is ignored" in ran.err
    shown = dict(np.load(tmp_path / "out.npz"))["node_local"]
    assert pose(None, "--time", "0.3").code == 0
    assert np.array_equal(shown, np.load(tmp_path / "out.npz")["node_local"])
    assert not pose(at_once, "--time", "0.3", "--at", "0.1:fade:base=Run").err


def test_events_have_a_pass_number(rigview, tmp_path):
    file, out = tmp_path / "m.motion.toml", tmp_path / "out.json"
    file.write_text(
        f'version = 1\n[clips.Walk]\nevents = [{{ name = "step", phase = 0.5 }}]\n{BASE}'
    )
    ran = rigview("pose", MANNEQUIN, "--motion", file, "--time", "0,2.2", "-o", out)
    assert ran.code == 0
    told = json.loads(out.read_text())["events"]
    assert [event["pass"] for event in told] == [0, 1]
    listed = rigview("events", MANNEQUIN, "--motion", file, "--time", "0..2.2", "--json")
    assert [event["pass"] for event in json.loads(listed.out)] == [0, 1]


def test_a_sheet_shows_the_motion_beside_a_character_and_then_its_clips(rigview, tmp_path):
    from PIL import Image

    (tmp_path / "c.glb").write_bytes(light_mannequin(frozenset({"Run", "Walk"})))
    (tmp_path / "c.motion.toml").write_text(
        'version = 1\n[[layers]]\nname = "base"\nplay = "Walk"\n'
    )
    size = ["--resolution", "16,16", "--samples", "1", "--phase", "0"]
    heights = []
    for options in ([], ["--no-motion"], ["--set", "base.weight=1"]):
        target = str(tmp_path / "out.png")
        ran = rigview("sheet", str(tmp_path / "c.glb"), *size, *options, "-o", target)
        assert ran.code == 0, ran.err
        with Image.open(target) as picture:
            heights.append(picture.height)
    everything, clips, alone = heights
    assert alone < clips < everything
