"""UV unwrapping of the character's surfaces, tangents, and the surface at each texel.

xatlas cuts the surfaces into charts and packs them into one square; important charts, such as the
face's, get a higher texel density.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import xatlas
from numpy.typing import NDArray

from .bones import F64
from .shapes import length

I64 = NDArray[np.int64]
SIZE = 2048  # texels to a side
GAP = 6  # texels between charts
BLOCK = 1 << 14  # texels whose data fits into the processor's cache
STEP = 0.97  # by what the scale goes down until all charts fit
FULL = 0.66 * STEP**12  # share of the square to try first; greater ones do not fit


@dataclass(frozen=True)
class Sheet:
    """An unwrapped surface: V vertices; those on borders of charts are duplicated."""

    source: I64  # [V] the vertex that each is a copy of
    texcoords: F64  # [V, 2] 0 … 1, v down
    triangles: I64  # [T, 3] in the order of the surface's own


@dataclass(frozen=True)
class Texels:
    """Surface data at the N texels covered by charts."""

    rows: I64  # [N] from the top
    columns: I64  # [N]
    triangle: I64  # [N]
    corners: F64  # [N, 3] shares of the triangle's corners; beyond an edge one is below zero

    def blocks(self, size: int = BLOCK) -> Iterator["Texels"]:
        """Yield the texels in blocks."""
        for start in range(0, len(self.rows), size):
            part = slice(start, start + size)
            yield Texels(
                self.rows[part], self.columns[part], self.triangle[part], self.corners[part]
            )

    def blend(self, values: F64, triangles: I64) -> F64:
        """Return what values [V, ...] at vertices are at the texels [N, ...]."""
        around = values[triangles[self.triangle]]
        return np.einsum("nk,nk...->n...", self.corners, around)


def unwrap(surfaces: list[tuple[F64, F64, I64, F64]]) -> list[Sheet]:
    """Lay surfaces flat on one square.

    Parameters
    ----------
    surfaces
        Points [V, 3], normals [V, 3], triangles [T, 3], and how much room [T] each triangle wants,
        1 being usual.
    """
    charts = xatlas.Atlas()
    for points, normals, triangles, _ in surfaces:
        charts.add_mesh(
            np.round(points, 6).astype(np.float32),
            triangles.astype(np.uint32),
            np.round(normals, 5).astype(np.float32),
        )
    options = xatlas.ChartOptions()
    options.max_iterations = 2
    charts.generate(options, xatlas.PackOptions())
    flat, cut = [], []
    for m, (_, _, triangles, room) in enumerate(surfaces):
        source, corners, uv = charts.get_mesh(m)
        uv = uv * (charts.width, charts.height) / charts.texels_per_unit  # metres
        for c in range(charts.get_mesh_chart_count(m)):
            faces = np.asarray(charts.get_mesh_chart(m, c).faces, np.int64)
            own = np.unique(corners[faces])
            uv[own] *= np.sqrt(np.mean(room[faces] ** 2))
        flat.append((uv.astype(np.float32), corners))
        cut.append(source.astype(np.int64))
        if len(corners) != len(triangles):
            raise ValueError("xatlas left triangles out")
    packed = _packed(flat)
    sheets = []
    for m, source in enumerate(cut):
        again, corners, uv = packed.get_mesh(m)
        sheet = Sheet(source[again], uv.astype(np.float64), corners.astype(np.int64))
        sheets.append(_without_leftovers(sheet))
    return sheets


def _without_leftovers(sheet: Sheet) -> Sheet:
    """Move triangles that are too thin for a chart, at (0, 0), onto a point of another triangle."""
    lost = (sheet.texcoords == 0.0).all(axis=1)
    known = dict(zip(sheet.source[~lost].tolist(), np.flatnonzero(~lost).tolist(), strict=True))
    thin = sheet.triangles[lost[sheet.triangles].any(axis=1)]
    group, before = np.arange(len(lost)), np.zeros(len(lost), np.int64)
    while (group != before).any():  # what hangs together goes to one point
        before = group.copy()
        for corners in thin:
            group[corners] = group[corners].min()
    texcoords = sheet.texcoords.copy()
    for first in np.unique(group[lost]):
        members = np.flatnonzero((group == first) & lost)
        places = [known[v] for v in sheet.source[members].tolist() if v in known]
        texcoords[members] = sheet.texcoords[places[0]]
    return Sheet(sheet.source, texcoords, sheet.triangles)


def _packed(flat: list[tuple[NDArray[np.float32], NDArray[np.uint32]]]) -> xatlas.Atlas:
    """Return charts packed into one square at the largest scale that fits."""
    area = 0.0
    for uv, corners in flat:
        a, b, c = (uv[corners[:, k]].astype(np.float64) for k in range(3))
        (e, f), (g, h) = (b - a).T, (c - a).T
        area += 0.5 * float(np.abs(e * h - f * g).sum())
    density = SIZE * np.sqrt(FULL / area)
    while True:
        atlas = xatlas.Atlas()
        for uv, corners in flat:
            atlas.add_uv_mesh(uv, corners)
        options = xatlas.PackOptions()
        options.resolution, options.padding, options.bilinear = SIZE, GAP, True
        options.texels_per_unit = density
        atlas.generate(xatlas.ChartOptions(), options)
        if atlas.atlas_count == 1 and (atlas.width, atlas.height) == (SIZE, SIZE):
            return atlas
        density *= STEP


def tangents(points: F64, normals: F64, uv: F64, triangles: I64) -> F64:
    """Return tangents [V, 4] along +u, angle-weighted, orthogonal to the normals.

    The fourth component is the handedness, with -v (up in the picture).
    """
    a, b, c = (points[triangles[:, k]] for k in range(3))
    ua, ub, uc = (uv[triangles[:, k]] for k in range(3))
    (e, f), (g, h) = (b - a, c - a), (ub - ua, uc - ua)
    area = g[:, 0] * h[:, 1] - h[:, 0] * g[:, 1]
    side = np.where(area < 0.0, -1.0, 1.0)
    along = side[:, None] * (e * h[:, 1:] - f * g[:, 1:])
    down = side[:, None] * (f * g[:, :1] - e * h[:, :1])
    along, down = unit(along), unit(down)
    total, below = np.zeros_like(points), np.zeros_like(points)
    for k, (one, two) in enumerate(((b - a, c - a), (c - b, a - b), (a - c, b - c))):
        angle = np.arccos(np.clip(np.einsum("ij,ij->i", unit(one), unit(two)), -1.0, 1.0))
        np.add.at(total, triangles[:, k], along * angle[:, None])
        np.add.at(below, triangles[:, k], down * angle[:, None])
    flat = total - normals * np.einsum("ij,ij->i", total, normals)[:, None]
    spare = np.cross(normals, np.where(np.abs(normals[:, :1]) < 0.9, (1.0, 0, 0), (0, 1.0, 0)))
    flat = np.where(length(flat)[:, None] > 1e-6, flat, spare)
    flat = unit(flat)
    sign = np.where(np.einsum("ij,ij->i", np.cross(normals, flat), -below) < 0.0, -1.0, 1.0)
    return np.concatenate((flat, sign[:, None]), axis=1)


def unit(vectors: F64) -> F64:
    """Return vectors [..., 3] of unit length; zero vectors are unchanged."""
    return vectors / np.maximum(length(vectors)[..., None], 1e-20)


def corner_normals(points: F64, triangles: I64) -> F64:
    """Return normals [V, 3] of a surface, weighted by the triangles' angles."""
    a, b, c = (points[triangles[:, k]] for k in range(3))
    faces = unit(np.cross(b - a, c - a))
    total = np.zeros_like(points)
    for k, (one, two) in enumerate(((b - a, c - a), (c - b, a - b), (a - c, b - c))):
        angle = np.arccos(np.clip(np.einsum("ij,ij->i", unit(one), unit(two)), -1.0, 1.0))
        np.add.at(total, triangles[:, k], faces * angle[:, None])
    return unit(total)


def openness(points: F64, normals: F64, triangles: I64, reach: float = 0.05) -> F64:
    """Return the ambient visibility [V] of each point, 0 … 1.

    Every triangle within `reach` is a disk of equal area (Bunnell, GPU Gems 2, chapter 14).
    """
    a, b, c = (points[triangles[:, k]] for k in range(3))
    across = np.cross(b - a, c - a)
    size = length(across)
    middle, facing, area = (a + b + c) / 3.0, unit(across), 0.5 * size
    order = np.argsort(middle[:, 1], kind="stable")
    middle, facing, area = middle[order], facing[order], area[order]
    shade = np.zeros(len(points))
    rows = np.argsort(points[:, 1], kind="stable")
    for part in np.array_split(rows, 200):
        height = points[part, 1]
        low, high = np.searchsorted(middle[:, 1], (height[0] - reach, height[-1] + reach))
        way = middle[None, low:high] - points[part, None]
        far = np.maximum(length(way), 1e-6)
        rise = np.einsum("vtk,vk->vt", way, normals[part]) / far
        seen = -np.einsum("vtk,tk->vt", way, facing[low:high]) / far
        form = (
            np.clip(rise, 0.0, 1.0)
            * np.clip(seen, 0.0, 1.0)
            * np.clip(2.0 - 2.0 * far / reach, 0.0, 1.0)
        )
        disk = area[low:high]
        shade[part] = (form * disk / (np.pi * far**2 + disk)).sum(axis=1)
    return np.clip(1.0 - 0.6 * shade, 0.2, 1.0)


def texels(sheet: Sheet, size: int = SIZE, reach: float = 1.0) -> Texels:
    """Return the texels covered by a sheet's charts, dilated by `reach` texels."""
    corners = (sheet.texcoords * size - 0.5)[sheet.triangles]  # a texel's number is its centre
    low = np.maximum(np.floor(corners.min(axis=1) - reach), 0).astype(int)
    high = np.minimum(np.ceil(corners.max(axis=1) + reach), size - 1).astype(int)
    boxes = np.concatenate((low, np.maximum(high + 1 - low, 0)), axis=1)
    ends = np.cumsum(boxes[:, 2] * boxes[:, 3])
    cuts = np.searchsorted(ends, np.arange(BLOCK, ends[-1], BLOCK))
    blocks = np.split(np.arange(len(corners)), cuts)
    found = [_covered(corners[own], boxes[own], own, reach) for own in blocks]
    rows, columns, triangle, shares = (np.concatenate(part) for part in zip(*found, strict=True))
    # A texel near several triangles belongs to the one that contains it deepest.
    texel, depth = rows * size + columns, shares.min(axis=1)
    deepest = np.full(size * size, -np.inf)
    np.maximum.at(deepest, texel, depth)
    best = np.flatnonzero(depth == deepest[texel])[::-1]
    owner = np.full(size * size, -1)
    owner[texel[best]] = best  # of equals, the first
    first = owner[owner >= 0]
    return Texels(rows[first], columns[first], triangle[first], shares[first])


def _covered(corners: F64, boxes: I64, own: I64, reach: float) -> tuple[I64, I64, I64, F64]:
    """Return rows, columns, triangles and shares of corners of the texels in triangles `own`.

    Parameters
    ----------
    corners
        Of these triangles [T, 3, 2], in texels.
    boxes
        The texels around each triangle [T, 4]: first column and row, width, height.
    own
        Numbers of the triangles [T].
    reach
        By how much they are dilated, in texels.
    """
    (e, f), (g, h) = ((corners[:, k] - corners[:, 0]).T for k in (1, 2))
    area = e * h - g * f
    flat = np.abs(area) < 1e-9
    corners, boxes, own, area = (values[~flat] for values in (corners, boxes, own, area))
    left, top, width, height = boxes.T
    counts = width * height
    which = np.repeat(np.arange(len(own)), counts)
    number = np.arange(len(which)) - (np.cumsum(counts) - counts)[which]
    y, x = np.divmod(number, width[which])
    x, y = left[which] + x, top[which] + y
    (ax, ay), (bx, by), (cx, cy) = corners.transpose(1, 2, 0)
    away = [(px[which] - x, py[which] - y) for px, py in ((ax, ay), (bx, by), (cx, cy))]
    (ax, ay), (bx, by), (cx, cy) = away
    first = (bx * cy - cx * by) / area[which]
    second = (cx * ay - ax * cy) / area[which]
    shares = np.stack((first, second, 1.0 - first - second), axis=1)
    sides = corners[:, (2, 0, 1)] - corners[:, (1, 2, 0)]
    lengths = np.maximum(np.hypot(sides[..., 0], sides[..., 1]), 1e-9)
    heights = np.abs(area)[:, None] / lengths
    inside = (shares * heights[which] > -reach).all(axis=1)
    return y[inside], x[inside], own[which[inside]], shares[inside]


def filled(picture: F64, covered: NDArray[np.bool_]) -> F64:
    """Return a picture [H, W, C] with uncovered texels, zero so far, filled smoothly.

    The picture is halved until all is covered; missing texels are taken from the smaller levels.
    """
    if covered.all() or min(covered.shape) < 2:
        return picture
    height, width = covered.shape

    def halved(values: F64) -> F64:
        blocks = values.reshape(height // 2, 2, width // 2, 2, -1)
        return blocks[:, 0, :, 0] + blocks[:, 0, :, 1] + blocks[:, 1, :, 0] + blocks[:, 1, :, 1]

    count = halved(covered.astype(np.float64))
    small = halved(picture) / np.maximum(count, 1.0)
    small = filled(small, count[..., 0] > 0.0)
    picture = picture.copy()
    rows, columns = np.nonzero(~covered)
    picture[rows, columns] = small[rows // 2, columns // 2]
    return picture
