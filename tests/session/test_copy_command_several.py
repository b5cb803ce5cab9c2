"""A view of several characters copied as a command draws the same picture."""

import shlex
import shutil

import numpy as np
import pytest

from rigview.motion.document import ClipSettings, LayerSettings, MotionDoc, Root
from rigview.resources import asset_path
from rigview.scenedoc.scene_doc import COMPARE_MODES
from rigview.session import played_motion
from rigview.session.commands.actions import action
from rigview.session.copied_text import copy_command, not_in_command
from tests.support.character_versions import character
from tests.support.compared_session import know_the_difference, write
from tests.support.copied_commands import SIZE, draw_session, run_command
from tests.support.full_file import full_file
from tests.support.looks import set_look
from tests.support.session_states import choose_clip, different_clips, open_files, second_selected
from tests.support.sessions import advance

CHARACTER = asset_path("mannequin.glb")
ROOT = Root("Hips", mode="accumulate", turn=True)
WALKS = MotionDoc(
    clips={"WalkForward": ClipSettings(root=ROOT)}, layers=(LayerSettings("base", "WalkForward"),)
)


def same_time_and_size(session, _paths):
    """The same time for all, the second hidden, same size, weights of the first."""
    session.transport.pause_at(0.4)
    session.show(session.open_characters[1], hidden=True)
    action("same size").run(session)
    set_look(session.scene, skeleton=True, bounds=True)
    action("weights").run(session)


def motion_files(session, paths):
    """Layers with root motion on the first, a clip with motion file settings on the second."""
    first, second, third = session.open_characters
    first.editor.edit(WALKS, "Walk on")
    said = ClipSettings(root=ROOT, range=(0.1, 0.8))
    second.editor.edit(MotionDoc(clips={"WalkForward": said}), "Said")
    assert first.save()
    assert second.save()
    choose_clip(second, "WalkForward")
    advance(session, 80)
    session.activate(third)
    advance(session, 41)


@pytest.mark.parametrize(
    "state", [different_clips, same_time_and_size, motion_files, second_selected]
)
def test_command_draws_the_same_picture(gl, paths, tmp_path, monkeypatch, state):
    session = open_files(paths)
    state(session, paths)
    before = draw_session(gl, session, 1)
    line = copy_command(session, SIZE, 1)
    shown = draw_session(gl, session, 1)
    assert shown.std() > 5.0
    assert np.abs(shown.astype(int) - before).mean() < 0.05, "copying changes nothing"
    assert not_in_command(session) == []
    with gl:
        found = run_command(line, tmp_path, monkeypatch)
    assert np.array_equal(found, shown), line


@pytest.mark.parametrize("mode", COMPARE_MODES)
def test_compared_versions(gl, tmp_path, monkeypatch, mode):
    folder = tmp_path / "there"
    folder.mkdir()
    old = write(folder / "old.glb", character())
    new = write(folder / "new.glb", character(wave=(0, 120, 0), times=(0.0, 0.5, 1.5)))
    session = open_files([old, new])
    know_the_difference(session)
    session.compare(mode)
    session.comparison.move_edge(1 / 3)
    session.transport.pause_at(0.7)
    set_look(session.scene, skeleton=True, joint_names=True)
    session.activate(session.open_characters[1])
    line = copy_command(session, SIZE, 1)
    session.update()
    shown = draw_session(gl, session, 1)
    assert not_in_command(session) == []
    with gl:
        found = run_command(line, tmp_path, monkeypatch)
    assert np.array_equal(found, shown), line


def test_another_pair_is_not_in_the_command(paths):
    session = open_files(paths)
    first, second, third = session.open_characters
    session.comparison.choose(third, first)
    session.compare("wipe")
    assert second not in session.scene.instances.visible
    assert not_in_command(session) == ["the comparison"]


def test_file_cameras_and_variants(gl, tmp_path, monkeypatch):
    folder = tmp_path / "there"
    folder.mkdir()
    session = open_files([shutil.copy(CHARACTER, folder / "one.glb"), full_file().path(folder)])
    session.activate(session.open_characters[1])
    session.show(variant="#1")
    action("camera").run(session)
    advance(session, 21)
    line = copy_command(session, SIZE, 1)
    words = shlex.split(line)
    assert words[words.index("--active") + 1] == "2"
    assert words.index("--variant=-") < words.index("#1"), "none for the first"
    shown = draw_session(gl, session, 1)
    with gl:
        found = run_command(line, tmp_path, monkeypatch)
    assert np.array_equal(found, shown), line


def test_equal_options_are_given_once(paths):
    session = open_files(paths[:2])
    session.transport.pause_at(0.25)
    words = shlex.split(copy_command(session, SIZE, 4))
    assert words[1:4] == ["render", *map(str, paths[:2])]
    assert words.count("--time") == words.count("--animation") == 1
    assert "--active" not in words
    session.open_characters[1].transport.pause_at(0.5)
    words = shlex.split(copy_command(session, SIZE, 4))
    assert [words[k + 1] for k, word in enumerate(words) if word == "--time"] == ["0.25", "0.5"]


def test_not_in_command_of_several(paths):
    session = open_files(paths[:2])
    for each in session.open_characters:
        each.editor.edit(WALKS, "Walk on")
        assert each.save()
    played_motion.set_trim(session.open_characters[1], trim=True)
    assert not_in_command(session) == ["trim settings of several characters"]
    session.open_characters[1].character.override[:] = 0.5
    assert "morph weights of several characters" in not_in_command(session)
    session.show(session.open_characters[1], hidden=True)
    assert not_in_command(session) == []
