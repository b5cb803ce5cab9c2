"""Rules about the joints of skins in the node hierarchy (glTF 2.0, section 3.7.3.2)."""

from collections.abc import Iterator

import numpy as np

from ...animation.skin import Skin
from ...animation.types import Index
from ...retargeting.reference_pose import descendants
from ...wording import counted, listed, quoted
from ..check_context import CheckContext
from ..clip_rules import per_skin
from ..finding import Finding, Limits, rule


def roots(context: CheckContext) -> Index:
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
@per_skin
def _trees(context: CheckContext, _: Limits, s: int, skin: Skin) -> Iterator[Finding]:
    """Yield skins whose joints are in several trees."""
    tops, first = np.unique(context.cached(roots)[skin.joints], return_index=True)
    if len(tops) > 1:
        called = [context.model.skeleton.names[top] for top in tops[np.argsort(first)].tolist()]
        yield Finding(
            f"the joints of skin {quoted(skin.name)} have no common root, but {len(tops)}: "
            f"{listed(called)}",
            amount=len(tops),
            unit="joints",
            place=f"/skins/{s}/joints",
            joint=called[1],
        )


@rule(
    "skin-skeleton",
    "info",
    "the skeleton property of a skin is a node that is not above all of its joints",
    "remove the property, which is optional, or name the common root of the joints",
    group="File",
)
@per_skin
def _skeletons(context: CheckContext, _: Limits, s: int, skin: Skin) -> Iterator[Finding]:
    """Yield skins whose `skeleton` is not above all joints."""
    skeleton, rows = context.model.skeleton, context.document.rows("skins")
    given = rows[s].get("skeleton") if rows else None
    if given is None:
        return
    top = int(skeleton.joint_of_node[given])
    outside = skin.joints[~descendants(skeleton, top)[skin.joints]]
    if len(outside):
        called = [skeleton.names[joint] for joint in outside.tolist()]
        yield Finding(
            f"the skeleton of skin {quoted(skin.name)} is {quoted(skeleton.names[top])}, which "
            f"is not above {counted(len(called), 'joint')}: {listed(called)}",
            amount=len(called),
            unit="joints",
            place=f"/skins/{s}/skeleton",
            joint=skeleton.names[top],
        )


@rule(
    "skin-scene",
    "error",
    "a scene contains a skinned mesh, but not the joints of its skin",
    "add the root of the joints to the scene",
)
@per_skin
def _scenes(context: CheckContext, _: Limits, s: int, skin: Skin) -> Iterator[Finding]:
    """Yield skins that are used in a scene without their joints."""
    tops, skeleton, document = context.cached(roots), context.model.skeleton, context.document
    own = {  # roots above its meshes
        int(tops[skeleton.joint_of_node[n]])
        for n, node in enumerate(document.rows("nodes"))
        if node.get("skin") == s and node.get("mesh") is not None
    }
    top = int(tops[skin.joints[0]]) if own else -1
    for scene in document.rows("scenes"):
        shown = {int(skeleton.joint_of_node[n]) for n in scene.get("nodes") or ()}
        if not own.isdisjoint(shown) and top not in shown:
            yield Finding(
                f"skin {quoted(skin.name)} is used in a scene that does not contain its joints: "
                f"{quoted(skeleton.names[top])} is not in it",
                place=f"/skins/{s}/joints",
                joint=skeleton.names[top],
            )
            return


@rule(
    "skin-joint-twice",
    "info",
    "a skin lists a joint more than once",
    "merge the vertex groups of the joint, and export again",
    group="File",
)
@per_skin
def _twice(context: CheckContext, _: Limits, s: int, skin: Skin) -> Iterator[Finding]:
    joints, counts = np.unique(skin.joints, return_counts=True)
    called = [context.model.skeleton.names[joint] for joint in joints[counts > 1].tolist()]
    if called:
        verb = "is" if len(called) == 1 else "are"
        yield Finding(
            f"{counted(len(called), 'joint')} of skin {quoted(skin.name)} {verb} listed more "
            f"than once: {listed(called)}",
            amount=len(called),
            unit="joints",
            place=f"/skins/{s}/joints",
            joint=called[0],
        )
