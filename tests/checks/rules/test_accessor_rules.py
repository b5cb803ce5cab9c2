"""Sentences and false positives of the rules about accessors, skins and nodes."""

import numpy as np
import pytest

from rigview.checks.check_context import CheckContext
from rigview.checks.examine import examine
from rigview.loading.load import load
from tests.checks.cases_validator import CASES, faulty
from tests.support.figure_changes import animated, attribute, bounds, replaced
from tests.support.rule_case import findings_of
from tests.support.rule_figure import HEAD, LEFT_ARM, Figure, context, document_change


def one(make, rule):
    (finding,) = findings_of(make(), rule)
    return finding


@pytest.mark.parametrize(
    ("fault", "rule", "message"),
    [
        (
            "bounds-min",
            "accessor-bounds",
            "POSITION of mesh “Body” has a declared minimum of component 1 of -0.5, but the least "
            "value is -0.8",
        ),
        (
            "bounds-missing-times",
            "accessor-bounds",
            "the key times of “Hips” rotation in “Nod” must have a declared minimum and maximum",
        ),
        (
            "offset-of-view",
            "accessor-alignment",
            "NORMAL of mesh “Body” begins at byte 4930 of its buffer, not at a multiple of 4",
        ),
        (
            "stride-keys",
            "accessor-stride",
            "the keys of “Hips” rotation in “Nod” may not have a byteStride, which is for vertices "
            "only",
        ),
        (
            "accessor-two-uses",
            "accessor-shared",
            "the keys of “Head” scale in “Nod” have the same accessor as NORMAL of mesh “Body”",
        ),
        (
            "attribute-short",
            "accessor-format",
            "POSITION of mesh “Body” is VEC3 of int16, not VEC3 of float32, without "
            "KHR_mesh_quantization",
        ),
        (
            "skin-skeleton",
            "skin-skeleton",
            "the skeleton of skin “Figure” is “LeftArm”, which is not above 5 joints: “Hips”, "
            "“Spine”, “Head” and 2 more",
        ),
        (
            "skin-two-roots",
            "skin-root",
            "the joints of skin “Figure” have no common root, but 2: “Hips” and “RightHand”",
        ),
        (
            "node-rotation",
            "rest-rotation-length",
            "the rest rotation of “Head” has length 0.707 instead of 1",
        ),
    ],
)
def test_messages_name_things(fault, rule, message):
    (finding,) = findings_of(faulty(fault), rule)
    assert finding.message == message


@pytest.mark.parametrize("given", ["x", [0], [0, 0, "x"], [0, 0, True], [0, 0, 10**400], {}])
def test_bounds_that_are_not_numbers_are_a_finding(given):
    finding = one(context(document_change(bounds("POSITION", min=given))), "accessor-bounds")
    assert "must have 3 numbers in min" in finding.message


@pytest.mark.parametrize(("off", "severity"), [(1e-6, "info"), (1e-4, "warning")])
def test_bounds_that_differ_by_rounding_are_an_info(off, severity):
    change = document_change(bounds("POSITION", max=[0.8, 1.8 * (1 + off), 0]))
    finding = one(context(change), "accessor-bounds")
    assert (finding.severity, finding.clip, finding.item) == (severity, "", "Body")


def test_bounds_rounded_to_0_are_an_info():
    def tilted(figure):
        figure.positions[0, 2] = -3e-8

    made = context(tilted, document_change(bounds("POSITION", min=[-0.8, 0, 0])))
    assert one(made, "accessor-bounds").severity == "info"


def test_bounds_with_the_digits_of_float64_are_accepted():
    change = document_change(bounds("POSITION", max=[0.8, 1.8, 0.0], min=[-0.8, 0, -0.0]))
    assert not findings_of(context(change)(), "accessor-bounds")


def test_bounds_of_values_that_are_not_finite_are_left_to_other_rules():
    def change(b):
        attribute(b, "NORMAL").update(min=[0, 0, 0], max=[0, 0, 1])

    def broken(figure):
        figure.normals[0] = np.nan

    made = context(broken, document_change(change))
    assert findings_of(made(), "mesh-nan")
    assert not findings_of(made(), "accessor-bounds")


def test_only_examined_clips_have_findings():
    model = load(faulty_clip())
    assert findings_of(CheckContext(model), "accessor-bounds")
    assert not findings_of(CheckContext(model, clips=[]), "accessor-bounds")


def faulty_clip():
    figure = Figure()
    figure.after.append(bounds("input", max=[9]))
    return figure.builder().glb()


def test_faults_of_a_clip_share_one_finding():
    times = [bounds("input", max=[9])]
    times += [animated("scale", np.ones((3, 3)), target=k, max=[7]) for k in (HEAD, LEFT_ARM)]
    finding = one(context(*map(document_change, times)), "accessor-bounds")
    assert finding.message.startswith("the key times of “Hips” rotation in “Nod”")
    assert finding.message.endswith("; 2 other accessors of this clip too")


def test_quantized_vertices_are_accepted():
    """Normals of 8 bits are of unit length within their rounding."""
    normals = np.round(np.tile([0.57735, 0.57735, 0.57735], (72, 1)) * 127)
    padded = np.concatenate((normals, np.zeros((72, 1))), axis=1)
    made = replaced("NORMAL", padded, "int8", type="VEC3", normalized=True)

    @document_change
    def change(b):
        made(b)
        view = attribute(b, "NORMAL")["bufferView"]
        b.json["bufferViews"][view]["byteStride"] = 4
        b.json["extensionsUsed"] = ["KHR_mesh_quantization"]
        b.json["extensionsRequired"] = ["KHR_mesh_quantization"]

    found = {each.rule for each in examine(context(change)())}
    assert not found & CASES.keys()


def test_names_with_braces():
    def named(figure):
        figure.skin["name"] = "{0} {x}"

    made = context(named, document_change(lambda b: b.json["skins"][0].update(skeleton=LEFT_ARM)))
    assert "skin “{0} {x}”" in one(made, "skin-skeleton").message
