"""Transparent surfaces that cross: blended by their depth at each pixel."""

from dataclasses import replace

import numpy as np
import pytest

from rigview.model.material import Material
from rigview.rendering import passes
from rigview.rendering.peeling import triangles_cross
from rigview.scene.camera import OrbitCamera
from tests.support.crossing_planes import composed, crossing, layers, plane
from tests.support.draw import draw, srgb
from tests.support.models import make_model
from tests.support.solids import cube, sphere

SIZE = 160, 160
BLACK = {"background": (0, 0, 0, 1), "view_mode": "base-colour"}
NEAR = 8  # of 255


def camera(side):
    """One of eight cameras around."""
    return OrbitCamera(azimuth=side * np.pi / 4 + 0.1, elevation=0.25, distance=5.0)


def off(picture, expected):
    return np.abs(picture[..., :3].astype(float) - expected).max(axis=2)


@pytest.mark.parametrize("joined", [False, True])
@pytest.mark.parametrize("side", range(8))
def test_crossing_planes_are_blended_by_depth(gl, side, joined):
    """Four planes of several primitives, and of one, from eight sides."""
    model = crossing(joined=joined)
    expected = composed(*layers(model, camera(side), SIZE), srgb, (0, 0, 0))
    picture = draw(gl, model, size=SIZE, camera=camera(side), **BLACK)
    covered = expected.max(axis=2) > 0
    assert covered.mean() > 0.15
    assert (off(picture, expected) <= NEAR)[covered].mean() >= 0.99


@pytest.mark.parametrize("samples", [4, 16])
@pytest.mark.parametrize("side", [0, 3])
def test_with_several_samples(gl, side, samples):
    """Apart from pixels at edges, where samples differ."""
    model, fine = crossing(), (4 * SIZE[0], 4 * SIZE[1])
    parts = composed(*layers(model, camera(side), fine), srgb, (0, 0, 0))
    parts = parts.reshape(SIZE[1], 4, SIZE[0], 4, 3).transpose(0, 2, 1, 3, 4)
    parts = parts.reshape(SIZE[1], SIZE[0], 16, 3)
    inside = (np.ptp(parts, axis=2).max(axis=2) <= 2) & (parts.max(axis=(2, 3)) > 0)
    picture = draw(gl, model, size=SIZE, camera=camera(side), samples=samples, **BLACK)
    assert (off(picture, parts.mean(axis=2)) <= NEAR)[inside].mean() >= 0.99


@pytest.mark.parametrize("mode", ["BLEND", "MASK"])
@pytest.mark.parametrize("side", range(8))
def test_a_visor_over_hair_over_skin(gl, side, mode):
    """From all sides: a pane, which crosses the hair, at one side of an opaque head."""
    hair = Material(base_color=(0, 0.6, 0, 0.5 if mode == "BLEND" else 1.0), alpha_mode=mode)
    visor = Material(base_color=(0, 0, 1, 0.4), alpha_mode="BLEND", double_sided=True, unlit=True)
    skin = Material(base_color=(1, 0, 0, 1), unlit=True)
    parts = [
        plane(0.0, size=0.8, at=(0.0, 0.0, 0.75), material=2),
        plane(1.1, size=0.9, at=(0.0, 0.0, 0.6), material=1),
        plane(0.0, size=0.5, material=0),
    ]
    hair = replace(hair, double_sided=True, unlit=True)
    skin = replace(skin, double_sided=True)
    model = make_model(parts, materials=(skin, hair, visor))
    depths, colours = layers(model, camera(side), SIZE)
    expected = composed(depths, colours, srgb, (0, 0, 0))
    picture = draw(gl, model, size=SIZE, camera=camera(side), **BLACK)
    covered = expected.max(axis=2) > 0
    assert (off(picture, expected) <= NEAR)[covered].mean() >= 0.99


def test_sorted_surfaces_are_the_same_peeled(gl, monkeypatch):
    """Where the order was right, peeling changes nothing."""
    balls = [sphere(12, 0.4, (x, 0.0, x), material=k) for k, x in enumerate((-0.3, 0.3))]
    red, blue = (
        Material(base_color=color, alpha_mode="BLEND", double_sided=True, roughness=0.5)
        for color in ((1, 0, 0, 0.5), (0, 0, 1, 0.5))
    )
    model, pictures = make_model(balls, materials=(red, blue)), []
    for most in (passes.MOST_PEELED, 0):
        monkeypatch.setattr(passes, "MOST_PEELED", most)
        pictures.append(draw(gl, model, size=SIZE, samples=4, camera=camera(1)).astype(int))
    assert (np.abs(pictures[0] - pictures[1]).max(axis=2) > 1).mean() < 0.002


def points_of(*parts):
    """All points, and the triangles [T, 3] of them."""
    starts = np.cumsum([0, *(len(part.positions) for part in parts)])
    found = [p.indices.reshape(-1, 3) + s for p, s in zip(parts, starts[:-1], strict=True)]
    points = np.concatenate([part.positions for part in parts]).astype(float)
    return points, np.concatenate(found).astype(np.intp)


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ([plane(0.0), plane(1.2)], True),
        ([plane(0.0), plane(np.pi / 2)], True),  # both diagonals meet in the middle
        ([plane(0.0), plane(0.0, at=(0.0, 0.0, 0.5))], False),
        ([plane(0.0), plane(0.0, at=(0.5, 0.0, 0.0))], False),  # in one plane
        ([plane(0.0), plane(np.pi / 2, at=(0.0, 0.0, 1.0))], False),  # they touch at an edge
        ([sphere(12)], False),
        ([cube()], False),
        ([cube(), cube(at=(0.3, 0.3, 0.3))], True),
        ([cube(), cube(0.5)], False),
        ([], False),
    ],
)
def test_triangles_that_cross(parts, expected):
    points, triangles = points_of(*parts) if parts else (np.zeros((0, 3)), np.zeros((0, 3), int))
    assert triangles_cross(points, triangles) == expected
