"""Findings as JSON, JUnit XML and GitHub commands, with names that need escaping."""

import json
import xml.etree.ElementTree as ET

import pytest

from rigview.checks.finding import Finding
from tests.cli.fake_rules import fake_rule, seam_match
from tests.support.command_files import write_document

HOSTILE = 'a<b>&"c"\n::error::%0A,x:y\x1b\x00\ud800\u202e]]>'


@pytest.fixture
def found(ruled):
    """Two errors of one rule, a warning, a word, and a rule that finds nothing."""
    ruled(
        fake_rule("loop-seam", seam_match(), seam_match("Other", time=None)),
        fake_rule("limp", Finding("Tip limps", joint="Tip"), severity="warning"),
        fake_rule("odd", Finding("it is odd"), severity="info"),
        fake_rule("silent"),
    )


def test_json_has_every_field(rigview, model_file, found):
    ran = rigview("check", model_file, "--format", "json")
    assert (ran.code, ran.err) == (1, "")
    written = json.loads(ran.out)
    assert written["version"] == 2
    assert written["counts"] == {
        "error": 2,
        "warning": 1,
        "info": 1,
        "known": 0,
        "accepted": 0,
        "fixed": 0,
        "unread": 0,
    }
    (file,) = written["files"]
    assert file["file"] == str(model_file)
    assert "error" not in file
    assert file["findings"][0] == {
        "rule": "loop-seam",
        "severity": "error",
        "message": "Turn ends far from where it begins",
        "fix": "fix loop-seam",
        "place": "/animations/0",
        "amount": 12.345,
        "unit": "mm",
        "limit": 2.0,
        "clip": "Turn",
        "joint": "Tip",
        "item": "",
        "time": 2.0,
        "size": None,
        "touches": 1,
        "group": "File",
    }
    assert file["findings"][2]["amount"] is None


def test_json_has_no_nan_or_infinity(rigview, model_file, ruled):
    ruled(fake_rule("one", seam_match(amount=float("nan"), time=float("inf"))))
    assert "NaN" not in rigview("check", model_file, "--json").out
    (finding,) = json.loads(rigview("check", model_file, "--json").out)["files"][0]["findings"]
    assert (finding["amount"], finding["time"]) == (None, None)


def test_json_of_a_broken_file(rigview, tmp_path, ruled):
    ruled(fake_rule("one"))
    good, broken = write_document(tmp_path / "a.gltf"), tmp_path / "b.gltf"
    broken.write_text("{")
    ran = rigview("check", good, broken, "--json", "--jobs", "1")
    assert (ran.code, ran.err.count("\n")) == (3, 1)
    told = json.loads(ran.out)
    assert [file["findings"] for file in told["files"]] == [[], []]
    assert told["files"][1]["error"] in ran.err
    assert told["counts"]["unread"] == 1


def junit(ran):
    return ET.fromstring(ran.out)


def test_junit_has_a_case_for_each_rule(rigview, model_file, found):
    ran = rigview("check", model_file, "--format", "junit")
    assert (ran.code, ran.err) == (1, "")
    assert ran.out.startswith('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ')
    top = junit(ran)
    (suite,) = top
    for each in (top, suite):
        assert (each.get("tests"), each.get("failures"), each.get("errors")) == ("4", "1", "0")
    assert suite.get("name") == str(model_file)
    cases = {case.get("name"): case for case in suite}
    assert list(cases) == ["loop-seam", "limp", "odd", "silent"]
    assert {case.get("classname") for case in suite} == {str(model_file)}
    (failure,) = cases["loop-seam"]
    assert failure.tag == "failure"
    assert failure.get("message") == "Turn ends far from where it begins (and 1 more)"
    assert failure.text.splitlines() == [
        "error: Turn ends far from where it begins; 12.3 mm; limit 2 mm; at 2.000 s; "
        "/animations/0; in 2 clips: “Turn” and “Other”",
        "-> fix loop-seam",
    ]
    (said,) = cases["limp"]
    assert (said.tag, said.text) == ("system-out", "warning: Tip limps; /nodes/2\n-> fix limp")
    assert list(cases["silent"]) == []


@pytest.mark.parametrize(("fail_on", "failures"), [("never", "0"), ("warning", "2")])
def test_junit_fails_as_the_exit_code_does(rigview, model_file, found, fail_on, failures):
    ran = rigview("check", model_file, "--format", "junit", "--fail-on", fail_on)
    assert junit(ran).get("failures") == failures
    assert ran.code == (failures != "0")


def test_junit_of_a_broken_file(rigview, tmp_path, ruled):
    ruled(fake_rule("one"))
    broken = tmp_path / "b.gltf"
    broken.write_text("{")
    top = junit(rigview("check", broken, "--format", "junit"))
    assert (top.get("tests"), top.get("errors"), top.get("failures")) == ("1", "1", "0")
    assert "b.gltf" in top.find("testsuite/testcase/error").get("message")


def test_junit_has_no_cases_of_rules_that_are_off(rigview, model_file, tmp_path, found):
    config = tmp_path / "rules.toml"
    config.write_text('[rules]\nlimp = "off"\n')
    top = junit(rigview("check", model_file, "--format", "junit", "--config", config))
    names = [case.get("name") for case in top.iter("testcase")]
    assert names == ["loop-seam", "odd", "silent"]


def test_github(rigview, model_file, found, monkeypatch):
    monkeypatch.chdir(model_file.parent)
    ran = rigview("check", model_file, "--format", "github")
    assert (ran.code, ran.err) == (1, "")
    assert ran.out.splitlines() == [
        "::error file=small.gltf,title=loop-seam::Turn ends far from where it begins; "
        "12.3 mm; limit 2 mm; at 2.000 s; /animations/0; in 2 clips: “Turn” and “Other”"
        "%0Afix loop-seam",
        "::warning file=small.gltf,title=limp::Tip limps; /nodes/2%0Afix limp",
        "::notice file=small.gltf,title=odd::it is odd%0Afix odd",
    ]


def test_github_of_a_broken_file(rigview, tmp_path):
    broken = tmp_path / "a,b%.gltf"
    broken.write_text("{")
    (line,) = rigview("check", broken, "--format", "github").out.splitlines()
    head, _, message = line.removeprefix("::").partition("::")
    assert head == f"error file={tmp_path}/a%2Cb%25.gltf,title=cannot be checked"
    assert "a,b%25.gltf" in message


@pytest.mark.parametrize("form", ["json", "junit", "github", "text"])
def test_names_are_escaped(rigview, model_file, ruled, form):
    hit = Finding(HOSTILE, place=HOSTILE, clip=HOSTILE, joint=HOSTILE, item=HOSTILE, fix=HOSTILE)
    ruled(fake_rule("one", hit))
    ran = rigview("check", model_file, "--format", form)
    assert (ran.code, ran.err) == (1, "")
    if form == "json":
        assert json.loads(ran.out)["files"][0]["findings"][0]["clip"] == HOSTILE
        return
    assert not {"\x1b", "\x00", "\u202e"} & set(ran.out)
    if form == "junit":
        failure = junit(ran).find("testsuite/testcase/failure")
        escaped = r'a<b>&"c"\n::error::%0A,x:y\x1b\x00\ud800\u202e]]>'
        assert failure.get("message") == escaped
        assert failure.text.splitlines()[1:] == [f"-> {escaped}"]
    elif form == "github":
        (line,) = ran.out.splitlines()
        assert line.count("%0A") == 1  # ours; theirs is %250A
    else:
        assert not any(line.startswith("::error::") for line in ran.out.splitlines())


def test_file_names_in_properties_are_escaped(rigview, tmp_path, ruled):
    ruled(fake_rule("one", Finding("it")))
    path = write_document(tmp_path / "a:b, c%\n.gltf")
    (line,) = rigview("check", path, "--format", "github").out.splitlines()
    assert line.startswith(f"::error file={tmp_path}/a%3Ab%2C c%25\\n.gltf,title=one::it")
    assert (
        junit(rigview("check", path, "--format", "junit"))[0].get("name")
        == f"{tmp_path}/a:b, c%\\n.gltf"
    )
