"""The parts of the fuzzer: cases, mutations, verdicts, and what is left of a finding."""

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("resource", reason="limits of memory need POSIX")

from rigview.errors import AppError
from rigview.loading.load import load
from tests.fuzz import sources, targets
from tests.fuzz.case import Case, as_json, from_json
from tests.fuzz.minimise import minimise
from tests.fuzz.mutate_gltf import CHANGES, Parts, mutate_gltf
from tests.fuzz.mutated_case import Mutated, Scenario, mutated_case
from tests.fuzz.targets import SCENARIOS
from tests.fuzz.verdict import Result, judge_end, judge_files
from tests.support.gltf_documents import make_glb

ROOT = Path(__file__).resolve().parents[2]
FOUND = sorted((Path(__file__).parent / "cases").glob("*.json"))
SMALL = make_glb({"asset": {"version": "2.0"}, "nodes": [{"name": "A"}, {"name": "B"}]}, b"1234")


def test_same_seed_gives_the_same_cases():
    first, again = ([mutated_case(7, k, SCENARIOS).case() for k in range(60)] for _ in range(2))
    assert first == again
    assert first != [mutated_case(8, k, SCENARIOS).case() for k in range(60)]
    assert len({case.arguments for case in first}) > 20
    assert {SCENARIOS[0].name} < {mutated_case(7, k, SCENARIOS).scenario.name for k in range(60)}


def test_every_mutation_changes_the_file():
    data = targets.characters()["body"]
    rng = random.Random(1)
    made = {mutate_gltf(rng, data) for _ in range(150)}
    assert len(made) > 140
    assert sum(_loads(each) for each in made) > 30, "most of the structure is kept"
    assert len(CHANGES) > 10


def test_files_in_parts(tmp_path):
    """A buffer and the pictures beside a .gltf; each of them is mutated."""
    data = targets.characters()["pictures"]
    for name, part in sources.parts(data).items():
        (tmp_path / name).write_bytes(part)
    made, whole = load(tmp_path / "a.gltf"), load(data)
    assert made.warnings == whole.warnings
    assert [image.size for image in made.images] == [image.size for image in whole.images]
    rng = random.Random(4)
    cases = [targets._in_parts(rng) for _ in range(60)]
    assert {"a.gltf", "a.bin", "a0.png"} <= {case.mutated for case in cases}


def test_mutations_of_mutated_files():
    rng = random.Random(2)
    for name in ("small", "meshopt", "full"):
        data = targets.characters()[name]
        for _ in range(60):
            data = mutate_gltf(rng, data)
            assert isinstance(data, bytes)


def _loads(data):
    try:
        load(data)
    except AppError:
        return False
    return True


@pytest.mark.parametrize(
    "data", [SMALL, b"text = 1\n", bytes(range(256))], ids=["glb", "text", "bytes"]
)
def test_saved_case(data):
    case = Case(("info", "a.glb"), {"a.glb": data}, "a.glb")
    assert from_json(as_json(case, "IndexError x.py in f")) == case


@pytest.mark.parametrize(
    ("code", "err", "finding"),
    [
        (0, "", ""),
        (3, "rigview: a.glb: no\n", ""),
        (2, "", "error message of info"),
        (4, "rigview: no display\n", "exit code 4 of info"),
        (70, "rigview: internal error\n", "internal error"),
        (71, "rigview: out of memory\n", "out of memory"),
        (-11, 'Fatal: Segmentation fault\n  File "/x/app/y.py", line 3 in f', "SIGSEGV y.py in f"),
        (
            -24,
            '  File "/x/app/y.py", line 3 in f\n  File "/x/app/z.py", line 3 in g',
            "time y.py in f",
        ),
        (97, 'Traceback\n  File "/x/app/y.py", line 3, in f\nKeyError: 1', "KeyError y.py in f"),
        (0, "/x/app/y.py:3: RuntimeWarning: invalid value\n", "RuntimeWarning app/y.py"),
        (3, "rigview: a\x1b[31m\n", "control character on stderr of info"),
        (3, "two\nrigview: lines\n", "error message of info"),
    ],
)
def test_findings_about_the_end_of_a_run(code, err, finding):
    assert judge_end(Result(code, 0.1, 0, "", err), ("info", "a.glb")) == finding


def test_finding_about_memory():
    assert judge_end(Result(0, 0.1, (2 << 30) + 1, "", ""), ("info", "a.glb")) == "memory of info"


@pytest.mark.parametrize(
    ("change", "code", "finding"),
    [
        ({}, 3, ""),
        ({"out.png": b"x"}, 0, ""),
        ({}, 0, "no file written although the exit code is 0"),
        ({"out.png": b"x"}, 3, "file written although the exit code is 3"),
        ({".out.png.12.tmp": b""}, 3, "leftover file .out.png.N.tmp"),
        ({"a.glb": b"other"}, 3, "changed input a.glb"),
        ({"a.glb": None}, 3, "changed input a.glb"),
    ],
)
def test_findings_about_files(tmp_path, change, code, finding):
    folder, home = tmp_path / "case", tmp_path / "home"
    folder.mkdir()
    home.mkdir()
    for name, data in ({"a.glb": SMALL} | change).items():
        if data is not None:
            (folder / name).write_bytes(data)
    case = Case(("render", "a.glb", "-o", "out.png"), {"a.glb": SMALL}, "a.glb")
    assert judge_files(folder, home, case, case.arguments, code) == finding


def test_minimised_gltf():
    """One node of a name is left, and one mutation that makes it."""

    def mutate(rng, data):
        parts = Parts(data)
        parts.json["nodes"].append({"name": rng.choice("XYZ"), "extras": [1, 2]})
        return parts.data()

    def same(case):
        try:
            nodes = Parts(case.files["a.glb"]).json.get("nodes", [])
        except ValueError:
            return False
        return "--loop" in case.arguments and any(row.get("name") == "X" for row in nodes)

    arguments = ("info", "a.glb", "--loop", "--json")
    valid = Case(arguments, {"a.glb": SMALL, "b.glb": SMALL}, "a.glb")
    found = Mutated(Scenario("nodes", 1, mutate, None), valid, tuple(range(20)))
    small = minimise(found, same)
    assert small.arguments == ("info", "a.glb", "--loop")
    assert set(small.files) == {"a.glb"}
    parts = Parts(small.files["a.glb"])
    assert (parts.json, bytes(parts.blob)) == ({"nodes": [{"name": "X"}]}, b"")


def test_minimised_text():
    valid = Case(("info", "a.toml"), {"a.toml": b"a = 1\nb = [1, 2]\nc = 3\n"}, "a.toml")
    found = Mutated(Scenario("text", 1, lambda _, data: data, None), valid, (1, 2))
    small = minimise(found, lambda case: b"[1," in case.files["a.toml"])
    assert small.files["a.toml"] == b"[1,"


def test_saved_cases_name_their_finding():
    for path in FOUND:
        assert json.loads(path.read_text(encoding="utf-8"))["finding"]


QUICK_CASES = """
import sys
from rigview.errors import UsageError
from tests.fuzz.case import Case
from tests.fuzz.functions import FUNCTIONS
from tests.fuzz.worker import Worker

ERRORS = {b"fault": KeyError("x"), b"rejected": UsageError("no"), b"long": UsageError("no" * 999)}


def play():
    with open("a.glb", "rb") as file:
        if error := ERRORS.get(file.read()):
            raise error


FUNCTIONS["play"] = play
files = (b"valid", b"rejected", b"fault", b"valid", b"long", b"valid")
cases = [Case(("play",), {"a.glb": data}, "a.glb") for data in files]
for result in Worker(sys.argv[1]).run_quick(cases):
    print(result.code, result.finding)
"""


def test_quick_cases_before_and_after_findings(tmp_path):
    command = [sys.executable, "-c", QUICK_CASES, tmp_path]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    expected = ["0 ", "2 ", "97 KeyError somewhere", "0 ", "97 ValueError somewhere", "0 "]
    assert done.stdout.splitlines() == expected, done.stderr
