"""What workers are given in tests: importable, also in a process of its own."""

import os
import signal
import time
from pathlib import Path

from rigview.errors import GltfError, MotionError


def square(number):
    return number * number


def process(_):
    time.sleep(0.05)
    return os.getpid()


def picky(number):
    if number == 1:
        raise GltfError("is broken", file="fox.glb", place="/nodes/1", hint="mend it")
    if number == 2:
        raise MotionError("odd", path=("layers", 1), line=7)
    if number == 3:
        raise ZeroDivisionError("by nought")
    if number == 4:
        raise MemoryError
    if number == 5:
        return lambda: None  # cannot be sent
    return number


def deadly(task):
    """Leave a mark, and die where it is said."""
    folder, number, deaths = task
    begun = len(list(Path(folder).glob(f"{number}.*")))
    (Path(folder) / f"{number}.{begun}").touch()
    if begun < deaths:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def leaving(_):
    os._exit(7)


def waiting(folder):
    """Say that it has begun; go on for ever."""
    (Path(folder) / f"begun.{os.getpid()}").touch()
    while True:
        time.sleep(0.01)


def threads(_):
    return os.environ.get("LP_NUM_THREADS")
