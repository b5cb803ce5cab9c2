import json

import pytest

from rigview.errors import UsageError
from rigview.loading.load import load
from rigview.model.joint_branches import find_branches
from rigview.model.lookup import find_clip, find_joint, find_mesh_instance
from rigview.model.named_clips import matching
from rigview.scene.selected import find_selected
from tests.support.adversarial_patterns import NAME, PATTERNS
from tests.support.command_files import document


def model(**changes):
    return load(json.dumps(document(**changes)).encode())


@pytest.mark.parametrize(
    ("text", "index"),
    [
        ("Turn", 0),
        ("Turn fast", 1),
        ("0", 2),  # a clip that is really called "0"
        ("#0", 0),
        (0, 0),
        ("3", 3),
        ("#3", 3),
        ("Animation 3", 3),
        ("*fast", 1),
        ("[0-9]", 2),
    ],
)
def test_clip_by_name_then_index_then_pattern(text, index):
    found = find_clip(model(), text)
    assert found.index == index
    assert not found.warning


def test_pattern_with_several_hits_takes_the_first_and_warns():
    found = find_clip(model(), "Turn*")
    assert found.index == 0
    assert "Turn, Turn fast" in found.warning
    assert "first" in found.warning


@pytest.mark.parametrize(
    ("text", "offer"),
    [
        ("Trun", "'Turn'"),
        ("TURN FAST", "'Turn fast'"),
        ("fast", "'Turn fast'"),
        ("Swim*", "'Turn', 'Turn fast', '0', 'Animation 3'"),
        ("4", "the file has the indices 0 to 3"),
        ("-1", "the file has the indices 0 to 3"),
        ("#9", "the file has the indices 0 to 3"),
        (4, "the file has the indices 0 to 3"),
        (-1, "the file has the indices 0 to 3"),
    ],
)
def test_unknown_clip_offers_what_is_near(text, offer):
    with pytest.raises(UsageError, match="no animation") as raised:
        find_clip(model(), text)
    assert offer in raised.value.hint


def test_file_without_clips_says_so():
    with pytest.raises(UsageError, match="has no animations"):
        find_clip(model(animations=None), "Walk")


def test_joint_by_name_and_by_node_number():
    loaded = model()
    names = loaded.skeleton.names
    assert names[find_joint(loaded, "Tip").index] == "Tip"
    assert names[find_joint(loaded, "#2").index] == "Tip"
    assert names[find_joint(loaded, "Face").index] == "Face"


def test_joint_of_a_skin_is_meant_before_a_mesh_node_of_the_same_name():
    nodes = document()["nodes"]
    nodes[0]["name"] = "Tip"  # the mesh node, which comes first
    loaded = model(nodes=nodes)
    assert loaded.skeleton.nodes[find_joint(loaded, "Tip").index] == 2


@pytest.mark.parametrize(("text", "offer"), [("tip", "'Tip'"), ("#9", "'Root'"), ("x", "'Root'")])
def test_unknown_joint_offers_what_is_near(text, offer):
    with pytest.raises(UsageError, match="no joint") as raised:
        find_joint(model(), text)
    assert offer in raised.value.hint


def prefixed():
    """A model whose names have prefixes; one clip has the short name of another."""
    nodes = [{**node, "name": f"mixamorig:{node['name']}"} for node in document()["nodes"]]
    clips = document()["animations"]
    for clip, name in zip(clips, ("rig|Turn", "rig|Walk", "rig|Idle", "rig|Run"), strict=True):
        clip["name"] = name
    return model(nodes=nodes, animations=clips)


def test_names_are_found_without_the_prefix_that_panels_leave_out():
    loaded = prefixed()
    names = loaded.skeleton.names
    assert names[find_joint(loaded, "Tip").index] == "mixamorig:Tip"
    assert names[find_joint(loaded, "mixamorig:Tip").index] == "mixamorig:Tip"
    assert names[find_mesh_instance(loaded, "Face").joint] == "mixamorig:Face"
    assert names[find_selected(loaded, "mesh:Face/0").joint] == "mixamorig:Face"
    assert find_branches(loaded, "Root,!Tip") == find_branches(loaded, "#1,!#2")
    assert loaded.clips[find_clip(loaded, "Walk").index].name == "rig|Walk"
    with pytest.raises(UsageError) as raised:
        find_joint(loaded, "Tpi")
    assert raised.value.hint == "did you mean 'Tip'?"


def test_an_exact_name_is_meant_before_one_with_the_prefix():
    nodes = document()["nodes"]
    for node, name in zip(nodes, ("a:Root", "a:Tip", "a:Face", "Tip"), strict=True):
        node["name"] = name
    loaded = model(nodes=nodes)
    assert loaded.skeleton.names[find_joint(loaded, "Tip").index] == "Tip"


@pytest.mark.parametrize("pattern", PATTERNS)
def test_no_pattern_takes_exponential_time(pattern):
    assert matching([NAME], pattern) == []
