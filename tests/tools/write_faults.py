"""Kills the writers of files at their system calls, fills the disk, and checks what is left.

Run ``make faults`` for all system calls and all sizes. There must be the old file or the new one,
and no temporary file; a killed process may leave one, which the next write removes.
"""

import argparse
import errno
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.support import system_calls
from tests.tools.file_writers import checked, writers

CANNOT_WRITE = 5  # exit status
PRINTED = 20  # faults of a writer


class Case:
    """A writer in a folder of its own."""

    def __init__(self, name, writer, folder):
        self.name, self.writer, self.folder = name, writer, folder
        self.target = folder / name
        self.folder.mkdir()
        self.contents = [self._content(version) for version in (0, 1)]
        self.faults = []
        self.counts = Counter()
        if self._content(1) != self.contents[1] or len(set(self.contents)) != 2:
            self.faults.append("two writes of a version differ, or two versions do not")

    def _content(self, version):
        assert system_calls.run(lambda: self.write(version)) == 0, self.name
        return self.target.read_bytes()

    def write(self, version=1):
        """Write a version to the target; return the exit status."""
        return checked(self.writer, self.target, version)

    def reset(self):
        """Put the first version there, and nothing else."""
        for path in self.folder.iterdir():
            path.unlink()
        self.target.write_bytes(self.contents[0])

    def look(self, what, status, *, again=True):
        """Note the faults of what an ended process has left; write `again` after a killed one."""
        self.counts[what.split()[0]] += 1
        others = sorted(path.name for path in self.folder.iterdir() if path != self.target)
        killed = status == system_calls.KILLED
        state = self.target.read_bytes() if self.target.exists() else None
        if state not in self.contents:
            self.faults.append(f"{what}: the file is neither the old nor the new one")
        if status not in (0, CANNOT_WRITE, system_calls.KILLED):
            self.faults.append(f"{what}: exit status {status}")
        if len(others) > killed:
            self.faults.append(f"{what}: left {', '.join(others)}")
        if status == 0 and state != self.contents[1]:
            self.faults.append(f"{what}: success, but the file is the old one")
        if killed and others and again:
            self.look(f"next after {what}", system_calls.run(self.write))

    def kill(self, most):
        """Kill the writer before each system call, or before `most` of them."""
        self.reset()
        numbers = spread(1, system_calls.count(self.write) + 1, most)
        for number in numbers:
            self.reset()
            status = system_calls.run_and_kill(self.write, number)
            few = len(numbers) == most
            self.look(f"kill {number}", status, again=not few or number == numbers[most // 2])

    def fail(self, most):
        """Let each call about files report a full disk, or `most` of them."""
        self.reset()
        for number in spread(1, system_calls.count(self.write, files=True), most):
            self.reset()
            status = system_calls.run_and_fail(self.write, number, errno.ENOSPC)
            self.look(f"fail {number}", status)

    def fill(self, most):
        """Let the disk be full at each size of the file, or at `most` of them."""
        for size in spread(0, len(self.contents[1]), most):
            self.reset()
            status = system_calls.run(self.write, limit=size)
            self.look(f"full {size}", status)


def spread(first, last, most):
    """All whole numbers of an interval, or `most` of them at equal distances."""
    steps = min(most, last - first + 1) - 1
    return [first + k * (last - first) // max(steps, 1) for k in range(steps + 1)]


def main(arguments):
    """Run the cases and print the faults; returns 1 if there are any."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--most", type=int, default=4096, help="runs of each kind (4096)")
    parser.add_argument("--only", default="", help="a part of a target's name")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="rigview-faults-") as folder:
        cases = [
            Case(name, writer, Path(folder) / name)
            for name, writer in writers(Path(folder)).items()
            if given.only in name
        ]
        for case in cases:
            case.kill(given.most)
            case.fail(given.most)
            case.fill(given.most)
            done = ", ".join(f"{count} {what}" for what, count in case.counts.items())
            sys.stdout.write(f"{case.name}: {done}, {len(case.faults)} faults\n")
            sys.stdout.writelines(f"  {fault}\n" for fault in case.faults[:PRINTED])
    return int(any(case.faults for case in cases))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
