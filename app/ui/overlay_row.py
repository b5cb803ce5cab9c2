"""The overlays as a row of icons at the top of the scene, and a list of their settings."""

from imgui_bundle import imgui

from ..model.lookup import joint_prefix
from ..model.skin_joints import weighted_joints
from ..scene.selected import Selected
from ..scenedoc.look import BoneStyle, Overlays
from ..session.commands.actions import action
from ..session.session import Session
from . import icons, theme, widgets

OVERLAYS = {  # icons of actions, in groups: the skeleton, the mesh, and what is around it
    "bones": "\uf5d7",
    "names": "\uf031",
    "axes": "\uf047",
    "path": "\uf4d7",
    "overlay depth": "\uf2a8",
    "wireframe": "\uf5ee",
    "weights": "\uf5cd",
    "bounds": "\uf1b2",
    "grid": "\uf84c",
    "shadow": "\uf186",
}
HINTS = {
    "path": "Where the selected joint goes in the clip: a dot at each frame, a diamond at "
    "each key, wide and green while its foot is on the ground",
    "axes": "X red, Y green, Z blue",
    "overlay depth": "Skeleton, axes and ghost are hidden by the mesh in front of them; else "
    "they are dimmed there",
}
SHAPES: dict[BoneStyle, str] = {"octahedra": "Octahedra", "lines": "Lines"}
SHAPE_HINTS = dict.fromkeys(
    SHAPES, "Left: blue with diamonds, right: red with squares, middle: amber with discs"
)


def draw(session: Session, left: float, top: float, right: float, *, low: bool) -> None:
    """Draw the icons, in two lines if they need more width; where it is short, only the list.

    Notes their lower end as `viewport.top`.

    Parameters
    ----------
    left, top, right
        Ends of the free part of the scene, points.
    low
        Whether the scene has height for the list alone.
    """
    wide, gap, tall = theme.metrics().icon, theme.metrics().row_gap, imgui.get_frame_height()
    across = int((right - left + gap) / (wide + gap))
    if session.model is None or across < 1:
        return
    short = low or 2 * across <= len(OVERLAYS)
    count = 1 if short else len(OVERLAYS) + 1
    lines = 1 if across >= count else 2
    across = -(-count // lines)
    size = across * (wide + gap) - gap, lines * (tall + gap) - gap
    viewport = session.interface.viewport
    viewport.over += ((left, top, left + size[0], top + size[1]),)
    viewport.top = top + size[1]
    with widgets.ClearWindow(session, "Overlays", (left, top), size) as drawn:
        if drawn:
            _row(session, across, short=short)


def _row(session: Session, across: int, *, short: bool) -> None:
    """Draw the icons in lines of a number of them, if not `short`, and the list of settings."""
    gap = theme.metrics().row_gap
    imgui.push_style_var(imgui.StyleVar_.item_spacing, (gap, gap))
    if not short:
        _icons(session, across)
    tip = "Overlays and their settings" if short else "Settings of the overlays"
    opened = widgets.begin_popover(session, "overlay settings", icons.OPENED, tip)
    imgui.pop_style_var()
    if opened:
        _settings(session, listed=short)
        imgui.end_popup()


def _icons(session: Session, across: int) -> None:
    """Draw the icons in lines of a number of them, after which the last line goes on."""
    hovered = imgui.is_window_hovered()
    for k, (name, icon) in enumerate(OVERLAYS.items(), 1):
        what = action(name)
        assert what.checked is not None
        if widgets.toggle(session, name, icon, what.checked(session), ""):
            what.run(session)
        if hovered:
            about = HINTS.get(name, "")
            widgets.key_hint(session, what, more=f"\n{about}" if about else "")
        if k % across:
            imgui.same_line()


def _settings(session: Session, *, listed: bool) -> None:
    """Draw the shape of the skeleton, and the joint of the weights; the overlays if `listed`."""
    widgets.heading("Overlays")
    for name in OVERLAYS if listed else ():
        widgets.switch(session, name, tip=HINTS.get(name, ""))
    now = session.scene.look.overlays.bones
    shape = widgets.choice(session, "bone shape", SHAPES, now, "Skeleton: ", hints=SHAPE_HINTS)
    session.change(Overlays, bones=shape)
    if session.scene.weights_joint >= 0:
        _joints(session, session.scene.weights_joint)


def _joints(session: Session, weighted: int) -> None:
    """Draw the list of joints with weights; Enter in its search field takes the first match."""
    model = session.model
    if model is None:
        return
    names, prefix = model.skeleton.names, joint_prefix(model)
    now = names[weighted]
    shown = f"Weights: {now.removeprefix(prefix)}"
    opened = widgets.begin_searched_list(session, "joint", shown, search="search joints")
    if opened is None:
        widgets.hint(now)
        return
    for joint in weighted_joints(model):
        name = names[joint]
        shown = name.removeprefix(prefix)
        taken = opened.entry(f"joint {name}", name, shown, chosen=joint == weighted)
        if taken and session.active is not None:
            session.selections.select(session.active, Selected(joint))
    imgui.end_combo()
