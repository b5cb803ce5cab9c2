"""The front-most triangles at points of a picture, found on the CPU in float64."""

from dataclasses import dataclass

import numpy as np

from rigview.model.skinned_vertices import vertex_block

EDGE = 0.02  # pixels: distance from an edge at which rounding decides
TIE = 2e-6  # of the depth range: nearer surfaces are equally near


@dataclass(frozen=True)
class Triangles:
    """T projected triangles of all drawn primitives of a character."""

    corners: np.ndarray  # [T, 3, 3] pixels from the top left, and depth
    part: np.ndarray  # [T] index into `parts`
    index: np.ndarray  # [T] in its primitive
    parts: list  # (node, primitive)


def projected(character, camera, size):
    """The triangles of a character that face a camera, in a picture of `size` pixels."""
    model, corners, part, index, parts = character.model, [], [], [], []
    hidden = character.pointer_values.hidden(character.pose.values)
    matrices = character.matrices.astype(np.float64)
    for instance in model.instances:
        if not instance.in_scene or instance.joint in hidden:
            continue
        for number, primitive in enumerate(model.drawn_mesh(instance).primitives):
            if primitive.topology != "triangles" or not len(primitive.positions):
                continue
            every = np.arange(len(primitive.positions))
            block = vertex_block(model, instance, primitive, every)
            palette = block.palette(matrices)
            placed = block.skinned(palette, block.morphed(character.pose.values))
            world = placed @ character.world[:3, :3].T + character.world[:3, 3]
            seen = camera.project(world, size[0] / size[1]) * [*size, 1.0]
            indices = every if primitive.indices is None else primitive.indices
            triangles = seen[indices].reshape(-1, 3, 3)
            edges = triangles[:, 1:, :2] - triangles[:, :1, :2]
            area = edges[:, 0, 1] * edges[:, 1, 0] - edges[:, 0, 0] * edges[:, 1, 1]
            mirrored = np.linalg.det(palette[0, :, :3]) * np.linalg.det(character.world[:3, :3]) < 0
            material = primitive.material
            if material < 0 or not model.materials[material].double_sided:
                shown = area * (-1 if mirrored else 1) > 0
            else:
                shown = area != 0
            shown &= np.isfinite(triangles).all(axis=(1, 2))
            kept = np.flatnonzero(shown)
            corners.append(triangles[kept])
            part.append(np.full(len(kept), len(parts)))
            index.append(kept)
            parts.append((instance.joint, number))
    return Triangles(np.concatenate(corners), np.concatenate(part), np.concatenate(index), parts)


def at_points(triangles, points):
    """For each point [N, 2] the front-most triangle (-1: none), and whether rounding decides."""
    corners = triangles.corners
    low, high = corners[..., :2].min(axis=1) - EDGE, corners[..., :2].max(axis=1) + EDGE
    found, unsure = np.full(len(points), -1), np.zeros(len(points), bool)
    for n, point in enumerate(points):
        near = np.flatnonzero(((low <= point) & (point <= high)).all(axis=1))
        if not len(near):
            continue
        a, b, c = (corners[near, k, :2] for k in range(3))
        whole = _cross(b - a, c - a)
        share = np.stack([_cross(c - b, point - b), _cross(a - c, point - c)], axis=1)
        share = np.column_stack([share, _cross(b - a, point - a)]) / whole[:, None]
        edges = np.stack([c - b, a - c, b - a], axis=1)
        away = share * (np.abs(whole) / 1.0)[:, None] / np.linalg.norm(edges, axis=2)  # pixels
        inside = (away >= -EDGE).all(axis=1)
        if not inside.any():
            continue
        depth = (share[inside] * corners[near[inside], :, 2]).sum(axis=1)
        border = (away[inside] < EDGE).any(axis=1)
        first = depth.argmin()
        found[n] = -1 if border[first] and len(depth) == 1 else near[inside][first]
        others = np.abs(depth - depth[first]) < TIE
        unsure[n] = border[first] or others.sum() > 1
    return found, unsure


def _cross(a, b):
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
