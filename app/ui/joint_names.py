"""Joint names over the scene."""

import numpy as np
from imgui_bundle import imgui

from ..animation.types import F64
from ..images.label_boxes import Box, first_free
from ..scene.character import Character
from ..scene.joint_places import joint_places
from ..session.session import Session
from . import short_names, theme, widgets

MOST = 400  # names drawn at once; more would be unreadable
SIZE = 0.875  # of the font's height
GAP = 6.0  # smallest distance between two names, points


def draw(session: Session) -> None:
    """Draw the names of visible joints beside them, nearest first, without overlaps."""
    if session.character is None or not session.scene.display.joint_names:
        return
    names, places = _places(session)
    left, top, right, bottom = session.interface.view
    em = widgets.em()
    size = round(SIZE * em)
    lines = imgui.get_background_draw_list()
    lines.push_clip_rect(imgui.ImVec2(left, top), imgui.ImVec2(right, bottom))
    taken: list[Box] = []
    chosen = _highlighted(session)
    for (name, of, joint), (x, y) in zip(names[:MOST], places.tolist(), strict=False):
        width = imgui.calc_text_size(name).x * size / em
        spot = _free(round(x), round(y), width, size, taken)
        if spot is None:
            continue
        taken.append(spot)
        at = imgui.ImVec2(spot[0], spot[1])
        painted = joint == chosen and of is session.character
        color = theme.palette().accent if painted else theme.palette().text
        lines.add_rect_filled(
            imgui.ImVec2(spot[0] - 3.0, spot[1] - 1.0),
            imgui.ImVec2(spot[2] + 3.0, spot[3] + 2.0),
            theme.packed(theme.palette().bar, 0.62),
            3.0,
        )
        lines.add_text(imgui.get_font(), size, at, theme.packed(color), name)
    lines.pop_clip_rect()


def _highlighted(session: Session) -> int:
    """Return the joint of the active character whose name stands out, -1: none."""
    chosen = session.scene.display.selected
    if chosen is not None and chosen.primitive < 0:
        return chosen.joint
    return session.scene.display.weights_joint


def _places(session: Session) -> tuple[list[tuple[str, Character, int]], F64]:
    """Return the joints in the view and their window positions [N, 2], points, nearest first."""
    left, top, right, bottom = session.interface.view
    size = np.array([right - left, bottom - top])
    joints, places = joint_places(session.scene, float(size[0] / size[1]))
    models = {character: character.model for character in dict.fromkeys(each for each, _ in joints)}
    prefixes = {each: short_names.joint_prefix(model) for each, model in models.items()}
    names = [
        (models[each].skeleton.names[joint].removeprefix(prefixes[each]), each, joint)
        for each, joint in joints
    ]
    return names, places * size + (left, top)


def _free(x: float, y: float, width: float, height: float, taken: list[Box]) -> Box | None:
    """Return the first box beside a point that overlaps no other name, None if all overlap."""
    gap = height // 2.0
    corners = (
        (x + gap, y - height // 2.0),
        (x - gap - round(width), y - height // 2.0),
        (x - width // 2.0, y - gap - height),
        (x - width // 2.0, y + gap),
    )
    boxes = [(left, top, left + width, top + height) for left, top in corners]
    return first_free(boxes, taken, GAP)
