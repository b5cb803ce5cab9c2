"""Open files are checked in the background, one after the other."""

import pytest

from rigview.errors import GltfError
from rigview.session import character_files
from rigview.session.findings.background_check import DELAY
from rigview.tasks.check_report import CheckReport
from tests.support.checked_files import WaitingJob, advance, broken_file, check_all, session_with


@pytest.fixture
def path(tmp_path):
    return broken_file(tmp_path / "hero.gltf")


@pytest.fixture
def jobs():
    return []


@pytest.fixture
def waiting(jobs):
    """Starts checks that wait, and lists them."""

    def start(arguments):
        jobs.append(WaitingJob(arguments))
        return jobs[-1]

    return start


def test_a_check_starts_after_the_first_frames(path, waiting, jobs):
    session, checks = session_with(path, start=waiting)
    assert not checks.poll()
    assert not advance(session, checks, 0.9 * DELAY)
    assert not jobs
    assert advance(session, checks, 0.2 * DELAY)
    assert jobs[0].arguments == [str(path)]
    assert session.active.check.status == "running"
    assert not checks.poll()
    jobs[0].progress = 0.5
    assert checks.poll()
    assert session.active.check.progress == 0.5
    jobs[0].result = CheckReport()
    assert advance(session, checks, 2.0)
    assert session.active.check.status == "done"
    assert session.active.check.seconds == pytest.approx(2.0)
    assert not advance(session, checks, 10.0)
    assert len(jobs) == 1


def test_an_error_is_one_line(path, waiting, jobs):
    session, checks = session_with(path, start=waiting)
    checks.poll()
    advance(session, checks, DELAY)
    jobs[0].result = GltfError("is broken", file="hero.gltf")
    checks.poll()
    check = session.active.check
    assert (check.status, check.error, check.report) == ("failed", "hero.gltf: is broken", None)


def test_a_reload_kills_the_check_and_starts_another(path, waiting, jobs):
    session, checks = session_with(path, start=waiting)
    checks.poll()
    advance(session, checks, DELAY)
    character_files.reload(session)
    assert checks.poll()
    assert jobs[0].ended
    jobs[0].result = CheckReport()
    assert not checks.poll(), "a killed check has no result"
    advance(session, checks, DELAY)
    assert len(jobs) == 2
    assert not jobs[1].ended


def test_a_saved_motion_file_is_checked_again(path, waiting, jobs):
    session, checks = session_with(path, start=waiting)
    checks.poll()
    advance(session, checks, DELAY)
    jobs[0].result = CheckReport()
    checks.poll()
    assert session.active.save()
    checks.poll()
    advance(session, checks, DELAY)
    assert len(jobs) == 2


def test_a_broken_file_on_disk_is_reported(path):
    session, checks = session_with(path)
    check_all(session)
    path.write_text("{")
    character_files.refresh(session)
    checks.poll()
    advance(session, checks, DELAY)
    checks.poll()
    assert session.active.check.status == "failed"
    assert "hero.gltf" in session.active.check.error


def test_checks_turned_off(path, waiting, jobs):
    session, checks = session_with(path, start=waiting)
    checks.poll()
    advance(session, checks, DELAY)
    session.settings.check_files = False
    assert checks.poll()
    assert jobs[0].ended
    assert not advance(session, checks, 9.0)
    session.active.check.asked = True
    assert checks.poll()
    assert len(jobs) == 2, "a check can be asked for by hand"
    jobs[1].result = CheckReport()
    checks.poll()
    assert session.active.check.status == "done"


def test_several_files_one_after_the_other(path, tmp_path, waiting, jobs):
    session, checks = session_with(path, broken_file(tmp_path / "b.gltf"), start=waiting)
    session.next_character(1)
    checks.poll()
    advance(session, checks, DELAY)
    assert [job.arguments[0][-6:] for job in jobs] == ["b.gltf"], "the active one first"
    assert not advance(session, checks, DELAY)
    jobs[0].result = CheckReport()
    checks.poll()
    assert not checks.poll() or len(jobs) == 2
    assert jobs[1].arguments == [str(path)]
    session.remove(session.open_characters[0])
    checks.poll()
    assert jobs[1].ended, "a closed file is not checked"
    checks.end()


def test_the_end_kills_the_check(path, waiting, jobs):
    session, checks = session_with(path, start=waiting)
    checks.poll()
    advance(session, checks, DELAY)
    checks.end()
    assert jobs[0].ended
