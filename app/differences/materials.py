"""Changes of materials and textures."""

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ..gltf.images import decode_all
from ..model.material import ROWS, Material, TextureRef
from ..model.material_fields import ExtensionRow, Row, TextureRow
from ..model.model import Image, Model
from .difference import Change, changed
from .objects import (
    ComparedField,
    Matching,
    by_name_or_content,
    field_changes,
    match_objects,
    names_of,
)

_MODES = {  # the constants of OpenGL in glTF samplers
    10497: "repeat",
    33071: "clamp to edge",
    33648: "mirrored repeat",
    9728: "nearest",
    9729: "linear",
    9984: "nearest, nearest mipmap",
    9985: "linear, nearest mipmap",
    9986: "nearest, linear mipmap",
    9987: "linear, linear mipmap",
}


def _mode(code: int) -> str:
    return _MODES.get(code, str(code))


_REFERENCE: tuple[ComparedField[TextureRef], ...] = (
    ComparedField("texture coordinates", lambda texture: texture.texcoord),
    ComparedField("offset", lambda texture: texture.offset),
    ComparedField("rotation", lambda texture: math.degrees(texture.rotation), "°"),
    ComparedField("scale", lambda texture: texture.scale),
    ComparedField("horizontal wrapping", lambda texture: texture.sampler.wrap_s, shown=_mode),
    ComparedField("vertical wrapping", lambda texture: texture.sampler.wrap_t, shown=_mode),
    ComparedField("minification", lambda texture: texture.sampler.min_filter, shown=_mode),
    ComparedField("magnification", lambda texture: texture.sampler.mag_filter, shown=_mode),
)


def _field(row: Row) -> ComparedField[Material]:
    """Return the comparison of a row of the material table other than a texture."""
    if isinstance(row, ExtensionRow):
        return ComparedField(
            row.label, lambda one: "none" if one.value(row.name) is None else "there"
        )
    return ComparedField(row.label, lambda one: one.value(row.name))


_FIELDS = {row.name: _field(row) for row in ROWS if not isinstance(row, TextureRow)}


def match_images(a: Model, b: Model) -> Matching:
    """Return the matching images, which are decoded."""
    decode_all((*a.images, *b.images))
    names = names_of(a.images, b.images)

    def same_pixels(k: int, n: int) -> bool:
        return np.array_equal(a.images[k].pixels, b.images[n].pixels)

    return match_objects(names, by_name_or_content(names, same_pixels))


def texture_changes(a: Model, b: Model, images: Matching) -> Iterator[Change]:
    """Yield textures removed, added, renamed and changed."""
    yield from images.name_changes("texture")
    for k, n in images:
        yield from _pixels(a.images[k], b.images[n])


def _pixels(one: Image, two: Image) -> Iterator[Change]:
    p, q = one.pixels, two.pixels
    if p.shape != q.shape:
        sizes = [f"{picture.shape[1]} x {picture.shape[0]}" for picture in (p, q)]
        yield changed("texture", one.name, "size", sizes, unit="pixels")
    elif not np.array_equal(p, q):
        apart = np.abs(p.astype(np.int16) - q)
        differing = apart.any(axis=2)
        note = f"{np.count_nonzero(differing)} of {differing.size} pixels, at most"
        note += f"; {float(apart.mean()):.2g} in the mean of all"
        most = float(apart.max())
        yield Change("texture", "changed", one.name, "", "pixels", 0.0, most, "of 255", note)
    elif one.nbytes != two.nbytes:
        encoded = one.nbytes, two.nbytes
        yield changed("texture", one.name, "size", encoded, unit="bytes", stored=True)


def match_materials(a: Model, b: Model, images: Matching) -> Matching:
    """Return the matching materials."""
    names = names_of(a.materials, b.materials)

    def same(k: int, n: int) -> bool:
        return not any(_field_changes(a.materials[k], b.materials[n], images))

    return match_objects(names, by_name_or_content(names, same))


def material_changes(a: Model, b: Model, materials: Matching, images: Matching) -> Iterator[Change]:
    """Yield materials removed, added, renamed, and the changed fields of matching ones."""
    yield from materials.name_changes("material")
    for k, n in materials:
        yield from _field_changes(a.materials[k], b.materials[n], images)


def _field_changes(one: Material, two: Material, images: Matching) -> Iterator[Change]:
    """Yield changed fields; an extension that only one has differs as a whole."""
    for row in ROWS:
        if row.owner and None in (one.value(row.owner), two.value(row.owner)):
            continue
        if isinstance(row, TextureRow):
            textures = one.value(row.name), two.value(row.name)
            yield from _reference_changes(one.name, f"{row.label} texture", *textures, images)
        else:
            yield from field_changes("material", one.name, (_FIELDS[row.name],), one, two)


def _reference_changes(
    material: str, label: str, p: TextureRef | None, q: TextureRef | None, images: Matching
) -> Iterator[Change]:
    """Yield the change of a texture, or of the texture's use if it is the same."""
    if p is None or q is None or images.match_of(p.image) != q.image:
        if p is not q:
            numbers = (-1 if texture is None else texture.image for texture in (p, q))
            yield changed("material", material, label, images.names_at(*numbers))
        return
    for change in field_changes("material", material, _REFERENCE, p, q):
        yield replace(change, field=f"{label}, {change.field}")
