"""The state of a tree of nodes: saved, restored and continued by the paths of their names."""

import pytest

from rigview.blending.state import (
    Node,
    continue_from,
    distinct_names,
    parts_of_type,
    walk,
)


class Counter(Node):
    """A node that counts, with parts that may be replaced."""

    changing = ("count", "inner")

    def __init__(self, count=0, **inner):
        self.count, self.inner = count, inner

    def parts(self):
        return self.inner.items()

    def continue_from(self, other, tau):
        self.count = other.count + tau


class OtherCounter(Counter):
    """A node of another type."""


def tree():
    return Counter(1, a=Counter(2, x=Counter(3)), b=OtherCounter(4))


def test_walk_yields_paths_in_order_each_before_its_parts():
    assert [(path, node.count) for path, node in walk(tree())] == [
        ((), 1),
        (("a",), 2),
        (("a", "x"), 3),
        (("b",), 4),
    ]
    assert [node.count for node in parts_of_type(tree(), OtherCounter)] == [4]


def test_restoring_brings_back_replaced_parts_with_their_state():
    root = tree()
    state = root.save()
    old = root.inner["a"]
    old.count, old.inner["x"].count = 20, 30
    root.inner = {"c": Counter(9)}
    root.restore(state)
    assert root.inner["a"] is old
    assert [node.count for _, node in walk(root)] == [1, 2, 3, 4]


def test_nodes_continue_by_path_and_type():
    new = Counter(0, b=Counter(0), a=Counter(0, y=Counter(0)))
    continue_from(new, tree(), 100)
    counts = {path: node.count for path, node in walk(new)}
    assert counts == {(): 101, ("a",): 102, ("a", "y"): 0, ("b",): 0}


def test_a_plain_node_has_no_state_and_no_parts():
    node = Node()
    assert node.save() == ((), {})
    assert list(node.parts()) == []
    with pytest.raises(ValueError, match="zip"):
        node.restore(([1], {}))


def test_equal_names_are_numbered():
    assert distinct_names(["Walk", "Run", "Walk", "Walk"]) == [
        "Walk",
        "Run",
        "Walk (2)",
        "Walk (3)",
    ]
