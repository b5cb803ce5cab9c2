"""The rule about joints of a skin without influence on any vertex."""

import re
from collections.abc import Iterator

import numpy as np

from ...animation.types import Bool
from ...wording import counted, listed, quoted
from ..check_context import CheckContext
from ..finding import Finding, Limits, rule

# Words in names of joints without influence on purpose: ends of chains, attachment points.
_MEANT = (
    "end tip nub nib leaf top site locator socket attach attachment mount point prop weapon slot "
    "hold grip camera look eye root origin reference motion center centre marker dummy"
)
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")  # of “LeftToe_End”


def used_joints(context: CheckContext) -> Bool:
    """Return [J] whether a joint or a descendant has vertices, a mesh, a camera or a light."""
    model = context.model
    used = np.zeros(model.skeleton.count, bool)
    for influences in context.stored.influences:
        times = np.bincount(influences.joints[influences.moves])
        for skin in influences.skins:
            joints = model.skins[skin].joints
            used[joints[np.flatnonzero(times[: len(joints)])]] = True
    rows = context.document.rows("nodes")
    for joint, node in enumerate(model.skeleton.nodes.tolist()):
        row = rows[node]
        rigid = row.get("mesh") is not None and row.get("skin") is None
        if rigid or row.get("camera") is not None or row.get("extensions"):
            used[joint] = True
    return model.skeleton.above(used)


def _meant(name: str) -> bool:
    meant = _MEANT.split()
    words = [word.lower() for word in _WORD.findall(name)]
    return any(word in meant or word.endswith(("nub", "nib")) for word in words)


def _ends_chain(context: CheckContext, joint: int, used: Bool) -> bool:
    """Return whether a joint only marks the end of the bone above it, as exporters add them.

    It is the only joint below one that moves vertices, and has none below it.
    """
    parents = context.model.skeleton.parents
    parent = int(parents[joint])
    alone = np.count_nonzero(parents == parent) == 1 and not (parents == joint).any()
    return parent >= 0 and bool(used[parent]) and alone


@rule(
    "joints-unused",
    "info",
    "a joint of a skin and its descendants have no influence on any vertex, and it is no "
    "end of a chain, nor has it the name of an end or of an attachment point",
    "export only deforming joints: in Blender's exporter Armature > Export Deformation Bones "
    "Only, in Maya bind to the deforming joints",
)
def _unused(context: CheckContext, _: Limits) -> Iterator[Finding]:
    names = context.model.skeleton.names
    skinned = {skin for skins in context.stored.skins_of.values() for skin in skins}
    used = used_joints(context) if skinned else np.zeros(0, bool)
    reported: set[int] = set()  # skins often share their joints
    for index in sorted(skinned):
        skin = context.model.skins[index]
        idle = [
            joint for joint in skin.joints.tolist() if not used[joint] and joint not in reported
        ]
        reported.update(idle)
        found = [
            joint
            for joint in idle
            if not _meant(names[joint]) and not _ends_chain(context, joint, used)
        ]
        if found:
            yield Finding(
                f"{len(found)} of {counted(len(skin.joints), 'joint')} of skin {quoted(skin.name)} "
                f"{'has' if len(found) == 1 else 'have'} no influence on any vertex, nor have "
                f"their descendants: {listed([names[j] for j in found])}",
                amount=len(found),
                unit="joints",
                place=f"/skins/{index}/joints",
                joint=names[found[0]],
                item=skin.name,
            )
