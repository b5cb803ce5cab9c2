"""Tasks for workers; worker processes import this module."""

import os
import signal
import time
from pathlib import Path

from rigview.errors import GltfError, MotionError


def square(number):
    return number * number


def process_id(_):
    time.sleep(0.05)
    return os.getpid()


def raise_errors(number):
    if number == 1:
        raise GltfError("is broken", file="fox.glb", place="/nodes/1", hint="fix it")
    if number == 2:
        raise MotionError("odd", path=("layers", 1), line=7)
    if number == 3:
        raise ZeroDivisionError("by zero")
    if number == 4:
        raise MemoryError
    if number == 5:
        return lambda: None  # cannot be pickled
    return number


def kill_worker(task):
    """Create a file for each attempt; kill the process in the first `deaths` attempts."""
    folder, number, deaths = task
    begun = len(list(Path(folder).glob(f"{number}.*")))
    (Path(folder) / f"{number}.{begun}").touch()
    if begun < deaths:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def exit_worker(_):
    os._exit(7)


def run_forever(folder):
    """Create a file, then run forever."""
    (Path(folder) / f"begun.{os.getpid()}").touch()
    while True:
        time.sleep(0.01)


def report_steps(count, report):
    """Report the steps, with the process and its niceness at last."""
    for step in range(count):
        report(step)
    return os.getpid(), os.nice(0)


def report_and_run_forever(report):
    report(os.getpid())
    time.sleep(600.0)


def kill_itself(report):
    report("begun")
    os.kill(os.getpid(), signal.SIGKILL)


def raise_error(_report):
    raise GltfError("is broken", file="fox.glb")


def llvmpipe_threads(_):
    return os.environ.get("LP_NUM_THREADS")
