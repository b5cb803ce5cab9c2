"""The inspector at the right: what is known of the selected joint, part of a mesh or vertex."""

import math
from functools import lru_cache

import numpy as np
from imgui_bundle import imgui

from ..checks.finding import Finding
from ..curves.from_tracks import metre_words
from ..model.joint_transform import JointTransform
from ..model.lookup import joint_prefix
from ..model.statistics import Facts, camera_facts, camera_words, light_facts, light_words
from ..scene.selected import Selected, name_of
from ..session.file_check import Findings, tooltip_text
from ..session.findings.findings_view import FindingsView, sentence, size_text
from ..session.findings.go_to_finding import open_next
from ..session.inspector import (
    Inspector,
    PosedVertex,
    ShownPose,
    Space,
    Spark,
    VertexFacts,
    by_effect,
    joint_facts,
    morph_effects,
    moved_text,
    posed_vertex,
    shown_part,
    spark_boxes,
    vertex_facts,
)
from ..session.opened_character import OpenedCharacter
from ..session.outliner import model_lists
from ..session.selection import Selection
from ..session.session import Session
from ..session.vertex_weights import listed_weights, set_weight, skin_joints
from ..wording import apart_from, capitalized, counted, decimal_size, measure
from . import curve_legend, fact_rows, icons, material_rows, pose_gizmo, theme, widgets
from .findings import finding_list, finding_marks
from .shown_clip import clip_time, shown_clip

MOST = 4  # findings: the transform must stay in sight
_NOTHING = (
    "Nothing is selected. A click in the scene or in the list of joints selects; with wireframe "
    "or weights a click selects a vertex."
)
POSES: dict[ShownPose, str] = {"current": "Current", "rest": "Rest", "bind": "Bind"}
SPACES: dict[Space, str] = {"local": "Local", "model": "Model", "world": "World"}
FORMS = {"parts": "TRS", "matrix": "Matrix"}
_SHEARED = 1e-3  # cosine between two axes
_EULER = "Turns about X, then Y, then Z of the parent's axes: Blender's XYZ Euler"
HIGH = 2.4  # font heights of a box
MOST_BOXES = 8  # boxes, and lines of a box
MOST_MORPHS = 12  # morph targets of a vertex
_ADDED = 0.25  # weight of a joint that is added to a vertex
_UNEVEN = 1e-4  # difference of a sum or length from 1 that is worth a note


def draw(session: Session) -> None:
    """Draw what is known of the selection."""
    current = session.selections.current
    if current is None or current.character is not session.active:
        widgets.note(_NOTHING)
        return
    active, chosen = current.character, current.chosen
    _heading(session, current)
    _findings(session, active, active.check.places(active.model).of(chosen))
    if chosen.primitive < 0:
        _joint(session, active, chosen.joint)
    elif chosen.vertex < 0:
        draw_part(session, active, chosen)
    else:
        draw_vertex(session, active, chosen)


def _heading(session: Session, current: Selection) -> None:
    """Draw name and kind, and the character if there are several; a click copies the name."""
    model, name = current.character.model, current.name
    kind = _kind(current)
    words = f"{kind} of {current.character.name}" if len(session.open_characters) > 1 else kind
    shown = name.removeprefix(joint_prefix(model))
    room = imgui.get_content_region_avail().x
    beside = imgui.calc_text_size(f"{shown}  {words}").x <= room
    shown = widgets.shortened(shown, room)
    tip = f"{name}\n{fact_rows.COPIES}"
    if widgets.selectable(session, "inspected", shown, tip=tip):
        fact_rows.copy(session, name)
    if beside:
        imgui.same_line(imgui.get_cursor_pos_x() + room - imgui.calc_text_size(words).x)
    widgets.quiet(words)


def _kind(current: Selection) -> str:
    """Return what is selected: a joint of a skin, another node, a part of a mesh, a vertex."""
    if not current.is_joint:
        return "Mesh part" if current.chosen.vertex < 0 else "Vertex"
    facts = joint_facts(current.character.model, current.chosen.joint)
    return "Joint" if facts.skins else "Node"


def _findings(session: Session, active: OpenedCharacter, found: Findings) -> None:
    """Draw findings of the selection, if there are some; a click goes to one, in its panel, too."""
    if not found:
        return
    for k, finding in enumerate(found[:MOST]):
        if _finding(session, finding, k):
            open_next(session, active, [finding])
    if len(found) > MOST:
        _more(session, found)
    imgui.separator()


def _more(session: Session, found: Findings) -> None:
    """Draw how many findings are not listed; a click finds all of them in their panel."""
    if widgets.selectable(session, "more own findings", f"and {len(found) - MOST} more"):
        session.interface.of(FindingsView).filter = found[0].joint or found[0].item
        session.interface.mixer_panels.tab = "Findings"


def _finding(session: Session, finding: Finding, number: int) -> bool:
    """Draw severity, sentence and visible size; return whether it was clicked."""
    low, width = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
    em, tall = widgets.em(), imgui.get_frame_height()
    tip = tooltip_text([finding])
    pressed = widgets.row(session, f"own finding {number}", (width, tall), tip=tip)
    lines, palette = imgui.get_window_draw_list(), theme.palette()
    y = low.y + imgui.get_style().frame_padding.y
    icon, color = finding_marks.sign(finding.severity)
    lines.add_text((low.x, y), theme.packed(color), icon)
    taken = widgets.text_before(low.x + width, y, size_text(finding), palette.text)
    shown = finding_list.cut(sentence(finding), width - taken - 2.0 * em)
    lines.add_text((low.x + 1.5 * em, y), theme.packed(palette.text), shown)
    return pressed


def _joint(session: Session, active: OpenedCharacter, joint: int) -> None:
    """Draw what is known of a joint."""
    _hierarchy(session, active, joint)
    _contents(session, active, joint)
    if widgets.section(session, "Transform"):
        _transform(session, active, joint)
    if widgets.section(session, "Pose by hand"):
        pose_gizmo.controls(session, active, joint)
    if widgets.section(session, "Tracks"):
        _tracks(session, active, joint)


def _hierarchy(session: Session, active: OpenedCharacter, joint: int) -> None:
    """Draw parent, children, skins, and how many vertices the joint moves."""
    model = active.model
    facts = joint_facts(model, joint)
    if facts.parent < 0:
        fact_rows.fact(session, "Parent", "none")
    else:
        _joint_link(session, active, "Parent", facts.parent)
    _children(session, active, facts.children)
    fact_rows.fact(session, "Skins", ", ".join(facts.skins) or "none")
    moved = max(model_lists(model).vertices(joint), 0)
    fact_rows.fact(session, "Vertices moved", f"{moved:,}", copied=str(moved))
    if moved and facts.skins:
        fact_rows.fact(session, "Greatest weight", f"{facts.greatest_weight:.4g}")


def _joint_link(session: Session, active: OpenedCharacter, label: str, joint: int) -> None:
    """Draw the name of a joint, without the prefix; a click selects it."""
    name = active.model.skeleton.names[joint]
    shown = name.removeprefix(joint_prefix(active.model))
    if fact_rows.link(session, label, shown, f"Select {name}"):
        session.selections.select(active, Selected(joint))


def _children(session: Session, active: OpenedCharacter, children: tuple[int, ...]) -> None:
    """Draw the number of children, or the only one; a click selects it, or lists them."""
    names, prefix = active.model.skeleton.names, joint_prefix(active.model)
    if not children:
        fact_rows.fact(session, "Children", "none")
    elif len(children) == 1:
        _joint_link(session, active, "Children", children[0])
    elif fact_rows.link(session, "Children", str(len(children)), "List them"):
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
    state.pose = widgets.segments(session, "pose of", POSES, state.pose)
    state.space = widgets.segments(session, "space of", SPACES, state.space)
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


def _tracks(session: Session, active: OpenedCharacter, joint: int) -> None:
    """Draw a box for each track of the joint in the present clip."""
    state, character = session.interface.of(Inspector), active.character
    clip = state.clip = shown_clip(session, state.clip)
    if clip is None:
        widgets.quiet("No clip is playing")
        return
    begin = character.mixer.clip_begin(clip)
    sparks = spark_boxes(active.model, clip, joint, begin)
    if not sparks:
        widgets.quiet(f"No tracks in {clip.name}")
        return
    share = (clip_time(session, clip) - begin) / max(clip.end - begin, 1e-9)
    for spark in sparks[:MOST_BOXES]:
        if _box(session, spark, min(max(share, 0.0), 1.0)):
            view = session.interface.curves
            view.shown, view.chart = True, spark.name
            view.subject, view.missing = active.model.skeleton.names[joint], ""
    if len(sparks) > MOST_BOXES:
        widgets.quiet(f"and {len(sparks) - MOST_BOXES} more")


def _box(session: Session, spark: Spark, share: float) -> bool:
    """Draw the lines of a chart; return whether it was clicked."""
    em, palette = widgets.em(), theme.palette()
    low, width = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
    caption = curve_legend.SMALL * em
    size, flags = (width, HIGH * em + caption), imgui.ButtonFlags_.enable_nav
    tip = f"{spark.words}\nA click opens the curves"
    pressed = widgets.area(session, f"track {spark.name}", size, flags, tip)
    opaque = 0.9 if imgui.is_item_hovered() else 0.5
    lines, font = imgui.get_window_draw_list(), imgui.get_font()
    quiet = theme.packed(palette.quiet)
    lines.add_text(font, caption, low, quiet, spark.name)
    end = low.x + width - imgui.calc_text_size(spark.reach).x * curve_legend.SMALL
    lines.add_text(font, caption, (end, low.y), quiet, spark.reach)
    top, high = low.y + caption + 1.0, HIGH * em - 3.0
    corner = low.x + width, top + high
    lines.add_rect_filled((low.x, top), corner, theme.packed(palette.field, opaque), 3.0)
    for style, points in _placed(spark, low.x, top, width, high):
        color = theme.packed(curve_legend.color(style))
        lines.add_polyline(points, color, thickness=1.3, flags=0)
    x = low.x + share * width
    lines.add_line((x, top), (x, top + high), theme.packed(palette.knob), 1.0)
    return pressed


@lru_cache(maxsize=MOST_BOXES)
def _placed(
    spark: Spark, left: float, top: float, width: float, high: float
) -> list[tuple[int, list[imgui.ImVec2Like]]]:
    """Return the style and the window positions of each line."""
    return [
        (style, [imgui.ImVec2(*each) for each in (points * (width, high) + (left, top)).tolist()])
        for style, points in spark.lines[:MOST_BOXES]
    ]


def draw_part(session: Session, active: OpenedCharacter, chosen: Selected) -> None:
    """Draw what is known of a part of a mesh and its material."""
    facts = shown_part(active.character, chosen)
    if facts is None:
        return
    node = active.model.skeleton.names[chosen.joint]
    if fact_rows.link(session, "Node", node, f"Select the node {node}"):
        session.selections.select(active, Selected(chosen.joint))
    _part_facts(session, facts.part)
    name = "default" if facts.material is None else facts.material.name
    if widgets.section(session, f"Material  {name}###material"):
        material_rows.draw(session, active, facts)


def _part_facts(session: Session, part: Facts) -> None:
    fact_rows.fact(session, "Mesh", part["mesh"] or "unnamed")
    if part["topology"] != "triangles":
        fact_rows.fact(session, "Topology", part["topology"])
    for key in ("vertices", "triangles"):
        fact_rows.fact(session, capitalized(key), f"{part[key]:,}", copied=str(part[key]))
    fact_rows.paragraph(session, "Attributes", ", ".join(part["attributes"]))
    fact_rows.fact(session, "Skin", "rigid" if part["skin"] is None else part["skin"])
    targets = part["morph_targets"]
    words = ", ".join(targets)
    fact_rows.fact(session, "Morph targets", str(len(targets)), words, copied=words or "0")
    fact_rows.fact(session, "Size", decimal_size(part["bytes"]), "On the GPU")
    fact_rows.numbers(session, "Bounds", "m", part["bounds"], "Low and high corner, mesh space")


def draw_vertex(session: Session, active: OpenedCharacter, chosen: Selected) -> None:
    """Draw what is known of a vertex."""
    facts = vertex_facts(active.character, chosen)
    if facts is None:
        return
    whole = chosen._replace(vertex=-1)
    if fact_rows.link(session, "Part", name_of(active.model, whole), "Select the whole part"):
        session.selections.select(active, whole)
    posed = posed_vertex(active.character, facts)
    for label, space, place, words in (
        ("Stored", "mesh", facts.stored, "In the file"),
        ("Rest", "model", facts.rest, "In the rest pose"),
        ("Posed", "model", posed.model, "In this pose"),
        ("World", "world", posed.world, "In this pose"),
    ):
        hint = f"{words}, {space} space"
        fact_rows.numbers(session, label, f"{space}, m", [place.tolist()], hint)
    _vertex_normal(session, facts, posed)
    if facts.skinned:
        imgui.spacing()
        widgets.quiet("Weights")
        for joint, weight in listed_weights(session, facts.influences):
            _weight(session, active, chosen, joint, weight)
        _add_joint(session, active, chosen, {joint for joint, _ in facts.influences})
        _weights_sum(session, facts)
    _vertex_morphs(session, active, chosen)


def _vertex_morphs(session: Session, active: OpenedCharacter, chosen: Selected) -> None:
    """Draw the morph targets that move a vertex: how far, and at which weight; a click finds one.

    Those that move it most are first.
    """
    values = active.character.pose.values
    effects = by_effect(morph_effects(active.character, chosen), values)
    if not effects:
        return
    imgui.spacing()
    widgets.quiet("Morph targets")
    for effect in effects[:MOST_MORPHS]:
        weight, whole = float(values[effect.value]), measure(effect.reach * 1000, "mm")
        shown = moved_text(effect.reach, weight)
        hint = f"{whole} at weight 1\nFind it among the morph targets"
        if fact_rows.link(session, effect.target, shown, hint):
            session.interface.outliner.filter_morphs = effect.target
            session.interface.mixer_panels.tab = "Morphs"
    if len(effects) > MOST_MORPHS:
        widgets.quiet(f"and {len(effects) - MOST_MORPHS} more")


def _vertex_normal(session: Session, facts: VertexFacts, posed: PosedVertex) -> None:
    if facts.normal is None or posed.normal is None or posed.world_normal is None:
        fact_rows.fact(session, "Normal", "none: that of the face")
        return
    fact_rows.numbers(session, "Normal", "mesh", [facts.normal.tolist()], "In the file, mesh space")
    length = float(np.linalg.norm(facts.normal))
    if abs(length - 1.0) > _UNEVEN:
        widgets.note(f"Its length is {apart_from(length, 1.0)}, not 1", theme.palette().warning)
    words = "In this pose, unit length"
    for label, space, normal in (
        ("Posed normal", "model", posed.normal),
        ("World normal", "world", posed.world_normal),
    ):
        fact_rows.numbers(session, label, space, [normal.tolist()], f"{words}, {space} space")


def _weight(
    session: Session, active: OpenedCharacter, chosen: Selected, joint: int, weight: float
) -> None:
    """Draw the weight of a joint as a slider, and buttons that select and remove the joint."""
    name, wide = active.model.skeleton.names[joint], theme.metrics().icon
    room = imgui.get_content_region_avail().x - 2.0 * (wide + theme.metrics().gap)
    words = name.removeprefix(joint_prefix(active.model)), f"{weight:.4f}"
    tip = f"{name}\nThe other joints share the rest"
    slid = widgets.slider(session, f"weight of {name}", words, weight, (0.0, 1.0), room, tip=tip)
    if slid != weight:
        set_weight(session, active, chosen, joint, slid)
    widgets.beside()
    if widgets.toggle(session, f"select {name}", icons.TARGET, False, f"Select {name}", wide):
        session.selections.select(active, Selected(joint))
    widgets.beside()
    if widgets.toggle(session, f"remove {name}", icons.REMOVE, False, f"Remove {name}", wide):
        set_weight(session, active, chosen, joint, 0.0)
        session.history.close()


def _add_joint(
    session: Session, active: OpenedCharacter, chosen: Selected, taken: set[int]
) -> None:
    """Draw the list of the joints of the skin, of which one is added."""
    names = active.model.skeleton.names
    listed = widgets.begin_searched_list(session, "add weight", "Add a joint")
    if listed is None:
        return
    for joint in skin_joints(active.model, chosen):
        if joint not in taken and listed.entry(f"add {names[joint]}", names[joint]):
            set_weight(session, active, chosen, joint, _ADDED)
            session.history.close()
    imgui.end_combo()


def _weights_sum(session: Session, facts: VertexFacts) -> None:
    """Draw the sum of the weights; of those in the file, if it is not 1."""
    total = sum(weight for _, weight in facts.influences)
    fact_rows.fact(session, "Sum", f"{total:.4g}")
    warning = theme.palette().warning
    if facts.stored_sum == 0.0:
        widgets.note("The file has no weight: the first joint is used", warning)
    elif abs(facts.stored_sum - 1.0) > _UNEVEN:
        words = f"Sum in the file {apart_from(facts.stored_sum, 1.0)}: the weights were normalized"
        widgets.note(words, warning)
