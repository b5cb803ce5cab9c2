"""Live values: parameters, mute and solo, morph weights."""

from dataclasses import replace

from rigview.motion import edit
from rigview.motion.document import Anims, LayerSettings, MotionDoc, Nested, Parameter
from rigview.motion.file_paths import with_files_from
from rigview.motion.live_values import EditedDocument, with_live_values
from rigview.motion.set_and_at import parse_set, with_settings

SAVED = MotionDoc(
    parameters={"speed": Parameter(1.0, (0.0, 4.0)), "look_at": Parameter((0.0, 1.0, 2.0))},
    layers=(LayerSettings("base", "Walk"), LayerSettings("wave", "Wave", weight=0.5)),
)


def changed(speed=1.0, weight=0.5, **flags):
    document = edit.with_value(SAVED, "speed", speed)
    document = edit.changed_layer(document, "base", lambda layer: replace(layer, **flags))
    return edit.with_weight(document, "wave", weight)


def test_live_values_are_not_dirty():
    edited = EditedDocument(SAVED)
    for document in (changed(2.0), changed(mute=True), changed(3.0, solo=True)):
        edited.document = document
        assert edited.differs
        assert not edited.dirty


def test_morph_weights_are_live():
    edited = EditedDocument(SAVED)
    edited.document = replace(SAVED, morphs={"smile": 0.5})
    assert (edited.differs, edited.dirty) == (True, False)
    written = replace(changed(speed=4.0), morphs={"smile": 0.1})
    assert with_live_values(written, SAVED, since=SAVED).morphs == {"smile": 0.1}
    tried = replace(SAVED, morphs={"smile": 0.5})
    assert with_live_values(written, tried, since=SAVED).morphs == {"smile": 0.5}


def test_weights_of_the_command_line_are_live():
    inner = LayerSettings("inner", "Nod", weight=0.5)
    saved = edit.with_layer(SAVED, LayerSettings("group", Nested((inner,))))
    started = with_settings(saved, [parse_set("wave.weight=1"), parse_set("inner.weight=0.25")])
    given = {"wave.weight": 1.0, "inner.weight": 0.25}
    edited = EditedDocument(started, saved=saved, given=given)
    assert (edited.differs, edited.dirty) == (True, False)
    for weight, dirty in ((0.7, True), (1.0, False), (0.5, False)):
        edited.document = edit.with_weight(started, "wave", weight)
        assert edited.dirty is dirty
    edited.document = edit.with_weight(started, "base", 0.5)
    assert edited.dirty
    edited.mark_saved()
    edited.document = saved
    assert edited.dirty, "the file has the weights now"


def test_weights_of_the_command_line_stay_when_the_file_changes():
    given = {"wave.weight": 1.0}
    live = edit.with_weight(SAVED, "wave", 1.0)
    written = edit.with_weight(edit.with_weight(SAVED, "wave", 0.3), "base", 0.3)
    assert with_live_values(written, live, SAVED, given) == edit.with_weight(written, "wave", 1.0)
    assert with_live_values(written, live, SAVED) == written


def test_other_changes_are_dirty():
    edited = EditedDocument(SAVED)
    parameter = replace(SAVED.parameters["speed"], damp=0.3)
    for document in (
        changed(2.0, weight=0.6),
        edit.without_layer(SAVED, "wave"),
        edit.with_entry(SAVED, "parameters", "speed", parameter),
        edit.with_entry(SAVED, "parameters", "more", Parameter()),
    ):
        edited.document = document
        assert edited.dirty
    edited.mark_saved()
    assert not edited.dirty
    edited.document = SAVED
    assert edited.dirty


def test_live_values_of_another_document():
    other = edit.with_weight(SAVED, "wave", 0.1)
    assert with_live_values(other, changed(2.0, mute=True)) == changed(2.0, 0.1, mute=True)


def test_only_values_that_were_moved():
    """A value that another program changed in the file stays."""
    written = edit.with_value(changed(4.0), "look_at", (9.0, 9.0, 9.0))
    live = with_live_values(written, changed(1.0, solo=True), since=SAVED)
    assert live == edit.changed_layer(written, "base", lambda layer: replace(layer, solo=True))
    assert with_live_values(written, changed(2.0), since=SAVED).parameters["speed"].default == 2.0


def test_value_of_another_shape_is_not_taken():
    written = edit.with_entry(SAVED, "parameters", "speed", Parameter((1.0, 2.0, 3.0)))
    assert with_live_values(written, changed(2.0)) == written


def test_files_are_found_from_another_folder(tmp_path):
    document = replace(SAVED, anims=Anims(("clips/walk.glb",)))
    moved = with_files_from(document, tmp_path / "one", tmp_path / "two")
    assert moved.anims.files == ("../one/clips/walk.glb",)
    assert with_files_from(document, tmp_path, tmp_path) is document
    assert with_files_from(SAVED, tmp_path, tmp_path / "two") is SAVED


def test_a_document_differs_from_that_of_the_file():
    assert not EditedDocument(SAVED).dirty
    assert EditedDocument(SAVED, saved=edit.without_layer(SAVED, "wave")).dirty
