"""`check` of one file for a window: what is sent."""

import json

import pytest

from rigview.cli.main import main
from rigview.errors import GltfError, MotionError
from rigview.tasks import check_in_background
from rigview.tasks.check_in_background import examine_alone
from tests.support.checked_files import broken_file
from tests.support.own_rule import SHORT


@pytest.fixture
def path(tmp_path):
    return str(broken_file(tmp_path / "hero.gltf"))


def test_the_findings_are_those_of_the_command(path, capsys):
    shares = []
    report = examine_alone([path], shares.append)
    assert main(["check", path, "--json"]) == 1
    (file,) = json.loads(capsys.readouterr().out)["files"]
    assert [each.message for each in report.findings] == [
        each["message"] for each in file["findings"]
    ]
    assert report.counts == {"error": 1, "warning": 2, "info": 2}
    assert set(report.rules) == {each.rule for each in report.findings}
    assert report.rules["late-start"].splitlines()[1].startswith("ms = 1 ms: ")
    assert shares[0] == 0.0
    assert 0.9 < shares[-1] < 1.0


def test_a_baseline_is_read_and_not_written(path, tmp_path):
    baseline = tmp_path / "known.json"
    assert main(["check", path, "--baseline", str(baseline), "--update-baseline"]) == 0
    lines = baseline.read_text(encoding="utf-8")
    report = examine_alone([path, "--baseline", str(baseline), "--update-baseline"])
    assert not report.findings
    assert len(report.known) == 5
    assert report.tally == "5 known"
    assert baseline.read_text(encoding="utf-8") == lines


def test_very_many_findings_are_left_out(path, monkeypatch):
    monkeypatch.setattr(check_in_background, "MOST_OF_A_RULE", 1)
    report = examine_alone([path])
    assert report.more == {("warning", "mesh-normals"): 1}
    assert report.counts["warning"] == 2
    assert len(report.findings) == 4


def test_errors(path, tmp_path):
    with pytest.raises(GltfError, match=r"gone\.glb"):
        examine_alone([str(tmp_path / "gone.glb")])
    with pytest.raises(MotionError, match=r"known\.json"):
        examine_alone([path, "--baseline", str(tmp_path / "known.json")])


def test_own_rules_are_sent_with_what_they_look_for(path, tmp_path):
    own = tmp_path / "mine.py"
    own.write_text(SHORT.replace("0.2", "60"), encoding="utf-8")
    report = examine_alone([path, "--rule-file", str(own)])
    assert any(each.rule == "clip-short" for each in report.findings)
    assert report.rules["clip-short"].splitlines() == [
        "A clip is too short to be seen",
        "seconds = 60 s: limit",
    ]
