"""One task in a process beside this one."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from rigview.batch.background_task import NICENESS, BackgroundTask
from rigview.errors import GltfError, WorkerError
from tests.support import batch_tasks
from tests.support.processes import alive, killed_on_error, until

ROOT = Path(__file__).resolve().parents[2]
posix = pytest.mark.skipif(os.name != "posix", reason="there are no such signals here")
PARENT = """
import time
from rigview.batch.background_task import BackgroundTask
from tests.support import batch_tasks
if __name__ == "__main__":
    task = BackgroundTask(batch_tasks.report_and_run_forever, 0)
    while task.progress is None:
        time.sleep(0.01)
    print(task.progress, flush=True)
    time.sleep(600.0)
"""


def finished(task):
    until(lambda: task.result is not None)
    return task.result


@posix
def test_the_result_progress_and_priority():
    task = BackgroundTask(batch_tasks.report_steps, 3)
    pid, niceness = finished(task)
    assert pid != os.getpid()
    assert niceness == os.nice(0) + NICENESS
    assert task.progress == 2
    until(lambda: not alive(pid))


@pytest.mark.parametrize(
    ("work", "kind", "message"),
    [
        (batch_tasks.raise_error, GltfError, "fox.glb: is broken"),
        pytest.param(
            batch_tasks.kill_itself,
            WorkerError,
            "the process of the task was killed by SIGKILL; a common reason is too little memory",
            marks=posix,
        ),
    ],
)
def test_an_error_is_the_result(work, kind, message):
    found = finished(BackgroundTask(work, 0))
    assert isinstance(found, kind)
    assert str(found) == message


@posix
def test_an_ended_task_leaves_no_process_and_no_result():
    task = BackgroundTask(batch_tasks.report_and_run_forever, 0)
    until(lambda: task.progress is not None)
    assert alive(task.progress)
    task.end()
    assert not alive(task.progress)
    assert task.result is None
    task.end()  # a second time does nothing


def test_a_task_can_be_ended_at_once():
    task = BackgroundTask(batch_tasks.report_and_run_forever, 0)
    task.end()
    assert task.result is None


@posix
def test_the_process_ends_with_a_killed_parent():
    command = [sys.executable, "-c", PARENT]
    with killed_on_error(
        subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    ) as parent:
        child = int(parent.stdout.readline())
        assert alive(child)
        parent.send_signal(signal.SIGKILL)
        parent.wait()
        until(lambda: not alive(child))
