"""Work in a process beside this one."""

import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from rigview.batch.child_process import NICENESS, ChildProcess
from rigview.batch.jobs import Job
from rigview.errors import GltfError, WorkerError
from tests.batch import batch_tasks
from tests.support.processes import alive, killed_on_error, until

ROOT = Path(__file__).resolve().parents[2]
posix = pytest.mark.skipif(os.name != "posix", reason="there are no such signals here")
PARENT = """
import time
from rigview.batch.jobs import Jobs
from tests.batch import batch_tasks
if __name__ == "__main__":
    jobs = Jobs(in_background=True)
    job = jobs.start("job", batch_tasks.report_and_run_forever, print, in_process=True)
    while job.progress is None:
        time.sleep(0.01)
    print(job.progress, flush=True)
    time.sleep(600.0)
"""


LIMIT = 60.0  # seconds for a process


def started(work):
    process = ChildProcess(work)
    job = Job(process.run, process.kill)
    job.begin()
    return job


@posix
def test_the_result_progress_and_priority():
    job = started(partial(batch_tasks.report_steps, 3))
    assert job.wait(LIMIT)
    pid, niceness = job.result()
    assert pid != os.getpid()
    assert niceness == os.nice(0) + NICENESS
    assert job.progress == 2
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
def test_an_error_is_raised_by_the_result(work, kind, message):
    job = started(work)
    assert job.wait(LIMIT)
    with pytest.raises(kind) as raised:
        job.result()
    assert str(raised.value) == message


@posix
def test_an_ended_job_leaves_no_process():
    job = started(batch_tasks.report_and_run_forever)
    until(lambda: job.progress is not None)
    assert alive(job.progress)
    job.end()
    assert not alive(job.progress)
    assert job.wait(LIMIT)
    job.end()  # a second time does nothing


def test_a_job_can_be_ended_at_once():
    job = started(batch_tasks.report_and_run_forever)
    job.end()
    assert job.wait(LIMIT)
    assert job.progress is None


def test_a_killed_process_does_not_start():
    process = ChildProcess(batch_tasks.report_and_run_forever)
    process.kill()
    with pytest.raises(WorkerError, match="before its start"):
        process.run(print)


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
