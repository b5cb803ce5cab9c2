"""Joint names and swatches drawn onto a finished picture, for pictures without a window."""

import numpy as np
from PIL import Image, ImageDraw

from ..animation.types import U8
from ..images.label_layout import Box, LabelLayout, first_free, nearest_in_box
from ..images.swatches import Swatches
from ..images.text import TextRenderer
from ..scene.named_joints import face_boxes, joint_places, named_joints
from ..scene.scene import Scene

_TEXT = (255, 255, 255, 255)
_OUTLINE = (15, 15, 20, 230)
_LINE = (255, 255, 255, 190)
_HEIGHT = 1 / 72  # of the picture: legible at 512 pixels and modest at 2048
_LEAST = 10  # pixels
_PANEL = (15, 15, 20, 200)
_FLESH = 0.04  # of the picture's height: what is around joints is part of the character
_SMALLEST = 128  # pixels: lower pictures have no swatches


def draw_swatches(picture: U8, scene: Scene) -> U8:
    """Return the picture [H, W, 4] with the legend of the colours of the mesh, if it has one.

    It is in the first corner that no joint is in, from the left one at the bottom. Cut-outs and
    small pictures have none.
    """
    height, width = picture.shape[:2]
    if height < _SMALLEST or not (scene.swatches and scene.look.background.is_opaque):
        return picture
    canvas = Image.fromarray(picture)
    draw = ImageDraw.Draw(canvas)
    size = max(_LEAST, round(height * _HEIGHT * 1.3))
    swatches, pad = Swatches(draw, scene.swatches, size, across=False), size // 2
    wide, high = swatches.width + 2 * pad, swatches.height + 2 * pad
    boxes = [
        (left, top, left + wide, top + high)
        for top in (height - size - high, size)
        for left in (size, width - size - wide)
    ]
    reach = _FLESH * height
    places = (joint_places(scene, width / height)[1] * (width, height)).tolist()
    taken: list[Box] = [(x - reach, y - reach, x + reach, y + reach) for x, y in places]
    box = first_free(boxes, taken) or boxes[0]
    panel = Image.new("RGBA", canvas.size)
    ImageDraw.Draw(panel).rectangle(box, fill=_PANEL)
    canvas.alpha_composite(panel)
    swatches.draw(box[0] + pad, box[1] + pad)
    return np.asarray(canvas)


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
