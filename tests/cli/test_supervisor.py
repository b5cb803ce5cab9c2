"""Signals while the program is in one long call of C code."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.processes import alive, killed_on_error, until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="programs are supervised on Linux")

ROOT = Path(__file__).resolve().parents[2]
BUSY = "(9 << 90_000_000) % 7919 ** 9_000_000"  # one call that takes minutes
PROGRAM = """
import os, signal, sys
from pathlib import Path
from rigview.__main__ import run
from rigview.cli import info, main
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
run()
"""


@pytest.fixture
def started(tmp_path):
    """Start a program whose command writes a file while it does some work."""
    processes = []

    def start(work):
        ready = tmp_path / "ready"
        code = PROGRAM.format(target=str(tmp_path / "out.png"), ready=str(ready), work=work)
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
    undone = tmp_path / "undone"
    work = f"""
        try:
            signal.pause()
        finally:
            Path({str(undone)!r}).touch()"""
    process, _ = started(work)
    os.killpg(process.pid, signal.SIGINT)
    os.killpg(process.pid, signal.SIGTERM)
    assert process.wait(20) == 130
    assert undone.exists()


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
