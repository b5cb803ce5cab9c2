"""A view of several characters copied as one command: run, the line draws the same picture."""

import shlex
import shutil

import numpy as np
import pytest

from rigview.clock import FixedClock
from rigview.motion.document import ClipSettings, LayerSettings, MotionDoc, Root
from rigview.resources import asset_path
from rigview.session import linked_transport, transport
from rigview.session.actions import action
from rigview.session.copy_command import copy_command, unsaid
from rigview.session.session import Session
from tests.session.test_copy_command import SIZE, drawn, run, wait
from tests.support.animated_value_files import arm
from tests.support.full_file import stocked

CHARACTER = asset_path("mannequin.glb")
ROOT = Root("Hips", mode="accumulate", turn=True)
WALKS = MotionDoc(
    clips={"WalkForward": ClipSettings(root=ROOT)}, layers=(LayerSettings("base", "WalkForward"),)
)


@pytest.fixture
def paths(tmp_path):
    folder = tmp_path / "there"
    folder.mkdir()
    copies = [shutil.copy(CHARACTER, folder / f"{name}.glb") for name in ("one", "two")]
    return [*copies, arm().path(folder, "arm.glb")]


def opened(paths):
    session = Session(FixedClock(60.0))
    session.tick()
    session.aspect = 1.3
    session.open_all(paths)
    return session


def number(performer, name):
    return [clip.name for clip in performer.model.clips].index(name)


def play(performer, name):
    transport.choose_clip(performer, number(performer, name))


def apart(session, _paths):
    """Other clips at other times, one of them trimmed, faster and backwards; a pose."""
    first, second, third = session.performers
    play(first, "Walk")
    wait(session, 31)
    play(second, "Run")
    transport.set_trim(second, trim=True)
    transport.set_speed(second, -1.5)
    third.character.show = "rest"
    wait(session, 17)
    session.scene.camera.orbit(0.4, 0.2)


def in_step(session, _paths):
    """All at one time, the second hidden, the third as tall as the first, weights of the first."""
    linked_transport.hold(session, 0.4)
    session.performers[1].hidden = True
    action("same size").run(session)
    session.scene.display.skeleton = session.scene.display.bounds = True
    action("weights").run(session)


def moving(session, paths):
    """The first plays layers that carry it away, the second a clip its motion file speaks of."""
    first, second, third = session.performers
    first.editor.edit(WALKS, "Walk on")
    said = ClipSettings(root=ROOT, range=(0.1, 0.8))
    second.editor.edit(MotionDoc(clips={"WalkForward": said}), "Said")
    assert first.save()
    assert second.save()
    play(second, "WalkForward")
    wait(session, 80)
    session.activate(third)
    wait(session, 41)


def worked_with(session, paths):
    """The second is the active one, with painted weights; the third has another clip's time."""
    _, second, _ = session.performers
    session.activate(second)
    action("weights").run(session)
    action("names").run(session)
    session.together = False
    linked_transport.hold(session, 0.7)
    wait(session, 23)


@pytest.mark.parametrize("state", [apart, in_step, moving, worked_with])
def test_line_draws_what_is_shown(gl, paths, tmp_path, monkeypatch, state):
    session = opened(paths)
    state(session, paths)
    before = drawn(gl, session, 1)
    line = copy_command(session, SIZE, 1)
    shown = drawn(gl, session, 1)
    assert shown.std() > 5.0
    assert np.abs(shown.astype(int) - before).mean() < 0.05, "copying moves nothing"
    assert unsaid(session) == []
    with gl:
        found = run(line, tmp_path, monkeypatch)
    assert np.array_equal(found, shown), line


def test_cameras_and_variants_of_files(gl, tmp_path, monkeypatch):
    folder = tmp_path / "there"
    folder.mkdir()
    session = opened([shutil.copy(CHARACTER, folder / "one.glb"), stocked().path(folder)])
    session.activate(session.performers[1])
    session.character.variant = 1
    action("camera").run(session)
    wait(session, 21)
    line = copy_command(session, SIZE, 1)
    words = shlex.split(line)
    assert words[words.index("--active") + 1] == "2"
    assert words.index("--variant=-") < words.index("#1"), "none for the first"
    shown = drawn(gl, session, 1)
    with gl:
        found = run(line, tmp_path, monkeypatch)
    assert np.array_equal(found, shown), line


def test_only_what_differs_is_said_apiece(paths):
    session = opened(paths[:2])
    linked_transport.hold(session, 0.25)
    words = shlex.split(copy_command(session, SIZE, 4))
    assert words[1:4] == ["render", *map(str, paths[:2])]
    assert words.count("--time") == words.count("--animation") == 1
    assert "--active" not in words
    transport.hold(session.performers[1], 0.5)
    words = shlex.split(copy_command(session, SIZE, 4))
    assert [words[k + 1] for k, word in enumerate(words) if word == "--time"] == ["0.25", "0.5"]


def test_what_no_option_says_of_several_is_told(paths):
    session = opened(paths[:2])
    for each in session.performers:
        each.editor.edit(WALKS, "Walk on")
        assert each.save()
    transport.set_trim(session.performers[1], trim=True)
    assert unsaid(session) == ["which of them are trimmed"]
    session.performers[1].character.override[:] = 0.5
    assert "morph sliders held by hand" in unsaid(session)
    session.performers[1].hidden = True
    assert unsaid(session) == []
