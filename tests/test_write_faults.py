"""Killed writers and full disks: the old file or the new one, nothing between."""

import subprocess
import sys

import pytest

from tests.support import system_calls
from tests.tools.write_faults import spread

pytestmark = pytest.mark.skipif(
    not system_calls.SUPPORTED, reason="system calls are traced on Linux on x86-64 only"
)


def test_killed_writers_and_full_disks():
    """Some system calls and sizes of each kind of file; `make faults` runs all of them."""
    ran = subprocess.run(
        [sys.executable, "-m", "tests.tools.write_faults", "--most", "4"],
        capture_output=True,
        text=True,
        check=False,
    )
    if "Operation not permitted" in ran.stderr:
        pytest.skip("this system does not allow ptrace")
    assert (ran.returncode, ran.stderr) == (0, ""), ran.stdout
    assert ran.stdout.count(" 0 faults") == 11


def test_numbers_are_spread():
    assert spread(1, 5, 9) == [1, 2, 3, 4, 5]
    assert spread(0, 90, 4) == [0, 30, 60, 90]
