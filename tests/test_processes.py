"""Runs of pytest whose tests hang, or that are started with Ctrl+C ignored."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc")

HANGS = """
import os
import subprocess
import pytest

def start(name, command, **options):
    process = subprocess.Popen(command, **options)
    with open(name, "w") as file:
        file.write(str(process.pid))
    return process

@pytest.fixture(scope="module")
def server():
    with start("server", ["sleep", "1000"]) as process:
        yield process
        process.kill()

def test_hangs(server):
    start("session", ["sleep", "1000"], start_new_session=True)
    start("bare", ["sleep", "1000"], env={})
    subprocess.run(["sh", "-c", "sleep 1000 & echo $! > orphan"])
    subprocess.run(["sh", "-c", "setsid sleep 1000 & echo $! > daemon"])
    with start("child", ["sh", "-c", "sleep 1000 & echo $! > grandchild; wait"]) as process:
        process.communicate()

def test_that_follows(server):
    assert server.poll() is None
"""
STARTED = {"bare", "child", "daemon", "grandchild", "orphan", "session"}

STUCK = """
import ctypes
import subprocess

def test_is_stuck_in_c():
    with open("pid", "w") as file:
        file.write(str(subprocess.Popen(["sleep", "1000"]).pid))
    mutex = ctypes.create_string_buffer(64)  # more bytes than a pthread_mutex_t
    for _ in range(2):  # the second never returns, and Python handles no signal meanwhile
        ctypes.PyDLL(None).pthread_mutex_lock(mutex)

def test_another():
    pass
"""

HEARS = """
import signal
import subprocess
import sys

def test_hears():
    code = "import signal; print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "True\\n"
"""


def run(folder, test, *options, deaf=False):
    """Run the tests of a file of their own; return what pytest says."""
    (folder / "test_it.py").write_text(test)
    (folder / "pytest.ini").write_text("[pytest]\n")
    ran = subprocess.run(
        [
            *(("sh", "-c", 'trap "" INT; exec "$@"', "sh") if deaf else ()),
            *(sys.executable, "-m", "pytest", "-p", "tests.support.processes"),
            *("-p", "no:cacheprovider", *options),
        ],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    return ran.stdout + ran.stderr


def runs(file):
    """Return whether the process of a PID file runs; a zombie does not."""
    try:
        state = Path("/proc", file.read_text().strip(), "stat").read_text().rpartition(")")[2]
    except OSError:
        return False
    return state.split()[0] not in "ZX"


@pytest.mark.parametrize("workers", ["0", "1"])
def test_what_a_hanging_test_has_started_ends_with_it(tmp_path, workers):
    begun = time.monotonic()
    said = run(tmp_path, HANGS, "--timeout", "3", "-n", workers)
    assert time.monotonic() - begun < 60
    assert "Timeout (>3.0s)" in said
    assert "1 failed, 1 passed" in said
    files = {file.name: file for file in tmp_path.iterdir() if not file.suffix}
    assert set(files) >= STARTED
    assert [name for name in STARTED if runs(files[name])] == []


def test_what_a_worker_has_started_ends_with_it(tmp_path):
    hard = ("-o", "faulthandler_timeout=3", "-o", "faulthandler_exit_on_timeout=true")
    said = run(tmp_path, STUCK, "--timeout", "1", "-n", "1", *hard)
    assert "crashed while running 'test_it.py::test_is_stuck_in_c'" in said
    assert "1 failed, 1 passed" in said
    assert (tmp_path / "pid").exists()
    assert not runs(tmp_path / "pid")


@pytest.mark.parametrize("workers", ["0", "1"])
def test_children_hear_ctrl_c_where_pytest_ignores_it(tmp_path, workers):
    assert "1 passed" in run(tmp_path, HEARS, "-n", workers, deaf=True)
