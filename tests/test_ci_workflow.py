"""The project's own workflow: its form, and that what it names exists in this checkout."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rigview.options.parser import parse

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / ".github/workflows/ci.yml"
TEXT = FILE.read_text(encoding="utf-8")
yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
WORKFLOW = yaml.safe_load(TEXT)
PACKAGES = FILE.with_name("packages.yml")
BUILT = yaml.safe_load(PACKAGES.read_text(encoding="utf-8"))["jobs"]  # the packages of a tag
JOBS = WORKFLOW["jobs"]
STEPS = [(name, step) for name, job in JOBS.items() for step in job["steps"]]
SCRIPTS = [
    pytest.param(step["run"], id=f"{name}-{k}")
    for k, (name, step) in enumerate(
        [*STEPS, *((name, step) for name, job in BUILT.items() for step in job["steps"])]
    )
    if "run" in step
]
ON_THE_RUNNER = {"chromium"}  # part of the image; the package of venv comes with setup-python


def findings(file):
    """What the schema says, which check-jsonschema brings with it: no network is needed."""
    schema = ("--builtin-schema", "vendor.github-workflows")
    ran = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", *schema, file],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode in (0, 1), ran.stderr
    return ran.stdout if ran.returncode else ""


def commands(script, program):
    """The arguments of every call of a program in a shell script."""
    for line in script.replace("\\\n", " ").splitlines():
        words = shlex.shlex(line, posix=True, punctuation_chars=True)
        words.whitespace_split = True
        call = None
        for word in [*words, ";"]:
            if call is not None and re.fullmatch(r"[;&|()<>]+", word):
                yield call
                call = None
            elif call is not None:
                call.append(word)
            elif word == program:
                call = []


@pytest.mark.parametrize("file", [FILE, PACKAGES], ids=lambda file: file.name)
def test_form(file):
    assert findings(file) == ""


def test_packages_are_tried_on_their_systems():
    systems = {name.partition("-")[0] for name in BUILT["build"]["strategy"]["matrix"]["os"]}
    assert systems == {"ubuntu", "windows", "macos"}
    scripts = "\n".join(step.get("run", "") for step in BUILT["build"]["steps"])
    called = [call for call in commands(scripts, "rigview") if call]
    assert {call[0] for call in called} >= {"info", "check", "render", "thumbnail"}
    for command, *arguments in called:
        if not command.startswith("-"):
            parse(command, arguments)
    assert [name for name, job in BUILT.items() if "permissions" in job] == ["release"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("timeout-minutes: 20", "timeout-minute: 20"),
        ("runs-on: ubuntu-24.04", "run-on: ubuntu-24.04"),
        ("contents: read", "contents: reads"),
        ("        run: rigview info", "        runs: rigview info"),
    ],
)
def test_a_slip_is_found(tmp_path, old, new):
    assert TEXT.count(old) >= 1
    broken = tmp_path / "ci.yml"
    broken.write_text(TEXT.replace(old, new, 1), encoding="utf-8")
    assert "Schema validation errors" in findings(broken)


def test_least_rights_and_limits():
    assert WORKFLOW["permissions"] == {"contents": "read"}
    assert all("permissions" not in job for job in JOBS.values())
    assert all(job["timeout-minutes"] <= 60 for job in JOBS.values())
    used = [step["uses"] for _, step in STEPS if "uses" in step]
    assert all(re.fullmatch(r"actions/[a-z-]+@v\d+", each) for each in used)


@pytest.mark.parametrize("script", SCRIPTS)
def test_shell_scripts_are_sound(script):
    assert "${{" not in script, "an expression may bring commands with it: take a variable"
    if shutil.which("bash") is None:
        pytest.skip("bash not installed")
    ran = subprocess.run(["bash", "-n"], input=script, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_targets_of_make_exist():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    there = set(re.findall(r"^([a-z][\w-]*):", makefile, re.M))
    called = {
        word
        for _, step in STEPS
        for call in commands(step.get("run", ""), "make")
        for word in call
        if not word.startswith("-") and "=" not in word
    }
    assert {"check", "test", "wheel"} <= called
    assert called <= there


def test_the_suite_has_the_packages_that_setup_looks_for():
    setup = (ROOT / ".ci/setup").read_text(encoding="utf-8")
    wanted = set(re.findall(r"needs ([a-z][\w.+-]+) ", setup)) - ON_THE_RUNNER
    installed = {
        word
        for step in JOBS["suite"]["steps"]
        for call in commands(step.get("run", ""), "apt-get")
        if call[0] == "install"
        for word in call[1:]
        if not word.startswith("-")
    }
    assert installed == wanted


def test_commands_of_rigview_are_understood():
    calls = [call for _, step in STEPS for call in commands(step.get("run", ""), "rigview")]
    assert {call[0] for call in calls} == {"info", "pose", "check", "render"}
    for command, *arguments in calls:
        parse(command, arguments)
