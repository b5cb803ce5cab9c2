"""Rules about unused data."""

import pytest

from tests.checks.cases_data import lone_mesh
from tests.support.rule_case import found
from tests.support.rule_figure import context, document_change


def test_data_of_an_unused_mesh_counts_for_the_mesh():
    findings = found(context(lone_mesh), "unused-*")
    assert [(each.rule, each.amount, each.unit) for each in findings] == [
        ("unused-meshes", 36, "bytes")
    ]


@pytest.mark.parametrize(
    "extensions",
    [
        {"ACME_anything": {"accessor": 3}},
        {"ACME_anything": 7},
    ],
)
def test_nothing_is_unused_if_an_unknown_extension_may_use_it(extensions):
    @document_change
    def change(b):
        b.view(b"12345678")
        b.json["nodes"][7]["extensions"] = extensions

    assert not found(context(change), "unused-*")
