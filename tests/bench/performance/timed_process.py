"""Runs a program and prints its wall time, processor time and peak memory as JSON.

    python timed_process.py COMMAND...

A process of its own, and a small one: the peak memory of a program counts from the memory of the
process that starts it. Programs that it starts count too. Needs the standard library only. Linux.
"""

import contextlib
import ctypes
import json
import os
import resource
import subprocess
import sys
import time

PATIENCE = 300.0  # seconds; then the program is killed
CHILD_SUBREAPER = 36  # of prctl: orphaned processes become ours, so that their time counts


def main(command):
    ctypes.CDLL(None).prctl(CHILD_SUBREAPER, 1, 0, 0, 0)
    begin = time.perf_counter()
    ran = subprocess.run(
        command,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=PATIENCE,
        check=False,
    )
    wall = time.perf_counter() - begin
    with contextlib.suppress(ChildProcessError):
        while True:
            os.wait()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    found = {"wall": wall, "cpu": used.ru_utime + used.ru_stime, "peak": used.ru_maxrss / 1024}
    found |= {"code": ran.returncode, "error": ran.stderr[-500:]}
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
