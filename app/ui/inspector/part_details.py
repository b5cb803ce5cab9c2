"""The inspector of a part of a mesh: its vertices, and its material."""

from imgui_bundle import imgui

from ...model.fact_words import factor_words, material_notes
from ...model.statistics import Facts
from ...scene.selected import Selected
from ...session.inspector import PartFacts
from ...session.open_character import OpenCharacter
from ...session.session import Session
from ...wording import capitalized, decimal_size
from .. import widgets
from . import fact_rows


def draw(session: Session, active: OpenCharacter, chosen: Selected) -> None:
    """Draw what is known of a part of a mesh and its material."""
    facts = session.interface.inspector.part(active.character, chosen)
    if facts is None:
        return
    node = active.model.skeleton.names[chosen.joint]
    if fact_rows.link(session, "Node", node, f"Select the node {node}"):
        session.selections.select(active, Selected(chosen.joint))
    _part(session, facts.part)
    name = "default" if facts.material is None else facts.material.name
    if widgets.section(f"Material  {name}###material"):
        _material(session, facts)


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


def _material(session: Session, facts: PartFacts) -> None:
    material, described = facts.material, facts.material_facts
    if material is None or described is None:
        fact_rows.fact(session, "Material", "glTF's default")
        return
    fact_rows.fact(session, "Alpha", described["alpha_mode"])
    fact_rows.fact(session, "Notes", ", ".join(material_notes(described)) or "none")
    for label, value in factor_words(material).items():
        fact_rows.fact(session, capitalized(label), value)
    if facts.textures:
        imgui.spacing()
        widgets.quiet("Textures")
    for label, image in facts.textures.items():
        pixels = f"{image['width']} x {image['height']}"
        hint = f"{image['name']}, {decimal_size(image['bytes'])}"
        fact_rows.fact(session, capitalized(label), pixels, hint, name=f"texture {label}")
