"""Measures Rigview beside other programs, in alternation: `make bench`.

    python -m tests.bench.performance [--quick] [--only ROW,...] [--rounds N] [--list] [--page]

Stores the samples in docs/performance.json, and writes docs/performance.md and its plot from it.
With --quick, two rounds without the slow rows, printed and not stored. With --only, rows whose
names begin so; the stored figures of the others stay. --page writes the page again, without
measuring.

Programs that are missing are reported and skipped. THREE_DIR is a folder with three.js,
F3D_PYTHON an interpreter with f3d, and
LOADERS_PYTHON one with pygltflib and trimesh. Measure on an idle machine; a row that is worse than
the stored one by more than its span is marked, and nothing fails.
"""

import argparse
import compileall
import contextlib
import datetime
import os
import sys
import tempfile
import time
from pathlib import Path

from tests.bench.performance import machine, measured_files, performance_page, programs, results
from tests.bench.performance.experiments import experiments

ROUNDS = 5
BUSY = 0.5  # load average
KEPT = results.ROOT / "build" / "bench"  # generated models, and caches of programs


def say(text):
    """Print a line at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--page", action="store_true")
    args = parser.parse_args()
    if args.page:
        performance_page.write(results.read())
        return
    known = experiments(KEPT)
    chosen = {
        name: each
        for name, each in known.items()
        if name.startswith(tuple(args.only.split(","))) and not (args.quick and each.slow)
    }
    if args.list or not chosen:
        say("\n".join(f"{name:24}{each.group}: {each.what}" for name, each in chosen.items()))
        return
    _prepare()
    missing = programs.missing()
    for name, reason in missing.items():
        say(f"{name} is skipped: {reason}")
    run = {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "commit": machine.commit(),
        "machine": machine.machine(),
        "versions": machine.versions(missing),
        "missing": sorted(missing),
        "load": round(os.getloadavg()[0], 1),
    }
    if run["load"] > BUSY:
        say(f"the machine is busy (load {run['load']}): only ratios of CPU time can be compared")
    rounds = args.rounds or (2 if args.quick else ROUNDS)
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        programs.use_folders(Path(folder), KEPT / "caches")
        for name, experiment in chosen.items():
            row = _measured(name, experiment, rounds, missing)
            if row is None:
                continue
            found = results.merged(results.read(), run, {name: row}, known)
            lines += performance_page.printed(found["rows"][name])
            if not args.quick:
                results.write(found)
                performance_page.write(found)
    say("\n" + "\n".join(lines))
    if not args.quick:
        say("\nstored in docs/performance.json, shown by docs/performance.md")


def _prepare():
    compileall.compile_dir(results.ROOT / "app", quiet=2)
    measured_files.prepare(KEPT)


def _measured(name, experiment, rounds, missing):
    """Return the row to be stored, None if all its programs failed."""
    begin = time.perf_counter()
    count = min(rounds, experiment.rounds or rounds)
    samples = alternate(experiment.programs, count, missing)
    say(f"{name:24}{time.perf_counter() - begin:6.1f} s  {', '.join(samples)}")
    return results.as_row(experiment, samples) if samples else None


def alternate(listed, rounds, missing):
    """Return the samples by program and quantity; in a round each program is measured once.

    A program that fails is reported and left out.
    """
    samples, started = {}, {}
    for label, program in listed.items():
        if program.needs not in missing:
            with _reported(label):
                started[label] = program.start()
    for number in range(rounds):
        order = list(started)
        first = number % max(len(order), 1)
        for label in order[first:] + order[:first]:
            failed = True
            with _reported(label):
                for quantity, value in started[label].sample().items():
                    samples.setdefault(label, {}).setdefault(quantity, []).append(value)
                failed = False
            if failed:
                started.pop(label).close()
                samples.pop(label, None)
    for program in started.values():
        program.close()
    return {label: samples[label] for label in listed if label in samples}


@contextlib.contextmanager
def _reported(label):
    """Report an error, and go on."""
    try:
        yield
    except Exception as error:
        say(f"{label} failed: {error}")


if __name__ == "__main__":
    main()
