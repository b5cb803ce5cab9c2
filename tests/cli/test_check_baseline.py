"""Baselines of known findings: written, applied and updated."""

import json

import pytest

from rigview.checks.finding import Finding
from tests.cli.fake_rules import fake_rule, seam_match
from tests.support.command_files import write_document


@pytest.fixture
def baseline(tmp_path):
    return tmp_path / "known" / "baseline.json"


@pytest.fixture
def check(rigview, baseline):
    """Run `check` with the baseline; return exit code, counts, and what ran."""
    baseline.parent.mkdir()

    def run(*arguments, update=False):
        more = ["--baseline", baseline, "--jobs", "1", *["--update-baseline"] * update]
        ran = rigview("check", *arguments, "--json", *more)
        counts = json.loads(ran.out)["counts"] if ran.out else {}
        return ran.code, {key: value for key, value in counts.items() if value}, ran

    return run


def known(baseline):
    return [tuple(row.values()) for row in json.loads(baseline.read_text())["known"]]


def test_baseline_is_written_applied_and_updated(check, baseline, model_file, ruled):
    ruled(fake_rule("loop-seam", seam_match(), seam_match("Other")))
    assert check(model_file, update=True)[:2] == (0, {"known": 2})
    assert known(baseline) == [
        ("../small.gltf", "loop-seam", "Other", "Tip"),
        ("../small.gltf", "loop-seam", "Turn", "Tip"),
    ]
    ruled(
        fake_rule(
            "loop-seam",
            seam_match(amount=99.0, time=0.1, place="/animations/7"),
            seam_match("Other"),
        )
    )
    assert check(model_file)[:2] == (0, {"known": 2})  # numbers are not what it is known by
    ruled(fake_rule("loop-seam", seam_match(), seam_match(), seam_match("New")))
    code, counts, ran = check(model_file)
    assert (code, counts) == (1, {"error": 1, "known": 1, "fixed": 1})
    (file,) = json.loads(ran.out)["files"]
    assert [finding["clip"] for finding in file["findings"]] == ["New"]
    assert [line["clip"] for line in file["fixed"]] == ["Other"]
    assert len(known(baseline)) == 2  # only --update-baseline writes
    ruled(fake_rule("loop-seam", seam_match()))
    assert check(model_file)[:2] == (0, {"known": 1, "fixed": 1})
    assert check(model_file, update=True)[:2] == (0, {"known": 1})
    assert known(baseline) == [("../small.gltf", "loop-seam", "Turn", "Tip")]
    ruled(fake_rule("loop-seam"))
    check(model_file, update=True)
    assert baseline.read_text() == '{\n  "version": 1,\n  "known": []\n}\n'


def test_equal_findings_share_an_entry(check, baseline, model_file, ruled):
    ruled(fake_rule("pop", seam_match(time=0.1)))
    check(model_file, update=True)
    ruled(fake_rule("pop", seam_match(time=0.1), seam_match(time=0.9)))
    assert check(model_file)[:2] == (0, {"known": 2})


def test_format_of_the_baseline(check, baseline, model_file, ruled):
    ruled(
        fake_rule(
            "one", Finding("a", item="Ä"), Finding("b", item="B"), Finding("c", joint="\ud800")
        )
    )
    check(model_file, update=True)
    lines = baseline.read_text(encoding="utf-8").splitlines()
    assert [line.strip(" ,") for line in lines[3:6]] == [
        '{"file": "../small.gltf", "rule": "one", "item": "B"}',
        '{"file": "../small.gltf", "rule": "one", "item": "Ä"}',
        '{"file": "../small.gltf", "rule": "one", "joint": "\\ud800"}',
    ]
    assert check(model_file)[:2] == (0, {"known": 3})


def test_unexamined_entries_are_kept(check, baseline, model_file, tmp_path, ruled):
    other, broken = write_document(tmp_path / "other.gltf"), tmp_path / "broken.gltf"
    write_document(broken)
    config = tmp_path / "rules.toml"
    ruled(
        fake_rule("loop-seam", seam_match(), seam_match("Turn fast")),
        fake_rule("limp", Finding("it")),
    )
    check(model_file, other, broken, update=True)
    whole = known(baseline)
    assert len(whole) == 9
    broken.write_text("{")
    ruled(fake_rule("loop-seam"), fake_rule("limp"))
    config.write_text('[rules]\nlimp = "off"\n')
    arguments = [model_file, broken, "--animation", "Turn", "--config", config]
    assert check(*arguments)[:2] == (3, {"fixed": 1, "unread": 1})
    assert check(*arguments, update=True)[0] == 3
    gone = ("../small.gltf", "loop-seam", "Turn", "Tip")
    assert known(baseline) == [line for line in whole if line != gone]


def test_disabled_rules_keep_their_entries(check, baseline, model_file, tmp_path, ruled):
    ruled(fake_rule("loop-seam", seam_match()), fake_rule("limp", Finding("it")))
    check(model_file, update=True)
    whole = known(baseline)
    config = tmp_path / "rules.toml"
    config.write_text('[rules]\nlimp = "off"\n')
    assert check(model_file, "--config", config)[:2] == (0, {"known": 1})
    check(model_file, "--config", config, update=True)
    assert known(baseline) == whole


def test_deleted_file_leaves_the_baseline(check, baseline, model_file, tmp_path, ruled):
    other = write_document(tmp_path / "other.gltf")
    ruled(fake_rule("limp", Finding("it")))
    check(model_file, other, update=True)
    other.unlink()
    check(model_file, update=True)
    assert known(baseline) == [("../small.gltf", "limp")]


def test_bundled_character_has_a_name(check, baseline, model_file, ruled):
    ruled(fake_rule("limp", Finding("it")))
    check("--no-motion", update=True)
    check(model_file, update=True)
    assert known(baseline) == [("(bundled)", "limp"), ("../small.gltf", "limp")]
    assert check("--no-motion")[:2] == (0, {"known": 1})


def test_accepted_findings_are_not_written(check, baseline, model_file, tmp_path, ruled):
    ruled(fake_rule("limp", Finding("it", joint="Tip"), Finding("it", joint="Root")))
    config = tmp_path / "rules.toml"
    config.write_text('[[ignore]]\nrule = "limp"\njoint = "T*"\nreason = "it is an old wound"\n')
    run = check(model_file, "--config", config, update=True)
    assert run[:2] == (0, {"known": 1, "accepted": 1})
    assert known(baseline) == [("../small.gltf", "limp", "Root")]


def test_text_output(rigview, model_file, tmp_path, ruled):
    path = tmp_path / "baseline.json"
    ruled(fake_rule("limp", Finding("it", joint="Tip"), Finding("it", joint="Root")))
    rigview("check", model_file, "--baseline", path, "--update-baseline")
    ruled(fake_rule("limp", Finding("it", joint="Root")))
    assert rigview("check", model_file, "--baseline", path).out == (
        f"{model_file}: no findings (1 known, 1 fixed)\n"
        "  fixed, remove it with --update-baseline: limp, Tip\n"
    )
    assert rigview("check", model_file, "--baseline", path, "--format", "github").out == (
        f"::notice file={model_file},title=limp::fixed, but still in the baseline: limp, Tip\n"
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "--update-baseline writes it"),
        ("{\n  nonsense", ":2: not JSON"),
        ("[]", "not a baseline"),
        ('{"version": 2, "known": []}', "version"),
        ('{"version": 1, "known": [{"file": "a"}]}', "known[0]"),
        ('{"version": 1, "known": [{"file": "a", "rule": 3}]}', "known[0]"),
        ('{"version": 1, "known": [{"file": "a", "rule": "b", "more": "c"}]}', "known[0]"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_broken_baseline(check, baseline, model_file, text, words):
    if text is not None:
        baseline.write_text(text)
    code, _, ran = check(model_file)
    assert (code, ran.out, ran.err.count("\n")) == (3, "", 1)
    assert str(baseline) in ran.err
    assert words in ran.err


def test_broken_baseline_is_not_written_over(check, baseline, model_file):
    baseline.write_text("no baseline at all")
    assert check(model_file, update=True)[0] == 3
    assert baseline.read_text() == "no baseline at all"


def test_baseline_that_cannot_be_written(rigview, model_file, tmp_path):
    path = tmp_path / "nowhere" / "baseline.json"
    ran = rigview("check", model_file, "--baseline", path, "--update-baseline")
    assert (ran.code, ran.out) == (5, "")


@pytest.mark.parametrize("name", ["a" * 5000, "a/" * 3000, "a\0b"])
def test_lines_of_files_that_cannot_exist_are_gone(check, baseline, model_file, ruled, name):
    ruled(fake_rule("loop-seam"))
    baseline.write_text(json.dumps({"version": 1, "known": [{"file": name, "rule": "loop-seam"}]}))
    code, _, ran = check(model_file)
    assert (code, ran.err) == (0, "")
    assert check(model_file, update=True)[0] == 0
    assert known(baseline) == []
