"""The panel "Mask": the joint tree with a weight for each joint, painted by dragging."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from imgui_bundle import imgui

from ..blending.mask import Mask
from ..blending.pose_layout import PoseLayout
from ..errors import UsageError
from ..memo import Memo
from ..model.lookup import find_joint, joint_prefix
from ..model.model import Model
from ..model.skin_joints import joint_reference
from ..motion import edit
from ..motion.document import MaskSettings, MotionDoc
from ..scene.drawn_joints import shown_joints
from ..scene.selected import Selected
from ..session.outliner import TreeRow, tree_rows, unfold_above
from ..session.search import searched
from ..session.session import Session
from . import icons, row_list, theme, widgets

STEP = 0.05  # steps of painted weights; none with Alt
SPACES: dict[Literal["local", "model"], str] = {"local": "Local space", "model": "Model space"}


@dataclass(slots=True)
class MaskSearch:
    """What is searched in the tree of a mask."""

    text: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class MaskWeights:
    """The weights of a mask.

    Attributes
    ----------
    named
        The joints that the mask names, with its keys for them.
    joints
        The weight of every joint [J]: its own, else that of its parent.
    """

    named: dict[int, str]
    joints: tuple[float, ...]


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
        session.scene.mask = ()
        widgets.note(
            "A mask sets how much of a layer each joint takes. A weight applies to all "
            "children down to the next joint with its own weight."
        )
        return
    mask = document.masks[mixer.mask]
    weights = weights_of(model, mask)
    mixer.show_mask = widgets.checkbox(session, "show mask", "Show on the mesh", mixer.show_mask)
    session.scene.mask = weights.joints if mixer.show_mask else ()
    space = widgets.choice(session, "mask space", SPACES, mask.space, "")
    if space != mask.space:
        chosen = replace(mask, space=space)
        session.editor.edit(
            edit.with_entry(document, "masks", mixer.mask, chosen), f"Space of {mixer.mask}"
        )
    search = session.interface.of(MaskSearch)
    search.text, _, _ = widgets.search_field(session, "search mask", search.text)
    _tree(session, model, weights, search.text)


@Memo
def weights_of(model: Model, mask: MaskSettings) -> MaskWeights:
    """Return the weights of a mask."""
    named = {}
    for name in mask.joints:
        try:
            named[find_joint(model, name).index] = name
        except UsageError:
            continue  # reported when the motion is bound
    own = {joint: mask.joints[name] for joint, name in named.items()}
    inherited = Mask.inherited(PoseLayout.bare(model.skeleton), own)
    return MaskWeights(named, tuple(inherited.joints.tolist()))


@Memo
def _tree_rows(model: Model, folded: frozenset[int], text: str) -> list[TreeRow]:
    """Return the rows of the joints that masks apply to; with a search those that it finds."""
    return tree_rows(model, folded, shown_joints(model), searched(text))


def _choice(session: Session, document: MotionDoc) -> None:
    """Draw the list of masks, and buttons to add and remove one."""
    mixer = session.interface.mixer_panels
    wide = theme.metrics().icon
    room = imgui.get_content_region_avail().x - 2.0 * (wide + theme.metrics().gap)
    masks = {name: name for name in document.masks}
    chosen = widgets.choice(session, "mask", masks, mixer.mask or "No mask", width=room)
    mixer.mask = masks.get(chosen, "")
    widgets.beside()
    if widgets.toggle(session, "new mask", icons.ADD, False, "Add a mask", wide):
        make_mask(session)
    widgets.beside()
    with widgets.Disabled(not mixer.mask):
        if widgets.toggle(session, "remove mask", icons.REMOVE, False, "Remove the mask", wide):
            less = edit.without_mask(document, mixer.mask)
            session.editor.edit(less, f"Remove {mixer.mask}")


def make_mask(session: Session, layer: str = "") -> None:
    """Add a mask that is 0 everywhere, and assign it to a layer if one is given."""
    session.interface.mixer_panels.show_mask = True
    document = session.editor.document
    name = edit.free_name("mask", document.masks)
    document = edit.with_entry(document, "masks", name, MaskSettings({}))
    if layer:
        document = edit.changed_layer(
            document, layer, lambda settings: replace(settings, mask=name)
        )
    if session.editor.edit(document, f"Add {name}"):
        session.interface.mixer_panels.mask = name


def _tree(session: Session, model: Model, weights: MaskWeights, text: str) -> None:
    """Draw the joints; a selection made elsewhere scrolls into view."""
    mixer, joint = session.interface.mixer_panels, session.selected_joint
    if joint != mixer.mask_joint and joint >= 0:
        unfold_above(model, mixer.folded, joint)
    listed = _tree_rows(model, frozenset(mixer.folded), text)
    at = next((k for k, row in enumerate(listed) if row.joint == joint), -1)
    goal = at if joint != mixer.mask_joint and not mixer.painting else -1
    prefix = joint_prefix(model)
    row = partial(_row, session, model, listed, weights, at, prefix)
    if row_list.rows_in_sight(session, "joints", len(listed), goal, row, gap=2.0):
        mixer.mask_joint = joint
    if not imgui.is_mouse_down(imgui.MouseButton_.left):
        mixer.painting = False


def _row(
    session: Session,
    model: Model,
    listed: list[TreeRow],
    weights: MaskWeights,
    at: int,
    prefix: str,
    k: int,
) -> None:
    """Draw a joint: fold arrow, name, and its weight as a slider; a click on the name selects."""
    row, mixer, em = listed[k], session.interface.mixer_panels, widgets.em()
    tall, palette = imgui.get_frame_height(), theme.palette()
    low, width = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
    bar, name = 0.34 * width, model.skeleton.names[row.joint]
    arrow = low.x + 0.5 * em * min(row.depth, 12)
    y, lines = low.y + imgui.get_style().frame_padding.y, imgui.get_window_draw_list()
    size = max(width - bar - 0.3 * em, 1.0), tall
    pressed = widgets.row(session, f"mask joint {name}", size, selected=k == at)
    if pressed and row.has_children and imgui.get_io().mouse_pos.x < arrow + em:
        mixer.folded ^= {row.joint}
    elif pressed and session.active is not None:
        mixer.mask_joint = row.joint  # it is in sight
        session.selections.select(session.active, Selected(row.joint))
    if row.has_children:
        icon = icons.CLOSED if row.joint in mixer.folded else icons.OPENED
        lines.add_text((arrow, y), theme.packed(palette.quiet), icon)
    weight, own = weights.joints[row.joint], row.joint in weights.named
    ink = palette.text if own or weight > 0.0 else palette.quiet
    room = low.x + width - bar - arrow - 1.6 * em
    shown = widgets.shortened(name.removeprefix(prefix), room)
    lines.add_text((arrow + em, y), theme.packed(ink), shown)
    if shown != name:
        widgets.hint(name)
    imgui.same_line(width - bar)
    _bar(session, model, row.joint, weights.named, weight)


def _bar(session: Session, model: Model, joint: int, named: dict[int, str], weight: float) -> None:
    mixer = session.interface.mixer_panels
    own = joint in named
    name = model.skeleton.names[joint]
    color = theme.palette().accent if own else theme.palette().quiet
    words = (icons.OWN if own else "", f"{weight:.2f}")
    room = imgui.get_content_region_avail().x
    value = widgets.slider(
        session, f"mask weight {name}", words, weight, (0.0, 1.0), room, color=color
    )
    if imgui.is_item_activated() and imgui.is_mouse_clicked(imgui.MouseButton_.left):
        mixer.painting = not imgui.get_io().key_ctrl  # Ctrl+click types a number
    if own and _is_taken_back():
        less = edit.without_mask_joint(session.editor.document, mixer.mask, named[joint])
        session.editor.edit(less, f"Mask {mixer.mask}: inherit {name}")
    elif mixer.painting:
        low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        mouse = imgui.get_io().mouse_pos
        before = mouse.y  # a fast mouse skips rows: all rows on its path are painted
        if not imgui.is_mouse_clicked(imgui.MouseButton_.left):
            before -= imgui.get_io().mouse_delta.y
        if min(before, mouse.y) < high.y + 1.0 and max(before, mouse.y) >= low.y - 1.0:
            share = min(max((mouse.x - low.x) / max(high.x - low.x, 1.0), 0.0), 1.0)
            _paint(session, model, joint, named, share)
    elif value != weight:
        _paint(session, model, joint, named, min(max(value, 0.0), 1.0))
    if widgets.hinted():
        widgets.tooltip(
            f"{name}: {'own weight' if own else 'weight of its parent'}. Drag over the rows to "
            "paint, Alt for fine steps; right click or Delete removes the own weight"
        )


def _is_taken_back() -> bool:
    """Return whether the last slider is to lose its own weight: right click or Delete."""
    focused = imgui.is_item_focused() and imgui.is_key_pressed(imgui.Key.delete)
    return focused or imgui.is_item_clicked(imgui.MouseButton_.right)


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
