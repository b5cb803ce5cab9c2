"""The rows of the panel of findings."""

import pytest

from rigview.checks.finding import Finding
from rigview.session.findings.findings_view import FindingsView, finding_rows
from rigview.tasks.check_in_background import CheckReport
from tests.support.checked_files import broken_file, check_all, session_with


@pytest.fixture
def session(tmp_path):
    session = session_with(broken_file(tmp_path / "hero.gltf"))
    check_all(session)
    return session


def test_rows_are_grouped_by_severity_and_rule(session):
    report = session.active.check.report
    view = FindingsView()
    rows = view.rows(report)
    groups = [row.group for row in rows if not row.rule]
    assert groups == ["error", "warning", "info"]
    counts = {row.group: row.count for row in rows if not row.rule}
    assert counts == {name: report.counts[name] for name in groups}
    normals = [row for row in rows if row.rule == "mesh-normals"]
    assert normals[0].count == 2
    assert [row.subject for row in normals[1:]] == ["Triangle", "Mask"]
    late = next(row for row in rows if row.rule == "late-start" and row.finding)
    assert (late.subject, late.where, late.amount) == ("Turn", "", "500 ms")
    assert view.rows(report) is rows, "kept until something changes"
    view.folded.add("warning")
    assert not any(row.rule == "mesh-normals" for row in view.rows(report))
    view.filter = "mask"
    found = view.rows(report)
    assert [row.subject for row in found if row.finding] == ["Mask"], "a search unfolds"


def test_left_out_findings_are_counted():
    finding = Finding("message", rule="rule", severity="info", fix="fix")
    report = CheckReport(findings=(finding,), more={("info", "rule"): 9})
    assert [row.count for row in finding_rows(report, set()) if row.finding is None] == [10, 10]
