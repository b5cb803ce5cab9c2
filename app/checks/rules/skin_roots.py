"""Rules about the joints of skins in the node hierarchy (glTF 2.0, section 3.7.3.2)."""

from collections.abc import Iterator

import numpy as np

from ...animation.types import Index
from ...retargeting.reference_pose import descendants
from ...wording import counted, listed, quoted
from ..check_context import CheckContext
from ..finding import Finding, Limits, rule


def roots(context: CheckContext, _: int = -1) -> Index:
    """Return [J] the root above each joint; call it by `context.cached`."""
    skeleton = context.model.skeleton
    found = np.arange(skeleton.count)
    for level in skeleton.levels[1:]:
        found[level] = found[skeleton.parents[level]]
    return found


@rule(
    "skin-root",
    "error",
    "the joints of a skin have no common root",
    "parent all bones to one root bone, or to the armature, and export again",
)
def _trees(context: CheckContext, _: Limits) -> Iterator[Finding]:
    """Yield skins whose joints are in several trees."""
    names = context.model.skeleton.names
    for s, skin in enumerate(context.model.skins):
        tops, first = np.unique(context.cached(roots)[skin.joints], return_index=True)
        if len(tops) > 1:
            tops = tops[np.argsort(first)]
            called = [names[top] for top in tops.tolist()]
            yield _finding(
                context,
                s,
                f"the joints of skin {quoted(skin.name)} have no common root, but {len(tops)}: "
                f"{listed(called)}",
                called[1],
                "joints",
                len(tops),
            )


@rule(
    "skin-skeleton",
    "info",
    "the skeleton property of a skin is a node that is not above all of its joints",
    "remove the property, which is optional, or name the common root of the joints",
    group="File",
)
def _skeletons(context: CheckContext, _: Limits) -> Iterator[Finding]:
    """Yield skins whose `skeleton` is not above all joints."""
    skeleton = context.model.skeleton
    for s, row in enumerate(context.document.rows("skins")):
        given = row.get("skeleton")
        if given is None:
            continue
        top = int(skeleton.joint_of_node[given])
        skin = context.model.skins[s]
        outside = skin.joints[~descendants(skeleton, top)[skin.joints]]
        if len(outside):
            called = [skeleton.names[joint] for joint in outside.tolist()]
            yield _finding(
                context,
                s,
                f"the skeleton of skin {quoted(skin.name)} is {quoted(skeleton.names[top])}, which "
                f"is not above {counted(len(called), 'joint')}: {listed(called)}",
                skeleton.names[top],
                "skeleton",
                len(called),
            )


@rule(
    "skin-scene",
    "error",
    "a scene contains a skinned mesh, but not the joints of its skin",
    "add the root of the joints to the scene",
)
def _scenes(context: CheckContext, _: Limits) -> Iterator[Finding]:
    """Yield skins that are used in a scene without their joints."""
    tops, skeleton, document = context.cached(roots), context.model.skeleton, context.document
    scenes = [
        {int(skeleton.joint_of_node[n]) for n in scene.get("nodes") or ()}
        for scene in document.rows("scenes")
    ]
    users: dict[int, set[int]] = {}  # skin: roots above its meshes
    for n, node in enumerate(document.rows("nodes")):
        if node.get("skin") is not None and node.get("mesh") is not None:
            users.setdefault(node["skin"], set()).add(int(tops[skeleton.joint_of_node[n]]))
    for s, own in sorted(users.items()):
        skin = context.model.skins[s]
        top = int(tops[skin.joints[0]])
        if any(not own.isdisjoint(scene) and top not in scene for scene in scenes):
            yield _finding(
                context,
                s,
                f"skin {quoted(skin.name)} is used in a scene that does not contain its joints: "
                f"{quoted(skeleton.names[top])} is not in it",
                skeleton.names[top],
                "joints",
                None,
            )


@rule(
    "skin-joint-twice",
    "info",
    "a skin lists a joint more than once",
    "merge the vertex groups of the joint, and export again",
    group="File",
)
def _twice(context: CheckContext, _: Limits) -> Iterator[Finding]:
    for s, skin in enumerate(context.model.skins):
        joints, counts = np.unique(skin.joints, return_counts=True)
        called = [context.model.skeleton.names[joint] for joint in joints[counts > 1].tolist()]
        if called:
            verb = "is" if len(called) == 1 else "are"
            yield _finding(
                context,
                s,
                f"{counted(len(called), 'joint')} of skin {quoted(skin.name)} {verb} listed more "
                f"than once: {listed(called)}",
                called[0],
                "joints",
                len(called),
            )


def _finding(
    context: CheckContext, s: int, message: str, joint: str, key: str, amount: int | None
) -> Finding:
    called = context.model.skins[s].name
    return Finding(
        message,
        amount=amount,
        unit="" if amount is None else "joints",
        place=f"/skins/{s}/{key}",
        joint=joint,
        item=called,
    )
