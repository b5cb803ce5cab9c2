"""Shortens the log of a failure: the fewest actions that still fail in the same way."""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.support.reduce import reduce

TIMEOUT = 300  # seconds of one replay


def shorten(lines, seconds, fault):
    """Return the shortest list of actions found in some seconds that has a fault."""
    end = time.monotonic() + seconds

    def fails(some):
        return time.monotonic() < end and fault_of_log(some) == fault

    for count in (8, 40, 200, 1000):  # the last actions, from a new window
        if count < len(lines) and fails(lines[-count:]):
            lines = lines[-count:]
            break
    return reduce(lines, lambda some: bool(some) and fails(some), lambda: time.monotonic() > end)


def fault_of_log(lines):
    """Replay in a process of its own; return the fault, "" for none."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log.jsonl"
        log.write_text("\n".join(lines) + "\n")
        command = [sys.executable, "-m", "tests.monkey", "--replay", str(log), "--brief"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            return "timeout"
    if done.returncode not in (0, 1):
        return f"exit code {done.returncode}"
    return done.stdout.strip()
