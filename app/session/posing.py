"""Posing by hand: the tool in the scene, and the edits of the motion document that it makes."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..animation.types import F64
from ..motion import edit, layer_content
from ..motion.bind_names import NameResolver
from ..motion.document import STILLS, Play
from ..motion.pose_by_hand import (
    Tool,
    joint_poses,
    limb,
    mirror_joints,
    mirrored_pose,
    reach,
    set_part,
)
from .opened_character import OpenedCharacter
from .session import Session

Shown = Literal["", "rotate", "move", "scale"]
TOOLS: dict[Shown, str] = {"": "Off", "rotate": "Rotate", "move": "Move", "scale": "Scale"}


@dataclass(slots=True)
class Posing:
    """State of posing by hand.

    Attributes
    ----------
    tool
        The handle at the selected joint, "" without.
    ik
        Moving the end of a limb bends the limb.
    mirror
        The other side follows.
    drawn
        Whether the handle was drawn in this frame.
    start
        [3] local scale of the joint at the start of the drag.
    typed
        The text of the field for the name of a pose.
    """

    tool: Shown = ""
    ik: bool = True
    mirror: bool = False
    drawn: bool = False
    start: F64 | None = None
    typed: str = edit.POSE


def posed_joint(session: Session) -> tuple[OpenedCharacter, int] | None:
    """Return the active character and its selected joint, None without."""
    current = session.selections.current
    if current is None or not current.is_joint or current.character is not session.active:
        return None
    return current.character, current.chosen.joint


def next_tool(session: Session) -> None:
    """Choose the next tool, after the last one none."""
    state, order = session.interface.of(Posing), list(TOOLS)
    state.tool = order[(order.index(state.tool) + 1) % len(order)]
    words = "" if posed_joint(session) or not state.tool else ": select a joint"
    session.notify(f"Pose by hand: {TOOLS[state.tool].lower()}{words}")


def bends(session: Session, character: OpenedCharacter, joint: int) -> list[int]:
    """Return the limb that moving a joint bends, empty without."""
    state = session.interface.of(Posing)
    return limb(character.model, joint) if state.ik and state.tool == "move" else []


def set_joint(session: Session, tool: Tool, matrix: F64) -> None:
    """Set a part of the selected joint to that of a world-space matrix, as part of a drag.

    Where it bends a limb, the joint's place alone counts. The other side follows where asked for.
    """
    found = posed_joint(session)
    if found is None:
        return
    opened, joint = found
    model, character = opened.model, opened.character
    pose = character.pose.copy()
    if not np.isfinite(character.matrices).all():
        session.notify("The present pose has numbers that are not finite")
        return
    own, chain = np.linalg.solve(character.world, matrix), bends(session, opened, joint)
    if chain:
        reach(model, pose, chain, own[:3, 3])
    else:
        set_part(model, pose, joint, np.asarray(own, np.float64), tool)
    joints = chain or [joint]
    if session.interface.of(Posing).mirror:
        joints = list(dict.fromkeys([*joints, *mirror_joints(model, pose, joints)]))
    name, play = model.skeleton.names[joint], base_play(opened)
    for posed in ({}, joint_poses(model, pose, joints)):  # a new layer alone: the view stays
        document = edit.with_pose_by_hand(opened.editor.document, posed, play)
        if not opened.editor.edit(document, f"Pose {name}", f"pose {tool} {name}"):
            return
    character.show = "clip"


def base_play(opened: OpenedCharacter) -> Play:
    """Return what the first layer of a character plays: the present clip, or the rest pose."""
    character = opened.character
    if character.show != "clip" or not opened.model.clips or character.clip < 0:
        return layer_content.REST
    return opened.model.clips[character.clip].name


def reset(session: Session, *, joint: bool) -> None:
    """Leave the selected joint, with `mirror` its image too, or all joints to the layers below."""
    opened, found = session.active, posed_joint(session)
    if opened is None or (joint and found is None):
        return
    document, model = opened.editor.document, opened.model
    name = edit.pose_by_hand(document)
    kept = {}
    if joint and found is not None and name:
        gone = {found[1]}
        if session.interface.of(Posing).mirror:
            gone.update(mirror_joints(model, model.skeleton.rest.copy(), gone))
        joints = NameResolver(model, document).posed_joints(name)
        entries = zip(joints, document.poses[name].items(), strict=True)
        kept = dict(entry for number, entry in entries if number not in gone)
    if name:
        label = f"Reset {model.skeleton.names[found[1]]}" if joint and found else f"Reset {name}"
        opened.editor.edit(edit.with_pose(document, name, kept), label)


def mirror(session: Session) -> None:
    """Exchange the sides of the pose."""
    opened = session.active
    name = "" if opened is None else edit.pose_by_hand(opened.editor.document)
    if opened is None or not name:
        session.notify("There is no pose yet: move a joint by its handle first")
        return
    document = opened.editor.document
    joints = mirrored_pose(opened.model, document, name)
    opened.editor.edit(edit.with_pose(document, name, joints), f"Mirror {name}")


def rename(session: Session, wanted: str) -> None:
    """Rename the pose, and what refers to it."""
    name = edit.pose_by_hand(session.editor.document)
    document, wanted = session.editor.document, wanted.strip()
    if name in document.poses and wanted:
        new = edit.free_name(wanted, {*STILLS, *document.poses} - {name})
        session.editor.edit(edit.renamed_entry(document, "poses", name, new), f"Rename {name}")


def save_as(session: Session, wanted: str) -> None:
    """Save a copy of the pose under another name, which layers can play."""
    document = session.editor.document
    name, new = edit.pose_by_hand(document), wanted.strip()
    if name and new:
        new = edit.free_name(new, {*STILLS, *document.poses})
        copied = edit.with_pose(document, new, document.poses[name])
        if session.editor.edit(copied, f"Save {new}"):
            session.notify(f"The pose {new} is among the sources of layers")
