"""Reloading files that changed on disk, and errors in them, without a window."""

import time

import pytest

from rigview.session import character_files, played_motion
from rigview.session.character_files import RELOAD_FAILED
from rigview.session.session import Session
from tests.support.fixed_clock import FixedClock
from tests.support.light_mannequin import light_mannequin
from tests.support.models import rod_model, show_model
from tests.support.xvfb import SMALLER, Window, XServer, need_xserver

CHARACTER = light_mannequin(frozenset(("Idle", "Walk", "Run")))


@pytest.fixture
def copy(tmp_path):
    path = tmp_path / "character.glb"
    path.write_bytes(CHARACTER)
    return path


@pytest.fixture
def session(copy):
    session = Session(FixedClock(100.0))
    session.tick()
    character_files.open_file(session, copy)
    played_motion.start_clip(session.transport, 1)
    session.clock.frame = 30
    session.tick()
    session.update()
    return session


def test_unchanged_files_are_not_reloaded(session):
    before = session.character
    character_files.refresh(session)
    assert session.character is before


def test_changed_file_keeps_clip_and_time(session, copy):
    before = session.character
    copy.write_bytes(CHARACTER + b"    ")
    character_files.refresh(session)
    assert session.character is not before
    assert session.character.clip == 1
    assert session.transport.time == pytest.approx(0.3)
    assert session.interface.popup == ""
    assert "Reloaded" in session.interface.notice


def test_broken_file_keeps_the_character_until_fixed(session, copy):
    before = session.character
    copy.write_bytes(CHARACTER[:999])
    character_files.refresh(session)
    assert session.character is before
    assert (session.interface.popup, session.interface.error_title) == ("error", RELOAD_FAILED)
    assert "character.glb" in session.interface.error
    session.interface.popup = ""
    character_files.refresh(session)
    assert session.interface.popup == "", "reported once for each change"
    copy.write_bytes(CHARACTER[:998])
    character_files.refresh(session)
    assert session.interface.popup == "error"
    copy.write_bytes(CHARACTER)
    character_files.refresh(session)
    assert session.interface.popup == ""
    assert session.character is not before


def test_missing_file_is_not_a_change(session, copy):
    before = session.character
    copy.unlink()
    character_files.refresh(session)
    assert session.character is before
    assert session.interface.popup == ""


def test_own_save_is_not_a_change(session):
    before = session.character
    assert session.active.save()
    assert session.editor.path.is_file()
    character_files.refresh(session)
    assert session.character is before


def test_motion_file_written_by_another_program(session, copy):
    motion = copy.with_name("character.motion.toml")
    assert session.active.save()
    motion.write_text('version = 1\n[clips.Walk]\nloop = "once"\n')
    character_files.refresh(session)
    assert "Walk" in session.editor.document.clips


def test_files_of_the_open_character(tmp_path, session, copy):
    assert character_files.watched_files(session) == [copy, copy.with_name("character.motion.toml")]
    show_model(session, rod_model())
    assert character_files.watched_files(session) == []


def test_window_reloads_a_changed_file(tmp_path, copy):
    need_xserver()
    xserver = XServer(tmp_path, SMALLER)
    window = Window(xserver, copy, "--animation", "Walk", "--no-motion")
    try:
        before = window.wait(lambda state: state["running"], "a clip")
        time.sleep(1.0)  # the first check of the watched files
        copy.write_bytes(CHARACTER[:999])
        window.wait(lambda state: state["popup"] == "error", "an error")
        copy.write_bytes(CHARACTER)
        after = window.wait(lambda state: not state["popup"], "the error to go")
        assert after["clip"] == before["clip"]
    finally:
        window.kill()
        xserver.close()
