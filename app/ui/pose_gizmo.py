"""The handle that poses the selected joint in the scene, and its controls in the inspector."""

import numpy as np
from imgui_bundle import imgui
from imgui_bundle.imguizmo import im_guizmo

from ..animation import quat
from ..animation.types import F64
from ..model.joint_transform import JointTransform
from ..model.mirror_image import find_mirror
from ..motion.edit import pose_by_hand
from ..motion.pose_by_hand import Tool, limb
from ..session import posing
from ..session.commands.actions import action
from ..session.inspector import Inspector
from ..session.opened_character import OpenedCharacter
from ..session.posing import TOOLS, Posing
from ..session.session import Session
from . import aim_handle, theme, widgets

SIZE = 0.15  # of the view, in ImGuizmo's clip space units
ANGLE, STEP = 5.0, 0.1  # with Ctrl: degrees, and of the scale
_OPERATIONS = {
    "rotate": im_guizmo.OPERATION.rotate,
    "move": im_guizmo.OPERATION.translate,
    "scale": im_guizmo.OPERATION.scale,
}


def draw(session: Session) -> None:
    """Draw the handle over the scene and under the panels, and apply its drag."""
    state, found = session.interface.of(Posing), posing.posed_joint(session)
    state.drawn = bool(state.tool) and found is not None
    if found is None or not state.tool:
        return
    opened, joint = found
    placed = np.asarray(opened.character.joint_world(joint), np.float64)
    frame = _frame(session, opened, joint)
    if not np.isfinite(frame).all():
        state.drawn = False
        return
    tool: Tool = state.tool
    steps = {"rotate": ANGLE, "move": _step(opened), "scale": STEP}
    io = imgui.get_io()
    snap = steps[tool] if io.key_ctrl else 0.0
    moved = aim_handle.manipulate(session, "gizmo", frame, _OPERATIONS[tool], size=SIZE, snap=snap)
    if not im_guizmo.is_using():
        state.start = None
    still = io.mouse_delta.x == io.mouse_delta.y == 0.0  # ImGuizmo's angles are off by 0.03° then
    if moved is None or still or not np.isfinite(moved).all():
        return
    if tool == "scale":
        now = opened.character.pose.scale[joint].astype(np.float64)
        state.start = now if state.start is None else state.start
        wanted = state.start * np.linalg.norm(moved[:3, :3], axis=0)
        placed[:3, :3] *= wanted / np.where(now == 0.0, 1.0, now)
    else:
        placed = moved @ np.linalg.inv(frame) @ placed
    posing.set_joint(session, tool, placed)


def _frame(session: Session, opened: OpenedCharacter, joint: int) -> F64:
    """Return the place of a joint, with the axes of the space that the inspector shows."""
    state, character = session.interface.of(Posing), opened.character
    space = "local" if state.tool == "scale" else session.interface.of(Inspector).space
    frame = np.eye(4)
    placed = character.joint_world(joint)
    if space != "world":
        axes = JointTransform.of_matrix(placed if space == "local" else character.world)
        frame[:3, :3] = quat.to_matrix(axes.rotation)
    frame[:3, 3] = placed[:3, 3]
    return frame


def _step(opened: OpenedCharacter) -> float:
    """Return the step of a move with Ctrl: about a hundredth of the size, a power of ten."""
    places = opened.character.still_matrices("rest")[:, :3, 3].astype(np.float64)
    size = float(np.ptp(places, axis=0).max()) if len(places) else 1.0
    return float(10.0 ** round(np.log10(size / 100.0))) if 0.0 < size < np.inf else 0.0


def controls(session: Session, opened: OpenedCharacter, joint: int) -> None:
    """Draw the tools, and the actions on the pose."""
    state, model = session.interface.of(Posing), opened.model
    state.tool = widgets.segments(session, "pose tool", TOOLS, state.tool)
    widgets.key_hint(session, action("pose tool"))
    if limb(model, joint):
        tip = "Move bends the limb: the joint reaches the place, and stays turned"
        state.ik = widgets.checkbox(session, "pose ik", "IK", state.ik, tip)
        imgui.same_line()
    if find_mirror(model) is not None:
        tip = "The joint of the other side follows, mirrored"
        state.mirror = widgets.checkbox(session, "pose mirror", "Mirror", state.mirror, tip)
    name = pose_by_hand(session.editor.document)
    if not name:
        widgets.note("A drag of the handle makes the layer Pose. With Ctrl it moves by steps.")
        return
    half = (imgui.get_content_region_avail().x - theme.metrics().gap) / 2.0
    if widgets.button(
        session, "reset joint", "Reset joint", half, "The layers below move it again"
    ):
        posing.reset(session, joint=True)
    widgets.beside()
    if widgets.button(session, "reset pose", "Reset pose", half, f"Of all joints of {name}"):
        posing.reset(session, joint=False)
    if widgets.button(session, "mirror pose", "Mirror pose", half, "Exchanges left and right"):
        posing.mirror(session)
    widgets.beside()
    if widgets.button(session, "save pose", "Save pose as", half, "Copies it under the name below"):
        posing.save_as(session, state.typed)
    tip = "The new name, or that of the copy"
    state.typed = widgets.text_field(session, "pose name", state.typed, half, name, tip)
    widgets.beside()
    if widgets.button(session, "rename pose", "Rename pose", half, f"It is {name} now"):
        posing.rename(session, state.typed)
