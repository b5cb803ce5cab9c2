"""`rigview FILE --motion …`: the initial state of the window."""

import shutil
from dataclasses import replace

import pytest

from rigview.cli import view
from rigview.errors import MotionError, UsageError
from rigview.motion import edit
from rigview.motion.document import ClipSettings, Fade, MotionDoc, Root
from rigview.motion.read import MotionFile
from rigview.motion.write import save_motion
from rigview.options.parser import parse
from rigview.resources import asset_path
from rigview.session import character_files
from rigview.session.session import Session
from rigview.tasks.playback_setup import motion_file
from tests.support.fixed_clock import FixedClock
from tests.support.full_motion_file import DOCUMENT


@pytest.fixture
def path(tmp_path):
    return shutil.copy(asset_path("mannequin.glb"), tmp_path / "figure.glb")


@pytest.fixture
def beside(path):
    """Its motion file."""
    return save_motion(path.with_name("figure.motion.toml"), MotionFile(MotionDoc()), DOCUMENT)


def opened(path, *arguments):
    """Open a file in a session without a window, as `rigview FILE OPTION...` does."""
    args = parse("view", [str(path), *arguments])
    session = Session(FixedClock(30))
    session.clock.frame = 45
    session.tick()
    motion = motion_file(args)
    character_files.open_file(
        session, path, lambda stage: view.set_up_scene(args, stage, [motion]), motion
    )
    session.update()
    return session


def test_motion_file_beside_the_character_plays(path, beside):
    session = opened(path)
    assert session.editor.shown
    assert session.editor.document == DOCUMENT
    assert not session.editor.dirty
    assert session.interface.mixer_panels.shown
    assert session.transport.time == 0.0
    assert session.transport.running
    assert session.transport.loop_name == "Continuous"


def test_no_motion(path, beside):
    session = opened(path, "--no-motion")
    assert not session.editor.shown
    assert session.character.clip == 0


def test_single_clip_keeps_the_layers_available(path, beside):
    session = opened(path, "--animation", "Walk")
    assert not session.editor.shown
    assert session.editor.document == DOCUMENT
    session.editor.show()
    assert session.editor.shown


def test_requested_time_is_paused(path, beside):
    session = opened(path, "--time", "1.25")
    assert session.transport.time == 1.25
    assert not session.transport.running
    with pytest.raises(UsageError):
        opened(path, "--time", "1,2")


@pytest.mark.parametrize("value", ["speed=3", "wave.weight=0.25"])
def test_values_of_the_command_line_are_live(path, beside, value):
    """They are no unsaved work, also after the file is reloaded; other changes are."""
    session = opened(path, "--set", value)
    document = session.editor.document
    assert document != DOCUMENT
    assert not session.dirty
    front = {"facing": (0.0, 0.0, 1.0)}
    save_motion(session.editor.path, beside, replace(DOCUMENT, **front))
    assert character_files.reload(session)
    assert session.editor.document == replace(document, **front)
    assert not session.dirty
    session.editor.edit(edit.with_weight(session.editor.document, "base", 0.5), "Weight of base")
    assert session.dirty


def test_actions_of_the_command_line_are_not_saved(path, beside):
    session = opened(path, "--set", "speed=3", "--at", "0.5:fade:base=Run,0.2")
    document = session.editor.document
    assert document.parameters["speed"].default == 3.0
    assert document.at[0].do == Fade("base", "Run", 0.2)
    assert session.editor.dirty
    assert session.transport.loop_name == "Loop"


def test_a_fade_without_a_file(path):
    session = opened(path, "--at", "0.5:fade:base=Run")
    assert [layer.name for layer in session.editor.document.layers] == ["base"]
    assert session.editor.dirty
    assert session.editor.path is None
    assert session.editor.save()
    assert path.with_name("figure.motion.toml").is_file()


def test_playback_options_survive_an_edit(path, beside):
    session = opened(path, "--speed", "2", "--loop", "once")
    options = session.character.mixer.settings
    assert (options.speed, options.loop) == (2.0, ("loop", 1.0))
    session.editor.edit(MotionDoc(layers=DOCUMENT.layers[1:2], masks=DOCUMENT.masks), "Less")
    mixer = session.character.mixer
    assert mixer.settings == options
    assert float(mixer.layers.layers[0].operation.source.playback.rate) == 2.0


def test_a_file_that_does_not_fit_is_an_error(path):
    wrong = path.with_name("figure.motion.toml")
    wrong.write_text('version = 1\n[[layers]]\nname = "base"\nplay = "Wolk"\n')
    with pytest.raises(MotionError, match="Walk"):
        opened(path)


def test_single_clip_with_motion_settings(path):
    root = Root("Hips", mode="accumulate")
    said = ClipSettings(range=(0.2, 0.8), loop="pingpong", root=root)
    save_motion(
        path.with_name("figure.motion.toml"),
        MotionFile(MotionDoc()),
        MotionDoc(clips={"WalkForward": said}),
    )
    session = opened(path, "--animation", "WalkForward")
    assert session.transport.span == (0.2, 0.8)
    assert session.interface.scroll_to_clip
    assert session.transport.loop_name == "Ping-pong"
    session = opened(path, "--animation", "WalkForward", "--loop", "loop", "--time", "0.7")
    assert session.transport.loop_name == "Loop"
    assert session.transport.time == pytest.approx(0.3)
    travelled = session.character.world[2, 3]
    session.transport.seek(0.3)
    session.update()
    assert travelled - session.character.world[2, 3] > 0.5
    session = opened(path, "--animation", "WalkForward", "--phase", "1")
    assert session.transport.time == pytest.approx(0.8)
    session = opened(path, "--animation", "WalkForward", "--no-motion")
    assert session.transport.span[0] == 0.0
