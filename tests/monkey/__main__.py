"""Random input for the window: `python -m tests.monkey [--seconds S] [--seed N] [--actions N]`.

Every action is logged as one line; `--replay FILE` repeats a log. After a failure the log is
shortened. `--display` drives a window on the display instead of an off-screen one.
"""

import argparse
import os
import sys
import tempfile
import time
import warnings
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / "build" / "monkey"


def main(arguments):
    """Return the exit code: 1 after a fault."""
    parser = argparse.ArgumentParser(prog="python -m tests.monkey", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="longest time (60)")
    parser.add_argument("--seed", type=int, default=1, help="of the actions (1)")
    parser.add_argument("--actions", type=int, default=20_000, help="most actions (20000)")
    parser.add_argument("--replay", type=Path, help="repeat the actions of a log")
    parser.add_argument("--display", action="store_true", help="open a window on the display")
    parser.add_argument("--shorten", type=float, default=300.0, help="seconds for it (300)")
    parser.add_argument("--brief", action="store_true", help="print the fault only")
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        return _run(chosen, Path(folder))


def _run(chosen, folder):
    _use_own_folders(folder)
    from .run import Monkey, drawn, fault_of, replayed  # after the environment is set

    OUT.mkdir(parents=True, exist_ok=True)
    path = folder / "log" if chosen.brief else OUT / f"seed-{chosen.seed}.jsonl"
    lines = chosen.replay.read_text().splitlines() if chosen.replay else []
    actions = replayed(lines) if lines else drawn(chosen.seed, chosen.seconds, chosen.actions)
    start = time.monotonic()
    with ExitStack() as stack, path.open("w") as log:
        context = None if chosen.display else _context(stack)
        report = str if chosen.brief else partial(print, flush=True)
        monkey = Monkey(folder, log, context, report)
        fault, trace = fault_of(monkey, actions)
    if chosen.brief:
        print(fault)
        return int(bool(fault))
    seconds = time.monotonic() - start
    print(f"{monkey.done} actions in {seconds:.0f} s, seed {chosen.seed}, log {path}")
    _print_memory(monkey)
    if not fault:
        return 0
    print(f"{trace}\nFAULT after {monkey.done} actions: {fault}")
    if chosen.shorten and not chosen.display:
        _write_short(path, chosen.shorten)
    return 1


def _use_own_folders(folder):
    """Let all files of the program be in a folder, and let warnings be errors."""
    os.chdir(folder)
    sys.path.insert(0, str(ROOT))
    os.environ["PYTHONPATH"] = str(ROOT)
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    os.environ.setdefault("MESA_SHADER_CACHE_DIR", cache)
    os.environ["HOME"] = str(folder)
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
        os.environ[name] = str(folder / name.lower())
    os.environ["XDG_PICTURES_DIR"] = str(folder / "pictures")
    warnings.simplefilter("error")
    warnings.filterwarnings("ignore", "Importing PyGLM")  # by moderngl-window
    np.seterr(divide="raise", over="raise", invalid="raise")


def _context(stack):
    from rigview.rendering.context import create_context

    context = create_context()
    stack.callback(context.release)
    return context


def _print_memory(monkey):
    samples = monkey.memory.samples
    if not samples:
        return
    print(f"allocated memory {samples[0][1]:.0f} to {samples[-1][1]:.0f} MiB")
    print("  growth, MiB per 1000 actions after the warm-up, and its standard error:")
    memory = monkey.memory
    for name, found in (("in use", memory.slope()), ("new windows", memory.fresh_slope())):
        words = "too few samples" if found is None else f"{found[0]:+.2f} ± {found[1]:.2f}"
        print(f"  {name}: {words}")
    print(f"OpenGL objects at the end: {monkey.counts[-1]}")


def _write_short(path, seconds):
    from .shorten import fault_of_log, shorten

    lines = path.read_text().splitlines()
    fault = fault_of_log(lines)
    if not fault:
        print("the log does not fail when it is repeated")
        return
    short = path.with_suffix(".short.jsonl")
    short.write_text("\n".join(shorten(lines, seconds, fault)) + "\n")
    print(f"{short}:\n{short.read_text()}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
