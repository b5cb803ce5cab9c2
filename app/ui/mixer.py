"""The mixer: the stack of layers, each with its source and weight."""

from dataclasses import replace

from imgui_bundle import imgui

from ..model.lookup import clip_prefix
from ..motion import edit, layer_content
from ..motion.cross_references import WEIGHT
from ..motion.document import LayerSettings, MotionDoc, Play
from ..session.commands.actions import action
from ..session.session import Session
from . import icons, layer_details, parameters, source_picker, theme, widgets

MOST_ADDED = 2.0  # upper end of the weight slider of an additive layer; more can be typed


def draw(session: Session) -> None:
    """Draw the buttons of the motion, the layers, and the parameters below them."""
    if session.model is None:
        return
    _heading(session)
    document = session.editor.document
    if not document.layers:
        _empty(session, document)
    else:
        active = _active_layers(document)
        prefix = clip_prefix(session.model)
        for index, layer in enumerate(document.layers):
            imgui.push_id(f"layer {index}")
            _layer(session, layer, index, prefix, active=layer.name in active)
            imgui.pop_id()
        _add(session, document)
    parameters.draw(session)


def _empty(session: Session, document: MotionDoc) -> None:
    widgets.note(
        "Layers blend clips, each with a weight and a mask. "
        "They are saved in a motion file beside the character."
    )
    label, tip = (
        f"{icons.LAYERS}  Create layers",
        "Creates a base layer that plays the current clip",
    )
    if widgets.button(session, "make layers", label, -1.0, tip):
        make_layers(session, document)


def make_layers(session: Session, document: MotionDoc) -> None:
    """Create a base layer that plays the current clip, or the rest pose."""
    character, model = session.character, session.model
    if character is None or model is None:
        return
    play: Play = layer_content.REST
    if model.clips:
        play = model.clips[max(character.clip, 0)].name
    base = LayerSettings("base", play)
    session.editor.edit(edit.with_layer(document, base, 0), "Create layers")


def _active_layers(document: MotionDoc) -> set[str]:
    """Return the names of layers that are neither muted nor silenced by solo layers."""
    solo = any(layer.solo and not layer.mute for layer in document.layers)
    return {layer.name for layer in document.layers if not layer.mute and (layer.solo or not solo)}


def _layer(
    session: Session, layer: LayerSettings, index: int, prefix: str, *, active: bool
) -> None:
    """Draw a layer: name, mute, solo, weight, and its details if open; clips lack the prefix."""
    mixer = session.interface.mixer_panels
    opened = mixer.layer == layer.name
    if opened and mixer.scroll_to_layer:
        imgui.set_scroll_here_y(0.0)
        mixer.scroll_to_layer = False
    top = imgui.get_cursor_screen_pos()
    _header(session, layer, index, active=active, opened=opened)
    _weight(session, layer, prefix, active=active)
    if opened:
        layer_details.draw(session, layer, index)
        bottom = imgui.get_cursor_screen_pos().y - imgui.get_style().item_spacing.y
        x = top.x - 0.4 * widgets.em()
        color = theme.packed(theme.palette().accent)
        imgui.get_window_draw_list().add_line((x, top.y), (x, bottom), color, 2.0)
    imgui.spacing()


def _header(
    session: Session, layer: LayerSettings, index: int, *, active: bool, opened: bool
) -> None:
    em = widgets.em()
    small = 1.7 * em
    top = imgui.get_cursor_screen_pos()
    width = imgui.get_content_region_avail().x
    name_width = width - 2.0 * small - 8.0
    size, flags = (name_width, imgui.get_frame_height()), imgui.ButtonFlags_.enable_nav
    if widgets.area(session, f"layer {layer.name}", size, flags):
        _open(session, layer, opened=not opened)
    lines = imgui.get_window_draw_list()
    if imgui.is_item_hovered() or imgui.is_item_focused():
        low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        lines.add_rect_filled(low, high, imgui.get_color_u32(imgui.Col_.header_hovered), 4.0)
    arrow = icons.OPENED if opened else icons.CLOSED
    y = top.y + imgui.get_style().frame_padding.y
    palette = theme.palette()
    lines.add_text((top.x + 0.15 * em, y), theme.packed(palette.quiet), arrow)
    remark = "base" if index == 0 and layer.name != "base" else ""
    if not active:
        remark = "muted"
    room = name_width - 1.4 * em
    if remark:
        right = top.x + name_width - 0.4 * em
        room -= widgets.text_before(right, y, remark, palette.quiet) + 0.8 * em
    name = widgets.shortened(layer.name, room)
    ink = palette.text if active else palette.quiet
    lines.add_text((top.x + 1.1 * em, y), theme.packed(ink), name)
    widgets.hint(f"{layer.name}: {'close' if opened else 'open'} details")
    imgui.same_line(0.0, 4.0)
    words = "Unmute" if layer.mute else "Mute"
    if widgets.toggle(session, f"mute {layer.name}", "M", layer.mute, words, small):
        changed = replace(layer, mute=not layer.mute)
        layer_details.put(session, changed, f"{words} {layer.name}")
    imgui.same_line(0.0, 4.0)
    words = "End solo" if layer.solo else "Solo: mute all other layers"
    if widgets.toggle(session, f"solo {layer.name}", "S", layer.solo, words, small):
        layer_details.put(session, replace(layer, solo=not layer.solo), f"Solo {layer.name}")


def _open(session: Session, layer: LayerSettings, *, opened: bool) -> None:
    """Open or close a layer's details; the other panels show its space and mask."""
    mixer, document = session.interface.mixer_panels, session.editor.document
    mixer.layer = layer.name if opened else ""
    mixer.scroll_to_layer = opened
    if isinstance(layer.play, str) and layer.play in document.spaces:
        mixer.space = layer.play
    if layer.mask in document.masks:
        mixer.mask = layer.mask or ""


def _weight(session: Session, layer: LayerSettings, prefix: str, *, active: bool) -> None:
    """Draw the weight slider, labelled with what plays."""
    bound = isinstance(layer.weight, str)
    name = layer.weight if isinstance(layer.weight, str) else f"{layer.name}{WEIGHT}"
    value, current = session.editor.value_and_current(name)
    weight = value if isinstance(value, float) else 0.0
    limits = (0.0, MOST_ADDED if layer.mode == "add" else 1.0)
    color = theme.palette().accent if active else theme.palette().quiet
    document = session.editor.document
    now = layer_content.labels_at(document, layer, session.transport.time)
    title = " → ".join(label.removeprefix(prefix) for label in now)
    shown = (title, f"{name} {weight:.2f}" if bound else f"{weight:.2f}")
    new = widgets.slider(session, f"weight {layer.name}", shown, weight, limits, color=color)
    parameters.current_value_marker(current, weight, limits)
    if new != weight:
        new = max(new, 0.0) if layer.mode == "add" else min(max(new, 0.0), 1.0)
        session.editor.drag(name, round(new, 3), f"Weight of {layer.name}")
    if widgets.hinted():
        widgets.tooltip(_words(document, layer, now))


def _words(document: MotionDoc, layer: LayerSettings, now: list[str]) -> str:
    """Return what a layer plays, in general and `now`."""
    mask = f", on {layer.mask}" if layer.mask else ""
    kind = layer_content.kind(document, layer.play).capitalize()
    named = isinstance(layer.play, str)  # else the title contains the kind
    source = layer_content.label(layer.play)
    words = f"{kind} {source}{mask}" if named else f"{source}{mask}"
    return words if now == [source] else f"{words}. Now: {' → '.join(now)}"


def _add(session: Session, document: MotionDoc) -> None:
    wide = 1.9 * widgets.em()
    room = imgui.get_content_region_avail().x - wide - 4.0
    chosen = source_picker.choose(session, "add layer", f"{icons.ADD}  Add a layer…", width=room)
    widgets.hint("Adds a layer on top")
    imgui.same_line(0.0, 4.0)
    words = "Add a layer that makes the head look at a point in the scene"
    if widgets.toggle(session, "add look", icons.TARGET, False, words, wide):
        _add_look_at(session)
    if chosen is None:
        return
    name = edit.free_name(
        layer_content.layer_name(chosen), (layer.name for layer in document.layers)
    )
    made = LayerSettings(name, chosen)
    added = edit.with_play(edit.with_layer(document, made), name, chosen)
    if session.editor.edit(added, f"Add {name}"):
        session.interface.mixer_panels.layer = name


def _heading(session: Session) -> None:
    """Draw undo, redo and save at the right end of the line."""
    em = widgets.em()
    history = session.history
    parts = (
        (icons.UNDO, "undo", bool(history.undo_label), history.undo_label),
        (icons.REDO, "redo", bool(history.redo_label), history.redo_label),
        (icons.SAVE, "save", session.editor.differs, ""),
    )
    wide = 2.0 * em
    room = imgui.get_content_region_avail().x - 3.0 * wide - 8.0
    imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + room)
    for number, (icon, name, usable, words) in enumerate(parts):
        if number:
            imgui.same_line(0.0, 4.0)
        with widgets.Disabled(not usable):
            if widgets.button(session, name, icon, wide):
                action(name).run(session)
        widgets.key_hint(session, action(name), more=f": {words}" if words else "")


def _add_look_at(session: Session) -> None:
    """Add a layer that makes the head look at a point, and show the point's handle."""
    model = session.model
    head = None if model is None else edit.find_head(model)
    if model is None or head is None:
        session.notify("This character has no bone named head")
        return
    document, name, point = edit.with_look_at(session.editor.document, model, head)
    if session.editor.edit(document, f"Add {name}"):
        session.interface.mixer_panels.layer = name
        session.interface.mixer_panels.handle = point
