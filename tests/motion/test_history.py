"""Undo and redo of documents."""

from hypothesis import given
from hypothesis import strategies as st

from rigview.motion.document import LayerSettings, MotionDoc, Parameter
from rigview.motion.history import History


def doc(number):
    return MotionDoc(layers=(LayerSettings("base", "Walk", weight=number / 1000),))


def test_undo_and_redo():
    history = History(doc(0))
    history.put(doc(1), "one")
    history.put(doc(2), "two")
    assert history.undo_label == "two"
    assert history.undo() == "two"
    assert history.document == doc(1)
    assert history.redo_label == "two"
    assert history.undo() == "one"
    assert history.document == doc(0)
    assert history.undo() == ""
    assert history.redo() == "one"
    assert history.redo() == "two"
    assert history.document == doc(2)
    assert history.redo() == ""


def test_new_edit_drops_redo_entries():
    history = History(doc(0))
    history.put(doc(1), "one")
    history.undo()
    history.put(doc(2), "two")
    assert history.redo_label == ""
    history.undo()
    assert history.document == doc(0)


def test_a_drag_is_one_edit():
    history = History(doc(0))
    for number in range(1, 6):
        history.put(doc(number), "drag", merge="weight")
    history.close()
    history.put(doc(7), "drag", merge="weight")
    history.undo()
    assert history.document == doc(5)
    history.undo()
    assert history.document == doc(0)


def test_drags_of_two_things_are_two_edits():
    history = History(doc(0))
    history.put(doc(1), "a", merge="a")
    history.put(doc(2), "b", merge="b")
    history.undo()
    assert history.document == doc(1)


def test_undo_ends_a_drag():
    history = History(doc(0))
    history.put(doc(1), "a", merge="a")
    history.undo()
    history.put(doc(2), "a", merge="a")
    history.undo()
    assert history.document == doc(0)
    assert history.undo_label == ""


def test_drag_back_to_the_start_leaves_no_entry():
    history = History(doc(0))
    history.put(doc(1), "first")
    history.put(doc(2), "a", merge="a")
    assert history.put(doc(1), "a", merge="a")
    assert history.undo_label == "first"
    history.put(doc(3), "a", merge="a")
    history.undo()
    assert history.document == doc(1)


def test_equal_document_is_no_edit():
    history = History(doc(0))
    assert not history.put(doc(0), "nothing")
    assert history.undo_label == ""


def test_dirty_if_different_from_the_file():
    history = History(doc(0))
    assert not history.dirty
    history.put(doc(1), "one")
    assert history.dirty
    history.mark_saved()
    assert not history.dirty
    history.undo()
    assert history.dirty
    history.redo()
    assert not history.dirty
    history.undo()
    history.put(doc(1), "the same by another way")
    assert not history.dirty


def test_initial_document_may_be_dirty():
    assert History(doc(1), saved=doc(0)).dirty


def test_documents_with_tables_are_compared():
    one = MotionDoc(parameters={"speed": Parameter(1.0)})
    history = History(one)
    assert not history.put(MotionDoc(parameters={"speed": Parameter(1.0)}), "same")
    assert history.put(MotionDoc(parameters={"speed": Parameter(2.0)}), "other")


def test_old_edits_are_dropped():
    history = History(doc(0), deepest=3)
    for number in range(1, 10):
        history.put(doc(number), f"{number}")
    assert [history.undo() for _ in range(5)] == ["9", "8", "7", "", ""]
    assert history.document == doc(6)


@given(st.lists(st.one_of(st.integers(0, 9), st.sampled_from(["undo", "redo"])), max_size=60))
def test_history_matches_a_list_model(steps):
    history, model, place = History(doc(0)), [0], 0
    for step in steps:
        if step == "undo":
            assert bool(history.undo()) == (place > 0)
            place = max(place - 1, 0)
        elif step == "redo":
            assert bool(history.redo()) == (place < len(model) - 1)
            place = min(place + 1, len(model) - 1)
        elif step != model[place]:
            history.put(doc(step), "edit")
            model = [*model[: place + 1], step]
            place += 1
        assert history.document == doc(model[place])
