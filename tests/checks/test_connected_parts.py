"""Parts of meshes: what connects triangles, which side they face, their volume."""

from dataclasses import replace

import numpy as np
import pytest

from rigview.checks.drawn_surfaces import parts_of, triangles_of
from rigview.checks.surface_graph import connected
from rigview.model.model import Mesh
from tests.support.models import make_primitive, square
from tests.support.solids import cube, sphere


def parts(*primitives):
    return parts_of(triangles_of(Mesh("Mesh", primitives)))


def test_connected_numbers():
    pairs = np.array([[4, 3], [1, 2], [2, 0], [6, 3]])
    assert connected(7, *pairs.T).tolist() == [0, 0, 0, 3, 3, 5, 3]
    assert connected(2, *np.zeros((2, 0), int)).tolist() == [0, 1]


def test_chain_of_many():
    order = np.random.default_rng(1).permutation(2000)
    assert not connected(2000, order[1:], order[:-1]).any()


def test_vertices_at_the_same_place_connect_triangles():
    """A cube has own vertices on each side; its sides may be of several primitives."""
    box = cube(2)
    half = len(box.indices) // 6 * 3
    halves = [replace(box, indices=box.indices[:half]), replace(box, indices=box.indices[half:])]
    for found in (parts(box), parts(*halves)):
        assert found.closed.tolist() == [True]
        assert found.volumes == pytest.approx([8])
        assert found.areas == pytest.approx([24])
        assert not found.turned.any()


def test_separate_parts():
    found = parts(cube(2), cube(1, at=(3, 0, 0)), sphere(24, at=(9, 0, 0)))
    assert found.volumes == pytest.approx([8, 1, 4.19], rel=0.02)
    assert found.roundness[2] == pytest.approx(1, abs=0.02)
    assert np.bincount(found.label).tolist()[:2] == [12, 12]


def test_openings_are_closed_by_fans():
    """A cube without one of its sides has its whole volume wherever it is."""
    box = cube(2, at=(50, 20, -30))
    for side in range(6):
        corners = np.delete(box.indices.reshape(6, 6), side, axis=0)
        found = parts(replace(box, indices=corners.reshape(-1)))
        assert found.volumes == pytest.approx([8])
        assert not found.closed.any()


def test_turned_triangles():
    box = cube(2)
    corners = box.indices.reshape(-1, 3).copy()
    corners[3] = corners[3][::-1]
    found = parts(replace(box, indices=corners.reshape(-1)))
    assert found.turned.tolist() == [k == 3 for k in range(12)]
    assert found.volumes == pytest.approx([8])
    corners = box.indices.reshape(-1, 3).copy()
    corners[0] = corners[0][::-1]
    found = parts(replace(box, indices=corners.reshape(-1)))
    assert found.turned.tolist() == [k != 0 for k in range(12)]
    assert found.volumes == pytest.approx([-8]), "by the side of the first triangle"


def test_flat_and_repeated_triangles_are_left_out():
    card = square()
    corners = np.concatenate((card.indices.reshape(-1, 3), [[0, 1, 1], [2, 1, 0]]))
    found = triangles_of(Mesh("Mesh", (replace(card, indices=corners.reshape(-1)),)))
    assert found.vertices.tolist() == [[0, 2, 3]]


def test_no_triangles():
    assert triangles_of(Mesh("Mesh", ())) is None
    assert triangles_of(Mesh("Mesh", (replace(square(), topology="lines"),))) is None
    empty = triangles_of(Mesh("Mesh", (make_primitive([[0, 0, 0]] * 3),)))
    assert len(empty.sizes) == 0
