"""Clips of other files that are added in the window, and their joint mapping."""

import shutil

import numpy as np
import pytest

from rigview.motion.read import read_motion
from rigview.session import character_files, copied_text
from rigview.session.clip_import import add_clips, dropped_files
from rigview.session.clip_import.mapping_rows import (
    ClipImportView,
    joint_rows,
    with_pair,
    without_changes,
)
from rigview.session.commands.actions import redo, undo
from rigview.session.session import Session
from tests.support.bvh_text import BVH, body_bvh
from tests.support.copied_commands import SIZE, draw_session, run_command
from tests.support.fixed_clock import FixedClock
from tests.support.light_mannequin import light_mannequin

MAPPED = "LeftUpLeg"


@pytest.fixture
def hero(tmp_path):
    path = tmp_path / "hero.glb"
    path.write_bytes(light_mannequin(frozenset(("Idle",))))
    return path


@pytest.fixture
def capture(tmp_path):
    path = tmp_path / "capture.bvh"
    path.write_text(body_bvh())
    return path


@pytest.fixture
def session(hero):
    session = Session(FixedClock(60.0))
    character_files.open_file(session, hero)
    return session


def row_of(session, target):
    own = session.active
    rows = joint_rows(own.imports[0], own.model.skeleton)
    return next(row for row in rows if row.target == target)


def set_pair(session, target, source):
    own = session.active
    add_clips.edit_mapping(own, with_pair(own.document, own.imports[0], target, source), target)
    return add_clips.poll(session)


def test_clips_are_added_and_play(session, capture):
    add_clips.add_clips(session, capture)
    own = session.active
    assert [clip.name for clip in own.model.clips] == ["Idle", "capture"]
    assert own.character.clip == 1
    assert own.document.anims.files == ("capture.bvh",)
    assert session.dirty
    assert "joints match" in session.interface.notice
    add_clips.add_clips(session, capture)
    assert len(own.model.clips) == 2
    assert "already" in session.interface.notice


def test_undo_removes_the_clips_and_redo_adds_them(session, capture):
    add_clips.add_clips(session, capture)
    undo(session)
    assert add_clips.poll(session)
    assert [clip.name for clip in session.model.clips] == ["Idle"]
    assert not session.dirty
    redo(session)
    assert add_clips.poll(session)
    assert len(session.model.clips) == 2
    assert not add_clips.poll(session), "nothing has changed since"


def test_removed_files_take_their_mapping_with_them(session, capture):
    add_clips.add_clips(session, capture)
    set_pair(session, MAPPED, "")
    add_clips.remove_file(session.active, 0)
    assert add_clips.poll(session)
    assert session.document.anims == type(session.document.anims)()
    assert session.active.imports == ()


def test_rows_say_how_joints_were_found(session, capture):
    add_clips.add_clips(session, capture)
    own = session.active
    rows = joint_rows(own.imports[0], own.model.skeleton)
    imported = own.imports[0]
    assert [row.target for row in rows if row.source]
    assert len(rows) == imported.total
    assert {row.kind for row in rows if row.source} <= {"name", "alias", "hips"}
    places = [own.model.skeleton.find(row.target) for row in rows]
    assert places == sorted(places)


def test_a_joint_is_mapped_by_hand_undone_and_reset(session, capture):
    add_clips.add_clips(session, capture)
    own, before = session.active, row_of(session, MAPPED)
    assert before.source
    keys = own.model.clips[1]
    assert set_pair(session, MAPPED, "")
    assert row_of(session, MAPPED).source == ""
    assert own.model.clips[1] is not keys
    other = own.imports[0].extra[0]
    set_pair(session, MAPPED, other)
    assert row_of(session, MAPPED).source == other
    assert row_of(session, MAPPED).kind == "map"
    undo(session)
    undo(session)
    add_clips.poll(session)
    assert row_of(session, MAPPED) == before
    redo(session)
    add_clips.poll(session)
    add_clips.edit_mapping(own, without_changes(own.document, own.imports[0]), "")
    add_clips.poll(session)
    assert row_of(session, MAPPED) == before


def test_the_hips_are_mapped_by_the_retarget_settings(session, capture):
    add_clips.add_clips(session, capture)
    own = session.active
    source, target = own.imports[0].hips
    other = next(one for one, _ in own.imports[0].matched if one != source)
    set_pair(session, target, other)
    assert session.document.retarget.source_hips == other
    assert row_of(session, target).source == other


def test_a_mapped_name_comes_before_a_pattern_of_the_file(hero, capture):
    motion = hero.with_name("hero.motion.toml")
    text = 'version = 1\nanims = { files = ["capture.bvh"], names = { "*" = "*" } }  # capture\n'
    motion.write_text(text)
    session = Session(FixedClock(60.0))
    character_files.open_file(session, hero)
    extra = next(one for one, _ in session.active.imports[0].matched if "Hand" in one)
    set_pair(session, MAPPED, extra)
    assert row_of(session, MAPPED).source == extra
    assert session.active.save()
    assert "# capture" in motion.read_text()
    assert read_motion(motion).document == session.document
    character_files.open_file(session, hero)
    assert row_of(session, MAPPED).source == extra


def test_errors_leave_the_character_as_it_was(session, tmp_path, hero):
    still = tmp_path / "still.glb"
    still.write_bytes(light_mannequin(frozenset()))
    broken = tmp_path / "broken.bvh"
    broken.write_text("HIERARCHY\nROOT\n")
    for path, words in ((still, "still.glb: has no animations"), (broken, "broken.bvh")):
        session.interface.popup = ""
        add_clips.add_clips(session, path)
        assert session.interface.popup == "error"
        assert words in session.interface.error
        assert "\n" not in session.interface.error
        assert session.document.anims.files == ()
        assert not session.dirty
        assert len(session.model.clips) == 1


def test_few_matching_joints_are_asked_about(session, tmp_path):
    path = tmp_path / "strange.bvh"
    text = BVH
    for name in ("thigh_l", "calf_l", "spine_01", "tail"):
        text = text.replace(name, f"x{name[::-1]}")
    path.write_text(text)
    for accepted, count in ((False, 1), (True, 2)):
        add_clips.add_clips(session, path)
        assert session.interface.popup == "few joints"
        assert len(session.model.clips) == 1
        add_clips.accept_few(session, accepted=accepted)
        assert len(session.model.clips) == count
    assert session.document.anims.files == ("strange.bvh",)


def test_a_file_of_another_folder(session, tmp_path, hero, capture):
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    far = folder / "far.bvh"
    shutil.move(capture, far)
    inner = tmp_path / "inner"
    inner.mkdir()
    moved = inner / hero.name
    shutil.copy(hero, moved)
    character_files.open_file(session, moved)
    add_clips.add_clips(session, far)
    assert session.document.anims.files == ("../elsewhere/far.bvh",)
    assert session.files.root_of(session.active) == tmp_path.resolve()
    assert session.active.save()
    assert character_files.reload(session), "the user has named the file"
    assert len(session.model.clips) == 2
    command = copied_text.copy_command(session, (64, 64), 1)
    assert f"--root {tmp_path.resolve()}" in command
    assert "--no-motion" not in command


def test_the_copied_command_draws_the_same_clip(session, capture, gl, tmp_path, monkeypatch):
    session.interface.viewport.aspect = SIZE[0] / SIZE[1]
    add_clips.add_clips(session, capture)
    session.transport.pause_at(0.4)
    set_pair(session, "LeftArm", "RightUpLeg")
    assert copied_text.not_in_command(session) == ["unsaved changes of the motion"]
    assert session.active.save()
    assert copied_text.not_in_command(session) == []
    line = copied_text.copy_command(session, SIZE, 1)
    assert "--animation capture" in line
    shown = draw_session(gl, session, 1)
    assert np.array_equal(run_command(line, tmp_path, monkeypatch), shown)


def test_clips_added_in_the_background(session, capture):
    session.jobs.in_background = True
    add_clips.add_clips(session, capture)
    assert session.active.clip_import
    assert len(session.model.clips) == 1
    session.jobs.wait()
    assert not session.active.clip_import
    assert len(session.model.clips) == 2


def test_what_changes_during_an_import_is_kept(session, capture, tmp_path, hero):
    add_clips.add_clips(session, capture)
    own, second = session.active, tmp_path / "second.bvh"
    second.write_text(body_bvh())
    session.jobs.in_background = True
    add_clips.add_clips(session, second)
    hero.write_bytes(light_mannequin(frozenset(("Idle", "Walk"))))
    assert character_files.reload(session)
    set_pair(session, MAPPED, "")
    for _ in range(4):
        session.jobs.wait()
        add_clips.poll(session)
    assert not own.clip_import
    assert [clip.name for clip in own.model.clips] == ["Idle", "Walk", "capture", "second"]
    assert row_of(session, MAPPED).source == ""
    assert own.document.anims.files == ("capture.bvh", "second.bvh")


def test_what_a_drop_does(session, capture, tmp_path, hero):
    still = tmp_path / "still.glb"
    still.write_bytes(light_mannequin(frozenset()))
    session.interface.of(ClipImportView).clips_box = (0.0, 0.0, 100.0, 100.0)
    dropped_files.take(session, (capture,), (500.0, 50.0), beside=False)
    assert session.interface.popup == "dropped"
    assert session.interface.of(ClipImportView).dropped == (capture,)
    session.interface.popup = ""
    dropped_files.take(session, (capture,), (50.0, 50.0), beside=False)
    assert len(session.model.clips) == 2
    session.editor.discard()
    dropped_files.take(session, (still,), (50.0, 50.0), beside=False)
    assert session.path == still, "a file without clips is opened"
    dropped_files.take(session, (hero,), (500.0, 50.0), beside=True)
    assert len(session.open_characters) == 2
    session.interface.popup = ""
    dropped_files.take(session, (hero,), (500.0, 50.0), beside=False)
    assert session.path == hero, "a character with clips is opened"
    assert session.interface.popup == ""


def test_a_motion_file_saved_in_another_folder_finds_the_clips(capture, tmp_path):
    (tmp_path / "below").mkdir()
    hero = tmp_path / "below" / "hero.glb"
    hero.write_bytes(light_mannequin(frozenset(("Idle",))))
    session = Session(FixedClock(60.0))
    character_files.open_file(session, hero)
    add_clips.add_clips(session, capture)
    assert session.document.anims.files == ("../capture.bvh",)
    path = tmp_path / "moved.motion.toml"
    assert session.active.save(path)
    assert read_motion(path).document.anims.files == ("capture.bvh",)
    assert not add_clips.poll(session), "only the path has changed"
