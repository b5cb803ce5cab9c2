"""Pose export: a batch of poses as arrays in glTF node order."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..animation.morph import morph_points
from ..animation.pose import Pose
from ..animation.skin import skin_points
from ..animation.types import F32, F64
from .model import MeshInstance, Model, Primitive

_LAST_ROW = np.array([0.0, 0.0, 0.0, 1.0], np.float32)


class Arrays(dict[str, NDArray[Any]]):
    """Arrays by name.

    Attributes
    ----------
    joint_names
        For each skin the names of its joints, the rows of ``palette_s``.
    """

    joint_names: tuple[tuple[str, ...], ...] = ()


def pose_arrays(
    model: Model,
    pose: Pose,
    times: NDArray[Any],
    *,
    vertices: bool = False,
    world: F64 | None = None,
) -> Arrays:
    """Return the transforms, palettes and values of a batch of T poses as arrays.

    Parameters
    ----------
    pose
        Local transforms with a batch of T in front.
    times
        [T] sample times, seconds.
    vertices
        Whether to add the deformed vertices of every primitive.
    world
        [T, 4, 4] model space to world space, from root motion: applied to everything but the local
        transforms, and stored in ``world``.

    Returns
    -------
    dict
        ``times`` [T]; ``node_names`` [N]; ``node_local`` [T, N, 10] (translation, rotation xyzw,
        scale); ``node_global`` [T, N, 4, 4] node to scene; for each skin s ``palette_s``
        [T, S, 4, 4]; for each node n with a morph mesh ``weights_n`` [T, M]; with `vertices`, for
        each primitive p of the mesh at node n ``vertices_n_p`` [T, V, 3], scene space; for each
        other property animated by a pointer, ``pointer:/…`` [T, C]. Nodes are in glTF order,
        numbers are float32, ``world`` is float64, matrices are [row, column].
    """
    skeleton = model.skeleton
    joints = skeleton.joint_of_node
    matrices = skeleton.to_model(pose)
    if world is not None:
        matrices = world.astype(np.float32)[:, None] @ matrices
    local = np.concatenate([pose.translation, pose.rotation, pose.scale], axis=-1)
    arrays = Arrays(
        times=np.asarray(times, np.float32),
        node_names=np.array([skeleton.names[joint] for joint in joints], np.str_),
        node_local=local[:, joints],
        node_global=matrices[:, joints],
    )
    arrays.joint_names = tuple(
        tuple(skeleton.names[joint] for joint in skin.joints) for skin in model.skins
    )
    if world is not None:
        arrays["world"] = world
    palettes = [skin.palette(matrices) for skin in model.skins]
    for index, palette in enumerate(palettes):
        arrays[f"palette_{index}"] = _with_last_row(palette)
    for instance in model.instances:
        node = int(skeleton.nodes[instance.joint])
        if instance.channel >= 0:
            arrays[f"weights_{node}"] = pose.values[:, model.channels[instance.channel].slice]
        if not vertices:
            continue
        for primitive in model.drawn_mesh(instance).primitives:
            moved = _deform(model, instance, primitive, pose, matrices, palettes)
            arrays[f"vertices_{node}_{primitive.number}"] = np.stack(list(moved))
    for channel in model.channels:
        if not channel.is_weights:
            arrays[f"pointer:{channel.pointer}"] = pose.values[:, channel.slice]
    return arrays


def _deform(
    model: Model,
    instance: MeshInstance,
    primitive: Primitive,
    pose: Pose,
    matrices: F32,
    palettes: list[F32],
) -> Iterator[F32]:
    """Yield the vertices [V, 3] of each pose, one pose at a time to bound memory."""
    joints, weights = primitive.joints, primitive.weights
    for row in range(len(matrices)):
        points = primitive.positions
        if primitive.morph is not None and instance.channel >= 0:
            values = pose.values[row, model.channels[instance.channel].slice]
            points = morph_points(points, primitive.morph.positions, values)
        if instance.skin >= 0 and joints is not None and weights is not None:
            yield skin_points(points, joints, weights, palettes[instance.skin][row])
        else:
            matrix = matrices[row, instance.joint]
            yield points @ matrix[:3, :3].T + matrix[:3, 3]


def _with_last_row(affine: F32) -> F32:
    """Return affine matrices [..., 4, 4] of three rows [..., 3, 4]."""
    full = np.empty((*affine.shape[:-2], 4, 4), np.float32)
    full[..., :3, :] = affine
    full[..., 3, :] = _LAST_ROW
    return full
