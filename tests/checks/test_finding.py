"""Rows of findings with the same cause."""

from rigview.checks.finding import Finding, by_cause


def test_the_same_fault_in_several_clips_is_one_row():
    walk = Finding("the foot slides", rule="foot-slide", clip="Walk", joint="Foot")
    run = Finding("the foot slides", rule="foot-slide", clip="Run", joint="Foot")
    other = Finding("the hand slides", rule="foot-slide", clip="Walk", joint="Hand")
    assert by_cause([walk, other, run]) == [(walk, run), (other,)]


def test_findings_without_a_clip_stay_apart_by_their_place():
    first = Finding("a stride is odd", rule="stride", place="/accessors/1")
    second = Finding("a stride is odd", rule="stride", place="/accessors/2")
    assert by_cause([first, second]) == [(first,), (second,)]


def test_no_findings_have_no_rows():
    assert by_cause([]) == []
