"""Differences of matching nodes: names, parents, rest transforms, what they show and carry."""

import math
from collections.abc import Iterator, Sequence
from typing import Any, Literal, TypeVar

import numpy as np

from ..animation.model_space import to_model_transforms
from ..animation.types import F32, F64, Bool, Index
from ..animation.vectors import length
from ..model.model import CameraView, LightSource, Model
from ..model.morph_weights import morph_weights
from ..wording import counted
from .difference import Change, Value, changed
from .joints import unnamed_joints
from .model_pair import WEIGHT, ModelPair, angles
from .objects import (
    ComparedField,
    Matching,
    as_value,
    field_changes,
    match_objects,
    names_of,
    where,
)

Attached = TypeVar("Attached", CameraView, LightSource)
SCALED = 1e-4  # tolerance of rest scales, relative


def _as_range(value: float) -> Value:
    """Return the range of a light; 0 is infinite."""
    return as_value(value or math.inf)


_CAMERA: tuple[ComparedField[CameraView], ...] = (
    ComparedField("kind", lambda camera: camera.kind),
    ComparedField("vertical field of view", lambda camera: camera.yfov, "°", shown=math.degrees),
    ComparedField("half width", lambda camera: camera.xmag, "m"),
    ComparedField("half height", lambda camera: camera.ymag, "m"),
    ComparedField("near plane", lambda camera: camera.znear, "m"),
    ComparedField("far plane", lambda camera: camera.zfar, "m"),
    ComparedField("aspect ratio", lambda camera: camera.aspect),
)
_LIGHT: tuple[ComparedField[LightSource], ...] = (
    ComparedField("kind", lambda light: light.kind),
    ComparedField("colour", lambda light: light.color),
    ComparedField("intensity", lambda light: light.intensity),
    ComparedField("range", lambda light: light.range, "m", shown=_as_range),
    ComparedField("inner cone angle", lambda light: light.inner, "°", shown=math.degrees),
    ComparedField("outer cone angle", lambda light: light.outer, "°", shown=math.degrees),
)


class LocalSpaces:
    """The parents of the matching joints of two versions at rest, for lengths in metres.

    Attributes
    ----------
    own, other
        [n] matching joints of A and B with matching parents.
    """

    def __init__(self, pair: ModelPair) -> None:
        a, b = pair.a, pair.b
        own, other = pair.joints.pairs
        above, there = a.skeleton.parents[own], b.skeleton.parents[other]
        same = np.where(above >= 0, pair.joints.to[above], -1) == there
        self.own: Index = own[same]
        self.other: Index = other[same]
        self._axes = _axes_above(a, self.own)
        sizes = [
            np.cbrt(np.abs(np.linalg.det(axes)))
            for axes in (self._axes, _axes_above(b, self.other))
        ]
        with np.errstate(all="ignore"):
            self._ratio: F64 = np.nan_to_num(sizes[1] / sizes[0] / pair.scale, nan=1, posinf=1)

    def distances(self, rows: Index, p: F32, q: F32) -> F64:
        """Return the distances [..., n] of local translations [..., n, 3] of A and B, metres.

        Lengths of B are converted to the units of A's parents, if that makes them more similar.
        """
        one, two = p.astype(float), q.astype(float)
        found = [
            length(np.einsum("nab,...nb->...na", self._axes[rows], two * ratio - one))
            for ratio in (np.ones((len(rows), 1)), self._ratio[rows, None])
        ]
        return np.nan_to_num(np.minimum(*found), nan=0.0)


def node_changes(pair: ModelPair) -> Iterator[Change]:
    """Yield joints removed, added, renamed, or with another parent, and what else they differ in.

    These are rest transforms, visibility, meshes and their instances, and morph weights at rest.
    """
    yield from _name_changes(pair)
    yield from _rest_changes(pair)
    yield from _visibility_changes(pair)
    yield from _mesh_changes(pair)
    yield from _instance_changes(pair)
    yield from _weight_changes(pair)


def _name_changes(pair: ModelPair) -> Iterator[Change]:
    joints, names = pair.joints, pair.joints.names
    unnamed = unnamed_joints(pair.a), unnamed_joints(pair.b)
    parents = pair.a.skeleton.parents.tolist(), pair.b.skeleton.parents.tolist()

    def place(joint: int) -> str:
        parent = parents[1][joint]
        return f"below {names[1][parent]}" if parent >= 0 else "at the top"

    yield from joints.unmatched("joint", added=place)
    for one, two in joints:
        nameless = one in unnamed[0] and two in unnamed[1]
        if names[0][one] != names[1][two] and not nameless and one in joints.how:
            how = joints.how[one]
            yield Change("joint", "renamed", names[0][one], names[1][two], note=how)
        yield from joints.reference(
            "joint", names[0][one], "parent", parents[0][one], parents[1][two]
        )


def _rest_changes(pair: ModelPair) -> Iterator[Change]:
    """Yield the differences of local rest transforms beyond the thresholds.

    A joint that only moves with its parent has no difference. Joints at the same place in model
    space, as after a change of their parents only, are the same character stored differently.
    """
    a, b, scale, metres, degrees = pair.a, pair.b, pair.scale, pair.metres, pair.degrees
    spaces = LocalSpaces(pair)
    own, other = spaces.own, spaces.other
    p, q = a.skeleton.rest, b.skeleton.rest
    rows = np.arange(len(own))
    moved = spaces.distances(rows, p.translation[own], q.translation[other])
    turned = angles(p.rotation[own], q.rotation[other])
    grown = _grown(p.scale[own], q.scale[other], scale)
    stored = _same_place(pair, own, other)
    for k in np.flatnonzero((moved > metres) | (turned > degrees) | grown).tolist():
        name, same = a.skeleton.names[own[k]], bool(stored[k])
        if moved[k] > metres:
            both = 0.0, float(moved[k]) * 1000
            yield changed("joint", name, "rest position", both, unit="mm", stored=same)
        if turned[k] > degrees:
            both = 0.0, float(turned[k])
            yield changed("joint", name, "rest rotation", both, unit="°", stored=same)
        if grown[k]:
            sizes = (tuple(map(float, v)) for v in (p.scale[own[k]], q.scale[other[k]]))
            yield changed("joint", name, "rest scale", tuple(sizes), stored=same)


def _grown(p: F32, q: F32, scale: float) -> Bool:
    """Return which scales [n, 3] differ, apart from the scale of the model."""
    most = SCALED * np.maximum(np.abs(p), np.abs(q))
    same = (np.abs(q - p) <= most).all(axis=1)
    if scale != 1.0:
        same |= (np.abs(q / scale - p) <= most / min(scale, 1.0)).all(axis=1)
    return ~same


def _same_place(pair: ModelPair, own: Index, other: Index) -> Bool:
    """Return which joints have the same transform in model space."""
    (before, turns_a), (after, turns_b) = (
        to_model_transforms(model.skeleton, model.skeleton.rest) for model in (pair.a, pair.b)
    )
    m, n = before[own], after[other]
    far = length(n[:, :3, 3] / pair.scale - m[:, :3, 3])
    turned = angles(turns_a[own].astype(np.float32), turns_b[other].astype(np.float32))
    one, two = (length(x[:, :3, :3].swapaxes(1, 2)).astype(np.float32) for x in (m, n))
    return (far <= pair.metres) & (turned <= pair.degrees) & ~_grown(one, two, pair.scale)


def _axes_above(model: Model, joints: Index) -> F64:
    """Return the model-space axes [n, 3, 3] of the parents of joints at rest."""
    matrices, _ = to_model_transforms(model.skeleton, model.skeleton.rest)
    parents = model.skeleton.parents[joints]
    axes = np.where((parents >= 0)[:, None, None], matrices[parents, :3, :3], np.eye(3))
    return np.nan_to_num(axes)


def _visibility_changes(pair: ModelPair) -> Iterator[Change]:
    """Yield nodes with another visibility, or that left or entered the default scene."""
    names = pair.joints.names[0]
    scenes = set(pair.a.scene_joints.tolist()), set(pair.b.scene_joints.tolist())
    left = set()  # nodes that left or entered the scene; only the first of a branch is a change
    for one, two in pair.joints:
        visible = one not in pair.a.hidden_by_node, two not in pair.b.hidden_by_node
        if visible[0] != visible[1]:
            yield changed("joint", names[one], "visible", [as_value(each) for each in visible])
        inside = one in scenes[0], two in scenes[1]
        if inside[0] != inside[1]:
            left.add(one)
            if int(pair.a.skeleton.parents[one]) not in left:
                words = [as_value(each) for each in inside]
                yield changed("joint", names[one], "in the default scene", words)


def _mesh_changes(pair: ModelPair) -> Iterator[Change]:
    """Yield nodes with another mesh, which exists in both versions."""
    own = {instance.joint: instance.mesh for instance in pair.a.instances}
    other = {instance.joint: instance.mesh for instance in pair.b.instances}
    for one, two in pair.joints:
        p, q = own.get(one, -1), other.get(two, -1)
        if pair.meshes.match_of(p) >= 0 or (q >= 0 and pair.meshes.back[q] >= 0):
            yield from pair.meshes.reference("joint", pair.joints.names[0][one], "mesh", p, q)


def _instance_changes(pair: ModelPair) -> Iterator[Change]:
    """Yield nodes whose mesh has other instances (EXT_mesh_gpu_instancing)."""
    for k, n in pair.instances:
        one, two = pair.a.instances[k], pair.b.instances[n]
        name, both = pair.joints.names[0][one.joint], (one.count, two.count)
        if both[0] != both[1]:
            yield changed("joint", name, "instances", both)
        elif one.placements is not None and two.placements is not None:
            moved = two.placements.astype(np.float64)
            moved[:, :3, 3] /= pair.scale
            off = np.abs(moved - one.placements).max(axis=(1, 2))
            rows = np.flatnonzero(off > min(pair.metres, SCALED))
            if len(rows):
                note = f"{counted(len(rows), 'instance')} of {one.count} moved, turned or grew"
                yield Change("joint", "changed", name, field="instances", note=note)


def _weight_changes(pair: ModelPair) -> Iterator[Change]:
    """Yield morph weights that differ in the rest pose."""
    targets = {weight.value: weight.target for weight in morph_weights(pair.a)}
    for mine, theirs in pair.channels.items():
        one, two = pair.a.channels[mine], pair.b.channels[theirs]
        for k in range(one.width if one.is_weights else 0):
            values = float(one.default[k]), float(two.default[k])
            if abs(values[1] - values[0]) > WEIGHT:
                label = f"rest weight of morph target {targets[one.start + k]}"
                yield changed("joint", pair.joints.names[0][one.joint], label, values)


def match_attached(one: Sequence[Attached], two: Sequence[Attached], joints: Matching) -> Matching:
    """Return the matching cameras or lights: by name and node, by name, then by node."""

    def same_name(k: int, n: int) -> bool:
        return one[k].name == two[n].name

    def same_node(k: int, n: int) -> bool:
        return joints.match_of(one[k].joint) == two[n].joint

    return match_objects(
        names_of(one, two),
        {
            "same name and node": where(lambda k, n: same_name(k, n) and same_node(k, n)),
            "same name": where(same_name),
            "same content": where(same_node),
        },
    )


def numbered(
    one: Sequence[Attached], two: Sequence[Attached], matching: Matching
) -> tuple[dict[int, str], list[tuple[int, int]]]:
    """Return the names of the cameras or lights of A, and which match, by index in the files."""
    names = {each.number: each.name for each in reversed(one)}
    return names, sorted({(one[k].number, two[n].number) for k, n in matching})


def attached_changes(
    kind: Literal["camera", "light"],
    one: Sequence[Attached],
    two: Sequence[Attached],
    matching: Matching,
    joints: Matching,
) -> Iterator[Change]:
    """Yield cameras or lights removed, added, renamed, and changes of the others."""
    yield from matching.name_changes(kind)
    fields: tuple[ComparedField[Any], ...] = _CAMERA if kind == "camera" else _LIGHT
    for k, n in matching:
        yield from joints.reference(kind, one[k].name, "node", one[k].joint, two[n].joint)
        yield from field_changes(kind, one[k].name, fields, one[k], two[n])
