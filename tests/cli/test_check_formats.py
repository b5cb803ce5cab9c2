"""Findings as JSON, JUnit XML, SARIF and GitHub commands, with names that need escaping."""

import json
import xml.etree.ElementTree as ET

import pytest

from rigview import __version__
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
    found = json.loads(ran.out)
    assert [file["findings"] for file in found["files"]] == [[], []]
    assert found["files"][1]["error"] in ran.err
    assert found["counts"]["unread"] == 1


def junit(ran):
    return ET.fromstring(ran.out)


def check_junit_schema(top):
    """Compare with the elements and attributes that jenkins-junit.xsd and GitLab know."""
    text = {"system-out", "system-err"}
    counts = {"tests", "failures", "errors", "skipped", "time"}
    known = {
        "testsuites": ({"name", *counts}, {"name"}, {"testsuite"}),
        "testsuite": ({"name", *counts}, {"name", "tests"}, {"testcase", *text}),
        "testcase": (
            {"name", "classname", "time"},
            {"name", "classname"},
            {"failure", "error", "skipped", *text},
        ),
        **dict.fromkeys(("failure", "error"), ({"message", "type"}, {"message", "type"}, set())),
        "system-out": (set(), set(), set()),
    }
    for element in top.iter():
        allowed, required, inner = known[element.tag]
        assert required <= set(element.keys()) <= allowed
        assert {child.tag for child in element} <= inner
        assert all(element.get(count, "0").isdigit() for count in counts)
    for suite in top:
        cases = suite.findall("testcase")
        assert int(suite.get("tests")) == len(cases)
        assert int(suite.get("failures")) == len(suite.findall("testcase/failure"))
        assert int(suite.get("errors")) == len(suite.findall("testcase/error"))
        assert len({case.get("name") for case in cases}) == len(cases)


def test_junit_has_a_case_for_each_rule_that_found_something(rigview, model_file, found):
    ran = rigview("check", model_file, "--format", "junit")
    assert (ran.code, ran.err) == (1, "")
    assert ran.out.startswith('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ')
    top = junit(ran)
    check_junit_schema(top)
    (suite,) = top
    for each in (top, suite):
        assert (each.get("tests"), each.get("failures"), each.get("errors")) == ("4", "1", "0")
    assert suite.get("name") == str(model_file)
    cases = {case.get("name"): case for case in suite}
    assert list(cases) == ["file is checked", "loop-seam", "limp", "odd"]
    assert {case.get("classname") for case in suite} == {str(model_file)}
    (checked,) = cases["file is checked"]
    assert (checked.tag, checked.text) == ("system-out", "4 rules")
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
    check_junit_schema(top)
    assert [case.get("name") for case in top.iter("testcase")] == ["file is checked"]
    assert (top.get("tests"), top.get("errors"), top.get("failures")) == ("1", "1", "0")
    assert "b.gltf" in top.find("testsuite/testcase/error").get("message")


def test_junit_has_no_cases_of_rules_that_are_off(rigview, model_file, tmp_path, found):
    config = tmp_path / "rules.toml"
    config.write_text('[rules]\nlimp = "off"\n')
    top = junit(rigview("check", model_file, "--format", "junit", "--config", config))
    names = [case.get("name") for case in top.iter("testcase")]
    assert names == ["file is checked", "loop-seam", "odd"]
    assert top.find("testsuite/testcase/system-out").text == "3 rules"


def test_junit_of_a_file_without_findings_has_a_case(rigview, model_file, ruled):
    ruled(fake_rule("silent"))
    ran = rigview("check", model_file, "--format", "junit")
    check_junit_schema(junit(ran))
    assert (ran.code, junit(ran).get("tests"), junit(ran).get("failures")) == (0, "1", "0")


def sarif_run(ran):
    log = json.loads(ran.out)
    assert log["version"] == "2.1.0"
    assert log["$schema"].endswith("/sarif-2.1.0.json")
    (run,) = log["runs"]
    return run


def test_sarif_has_what_its_schema_and_github_require(rigview, model_file, found):
    ran = rigview("check", model_file, "--format", "sarif")
    assert (ran.code, ran.err) == (1, "")
    run = sarif_run(ran)
    assert set(run) == {"tool", "invocations", "results"}
    driver = run["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("Rigview", __version__)
    assert [rule["id"] for rule in driver["rules"]] == ["loop-seam", "limp", "odd", "silent"]
    for rule in driver["rules"]:
        for text in ("shortDescription", "fullDescription", "help"):
            assert set(rule[text]) == {"text"}
            assert rule[text]["text"].endswith(".")
        assert rule["defaultConfiguration"]["level"] in {"error", "warning", "note"}
    assert [row["level"] for row in run["results"]] == ["error", "error", "warning", "note"]
    for row in run["results"]:
        assert driver["rules"][row["ruleIndex"]]["id"] == row["ruleId"]
        assert row["message"]["text"]
        (location,) = row["locations"]
        physical = location["physicalLocation"]
        assert physical["region"]["startLine"] == 1
        assert physical["artifactLocation"] == {"uri": model_file.as_uri()}
        assert all(type(text) is str for text in row["partialFingerprints"].values())
    assert run["invocations"] == [{"executionSuccessful": True, "toolExecutionNotifications": []}]


def test_sarif_result(rigview, model_file, found, monkeypatch):
    monkeypatch.chdir(model_file.parent)
    run = sarif_run(rigview("check", model_file, "--format", "sarif"))
    seam, _, limp, _ = run["results"]
    assert seam["message"]["text"] == (
        "Turn ends far from where it begins; 12.3 mm; limit 2 mm; at 2.000 s; /animations/0\n"
        "fix loop-seam"
    )
    (location,) = seam["locations"]
    artifact = {"uri": "small.gltf", "uriBaseId": "%SRCROOT%"}
    assert location["physicalLocation"]["artifactLocation"] == artifact
    assert location["logicalLocations"] == [
        {"name": "Turn", "kind": "clip", "fullyQualifiedName": "/animations/0"},
        {"name": "Tip", "kind": "joint", "fullyQualifiedName": "/animations/0"},
    ]
    assert seam["properties"] == {
        "amount": 12.345,
        "unit": "mm",
        "limit": 2.0,
        "time": 2.0,
        "group": "File",
        "touches": 1,
    }
    assert "amount" not in limp["properties"]
    description = run["tool"]["driver"]["rules"][0]["fullDescription"]["text"]
    assert description == "Loop-seam is looked for. Limit mm = 2 mm: how far."


def test_sarif_fingerprints_are_those_of_identities(rigview, model_file, ruled):
    """Amounts and times do not change them; two findings of one identity are counted."""

    def fingerprints(*matches):
        ruled(fake_rule("loop-seam", *matches))
        run = sarif_run(rigview("check", model_file, "--format", "sarif"))
        return [row["partialFingerprints"] for row in run["results"]]

    first, second, other = fingerprints(seam_match(), seam_match(amount=9.0), seam_match("Other"))
    assert first["identity/v1"] == second["identity/v1"] != other["identity/v1"]
    assert first["primaryLocationLineHash"] == f"{first['identity/v1']}:1"
    assert second["primaryLocationLineHash"] == f"{first['identity/v1']}:2"
    assert fingerprints(seam_match(amount=3.0, time=0.5)) == [first]


def test_sarif_of_a_broken_file(rigview, tmp_path, ruled):
    ruled(fake_rule("one"))
    good, broken = write_document(tmp_path / "a.gltf"), tmp_path / "b [1].gltf"
    broken.write_text("{")
    ran = rigview("check", good, broken, "--format", "sarif", "--jobs", "1")
    assert ran.code == 3
    run = sarif_run(ran)
    assert run["results"] == []
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False
    (notification,) = invocation["toolExecutionNotifications"]
    assert notification["level"] == "error"
    assert r"b \[1\].gltf" in notification["message"]["text"]
    (location,) = notification["locations"]
    assert location["physicalLocation"]["artifactLocation"]["uri"].endswith("/b%20%5B1%5D.gltf")


def test_sarif_has_no_nan_or_infinity(rigview, model_file, ruled):
    ruled(fake_rule("one", seam_match(amount=float("nan"), time=float("inf"))))
    (row,) = sarif_run(rigview("check", model_file, "--format", "sarif"))["results"]
    assert not {"amount", "time"} & set(row["properties"])


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


@pytest.mark.parametrize("form", ["json", "junit", "sarif", "github", "text"])
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
    elif form == "sarif":
        (row,) = sarif_run(ran)["results"]
        escaped = r'a<b>&"c"\n::error::%0A,x:y\x1b\x00\ud800\u202e]]>'
        assert row["locations"][0]["logicalLocations"][0]["name"] == escaped
        special = escaped.replace("\\", r"\\").replace("]", r"\]")
        assert row["message"]["text"].splitlines()[1] == special
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
