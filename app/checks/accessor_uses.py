"""What the accessors of a document are used for."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from ..gltf.draco import compression
from ..wording import counted, printable, quoted, shortened
from .check_context import CheckContext
from .finding import Find, Finding, Limits

Json = dict[str, Any]
VERTICES = ("attribute", "target")  # kinds of vertex data
KEYS = ("times", "keys")  # kinds of animation data
_PLURALS = {"begins": "begin", "has": "have", "is": "are", "shares": "share"}


class Use(NamedTuple):
    """A reference to an accessor.

    `kind` is ``attribute``, ``target`` (of a morph target), ``indices``, ``matrices``, ``times`` or
    ``keys``; `name` the attribute or the animated property. The owner is a mesh, a skin or an
    animation.
    """

    accessor: int
    kind: str
    name: str
    owner: str  # "mesh", "skin", "clip"
    number: int  # of the owner
    place: str  # JSON pointer of the reference
    node: int = -1  # animated node; -1: none
    stream: bool = False  # whether its values are in a Draco stream

    @property
    def key(self) -> tuple[str, int]:
        """The owner."""
        return self.owner, self.number


def accessor_uses(context: CheckContext) -> list[Use]:
    """Return all references to accessors by meshes, skins and the examined clips.

    Call it by `context.cached`.
    """
    document = context.document
    found = [*_of_meshes(document.rows("meshes")), *_of_skins(document.rows("skins"))]
    rows = document.rows("animations")
    for index in sorted(set(context.clips) & set(range(len(rows)))):
        found.extend(_of_animation(index, rows[index]))
    return found


def _of_meshes(rows: list[Json]) -> Iterator[Use]:
    for m, mesh in enumerate(rows):
        for p, primitive in enumerate(mesh["primitives"]):
            place = f"/meshes/{m}/primitives/{p}"
            packed = compression(primitive)
            names = packed["attributes"] if packed else ()
            for name, index in primitive["attributes"].items():
                at = f"{place}/attributes/{pointer_part(name)}"
                yield Use(index, "attribute", _label(name), "mesh", m, at, stream=name in names)
            for t, target in enumerate(primitive.get("targets") or ()):
                for name, index in target.items():
                    at = f"{place}/targets/{t}/{pointer_part(name)}"
                    yield Use(index, "target", _label(name), "mesh", m, at)
            index = primitive.get("indices")
            if index is not None:
                at = f"{place}/indices"
                yield Use(index, "indices", "", "mesh", m, at, stream=packed is not None)


def _of_skins(rows: list[Json]) -> Iterator[Use]:
    for s, skin in enumerate(rows):
        index = skin.get("inverseBindMatrices")
        if index is not None:
            yield Use(index, "matrices", "", "skin", s, f"/skins/{s}/inverseBindMatrices")


def _of_animation(a: int, row: Json) -> Iterator[Use]:
    targets = {channel["sampler"]: channel["target"] for channel in reversed(row["channels"])}
    for s, sampler in enumerate(row["samplers"]):
        target = targets.get(s) or {}
        node = target.get("node")
        place = f"/animations/{a}/samplers/{s}"
        node = -1 if node is None else node
        path = target.get("path") or ""
        yield Use(sampler["input"], "times", path, "clip", a, f"{place}/input", node)
        yield Use(sampler["output"], "keys", path, "clip", a, f"{place}/output", node)


def _label(name: str) -> str:
    return printable(shortened(name, 60))


def pointer_part(name: str) -> str:
    """Return a name as a part of a JSON pointer, on one line."""
    return printable(name.replace("~", "~0").replace("/", "~1"))


def owner_name(context: CheckContext, use: Use) -> str:
    """Return the name of the mesh, skin or clip."""
    if use.owner == "clip":
        return context.clip(use.number).name
    model = context.model
    return model.meshes[use.number].name if use.owner == "mesh" else model.skins[use.number].name


def described(context: CheckContext, use: Use) -> str:
    """Return the data as people name it: ``the key times of “Head” rotation in “Nod”``."""
    owner = quoted(owner_name(context, use))
    if use.kind == "attribute":
        return f"{use.name} of mesh {owner}"
    if use.kind == "target":
        return f"{use.name} of a morph target of mesh {owner}"
    if use.kind == "indices":
        return f"the indices of mesh {owner}"
    if use.kind == "matrices":
        return f"the inverse bind matrices of skin {owner}"
    what = "the key times" if use.kind == "times" else "the keys"
    joint = joint_name(context, use)
    return f"{what} of {quoted(joint)} {use.name} in {owner}" if joint else f"{what} of {owner}"


def joint_name(context: CheckContext, use: Use) -> str:
    """Return the name of the animated joint, ``""`` if there is none."""
    skeleton = context.model.skeleton
    return skeleton.names[int(skeleton.joint_of_node[use.node])] if use.node >= 0 else ""


class Fault(NamedTuple):
    """A faulty use."""

    use: Use
    finding: Finding  # "begins at byte 6": completes the description, with a singular verb


def per_owner(find: Callable[[CheckContext, Limits], Iterable[Fault]]) -> Find:
    """Return the function of a rule: of each mesh, skin and clip the fault of greatest amount."""
    return partial(_worst_faults, find)


def _worst_faults(
    find: Callable[[CheckContext, Limits], Iterable[Fault]], context: CheckContext, limits: Limits
) -> Iterator[Finding]:
    """Yield the worst fault of each owner, which says how many others have one."""
    groups: dict[tuple[str, int], dict[int, Fault]] = {}
    for fault in find(context, limits):
        groups.setdefault(fault.use.key, {}).setdefault(fault.use.accessor, fault)
    for group in groups.values():
        rows = sorted(group.values(), key=_rank)
        (use, first), others = (rows[0].use, rows[0].finding), len(rows) - 1
        named, clip = owner_name(context, use), use.owner == "clip"
        more = f"; {counted(others, 'other accessor')} of this {use.owner} too" if others else ""
        yield replace(
            first,
            message=f"{described(context, use)} {_agreeing(use, first.message)}{more}",
            place=first.place or use.place,
            clip=named if clip else "",
            joint=joint_name(context, use),
            item="" if clip else named,
            touches=len(rows),
        )


def _agreeing(use: Use, message: str) -> str:
    """Return a message with its verb in the plural, if its subject is: keys, indices, matrices."""
    verb, gap, rest = message.partition(" ")
    return message if use.kind in VERTICES else f"{_PLURALS.get(verb, verb)}{gap}{rest}"


def _rank(fault: Fault) -> tuple[int, float]:
    """Sort key: errors first, then faults of the rule's severity, then by amount."""
    severity = fault.finding.severity
    rank = -1 if severity == "error" else int(severity == "info")
    return rank, -(fault.finding.amount or 0.0)
