"""Spheres, cubes, and a uniform environment."""

import numpy as np

from rigview.scene.environment import LEVELS, SIDE, Environment
from tests.support.models import make_primitive


def sphere(rings=48, radius=1.0, at=(0.0, 0.0, 0.0), **fields):
    """A sphere with smooth normals."""
    theta = np.linspace(0, np.pi, rings + 1)
    phi = np.linspace(0, 2 * np.pi, 2 * rings + 1)
    t, p = np.meshgrid(theta, phi, indexing="ij")
    normals = np.stack([np.sin(t) * np.sin(p), np.cos(t), np.sin(t) * np.cos(p)], -1)
    normals = normals.reshape(-1, 3).astype(np.float32)
    columns = 2 * rings + 1
    k = np.arange(rings)[:, None] * columns + np.arange(2 * rings)
    quads = np.stack([k, k + columns, k + 1, k + 1, k + columns, k + columns + 1], -1)
    return make_primitive(normals * radius + at, quads.ravel(), normals=normals, **fields)


def equatorial(normals):
    """Tangents [V, 4] of a sphere's normals [V, 3], to the east; at the poles to +X."""
    east = np.cross([0.0, 1.0, 0.0], normals)
    lengths = np.linalg.norm(east, axis=1, keepdims=True)
    east = np.where(lengths < 1e-4, [1.0, 0.0, 0.0], east / np.maximum(lengths, 1e-4))
    return np.column_stack([east, np.ones(len(east))]).astype(np.float32)


def cube(size=1.0, at=(0.0, 0.0, 0.0), **fields):
    """A cube with flat normals."""
    faces, normals = [], []
    for axis in range(3):
        for side in (-1, 1):
            normal = np.zeros(3)
            normal[axis] = side
            u = np.roll(np.eye(3)[0], axis + 1)
            v = np.cross(normal, u)
            faces += [normal - u - v, normal + u - v, normal + u + v, normal - u + v]
            normals += [normal] * 4
    at = np.asarray(at, float)
    positions = np.array(faces) * size / 2 + at
    indices = [4 * k + j for k in range(6) for j in (0, 1, 2, 0, 2, 3)]
    return make_primitive(positions, indices, normals=np.array(normals, np.float32), **fields)


def uniform_environment(light=1.0):
    """An environment of constant radiance."""
    irradiance = np.zeros((9, 3), np.float32)
    irradiance[0] = light / 0.282095
    return Environment(irradiance, np.full((LEVELS, SIDE, SIDE, 3), light, np.float32))


def linear_from_srgb(picture):
    """Linear light [..., 3] from 8-bit sRGB."""
    c = np.asarray(picture, float)[..., :3] / 255
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
