"""Changes of materials and textures."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields

import numpy as np

from ..gltf.images import decode_all
from ..model.material import ROWS, Material, Sampler, TextureRef
from ..model.material_fields import ExtensionRow, TextureRow
from ..model.model import Image, Model
from .difference import Change, as_value, changed, equal_values
from .name_matching import added_removed_renamed, match_objects

_LABELS = {
    "texcoord": "texture coordinates",
    "wrap_s": "horizontal wrapping",
    "wrap_t": "vertical wrapping",
    "min_filter": "minification",
    "mag_filter": "magnification",
}
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


def texture_changes(a: Model, b: Model) -> tuple[list[Change], dict[int, int]]:
    """Return textures removed, added, renamed and changed, and the images of A by those of B."""
    if not a.images and not b.images:
        return [], {}
    decode_all((*a.images, *b.images))
    pairs = match_objects(a.images, b.images, _same_pixels)
    found = list(added_removed_renamed("texture", a.images, b.images, pairs))
    for k, n in pairs:
        found += _pixels(a.images[k], b.images[n])
    return found, {n: k for k, n in pairs}


def _same_pixels(one: Image, two: Image) -> bool:
    return np.array_equal(one.pixels, two.pixels)


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


def match_materials(a: Model, b: Model, images: Mapping[int, int]) -> list[tuple[int, int]]:
    """Return the matching materials; `images` are the matching images of A by those of B."""

    def same(one: Material, two: Material) -> bool:
        return not list(_fields(one, two, a, b, images))

    return match_objects(a.materials, b.materials, same)


def material_changes(
    a: Model, b: Model, pairs: Sequence[tuple[int, int]], images: Mapping[int, int]
) -> list[Change]:
    """Return materials removed, added, renamed, and the changed fields of matching ones."""
    found = list(added_removed_renamed("material", a.materials, b.materials, pairs))
    for k, n in pairs:
        found += _fields(a.materials[k], b.materials[n], a, b, images)
    return found


def _fields(
    one: Material, two: Material, a: Model, b: Model, images: Mapping[int, int]
) -> Iterator[Change]:
    """Yield changed fields; an extension that only one has differs as a whole."""
    for row in ROWS:
        if row.owner and None in (one.value(row.owner), two.value(row.owner)):
            continue
        p, q = one.value(row.name), two.value(row.name)
        if isinstance(row, TextureRow):
            yield from _reference(one.name, f"{row.label} texture", (p, q), (a, b), images)
            continue
        if isinstance(row, ExtensionRow):
            p, q = ("none" if value is None else "there" for value in (p, q))
        if not equal_values(p, q):
            yield changed("material", one.name, row.label, (as_value(p), as_value(q)))


def _reference(
    material: str,
    field: str,
    both: tuple[TextureRef | None, TextureRef | None],
    models: tuple[Model, Model],
    images: Mapping[int, int],
) -> Iterator[Change]:
    p, q = both
    names = [
        "none" if ref is None else model.images[ref.image].name
        for ref, model in zip(both, models, strict=True)
    ]
    if p is None or q is None or images.get(q.image, -1) != p.image:
        if p is not q:
            yield changed("material", material, field, names)
        return
    for part in fields(TextureRef):
        if part.name not in ("image", "sampler"):
            values = [getattr(ref, part.name) for ref in (p, q)]
            turns = part.name == "rotation"
            values = [math.degrees(value) for value in values] if turns else values
            label = f"{field}, {_LABELS.get(part.name, part.name)}"
            yield from _part(material, label, values, "°" if turns else "")
    for part in fields(Sampler):
        codes = [getattr(ref.sampler, part.name) for ref in (p, q)]
        modes = [_MODES.get(code, str(code)) for code in codes]
        yield from _part(material, f"{field}, {_LABELS[part.name]}", modes)


def _part(material: str, field: str, both: Sequence[object], unit: str = "") -> Iterator[Change]:
    if not equal_values(*both):
        yield changed("material", material, field, [as_value(value) for value in both], unit=unit)
