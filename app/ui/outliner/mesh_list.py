"""The meshes of the outliner: what is drawn, with materials and triangles."""

from imgui_bundle import imgui

from ...model.model import Model
from ...scene.character import Character
from ...scene.selected import Selected, name_of, primitive_of
from ...session.session import Session
from .. import clips, icons, short_names, theme, widgets

Part = tuple[int, int]  # node and primitive


def draw(session: Session) -> None:
    """Draw a row for each part of each mesh: eye, name, material, triangles."""
    model, character = session.model, session.character
    if model is None or character is None:
        widgets.quiet("No file is open")
        return
    parts = [
        (instance.joint, k)
        for instance in model.instances
        if instance.in_scene
        for k in range(len(model.meshes[instance.mesh].primitives))
    ]
    if not parts:
        widgets.quiet("No meshes")
        return
    interface = session.interface
    chosen, tall = session.selected, imgui.get_frame_height()
    height = min(len(parts) * tall, max(widgets.room_below(session), 4.0 * tall))
    imgui.push_style_var(imgui.StyleVar_.item_spacing, (4.0, 0.0))
    if imgui.begin_child("mesh list", imgui.ImVec2(0.0, height), imgui.ChildFlags_.nav_flattened):
        now = None if chosen is None else (chosen.joint, chosen.primitive)
        if interface.scroll_to_selected and now in parts:
            low = parts.index(now) * tall
            if not imgui.get_scroll_y() <= low <= imgui.get_scroll_y() + height - tall:
                imgui.set_scroll_y(max(low - 0.5 * (height - tall), 0.0))
        interface.scroll_to_selected = False
        clipper = imgui.ListClipper()
        clipper.begin(len(parts), tall)
        while clipper.step():
            for k in range(clipper.display_start, clipper.display_end):
                _row(session, character, parts, k, selected=parts[k] == now)
        clipper.end()
    imgui.end_child()
    imgui.pop_style_var()


def _row(
    session: Session, character: Character, parts: list[Part], k: int, *, selected: bool
) -> None:
    em, tall, model, part = widgets.em(), imgui.get_frame_height(), character.model, parts[k]
    low, width = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
    hidden, palette = part in character.hidden_parts, theme.palette()
    pressed = imgui.invisible_button(f"eye{k}", imgui.ImVec2(1.8 * em, tall))
    over = imgui.is_item_hovered()
    found = Selected(*part)
    name = name_of(model, found)
    widgets.mark(session, f"eye {name}")
    widgets.hint("Show or hide; with Ctrl show only this part, again show all")
    if pressed:
        character.hidden_parts = _toggled(
            character.hidden_parts, parts, part, solo=imgui.get_io().key_ctrl
        )
    imgui.same_line(0.0, 2.0)
    left = 1.8 * em + 2.0
    with widgets.colored(*(clips.selected() if selected else ())):
        size = imgui.ImVec2(width - left, tall)
        clicked, _ = imgui.selectable(f"##part{k}", selected, 0, size)
    widgets.mark(session, f"part {name}")
    primitive = primitive_of(model, found)
    triangles = f"{0 if primitive is None else primitive.triangle_count:,}"
    widgets.hint(f"{name}: {_material(model, found)}, {triangles} triangles")
    if clicked and session.active is not None:
        session.selections.select(session.active, found)
    taken = imgui.calc_text_size(triangles).x
    ink = palette.quiet if hidden else palette.text
    shown = name.removeprefix(short_names.joint_prefix(model))
    shown = widgets.shortened(shown, width - left - taken - 1.2 * em)
    lines, y = imgui.get_window_draw_list(), low.y + imgui.get_style().frame_padding.y
    icon = icons.HIDDEN if hidden else icons.VISIBLE
    eye = palette.text if over else palette.quiet
    lines.add_text((low.x + 0.4 * em, y), theme.packed(eye), icon)
    lines.add_text((low.x + left + 0.2 * em, y), theme.packed(ink), shown)
    end = low.x + width - taken - 0.3 * em
    lines.add_text((end, y), theme.packed(palette.quiet), triangles)


def _toggled(
    hidden: frozenset[Part], parts: list[Part], part: Part, *, solo: bool
) -> frozenset[Part]:
    """Return the hidden parts after one is shown or hidden; solo hides or shows all others."""
    others = frozenset(parts) - {part}
    if solo:
        return frozenset() if hidden == others else others
    return hidden ^ {part}


def _material(model: Model, chosen: Selected) -> str:
    """Return the name of a part's material."""
    found = primitive_of(model, chosen)
    if found is None or found.material < 0:
        return "default material"
    return model.materials[found.material].name or f"material {found.material}"
