"""The fuzzer: mutated files for every command, in forked processes with limits.

Usage: python -m tests.fuzz.run [--seconds S | --cases N] [--seed N] [--models FOLDER]
       python -m tests.fuzz.run CASE.json… [--cases N]     run saved cases again, then N new ones
       python -m tests.fuzz.run --file FILE --commands NAME,… --changes NAME,…     one file only

The same seed gives the same sequence of cases. Findings are minimised and written as CASE.json to
build/fuzz; a copy in tests/fuzz/cases is run by the tests. The exit code is 1 with a finding.
"""

import argparse
import hashlib
import shutil
import sys
import time
from collections import Counter
from pathlib import Path

from tests.fuzz.case import as_json, from_json
from tests.fuzz.functions import QUICK
from tests.fuzz.minimise import minimise
from tests.fuzz.mutated_case import file_scenario, mutated_case
from tests.fuzz.worker import Worker

REPORT = 60.0  # seconds between two lines of progress
AT_ONCE = 50  # cases of QUICK functions in one process


def main(arguments=None):
    """Run cases; return 1 with a finding, else 0."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", type=Path, help="saved cases to run")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--cases", type=int, help="largest number of new cases")
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--models", type=Path, help="a folder of files that are mutated too")
    parser.add_argument("--only", default="", help="part of the names of scenarios")
    parser.add_argument("--file", type=Path, help="the only file that is mutated")
    parser.add_argument("--commands", default="play", help="what is run with it, by commas (play)")
    parser.add_argument(
        "--changes", default="", help="mutations of it, drawn by name (default: all)"
    )
    parser.add_argument("--out", type=Path, default=Path("build/fuzz"))
    given = parser.parse_args(arguments)
    worker = Worker(given.out / "work")
    try:
        failed = _again(worker, given.files)
        if not given.files or given.cases:
            failed |= _search(worker, given)
        return int(failed)
    finally:
        shutil.rmtree(worker.root, ignore_errors=True)


def say(line):
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _again(worker, files):
    """Run saved cases; return whether one is a finding."""
    failed = False
    for path in files:
        result = worker.run(from_json(path.read_text(encoding="utf-8")))
        failed |= bool(result.finding)
        verdict = f"{result.finding}\n{result.err}" if result.finding else "as it should be"
        say(f"{path}: exit code {result.code}, {result.seconds:.2f} s, {verdict}")
    return failed


def _search(worker, given):
    """Run the sequence of a seed until the time is over; return whether there is a finding."""
    begin = last = time.monotonic()
    found, codes, ran = {}, {}, 0
    for number, mutated, result in _results(worker, given):
        now = time.monotonic()
        ran += 1
        codes.setdefault(mutated.valid.arguments[0], Counter())[result.code] += 1
        if result.finding:
            _note(worker, given, number, mutated, result, found)
        if now - last > REPORT:
            last = now
            say(_summary(ran, now - begin, found))
        if now - begin > given.seconds:
            break
    for command, counts in sorted(codes.items()):
        parts = ", ".join(f"exit {code}: {count}" for code, count in sorted(counts.items()))
        say(f"  {command:16} {counts.total():7}   {parts}")
    say(_summary(ran, time.monotonic() - begin, found))
    return bool(found)


def _results(worker, given):
    """Yield numbers, cases and results; QUICK functions are run several at once."""
    scenarios = _scenarios(given)
    if given.file:
        code = worker.run(mutated_case(given.seed, 0, scenarios).valid).code
        assert not code, f"the valid file: exit code {code}"
    waiting = []  # of QUICK functions
    for number in range(given.first, given.first + (given.cases or sys.maxsize)):
        mutated = mutated_case(given.seed, number, scenarios)
        if mutated.valid.arguments[0] not in QUICK:
            yield number, mutated, worker.run(mutated.case())
            continue
        waiting.append((number, mutated))
        if len(waiting) == AT_ONCE:
            yield from _quick_results(worker, waiting)
            waiting = []
    yield from _quick_results(worker, waiting)


def _scenarios(given):
    if given.file:
        names = [name for name in given.changes.split(",") if name]
        return [file_scenario(given.file, given.commands.split(","), names)]
    from tests.fuzz import targets  # late, since it imports much

    if given.models:
        targets.add_folder(given.models)
    return [each for each in targets.SCENARIOS if given.only in each.name]


def _quick_results(worker, waiting):
    results = worker.run_quick([mutated.case() for _, mutated in waiting])
    for (number, mutated), result in zip(waiting, results, strict=True):
        yield number, mutated, result


def _note(worker, given, number, mutated, result, found):
    """Count a finding; minimise and save the first of its kind."""
    found[result.finding] = found.get(result.finding, 0) + 1
    if found[result.finding] > 1:
        return
    small = minimise(mutated, lambda case: worker.run(case).finding == result.finding)
    text = as_json(small, result.finding)
    path = given.out / f"{hashlib.sha256(text.encode()).hexdigest()[:10]}.json"
    path.write_text(text, encoding="utf-8")
    say(f"case {number} ({mutated.scenario.name}): {' '.join(small.arguments)}")
    say(f"  {result.finding}; {path}")


def _summary(ran, seconds, found):
    rate = ran / max(seconds, 1e-9)
    kinds = f"{len(found)} kinds of findings in {sum(found.values())} cases"
    said = kinds if found else "no findings"
    return f"{ran} cases in {seconds:.0f} s, {rate:.1f} per second: {said}"


if __name__ == "__main__":
    sys.exit(main())
