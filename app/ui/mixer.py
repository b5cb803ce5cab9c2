"""The mixer: the stack of layers, each with its source and weight, and the details of one."""

from dataclasses import replace
from typing import Literal

from imgui_bundle import imgui

from ..animation.track import Rotation
from ..model.lookup import clip_prefix
from ..motion import edit, layer_content, new_entries
from ..motion.cross_references import WEIGHT, initial
from ..motion.document import (
    RANDOM,
    Additive,
    LayerSettings,
    MotionDoc,
    Nested,
    Random,
    Reference,
    StillClip,
    StillPose,
)
from ..session.commands.actions import action
from ..session.posing import base_play
from ..session.session import Session
from . import icons, parameters, source_picker, theme, widgets
from .mask_panel import make_mask
from .record_form import Form
from .timeline.schedule import fade_settings

MOST_ADDED = 2.0  # upper end of the weight slider of an additive layer; more can be typed
TOUCHED = "touched"
NEW = "\0"  # not a valid mask name
FIXED = ""  # not a parameter
MODES = {"replace": "Replace", "add": "Add"}
AddSpace = Literal["joint", "parent", "model"]
ADDED: dict[AddSpace, str] = {"joint": "Joint", "parent": "Parent", "model": "Model"}
ROTATIONS: dict[Rotation, str] = {"nlerp": "nlerp", "slerp": "slerp"}
FASTEST = 3.0  # upper end of the speed slider


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
    if session.active is None:
        return
    base = LayerSettings("base", base_play(session.active))
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
        _details(session, layer, index)
        bottom = imgui.get_cursor_screen_pos().y - imgui.get_style().item_spacing.y
        x = top.x - 0.4 * widgets.em()
        color = theme.packed(theme.palette().accent)
        imgui.get_window_draw_list().add_line((x, top.y), (x, bottom), color, 2.0)
    imgui.spacing()


def _header(
    session: Session, layer: LayerSettings, index: int, *, active: bool, opened: bool
) -> None:
    em, small = widgets.em(), theme.metrics().icon
    top = imgui.get_cursor_screen_pos()
    width = imgui.get_content_region_avail().x
    name_width = width - 2.0 * (small + theme.metrics().gap)
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
    widgets.beside()
    words = "Unmute" if layer.mute else "Mute"
    if widgets.toggle(session, f"mute {layer.name}", "M", layer.mute, words, small):
        changed = replace(layer, mute=not layer.mute)
        _put(session, changed, f"{words} {layer.name}")
    widgets.beside()
    words = "End solo" if layer.solo else "Solo: mute all other layers"
    if widgets.toggle(session, f"solo {layer.name}", "S", layer.solo, words, small):
        _put(session, replace(layer, solo=not layer.solo), f"Solo {layer.name}")


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
    wide = theme.metrics().icon
    room = imgui.get_content_region_avail().x - wide - theme.metrics().gap
    chosen = source_picker.choose(session, "add layer", f"{icons.ADD}  Add a layer…", width=room)
    widgets.hint("Adds a layer below the others in the list: it plays over them")
    widgets.beside()
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
    history = session.history
    parts = (
        (icons.UNDO, "undo", bool(history.undo_label), history.undo_label),
        (icons.REDO, "redo", bool(history.redo_label), history.redo_label),
        (icons.SAVE, "save", session.editor.differs, ""),
    )
    wide = theme.metrics().icon
    room = imgui.get_content_region_avail().x - 3.0 * wide - 2.0 * theme.metrics().gap
    imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + room)
    for number, (icon, name, usable, words) in enumerate(parts):
        if number:
            widgets.beside()
        with widgets.Disabled(not usable):
            if widgets.button(session, name, icon, wide):
                action(name).run(session)
        widgets.key_hint(session, action(name), more=f": {words}" if words else "")


def _add_look_at(session: Session) -> None:
    """Add a layer that makes the head look at a point, and show the point's handle."""
    model = session.model
    head = None if model is None else new_entries.find_head(model)
    if model is None or head is None:
        session.notify("This character has no joint named head")
        return
    document, name, point = new_entries.with_look_at(session.editor.document, model, head)
    if session.editor.edit(document, f"Add {name}"):
        session.interface.mixer_panels.layer = name
        session.interface.mixer_panels.handle = point


def _details(session: Session, layer: LayerSettings, place: int) -> None:
    """Draw the details."""
    imgui.indent(0.6 * widgets.em())
    what = layer_content.kind(session.editor.document, layer.play)
    _source(session, layer, timed=what not in ("aim", "reach", "still", "layers"))
    if what not in ("aim", "reach", "additive", "additives"):
        _fade(session, layer)
    _layer_place(session, layer, place)
    _controls(session, layer, timed=what in ("clip", "additive"))
    if what != "layers" and what not in ("aim", "reach", "still"):
        _random(session, layer)
    imgui.unindent(0.6 * widgets.em())


def _put(session: Session, changed: LayerSettings, label: str, merge: str = "") -> bool:
    """Edit the layer of a name; return whether the motion is valid with it."""
    document = edit.changed_layer(session.editor.document, changed.name, lambda _: changed)
    return session.editor.edit(document, label, merge)


def _source(session: Session, layer: LayerSettings, *, timed: bool) -> None:
    """Draw source, mask, mode, speed, start phase and target."""
    name = layer.name
    document = session.editor.document
    half = (imgui.get_content_region_avail().x - imgui.get_style().item_spacing.x) / 2.0
    source = layer_content.label(layer.play)
    chosen = source_picker.choose(session, f"play {name}", source, layer.play, width=half)
    widgets.hint(f"Source of the layer: {source}")
    if chosen is not None:
        session.editor.edit(edit.with_play(document, name, chosen), f"Source of {name}")
    imgui.same_line()
    _mask(session, layer, half)
    _mode(session, layer)
    if timed:
        _timing(session, layer, half)
    _target(session, layer)


def _mode(session: Session, layer: LayerSettings) -> None:
    """Draw the layer's mode; of an additive layer also its reference and space."""
    document, name = session.editor.document, layer.name
    what = layer_content.kind(document, layer.play)
    if what not in ("clip", "space", "additive"):
        return
    now = "add" if what == "additive" else "replace"
    tip = "Add: the difference of the clip from a reference is added to the layers below"
    mode = widgets.choice(session, f"mode {name}", MODES, now, "Mode: ", tip=tip)
    if mode != now:
        changed = edit.with_mode(document, name, add=mode == "add")
        session.editor.edit(changed, f"Mode of {name}")
    if mode == now == "add" and isinstance(layer.play, str):
        _difference(session, layer.play, document.additives[layer.play])


def _difference(session: Session, name: str, additive: Additive) -> None:
    """Draw reference and space of an additive clip."""
    model = session.model
    clips = [] if model is None else [clip.name for clip in model.clips]
    references: dict[str, Reference] = {
        "rest pose": Reference(pose="rest"),
        **{f"pose {name}": Reference(pose=name) for name in session.editor.document.poses},
        "first frame": Reference(clip=additive.source, time=0.0),
        **{f"{clip}, same phase": Reference(clip=clip) for clip in clips},
    }
    labels = {words: words for words in references}
    now = next((words for words, each in references.items() if each == additive.reference), "other")
    tip = "The reference that is subtracted from the clip"
    chosen = widgets.choice(session, f"reference {name}", labels, now, "From: ", tip=tip)
    if chosen != now:
        additive = replace(additive, reference=references[chosen])
    tip = (
        "Axes of the added rotation: the joint's own, those of its parent (as in most engines), or "
        "those of the model"
    )
    space = widgets.choice(session, f"space {name}", ADDED, additive.space, "Space: ", tip=tip)
    additive = replace(additive, space=space)
    document = session.editor.document
    if additive != document.additives[name]:
        session.editor.edit(
            edit.with_entry(document, "additives", name, additive), f"Additive {name}"
        )


def _timing(session: Session, layer: LayerSettings, half: float) -> None:
    """Draw speed and start phase."""
    name = layer.name
    if isinstance(layer.speed, str) or layer.time is not None:  # below, by their parameters
        return
    words = ("Speed", f"{layer.speed:.2f}")
    speed = widgets.slider(session, f"speed {name}", words, layer.speed, (0.0, FASTEST), half)
    if speed != layer.speed:
        _put(session, replace(layer, speed=round(speed, 2)), f"Speed of {name}", f"speed {name}")
    imgui.same_line()
    words, tip = (
        ("Phase", f"{layer.phase:.2f}"),
        "Start phase: 0 is the start of the clip, 1 its end",
    )
    phase = widgets.slider(session, f"phase {name}", words, layer.phase, (0.0, 1.0), half, tip=tip)
    if phase != layer.phase:
        phase = min(max(round(phase, 2), 0.0), 1.0)
        _put(session, replace(layer, phase=phase), f"Phase of {name}", f"phase {name}")


def _controls(session: Session, layer: LayerSettings, *, timed: bool) -> None:
    """Draw which parameters control weight, speed and time of the layer, and their sliders."""
    document, name = session.editor.document, layer.name
    numbers = [key for key, p in document.parameters.items() if not isinstance(p.default, tuple)]
    if not numbers:
        return
    widgets.heading("By parameters")
    paced = not isinstance(layer.play, StillClip | StillPose | Nested) and layer.time is None
    for field, allowed in (
        ("weight", True),
        ("speed", paced and layer.play not in {*document.aims, *document.iks}),
        ("time", timed and layer.speed == 1.0 and layer.phase == 0.0),
    ):
        value = getattr(layer, field)
        now = value if isinstance(value, str) else FIXED
        if not (allowed or now):
            continue
        options = {FIXED: "by no parameter", **{key: f"by {key}" for key in numbers}}
        tip = f"A parameter that sets the {field} of the layer"
        by = widgets.choice(
            session, f"{field} by {name}", options, now, f"{field.capitalize()}: ", tip=tip
        )
        if by != now:
            free = None if field == "time" else initial(document, value)
            label = f"{field.capitalize()} of {name}"
            _put(session, replace(layer, **{field: by or free}), label)  # type: ignore[arg-type]
        elif by and field != "weight":  # the layer's own slider sets the weight
            parameters.draw_one(session, by, document.parameters[by], f"{field} of the layer")


def _random(session: Session, layer: LayerSettings) -> None:
    """Draw whether phase, speed and content of the layer are drawn by a seed, and how."""
    model, name, random = session.model, layer.name, layer.random
    if model is None:
        return
    tip = "Starts at a phase, with a speed and content that a seed draws: noise out of step"
    starts = widgets.checkbox(session, f"random {name}", "Random start", random is not None, tip)
    if starts != (random is not None):
        _put(session, replace(layer, random=Random() if starts else None), f"Start of {name}")
    elif random is not None:
        form = Form(session, model, session.editor.document)
        changed = form.block(f"random {name}", RANDOM, random)
        if changed != random:
            _put(session, replace(layer, random=changed), f"Start of {name}", f"random {name}")


def _mask(session: Session, layer: LayerSettings, width: float) -> None:
    """Draw the list of masks; the last entry creates a mask."""
    document = session.editor.document
    name = layer.name
    masks = {"": "All joints", TOUCHED: "Animated joints"}
    masks |= {each: each for each in document.masks}
    masks[NEW] = "New mask"
    tip, now = "The joints that the layer affects, with a weight for each", layer.mask or ""
    mask = widgets.choice(session, f"mask {name}", masks, now, width=width, tip=tip)
    if mask == NEW:
        session.interface.mixer_panels.tab = "Mask"
        make_mask(session, name)
    elif mask != (layer.mask or ""):
        _put(session, replace(layer, mask=mask or None), f"Mask of {name}")
        if mask in document.masks:
            session.interface.mixer_panels.mask = mask


def _target(session: Session, layer: LayerSettings) -> None:
    """Draw the target point of an aim or IK, with a button for its handle."""
    document = session.editor.document
    if not isinstance(layer.play, str):
        return
    targeting = document.aims.get(layer.play) or document.iks.get(layer.play)
    if targeting is not None and targeting.target in document.parameters:
        parameters.draw_one(
            session, targeting.target, document.parameters[targeting.target], "of the layer"
        )


def _fade(session: Session, layer: LayerSettings) -> None:
    """Draw the settings of a cross-fade, and a list that starts one at the current time."""
    mixer = session.interface.mixer_panels
    fade = mixer.fade
    now = session.transport.time
    widgets.heading("Cross-fade")
    mixer.fade = fade = fade_settings(session, fade, layer.name)
    shown = f"{icons.FADE}  Fade at {now:.2f} s to…"
    chosen = source_picker.choose(session, f"fade {layer.name}", shown, only=source_picker.FADABLE)
    widgets.hint("Adds a cross-fade at the current time; it is listed under Schedule")
    if chosen is not None:
        faded = edit.with_fade(
            session.editor.document,
            round(now, 3),
            replace(fade, layer=layer.name, to=chosen),
        )
        session.editor.edit(faded, f"Fade {layer.name} to {layer_content.label(chosen)}")


def _layer_place(session: Session, layer: LayerSettings, place: int) -> None:
    """Draw rotation blending and name of the layer, and buttons to move or remove it."""
    document = session.editor.document
    count, wide = len(document.layers), theme.metrics().icon
    widgets.heading("Layer")
    if layer_content.kind(document, layer.play) not in ("aim", "reach", "still"):
        rotation = widgets.choice(
            session, f"rotation {layer.name}", ROTATIONS, layer.rotation, "Rotations: "
        )
        if rotation != layer.rotation:
            turned = replace(layer, rotation=rotation)
            _put(session, turned, f"Rotations of {layer.name}")
    mixer = session.interface.mixer_panels
    if mixer.renamed[0] != layer.name:
        mixer.renamed = (layer.name, layer.name)
    room = imgui.get_content_region_avail().x - 3.0 * (wide + theme.metrics().gap)
    field, tip = f"rename {layer.name}", "The layer's name"
    typed = widgets.text_field(session, field, mixer.renamed[1], room, tip=tip)
    mixer.renamed = (layer.name, typed)
    if imgui.is_item_deactivated_after_edit() and typed != layer.name:
        renamed = edit.renamed_layer(document, layer.name, typed)
        if session.editor.edit(renamed, f"Rename {layer.name}") and renamed != document:
            mixer.layer = renamed.layers[place].name
    for icon, name, goal, words in (
        (icons.UP, "up", place - 1, "Move up in the list: evaluated earlier"),
        (icons.DOWN, "down", place + 1, "Move down in the list: evaluated later"),
    ):
        widgets.beside()
        with widgets.Disabled(not 0 <= goal < count):
            if widgets.toggle(session, f"{name} {layer.name}", icon, False, words, wide):
                session.editor.edit(
                    edit.moved_layer(document, layer.name, goal), f"Move {layer.name}"
                )
    widgets.beside()
    if widgets.toggle(
        session, f"remove {layer.name}", icons.REMOVE, False, "Remove the layer", wide
    ):
        session.editor.edit(edit.without_layer(document, layer.name), f"Remove {layer.name}")
        mixer.layer = ""
