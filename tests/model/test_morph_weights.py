"""Morph weights by name, and back."""

import numpy as np
import pytest

from rigview import load
from rigview.errors import UsageError
from rigview.model.morph_weights import (
    find_morph_weights,
    morph_weights,
    no_weights_set,
    weights_by_name,
)
from tests.support.animated_value_files import morphed_nodes


@pytest.fixture
def model(tmp_path):
    """Three nodes of one mesh with the targets "smile" and "#1", and one with "smile"."""
    b = morphed_nodes()
    b.json["meshes"][0] |= {"name": "Face", "extras": {"targetNames": ["smile", "#1"]}}
    shift = [{"POSITION": b.accessor([[0, 0, 1]] * 3)}]
    mesh = b.mesh(targets=shift)
    b.json["meshes"][mesh] |= {"name": "Hat", "extras": {"targetNames": ["smile"]}}
    b.add("nodes", mesh=mesh)
    return load(b.path(tmp_path))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("smile", [0, 2, 4, 6]),
        ("Face/smile", [0, 2, 4]),
        ("Hat/smile", [6]),
        ("#2/smile", [4]),
        ("#2/#1", [5]),
        ("#1", [1, 3, 5]),
        ("sm*", [0, 2, 4, 6]),
        ("Face/*", [0, 1, 2, 3, 4, 5]),
    ],
)
def test_names(model, text, expected):
    assert find_morph_weights(model, text) == expected


@pytest.mark.parametrize(
    ("text", "hint"), [("smil", "did you mean 'smile'?"), ("x*", "the file has 'smile', '#1'")]
)
def test_unknown_names(model, text, hint):
    with pytest.raises(UsageError, match="no morph target") as caught:
        find_morph_weights(model, text)
    assert caught.value.hint == hint


def test_targets_without_names(tmp_path):
    model = load(morphed_nodes().path(tmp_path))
    assert [weight.target for weight in morph_weights(model)] == ["Target 0", "Target 1"] * 3


def test_shortest_names_of_weights(model):
    values = no_weights_set(model)
    values[[0, 2, 4, 6]] = 0.1
    assert weights_by_name(model, values) == {"smile": 0.1}
    values[6] = 0.5
    assert weights_by_name(model, values) == {"Face/smile": 0.1, "Hat/smile": 0.5}
    values[2] = np.nan
    values[6] = np.nan
    assert weights_by_name(model, values) == {"#0/smile": 0.1, "#2/smile": 0.1}
    assert weights_by_name(model, no_weights_set(model)) == {}


def test_names_set_the_same_weights(model, rng):
    for _ in range(20):
        values = rng.choice([np.nan, 0.1, 0.3, -2.5], 7).astype(np.float32)
        found = no_weights_set(model)
        for name, weight in weights_by_name(model, values).items():
            found[find_morph_weights(model, name)] = weight
        np.testing.assert_array_equal(found, values)
