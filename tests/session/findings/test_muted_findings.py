"""Findings are accepted and rules muted in `rigview.toml`, as `check` reads it, and taken back."""

import shlex
import tomllib

import pytest

from rigview.checks.finding import Finding
from rigview.cli.main import main
from rigview.resources import asset_path
from rigview.session.commands.actions import redo, undo
from rigview.session.findings.check_command import check_command
from rigview.session.findings.muted_findings import (
    REASON,
    accept,
    mute,
    report_again,
    set_reason,
    settings_path,
    unmute,
    why_not,
)
from tests.support.checked_files import broken_file, check_all, finding_of, session_with


@pytest.fixture
def session(tmp_path):
    session = session_with(broken_file(tmp_path / "hero.gltf"))
    check_all(session)
    return session


@pytest.fixture
def path(tmp_path):
    return tmp_path / "rigview.toml"


def checked(session, capsys):
    """What `check` prints about the active character, with its exit code."""
    capsys.readouterr()
    code = main(shlex.split(check_command(session, session.active))[1:])
    return code, capsys.readouterr().out


def test_accepted_findings_are_written_and_taken_back(session, path, capsys):
    active = session.active
    count = active.check.count
    finding = finding_of(session, "rest-scale-negative")
    tip = session.model.skeleton.find("Tip")
    assert accept(session, active, finding)
    assert str(path) in session.interface.notice
    (row,) = tomllib.loads(path.read_text())["ignore"]
    assert row == {
        "rule": "rest-scale-negative",
        "joint": "Tip",
        "file": "hero.gltf",
        "reason": REASON,
    }
    assert active.check.count == count - 1
    (accepted,) = active.check.report.accepted_findings
    assert accepted.finding is finding
    assert tip not in active.check.places(active.model).joints
    assert active.check.report.counts["error"] == 0

    code, printed = checked(session, capsys)
    assert code == 0, "no error is new"
    assert "(1 accepted)" in printed
    assert "rest-scale-negative" not in printed

    check_all(session)
    assert active.check.report.accepted_findings == (accepted,)
    assert report_again(session, active, accepted)
    assert "ignore" not in tomllib.loads(path.read_text())
    assert active.check.count == count
    assert active.check.places(active.model).joints[tip] == (finding,)
    assert not active.check.report.accepted_findings


def test_muted_rules_are_written_and_taken_back(session, path, capsys):
    active = session.active
    count = active.check.count
    assert mute(session, active, "mesh-normals")
    assert tomllib.loads(path.read_text()) == {"rules": {"mesh-normals": "off"}}
    assert active.check.count == count - 2
    assert active.check.report.muted == {"mesh-normals": str(path)}
    assert "mesh-normals" not in checked(session, capsys)[1]
    check_all(session)
    assert active.check.report.muted == {"mesh-normals": str(path)}
    assert unmute(session, active, "mesh-normals")
    assert not active.check.report.muted
    assert active.check.asked
    check_all(session)
    assert active.check.count == count


def test_every_change_is_undone_and_repeated(session, path):
    active, finding = session.active, finding_of(session, "late-start")
    count = active.check.count
    path.write_text("# ours\nsamples = 2\n")
    texts = [path.read_text()]
    for change in (
        lambda: accept(session, active, finding),
        lambda: set_reason(session, active, active.check.report.accepted_findings[0], "slow"),
        lambda: mute(session, active, "mesh-normals"),
        lambda: unmute(session, active, "mesh-normals"),
        lambda: report_again(session, active, active.check.report.accepted_findings[0]),
    ):
        assert change()
        texts.append(path.read_text())
        check_all(session)
    assert len(set(texts)) >= 5
    assert all(text.startswith("# ours\nsamples = 2\n") for text in texts)
    assert 'reason = "slow"' in texts[2]
    for text in texts[-2::-1]:
        undo(session)
        assert path.read_text() == text
    assert session.interface.notice == "Undo: Accept late-start"
    check_all(session)
    assert active.check.count == count
    for text in texts[1:]:
        redo(session)
        assert path.read_text() == text


def test_a_new_file_goes_with_its_undo(session, path):
    mute(session, session.active, "mesh-normals")
    undo(session)
    assert not path.exists()
    undo(session)
    assert session.interface.notice == "Nothing to undo"
    redo(session)
    assert "mesh-normals" in path.read_text()


def test_a_file_that_was_changed_elsewhere_is_not_undone(session, path):
    mute(session, session.active, "mesh-normals")
    path.write_text("samples = 2\n")
    undo(session)
    assert "has changed since" in session.interface.error
    assert path.read_text() == "samples = 2\n"


@pytest.mark.parametrize("text", ["{", "[rules]\nloop-seem = 'off'\n", "ignore = 3\n", "\xff" * 9])
def test_a_file_that_is_broken_is_an_error(session, path, text):
    path.write_text(text, encoding="latin-1")
    finding = finding_of(session, "late-start")
    for change in (
        lambda: accept(session, session.active, finding),
        lambda: mute(session, session.active, "mesh-normals"),
    ):
        session.interface.error = ""
        assert not change()
        assert "rigview.toml" in session.interface.error
        assert path.read_text(encoding="latin-1") == text
    assert not session.active.check.report.accepted_findings
    undo(session)
    assert session.interface.notice == "Nothing to undo"
    check_all(session)
    assert session.active.check.status == "failed"
    assert "rigview.toml" in session.active.check.error


def test_a_file_that_cannot_be_written_is_an_error(session, path):
    path.symlink_to(path)
    assert not mute(session, session.active, "mesh-normals")
    assert "rigview.toml" in session.interface.error


def test_the_nearest_file_above_is_used(tmp_path, capsys):
    folder = tmp_path / "heroes" / "new"
    folder.mkdir(parents=True)
    above = tmp_path / "rigview.toml"
    above.write_text("[render]\nshadow = false\n")
    other = broken_file(tmp_path / "hero.gltf")
    session = session_with(broken_file(folder / "hero.gltf"), other)
    check_all(session)
    session.activate(session.open_characters[0])
    finding = finding_of(session, "rest-scale-negative")
    assert accept(session, session.active, finding)
    assert tomllib.loads(above.read_text())["ignore"][0]["file"] == "heroes/new/hero.gltf"
    assert not session.open_characters[1].check.asked, "it is another file"
    assert checked(session, capsys)[0] == 0
    session.activate(session.open_characters[1])
    assert checked(session, capsys)[0] == 1
    assert mute(session, session.active, "mesh-normals")
    assert session.open_characters[0].check.asked, "it is muted there, too"


def test_a_finding_is_accepted_in_all_clips(session, path):
    check, active = session.active.check, session.active
    found = [
        Finding("m", rule="late-start", severity="info", clip=clip, joint="Tip", fix="f")
        for clip in ("A*", "B")
    ]
    other = Finding("m", rule="late-start", severity="info", clip="B", joint="Root", fix="f")
    check.finish(check.report.__class__(findings=(*found, other)), 0.1)
    assert accept(session, active, found[0])
    assert tomllib.loads(path.read_text())["ignore"][0]["clip"] == "A[*]"
    assert check.report.findings == (found[1], other)
    undo(session)
    check.finish(check.report.__class__(findings=(*found, other)), 0.1)
    assert accept(session, active, found[0], all_clips=True)
    assert check.report.findings == (other,)


def test_a_check_that_runs_begins_again(session):
    check = session.active.check
    check.begin(session.active.stamps)
    assert not check.stale
    mute(session, session.active, "mesh-normals")
    assert check.stale
    assert check.asked


def test_the_user_overrides_the_file(session, path, tmp_path):
    user = tmp_path / "user.toml"
    user.write_text('[[ignore]]\nrule = "late-*"\nreason = "mine"\n[rules]\nmesh-normals = "off"\n')
    session.files.config = str(user)
    check_all(session)
    report = session.active.check.report
    assert report.muted == {"mesh-normals": str(user)}
    (accepted,) = [each for each in report.accepted_findings if each.finding.rule == "late-start"]
    assert accepted.entry.source == str(user)
    session.files.no_config = True
    assert "--no-config" in why_not(session, session.active)
    assert not mute(session, session.active, "mesh-normals")
    assert not path.exists()


def test_nothing_is_written_beside_the_bundled_character(session):
    assert not why_not(session, session.active)
    session.active.path = asset_path("mannequin.glb")
    session.active.check.fail("")
    assert why_not(session, session.active)
    finding = Finding("message", rule="rule", severity="info", fix="fix")
    assert not accept(session, session.active, finding)
    assert not mute(session, session.active, "rule")
    assert not settings_path(session.active.path).exists()
