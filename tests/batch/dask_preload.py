"""Preload module of Dask workers: loading a file wait.* blocks until a file `go` exists.

While it waits, there is a file begun.PID in the same folder.
"""

import os
import time
from pathlib import Path

from rigview.tasks import sheet_of_clips

load = sheet_of_clips.load_with_motion


def slow(args):
    path = Path(args.file or "").resolve()
    if path.stem == "wait":
        (path.parent / f"begun.{os.getpid()}").touch()
        while not (path.parent / "go").exists():
            time.sleep(0.01)
    return load(args)


sheet_of_clips.load_with_motion = slow
