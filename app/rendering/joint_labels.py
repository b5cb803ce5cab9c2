"""Joint names drawn onto a finished picture, for pictures without a window."""

import numpy as np
from PIL import Image, ImageDraw

from ..animation.types import U8
from ..images.label_layout import LabelLayout, nearest_in_box
from ..images.text import TextRenderer
from ..scene.named_joints import face_boxes, named_joints
from ..scene.scene import Scene

_TEXT = (255, 255, 255, 255)
_OUTLINE = (15, 15, 20, 230)
_LINE = (255, 255, 255, 190)
_HEIGHT = 1 / 72  # of the picture: legible at 512 pixels and modest at 2048
_LEAST = 10  # pixels


def draw_joint_names(picture: U8, scene: Scene) -> U8:
    """Return the picture [H, W, 4] with the names of the shown joints, without a common prefix.

    A name is beside its joint, or with a line to it where there is room: over no other name and no
    face. Where there is none, it is left out; the nearest joints come first.
    """
    if scene.character is None:
        return picture
    height, width = picture.shape[:2]
    canvas = Image.fromarray(picture)
    draw = ImageDraw.Draw(canvas)
    size = max(_LEAST, round(height * _HEIGHT))
    letters = TextRenderer(size)
    joints, places = named_joints(scene, (width, height))
    names, points = [each.name for each in joints], [(x, y) for x, y in places.tolist()]
    boxes = [letters.box(draw, name) for name in names]
    pad = size // 4  # at both sides
    sizes = [(right - left + 2 * pad, bottom - top) for left, top, right, bottom in boxes]
    faces = face_boxes(scene, (width, height))
    placed = LabelLayout().place(points, sizes, size, (width, height), faces)
    found = [each for each in zip(names, points, boxes, placed, strict=True) if each[3] is not None]
    lines = Image.new("RGBA", canvas.size)
    pen = ImageDraw.Draw(lines)
    for _, point, _, label in found:
        if label is not None and label.moved:
            pen.line(
                [point, nearest_in_box(point, label.box)], fill=_LINE, width=max(size // 10, 1)
            )
    canvas.alpha_composite(lines)
    for name, _, (left, top, *_rest), label in found:
        if label is not None:
            at = (label.box[0] + pad - left, label.box[1] - top)
            letters.write(draw, at, name, fill=_TEXT, stroke_width=1, stroke_fill=_OUTLINE)
    return np.asarray(canvas)
