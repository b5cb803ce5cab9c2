"""Edits of a motion document return new documents."""

from dataclasses import replace

import pytest

from rigview.motion import edit
from rigview.motion.document import (
    Additive,
    Aim,
    At,
    ClipEvent,
    ClipSettings,
    Fade,
    LayerSettings,
    MaskSettings,
    MotionDoc,
    Nested,
    Parameter,
    Seek,
    Set,
    Space,
    SpaceClip,
    StrafeSpace,
)

WALK = SpaceClip("Walk", (0.0, 0.0))
RUN = SpaceClip("Run", (0.0, 1.0))
DOC = MotionDoc(
    parameters={"speed": Parameter(1.0, (0.0, 4.0), damp=0.2), "look_at": Parameter((0, 1, 2))},
    clips={
        "Walk": ClipSettings(events=(ClipEvent("left", phase=0.1), ClipEvent("right", phase=0.6)))
    },
    additives={"Lean": Additive("LeanLeft")},
    masks={"upper": MaskSettings({"Spine": 0.3, "Chest": 0.6}), "arm": MaskSettings({"Arm": 1.0})},
    spaces={
        "pad": Space("points", (WALK, RUN), "x", "y"),
        "strafe": StrafeSpace("direction", {"forward": "Walk"}),
    },
    aims={"head": Aim({"Head": 1.0}, "look_at")},
    layers=(
        LayerSettings("base", "Walk"),
        LayerSettings("wave", "Wave", mask="upper"),
        LayerSettings("nest", Nested((LayerSettings("in", "Idle", mask="upper"),))),
    ),
    at=(
        At(1.0, Fade("base", "Run")),
        At(2.0, Set("wave.weight", 0.5)),
        At(2.5, Set("speed", 3.0)),
        At(3.0, Seek("wave", 0.2)),
    ),
)


def names(document):
    return [layer.name for layer in document.layers]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (lambda doc: edit.with_layer(doc, LayerSettings("new", "Idle")), "layers"),
        (lambda doc: edit.moved_layer(doc, "nest", 0), "layers"),
        (lambda doc: edit.with_weight(doc, "wave", 0.2), "layers"),
        (lambda doc: edit.with_play(doc, "wave", "Lean"), "layers"),
        (lambda doc: edit.with_value(doc, "speed", 2.0), "parameters"),
        (lambda doc: edit.with_mask_weight(doc, "upper", "Arm", 1.0), "masks"),
        (lambda doc: edit.without_mask_joint(doc, "upper", "Chest"), "masks"),
        (lambda doc: edit.with_space_point(doc, "pad", 0, (0.5, 0.5)), "spaces"),
        (lambda doc: edit.with_space_clip(doc, "pad", WALK), "spaces"),
        (lambda doc: edit.without_space_clip(doc, "pad", 0), "spaces"),
        (lambda doc: edit.with_fade(doc, 0.5, Fade("base", "Run")), "at"),
        (lambda doc: edit.without_at(doc, 0), "at"),
        (lambda doc: edit.changed_at(doc, 0, At(9.0, Set("speed", 1.0))), "at"),
        (lambda doc: edit.with_event(doc, "Run", ClipEvent("step", time=0.1)), "clips"),
        (lambda doc: edit.without_event(doc, "Walk", 0), "clips"),
    ],
)
def test_edit_returns_a_new_document(change, field):
    before = replace(DOC)
    after = change(DOC)
    assert before == DOC
    assert getattr(after, field) != getattr(DOC, field)
    assert replace(after, **{field: getattr(DOC, field)}) == DOC


@pytest.mark.parametrize(
    "change",
    [
        lambda doc: edit.moved_layer(doc, "none", 0),
        lambda doc: edit.renamed_layer(doc, "none", "new"),
        lambda doc: edit.renamed_layer(doc, "wave", "  "),
        lambda doc: edit.renamed_layer(doc, "wave", "a.weight"),
        lambda doc: edit.with_weight(doc, "none", 0.1),
        lambda doc: edit.with_value(doc, "none", 0.1),
        lambda doc: edit.with_value(doc, "wave.weight", (1.0, 2.0, 3.0)),
        lambda doc: edit.with_mask_weight(doc, "none", "Arm", 1.0),
        lambda doc: edit.without_mask_joint(doc, "none", "Arm"),
        lambda doc: edit.with_space_point(doc, "pad", 5, (0.0, 0.0)),
        lambda doc: edit.with_space_clip(doc, "strafe", WALK),
        lambda doc: edit.changed_at(doc, 9, At(0.0, Set("speed", 1.0))),
        lambda doc: edit.without_at(doc, 9),
        lambda doc: edit.without_event(doc, "Run", 0),
    ],
)
def test_unknown_names_change_nothing(change):
    assert change(DOC) == DOC


def test_added_layer_has_a_unique_name():
    twice = edit.with_layer(edit.with_layer(DOC, LayerSettings("wave", "Wave")), DOC.layers[1], 0)
    assert names(twice) == ["wave 3", "base", "wave", "nest", "wave 2"]


def test_layers_are_moved():
    assert names(edit.moved_layer(DOC, "base", 1)) == ["wave", "base", "nest"]
    assert names(edit.moved_layer(DOC, "base", 99)) == ["wave", "nest", "base"]
    assert names(edit.moved_layer(DOC, "nest", -5)) == ["nest", "base", "wave"]


def test_removing_a_layer_removes_its_actions():
    less = edit.without_layer(DOC, "wave")
    assert names(less) == ["base", "nest"]
    assert less.at == (DOC.at[0], DOC.at[2])


def test_renaming_updates_references():
    named = edit.renamed_layer(DOC, "wave", " hand ")
    assert names(named) == ["base", "hand", "nest"]
    assert [edit.layer_of(each) for each in named.at] == ["base", "hand", "", "hand"]
    assert named.at[1].do == Set("hand.weight", 0.5)
    assert names(edit.renamed_layer(DOC, "wave", "base")) == ["base", "base 2", "nest"]
    assert edit.renamed_layer(DOC, "wave", "wave") == DOC


def test_an_additive_is_added():
    added = edit.with_play(DOC, "wave", "Lean")
    assert added.layers[1].mode == "add"
    assert edit.with_play(added, "wave", "Walk").layers[1].mode == "replace"


def test_initial_values():
    assert edit.value_of(DOC, "speed") == 1.0
    assert edit.value_of(DOC, "wave.weight") == 1.0
    assert edit.value_of(DOC, "none.weight") is None
    assert edit.value_of(DOC, "wave") is None
    set_ = edit.with_value(edit.with_value(DOC, "speed", 2.0), "wave.weight", 0.25)
    assert edit.value_of(set_, "speed") == 2.0
    assert edit.value_of(set_, "wave.weight") == 0.25
    assert set_.parameters["speed"] == Parameter(2.0, (0.0, 4.0), damp=0.2)


def test_masks_keep_the_order_of_the_file():
    painted = edit.with_mask_weight(DOC, "upper", "Arm", 1.0)
    painted = edit.with_mask_weight(painted, "upper", "Spine", 0.4)
    assert list(painted.masks["upper"].joints.items()) == [
        ("Spine", 0.4),
        ("Chest", 0.6),
        ("Arm", 1.0),
    ]


def test_removing_a_mask_clears_its_layers():
    bare = edit.without_mask(DOC, "upper")
    assert list(bare.masks) == ["arm"]
    assert bare.layers[1].mask is None
    assert bare.layers[2].play.layers[0].mask is None


def test_points_of_a_space():
    moved = edit.with_space_point(DOC, "pad", 1, (0.5, 2.0))
    assert moved.spaces["pad"].clips == (WALK, SpaceClip("Run", (0.5, 2.0)))
    assert moved.spaces["strafe"] is DOC.spaces["strafe"]


def test_removing_the_last_event_removes_the_table():
    once = edit.without_event(DOC, "Walk", 0)
    assert once.clips["Walk"].events == (ClipEvent("right", phase=0.6),)
    assert not edit.without_event(once, "Walk", 0).clips
    cycled = replace(
        DOC, clips={"Walk": ClipSettings(cycles=2, events=(ClipEvent("a", phase=0.0),))}
    )
    assert edit.without_event(cycled, "Walk", 0).clips == {"Walk": ClipSettings(cycles=2)}


def test_layer_changes_to_additive_and_back():
    added = edit.with_mode(DOC, "wave", add=True)
    assert added.additives["Wave added"] == Additive("Wave")
    assert (added.layers[1].play, added.layers[1].mode) == ("Wave added", "add")
    again = edit.with_mode(added, "wave", add=False)
    assert (again.layers[1].play, again.layers[1].mode) == ("Wave", "replace")
    assert edit.with_mode(again, "wave", add=True) == added, "the additive that there is"
    base = edit.with_play(DOC, "base", "LeanLeft")
    assert edit.with_mode(base, "base", add=True).layers[0].play == "Lean"


def test_space_of_clips_becomes_additive():
    document = edit.with_mode(edit.with_play(DOC, "wave", "pad"), "wave", add=True)
    assert document.additives["pad added"].source == "pad"
    again = edit.with_mode(document, "wave", add=False)
    assert [layer.play for layer in again.layers if layer.name == "wave"] == ["pad"]


@pytest.mark.parametrize("play", ["head", Nested(())])
def test_only_clips_and_spaces_become_additive(play):
    document = edit.with_play(DOC, "wave", play)
    assert edit.with_mode(document, "wave", add=True) == document
    assert edit.with_mode(DOC, "wave", add=False) == DOC
    assert edit.with_mode(DOC, "none", add=True) == DOC


def test_value_at_a_time_edits_the_latest_entry():
    document = edit.with_at(DOC, At(1.5, Set("speed", 2.0)))
    assert edit.with_value_at(document, "speed", 9.0, 1.0).parameters["speed"].default == 9.0
    assert edit.with_value_at(document, "speed", 9.0, 1.5).at[-1].do == Set("speed", 9.0)
    later = edit.with_value_at(document, "speed", 9.0, 2.5)
    assert later.at[2].do == Set("speed", 9.0)
    assert later.parameters == DOC.parameters
