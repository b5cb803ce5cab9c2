"""`rigview convert`, and other formats in the other commands, by a stand-in for Blender."""

import json
import os
import pty
import subprocess
import sys

import pytest

from tests.conversion.conftest import blender  # noqa: F401 - a fixture
from tests.support.blender_stand_in import ONE, TWO, StandIn, write
from tests.support.git_repository import git

pytestmark = pytest.mark.usefixtures("blender")


@pytest.fixture
def sources(tmp_path):
    folder = tmp_path / "sources"
    write(folder / "hero.blend")
    write(folder / "in" / "foe.FBX", "two")
    (folder / "notes.txt").touch()
    return folder


def test_convert_a_file(rigview, sources, tmp_path):
    target = tmp_path / "out.glb"
    assert rigview("convert", sources / "hero.blend", "-o", target) == (0, "", "")
    assert target.read_bytes() == ONE


@pytest.mark.parametrize("jobs", [[], ["--jobs", "1"], ["--jobs", "2"]])
def test_convert_folders(rigview, sources, tmp_path, jobs):
    ran = rigview("convert", sources, "-o", tmp_path / "{stem}.glb", *jobs)
    assert ran == (0, "", "")
    assert (tmp_path / "hero.glb").read_bytes() == ONE
    assert (tmp_path / "foe.glb").read_bytes() == TWO


def test_convert_to_standard_output(tmp_path, sources):
    command = [sys.executable, "-m", "rigview", "convert", str(sources / "hero.blend"), "-o", "-"]
    assert subprocess.run(command, capture_output=True, check=True).stdout == ONE


def test_one_file_that_fails_does_not_stop_the_others(rigview, sources, tmp_path):
    write(sources / "bad.dae", "broken")
    write(sources / "lossy.blend", "loses")
    ran = rigview("convert", sources, "-o", tmp_path / "{stem}.glb")
    assert ran.code == 3
    assert "bad.dae: Blender 9.8.7 LTS cannot convert it: the file is damaged" in ran.err
    assert "lossy.blend: warning: the action Old is left out" in ran.err
    assert {path.stem for path in tmp_path.glob("*.glb")} == {"hero", "foe", "lossy"}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["-o", "x.glb"], "no file to convert"),
        (["SOURCES", "-o", "x.glb"], "one output for 2 files; write '{stem}.glb'"),
        (["SOURCES/hero.blend", "-o", "x.png"], "must be .glb"),
        (["SOURCES/hero.blend", "SOURCES/hero.blend", "-o", "{stem}.glb"], "are both written"),
        (["x.glb", "-o", "y.glb"], "'x.glb' needs no conversion"),
        (["-", "-o", "y.glb"], "'-' needs no conversion"),
        (["EMPTY", "-o", "{stem}.glb"], "no .blend, .fbx,"),
        (["SOURCES/hero.blend"], "required: -o/--output"),
        (["SOURCES/hero.blend", "-o", "{stem}.glb", "--convert-timeout", "0"], "--convert-timeout"),
    ],
)
def test_wrong_use(rigview, sources, tmp_path, monkeypatch, arguments, says):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "EMPTY").mkdir()
    ran = rigview("convert", *(each.replace("SOURCES", str(sources)) for each in arguments))
    assert ran.code == 2
    assert says in ran.err


def test_the_named_blender(rigview, sources, tmp_path):
    other = StandIn(tmp_path / "other", "4.0.2")
    config = tmp_path / "own.toml"
    config.write_text(f'blender = "{other.folder}"\nconvert-timeout = 30')
    info = rigview("info", sources / "hero.blend", "--json", "--config", config)
    assert info.code == 0
    assert len(other.calls) == 1
    both = ["--convert", "--blender", other.folder]
    assert rigview("check", sources, *both, "--fail-on", "never", "--jobs", "2").code == 0
    assert len(other.calls) == 2, "worker processes use it, too"


def test_a_project_names_no_blender(rigview, sources):
    for line in ('blender = "x"', "convert-timeout = 9", "convert = true"):
        (sources / "rigview.toml").write_text(line)
        ran = rigview("check", sources / "hero.blend")
        assert ran.code == 3
        assert "a rigview.toml cannot set it" in ran.err


def test_folders_read_other_formats_on_request(rigview, sources, tmp_path):
    assert rigview("check", sources).code == 2
    (sources / "hero.glb").write_bytes(TWO)
    checked = json.loads(rigview("check", sources, "--json", "--convert", "--jobs", "1").out)
    names = [os.path.relpath(each["file"], sources) for each in checked["files"]]
    assert names == ["hero.glb", os.path.join("in", "foe.FBX")]


def test_other_formats_as_inputs(rigview, sources, tmp_path):
    hero, foe = sources / "hero.blend", sources / "in" / "foe.FBX"
    info = json.loads(rigview("info", hero, "--json", "--anims", foe).out)
    assert [clip["name"] for clip in info["clips"]] == [
        *("Idle", "Walk"),
        *("Idle #2", "Walk #2", "Run"),
    ]
    assert rigview("diff", hero, hero).code == 0
    assert "Run" in rigview("diff", hero, foe).out
    assert rigview("pose", hero, "--time", "0", "-o", tmp_path / "pose.npz").code == 0
    assert rigview("bake", hero, "-o", tmp_path / "baked.glb").code == 0
    assert (tmp_path / "baked.glb").read_bytes()[:4] == b"glTF"
    ran = rigview("bake", hero, "--in-place")
    assert (ran.code, "is not a .glb file" in ran.err) == (2, True)


def test_two_revisions(rigview, sources, blender, monkeypatch):  # noqa: F811
    monkeypatch.chdir(sources)
    write(sources / "hero.blend", "links:maps/skin.png")
    (sources / "maps").mkdir()
    (sources / "maps" / "skin.png").write_bytes(b"red")
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "one")
    write(sources / "hero.blend", "two links:maps/skin.png")
    ran = rigview("diff", "HEAD:hero.blend", "hero.blend", "--json")
    assert ran.code == 1
    assert json.loads(ran.out)["a"] == "HEAD:hero.blend"
    assert blender.calls[0]["found"] == [True], "its picture is that of the revision"
    both = rigview("diff", "--changed-since", "HEAD", ".", "--convert")
    assert (both.code, "hero.blend" in both.out) == (1, True)


def test_a_revision_brings_libraries_of_the_repository_only(
    rigview,
    tmp_path,
    blender,  # noqa: F811
    monkeypatch,
):
    outside = tmp_path / "outside.blend"
    write(outside)
    repository = tmp_path / "repository"
    links = "links:../lib/hair.blend links:../lib/lost.png links:../../outside.blend"
    write(repository / "heroes" / "hero.blend", links)
    write(repository / "lib" / "hair.blend")
    write(repository / "lib" / "other.blend")
    monkeypatch.chdir(repository)
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "one")
    (repository / "lib" / "hair.blend").unlink()
    ran = rigview("info", "HEAD:heroes/hero.blend")
    assert (ran.code, ran.err) == (0, "")
    assert [call["found"] for call in blender.calls] == [[False] * 3, [True, False, False]]
    write(repository / "heroes" / "hero.blend", "broken")
    git("commit", "-qam", "two")
    ran = rigview("info", "HEAD~0:heroes/hero.blend")
    assert ran.err.startswith("rigview: HEAD~0:heroes/hero.blend: Blender 9.8.7 LTS cannot convert")
    assert len(blender.calls) == 3, "it fails once"


def test_progress_on_a_terminal(sources, tmp_path):
    write(sources / "hero.blend", "pause")
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "rigview", "info", str(sources / "hero.blend")]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    seen = b""
    try:
        while part := os.read(ours, 1000):
            seen += part
    except OSError:  # the other end is closed
        pass
    assert process.wait() == 0
    assert b"Blender 9.8.7 LTS is reading: hero.blend" in seen
    assert seen.endswith(b"\r\x1b[K"), "nothing stays"
