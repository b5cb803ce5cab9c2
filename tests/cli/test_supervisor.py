"""Signals while the program is in one long call of C code."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from rigview.cli import supervisor
from tests.support.processes import alive, killed_on_error, until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="programs are supervised on Linux")

ROOT = Path(__file__).resolve().parents[2]
BUSY = "(9 << 90_000_000) % 7919 ** 9_000_000"  # one call that takes minutes
PROGRAM = """
import os, signal, sys
from pathlib import Path
from rigview.__main__ import run
from rigview.cli import info, main, supervisor
from rigview.file_io import temporary_file

def command(_options):
    with temporary_file({target!r}):
        Path({ready!r}).write_text(str(os.getpid()))
        {work}

def begin():
    info.run = command
    sys.argv = ["rigview", "info"]
    main_run()

main_run, main.run = main.run, begin
supervisor.GRACE = {grace}
run()
"""


@pytest.fixture
def started(tmp_path):
    """Start a program whose command writes a file while it does some work."""
    processes = []

    def start(work, grace=supervisor.GRACE):
        ready = tmp_path / "ready"
        code = PROGRAM.format(
            target=str(tmp_path / "out.png"), ready=str(ready), work=work, grace=grace
        )
        process = subprocess.Popen(
            [sys.executable, "-c", code],
            cwd=ROOT,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        processes.append(process)
        until(lambda: ready.exists() and ready.read_text())
        return process, int(ready.read_text())

    yield start
    for process in processes:
        with killed_on_error(process):
            process.kill()


@pytest.mark.parametrize("whole_group", [False, True])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signal_in_a_long_call(started, tmp_path, number, whole_group):
    """As by `kill`, or Ctrl+C in a terminal."""
    process, _ = started(BUSY)
    (os.killpg if whole_group else os.kill)(process.pid, number)
    _, said = process.communicate(timeout=20)
    assert (process.returncode, said) == (128 + number, b"")
    assert os.listdir(tmp_path) == ["ready"]


def test_what_was_begun_is_undone(started, tmp_path):
    """A second signal does not interrupt it."""
    begun, undoing, goes_on, undone = (tmp_path / name for name in ("begun", "a", "b", "undone"))
    work = f"""
        try:
            Path({str(begun)!r}).touch()
            signal.pause()
        finally:
            Path({str(undoing)!r}).touch()
            while not Path({str(goes_on)!r}).exists():
                pass
            Path({str(undone)!r}).touch()"""
    process, _ = started(work, grace=20)
    until(begun.exists)
    os.killpg(process.pid, signal.SIGINT)
    until(undoing.exists)
    os.killpg(process.pid, signal.SIGTERM)
    goes_on.touch()
    assert process.wait(20) == 130
    assert undone.exists()


def test_two_signals_at_once(started, tmp_path):
    """One of them ends the program, and what was begun is undone."""
    begun, undone = tmp_path / "begun", tmp_path / "undone"
    work = f"""
        try:
            Path({str(begun)!r}).touch()
            signal.pause()
        finally:
            Path({str(undone)!r}).touch()"""
    process, _ = started(work, grace=20)
    until(begun.exists)
    os.killpg(process.pid, signal.SIGINT)
    os.killpg(process.pid, signal.SIGTERM)
    _, said = process.communicate(timeout=20)
    assert process.returncode in (128 + signal.SIGINT, 128 + signal.SIGTERM)
    assert (undone.exists(), said) == (True, b"")


def test_second_signal_while_the_first_is_handled(started):
    """It arrives before the second line of the handler."""
    work = """
        lines = []
        def trace(frame, event, _):
            if frame.f_code is supervisor._end_once.__code__ and event == "line":
                lines.append(frame.f_lineno)
                if len(lines) == 2:
                    os.kill(os.getpid(), signal.SIGTERM)
            return trace
        sys.settrace(trace)
        os.kill(os.getpid(), signal.SIGINT)
        signal.pause()"""
    process, _ = started(work, grace=20)
    _, said = process.communicate(timeout=20)
    assert (process.returncode, said) == (130, b"")


def test_program_ends_with_its_supervisor(started):
    process, child = started(BUSY)
    process.kill()
    process.wait(20)
    until(lambda: not alive(child))


def test_program_that_is_killed(started):
    process, child = started("signal.pause()")
    os.kill(child, signal.SIGKILL)
    assert process.wait(20) == -signal.SIGKILL


def test_exit_code_and_output(started):
    process, _ = started("sys.exit(os.write(2, b'said'))")
    _, said = process.communicate(timeout=20)
    assert (process.returncode, said) == (4, b"said")
