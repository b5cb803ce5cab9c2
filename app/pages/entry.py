"""Content of the report about one file: pictures, statistics and findings, or its error."""

import io
from base64 import b64encode
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PIL import Image

from ..animation.types import U8
from ..checks.finding import Finding
from ..model.model import Model
from ..model.skin_joints import moved_vertices
from ..model.statistics import Facts
from ..scenedoc.view_modes import Swatch
from .packed_arrays import Content


@dataclass(frozen=True, slots=True)
class JointRow:
    """One joint."""

    node: int  # glTF node index
    name: str
    parent: str  # "" for a root
    depth: int
    skins: tuple[str, ...]  # names of its skins
    vertices: int  # with a weight for this joint
    tracks: int  # in all clips
    position: tuple[float, float, float]  # at rest, model space, metres


def joint_rows(model: Model) -> tuple[JointRow, ...]:
    """Return a row per joint, each followed by its descendants."""
    skeleton = model.skeleton
    with np.errstate(all="ignore"):  # NaN and infinity in files propagate
        positions = skeleton.to_model(skeleton.rest)[:, :3, 3]
    vertices = moved_vertices(model)
    tracks = Counter(
        track.target for clip in model.clips for track in clip.tracks if track.path != "values"
    )
    skins: dict[int, list[str]] = {}
    for skin in model.skins:
        for joint in dict.fromkeys(skin.joints.tolist()):
            skins.setdefault(joint, []).append(skin.name)
    rows = []
    for joint in _in_tree_order(model):
        parent = int(skeleton.parents[joint])
        x, y, z = positions[joint].tolist()
        rows.append(
            JointRow(
                node=int(skeleton.nodes[joint]),
                name=skeleton.names[joint],
                parent=skeleton.names[parent] if parent >= 0 else "",
                depth=int(skeleton.depths[joint]),
                skins=tuple(skins.get(joint, ())),
                vertices=int(vertices[joint]),
                tracks=tracks[joint],
                position=(x, y, z),
            )
        )
    return tuple(rows)


def _in_tree_order(model: Model) -> list[int]:
    """Return the joints in depth-first order."""
    skeleton = model.skeleton
    below: dict[int, list[int]] = {}
    order = np.argsort(skeleton.nodes, kind="stable")
    for joint in order.tolist():
        below.setdefault(int(skeleton.parents[joint]), []).append(joint)
    found = []
    waiting = below.get(-1, [])[::-1]
    while waiting:
        joint = waiting.pop()
        found.append(joint)
        waiting += below.get(joint, [])[::-1]
    return found


QUALITY = 80  # of lossy WebP
_EFFORT = 4  # of the WebP encoder, 0 to 6
_MARGIN = 0.02  # of the picture's height, around a cropped picture


@dataclass(frozen=True, slots=True)
class Media:
    """An embedded picture or video."""

    mime: str
    data: bytes
    width: int  # pixels
    height: int

    @property
    def uri(self) -> str:
        """The data URI."""
        return f"data:{self.mime};base64,{b64encode(self.data).decode('ascii')}"


def as_webp(pixels: U8, quality: int = QUALITY, *, lossless: bool = False) -> Media:
    """Return a picture [H, W, 4] (sRGB, straight alpha) as WebP, its alpha without loss."""
    height, width = pixels.shape[:2]
    opaque = bool((pixels[..., 3] == 255).all())
    picture = Image.fromarray(np.ascontiguousarray(pixels[..., :3]) if opaque else pixels)
    buffer = io.BytesIO()
    picture.save(buffer, "WEBP", quality=quality, method=_EFFORT, lossless=lossless)
    return Media("image/webp", buffer.getvalue(), width, height)


def strip(cells: Sequence[U8]) -> U8:
    """Return pictures [H, W, 4] of one size side by side."""
    return np.concatenate(cells, axis=1)


def cut_out(pixels: U8) -> U8:
    """Return a picture [H, W, 4] cropped to its non-transparent part, with a small margin."""
    rows = np.flatnonzero(pixels[..., 3].any(axis=1))
    columns = np.flatnonzero(pixels[..., 3].any(axis=0))
    if not len(rows):
        return pixels
    margin = round(pixels.shape[0] * _MARGIN)
    top, bottom = max(0, rows[0] - margin), rows[-1] + 1 + margin
    left, right = max(0, columns[0] - margin), columns[-1] + 1 + margin
    return pixels[top:bottom, left:right]


def thumbnail(pixels: U8, height: int) -> U8:
    """Return a picture [H, W, 4] scaled down to at most `height` pixels."""
    tall, wide = pixels.shape[:2]
    if tall <= height:
        return pixels
    size = max(1, round(wide * height / tall)), height
    premultiplied = Image.fromarray(pixels).convert("RGBa")
    return np.array(premultiplied.resize(size, Image.Resampling.LANCZOS).convert("RGBA"))


@dataclass(frozen=True, slots=True)
class AnimationRow:
    """A row of the contact sheet and its looping video: a clip, or the layers of a motion file.

    Attributes
    ----------
    clip
        Index of the clip, -1: a motion, or a still pose.
    title, subtitle
        Its name and the text beside it.
    length
        Seconds of one repetition; 0 without motion.
    frames_strip, captions
        Pictures side by side, and a caption for each.
    still
        The picture while the video is paused.
    loop
        The looping video; None without motion, or where the page plays the character.
    loop_note
        A note about the video, such as a changed speed.
    """

    clip: int
    title: str
    subtitle: str
    length: float
    frames_strip: Media
    captions: tuple[str, ...]
    still: Media
    loop: Media | None = None
    loop_note: str = ""


@dataclass(frozen=True, slots=True)
class CharacterEntry:
    """The content of the report about one character."""

    file: str  # as the user named it
    statistics: Facts
    findings: tuple[Finding, ...]
    joints: tuple[JointRow, ...]
    main_picture: Media
    thumbnail: Media
    rows: tuple[AnimationRow, ...]
    columns: tuple[str, ...] = ()  # headings of the sheet's columns, if all rows share them
    motion: str = ""  # name of the motion file used
    swatches: tuple[Swatch, ...] = ()  # the legend of the colours of the pictures
    played: Content | None = None  # a clip for each row; None: the page does not play it


@dataclass(frozen=True, slots=True)
class FailedEntry:
    """A file that could not be read."""

    file: str
    message: str
    location: str = ""  # in the file, such as a JSON pointer
    hint: str = ""
