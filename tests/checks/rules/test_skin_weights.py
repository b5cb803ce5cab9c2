"""Rules about stored skin weights."""

import numpy as np
import pytest

from rigview.checks.examine import examine
from tests.checks.cases_skin import weigh
from tests.support.rule_case import found, one
from tests.support.rule_figure import context, document_change


@document_change
def two_parts(b):
    """Add a second primitive with the same vertices, and a third with separate vertices."""
    primitives = b.json["meshes"][0]["primitives"]
    shared = primitives[0]
    again = shared["attributes"] | {"POSITION": b.accessor(np.zeros((72, 3)))}
    primitives += [shared, shared | {"attributes": again}]


def test_vertices_of_a_mesh_share_one_finding_and_shared_vertices_count_once():
    finding = one(context(weigh([0.82, 0, 0, 0]), two_parts), "weights-sum")
    assert finding.message == (
        "2 of 144 vertices of mesh “Body” have weights that sum to 0.82 at worst"
    )
    assert finding.item == "Body"
    assert finding.limit == 0.01


@pytest.mark.parametrize(("total", "bad"), [(255, 0), (254, 0), (250, 1)])
def test_rounding_of_8_bit_weights_is_accepted(total, bad):
    def change(figure):
        figure.joints[0] = [0, 1, 2, 3]
        weights = (figure.weights * 255).astype(np.uint8)
        weights[0] = [total - 120, 40, 40, 40]

        @document_change
        def put(b):
            attributes = b.json["meshes"][0]["primitives"][0]["attributes"]
            attributes["WEIGHTS_0"] = b.accessor(weights, "uint8", normalized=True)

        put(figure)

    assert len(found(context(change), "weights-sum")) == bad


def test_a_vertex_without_weight_has_one_finding():
    findings = found(context(weigh([0, 0, 0, 0], [np.nan] * 4)), "weights-*")
    assert {each.rule for each in findings} == {"weights-zero", "weights-nan"}


def test_load_warnings_that_rules_report_are_omitted():
    findings = examine(context(weigh([0.5, 0, 0, 0], [1.5, -0.5, 0, 0], [0] * 4))())
    assert {each.rule for each in findings} == {"weights-sum", "weights-negative", "weights-zero"}
