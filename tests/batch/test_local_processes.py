import os
import signal
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from rigview.batch import parallel
from rigview.batch.local_processes import can_fork
from rigview.errors import AppError, GltfError, MotionError, WorkerError
from tests.batch import batch_tasks
from tests.support.processes import alive, killed_on_error, until

ROOT = Path(__file__).resolve().parents[2]
posix = pytest.mark.skipif(os.name != "posix", reason="there are no such signals here")


def test_each_result_once():
    found = list(parallel.run(batch_tasks.square, range(40), jobs=3))
    assert sorted(found) == [(k, k * k) for k in range(40)]


def test_processes_are_forked_without_threads_and_opengl(monkeypatch):
    monkeypatch.delitem(sys.modules, "moderngl", raising=False)
    ended = threading.Event()
    thread = threading.Thread(target=ended.wait)
    thread.start()
    with_thread = can_fork()
    ended.set()
    thread.join()
    assert not with_thread
    code = "from rigview.batch.local_processes import can_fork; print(can_fork())"
    for modules, forks in (("", sys.platform == "linux"), ("import moderngl; ", False)):
        ran = subprocess.run(
            [sys.executable, "-c", modules + code], capture_output=True, text=True, check=True
        )
        assert ran.stdout.strip() == str(forks)


def test_few_processes_run_many_tasks():
    found = [pid for _, pid in parallel.run(batch_tasks.process_id, range(8), jobs=2)]
    assert len(set(found)) == 2
    assert os.getpid() not in found


@pytest.mark.parametrize(("count", "jobs"), [(1, 4), (3, 1)])
def test_single_job_or_task_runs_in_this_process(count, jobs):
    assert {pid for _, pid in parallel.run(batch_tasks.process_id, range(count), jobs=jobs)} == {
        os.getpid()
    }


def test_no_task():
    assert list(parallel.run(batch_tasks.square, [], jobs=2)) == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_is_the_result_of_its_task(jobs):
    found = dict(parallel.run(batch_tasks.raise_errors, range(5), jobs=jobs))
    assert found[0] == 0
    assert isinstance(found[1], GltfError)
    assert str(found[1]) == "fox.glb: /nodes/1: is broken; fix it"
    assert isinstance(found[2], MotionError)
    assert (found[2].path, found[2].line) == (("layers", 1), 7)
    assert str(found[3]) == (
        "internal error: ZeroDivisionError: by zero; please report it, with the output of --verbose"
    )
    assert str(found[4]) == "out of memory"
    assert [found[k].exit_code for k in (1, 2, 3, 4)] == [3, 3, 70, 71]
    assert all("in raise_errors" in found[k].__notes__[0] for k in (1, 2, 3, 4))


def test_result_that_cannot_be_pickled():
    found = dict(parallel.run(batch_tasks.raise_errors, [0, 5], jobs=2))
    assert found[0] == 0
    assert "internal error" in str(found[1])


@posix
def test_task_runs_again_if_its_process_is_killed(tmp_path):
    given = [(str(tmp_path), number, number == 3) for number in range(8)]
    found = list(parallel.run(batch_tasks.kill_worker, given, jobs=2))
    assert sorted(found) == [(k, k) for k in range(8)]
    assert len(list(tmp_path.iterdir())) == 8 + 1


@posix
def test_task_that_always_kills_its_process_fails(tmp_path):
    given = [(str(tmp_path), number, 99 * (number == 3)) for number in range(8)]
    found = dict(parallel.run(batch_tasks.kill_worker, given, jobs=2))
    error = found.pop(3)
    assert found == {k: k for k in range(8) if k != 3}
    assert isinstance(error, WorkerError)
    assert "SIGKILL" in str(error)
    assert error.exit_code == 3
    assert len(list(tmp_path.glob("3.*"))) == 2


def test_process_that_exits():
    error = dict(parallel.run(batch_tasks.exit_worker, range(2), jobs=2))[1]
    assert isinstance(error, AppError)
    assert "exited with code 7" in str(error)


@posix
def test_processes_end_with_the_iterator(tmp_path):
    with closing(parallel.run(batch_tasks.process_id, range(1000), jobs=2)) as results:
        pids = {next(results)[1] for _ in range(4)}
    assert pids
    assert not any(alive(pid) for pid in pids)


SCRIPT = """
import sys
from rigview.batch import parallel
from tests.batch import batch_tasks

try:
    list(parallel.run(batch_tasks.run_forever, [sys.argv[1]] * 4, jobs=2))
except KeyboardInterrupt:
    sys.exit(130)
"""


@posix
@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGKILL, signal.SIGTERM])
def test_processes_end_with_their_parent(tmp_path, ending):
    """The signal is sent to the process group, as by Ctrl+C in a terminal."""
    parent = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(tmp_path)],
        cwd=ROOT,
        start_new_session=True,
        stderr=subprocess.PIPE,
    )
    with killed_on_error(parent):
        until(lambda: len(list(tmp_path.iterdir())) == 2)
        pids = [int(path.suffix[1:]) for path in tmp_path.iterdir()]
        if ending == signal.SIGINT:
            os.killpg(parent.pid, ending)
        else:
            parent.send_signal(ending)
        assert parent.wait(20) == (130 if ending == signal.SIGINT else -ending)
        assert parent.stderr.read() == b""
    until(lambda: not any(alive(pid) for pid in pids))


def test_processes_share_the_cores(monkeypatch):
    monkeypatch.delenv("LP_NUM_THREADS", raising=False)  # tests/conftest.py sets it
    (first, _) = parallel.run(batch_tasks.llvmpipe_threads, range(2), jobs=2)
    shared = os.cpu_count() // 2
    assert first[1] == str(shared if shared > 1 else 0)  # 0: no threads beside the worker's
