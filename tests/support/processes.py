"""A pytest plug-in that ends the processes of tests that hang, and enables Ctrl+C.

tests/conftest.py loads it. It finds processes in /proc; without /proc it does nothing.
"""

import os
import signal
import time
import uuid
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from pathlib import Path

import pytest

PROC = Path("/proc")
MARK = "RIGVIEW_TEST_PROCESS"  # environment variable of the processes of a test run
ROUNDS = 40  # a process may start others before it ends

_earlier: set[int] = set()  # child processes that fixtures of the module have started


def alive(pid):
    """Return whether a process exists."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def until(true, seconds=20.0):
    """Wait until a function returns True."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.01)


@contextmanager
def killed_on_error(process):
    """Wait for a process as `Popen` does, but kill it if the block raises."""
    with process:
        try:
            yield process
        except BaseException:
            process.kill()
            raise


def pytest_configure(config):
    """Enable Ctrl+C; background processes of a shell inherit an ignored SIGINT."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    worker = getattr(config, "workerinput", None)
    os.environ[MARK] = mark_of(worker) if worker else uuid.uuid4().hex


def mark_of(worker):
    """The mark of the processes of an xdist worker."""
    return f"{worker['testrunuid']}-{worker['workerid']}"


@pytest.fixture(autouse=True)
def _fixtures_of_the_module_are_there():
    """Remember the processes of fixtures of wider scope; this fixture runs after them."""
    remember()


@pytest.hookimpl(wrapper=True, optionalhook=True)
def pytest_timeout_set_timer(item, settings):
    """End the processes of a test before its timeout is raised in it.

    Otherwise `with Popen(...)` would wait for its process again, this time without a limit.
    """
    remember()
    result = yield
    handler = signal.getsignal(signal.SIGALRM) if settings.method == "signal" else None
    if callable(handler):

        def ring(number, frame):
            try:
                handler(number, frame)
            except BaseException:
                end(lambda: of_this_test(parents()))
                raise

        signal.signal(signal.SIGALRM, ring)
    return result


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node, error):
    """End the processes of an xdist worker that has crashed."""
    if error:
        mark = mark_of(node.workerinput)
        end(lambda: {pid for pid in parents() if is_marked(pid, mark)})


def remember():
    _earlier.clear()
    for file in PROC.glob("self/task/*/children"):
        with suppress(OSError):  # the thread has ended
            _earlier.update(map(int, file.read_text().split()))


def end(find):
    for _ in range(ROUNDS):
        found = find()
        if not found:
            return
        for pid in found:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.05)


def parents():
    """The parent of each running process."""
    found = {}
    for file in PROC.glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended
            state, parent = file.read_text(errors="replace").rpartition(")")[2].split()[:2]
            if state not in "ZX":
                found[int(file.parent.name)] = int(parent)
    return found


def background_tasks_of(program):
    """The command lines of the processes that run background tasks of a program."""
    parent = parents()
    inside = [pid for pid in parent if parent.get(parent[pid]) == program.pid]  # it is supervised
    commands = [(PROC / str(pid) / "cmdline").read_text() for pid in inside]
    return [command for command in commands if "spawn_main" in command]


def of_this_test(parent):
    """New descendants of this process, and marked processes without a parent."""
    here, mark = os.getpid(), os.environ[MARK]
    stays = {*_earlier, getattr(resource_tracker._resource_tracker, "_pid", None)}
    found = set()
    for pid in parent:
        line = [pid]
        while line[-1] in parent and line[-1] != here:
            line.append(parent[line[-1]])
        if pid == here or stays.intersection(line):
            continue
        if line[-1] == here or is_marked(pid, mark):
            found.add(pid)
    return found


def is_marked(pid, mark):
    try:
        return f"{MARK}={mark}".encode() in (PROC / str(pid) / "environ").read_bytes().split(b"\0")
    except OSError:
        return False
