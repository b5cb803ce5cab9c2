"""Joint names drawn onto a finished picture, for pictures without a window."""

import numpy as np
from PIL import Image, ImageDraw

from ..animation.types import F64, U8
from ..images.label_boxes import Box
from ..images.label_layout import nearest_in_box, place_labels
from ..images.text import TextRenderer
from ..model.name_prefix import joint_prefix
from ..model.skin_joints import mapped_skeleton_of
from ..retargeting.joint_matching import body_parts_of
from ..scene.character import Character
from ..scene.joint_places import joint_places
from ..scene.origin import place_points
from ..scene.scene import Scene

_TEXT = (255, 255, 255, 255)
_OUTLINE = (15, 15, 20, 230)
_LINE = (255, 255, 255, 150)
_HEIGHT = 1 / 72  # of the picture: legible at 512 pixels and modest at 2048
_LEAST = 10  # pixels
_FACE = 0.12  # height of a head above its joint, of the skeleton's height


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
    prefixes = {joint_prefix(character.model) for character in scene.characters}
    shown = _joint_pixels(scene, width, height)
    names = [next(filter(None, _short(name, prefixes)), name) for name, _ in shown]
    points = [(float(x), float(y)) for _, (x, y) in shown]
    boxes = [letters.box(draw, name) for name in names]
    sizes = [(right - left, bottom - top) for left, top, right, bottom in boxes]
    placed = place_labels(points, sizes, size, (width, height), _faces(scene, width, height))
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
            at = (label.box[0] - left, label.box[1] - top)
            letters.write(draw, at, name, fill=_TEXT, stroke_width=1, stroke_fill=_OUTLINE)
    return np.asarray(canvas)


def _short(name: str, prefixes: set[str]) -> list[str]:
    """Return a name without each of the prefixes that it has."""
    return [name.removeprefix(each) for each in prefixes if each and name.startswith(each)]


def _joint_pixels(scene: Scene, width: int, height: int) -> list[tuple[str, F64]]:
    """Return name and pixel of each visible joint, nearest first."""
    joints, places = joint_places(scene, width / height)
    return [
        (character.model.skeleton.names[joint], place * (width, height))
        for (character, joint), place in zip(joints, places, strict=True)
    ]


def _faces(scene: Scene, width: int, height: int) -> list[Box]:
    """Return boxes around the heads of all characters, pixels."""
    boxes = []
    for character in scene.characters:
        for joint in _heads(character):
            places = character.matrices[character.drawn_joints.joints, :3, 3]
            tall = float(np.ptp(places[:, 1])) if len(places) else 0.0
            at = character.matrices[joint, :3, 3]
            ends = place_points(
                character.world, np.stack([at, at + np.array([0.0, _FACE * tall, 0.0], np.float32)])
            )
            seen = scene.camera.used.project(ends, width / height)[:, :2] * (width, height)
            if not np.isfinite(seen).all():
                continue
            (x, y), half = seen.mean(axis=0), 0.5 * float(np.linalg.norm(seen[1] - seen[0]))
            boxes.append((float(x) - half, float(y) - half, float(x) + half, float(y) + half))
    return boxes


def _heads(character: Character) -> list[int]:
    """Return the joints of heads, by their names."""
    parts = body_parts_of(mapped_skeleton_of(character.model))
    return [joint for joint, part in parts.items() if part.part == "head"]
