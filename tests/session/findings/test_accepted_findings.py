"""Findings are accepted in the baseline of a character, as `check` reads it."""

import json
import shlex

import pytest

from rigview.checks.finding import Finding
from rigview.cli.main import main
from rigview.resources import asset_path
from rigview.session.findings.accepted_findings import accept, report_again
from rigview.session.findings.check_command import baseline_path, check_command
from rigview.session.findings.findings_view import FindingsView
from rigview.tasks.check_in_background import CheckReport
from tests.support.checked_files import broken_file, check_all, finding_of, session_with


@pytest.fixture
def session(tmp_path):
    session = session_with(broken_file(tmp_path / "hero.gltf"))
    check_all(session)
    return session


def test_accepted_findings_are_written_and_taken_back(session, tmp_path, capsys):
    active = session.active
    count = active.check.count
    finding = finding_of(session, "rest-scale-negative")
    tip = session.model.skeleton.find("Tip")
    assert accept(session, active, [finding])
    path = tmp_path / "hero.baseline.json"
    assert str(path) in session.interface.notice
    (row,) = json.loads(path.read_text())["known"]
    assert row == {"file": "hero.gltf", "rule": "rest-scale-negative", "joint": "Tip"}
    assert active.check.count == count - 1
    assert active.check.report.known == (finding,)
    assert tip not in active.check.places(active.model).joints
    assert active.check.report.counts["error"] == 0

    capsys.readouterr()
    assert main(shlex.split(check_command(session, active))[1:]) == 0, "no error is new"
    printed = capsys.readouterr().out
    assert "(1 known)" in printed
    assert "rest-scale-negative" not in printed

    check_all(session)
    assert [each.rule for each in active.check.report.known] == ["rest-scale-negative"]
    assert report_again(session, active, active.check.report.known)
    assert json.loads(path.read_text())["known"] == []
    assert active.check.count == count
    assert active.check.places(active.model).joints[tip] == (finding,)


def test_a_baseline_that_cannot_be_used_is_an_error(session, tmp_path):
    path = tmp_path / "hero.baseline.json"
    path.write_text("{", encoding="utf-8")
    finding = finding_of(session, "late-start")
    assert not accept(session, session.active, [finding])
    assert "hero.baseline.json" in session.interface.error
    assert path.read_text(encoding="utf-8") == "{"
    assert not session.active.check.report.known
    check_all(session)
    assert session.active.check.status == "failed"
    assert "hero.baseline.json" in session.active.check.error


def test_the_baseline_of_a_character(session, tmp_path):
    assert baseline_path(session, session.active) == tmp_path / "hero.baseline.json"
    session.active.check.finish(CheckReport(baseline="all.json"), 1.0)
    assert baseline_path(session, session.active).name == "all.json"
    session.interface.of(FindingsView).baseline = tmp_path / "known.json"
    assert baseline_path(session, session.active) == tmp_path / "known.json"
    assert "--baseline" not in check_command(session, session.active), "it does not exist yet"
    session.interface.of(FindingsView).baseline = None
    session.active.path = asset_path("mannequin.glb")
    session.active.check.fail("")
    assert baseline_path(session, session.active) is None
    assert not accept(
        session, session.active, [Finding("message", rule="rule", severity="info", fix="fix")]
    )


def test_the_command_has_the_options_of_the_session(session, tmp_path):
    active = session.active
    assert shlex.split(check_command(session, active)) == ["rigview", "check", str(active.path)]
    session.files.root = tmp_path
    session.scene.change(anims=(str(tmp_path / "a b.bvh"),), force=True)
    active.editor.path = tmp_path / "other.motion.toml"
    assert shlex.split(check_command(session, active))[3:] == [
        "--motion",
        str(tmp_path / "other.motion.toml"),
        "--anims",
        str(tmp_path / "a b.bvh"),
        "--force",
        "--root",
        str(tmp_path),
    ]
    active.editor.path, session.files.read_motions = None, False
    assert "--no-motion" in check_command(session, active)
