"""The details of a layer: source, mask, mode, timing, cross-fade and order."""

from dataclasses import replace
from typing import Literal, cast

from imgui_bundle import imgui

from ..motion import edit, layer_content
from ..motion.cross_references import initial
from ..motion.document import Additive, LayerSettings, Nested, Reference, StillClip, StillPose
from ..session.session import Session
from . import icons, parameters, source_picker, widgets
from .mask_panel import make_mask
from .timeline.schedule import fade_settings

TOUCHED = "touched"
NEW = "\0"  # not a valid mask name
FIXED = ""  # not a parameter
MODES = {"replace": "Replace", "add": "Add"}
AddSpace = Literal["joint", "parent", "model"]
ADDED = {"joint": "Joint", "parent": "Parent", "model": "Model"}
ROTATIONS = {"nlerp": "nlerp", "slerp": "slerp"}
FASTEST = 3.0  # upper end of the speed slider


def draw(session: Session, layer: LayerSettings, place: int) -> None:
    """Draw the details."""
    imgui.indent(0.6 * widgets.em())
    what = layer_content.kind(session.editor.document, layer.play)
    _source(session, layer, timed=what not in ("aim", "reach", "still", "layers"))
    if what not in ("aim", "reach", "additive", "additives"):
        _fade(session, layer)
    _place(session, layer, place)
    _controls(session, layer, timed=what in ("clip", "additive"))
    imgui.unindent(0.6 * widgets.em())


def put(session: Session, changed: LayerSettings, label: str, merge: str = "") -> bool:
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
        "Axes of the added rotation: the bone's own, those of its parent (as in most engines), or "
        "those of the model"
    )
    space = widgets.choice(session, f"space {name}", ADDED, additive.space, "Space: ", tip=tip)
    additive = replace(additive, space=cast(AddSpace, space))
    document = session.editor.document
    if additive != document.additives[name]:
        session.editor.edit(edit.with_additive(document, name, additive), f"Additive {name}")


def _timing(session: Session, layer: LayerSettings, half: float) -> None:
    """Draw speed and start phase."""
    name = layer.name
    if isinstance(layer.speed, str) or layer.time is not None:  # below, by their parameters
        return
    words = ("Speed", f"{layer.speed:.2f}")
    speed = widgets.slider(session, f"speed {name}", words, layer.speed, (0.0, FASTEST), half)
    if speed != layer.speed:
        put(session, replace(layer, speed=round(speed, 2)), f"Speed of {name}", f"speed {name}")
    imgui.same_line()
    words, tip = (
        ("Phase", f"{layer.phase:.2f}"),
        "Start phase: 0 is the start of the clip, 1 its end",
    )
    phase = widgets.slider(session, f"phase {name}", words, layer.phase, (0.0, 1.0), half, tip=tip)
    if phase != layer.phase:
        phase = min(max(round(phase, 2), 0.0), 1.0)
        put(session, replace(layer, phase=phase), f"Phase of {name}", f"phase {name}")


def _controls(session: Session, layer: LayerSettings, *, timed: bool) -> None:
    """Draw which parameters control weight, speed and time of the layer, and their sliders."""
    document, name = session.editor.document, layer.name
    numbers = [key for key, p in document.parameters.items() if not isinstance(p.default, tuple)]
    if not numbers:
        return
    imgui.separator_text("By parameters")
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
            put(session, replace(layer, **{field: by or free}), label)  # type: ignore[arg-type]
        elif by and field != "weight":  # the layer's own slider sets the weight
            parameters.draw_one(session, by, document.parameters[by], f"{field} of the layer")


def _mask(session: Session, layer: LayerSettings, width: float) -> None:
    """Draw the list of masks; the last entry creates a mask."""
    document = session.editor.document
    name = layer.name
    masks = {"": "All bones", TOUCHED: "Animated bones"}
    masks |= {each: each for each in document.masks}
    masks[NEW] = "New mask"
    tip, now = "The bones that the layer affects, with a weight for each", layer.mask or ""
    mask = widgets.choice(session, f"mask {name}", masks, now, width=width, tip=tip)
    if mask == NEW:
        session.interface.mixer_panels.tab = "Mask"
        make_mask(session, name)
    elif mask != (layer.mask or ""):
        put(session, replace(layer, mask=mask or None), f"Mask of {name}")
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
    imgui.separator_text("Cross-fade")
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


def _place(session: Session, layer: LayerSettings, place: int) -> None:
    """Draw rotation blending and name of the layer, and buttons to move or remove it."""
    em = widgets.em()
    document = session.editor.document
    count = len(document.layers)
    wide = 1.9 * em
    imgui.separator_text("Layer")
    if layer_content.kind(document, layer.play) not in ("aim", "reach", "still"):
        rotation = widgets.choice(
            session, f"rotation {layer.name}", ROTATIONS, layer.rotation, "Rotations: "
        )
        if rotation != layer.rotation:
            turned = replace(layer, rotation="slerp" if rotation == "slerp" else "nlerp")
            put(session, turned, f"Rotations of {layer.name}")
    mixer = session.interface.mixer_panels
    if mixer.renamed[0] != layer.name:
        mixer.renamed = (layer.name, layer.name)
    room = imgui.get_content_region_avail().x - 3.0 * (wide + 4.0)
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
        imgui.same_line(0.0, 4.0)
        with widgets.Disabled(not 0 <= goal < count):
            if widgets.toggle(session, f"{name} {layer.name}", icon, False, words, wide):
                session.editor.edit(
                    edit.moved_layer(document, layer.name, goal), f"Move {layer.name}"
                )
    imgui.same_line(0.0, 4.0)
    if widgets.toggle(
        session, f"remove {layer.name}", icons.REMOVE, False, "Remove the layer", wide
    ):
        session.editor.edit(edit.without_layer(document, layer.name), f"Remove {layer.name}")
        mixer.layer = ""
