"""Rules about names: missing and duplicate names, joints without mirror image."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from ...wording import counted, listed, printable, quoted
from ..check_context import CheckContext
from ..finding import Finding, Limits, Rule

# Words for a side in names: “LeftArm”, “arm_l”, “Hand.R”, “l_arm_01”.
_SIDES = (("left", "right"), ("l", "r"))
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^A-Za-z]+")


def rows(context: CheckContext, key: str) -> list[dict[str, Any]]:
    """Return a top-level list of the document; empty for motion capture."""
    return context.document.rows(key) if context.document else []


def joint_nodes(context: CheckContext) -> dict[int, list[int]]:
    """Return the joint nodes by skin; without skins whose joints are a subset of another's."""
    found: dict[int, list[int]] = {}
    for s, row in enumerate(rows(context, "skins")):
        joints = list(dict.fromkeys(row["joints"]))
        if not any(set(joints) <= set(others) for others in found.values()):
            found[s] = joints
    return found


def joint_name(context: CheckContext, node: int) -> str:
    """Return the name of a node's joint in the model."""
    skeleton = context.model.skeleton
    return skeleton.names[int(skeleton.joint_of_node[node])]


def _duplicate(context: CheckContext, _: Limits) -> Iterator[Finding]:
    nodes = rows(context, "nodes")
    for skin, joints in joint_nodes(context).items():
        times = Counter(nodes[n]["name"] for n in joints if nodes[n].get("name"))
        twice = [name for name, number in times.items() if number > 1]
        if twice:
            again = [n for n in joints if nodes[n].get("name") == twice[0]]
            yield Finding(
                f"{counted(len(twice), 'name')} of skin {quoted(context.model.skins[skin].name)} "
                f"{'belongs' if len(twice) == 1 else 'belong'} to more than one joint: "
                f"{listed(twice)}",
                amount=len(twice),
                unit="names",
                place=f"/nodes/{again[1]}/name",
                joint=joint_name(context, again[1]),
                item=context.model.skins[skin].name,
            )


def _shared(context: CheckContext, _: Limits) -> Iterator[Finding]:
    """Yield nodes outside the skins that have the name of a joint."""
    nodes = rows(context, "nodes")
    joints = {n for found in joint_nodes(context).values() for n in found}
    named = {nodes[n]["name"]: n for n in sorted(joints, reverse=True) if nodes[n].get("name")}
    others = [n for n in range(len(nodes)) if n not in joints and nodes[n].get("name") in named]
    if others:
        names = [nodes[n]["name"] for n in others]
        yield Finding(
            f"{counted(len(names), 'node')} outside the skins "
            f"{'has' if len(names) == 1 else 'have'} the name of a joint: {listed(names)}",
            amount=len(names),
            unit="nodes",
            place=f"/nodes/{others[0]}/name",
            joint=joint_name(context, named[names[0]]),
        )


def _missing(context: CheckContext, _: Limits) -> Iterator[Finding]:
    nodes = rows(context, "nodes")
    for skin, joints in joint_nodes(context).items():
        without = [n for n in joints if not (nodes[n].get("name") or "").strip()]
        if without:
            name = context.model.skins[skin].name
            yield Finding(
                f"{len(without)} of {counted(len(joints), 'joint')} of skin {quoted(name)} "
                f"{'has no name' if len(without) == 1 else 'have no names'}",
                amount=len(without),
                unit="joints",
                place=f"/nodes/{without[0]}",
                item=name,
            )


def _clip_missing(context: CheckContext, _: Limits) -> Iterator[Finding]:
    clips = rows(context, "animations")
    without = [a for a, row in enumerate(clips) if not (row.get("name") or "").strip()]
    if without:
        yield Finding(
            "the 1 animation has no name"
            if len(clips) == 1
            else f"{len(without)} of {len(clips)} animations "
            f"{'has' if len(without) == 1 else 'have'} no name",
            amount=len(without),
            unit="animations",
            place=f"/animations/{without[0]}",
        )


def _clip_duplicate(context: CheckContext, _: Limits) -> Iterator[Finding]:
    clips = rows(context, "animations")
    times = Counter(row["name"] for row in clips if row.get("name"))
    for name, number in times.items():
        if number > 1:
            again = [a for a, row in enumerate(clips) if row.get("name") == name]
            yield Finding(
                f"{number} animations are named {quoted(name)}",
                amount=number,
                unit="animations",
                place=f"/animations/{again[1]}/name",
                clip=printable(name),
            )


def mirror_name(name: str) -> str:
    """Return the name of a joint's mirror image, ``""`` if the name has no side.

    The first word for a side is swapped: left and right within words, L and R as whole words.
    """
    parts = _PART.findall(name)
    for a, b in _SIDES:
        for k, part in enumerate(parts):
            for one, other in ((a, b), (b, a)):
                if part.lower() == one:
                    return "".join([*parts[:k], _cased(other, part), *parts[k + 1 :]])
                if len(one) > 1 and part.lower().startswith(one):  # leftarm
                    turned = _cased(other, part[: len(one)])
                    return "".join([*parts[:k], turned, part[len(one) :], *parts[k + 1 :]])
    return ""


def _cased(word: str, like: str) -> str:
    if like.isupper():
        return word.upper()
    return word.capitalize() if like[0].isupper() else word


def _mirror(context: CheckContext, _: Limits) -> Iterator[Finding]:
    """Yield skins with joints whose mirror image is missing, if most joints of a side have one."""
    nodes = rows(context, "nodes")
    for skin, joints in joint_nodes(context).items():
        names = [nodes[n].get("name") or "" for n in joints]
        without = _without_mirror(names)
        if without:
            first = joints[names.index(without[0])]
            yield Finding(
                f"{counted(len(without), 'joint')} of skin "
                f"{quoted(context.model.skins[skin].name)} "
                f"{'has' if len(without) == 1 else 'have'} no mirror image: {listed(without)}; "
                f"there is no {quoted(mirror_name(without[0]))}",
                amount=len(without),
                unit="joints",
                place=f"/nodes/{first}/name",
                joint=joint_name(context, first),
                item=context.model.skins[skin].name,
            )


def _without_mirror(names: Sequence[str]) -> list[str]:
    """Return the names without mirror image, if most names of a side have one.

    Digits are ignored: some exporters number all joints of a file consecutively.
    """
    known = {_plain(name) for name in names}
    sided = [(name, mirrored) for name in names if (mirrored := mirror_name(name))]
    without = [name for name, mirrored in sided if _plain(mirrored) not in known]
    return without if 2 * len(without) < len(sided) else []


def _plain(name: str) -> str:
    return re.sub(r"[\W\d_]+", "", name).lower()


RULES: tuple[Rule, ...] = (
    Rule(
        "name-duplicate",
        "error",
        "two joints of a skin have the same name",
        "rename one: retargeting, masks and scripts find joints by name, and may pick the other",
        _duplicate,
    ),
    Rule(
        "name-shared",
        "info",
        "a node outside the skins has the name of a joint",
        "rename the node (often a mesh object): engines that keep both in one tree rename one, and "
        "clips may find the wrong one",
        _shared,
    ),
    Rule(
        "name-missing",
        "warning",
        "a joint has no name",
        "name the joint: clips of other files, masks and retargeting find it by name",
        _missing,
    ),
    Rule(
        "clip-name-missing",
        "warning",
        "an animation has no name",
        "name it: in Blender the action or the NLA strip, in Maya the clip",
        _clip_missing,
    ),
    Rule(
        "clip-name-duplicate",
        "warning",
        "two animations have the same name",
        "rename one: games find clips by name",
        _clip_duplicate,
    ),
    Rule(
        "name-mirror",
        "info",
        "a joint of one side has no counterpart on the other",
        "add or rename the joint unless it is missing on purpose: mirroring finds it by name",
        _mirror,
    ),
)
