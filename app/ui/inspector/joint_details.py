"""The inspector of a joint: hierarchy, vertices, transforms, tracks, camera and light."""

import math
from typing import cast

from imgui_bundle import imgui

from ...curves.model_space_curves import metre_words
from ...model.joint_transform import JointTransform
from ...model.lookup import joint_prefix
from ...model.statistics import camera_facts, camera_words, light_facts, light_words
from ...scene.selected import Selected
from ...session.inspection.inspector import Inspector, ShownPose, Space, joint_facts
from ...session.opened_character import OpenedCharacter
from ...session.outliner import model_lists
from ...session.session import Session
from ...wording import counted, measure
from .. import theme, widgets
from . import fact_rows, track_previews

POSES = {"current": "Current", "rest": "Rest", "bind": "Bind"}
SPACES = {"local": "Local", "model": "Model", "world": "World"}
FORMS = {"parts": "TRS", "matrix": "Matrix"}
_SHEARED = 1e-3  # cosine between two axes
_EULER = "Turns about X, then Y, then Z of the parent's axes: Blender's XYZ Euler"


def draw(session: Session, active: OpenedCharacter, joint: int) -> None:
    """Draw what is known of a joint."""
    _hierarchy(session, active, joint)
    _contents(session, active, joint)
    if widgets.section(session, "Transform"):
        _transform(session, active, joint)
    if widgets.section(session, "Tracks"):
        track_previews.draw(session, active, joint)


def _hierarchy(session: Session, active: OpenedCharacter, joint: int) -> None:
    """Draw parent, children, skins, and how many vertices the joint moves."""
    model = active.model
    facts, names = joint_facts(model, joint), model.skeleton.names
    prefix = joint_prefix(model)
    if facts.parent < 0:
        fact_rows.fact(session, "Parent", "none")
    else:
        name = names[facts.parent]
        if fact_rows.link(session, "Parent", name.removeprefix(prefix), f"Select {name}"):
            session.selections.select(active, Selected(facts.parent))
    _children(session, active, facts.children, prefix)
    fact_rows.fact(session, "Skins", ", ".join(facts.skins) or "none")
    moved = max(model_lists(model).vertices(joint), 0)
    fact_rows.fact(session, "Vertices moved", f"{moved:,}", copied=str(moved))
    if moved and facts.skins:
        fact_rows.fact(session, "Greatest weight", f"{facts.greatest_weight:.4g}")


def _children(
    session: Session, active: OpenedCharacter, children: tuple[int, ...], prefix: str
) -> None:
    """Draw the number of children, or the only one; a click selects it, or lists them."""
    names = active.model.skeleton.names
    if not children:
        fact_rows.fact(session, "Children", "none")
        return
    one = len(children) == 1
    text = names[children[0]].removeprefix(prefix) if one else str(len(children))
    hint = f"Select {names[children[0]]}" if one else "List them"
    if fact_rows.link(session, "Children", text, hint):
        if one:
            session.selections.select(active, Selected(children[0]))
        else:
            imgui.open_popup("children")
    if imgui.begin_popup("children"):
        for child in children:
            shown = names[child].removeprefix(prefix)
            if widgets.selectable(session, f"child {names[child]}", shown):
                session.selections.select(active, Selected(child))
        imgui.end_popup()


def _contents(session: Session, active: OpenedCharacter, joint: int) -> None:
    """Draw the mesh, and the cameras and lights on the node as they are at the present time."""
    model = active.model
    facts = joint_facts(model, joint)
    if facts.parts:
        count = counted(facts.parts, "part")
        if fact_rows.link(session, "Mesh", count, "Select its first part"):
            session.selections.select(active, Selected(joint, 0))
    moving, values = active.character.pointer_values, active.character.pose.values
    for camera in (moving.camera(each, values) for each in facts.cameras):
        fact_rows.fact(session, "Camera", camera_words(camera_facts(model, camera)), camera.name)
        if camera.kind == "perspective":
            fact_rows.fact(session, "Field of view", f"{math.degrees(camera.yfov):.4g}°")
        else:
            fact_rows.fact(session, "Size", f"{2 * camera.xmag:.4g} x {2 * camera.ymag:.4g} m")
        fact_rows.fact(session, "Near, far", f"{camera.znear:.4g}, {camera.zfar:.4g} m")
    for light in (moving.light(each, values) for each in facts.lights):
        fact_rows.fact(session, "Light", light_words(light_facts(model, light)), light.name)
        fact_rows.fact(session, "Colour", ", ".join(f"{x:.4g}" for x in light.color))
        if light.kind == "spot":
            cone = f"{math.degrees(light.inner):.4g}°, {math.degrees(light.outer):.4g}°"
            fact_rows.fact(session, "Inner, outer angle", cone)


def _transform(session: Session, active: OpenedCharacter, joint: int) -> None:
    """Draw the chosen transform, and how far the current pose is from rest and bind pose."""
    state, character = session.interface.of(Inspector), active.character
    state.pose = cast(ShownPose, widgets.segments(session, "pose of", POSES, state.pose))
    state.space = cast(Space, widgets.segments(session, "space of", SPACES, state.space))
    form = widgets.segments(session, "form of", FORMS, "matrix" if state.as_matrix else "parts")
    state.as_matrix = form == "matrix"
    shown = state.transform(character, joint, state.pose)
    metre = joint_facts(active.model, joint).metre if state.space == "local" else 1.0
    imgui.spacing()
    if state.as_matrix:
        fact_rows.numbers(session, "Matrix", "", shown.matrix.tolist(), "Rows; M · (x, y, z, 1)")
    else:
        _parts(session, shown, metre_words(metre))
    if shown.shear > _SHEARED:
        words = f"Sheared: two axes have a cosine of {shown.shear:.3g}"
        widgets.note(words, theme.palette().warning)
    imgui.spacing()
    now = shown if state.pose == "current" else state.transform(character, joint, "current")
    for pose in ("rest", "bind"):
        _apart(session, pose, now, state.transform(character, joint, pose), metre)


def _parts(session: Session, shown: JointTransform, unit: str) -> None:
    fact_rows.numbers(session, "Translation", unit, [shown.translation.tolist()], "X, Y, Z")
    fact_rows.numbers(session, "Rotation, XYZ Euler", "°", [shown.degrees.tolist()], _EULER)
    quaternion = [shown.rotation.tolist()]
    fact_rows.numbers(session, "Quaternion", "x y z w", quaternion, "The order of glTF")
    fact_rows.numbers(session, "Scale", "", [shown.scale.tolist()], "X, Y, Z")


def _apart(
    session: Session, pose: str, now: JointTransform, other: JointTransform, metre: float
) -> None:
    """Draw how far the current transform is from that of a pose."""
    length = now.distance(other)
    millimetres = measure(round(length * metre * 1e3, 3), "mm")
    away = f"{length:.4g} {metre_words(metre)}" if math.isnan(metre) else millimetres
    text = f"{away}, {measure(round(now.angle(other), 2), '°')}"
    space = SPACES[session.interface.of(Inspector).space].lower()
    fact_rows.fact(session, f"From {pose}", text, f"Of the current pose, in {space} space")
