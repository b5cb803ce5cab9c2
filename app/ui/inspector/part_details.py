"""The inspector of a part of a mesh: its vertices, and its material."""

from imgui_bundle import imgui

from ...model.statistics import Facts
from ...scene.selected import Selected
from ...session.inspection.inspector import Inspector, PartFacts
from ...session.open_character import OpenCharacter
from ...session.session import Session
from ...wording import capitalized, decimal_size
from .. import widgets
from . import fact_rows


def draw(session: Session, active: OpenCharacter, chosen: Selected) -> None:
    """Draw what is known of a part of a mesh and its material."""
    facts = session.interface.of(Inspector).part(active.character, chosen)
    if facts is None:
        return
    node = active.model.skeleton.names[chosen.joint]
    if fact_rows.link(session, "Node", node, f"Select the node {node}"):
        session.selections.select(active, Selected(chosen.joint))
    _part(session, facts.part)
    name = "default" if facts.material is None else facts.material.name
    if widgets.section(f"Material  {name}###material"):
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


def _material(session: Session, active: OpenCharacter, facts: PartFacts) -> None:
    """Draw the material at the present time."""
    material = facts.material
    if material is None:
        fact_rows.fact(session, "Material", "glTF's default")
        return
    now = session.interface.of(Inspector).material(active.character, facts)
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
