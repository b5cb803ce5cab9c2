"""Joint names over the scene."""

from imgui_bundle import imgui

from ..images.label_layout import Label, nearest_in_box
from ..scene.named_joints import NamedJoint, face_boxes, named_joints
from ..session.session import Session
from . import theme, widgets

MOST = 400  # names drawn at once; more would be unreadable
SIZE = 0.875  # of the font's height
GAP = 6.0  # smallest distance between two captions, points
PAD = 3.0  # of the background around a name, points


def draw(session: Session) -> None:
    """Draw the names of visible joints: over no other name and no face, with lines if moved."""
    if session.character is None or not session.scene.look.overlays.joint_names:
        return
    left, top, right, bottom = session.interface.viewport.box
    lines = imgui.get_background_draw_list()
    lines.push_clip_rect(imgui.ImVec2(left, top), imgui.ImVec2(right, bottom))
    placed = _place(session)
    for _, (x, y), label in placed:
        if label is not None and label.moved:
            end = nearest_in_box((x, y), label.box)
            color = theme.packed(theme.palette().text, 0.55)
            at = imgui.ImVec2(x + left, y + top), imgui.ImVec2(end[0] + left, end[1] + top)
            lines.add_line(*at, color, max(widgets.em() / 16.0, 1.0))
    chosen = _highlighted(session)
    for joint, _, label in placed:
        if label is not None:
            painted = joint.joint == chosen and joint.character is session.character
            _write(session, joint.name, label, painted=painted)
    lines.pop_clip_rect()


def _write(session: Session, name: str, label: Label, *, painted: bool) -> None:
    """Write a name over a dim background at its place in the view."""
    left, top, *_ = session.interface.viewport.box
    low, high = (
        imgui.ImVec2(round(x + left), round(y + top)) for x, y in (label.box[:2], label.box[2:])
    )
    widgets.mark_box(session, f"joint name {name}", (low.x, low.y), (high.x, high.y))
    lines = imgui.get_background_draw_list()
    lines.add_rect_filled(low, high, theme.packed(theme.palette().bar, 0.62), 3.0)
    color = theme.packed(theme.palette().accent if painted else theme.palette().text)
    at = imgui.ImVec2(low.x + PAD, low.y + 1.0)
    lines.add_text(imgui.get_font(), round(SIZE * widgets.em()), at, color, name)


def _highlighted(session: Session) -> int:
    """Return the joint of the active character whose name stands out, -1: none."""
    chosen = session.scene.selected
    if chosen is not None and chosen.primitive < 0:
        return chosen.joint
    return session.scene.weights_joint


def _place(session: Session) -> list[tuple[NamedJoint, tuple[float, float], Label | None]]:
    """Return the joints between the panels, their places in the view and their labels, points."""
    interface, em = session.interface, widgets.em()
    left, top, right, bottom = interface.viewport.box
    view = right - left, bottom - top
    ends = interface.viewport.covered
    joints, places = named_joints(session.scene, view)
    seen = (places[:, 0] > ends[0]) & (places[:, 0] < view[0] - ends[1])
    rows = seen.nonzero()[0][:MOST].tolist()
    joints, points = [joints[row] for row in rows], [(x, y) for x, y in places[rows].tolist()]
    height = round(SIZE * em)
    sizes = [
        (round(imgui.calc_text_size(each.name).x * height / em) + 2 * PAD, height + PAD)
        for each in joints
    ]
    free = face_boxes(session.scene, view)
    free += [(0.0, 0.0, ends[0], view[1]), (view[0] - ends[1], 0.0, *view)]
    cube = () if interface.viewport.cube is None else (interface.viewport.cube,)
    free += [
        (x - left, y - top, end - left, below - top)
        for x, y, end, below in (*cube, *interface.viewport.captions)
    ]
    keys = [(id(each.character), each.joint) for each in joints]
    labels = interface.viewport.labels.place(points, sizes, height, view, free, keys=keys)
    return list(zip(joints, points, labels, strict=True))
