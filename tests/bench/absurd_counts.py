"""Measures every command on files with absurd counts: exit code, CPU seconds, megabytes.

Usage: python -m tests.bench.absurd_counts [--at-limits] [--files NAME,...] [--commands NAME,...]

With --at-limits the files have as many nodes, joints … as `rigview.gltf.limits` allows. A run
fails, and the program exits with 1, if a command takes more than 60 s of CPU time or 2 GiB of
memory, ends with another code than 0, 1 (findings), 2 or 3 (refused), or takes more than a second
of CPU time to refuse. Every run has a limit of 8 GB of address space. Linux only.
"""

import argparse
import os
import resource
import shlex
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from rigview.gltf import limits
from tests.support import large_counts

CPU = 60.0  # seconds of all threads and processes
REFUSAL = 1.0  # seconds until a file is refused
MEMORY = 2048  # MiB
ADDRESS_SPACE = 8_000_000_000  # bytes
WALL = 200  # seconds
ALLOWED = (0, 1, 2, 3)

COMMANDS = {
    "info": "info MODEL",
    "info --json": "info MODEL --json",
    "check": "check MODEL",
    "check --joins": "check MODEL --joins --json",
    "render": "render MODEL -o OUT/a.png --resolution 64x64",
    "render all": "render MODEL -o OUT/a.png --resolution 64x64 --skeleton --joint-names --axes "
    "--bounds --wireframe --fit pose",
    "video": "render MODEL -o OUT/a.gif --frames 0..9 --resolution 64x64",
    "crowd": "render MODEL -o OUT/a.png --crowd 2x2 --resolution 64x64",
    "sheet": "sheet MODEL -o OUT/a.png --resolution 64x64",
    "turntable": "turntable MODEL -o OUT/a.gif --resolution 64x64",
    "report": "report MODEL -o OUT/a.html",
    "curves": "curves MODEL --joint #0 -o OUT/a.svg",
    "pose": "pose MODEL --time 0,0.5 -o OUT/a.npz",
    "pose json": "pose MODEL --time 0.5",
    "pose vertices": "pose MODEL --time 0 --vertices -o OUT/a.npz",
    "events": "events MODEL --time 0..1",
    "diff": "diff MODEL OTHER",
    "diff picture": "diff MODEL OTHER -o OUT/a.png --resolution 64x64",
    "bake": "bake MODEL -o OUT/a.glb",
    "bake --fps": "bake MODEL -o OUT/a.glb --fps 30",
    "bench": "bench MODEL",
    "anims": "info MODEL --anims MODEL --force",
}


FILES = {  # a count beyond all reason, and the greatest that is supported
    large_counts.nodes: (1_000_000, limits.NODES - 1),
    large_counts.chain: (100_000, limits.NODES - 1),
    large_counts.joints: (65_000, limits.JOINTS),
    large_counts.clips: (100_000, limits.CLIPS),
    large_counts.instances: (100_000, limits.PRIMITIVES),
    large_counts.primitives: (100_000, limits.PRIMITIVES),
    large_counts.vertices: (150_000_000, limits.VERTICES),
    large_counts.placed_vertices: (150_000_000, limits.VERTICES),
    large_counts.skinned_vertices: (150_000_000, limits.VERTICES),
    large_counts.displacements: (1_000_000_000, limits.DISPLACEMENTS),
    large_counts.indices: (500_000_000, limits.INDICES),
    large_counts.keys: (4_000_000, 4_000_000),
}


def write(make, count, folder, prefix=""):
    """Write a file; return its path."""
    path = folder / f"{prefix}{make.__name__}.glb"
    path.write_bytes(make(count).glb())
    return path


def run(words):
    """Return exit code, CPU seconds, MiB and the last line of standard error of a command."""
    with tempfile.TemporaryFile() as messages:
        line = [sys.executable, "-m", "rigview", *words]
        started = subprocess.Popen(
            line,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=messages,
            preexec_fn=_limit,
            start_new_session=True,
        )
        signal.signal(signal.SIGALRM, lambda *_: os.killpg(started.pid, signal.SIGKILL))
        signal.alarm(WALL)
        _, status, used = os.wait4(started.pid, 0)
        signal.alarm(0)
        started.returncode = os.waitstatus_to_exitcode(status)
        messages.seek(0)
        lines = messages.read().decode(errors="replace").splitlines()
    code, seconds = started.returncode, used.ru_utime + used.ru_stime
    return code, seconds, used.ru_maxrss / 1024, lines[-1] if lines else ""


def _limit():
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))


def passes(code, seconds, size):
    """Return whether a command ended as it should."""
    return code in ALLOWED and seconds <= (REFUSAL if code > 1 else CPU) and size <= MEMORY


def main():
    """Print a line for each file and command; return whether one failed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--files", default=",".join(make.__name__ for make in FILES))
    parser.add_argument("--commands", default=",".join(COMMANDS))
    parser.add_argument("--at-limits", action="store_true", help="the greatest supported counts")
    args = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory(prefix="rigview-") as folder:
        for make in (make for make in FILES if make.__name__ in args.files.split(",")):
            model = write(make, FILES[make][args.at_limits], Path(folder))
            other = write(
                make, FILES[make][args.at_limits] - large_counts.SHARED, Path(folder), "b-"
            )
            for name in args.commands.split(","):
                text = COMMANDS[name].replace("MODEL", str(model)).replace("OTHER", str(other))
                text = text.replace("OUT", folder)
                code, seconds, size, line = run(shlex.split(text))
                good = passes(code, seconds, size)
                failed += not good
                cells = f"{make.__name__:17}{name:14}{code:4}{seconds:8.1f} s{size:7.0f} MiB"
                shown = line.replace(folder, "")[:150] if code else ""
                sys.stdout.write(f"{cells}  {'' if good else 'FAILS  '}{shown}\n")
                sys.stdout.flush()
            model.unlink()
            other.unlink()
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
