"""Shortens the log of a failure: the fewest actions that still fail in the same way."""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

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
    return _reduced(lines, fails)


def _reduced(lines, fails):
    """Leave out parts, halves first, as long as it fails (delta debugging)."""
    size = max(len(lines) // 2, 1)
    while True:
        before, start = len(lines), 0
        while start < len(lines):
            fewer = lines[:start] + lines[start + size :]
            if fewer and fails(fewer):
                lines = fewer
            else:
                start += size
        if size == 1 and len(lines) == before:
            return lines
        size = max(size // 2, 1)


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
