import numpy as np
import pytest

from rigview.differences.compare import compare
from rigview.differences.joints import match_joints
from tests.support.character_versions import character
from tests.support.gltf_documents import Builder


def differences(a, b, kind="joint"):
    found = compare(a.load(), b.load())
    return [change for change in found.changes if change.kind == kind], found


def test_same_character():
    found = compare(character().load(), character().load())
    assert found.same
    assert found.changes == ()
    assert [clip.deviation.metres for clip in found.clips] == [0, 0]


@pytest.mark.parametrize("order", [(3, 2, 1, 0), (1, 3, 0, 2)])
def test_order_of_nodes_is_ignored(order):
    found = compare(character().load(), character(order=order).load())
    assert found.same
    assert found.changes == ()
    assert all(clip.deviation.metres == 0 for clip in found.clips)


def test_renamed_joints_are_matched_by_hierarchy():
    renamed = character(names=("rig:Root", "rig:Arm", "rig:Hand"), order=(2, 3, 0, 1))
    changes, found = differences(character(), renamed)
    assert [(c.what, c.name, c.now) for c in changes] == [
        ("renamed", "Root", "rig:Root"),
        ("renamed", "Arm", "rig:Arm"),
        ("renamed", "Hand", "rig:Hand"),
    ]
    assert "rest transform" in changes[0].note
    assert all(clip.deviation.metres == 0 for clip in found.clips), "the motion is still compared"
    assert not found.same


def test_renamed_and_moved_joint_is_matched_by_children():
    other = character(names=("Root", "Elbow", "Hand"), rest=(0, 1.2, 0.8), bind=(0, -1.2, -2))
    changes, _ = differences(character(), other)
    assert [(c.what, c.name, c.now or c.field) for c in changes] == [
        ("renamed", "Arm", "Elbow"),
        ("changed", "Arm", "rest position"),
        ("changed", "Hand", "rest position"),
    ]
    assert "children" in changes[0].note


def test_joint_at_another_position_is_not_renamed():
    """A joint with another rest transform, inverse bind and children does not match."""
    other = character(names=("Root", "Arm", "Tail"), rest=(0, 1, 0.3), bind=(0, -1, -1.3))
    changes, _ = differences(character(), other)
    assert [(c.what, c.name) for c in changes] == [("removed", "Hand"), ("added", "Tail")]
    assert changes[1].note == "below Arm"


def test_nodes_with_a_mesh_only_match_nodes_with_a_mesh():
    b = character()
    b.json["nodes"][3] = {"name": "Locator"}
    changes, _ = differences(character(), b)
    assert [(c.what, c.name) for c in changes] == [("removed", "Figure"), ("added", "Locator")]


def test_rest_pose_alone():
    still = character(clips=()), character(clips=(), rest=(0, 1, 1.2))
    (change,), found = differences(*still)
    assert (change.name, change.field, change.unit) == ("Hand", "rest position", "mm")
    assert change.after == pytest.approx(200)
    assert found.rest_differs
    assert not found.same
    assert found.rest.metres == pytest.approx(0.2)


def test_another_parent():
    other = character()
    other.json["nodes"][1]["children"] = []
    other.json["nodes"][0]["children"] = [1, 2]
    changes, found = differences(character(), other)
    assert [(c.name, c.field, c.before, c.after) for c in changes] == [
        ("Hand", "parent", "Arm", "Root")
    ]
    assert found.rest.metres == pytest.approx(1)
    assert found.rest.joint == "Hand"


def test_unnamed_nodes_are_matched_by_hierarchy():
    def nameless(order):
        b = Builder()
        rows = [{"translation": [k + 1, 0, 0]} for k in range(3)]
        for k in order:
            b.add("nodes", **rows[k])
        return b

    changes, found = differences(nameless((0, 1, 2)), nameless((2, 0, 1)))
    assert changes == []
    assert found.same


def test_moved_unnamed_node_is_matched_by_number():
    def one(x):
        b = Builder()
        b.add("nodes", translation=[x, 0, 0])
        return b

    changes, found = differences(one(1), one(2))
    assert [(c.name, c.field) for c in changes] == [("Joint 0", "rest position")]
    assert found.rest.metres == pytest.approx(1)


@pytest.mark.parametrize("size", [100, 0.01, 1.5])
def test_scale_is_reported_and_removed(size):
    changes, found = differences(character(), character(size=size), "scale")
    assert found.scale == pytest.approx(size, rel=1e-5)
    assert [(c.before, c.after) for c in changes] == [(1, found.scale)]
    assert found.rest.metres == pytest.approx(0, abs=1e-6)
    assert max(clip.deviation.metres for clip in found.clips) == pytest.approx(0, abs=1e-6)
    assert not found.same
    assert [c.kind for c in found.changes if not c.stored] == ["scale"]


def test_changed_proportions_are_not_a_scale():
    _, found = differences(character(), character(rest=(0, 1, 1.5)))
    assert found.scale == 1
    assert found.rest.metres == pytest.approx(0.5)


def test_very_many_siblings(monkeypatch):
    """Thousands of unnamed nodes are matched by their place in the hierarchy, quickly."""
    monkeypatch.setattr("rigview.differences.joints.MANY", 1000)

    def crowd(order):
        b = Builder()
        for k in order:
            b.add("nodes", translation=[k, 0, 0])
        return b

    changes, found = differences(crowd(range(200)), crowd(reversed(range(200))))
    assert changes == []
    assert found.same
    _, found = differences(crowd(range(200)), crowd([*range(199), 500]))
    assert found.rest.metres == pytest.approx(301)


def test_match_is_symmetric():
    a, b = character().load(), character(order=(3, 1, 0, 2)).load()
    match, _ = match_joints(a, b)
    own, other = match.pairs
    assert [a.skeleton.names[j] for j in own] == [b.skeleton.names[j] for j in other]
    np.testing.assert_array_equal(match.back[other], own)


def repeated(order):
    """Two nodes with one name, each with a child of one name, in an order."""
    b = Builder()
    for k in order:
        b.add("nodes", name="Arm", translation=[k, 0, 0], children=[len(order) + order.index(k)])
    for k in order:
        b.add("nodes", name="Hand", translation=[0, k, 0])
    return b


def test_nodes_of_one_name_are_matched_by_their_transforms():
    changes, found = differences(repeated((1, 2)), repeated((2, 1)))
    assert changes == []
    assert found.same
    assert found.rest.metres == 0
    changes, _ = differences(repeated((1, 2)), repeated((3, 1)))
    assert [(c.name, c.field, round(c.after)) for c in changes] == [
        ("Arm #2", "rest position", 1000),
        ("Hand #2", "rest position", 1000),
    ]


def test_rest_transforms_that_cancel_out_are_stored_differently():
    a, b = character(), character(rest=(0.5, 0.5, 1))
    assert compare(a.load(), b.load()).rest_differs, "Root itself moved"
    for each, offset in ((a, 0.0), (b, 0.25)):
        each.json["nodes"][0]["translation"] = [0, offset, 0]
        each.json["nodes"][1]["translation"] = [0, 1 - offset, 0]
        each.json["nodes"][0]["mesh"] = each.mesh()
    found = [c for c in compare(a.load(), b.load()).changes if c.field == "rest position"]
    assert [(c.name, round(c.after), c.stored) for c in found] == [
        ("Root", 250, False),
        ("Arm", 250, True),
    ]


def test_rest_scale():
    b = character()
    b.json["nodes"][2]["scale"] = [1, 2, 1]
    (change,) = differences(character(), b)[0]
    assert (change.field, change.before, change.after) == ("rest scale", (1, 1, 1), (1, 2, 1))


def test_joints_below_a_scaled_one_are_not_changed():
    b = character()
    b.json["nodes"][1]["scale"] = [2, 2, 2]
    changes, _ = differences(character(), b)
    assert [(c.name, c.field) for c in changes] == [("Arm", "rest scale")]
