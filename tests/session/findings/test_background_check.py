"""Open files are checked in the background, one after the other."""

import pytest

from rigview.errors import GltfError
from rigview.session import character_files
from rigview.session.findings.background_check import DELAY
from rigview.tasks.check_in_background import CheckReport
from tests.support.checked_files import advance, broken_file, check_all, session_with
from tests.support.held_jobs import HeldJobs


@pytest.fixture
def path(tmp_path):
    return broken_file(tmp_path / "hero.gltf")


@pytest.fixture
def held():
    return HeldJobs()


def test_a_check_starts_after_the_first_frames(path, held):
    session = session_with(path, jobs=held)
    assert not session.poll()
    assert not advance(session, 0.9 * DELAY)
    assert not held.processes
    assert advance(session, 0.2 * DELAY)
    assert held.processes[0].arguments == ((str(path),),)
    assert session.active.check.status == "running"
    assert not session.poll()
    held.processes[0].progress = 0.5
    assert session.poll()
    assert session.active.check.progress == 0.5
    held.processes[0].finish(CheckReport())
    assert advance(session, 2.0)
    assert session.active.check.status == "done"
    assert session.active.check.seconds == pytest.approx(2.0)
    assert not advance(session, 10.0)
    assert len(held.processes) == 1


def test_an_error_is_one_line(path, held):
    session = session_with(path, jobs=held)
    session.poll()
    advance(session, DELAY)
    held.processes[0].finish(GltfError("is broken", file="hero.gltf"))
    session.poll()
    check = session.active.check
    assert (check.status, check.error, check.report) == ("failed", "hero.gltf: is broken", None)


def test_a_reload_kills_the_check_and_starts_another(path, held):
    session = session_with(path, jobs=held)
    session.poll()
    advance(session, DELAY)
    character_files.reload(session)
    assert session.poll()
    assert held.processes[0].ended
    held.processes[0].finish(CheckReport())
    assert not session.poll(), "a killed check has no result"
    advance(session, DELAY)
    assert len(held.processes) == 2
    assert not held.processes[1].ended


def test_a_saved_motion_file_is_checked_again(path, held):
    session = session_with(path, jobs=held)
    session.poll()
    advance(session, DELAY)
    held.processes[0].finish(CheckReport())
    session.poll()
    assert session.active.save()
    session.poll()
    advance(session, DELAY)
    assert len(held.processes) == 2


def test_a_broken_file_on_disk_is_reported(path):
    session = session_with(path)
    check_all(session)
    path.write_text("{")
    character_files.refresh(session)
    session.poll()
    advance(session, DELAY)
    session.poll()
    assert session.active.check.status == "failed"
    assert "hero.gltf" in session.active.check.error


def test_checks_turned_off(path, held):
    session = session_with(path, jobs=held)
    session.poll()
    advance(session, DELAY)
    session.settings.check_files = False
    assert session.poll()
    assert held.processes[0].ended
    assert not advance(session, 9.0)
    session.active.check.asked = True
    assert session.poll()
    assert len(held.processes) == 2, "a check can be asked for by hand"
    held.processes[1].finish(CheckReport())
    session.poll()
    assert session.active.check.status == "done"


def test_several_files_one_after_the_other(path, tmp_path, held):
    session = session_with(path, broken_file(tmp_path / "b.gltf"), jobs=held)
    session.next_character(1)
    session.poll()
    advance(session, DELAY)
    assert [job.arguments[0][0][-6:] for job in held.processes] == ["b.gltf"], (
        "the active one first"
    )
    assert not advance(session, DELAY)
    held.processes[0].finish(CheckReport())
    session.poll()
    assert not session.poll() or len(held.processes) == 2
    assert held.processes[1].arguments == ((str(path),),)
    session.remove(session.open_characters[0])
    session.poll()
    assert held.processes[1].ended, "a closed file is not checked"
    session.jobs.end()


def test_the_end_kills_the_check(path, held):
    session = session_with(path, jobs=held)
    session.poll()
    advance(session, DELAY)
    session.jobs.end()
    assert held.processes[0].ended
