"""Pictures of clips at negative times and phases, with and without settings of a motion file."""

import pytest

from tests.support.light_mannequin import light_mannequin

SETTINGS = 'version = 1\n[clips.Walk]\nloop = "loop"\nroot = { joint = "Root", mode = "keep" }\n'
CAMERA = ("--camera-position", "0,1,4", "--camera-target", "0,1,0", "--no-grid", "--no-shadow")
SMALL = ("--resolution", "48,48", "--samples", "1")


@pytest.fixture(scope="module")
def character(tmp_path_factory):
    path = tmp_path_factory.mktemp("character") / "walker.glb"
    path.write_bytes(light_mannequin(frozenset({"Idle", "Walk"})))
    path.with_name("walker.motion.toml").write_text(SETTINGS, encoding="utf-8")
    return path


@pytest.fixture
def picture(rigview, tmp_path):
    def draw(command, *arguments, output="out.png"):
        ran = rigview(command, *arguments, *SMALL, "-o", tmp_path / output)
        assert ran.code == 0, ran.err
        return (tmp_path / output).read_bytes()

    return draw


def test_a_negative_time_is_before_the_start(picture, character):
    walk = (character, "--animation", "Walk", "--loop", "loop", *CAMERA)
    plain = picture("render", *walk, "--no-motion", "--time=-0.3")
    assert picture("render", *walk, "--time=-0.3") == plain
    assert picture("render", *walk, "--time", "0") != plain, "not clamped to the start"


def test_a_phase_ignores_the_loop_mode_of_every_file(picture, character):
    both = (character, character, "--no-motion", "--animation", "Walk", "--phase", "0.3")
    plain = picture("render", *both)
    assert picture("render", *both, "--loop", "pingpong") == plain
    assert picture("render", *both[:-1], "0.6") != plain
