"""Rules about the transforms of nodes."""

from tests.support.rule_case import messages_of
from tests.support.rule_figure import context, document_change


def test_scale_of_ancestors_of_a_skin_counts_and_of_other_nodes_does_not():
    @document_change
    def above(b):
        b.add("nodes", name="Armature", children=[0], scale=[1, 2, 1])
        b.json["scenes"][0]["nodes"][0] = 8

    beside = document_change(lambda b: b.json["nodes"][7].update(scale=[1, 2, 1]))
    assert messages_of(context(above), "rest-scale-uneven") == [
        "1 joint has a non-uniform rest scale, 1 × 2 × 1 at worst: “Armature”"
    ]
    assert not messages_of(context(beside), "rest-*")
