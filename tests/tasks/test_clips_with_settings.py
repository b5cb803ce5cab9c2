"""Pictures and turns of clips, with and without settings of a motion file."""

import numpy as np
import pytest

from rigview.cli.turntable import camera_turns
from rigview.options.parser import parse
from rigview.tasks.build_scene import playing_scene
from rigview.tasks.playback_setup import load_playback
from rigview.tasks.render_video import CONTINUOUS
from tests.support.light_mannequin import light_mannequin
from tests.support.videos import need_encoder, read_film

WALK = 1.0  # seconds of the clip
SETTINGS = 'version = 1\n[clips.Walk]\nloop = "loop"\nroot = { joint = "Root", mode = "keep" }\n'
NO_LOOP = SETTINGS.replace('loop = "loop"\n', "")
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


def test_a_turn_loops_with_settings_as_without(rigview, character, tmp_path):
    """Frames and times of a turn are the same, and the last one leads back to the first."""
    need_encoder("out.webp")
    motion = tmp_path / "own.motion.toml"
    motion.write_text(NO_LOOP, encoding="utf-8")
    turn = ("--animation", "Walk", "--seconds", "3", "--frame-rate", "8", *CAMERA, *SMALL)
    films = []
    for options in (("--no-motion",), ("--motion", motion)):
        ran = rigview("turntable", character, *options, *turn, "-o", tmp_path / "out.webp")
        assert ran.code == 0, ran.err
        films.append(read_film(tmp_path / "out.webp"))
    plain, made = films
    assert made.ends == plain.ends
    np.testing.assert_array_equal(made.frames, plain.frames)
    steps = np.abs(np.roll(made.frames, -1, axis=0).astype(int) - made.frames).mean(axis=(1, 2, 3))
    assert steps[-1] < 1.2 * steps[:-1].max()


def test_a_turn_with_settings_comes_back_to_its_start(character, tmp_path):
    """After whole passes and a whole turn, camera, clip time and pose are those of the start."""
    motion = tmp_path / "own.motion.toml"
    motion.write_text(NO_LOOP, encoding="utf-8")
    words = [str(character), "--motion", str(motion), "--animation", "Walk", "-o", "turn.gif"]
    options = parse("turntable", words)
    setup = load_playback(options)
    scene = playing_scene(options, [setup], 1.0, loop=CONTINUOUS)
    turns = camera_turns(scene, 1.0, 5, framed=True)
    seen = []
    for part, turn in ((0.0, turns[0]), (0.4, turns[2]), (1.0, turns[0])):
        scene.update(3 * WALK * part)
        scene.camera.orbit.place(turn)
        time = float(scene.character.playback.time(3 * WALK * part))
        seen.append((scene.camera.current.view(), scene.character.matrices.copy(), [time]))
    start, between, end = seen
    for first, inside, last in zip(start, between, end, strict=True):
        np.testing.assert_allclose(last, first, atol=1e-5)
        assert np.abs(inside - np.asarray(first)).max() > 0.01
