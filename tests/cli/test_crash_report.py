"""Reports of crashes in the user's state folder."""

import subprocess
import sys

import pytest

from rigview import __version__
from rigview.cli.crash_report import crashes_reported, new_reports
from rigview.errors import UsageError


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path / "rigview"


def crash(code):
    """Run code in a process whose crashes are reported."""
    lines = "from rigview.cli.crash_report import crashes_reported\nwith crashes_reported():\n "
    ran = subprocess.run([sys.executable, "-c", lines + code], check=False, capture_output=True)
    return ran.returncode


def test_nothing_is_left_if_all_is_well(folder):
    with crashes_reported():
        assert new_reports() == []
    with pytest.raises(UsageError), crashes_reported():
        raise UsageError("a message of its own")
    assert list(folder.iterdir()) == []


def test_an_error_is_reported_once():
    assert crash("1 / 0") == 1
    (report,) = new_reports()
    text = report.read_text(encoding="utf-8")
    assert f"Rigview {__version__}" in text
    assert "ZeroDivisionError" in text
    assert new_reports() == []
    assert report.is_file()


def test_the_end_by_the_system_is_reported():
    assert crash("__import__('os').abort()") != 0
    (report,) = new_reports()
    assert "Aborted" in report.read_text(encoding="utf-8")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no signals")
def test_a_killed_process_is_no_crash(folder):
    assert crash("__import__('os').kill(__import__('os').getpid(), 9)") == -9
    assert len(list(folder.iterdir())) == 1
    assert new_reports() == []
    assert list(folder.iterdir()) == []


def test_few_are_kept(folder):
    folder.mkdir()
    for number in range(9):
        (folder / f"crash-{number}.reported.txt").write_text("old")
    new_reports()
    assert len(list(folder.iterdir())) == 5


def test_a_folder_that_cannot_be_written(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    with crashes_reported():
        assert new_reports() == []
