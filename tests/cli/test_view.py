import math

import numpy as np
import pytest

from rigview.cli import view
from rigview.errors import UsageError
from rigview.options.parser import parse
from rigview.session import character_files
from rigview.session.session import Session
from rigview.window.view_files import shows_start_bar
from tests.support.fixed_clock import FixedClock


@pytest.fixture
def session(model_file):
    """Open the small file in a session without a window, as `rigview FILE OPTION...` does."""

    def run(*arguments):
        args = parse("view", [str(model_file), *arguments])
        clock = FixedClock(30)
        clock.frame = 45
        opened = Session(clock)
        opened.tick()
        character_files.open_file(opened, model_file, lambda stage: view.set_up_scene(args, stage))
        return opened

    return run


def test_first_clip_loops_by_default(session):
    opened = session()
    assert opened.character.clip == 0
    assert not opened.character.playback.paused
    assert float(opened.character.playback.time(opened.tau)) == 0
    assert np.isclose(float(opened.character.playback.time(opened.tau + 2.5)), 0.5)


def test_clip_speed_and_loop(session):
    playback = session("--animation", "Turn fast", "--speed", "2", "--loop", "once")
    assert playback.character.clip == 1
    assert float(playback.character.playback.time(playback.tau + 0.25)) == 0.5
    assert float(playback.character.playback.time(playback.tau + 9)) == 1


@pytest.mark.parametrize(
    ("options", "time"),
    [
        (["--phase", "0.25"], 0.5),
        (["--phase", "1"], 2.0),
        (["--time", "2.5"], 0.5),
        (["--frame", "30"], 1.0),
        (["--time", "0.25", "--trim"], 0.75),
    ],
)
def test_requested_time_is_paused(session, options, time):
    opened = session(*options)
    assert opened.character.playback.paused
    assert np.isclose(float(opened.character.playback.time(opened.tau + 5)), time)


def test_display_and_camera(session):
    opened = session(
        "--skeleton", "--no-grid", "--weights", "Tip", "--view", "top", "--ortho", "--pose", "rest"
    )
    look = opened.scene.look
    assert look.overlays.skeleton
    assert not look.grid
    assert opened.model.skeleton.names[opened.scene.weights_joint] == "Tip"
    assert opened.scene.camera.orbit.ortho
    assert opened.scene.camera.orbit.elevation > math.radians(85)
    assert opened.character.show == "rest"


def test_window_takes_a_single_time(session):
    with pytest.raises(UsageError, match="single time"):
        session("--time", "0,1")


def test_options_reach_the_window(rigview, monkeypatch, model_file, tmp_path):
    opened = []

    def record(options, motions, *_):
        opened.append((options, motions()))

    monkeypatch.setattr(view, "has_display", lambda: True)
    monkeypatch.setattr("rigview.window.view_files.view", record)
    ran = rigview(
        model_file, "--resolution", "640x480", "--samples", "2", "--frame-rate", "24",
        "--root", tmp_path,
    )  # fmt: skip
    assert ran.code == 0
    [(options, motions)] = opened
    assert (options.per_file[0].file, motions) == (str(model_file), [None])
    assert (options.scene.size, options.scene.samples) == ((640, 480), 2)
    assert (options.scene.frame_rate, options.general.root) == (24.0, str(tmp_path))


def test_a_folder_is_a_wall_over_the_bundled_character(rigview, monkeypatch, tmp_path):
    opened = []
    monkeypatch.setattr(view, "has_display", lambda: True)
    monkeypatch.setattr("rigview.window.view_files.view", lambda *given: opened.append(given))
    assert rigview(tmp_path, "--samples", "2").code == 0
    [(options, motions, _, _, folder)] = opened
    assert (options.files, options.file, folder) == ((), None, tmp_path)
    assert len(motions()) == 1
    assert rigview(tmp_path / "gone").code == 0
    assert opened[1][-1] is None, "the window reports what is missing"


@pytest.mark.parametrize(("arguments", "shown"), [
    ((), True), (("--samples", "2", "--no-occlusion"), True), (("--animation", "Walk"), False),
    (("--view", "front"), False), (("--time", "1"), False),
])  # fmt: skip
def test_start_bar(arguments, shown):
    assert shows_start_bar(parse("view", arguments)) == shown


@pytest.mark.parametrize(("platform", "display", "found"), [
    ("linux", ":0", True), ("linux", "", False), ("win32", "", True), ("darwin", "", True),
])  # fmt: skip
def test_display(monkeypatch, platform, display, found):
    monkeypatch.setattr("sys.platform", platform)
    monkeypatch.setenv("DISPLAY", display)
    assert view.has_display() is found
