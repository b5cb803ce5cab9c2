"""Joint names drawn onto a finished picture, for pictures without a window."""

import numpy as np
from PIL import Image, ImageDraw

from ..animation.types import F64, U8
from ..images.label_boxes import Box, first_free
from ..images.text import TextRenderer
from ..scene.joint_places import joint_places
from ..scene.scene import Scene

_TEXT = (255, 255, 255, 255)
_OUTLINE = (15, 15, 20, 230)
_HEIGHT = 1 / 72  # of the picture: legible at 512 pixels and modest at 2048
_LEAST = 10  # pixels


def draw_joint_names(picture: U8, scene: Scene) -> U8:
    """Return the picture [H, W, 4] with the name of every shown joint beside it.

    A name is placed to the right of its joint, or to the left, above or below if that is occupied.
    """
    if scene.character is None:
        return picture
    height, width = picture.shape[:2]
    canvas = Image.fromarray(picture)
    draw = ImageDraw.Draw(canvas)
    size = max(_LEAST, round(height * _HEIGHT))
    letters = TextRenderer(size)
    taken: list[Box] = []
    for name, (x, y) in _joint_pixels(scene, width, height):
        left, top, right, bottom = letters.box(draw, name)
        box = _free_box(x, y, right - left, bottom - top, size, taken)
        taken.append(box)
        at = (box[0] - left, box[1] - top)
        letters.write(draw, at, name, fill=_TEXT, stroke_width=1, stroke_fill=_OUTLINE)
    return np.asarray(canvas)


def _joint_pixels(scene: Scene, width: int, height: int) -> list[tuple[str, F64]]:
    """Return name and pixel of each visible joint, nearest first."""
    joints, places = joint_places(scene, width / height)
    return [
        (character.model.skeleton.names[joint], place * (width, height))
        for (character, joint), place in zip(joints, places, strict=True)
    ]


def _free_box(x: float, y: float, width: float, height: float, gap: float, taken: list[Box]) -> Box:
    """Return the first box beside a point that overlaps no other, the right one if all do."""
    corners = [
        (x + gap * 0.6, y - height / 2),
        (x - gap * 0.6 - width, y - height / 2),
        (x - width / 2, y - gap - height),
        (x - width / 2, y + gap),
    ]
    boxes = [(left, top, left + width, top + height) for left, top in corners]
    return first_free(boxes, taken) or boxes[0]
