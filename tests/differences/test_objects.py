"""Matching of objects by criteria, and the comparison of their fields."""

import pytest

from rigview.differences.objects import (
    ComparedField,
    Matching,
    by_name,
    by_name_or_content,
    equal_values,
    field_changes,
    match_objects,
    where,
)


def matched(one, two, criteria):
    matching = match_objects((one, two), criteria)
    return {a: (b, matching.how[a]) for a, b in matching}


def test_an_object_is_matched_by_the_first_criterion():
    names = ["Body", "Mesh 1", "Hat"], ["Cap", "Mesh 1", "Body", "Mesh 3"]
    content = [5, 6, 7], [7, 9, 5, 6]
    same = by_name_or_content(names, lambda a, b: content[0][a] == content[1][b])
    assert matched(*names, same) == {
        0: (2, "same name"),
        1: (3, "same content"),  # rather than by its generated name
        2: (0, "same content"),
    }


def test_generated_names_match_last():
    names = ["Mesh 0", "Mesh 1"], ["Mesh 1", "Mesh 2"]
    assert matched(*names, by_name_or_content(names, lambda _a, _b: False)) == {
        1: (0, "same number")
    }


def test_each_object_is_matched_once():
    names = ["A", "B", "C"], ["D", "E"]
    matching = match_objects(names, {"any": where(lambda _a, _b: True)})
    assert list(matching) == [(0, 0), (1, 1)]
    assert (matching.to.tolist(), matching.back.tolist()) == ([0, 1, -1], [0, 1])
    assert [(c.what, c.name, c.note) for c in matching.unmatched("mesh", "kind {}".format)] == [
        ("removed", "C", "kind 2")
    ]


def test_the_best_free_candidate_is_chosen():
    scores = [[1, 3, 2], [1, 3, 2]]

    def best(a, free):
        return sorted(free, key=scores[a].__getitem__, reverse=True)

    assert matched("AB", "CDE", {"score": best}) == {0: (1, "score"), 1: (2, "score")}


def test_no_criterion_is_met():
    assert matched("A", "B", {"same name": by_name(("A", "B"), generated=False)}) == {}


@pytest.mark.parametrize(
    ("one", "two", "found"),
    [("Old", "New", 1), ("Mesh 1", "Mesh 2", 0), ("Mesh 1", "Body", 1), ("Old", "Old", 0)],
)
def test_renamed_unless_both_names_are_generated(one, two, found):
    matching = match_objects(([one], [two]), {"same content": where(lambda _a, _b: True)})
    changes = list(matching.name_changes("mesh"))
    assert [(c.what, c.name, c.now, c.note) for c in changes] == [
        ("renamed", one, two, "same content")
    ] * found


def test_references_to_matching_objects_are_equal():
    matching = Matching((["A", "B"], ["C", "D"]))
    matching.pair(0, 1)

    def said(a, b):
        return [(c.before, c.after) for c in matching.reference("mesh", "Body", "material", a, b)]

    assert said(0, 1) == said(-1, -1) == []
    assert said(0, 0) == [("A", "C")]
    assert said(0, -1) == [("A", "none")]
    assert said(-1, 1) == [("none", "D")]
    assert said(1, -1) == [], "B was removed, which is a change of its own"


def test_fields():
    fields = [
        ComparedField("start", lambda clip: clip["start"], "s", tolerance=1e-3),
        ComparedField("keys", lambda clip: clip["keys"], stored=True),
        ComparedField("loops", lambda clip: clip["loops"]),
        ComparedField("mode", lambda clip: clip["mode"], shown={1: "once", 2: "twice"}.get),
    ]
    one = {"start": 0.0, "keys": 3, "loops": True, "mode": 1}
    two = {"start": 9e-4, "keys": 4, "loops": False, "mode": 2}
    changes = list(field_changes("clip", "Wave", fields, one, two))
    assert [(c.field, c.before, c.after, c.stored) for c in changes] == [
        ("keys", 3, 4, True),
        ("loops", "yes", "no", False),
        ("mode", "once", "twice", False),
    ]
    (change,) = field_changes("clip", "Wave", fields[:1], one, two | {"start": 1.1e-3})
    assert (change.field, change.unit) == ("start", "s")


@pytest.mark.parametrize(
    ("p", "q", "same"),
    [
        (1.0, 1.0 + 1e-9, True),
        (1.0, 1.1, False),
        (1.0, None, False),
        ("BLEND", 0.5, False),
        ((1.0, 0.5), (1.0, 0.5 + 1e-9), True),
        ((1.0,), (1.0, 0.5), False),
        ((1.0, "a"), (1.0, 2.0), False),
    ],
)
def test_values_of_materials(p, q, same):
    assert equal_values(p, q) is same
    assert equal_values(q, p) is same
