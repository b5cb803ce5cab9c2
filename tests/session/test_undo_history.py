"""Undo and redo of edits of several subjects."""

from hypothesis import given
from hypothesis import strategies as st

from rigview.session.undo_history import Step, UndoHistory


class Subject:
    """A value that is edited."""

    def __init__(self, history, value=0):
        self.history, self.value = history, value

    def show(self, value):
        self.value = value

    def edit(self, value, label="edit", merge=""):
        found = self.history.put(Step(self, self.value, value, self.show, label), merge)
        self.value = value
        return found


def undo(history):
    step = history.undo()
    if step is not None:
        step.show(step.before)
    return "" if step is None else step.label


def redo(history):
    step = history.redo()
    if step is not None:
        step.show(step.after)
    return "" if step is None else step.label


def test_undo_and_redo():
    history = UndoHistory()
    one = Subject(history)
    one.edit(1, "one")
    one.edit(2, "two")
    assert history.undo_label == "two"
    assert undo(history) == "two"
    assert one.value == 1
    assert history.redo_label == "two"
    assert undo(history) == "one"
    assert one.value == 0
    assert undo(history) == ""
    assert redo(history) == "one"
    assert redo(history) == "two"
    assert one.value == 2
    assert redo(history) == ""


def test_edits_of_several_subjects_are_undone_in_their_order():
    history = UndoHistory()
    one, other = Subject(history), Subject(history)
    one.edit(1, "a")
    other.edit(1, "b")
    one.edit(2, "c")
    assert [undo(history), undo(history)] == ["c", "b"]
    assert (one.value, other.value) == (1, 0)
    assert redo(history) == "b"
    assert (one.value, other.value) == (1, 1)


def test_a_new_edit_drops_undone_ones():
    history = UndoHistory()
    one, other = Subject(history), Subject(history)
    one.edit(1, "one")
    undo(history)
    other.edit(2, "two")
    assert history.redo_label == ""
    undo(history)
    assert (one.value, other.value) == (0, 0)


def test_a_drag_is_one_edit():
    history = UndoHistory()
    one = Subject(history)
    for number in range(1, 6):
        one.edit(number, "drag", merge="weight")
    history.close()
    one.edit(7, "drag", merge="weight")
    undo(history)
    assert one.value == 5
    undo(history)
    assert one.value == 0


def test_drags_of_two_things_are_two_edits():
    history = UndoHistory()
    one, other = Subject(history), Subject(history)
    one.edit(1, "a", merge="a")
    one.edit(2, "b", merge="b")
    other.edit(1, "b", merge="b")
    assert [undo(history) for _ in range(3)] == ["b", "b", "a"]


def test_undo_ends_a_drag():
    history = UndoHistory()
    one = Subject(history)
    one.edit(1, "a", merge="a")
    undo(history)
    one.edit(2, "a", merge="a")
    undo(history)
    assert one.value == 0
    assert history.undo_label == ""


def test_a_drag_back_to_the_start_leaves_no_step():
    history = UndoHistory()
    one = Subject(history)
    one.edit(1, "first")
    one.edit(2, "a", merge="a")
    assert one.edit(1, "a", merge="a")
    assert history.undo_label == "first"
    one.edit(3, "a", merge="a")
    undo(history)
    assert one.value == 1


def test_an_equal_value_is_no_edit():
    history = UndoHistory()
    assert not Subject(history).edit(0, "nothing")
    assert history.undo_label == ""


def test_steps_of_a_closed_subject_are_forgotten():
    history = UndoHistory()
    one, other = Subject(history), Subject(history)
    one.edit(1, "a")
    other.edit(1, "b")
    one.edit(2, "c")
    other.edit(2, "d")
    undo(history)
    history.forget(one)
    assert (history.undo_label, history.redo_label) == ("b", "d")
    assert redo(history) == "d"
    assert [undo(history) for _ in range(3)] == ["d", "b", ""]


def test_old_edits_are_dropped(monkeypatch):
    monkeypatch.setattr("rigview.session.undo_history.DEEPEST", 3)
    history = UndoHistory()
    one = Subject(history)
    for number in range(1, 10):
        one.edit(number, f"{number}")
    assert [undo(history) for _ in range(5)] == ["9", "8", "7", "", ""]
    assert one.value == 6


@given(st.lists(st.one_of(st.integers(0, 9), st.sampled_from(["undo", "redo"])), max_size=60))
def test_it_matches_a_list(steps):
    history, values, place = UndoHistory(), [0], 0
    one = Subject(history)
    for step in steps:
        if step == "undo":
            assert bool(undo(history)) == (place > 0)
            place = max(place - 1, 0)
        elif step == "redo":
            assert bool(redo(history)) == (place < len(values) - 1)
            place = min(place + 1, len(values) - 1)
        elif step != values[place]:
            one.edit(step)
            values = [*values[: place + 1], step]
            place += 1
        assert one.value == values[place]
