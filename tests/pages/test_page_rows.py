"""Content of the report: joint rows, findings, statistics, numbers, pictures."""

import io
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from rigview.pages import file_statistics
from rigview.pages.entry import as_webp, cut_out, joint_rows, strip, thumbnail
from rigview.pages.page import FEW, UNSEEN, findings_of_clip, groups, severity_key, tally
from tests.support.models import rod_model
from tests.support.page_entries import entry, findings, plain_picture


def test_joint_row():
    rows = joint_rows(rod_model())
    assert [row.name for row in rows] == ["Joint 0", "Joint 1", "Joint 2", "Joint 3"]
    assert [row.parent for row in rows] == ["", "", "Joint 1", "Joint 2"]
    assert [row.depth for row in rows] == [0, 0, 1, 2]
    assert [row.skins for row in rows] == [(), *[("Skin 0",)] * 3]
    assert [row.tracks for row in rows] == [0, 1, 1, 1]
    assert [row.position for row in rows] == [(0, 0, 0), (0, 0, 0), (0, 1, 0), (0, 2, 0)]


def test_vertices_that_a_joint_moves_are_counted_once():
    model = rod_model()
    weights = model.meshes[0].primitives[0].weights
    entries = model.meshes[0].primitives[0].joints
    expected = [int(((entries == entry) & (weights > 0)).any(axis=1).sum()) for entry in range(3)]
    assert [row.vertices for row in joint_rows(model)] == [0, *expected]
    assert min(expected) > 0


def test_vertex_with_a_joint_out_of_range():
    """The vertex counts for the last joint."""
    model = rod_model()
    primitive = model.meshes[0].primitives[0]
    absurd = np.full_like(primitive.joints, 200)
    mesh = replace(model.meshes[0], primitives=(replace(primitive, joints=absurd),))
    moved = [row.vertices for row in joint_rows(replace(model, meshes=(mesh,)))]
    assert moved == [0, 0, 0, int((primitive.weights > 0).any(axis=1).sum())]


def test_rigid_mesh_is_moved_by_its_node():
    model = rod_model()
    rigid = replace(model, instances=(replace(model.instances[0], skin=-1),))
    moved = [row.vertices for row in joint_rows(rigid)]
    assert moved == [len(model.meshes[0].primitives[0].positions), 0, 0, 0]


def test_joint_precedes_its_descendants():
    model = rod_model()
    tree = replace(
        model.skeleton,
        parents=np.array([-1, -1, 0, 1], np.int32),
        nodes=np.array([3, 2, 1, 0], np.int32),
    )
    rows = joint_rows(replace(model, skeleton=tree))
    assert [row.node for row in rows] == [2, 0, 3, 1]


def test_what_is_seen_best_is_the_first_group():
    found = groups(findings())
    assert [each.title for each in found] == ["Motion", "Rig", UNSEEN]
    assert [each.severity for each in found] == ["error", "warning", "info"]
    assert [each.count for each in found] == [21, 1, 1]
    assert [each.open for each in found] == [True, True, False]
    motion = found[0].findings
    assert (motion[0].size, motion[0].share) == ("24.4 mm", "1.36 % of the height")
    assert len(motion) == FEW
    assert len(found[0].more) == 21 - FEW
    assert motion[4].measure == "3°/s"
    assert [each.fix for each in motion] == ["Match the last key with the first", *[""] * 11]
    assert [each.fix for each in found[0].more] == [*[""] * 8, "Smooth its keys"]


def test_a_cause_is_a_row():
    seam = findings()[0]
    others = [replace(seam, clip=f"Clip {k}", size=0.1 + k, message=f"clip {k}") for k in range(3)]
    ((group,), joint) = groups([seam, *others]), seam.joint
    (row,) = group.findings
    assert (row.message, row.size) == ("Clip 2", "2100 mm")
    assert row.repetition == "in 4 clips: “Clip 2”, “Clip 1”, “Clip 0” and 1 more"
    assert row.where == (("joint", joint), ("at", "1\u202fs"))
    assert "clip 2" in row.search


def test_different_fixes_are_shown_with_their_findings():
    first, *_ = findings()
    found = groups([first, replace(first, fix="or else")])
    assert [each.fix for each in found[0].findings] == [
        "Match the last key with the first",
        "Or else",
    ]


def test_counts_and_severity_key():
    assert tally(findings()) == {"error": 1, "warning": 21, "info": 1}
    error, warning, note = findings()[0], findings()[1], findings()[2]
    assert (
        severity_key([error])
        > severity_key([warning] * 1000)
        > severity_key([note] * 1000)
        > severity_key([])
    )
    assert len(findings_of_clip(findings(), "Bend")) == 21
    assert findings_of_clip(findings(), "Other") == ()


def test_facts_of_a_file():
    given = entry().statistics
    said = [
        f"{number} {noun}".replace("\u202f", " ") for number, noun in file_statistics.figures(given)
    ]
    assert said[:4] == ["1 clip", "3 joints", "192 triangles", "104 vertices"]
    assert said[5].endswith("GPU memory")
    assert (
        "Hierarchy",
        "4 nodes, 3 of them in a skin, 3 levels deep",
    ) in file_statistics.particulars(given)
    headings = [heading for heading, _ in file_statistics.particulars(given)]
    assert "Compressed" not in headings
    row = {"extension": "KHR_draco_mesh_compression", "bytes": 5031, "unpacked": 22552}
    text = dict(file_statistics.particulars(given | {"packed": [row]}))["Compressed"].replace(
        "\u202f", " "
    )
    assert text == "KHR_draco_mesh_compression: 5 kB, decompressed 23 kB"
    assert sum(each.percent for each in file_statistics.influences(given)) == pytest.approx(100)
    assert sum(each.percent for each in file_statistics.memory(given)) == pytest.approx(100)
    clips, skins, meshes = file_statistics.tables(given)
    assert clips.numeric == (True, False, True, True, True, True, True, False, True)
    assert skins.rows == (("0", "Skin 0", "3", "Mesh 0"),)
    assert meshes.rows[0][1:5] == ("Mesh 0", "1", "104", "192")


def test_picture_is_webp_with_its_alpha():
    pixels = plain_picture(colour=(200, 100, 50, 0))
    pixels[4:8, 5:9, 3] = 255
    made = as_webp(pixels)
    assert (made.mime, made.width, made.height) == ("image/webp", 16, 16)
    with Image.open(io.BytesIO(made.data)) as read:
        assert np.array_equal(np.array(read)[..., 3], pixels[..., 3])
    assert made.uri.startswith("data:image/webp;base64,UklGR")


def test_picture_is_cropped_to_its_visible_part():
    pixels = np.zeros((100, 60, 4), np.uint8)
    pixels[40:61, 20:31] = 255
    assert cut_out(pixels).shape == (21 + 4, 11 + 4, 4)
    assert cut_out(np.zeros((5, 5, 4), np.uint8)).shape == (5, 5, 4)


def test_thumbnail_has_no_dark_edge():
    pixels = np.zeros((40, 40, 4), np.uint8)
    pixels[10:30, 10:30] = 255
    small = thumbnail(pixels, 10)
    assert small.shape == (10, 10, 4)
    seen = small[small[..., 3] > 8]
    assert seen[:, :3].min() > 240
    assert thumbnail(pixels, 40) is pixels


def test_strip_is_side_by_side():
    made = strip([plain_picture(4, 3, (1, 2, 3, 255)), plain_picture(4, 3, (9, 8, 7, 255))])
    assert made.shape == (3, 8, 4)
    assert made[0, 3, 0] == 1
    assert made[0, 4, 0] == 9
