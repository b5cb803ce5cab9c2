"""Errors painted on a skin: how far each vertex of a version is from where it was."""

from dataclasses import dataclass, replace

import numpy as np

from ..animation.clip import Clip
from ..animation.types import F32, F64
from ..model.model import Material, Mesh, Model, Primitive
from ..model.skinned_vertices import model_space, piece
from ..scene.view_modes import VIRIDIS
from .shared_geometry import Bodies

STOPS: F64 = np.array(VIRIDIS)
WITHIN = (0.42, 0.42, 0.42)  # what is within the threshold


def viridis(x: F64) -> F64:
    """Return the colours [..., 3] (sRGB, 0 to 1) of shares [...] of the greatest error."""
    at = np.clip(x, 0.0, 1.0) * (len(STOPS) - 1)
    return np.stack([np.interp(at, np.arange(len(STOPS)), STOPS[:, c]) for c in range(3)], axis=-1)


@dataclass(frozen=True, slots=True, eq=False)
class Errors:
    """How far the vertices of B are off at one moment, metres of A."""

    vertices: tuple[tuple[F64, ...], ...]  # [V] of each primitive of each instance of B
    greatest: float
    point: F64  # [3] where that is, in B's model space divided by the scale
    joint: str  # the heaviest one there


def errors_at(bodies: Bodies, clips: tuple[Clip | None, Clip | None], time: float) -> Errors:
    """Return how far each vertex of B is off: those that have no partner as their joints are.

    A joint without a partner is as far off as the one above it. Where nothing is drawn of B, the
    greatest is that of a joint.
    """
    b = bodies.b
    poses = bodies.poses(clips, np.array([time]))
    matrices = [
        model_space(model.skeleton, pose)[0][0]
        for model, pose in zip((bodies.a, b), poses, strict=True)
    ]
    places = matrices[1][:, :3, 3] / bodies.scale
    joints = _joint_errors(bodies, matrices[0][:, :3, 3], places)
    found = [
        [
            _by_joints(bodies, k, primitive, joints)
            for primitive in b.meshes[instance.mesh].primitives
        ]
        for k, instance in enumerate(b.instances)
    ]
    for pair, far in bodies.distances(poses):
        found[pair.instance][pair.primitive][pair.rows] = far[:, 0]
    tops = [
        (float(each.max(initial=-1)), k, p)
        for k, group in enumerate(found)
        for p, each in enumerate(group)
        if b.instances[k].in_scene and len(each)
    ]
    vertices = tuple(tuple(group) for group in found)
    if not tops:
        j = int(np.argmax(joints)) if len(joints) else -1
        top, name = (float(joints[j]), b.skeleton.names[j]) if j >= 0 else (0.0, "")
        return Errors(vertices, top, places[j] if j >= 0 else np.zeros(3), name)
    top, k, p = max(tops)
    v = np.array([int(np.argmax(found[k][p]))])
    instance = b.instances[k]
    one = piece(b, instance, b.meshes[instance.mesh].primitives[p], v)
    point = one.place(one.palette(matrices[1]), one.shape(poses[1].values[0]))[0] / bodies.scale
    heaviest = int(one.joints[int(np.argmax(one.weights[0]))])
    return Errors(vertices, top, point, b.skeleton.names[heaviest])


def _joint_errors(bodies: Bodies, before: F64, after: F64) -> F64:
    """Return how far each joint of B is off, [joints of B]."""
    back, parents = bodies.match.back, bodies.b.skeleton.parents.tolist()
    far = np.zeros(len(back))
    has = back >= 0
    way = after[has] - before[back[has]]
    far[has] = np.sqrt(np.einsum("jc,jc->j", way, way))
    for joint in np.flatnonzero(~has).tolist():  # parents come first
        if parents[joint] >= 0:
            far[joint] = far[parents[joint]]
    return far


def _by_joints(bodies: Bodies, instance: int, primitive: Primitive, joints: F64) -> F64:
    """Return the mean error of each vertex's joints, by their weights."""
    carried = bodies.b.instances[instance]
    if carried.skin < 0 or primitive.joints is None or primitive.weights is None:
        return np.full(len(primitive.positions), joints[carried.joint])
    own = joints[bodies.b.skins[carried.skin].joints]
    out: F64 = (own[primitive.joints] * primitive.weights).sum(axis=1)
    return out


def paintable(model: Model) -> Model:
    """Return a model with a mesh of its own for each instance, and materials that hide nothing.

    Only what is cut out by a texture keeps that texture.
    """
    return replace(
        model,
        meshes=tuple(model.meshes[each.mesh] for each in model.instances),
        instances=tuple(replace(each, mesh=k) for k, each in enumerate(model.instances)),
        materials=tuple(map(_plain, model.materials)),
    )


def _plain(material: Material) -> Material:
    cut = material.alpha_mode == "MASK"
    return Material(
        base_color=material.base_color,
        base_color_texture=material.base_color_texture if cut else None,
        alpha_mode="MASK" if cut else "OPAQUE",
        alpha_cutoff=material.alpha_cutoff,
        double_sided=material.double_sided,
    )


def painted(model: Model, errors: Errors, threshold: float, full: float) -> Model:
    """Return a model from `paintable` with the errors as its vertex colours.

    Red is the share of `full` metres, 0 where the error is within `threshold` metres: what the
    view mode "heat" shows.
    """
    meshes = [
        Mesh(
            mesh.name,
            tuple(
                replace(primitive, colors=_colours(primitive, far, threshold, full))
                for primitive, far in zip(mesh.primitives, group, strict=True)
            ),
        )
        for mesh, group in zip(model.meshes, errors.vertices, strict=True)
    ]
    return replace(model, meshes=tuple(meshes))


def _colours(primitive: Primitive, far: F64, threshold: float, full: float) -> F32:
    colours = np.ones((len(far), 4), np.float32)
    if primitive.colors is not None:
        colours[:, 3] = primitive.colors[:, 3]
    share = np.clip(far / full, 1e-4, 1.0) if full > 0 else np.zeros(len(far))
    colours[:, 0] = np.where(far > threshold, share, 0.0)
    return colours
