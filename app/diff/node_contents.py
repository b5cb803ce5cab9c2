"""Changes of what matching nodes show: visibility, scene, mesh and morph weights at rest."""

from collections.abc import Iterator, Mapping, Sequence

from ..model.model import Model
from ..model.morph_weights import morph_weights
from .difference import Change, changed
from .joints import JointMatch
from .meshes import MeshPair

WEIGHT = 1e-3  # tolerance of morph weights


def node_changes(
    a: Model,
    b: Model,
    match: JointMatch,
    meshes: Sequence[MeshPair],
    channels: Mapping[int, int],
) -> Iterator[Change]:
    """Yield the differences of matching nodes; `channels` are those of B by those of A."""
    names = a.skeleton.names
    scenes = set(a.scene_joints.tolist()), set(b.scene_joints.tolist())
    left = set()  # nodes that left or entered the scene; only the first of a branch is a change
    for one, two in zip(*(column.tolist() for column in match.pairs), strict=True):
        hidden = one in a.hidden_by_node, two in b.hidden_by_node
        if hidden[0] != hidden[1]:
            yield changed("joint", names[one], "visible", [_word(not each) for each in hidden])
        inside = one in scenes[0], two in scenes[1]
        if inside[0] != inside[1]:
            left.add(one)
            if int(a.skeleton.parents[one]) not in left:
                words = [_word(each) for each in inside]
                yield changed("joint", names[one], "in the default scene", words)
    yield from _meshes(a, b, match, meshes)
    yield from _weights(a, b, channels)


def _word(holds: bool) -> str:
    return "yes" if holds else "no"


def _meshes(a: Model, b: Model, match: JointMatch, meshes: Sequence[MeshPair]) -> Iterator[Change]:
    """Yield nodes with another mesh, which exists in both versions."""
    there, back = {pair.a: pair.b for pair in meshes}, {pair.b: pair.a for pair in meshes}
    own = {instance.joint: instance.mesh for instance in a.instances}
    other = {instance.joint: instance.mesh for instance in b.instances}
    for one, two in zip(*(column.tolist() for column in match.pairs), strict=True):
        p, q = own.get(one), other.get(two)
        if (p in there or q in back) and there.get(-1 if p is None else p) != q:
            words = ["none" if k is None else model.meshes[k].name for model, k in ((a, p), (b, q))]
            yield changed("joint", a.skeleton.names[one], "mesh", words)


def _weights(a: Model, b: Model, channels: Mapping[int, int]) -> Iterator[Change]:
    """Yield morph weights that differ in the rest pose."""
    targets = {weight.value: weight.target for weight in morph_weights(a)}
    for mine, theirs in channels.items():
        one, two = a.channels[mine], b.channels[theirs]
        for k in range(one.width if one.is_weights else 0):
            values = float(one.default[k]), float(two.default[k])
            if abs(values[1] - values[0]) > WEIGHT:
                field = f"rest weight of morph target {targets[one.start + k]}"
                yield changed("joint", a.skeleton.names[one.joint], field, values)
