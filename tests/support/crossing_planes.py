"""Transparent planes that cross, and their exact picture: blended by depth at each pixel."""

from dataclasses import replace

import numpy as np

from rigview.model.material import Material
from tests.support.models import make_model, make_primitive

COLOURS = [(1, 0, 0, 0.5), (0, 0.8, 0, 0.6), (0, 0, 1, 0.4), (1, 1, 0, 0.5)]


def plane(turn, tilt=0.0, size=1.0, at=(0.0, 0.0, 0.0), material=0):
    """A square about the vertical axis, tilted about its own horizontal one."""
    x = np.array([np.cos(turn), 0.0, -np.sin(turn)])
    z = np.array([np.sin(turn), 0.0, np.cos(turn)])
    y = np.cos(tilt) * np.array([0.0, 1.0, 0.0]) + np.sin(tilt) * z
    corners = [at + size * (a * x + b * y) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    normals = np.tile(np.cross(x, y), (4, 1)).astype(np.float32)
    return make_primitive(corners, [0, 1, 2, 0, 2, 3], normals=normals, material=material)


def glass(k, **fields):
    return Material(
        base_color=COLOURS[k], alpha_mode="BLEND", double_sided=True, unlit=True, **fields
    )


def crossing(*, joined=False):
    """Three planes that cross each other and a fourth; `joined`: one primitive, vertex colours."""
    planes = [plane(0.3), plane(1.5), plane(2.4, 0.5, 0.9), plane(0.0, 1.2, 0.8)]
    if not joined:
        parts = [replace(each, material=k) for k, each in enumerate(planes)]
        return make_model(parts, materials=tuple(glass(k) for k in range(4)))
    colors = np.repeat(np.array(COLOURS, np.float32), 4, axis=0)
    one = make_primitive(
        np.concatenate([each.positions for each in planes]),
        np.concatenate([each.indices + 4 * k for k, each in enumerate(planes)]),
        normals=np.concatenate([each.normals for each in planes]), colors=colors, material=0,
    )  # fmt: skip
    white = Material(alpha_mode="BLEND", double_sided=True, unlit=True)
    return make_model([one], materials=(white,))


def layers(model, camera, size):
    """Depth [L, H, W] of planes at the middle of each pixel, and their colours [L, 4].

    Depth is NaN beside a plane.
    """
    width, height = size
    matrix = (camera.projection(width / height) @ camera.view()).astype(np.float64)
    x = (np.arange(width) + 0.5) / width * 2 - 1
    y = 1 - (np.arange(height) + 0.5) / height * 2
    ends = []
    for depth in (-1.0, 1.0):
        clip = np.stack([*np.meshgrid(x, y), np.full((height, width), depth),
                         np.ones((height, width))], axis=-1)  # fmt: skip
        points = clip @ np.linalg.inv(matrix).T
        ends.append(points[..., :3] / points[..., 3:])
    begin, way = ends[0], ends[1] - ends[0]
    depths, colours = [], []
    for part in model.meshes[0].primitives:
        for k, quad in enumerate(part.positions.reshape(-1, 4, 3).astype(np.float64)):
            a, b = quad[1] - quad[0], quad[3] - quad[0]
            normal = np.cross(a, b)
            with np.errstate(all="ignore"):
                t = ((quad[0] - begin) @ normal) / (way @ normal)
            hit = begin + t[..., None] * way - quad[0]
            u, v = hit @ a / (a @ a), hit @ b / (b @ b)
            inside = (u >= 0) & (u <= 1) & (v >= 0) & (v <= 1)
            depths.append(np.where(inside, t, np.nan))
            colours.append(
                model.materials[part.material].base_color
                if part.colors is None
                else part.colors[4 * k]
            )
    return np.array(depths), np.array(colours, float)


def composed(depths, colours, encode, background):
    """The exact picture [H, W, 3]: colours [L, 4] over a background, the furthest first."""
    order = np.argsort(-np.where(np.isnan(depths), np.inf, depths), axis=0)
    picture = np.tile(np.array(background, float), (*depths.shape[1:], 1))
    for rank in order:
        alpha = np.take_along_axis(depths, rank[None], 0)[0]
        alpha = np.where(np.isnan(alpha), 0.0, colours[rank, 3])[..., None]
        picture = encode(colours[rank, :3]) * alpha + picture * (1 - alpha)
    return picture
