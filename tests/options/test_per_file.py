"""Options given once for each of several files, and the files beside the active one."""

import shutil

import numpy as np
import pytest

from rigview.cli import view
from rigview.cli.main import main
from rigview.errors import UsageError
from rigview.motion.document import LayerSettings, MotionDoc
from rigview.motion.read import MotionFile
from rigview.motion.set_and_at import GivenValue
from rigview.motion.write import save_motion
from rigview.options.parser import parse
from rigview.resources import asset_path
from rigview.session import character_files
from rigview.tasks import several_characters
from rigview.tasks.build_scene import playing_scene
from tests.support.sessions import new_session

CHARACTER = asset_path("mannequin.glb")


@pytest.fixture
def two(tmp_path):
    return [str(shutil.copy(CHARACTER, tmp_path / f"{name}.glb")) for name in ("one", "two")]


def parsed(*words):
    return parse("render", [*words, "-o", "x.png"])


def staged(options, tau):
    """The scene as `render` has it at a time."""
    scene = playing_scene(options, several_characters.load_characters(options), 1.0)
    scene.update(tau)
    return scene


def test_one_value_applies_to_all_files():
    options = parsed("a.glb", "b.glb", "c.glb", "--time", "1", "--time", "2", "--speed", "3")
    assert [each.shown.time for each in options.per_file] == [(1.0,), (2.0,), (2.0,)]
    assert [each.shown.speed for each in options.per_file] == [3.0, 3.0, 3.0]
    assert [each.shown.pose for each in options.per_file] == ["clip"] * 3
    assert [each.file for each in options.per_file] == ["a.glb", "b.glb", "c.glb"]


def test_dash_leaves_an_option_unset():
    options = parsed("a", "b", "--animation", "-", "--animation", "Walk", "--motion", "-")
    assert [each.shown.clip for each in options.per_file] == [None, "Walk"]
    assert [each.shown.motion.none for each in options.per_file] == [True, False]
    options = parsed("a", "b", "--motion", "m.toml", "--variant", "Day")
    assert [(each.shown.motion.file, each.shown.variant) for each in options.per_file] == [
        ("m.toml", "Day"),
        (None, None),
    ], "they fit one file"


def test_set_and_at_apply_to_the_active_file():
    options = parsed(
        "a", "b", "--active", "2", "--set", "speed=2", "--animation", "X", "--time", "0.1"
    )
    assert (options.file, options.scene.active) == ("b", 2)
    assert options.shown.motion.set == (GivenValue("speed", 2.0),)
    assert options.scene.characters[0].motion.set == ()
    assert options.scene.characters[1].motion.set == (GivenValue("speed", 2.0),)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["a", "--time", "0", "--time", "1"], "--time was given 2 times for 1 file"),
        (["a", "b", "--active", "3"], "--active: no file 3; there are 2 files"),
        (["a", "--hide", "2"], "--hide: no file 2; there is 1 file"),
        (["a", "b", "--active", "0"], "0 is not from 1"),
    ],
)
def test_numbers_out_of_range(words, said):
    with pytest.raises(UsageError, match=said):
        parsed(*words)


def test_each_file_at_its_own_time(two):
    clips = "--animation", "Walk", "--animation", "Run"
    scene = staged(parsed(*two, *clips, "--no-motion", "--time", "0.5", "--time", "0.2"), 0.5)
    alone = staged(parsed(two[1], "--animation", "Run", "--no-motion"), 0.2)
    np.testing.assert_array_equal(scene.characters[1].pose.rotation, alone.character.pose.rotation)
    scene.update(0.9)
    np.testing.assert_array_equal(
        scene.characters[1].pose.rotation, alone.character.pose.rotation, "it stands still"
    )


def test_one_time_per_file(two, tmp_path, capsys):
    words = ["--time", "0", "--time", "0,1", "-o", str(tmp_path / "x.png"), "--no-motion"]
    assert main(["render", *two, *words]) == 2
    assert "one time per file" in capsys.readouterr().err


def test_the_motion_file_beside_the_second_plays(two, tmp_path):
    layers = MotionDoc(layers=(LayerSettings("base", "Run"),))
    save_motion(tmp_path / "two.motion.toml", MotionFile(MotionDoc()), layers)
    first, second = staged(parsed(*two), 0.3).characters
    assert not first.mixer.layered
    assert [source.clip.name for source in second.mixer.layer_clips()] == ["Run"]
    _, second = staged(parsed(*two, "--no-motion"), 0.3).characters
    assert not second.mixer.layered
    _, second = staged(parsed(*two, "--motion", "-", "--motion", "-"), 0.3).characters
    assert not second.mixer.layered


def test_positions_are_independent_of_the_active_file(two):
    one = staged(parsed(*two, "--no-motion"), 0.2)
    other = staged(parsed(*two, "--no-motion", "--active", "2"), 0.2)
    for a, b in zip(one.characters, other.characters, strict=True):
        np.testing.assert_array_equal(a.world, b.world)
    assert other.instances.active is other.instances[1]


def test_spacing_is_independent_of_the_number_of_files(two):
    scene = staged(parsed(*two * 4, "--no-motion"), 0.0)
    steps = np.diff([each.world[0, 3] for each in scene.characters])
    np.testing.assert_allclose(steps, steps[0], rtol=1e-5)


def test_hide_and_same_size(two):
    scene = staged(parsed(*two, two[0], "--no-motion", "--hide", "1", "--hide", "3"), 0.0)
    assert scene.characters == [scene.instances[1].character]
    assert scene.characters[0].world[0, 3] > 0.5
    assert staged(parsed(*two, "--no-motion", "--same-size"), 0.0).instances.same_size


def test_window_applies_the_options(two):
    words = ["--animation", "Walk", "--animation", "Run", "--time", "-", "--time", "0.3"]
    options = parse("view", [*two, *words, "--no-motion", "--active", "2", "--hide", "1"])
    session = new_session(30.0)
    session.clock.frame = 45
    session.tick()
    character_files.open_files(
        session,
        [*map(type(CHARACTER), two)],
        lambda stage: view.set_up_scene(options, stage),
        [None, None],
    )
    first, second = session.open_characters
    assert session.active is second
    assert first.hidden
    assert [each.model.clips[each.character.clip].name for each in session.open_characters] == [
        "Walk",
        "Run",
    ]
    assert not first.character.playback.paused
    assert second.character.playback.paused
    assert float(second.character.playback.time(session.tau)) == 0.3
    assert second.extent[0, 0] > first.extent[1, 0]
    assert [str(each.path) for each in session.open_characters] == two


def test_a_broken_second_file_is_one_line(two, tmp_path, capsys, monkeypatch):
    broken = tmp_path / "broken.glb"
    broken.write_bytes(CHARACTER.read_bytes()[:999])
    assert main(["render", two[0], str(broken), "-o", str(tmp_path / "x.png")]) == 3
    err = capsys.readouterr().err
    assert "broken.glb" in err
    assert len(err.splitlines()) == 1
