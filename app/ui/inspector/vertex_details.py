"""The inspector of a vertex: positions, normal, and the joints that move it."""

import numpy as np
from imgui_bundle import imgui

from ...scene.selected import Selected, name_of
from ...session.inspection.inspector import Inspector
from ...session.inspection.vertex_facts import PosedVertex, VertexFacts, posed_vertex
from ...session.open_character import OpenCharacter
from ...session.session import Session
from .. import short_names, theme, widgets
from . import fact_rows

_UNEVEN = 1e-4  # difference of a sum or length from 1 that is worth a note


def draw(session: Session, active: OpenCharacter, chosen: Selected) -> None:
    """Draw what is known of a vertex."""
    facts = session.interface.of(Inspector).vertex(active.character, chosen)
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
    imgui.spacing()
    widgets.quiet("Weights")
    for joint, weight in facts.influences:
        _bar(session, active, joint, weight)
    _sum(session, facts)


def _normal(session: Session, facts: VertexFacts, posed: PosedVertex) -> None:
    if facts.normal is None or posed.normal is None or posed.world_normal is None:
        fact_rows.fact(session, "Normal", "none: that of the face")
        return
    fact_rows.numbers(session, "Normal", "mesh", [facts.normal.tolist()], "In the file, mesh space")
    length = float(np.linalg.norm(facts.normal))
    if abs(length - 1.0) > _UNEVEN:
        _note(f"Its length is {length:.4g}, not 1")
    words = "In this pose, unit length"
    for space, normal in (("model", posed.normal), ("world", posed.world_normal)):
        label = "Posed normal" if space == "model" else "World normal"
        fact_rows.numbers(session, label, space, [normal.tolist()], f"{words}, {space} space")


def _bar(session: Session, active: OpenCharacter, joint: int, weight: float) -> None:
    """Draw a joint with its weight as a bar; a click selects the joint."""
    low, width = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
    em, tall, palette = widgets.em(), imgui.get_frame_height(), theme.palette()
    name = active.model.skeleton.names[joint]
    lines = imgui.get_window_draw_list()
    end = low.x + max(width * min(max(weight, 0.0), 1.0), 2.0)
    color = theme.packed(palette.accent, 0.45)
    lines.add_rect_filled((low.x, low.y + 1.0), (end, low.y + tall - 1.0), color, 3.0)
    pressed, _ = imgui.selectable(f"##weight {joint}", False, 0, imgui.ImVec2(width, tall))
    widgets.mark(session, f"weight of {name}")
    widgets.hint(f"Select {name}")
    y, text = low.y + imgui.get_style().frame_padding.y, f"{weight:.4f}"
    taken = imgui.calc_text_size(text).x
    shown = name.removeprefix(short_names.joint_prefix(active.model))
    shown = widgets.shortened(shown, width - taken - 1.2 * em)
    ink = theme.packed(palette.text)
    lines.add_text((low.x + 0.4 * em, y), ink, shown)
    lines.add_text((low.x + width - taken - 0.3 * em, y), ink, text)
    if pressed:
        session.selections.select(active, Selected(joint))


def _sum(session: Session, facts: VertexFacts) -> None:
    """Draw the sum of the weights; of those in the file, if it is not 1."""
    total = sum(weight for _, weight in facts.influences)
    fact_rows.fact(session, "Sum", f"{total:.4g}")
    if facts.stored_sum == 0.0:
        _note("The file has no weight: the first joint is used")
    elif abs(facts.stored_sum - 1.0) > _UNEVEN:
        _note(f"Sum in the file {facts.stored_sum:.4g}: the weights were normalized")


def _note(text: str) -> None:
    with widgets.colored((imgui.Col_.text, theme.palette().warning)):
        imgui.text_wrapped(text)
