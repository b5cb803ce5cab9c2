"""Rays from both sides of triangles."""

import numpy as np
import pytest

from rigview.checks.drawn_surfaces import DIRECTIONS, open_sides
from tests.support.solids import cube, sphere


def corners_of(part):
    return part.positions[part.indices.reshape(-1, 3)].astype(np.float64)


def sides_of(part, *occluders):
    corners = corners_of(part)
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    kept = np.linalg.norm(normals, axis=1) > 1e-9
    normals = normals[kept] / np.linalg.norm(normals[kept], axis=1)[:, None]
    every = np.concatenate([corners_of(each) for each in occluders] or [np.zeros((0, 3, 3))])
    return open_sides(corners[kept].mean(axis=1), normals, every)


def test_directions():
    assert DIRECTIONS.shape == (26, 3)
    assert np.linalg.norm(DIRECTIONS, axis=1) == pytest.approx(1)
    assert DIRECTIONS.sum(axis=0) == pytest.approx(0)


@pytest.mark.parametrize("part", [cube(), sphere(8), cube(100, at=(5, 6, 7))])
def test_outside_of_a_solid_is_open(part):
    assert sides_of(part, part) == (1, 0)


def test_nothing_hides():
    assert sides_of(cube()) == (1, 1)


def test_inside_of_another_is_hidden():
    assert sides_of(cube(), cube(), sphere(12, 3)) == (0, 0)
    assert sides_of(cube(), sphere(12, 3, at=(9, 0, 0)), cube())[1] == 0
    front, _ = sides_of(cube(), sphere(12, 3, at=(5, 0, 0)), cube())
    assert 0.5 < front < 1


def test_many_triangles_are_processed_in_lots(monkeypatch):
    whole = sides_of(sphere(8), sphere(8), cube(1, at=(2, 0, 0)))
    monkeypatch.setattr("rigview.checks.drawn_surfaces._LOT", 7)
    assert sides_of(sphere(8), sphere(8), cube(1, at=(2, 0, 0))) == whole
