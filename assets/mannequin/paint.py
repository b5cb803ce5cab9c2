"""Texture painting: base colour, surface and normal maps, texel by texel.

Texels depend on their position in the model at rest, so that charts have no visible seams, and
borders between materials are as sharp as a texel.
"""

import io
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from .body import PARTS
from .bones import F64
from .features import (
    IRIS,
    PUPIL,
    PUPILS_OUT,
    cheeks,
    cord,
    engraving,
    finger_grooves,
    from_eye,
    lid_line,
    mouth_line,
    sparkle,
    sword_frame,
)
from .joinery import BAND_PARTS, bands, inlay, sockets
from .unwrap import I64, SIZE, Sheet, filled, texels, unit
from .wood import grain, noise, pins, step

TEXEL = 0.0013  # metres: how wide the ramp at a border is
PINNED = ("trunk", "arm", "leg", "ball")  # parts with pins of brass
GROOVE = 0.0011  # metres: half the width of the groove where two kinds of wood meet
QUALITY = {"Colour": 92, "Normal": 90, "Surface": 88}

# sRGB
MAPLE, MAPLE_LATE = (0xEB, 0xCB, 0x9E), (0xD3, 0xA6, 0x6E)
WALNUT, WALNUT_LATE = (0x86, 0x52, 0x31), (0x55, 0x30, 0x1B)
SHADOW, BRASS = (0x2A, 0x18, 0x0F), (0xD9, 0xB0, 0x62)
TONGUE = (0xB2, 0x50, 0x48)
BLUSH, INSIDE = (0xC8, 0x6A, 0x4C), (0x3E, 0x17, 0x13)
OAK, OAK_LATE = (0x9C, 0x5A, 0x38), (0x6E, 0x3A, 0x22)
CORD, CORD_UNDER = (0x24, 0x3A, 0x52), (0xC9, 0xB4, 0x94)
IVORY, TEAL = (0xF4, 0xEE, 0xE2), (0x2C, 0x66, 0x74)
NIGHT, LIGHT = (0x17, 0x10, 0x0E), (0xFF, 0xFF, 0xFF)


@dataclass(frozen=True)
class Canvas:
    """A UV-unwrapped surface with its materials: V vertices of its sheet."""

    sheet: Sheet
    points: F64  # [V, 3] metres, model space at rest
    normals: F64  # [V, 3]
    tangents: F64  # [V, 4]
    part: I64  # [T] index into PARTS
    open: F64  # [V] 1: nothing near stands in the light's way


@dataclass
class Paint:
    """The material of N texels."""

    colour: F64  # [N, 3] sRGB, 0 … 255
    metallic: F64  # [N]
    roughness: F64  # [N]
    open: F64  # [N] occlusion


def cover(
    paint: Paint, where: F64, colour: object, roughness: float, metallic: float = 0.0
) -> None:
    """Blend a colour over the texels by weights `where` [N], 0 … 1."""
    thick = where[:, None]
    paint.colour = paint.colour * (1.0 - thick) + np.asarray(colour, np.float64) * thick
    paint.roughness = paint.roughness * (1.0 - where) + roughness * where
    paint.metallic = paint.metallic * (1.0 - where) + metallic * where


def mix(one: object, two: object, share: F64) -> F64:
    """Return a colour [N, 3] between two."""
    a, b = np.asarray(one, np.float64), np.asarray(two, np.float64)
    return a + (b - a) * share[:, None]


def of_part(part: I64, *names: str) -> NDArray[np.bool_]:
    """Return whether parts [N] are among these."""
    return np.isin(part, [PARTS.index(name) for name in names])


def borders(points: F64, part: I64) -> F64:
    """Return metres [N] to the border between dark and light wood: negative on dark wood."""
    banded = np.where(of_part(part, *BAND_PARTS), bands(points), 1.0)
    banded = np.where(of_part(part, "trunk"), np.minimum(banded, inlay(points)), banded)
    return np.where(of_part(part, "ball", "brow"), -1.0, banded)


def paint_wood(points: F64, part: I64, open_: F64) -> Paint:
    """Return maple limbs and walnut joints, with grooves between and pins through them."""
    border = borders(points, part)
    late, fibres = grain(points, part, dark=border < 0.0)
    tone = noise((points * 14.0).astype(np.float32)).astype(np.float64)
    light = mix(MAPLE, MAPLE_LATE, np.clip(0.62 * late + 0.3 * (fibres - 0.5) + 0.1, 0.0, 1.0))
    dark = mix(WALNUT, WALNUT_LATE, np.clip(0.6 * late + 0.5 * (fibres - 0.5) + 0.2, 0.0, 1.0))
    limb = step(border, 0.0, TEXEL)
    colour = (dark * (1.0 - limb[:, None]) + light * limb[:, None]) * (0.96 + 0.08 * tone)[:, None]
    roughness = 0.44 - 0.04 * (1.0 - limb) + 0.1 * late + 0.06 * (fibres - 0.5)
    paint = Paint(colour, np.zeros(len(points)), roughness, open_.copy())
    groove = 1.0 - step(np.abs(border), GROOVE, TEXEL)
    groove = np.maximum(groove, finger_grooves(points) * of_part(part, "finger"))
    inner = 1.0 - step(sockets(points), 0.0, TEXEL)
    groove = np.maximum(groove, inner * of_part(part, *BAND_PARTS))
    cover(paint, 0.85 * groove, SHADOW, 0.8)
    paint.open *= 1.0 - 0.4 * groove
    pin = np.where(of_part(part, *PINNED), pins(points), 1.0)
    cover(paint, 0.8 * (1.0 - step(np.abs(pin), 0.0009, TEXEL)), SHADOW, 0.8)
    cover(paint, 1.0 - step(pin, 0.0, TEXEL), BRASS, 0.32, 1.0)
    cover(paint, 0.85 * engraving(points) * of_part(part, "trunk"), SHADOW, 0.7)
    return paint


def paint_eye(paint: Paint, points: F64, where: F64) -> None:
    """Blend the white, the iris, the pupil and a highlight by the angle from the eye's axis."""
    _, _, angle = from_eye(points, PUPILS_OUT)
    cover(paint, where, IVORY, 0.16)
    rim = np.clip((angle - PUPIL) / (IRIS - PUPIL), 0.0, 1.0)
    cover(paint, where * (1.0 - step(angle, IRIS, 1.2)), mix(TEAL, NIGHT, 0.75 * rim**3), 0.12)
    cover(paint, where * (1.0 - step(angle, PUPIL, 1.2)), NIGHT, 0.1)
    cover(paint, where * sparkle(points), LIGHT, 0.12)


def paint_face(paint: Paint, points: F64, part: I64) -> None:
    """Blend cheeks and mouth over the wood of the head, and the dark edges of the lids."""
    head, lid = of_part(part, "head") * 1.0, of_part(part, "lid") * 1.0
    cover(paint, 0.3 * cheeks(points) * head, BLUSH, 0.45)
    cover(paint, 0.92 * mouth_line(points) * head, SHADOW, 0.7)
    cover(paint, 0.85 * lid_line(points) * lid, WALNUT_LATE, 0.6)


def paint_sword(points: F64, open_: F64) -> Paint:
    """Return an oak blade, a brass guard, and a hilt wound with cord."""
    frame = sword_frame(points)
    fibres = noise((frame * (260.0, 260.0, 9.0)).astype(np.float32)).astype(np.float64)
    along = frame[:, 2]
    paint = Paint(
        mix(OAK, OAK_LATE, np.clip(1.6 * fibres - 0.4, 0.0, 1.0)),
        np.zeros(len(points)),
        0.36 + 0.12 * fibres,
        open_.copy(),
    )
    hilt = 1.0 - step(along, 0.058, TEXEL)
    wound = cord(frame)
    cover(paint, hilt, mix(CORD_UNDER, CORD, wound), 0.75)
    paint.open *= 1.0 - 0.5 * hilt * (1.0 - wound)
    guard = step(along, 0.061, TEXEL) * (1.0 - step(along, 0.0775, TEXEL))
    cover(paint, np.maximum(guard, 1.0 - step(along, -0.0855, TEXEL)), BRASS, 0.3, 1.0)
    return paint


def height(points: F64, part: I64) -> F64:
    """Return the height [N] of the surface detail above the triangles, metres."""
    if (part == PARTS.index("prop")).all():
        frame = sword_frame(points)
        fibres = noise((frame * (260.0, 260.0, 9.0)).astype(np.float32))
        hilt = (frame[:, 2] < 0.06) & (frame[:, 2] > -0.086)
        return np.where(hilt, 0.0009 * cord(frame), 0.0001 * fibres * (frame[:, 2] > 0.077))
    border = borders(points, part)
    late, fibres = grain(points, part, dark=border < 0.0)
    wood = -0.00003 * late + 0.00006 * (fibres - 0.5)
    wood = wood - 0.0009 * np.exp(-((border / GROOVE) ** 2))
    pin = np.where(of_part(part, *PINNED), pins(points), 1.0)
    head = 0.0007 * (1.0 - step(pin, -0.0009, 0.002)) - 0.0005 * np.exp(-((pin / 0.0009) ** 2))
    wood = np.where(pin < 0.0, 0.0, wood) + head
    wood = wood - 0.0006 * engraving(points) * of_part(part, "trunk")
    wood = wood - 0.0006 * mouth_line(points) * of_part(part, "head")
    return np.where(of_part(part, "eye"), 0.0, wood)


def relief(points: F64, normals: F64, tangents: F64, part: I64) -> F64:
    """Return normals [N, 3] in tangent space."""
    normals = unit(normals)
    along = tangents[:, :3] - normals * np.einsum("ij,ij->i", tangents[:, :3], normals)[:, None]
    along = unit(along)
    across = np.cross(normals, along) * np.sign(tangents[:, 3:])
    here, reach = height(points, part), 0.0004
    slope = [(height(points + reach * way, part) - here) / reach for way in (along, across)]
    return unit(np.stack((-slope[0], -slope[1], np.ones(len(points))), axis=1))


def textures(canvases: list[Canvas]) -> dict[str, bytes]:
    """Return the pictures "Colour", "Normal" and "Surface" (R occlusion, G roughness, B metallic).

    Parameters
    ----------
    canvases
        Every surface that is on them.
    """
    colour, normal, surface = (np.zeros((SIZE, SIZE, 3)) for _ in range(3))
    covered = np.zeros((SIZE, SIZE), bool)
    for canvas in canvases:
        triangles = canvas.sheet.triangles
        for block in texels(canvas.sheet).blocks():
            points = block.blend(canvas.points, triangles)
            part = canvas.part[block.triangle]
            paint = painted(points, part, block.blend(canvas.open, triangles))
            at = block.rows, block.columns
            covered[at] = True
            colour[at] = paint.colour
            surface[at] = np.stack((paint.open, paint.roughness, paint.metallic), axis=1) * 255.0
            normals, along = (block.blend(v, triangles) for v in (canvas.normals, canvas.tangents))
            normal[at] = relief(points, normals, along, part) * 127.5 + 127.5
    small = filled(surface, covered).reshape(SIZE // 2, 2, SIZE // 2, 2, 3).mean(axis=(1, 3))
    whole = {"Colour": filled(colour, covered), "Normal": filled(normal, covered), "Surface": small}
    return {kind: encoded(picture, QUALITY[kind]) for kind, picture in whole.items()}


def painted(points: F64, part: I64, open_: F64) -> Paint:
    """Return the material at points [N, 3] of parts [N]."""
    if (part == PARTS.index("prop")).all():
        return paint_sword(points, open_)
    lid, eye, mouth = (of_part(part, name).astype(np.float64) for name in ("lid", "eye", "mouth"))
    open_ = np.maximum(open_, 0.8 * lid)  # lids shut: then they do not lie in their sockets
    teeth, tongue = (of_part(part, name).astype(np.float64) for name in ("teeth", "tongue"))
    open_ = np.maximum(open_, 0.9 * eye)
    open_ = np.maximum(open_, 0.7 * np.maximum(teeth, tongue))  # lit when the mouth is open
    paint = paint_wood(points, part, open_)
    paint_face(paint, points, part)
    cover(paint, 0.12 * (1.0 - open_) * (1.0 - eye), SHADOW, 0.7)
    paint_eye(paint, points, eye)
    cover(paint, mouth, mix(NIGHT, INSIDE, np.clip((points[:, 2] - 0.045) / 0.03, 0, 1)), 0.5)
    cover(paint, teeth, IVORY, 0.3)
    cover(paint, tongue, TONGUE, 0.35)
    return paint


def encoded(picture: F64, quality: int) -> bytes:
    """Return a picture [H, W, 3] of 0 … 255 as a JPEG without chroma subsampling."""
    file = io.BytesIO()
    pixels = np.rint(np.clip(picture, 0.0, 255.0)).astype(np.uint8)
    Image.fromarray(pixels).save(file, "JPEG", quality=quality, subsampling=0, optimize=True)
    return file.getvalue()
