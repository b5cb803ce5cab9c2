"""The panel "Mask": the joint tree with a weight for each joint, painted by dragging."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from imgui_bundle import imgui

from ..animation.types import F32
from ..errors import UsageError
from ..model.lookup import find_joint
from ..model.model import Model
from ..model.skin_joints import joint_reference
from ..motion import edit
from ..motion.document import MaskSettings, MotionDoc
from ..scene.shown_joints import shown_joints
from ..session.outliner import TreeRow, tree_rows
from ..session.session import Session
from . import icons, short_names, theme, widgets

STEP = 0.05  # steps of painted weights; none with Alt
SPACES = {"local": "Local space", "model": "Model space"}


def draw(session: Session) -> None:
    """Draw the list of masks, and the selected mask's joint tree."""
    model, mixer = session.model, session.interface.mixer_panels
    if model is None:
        return
    document = session.editor.document
    names = list(document.masks)
    if mixer.mask not in names:
        mixer.mask = names[0] if names else ""
    _choice(session, document)
    document = session.editor.document
    if mixer.mask not in document.masks:
        session.scene.display.mask = ()
        with widgets.colored((imgui.Col_.text, theme.palette().quiet)):
            imgui.text_wrapped(
                "A mask sets how much of a layer each bone takes. A weight applies to all "
                "children down to the next bone with its own weight."
            )
        return
    mask = document.masks[mixer.mask]
    named = named_joints(model, mask)
    weights = mask_weights(model, named, mask)
    _, mixer.show_mask = imgui.checkbox("Show on the mesh", mixer.show_mask)
    widgets.mark(session, "show mask")
    session.scene.display.mask = tuple(weights.tolist()) if mixer.show_mask else ()
    space = widgets.choice(session, "mask space", SPACES, mask.space, "")
    if space != mask.space:
        chosen = replace(mask, space="model" if space == "model" else "local")
        session.editor.edit(edit.with_mask(document, mixer.mask, chosen), f"Space of {mixer.mask}")
    session.interface.filter_joints = widgets.search_field(
        session, "search mask", session.interface.filter_joints, f"{icons.SEARCH}  Search"
    )
    _tree(session, model, named, weights)


def named_joints(model: Model, mask: MaskSettings) -> dict[int, str]:
    """Return the joints that a mask names, with the mask's keys for them."""
    found = {}
    for name in mask.joints:
        try:
            found[find_joint(model, name).index] = name
        except UsageError:
            continue  # reported when the motion is bound
    return found


def mask_weights(model: Model, named: Mapping[int, str], mask: MaskSettings) -> F32:
    """Return the weight [J] of every joint: its own, else that of its parent."""
    weights = np.zeros(model.skeleton.count, np.float32)
    for joint, parent in enumerate(model.skeleton.parents.tolist()):
        if joint in named:
            weights[joint] = mask.joints[named[joint]]
        elif parent >= 0:
            weights[joint] = weights[parent]
    return weights


def _choice(session: Session, document: MotionDoc) -> None:
    """Draw the list of masks, and buttons to add and remove one."""
    mixer = session.interface.mixer_panels
    wide = 1.9 * widgets.em()
    imgui.set_next_item_width(imgui.get_content_region_avail().x - 2.0 * (wide + 4.0))
    opened = imgui.begin_combo("##mask", mixer.mask or "No mask")
    widgets.mark(session, "mask")
    if opened:
        for name in document.masks:
            if imgui.selectable(name, name == mixer.mask)[0]:
                mixer.mask = name
            widgets.mark(session, f"mask {name}")
        imgui.end_combo()
    imgui.same_line(0.0, 4.0)
    if widgets.toggle(session, "new mask", icons.ADD, False, "Add a mask", wide):
        make_mask(session)
    imgui.same_line(0.0, 4.0)
    with widgets.disabled(not mixer.mask):
        if widgets.toggle(session, "remove mask", icons.REMOVE, False, "Remove the mask", wide):
            less = edit.without_mask(document, mixer.mask)
            session.editor.edit(less, f"Remove {mixer.mask}")


def make_mask(session: Session, layer: str = "") -> None:
    """Add a mask that is 0 everywhere, and assign it to a layer if one is given."""
    document = session.editor.document
    name = edit.free_name("mask", document.masks)
    document = edit.with_mask(document, name, MaskSettings({}))
    if layer:
        document = edit.changed_layer(
            document, layer, lambda settings: replace(settings, mask=name)
        )
    if session.editor.edit(document, f"Add {name}"):
        session.interface.mixer_panels.mask = name


def _tree(session: Session, model: Model, named: dict[int, str], weights: F32) -> None:
    mixer = session.interface.mixer_panels
    text = session.interface.filter_joints
    find = widgets.matches(text) if text.strip() else None
    listed = tree_rows(model, mixer.folded, shown_joints(model), find)
    tall = imgui.get_frame_height()
    height = min(len(listed) * (tall + 2.0), max(widgets.room_below(session), 4.0 * tall))
    imgui.push_style_var(imgui.StyleVar_.item_spacing, (4.0, 2.0))
    if imgui.begin_child("joints", imgui.ImVec2(0.0, height), imgui.ChildFlags_.nav_flattened):
        for row in listed:
            _row(session, model, row, named, float(weights[row.joint]))
    imgui.end_child()
    imgui.pop_style_var()
    if not imgui.is_mouse_down(imgui.MouseButton_.left):
        mixer.painting = False


def _row(
    session: Session, model: Model, row: TreeRow, named: dict[int, str], weight: float
) -> None:
    """Draw a joint: fold arrow, name, and its weight as a slider."""
    mixer = session.interface.mixer_panels
    em = widgets.em()
    tall = imgui.get_frame_height()
    low = imgui.get_cursor_screen_pos()
    width = imgui.get_content_region_avail().x
    bar = 0.34 * width
    indent = 0.5 * em * min(row.depth, 12)
    lines = imgui.get_window_draw_list()
    name = model.skeleton.names[row.joint]
    y = low.y + imgui.get_style().frame_padding.y
    if row.has_children:
        pressed = imgui.invisible_button(f"fold {row.joint}", (max(width - bar, 1.0), tall))
        widgets.mark(session, f"fold {name}")
        if pressed:
            mixer.folded ^= {row.joint}
        arrow = icons.CLOSED if row.joint in mixer.folded else icons.OPENED
        lines.add_text((low.x + indent, y), theme.packed(theme.palette().quiet), arrow)
    else:
        imgui.dummy((max(width - bar, 1.0), tall))
    own = row.joint in named
    room = width - bar - indent - 1.6 * em
    ink = theme.palette().text if own or weight > 0.0 else theme.palette().quiet
    shown = widgets.shortened(name.removeprefix(short_names.joint_prefix(model)), room)
    lines.add_text((low.x + indent + em, y), theme.packed(ink), shown)
    if shown != name:
        widgets.hint(name)
    imgui.same_line(width - bar)
    _bar(session, model, row.joint, named, weight)


def _bar(session: Session, model: Model, joint: int, named: dict[int, str], weight: float) -> None:
    mixer = session.interface.mixer_panels
    own = joint in named
    name = model.skeleton.names[joint]
    imgui.set_next_item_width(imgui.get_content_region_avail().x)
    color = theme.palette().accent if own else theme.palette().quiet
    words = (icons.OWN if own else "", f"{weight:.2f}")
    changed, value = widgets.slider(
        session, f"mask weight {name}", words, weight, (0.0, 1.0), color=color
    )
    if imgui.is_item_activated() and imgui.is_mouse_clicked(imgui.MouseButton_.left):
        mixer.painting = not imgui.get_io().key_ctrl  # Ctrl+click types a number
    low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
    mouse = imgui.get_io().mouse_pos
    focused = imgui.is_item_focused() and imgui.is_key_pressed(imgui.Key.delete)
    if own and (focused or imgui.is_item_clicked(imgui.MouseButton_.right)):
        less = edit.without_mask_joint(session.editor.document, mixer.mask, named[joint])
        session.editor.edit(less, f"Mask {mixer.mask}: inherit {name}")
    elif mixer.painting:
        before = mouse.y  # a fast mouse skips rows: all rows on its path are painted
        if not imgui.is_mouse_clicked(imgui.MouseButton_.left):
            before -= imgui.get_io().mouse_delta.y
        if min(before, mouse.y) < high.y + 1.0 and max(before, mouse.y) >= low.y - 1.0:
            share = min(max((mouse.x - low.x) / max(high.x - low.x, 1.0), 0.0), 1.0)
            _paint(session, model, joint, named, share)
    elif changed:
        _paint(session, model, joint, named, min(max(value, 0.0), 1.0))
    widgets.hint(
        f"{name}: {'own weight' if own else 'weight of its parent'}. Drag over the rows to paint, "
        "Alt for fine steps; right click or Delete removes the own weight"
    )


def _paint(session: Session, model: Model, joint: int, named: dict[int, str], value: float) -> None:
    mask = session.interface.mixer_panels.mask
    document = session.editor.document
    fine = imgui.get_io().key_alt
    value = round(value, 2) if fine else round(round(value / STEP) * STEP, 2)
    key = named.get(joint) or joint_reference(model, joint)
    if document.masks[mask].joints.get(key) == value:
        return
    painted = edit.with_mask_weight(document, mask, key, value)
    session.editor.edit(painted, f"Paint {mask}", f"paint {mask}")
