"""`rigview check --rule-file`: rules of users in every format, in worker processes and reports."""

import json

import pytest

from tests.support.command_files import write_document
from tests.support.own_rule import SHORT


@pytest.fixture
def own(tmp_path):
    path = tmp_path / "rules" / "mine.py"
    path.parent.mkdir()
    path.write_text(SHORT.replace("0.2", "60"), encoding="utf-8")
    return path


@pytest.fixture
def checked(rigview, tmp_path, own):
    """Return a function that checks a file with the rule."""
    file = write_document(tmp_path / "a.gltf")

    def check(*options, command="check"):
        return rigview(command, file, "--rule-file", own, *options)

    return check


def test_every_format_has_the_findings(checked):
    text = checked("--verbose").out
    assert "Turn is short" in text
    assert "clip-short" in text
    rows = json.loads(checked("--json").out)["files"][0]["findings"]
    assert [row["fix"] for row in rows if row["rule"] == "clip-short"] == ["add keys"] * 4
    assert 'name="clip-short"' in checked("--format", "junit").out
    driver = json.loads(checked("--format", "sarif").out)["runs"][0]["tool"]["driver"]
    assert driver["rules"][-1]["id"] == "clip-short"
    assert "Turn is short" in checked("--format", "github").out


def test_the_list_of_rules_has_it(checked):
    assert "clip-short (info): A clip is too short" in checked("--rules").out
    assert json.loads(checked("--rules", "--json").out)[-1]["limits"][0]["value"] == 60.0


def test_the_project_sets_its_limits_and_severity(checked, tmp_path, rigview):
    settings = tmp_path / "rigview.toml"
    settings.write_text('[rules.clip-short]\nseconds = 1.2\nseverity = "error"\n')
    ran = checked()
    assert (ran.code, "Turn is short" in ran.out) == (1, False)
    assert "Turn fast is short" in ran.out
    ran = rigview("check", tmp_path / "a.gltf")
    assert (ran.code, ran.out) == (3, "")
    assert 'unknown rule "clip-short"; one of your own needs --rule-file' in ran.err


def test_a_project_cannot_name_code(checked, tmp_path):
    (tmp_path / "rigview.toml").write_text('rule-file = "rules/mine.py"\n')
    ran = checked()
    assert (ran.code, ran.out) == (3, "")
    assert "a rigview.toml cannot set it: it names code" in ran.err


def test_code_beside_a_character_is_not_run(rigview, tmp_path):
    for name in ("mine.py", "rigview.py", "rules.py", "conftest.py", "sitecustomize.py"):
        (tmp_path / name).write_text("raise SystemExit('it was run')")
    ran = rigview("check", write_document(tmp_path / "a.gltf"))
    assert "it was run" not in ran.out + ran.err


def test_workers_have_the_rules(rigview, tmp_path, own):
    for name in ("b", "c"):
        write_document(tmp_path / f"{name}.gltf")
    ran = rigview("check", tmp_path, "--rule-file", own, "--jobs", "2", "--json", "--quiet")
    for report in json.loads(ran.out)["files"]:
        assert "clip-short" in {row["rule"] for row in report["findings"]}


def test_an_error_of_a_rule_is_one_line_for_each_file(rigview, tmp_path, own):
    own.write_text(SHORT.replace("if clip", "1 / 0\n        if clip"), encoding="utf-8")
    names = [write_document(tmp_path / f"{name}.gltf") for name in ("b", "c")]
    line = f": {own}:9: rule clip-short: ZeroDivisionError: division by zero"
    ran = rigview("check", *names, "--rule-file", own, "--jobs", "2", "--quiet")
    assert (ran.code, ran.err.splitlines()) == (3, [f"rigview: {name}{line}" for name in names])
    ran = rigview("check", names[0], "--rule-file", own)
    assert (ran.code, ran.err.splitlines()) == (3, [f"rigview: {names[0]}{line}"])


def test_a_broken_file_is_one_line(rigview, tmp_path, own):
    own.write_text("x = (")
    file = write_document(tmp_path / "b.gltf")
    ran = rigview("check", file, "--rule-file", own)
    assert (ran.code, ran.err) == (3, f"rigview: {own}:1: SyntaxError: '(' was never closed\n")


def test_a_report_has_the_findings(checked, tmp_path):
    page = tmp_path / "page.html"
    ran = checked("--resolution", "32,32", "-o", page, command="report")
    assert ran.code == 0
    assert 'title="A clip is too short to be seen"' in page.read_text(encoding="utf-8")
