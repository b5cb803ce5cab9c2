"""Outputs that would overwrite an input: refused, unless --in-place is given."""

import os

import pytest

from rigview.loading.load import load
from tests.support.character_versions import character
from tests.support.git_repository import write_gltf

DENSE = {"wave": [float(k) for k in range(0, 91, 10)], "times": [k / 9 for k in range(10)]}
COMMANDS = {
    "curves": (".svg", "--joint", "Arm"),
    "pose": (".json",),
    "report": (".html",),
    "sheet": (".png",),
    "turntable": (".gif",),
    "render": (".png",),
}


@pytest.fixture
def hero(tmp_path):
    path = tmp_path / "hero.glb"
    path.write_bytes(character(**DENSE).glb())
    return path


def assert_refused(ran, target, data):
    assert ran.code == 2
    assert ran.out == ""
    assert "this is an input file" in ran.err
    assert "--in-place" in ran.err
    assert target.read_bytes() == data


def test_bake_refuses_to_overwrite_its_file(rigview, hero):
    data = hero.read_bytes()
    assert_refused(rigview("bake", hero, "-o", hero), hero, data)


def test_bake_refuses_links(rigview, hero, tmp_path):
    data = hero.read_bytes()
    for name, make in (("soft.glb", os.symlink), ("hard.glb", os.link)):
        make(hero, tmp_path / name)
        assert_refused(rigview("bake", hero, "-o", tmp_path / name), hero, data)
        assert_refused(rigview("bake", tmp_path / name, "-o", hero), hero, data)


def test_bake_refuses_a_buffer(rigview, tmp_path):
    write_gltf(tmp_path, buffer="keys.glb")
    target = tmp_path / "keys.glb"
    data = target.read_bytes()
    assert_refused(rigview("bake", tmp_path / "hero.gltf", "-o", target), target, data)


def test_bake_refuses_links_to_a_buffer_from_elsewhere(rigview, tmp_path):
    write_gltf(tmp_path / "models", buffer="keys.glb")
    buffer = tmp_path / "models" / "keys.glb"
    data = buffer.read_bytes()
    for name, make in (("soft.glb", os.symlink), ("hard.glb", os.link)):
        target = tmp_path / name
        make(buffer, target)
        ran = rigview("bake", tmp_path / "models" / "hero.gltf", "-o", target)
        assert_refused(ran, buffer, data)
        target.unlink()


def test_bake_refuses_files_of_clips(rigview, hero, tmp_path):
    target = tmp_path / "run.glb"
    target.write_bytes(character(clips=("Run",)).glb())
    data = target.read_bytes()
    assert_refused(rigview("bake", hero, "--anims", target, "-o", target), target, data)
    motion = tmp_path / "hero.motion.toml"
    motion.write_text('version = 1\nanims = { files = ["run.glb"] }\n')
    assert_refused(rigview("bake", hero, "--motion", motion, "-o", target), target, data)


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_refuse_the_motion_file(rigview, hero, tmp_path, command):
    motion = tmp_path / "hero.motion.toml"
    motion.write_text("version = 1\n")
    extension, *arguments = COMMANDS[command]
    target = tmp_path / f"out{extension}"
    os.symlink(motion, target)
    ran = rigview(command, hero, *arguments, "-o", target)
    assert_refused(ran, motion, b"version = 1\n")


def test_sequences_refuse_a_texture(rigview, tmp_path):
    b = character()
    b.add("images", uri="skin0002.png")
    (tmp_path / "hero.glb").write_bytes(b.glb())
    target = tmp_path / "skin0002.png"
    target.write_bytes(b"texture")
    ran = rigview(
        "render", tmp_path / "hero.glb", "--frames", "0..3", "-o", tmp_path / "skin####.png"
    )
    assert_refused(ran, target, b"texture")


def test_diff_refuses_a_version(rigview, hero, tmp_path):
    os.symlink(hero, tmp_path / "out.png")
    data = hero.read_bytes()
    (tmp_path / "b.glb").write_bytes(character().glb())
    ran = rigview("diff", tmp_path / "b.glb", hero, "-o", tmp_path / "out.png")
    assert_refused(ran, hero, data)


def test_in_place_replaces_the_file(rigview, hero, tmp_path):
    keys = load(hero).clips[0].key_count
    assert rigview("bake", hero, "--in-place").code == 0
    assert load(hero).clips[0].key_count < keys
    once = hero.read_bytes()
    assert rigview("bake", hero, "--in-place", "-o", hero).code == 0
    assert hero.read_bytes() == once
    assert os.listdir(tmp_path) == ["hero.glb"]


def test_in_place_of_a_vrm_file(rigview, hero, tmp_path):
    vrm = tmp_path / "hero.vrm"
    hero.rename(vrm)
    assert rigview("bake", vrm, "--in-place").code == 0
    assert load(vrm).clips


def test_in_place_leaves_the_file_if_baking_fails(rigview, hero):
    data = hero.read_bytes()
    assert rigview("bake", hero, "--in-place", "--animation", "Fly").code == 2
    assert hero.read_bytes() == data


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("hero.glb",), "required: -o/--output; name a file, or replace FILE with --in-place"),
        (("--in-place",), "--in-place: no file to replace"),
        (("-", "--in-place"), "--in-place: no file to replace"),
        (("hero.gltf", "--in-place"), "'hero.gltf' is not a .glb file"),
    ],
)
def test_in_place_needs_a_glb_file(rigview, arguments, message):
    ran = rigview("bake", *arguments)
    assert ran.code == 2
    assert message in ran.err
