"""The arrays of a .npz of poses, and how far two such sets lie apart."""

import numpy as np

from tests.tools.oracle.document import F64
from tests.tools.oracle.evaluate import Evaluation
from tests.tools.oracle.samples import Sample

QUANTITIES = ("local", "world", "palette", "weights", "vertices", "aabb")
Arrays = dict[str, np.ndarray]


def evaluate(evaluation: Evaluation, samples: list[Sample], chosen: list[np.ndarray]) -> Arrays:
    """Return the numbers of every sample [S, ...] in float64.

    Parameters
    ----------
    evaluation
        The file.
    samples
        The times.
    chosen
        Which vertices, of each of the file's instances.
    """
    rows: dict[str, list[F64]] = {}
    for sample in samples:
        for name, value in _pose(evaluation, sample, chosen).items():
            rows.setdefault(name, []).append(value)
    return {name: np.array(values) for name, values in rows.items()}


def _pose(evaluation: Evaluation, sample: Sample, chosen: list[np.ndarray]) -> dict[str, F64]:
    local = evaluation.local(sample.clip, sample.t_eff)
    world = evaluation.world(local)
    pose = {"T": local.translation, "R": local.rotation, "S": local.scale, "world": world}
    for s in range(len(evaluation.document.all("skins"))):
        pose[f"palette_{s}"] = evaluation.palette(world, s)
    for n, node in enumerate(evaluation.nodes):
        if "skin" in node and not np.array_equal(world[n], np.eye(4)):
            pose[f"palette_mesh_{n}"] = np.linalg.inv(world[n]) @ pose[f"palette_{node['skin']}"]
    pose["weights"] = np.concatenate([*local.weights.values(), np.zeros(0)])
    everything = []
    for i, instance in enumerate(evaluation.instances):
        points = evaluation.vertices(instance, local, world, slice(None))
        pose[f"verts_{i}"] = points[chosen[i]]
        if instance.in_scene:
            everything.append(points)
    points = np.concatenate(everything)
    pose["aabb"] = np.array([points.min(axis=0), points.max(axis=0)])
    return pose


def size(aabb: F64) -> float:
    """Return the length of a box's diagonal."""
    return float(np.linalg.norm(aabb[1] - aabb[0]))


def differences(ours: Arrays, reference: Arrays, scene_size: float) -> F64:
    """Return how far apart each sample's quantities are [S, 6], in the units of the tolerance.

    `palette_mesh_*` are left out: they have the units of their meshes, and follow from the others.
    """
    apart = np.zeros((len(reference["T"]), len(QUANTITIES)))
    local, world, palette, weights, vertices, aabb = apart.T
    for found in _local(ours, reference, scene_size):
        np.maximum(local, found, out=local)
    world[:] = _matrices(ours["world"], reference["world"], scene_size)
    for name in sorted(reference):
        if name.startswith("palette_") and not name.startswith("palette_mesh_"):
            found = _matrices(ours[name], reference[name], scene_size)
            np.maximum(palette, found, out=palette)
        elif name.startswith("verts_"):
            found = _greatest(ours[name], reference[name]) / scene_size
            np.maximum(vertices, found, out=vertices)
    weights[:] = _greatest(ours["weights"], reference["weights"])
    aabb[:] = _greatest(ours["aabb"], reference["aabb"]) / scene_size
    return apart


def _greatest(a: np.ndarray, b: np.ndarray) -> F64:
    return np.abs(a - b).reshape(len(a), -1).max(axis=1, initial=0.0)


def _local(ours: Arrays, reference: Arrays, scene_size: float) -> tuple[F64, F64, F64]:
    largest = np.abs(reference["S"]).max(axis=-1, keepdims=True)
    turned = np.minimum(
        np.abs(ours["R"] - reference["R"]).max(axis=-1),
        np.abs(ours["R"] + reference["R"]).max(axis=-1),
    )
    return (
        _greatest(ours["T"], reference["T"]) / scene_size,
        turned.max(axis=1, initial=0.0),
        _greatest(ours["S"] / largest, reference["S"] / largest),
    )


def _matrices(ours: np.ndarray, reference: np.ndarray, scene_size: float) -> F64:
    """Return the 3x3 parts relative to the reference's largest entry, translations to the size."""
    largest = np.abs(reference[..., :3, :3]).max(axis=(-2, -1), keepdims=True)
    turned = _greatest(ours[..., :3, :3] / largest, reference[..., :3, :3] / largest)
    return np.maximum(turned, _greatest(ours[..., :3, 3], reference[..., :3, 3]) / scene_size)
