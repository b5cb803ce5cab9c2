"""The rows of the panel of findings."""

from dataclasses import replace

import pytest

from rigview.checks.finding import Finding
from rigview.session.findings.findings_view import (
    FindingsView,
    Run,
    finding_rows,
    listed_findings,
    sentence,
    size_text,
)
from rigview.tasks.check_in_background import CheckReport
from tests.support.checked_files import broken_file, check_all, session_with

WALK = Finding(
    "“Foot” slides 40 mm in “Walk”, from 0.25 s: the ground is static",
    rule="foot-slide",
    severity="warning",
    fix="pin it",
    clip="Walk",
    joint="Foot",
    time=0.25,
    size=0.04,
    group="Motion",
)
RUN = replace(WALK, message="“Foot” slides 20 mm in “Run”", clip="Run", time=0.5, size=0.02)
MATTE = Finding(
    "material “skin” is BLEND",
    rule="blend",
    severity="info",
    fix="make it opaque",
    item="skin",
    group="Material",
)
STRIDE = Finding("a stride is odd", rule="stride", severity="info", fix="pack it", group="File")


def report(*findings, **fields):
    return CheckReport(findings=findings, **fields)


def labels(rows):
    return [row.label for row in rows]


def test_the_same_cause_in_several_clips_is_one_row():
    rows = FindingsView().rows(report(WALK, RUN, MATTE))
    assert labels(rows) == [
        "“Foot” slides 40 mm in “Walk”, from 0.25 s",
        "Material “skin” is BLEND",
    ]
    assert (rows[0].finding, rows[0].found) == (WALK, (WALK, RUN))
    assert (rows[0].extent, rows[0].size) == ("in 2 clips", "40 mm")
    assert (rows[1].extent, rows[1].size) == ("", "")


def test_an_opened_cause_lists_its_clips():
    view, checked = FindingsView(opened=RUN), report(WALK, RUN, MATTE)
    cause, first, second, other = view.rows(checked)
    assert cause.finding is None, "a click goes to one of those below it"
    assert cause.found == (WALK, RUN)
    assert [(row.label, row.extent, row.size) for row in (first, second)] == [
        ("Walk", "0.250 s", "40 mm"),
        ("Run", "0.500 s", "20 mm"),
    ]
    assert (first.finding, first.found) == (WALK, ())
    assert second.finding is RUN
    assert other.found == (MATTE,)
    view.opened = MATTE
    assert len(view.rows(checked)) == 2
    assert view.runs(view.rows(checked)) == [Run(0, 2, cause=True)]


@pytest.mark.parametrize(
    ("severity", "size", "text"),
    [
        ("info", 4.77e-7, ""),
        ("info", 0.0021, "2.1 mm"),
        ("warning", 2e-5, "0.02 mm"),
        ("error", 0.0, ""),
        ("error", None, ""),
    ],
)
def test_sizes_that_are_not_seen_are_not_shown(severity, size, text):
    assert size_text(replace(WALK, severity=severity, size=size)) == text


def test_several_times_of_a_clip_are_counted():
    again = replace(WALK, time=0.8)
    (row,) = finding_rows(listed_findings(report(WALK, again)))
    assert row.extent == "2 times"


def test_findings_about_the_file_alone_are_folded_below_the_others():
    view, known = FindingsView(), replace(MATTE, item="hair")
    checked = report(STRIDE, WALK, known=(known,))
    assert view.count(checked) == 1
    rows = view.rows(checked)
    assert [(row.group, row.count) for row in rows[1:]] == [("file", 1), ("known", 1)]
    assert view.rows(checked) is rows, "kept until something changes"
    view.folded.clear()
    assert labels(view.rows(checked)) == [
        sentence(WALK),
        "File",
        "A stride is odd",
        "In the baseline",
        "Material “skin” is BLEND",
    ]
    runs = view.runs(view.rows(checked))
    assert runs == [Run(k, k + 1, cause=k % 2 == 0) for k in range(5)]


def test_a_file_that_engines_refuse_is_not_folded():
    refused = replace(STRIDE, severity="error")
    assert FindingsView().count(report(refused)) == 1


def test_a_search_unfolds_and_finds_groups_rules_and_words():
    listed = listed_findings(report(WALK, RUN, MATTE, STRIDE))
    for text, found in (
        ("material", (MATTE,)),
        ("foot-slide run", (RUN,)),
        ("odd", (STRIDE,)),
    ):
        rows = finding_rows(listed, text)
        assert [row.found for row in rows if row.found] == [found]


def test_findings_that_are_left_out_are_counted():
    more = {("info", "stride"): 9, ("warning", "foot-slide"): 2}
    listed = listed_findings(report(WALK, STRIDE, more=more))
    rows = finding_rows(listed)
    assert [row.count for row in rows if row.left_out] == [2, 9]
    assert not any(row.left_out for row in finding_rows(listed, "odd"))


@pytest.mark.parametrize(
    ("message", "beginning"),
    [
        ("“a: b” pops in “c; d”: its key is off", "“a: b” pops in “c; d”"),
        ("the feet fit 1:2 m/s; they slide", "The feet fit 1:2 m/s"),
        ("“broken", "“broken"),
        ('layer "aim": its pose leans; add less', 'Layer "aim": its pose leans'),
        ("mesh 2 “a: b”: it has no faces", "Mesh 2 “a: b”: it has no faces"),
        ("mesh “Body”: ", "Mesh “Body”"),
    ],
)
def test_a_sentence_is_the_beginning_of_a_message(message, beginning):
    assert sentence(Finding(message)) == beginning


def test_rows_of_a_checked_file(tmp_path):
    session = session_with(broken_file(tmp_path / "hero.gltf"))
    check_all(session)
    checked = session.active.check.report
    rows = FindingsView(folded=set()).rows(checked)
    listed = [finding for row in rows for finding in row.found]
    assert set(listed) == set(checked.findings)
    assert FindingsView().rows(None) == []
