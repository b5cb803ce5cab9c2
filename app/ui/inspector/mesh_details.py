"""The inspector of a part of a mesh, its vertices and material, and of one of its vertices."""

import numpy as np
from imgui_bundle import imgui

from ...model.lookup import joint_prefix
from ...model.statistics import Facts
from ...scene.selected import Selected, name_of
from ...session.inspection.inspector import PartFacts, shown_material, shown_part
from ...session.inspection.morph_effects import by_effect, morph_effects, moved_text
from ...session.inspection.vertex_facts import PosedVertex, VertexFacts, posed_vertex, vertex_facts
from ...session.opened_character import OpenedCharacter
from ...session.session import Session
from ...wording import apart_from, capitalized, decimal_size, measure
from .. import theme, widgets
from . import fact_rows

MOST_MORPHS = 12  # morph targets of a vertex
_UNEVEN = 1e-4  # difference of a sum or length from 1 that is worth a note


def draw_part(session: Session, active: OpenedCharacter, chosen: Selected) -> None:
    """Draw what is known of a part of a mesh and its material."""
    facts = shown_part(active.character, chosen)
    if facts is None:
        return
    node = active.model.skeleton.names[chosen.joint]
    if fact_rows.link(session, "Node", node, f"Select the node {node}"):
        session.selections.select(active, Selected(chosen.joint))
    _part(session, facts.part)
    name = "default" if facts.material is None else facts.material.name
    if widgets.section(session, f"Material  {name}###material"):
        _material(session, active, facts)


def _part(session: Session, part: Facts) -> None:
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


def _material(session: Session, active: OpenedCharacter, facts: PartFacts) -> None:
    """Draw the material at the present time."""
    material = facts.material
    if material is None:
        fact_rows.fact(session, "Material", "glTF's default")
        return
    now = shown_material(active.character, facts)
    hint = "Some values are animated: those of the present time" if now.data else ""
    fact_rows.fact(session, "Alpha", material.alpha_mode)
    fact_rows.fact(session, "Notes", now.notes)
    for label, value in now.factors.items():
        fact_rows.fact(session, capitalized(label), value, hint)
    if facts.textures:
        imgui.spacing()
        widgets.quiet("Textures")
    for label, image in facts.textures.items():
        pixels, placed = f"{image['width']} x {image['height']}", now.placements.get(label, "")
        described = f"{image['name']}, {decimal_size(image['bytes'])}"
        fact_rows.fact(session, capitalized(label), pixels, described, name=f"texture {label}")
        if placed:
            fact_rows.fact(session, "  UV transform", placed, hint, name=f"placed {label}")


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
    _normal(session, facts, posed)
    if facts.skinned:
        imgui.spacing()
        widgets.quiet("Weights")
        for joint, weight in facts.influences:
            _bar(session, active, joint, weight)
        _sum(session, facts)
    _morphs(session, active, chosen)


def _morphs(session: Session, active: OpenedCharacter, chosen: Selected) -> None:
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


def _normal(session: Session, facts: VertexFacts, posed: PosedVertex) -> None:
    if facts.normal is None or posed.normal is None or posed.world_normal is None:
        fact_rows.fact(session, "Normal", "none: that of the face")
        return
    fact_rows.numbers(session, "Normal", "mesh", [facts.normal.tolist()], "In the file, mesh space")
    length = float(np.linalg.norm(facts.normal))
    if abs(length - 1.0) > _UNEVEN:
        widgets.note(f"Its length is {apart_from(length, 1.0)}, not 1", theme.palette().warning)
    words = "In this pose, unit length"
    for space, normal in (("model", posed.normal), ("world", posed.world_normal)):
        label = "Posed normal" if space == "model" else "World normal"
        fact_rows.numbers(session, label, space, [normal.tolist()], f"{words}, {space} space")


def _bar(session: Session, active: OpenedCharacter, joint: int, weight: float) -> None:
    """Draw a joint with its weight as a bar; a click selects the joint."""
    low, width = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
    em, tall, palette = widgets.em(), imgui.get_frame_height(), theme.palette()
    name = active.model.skeleton.names[joint]
    lines = imgui.get_window_draw_list()
    end = low.x + max(width * min(max(weight, 0.0), 1.0), 2.0)
    color = theme.packed(palette.accent, 0.45)
    lines.add_rect_filled((low.x, low.y + 1.0), (end, low.y + tall - 1.0), color, 3.0)
    pressed = widgets.row(session, f"weight of {name}", (width, tall), tip=f"Select {name}")
    y, right = low.y + imgui.get_style().frame_padding.y, low.x + width - 0.3 * em
    taken = widgets.text_before(right, y, f"{weight:.4f}", palette.text)
    shown = name.removeprefix(joint_prefix(active.model))
    shown = widgets.shortened(shown, width - taken - 1.2 * em)
    lines.add_text((low.x + 0.4 * em, y), theme.packed(palette.text), shown)
    if pressed:
        session.selections.select(active, Selected(joint))


def _sum(session: Session, facts: VertexFacts) -> None:
    """Draw the sum of the weights; of those in the file, if it is not 1."""
    total = sum(weight for _, weight in facts.influences)
    fact_rows.fact(session, "Sum", f"{total:.4g}")
    warning = theme.palette().warning
    if facts.stored_sum == 0.0:
        widgets.note("The file has no weight: the first joint is used", warning)
    elif abs(facts.stored_sum - 1.0) > _UNEVEN:
        words = f"Sum in the file {apart_from(facts.stored_sum, 1.0)}: the weights were normalized"
        widgets.note(words, warning)
