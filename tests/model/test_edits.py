"""Edits of a model as values."""

from dataclasses import replace

import numpy as np
import pytest

from rigview.loading.load import load
from rigview.model.edits import (
    FactorKey,
    ModelEdits,
    VertexKey,
    edited,
    edits_text,
    fitting,
    reweighted,
    row_of,
    same_vertices,
)
from rigview.resources import asset_path


@pytest.fixture(scope="module")
def model():
    return load(asset_path("mannequin.glb"))


def with_key(model, edits, key=1, by=0.5):
    clip = model.clips[0]
    track = next(t for t in clip.tracks if t.path == "rotation" and len(t.times) > 3)
    values = track.values.copy()
    values[key] = np.roll(values[key], 1)
    return edits.with_track(model, clip, replace(track, values=values)), clip, track


def test_an_edit_that_changes_nothing_is_none(model):
    edits, clip, track = with_key(model, ModelEdits())
    assert edits != ModelEdits()
    assert edits.with_track(model, clip, track) == ModelEdits()
    key = FactorKey(0, "roughness")
    rough = ModelEdits().with_factor(model, key, 0.25)
    assert rough.with_factor(model, key, model.materials[0].roughness) == ModelEdits()
    vertex = VertexKey(0, 0, 3)
    turned = ModelEdits().with_weights(model, {vertex: ((1, 2, 0, 0), (0.5, 0.5, 0.0, 0.0))})
    assert turned.with_weights(model, {vertex: row_of(model, vertex)}) == ModelEdits()


def test_what_is_not_edited_is_the_same_object(model):
    rough = ModelEdits().with_factor(model, FactorKey(0, "roughness"), 0.25)
    one = edited(model, rough)
    assert one.materials[0].roughness == 0.25
    assert one.clips is model.clips
    assert one.meshes is model.meshes
    both, clip, _ = with_key(model, rough)
    two = edited(model, both, (rough, one))
    assert two.materials is one.materials
    assert two.clips[0] is not clip
    assert two.clips[1] is model.clips[1]
    back = edited(model, ModelEdits(), (both, two))
    assert back.clips[0] is clip
    assert back.materials == model.materials


def test_the_others_share_the_rest_of_a_weight():
    row = (4, 7, 9, 0), (0.5, 0.25, 0.25, 0.0)
    assert reweighted(row, 4, 0.0) == ((4, 7, 9, 0), (0.0, 0.5, 0.5, 0.0))
    assert reweighted(row, 7, 2.0) == ((4, 7, 9, 0), (0.0, 1.0, 0.0, 0.0))
    assert reweighted(row, 3, 0.5) == ((4, 7, 9, 3), (0.25, 0.125, 0.125, 0.5))
    assert reweighted(((1, 0), (1.0, 0.0)), 1, 0.25) == ((1, 0), (1.0, 0.0))
    assert reweighted(((1, 2), (0.5, 0.5)), 3, 0.25) is None


def test_vertices_of_a_seam_are_found(model):
    part = model.meshes[0].primitives[0]
    _, first, counts = np.unique(part.positions, axis=0, return_index=True, return_counts=True)
    key = VertexKey(0, 0, int(first[counts > 1][0]))
    found = same_vertices(model, key)
    assert key in found
    assert len(found) > 1
    assert len({tuple(part.positions[each.vertex]) for each in found if each.primitive == 0}) == 1


def test_edits_are_described(model):
    edits, clip, _ = with_key(model, ModelEdits())
    edits = edits.with_factor(model, FactorKey(0, "roughness"), 0.25)
    edits = edits.with_weights(model, {VertexKey(0, 0, 3): ((1, 2, 0, 0), (0.5, 0.5, 0.0, 0.0))})
    expected = f"1 key in {clip.name}, 1 vertex and 1 material factor"
    assert edits_text(edits, model) == expected


def test_edits_of_what_has_changed_do_not_fit(model):
    edits, _, _ = with_key(model, ModelEdits())
    edits = edits.with_factor(model, FactorKey(0, "roughness"), 0.25)
    edits = edits.with_weights(model, {VertexKey(0, 0, 3): ((1, 2, 0, 0), (0.5, 0.5, 0.0, 0.0))})
    assert fitting(edits, model, load(model.path)) == edits
    other = edited(model, edits)
    assert fitting(edits, model, other) == ModelEdits()
    painted = replace(model, materials=(replace(model.materials[0], metallic=0.75),))
    assert fitting(edits, model, painted) == edits
    assert not fitting(edits, model, replace(model, materials=())).factors
    assert not fitting(edits, model, replace(model, meshes=())).weights
    assert not fitting(edits, model, model.with_clips([])).tracks
