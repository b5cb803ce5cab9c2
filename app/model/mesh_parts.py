"""Parts of meshes: the primitives of the mesh at a node, by name and number."""

from ..errors import UsageError
from ..wording import counted
from .lookup import find_mesh_instance
from .model import MeshInstance, Model
from .skin_joints import joint_reference

Part = tuple[int, int]  # node and index of the primitive


def find_part(model: Model, name: str, number: int) -> Part:
    """Return a part of the mesh at the node of a name.

    Raises
    ------
    UsageError
        The model has no such mesh or part.
    """
    instance = find_mesh_instance(model, name)
    count = len(model.meshes[instance.mesh].primitives)
    if not 0 <= number < count:
        raise UsageError(f"no part {number}: the mesh has {counted(count, 'part')}")
    return instance.joint, number


def find_parts(model: Model, text: str, *, skip_missing: bool = False) -> frozenset[Part]:
    """Return the parts that names separated by commas mean.

    NODE means all parts of its mesh, NODE/PART one of them.

    Raises
    ------
    UsageError
        The model has no such mesh or part, unless those are to be skipped.
    """
    found: set[Part] = set()
    for name in filter(None, map(str.strip, text.split(","))):
        try:
            found |= _named_parts(model, name)
        except UsageError:
            if not skip_missing:
                raise
    return frozenset(found)


def _named_parts(model: Model, name: str) -> set[Part]:
    plain, slash, number = name.rpartition("/")
    if slash and number.isdecimal():
        return {find_part(model, plain, int(number))}
    node = find_mesh_instance(model, name).joint
    return {(node, k) for k in range(part_count(model, node))}


def part_count(model: Model, node: int) -> int:
    """Return the number of parts of the mesh at a node."""
    instance = carried_mesh(model, node)
    return 0 if instance is None else len(model.meshes[instance.mesh].primitives)


def parts_reference(model: Model, parts: frozenset[Part]) -> str:
    """Return the text by which `find_parts` finds parts; "" for none."""
    named: list[str] = []
    for node in sorted({node for node, _ in parts}):
        name = joint_reference(model, node)
        if "," in name or name != name.strip() or find_mesh_instance(model, name).joint != node:
            name = f"#{model.skeleton.nodes[node]}"
        own = sorted(part for at, part in parts if at == node)
        whole = len(own) == part_count(model, node)
        named += [name] if whole else [f"{name}/{part}" for part in own]
    return ",".join(named)


def carried_mesh(model: Model, node: int) -> MeshInstance | None:
    """Return the mesh instance at a node, None without one."""
    return next((each for each in model.instances if each.joint == node), None)
