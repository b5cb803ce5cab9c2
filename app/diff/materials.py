"""Changes of materials and textures."""

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from ..gltf.images import decode_all
from ..model.model import LAYERS, Image, Material, Model, TextureRef
from .difference import Change, as_value, changed, equal_values
from .name_matching import added_removed_renamed, match_objects

_NAMES = {
    "base_color": "base colour",
    "base_color_texture": "base colour texture",
    "metallic_roughness_texture": "metallic-roughness texture",
    "normal_texture": "normal texture",
    "normal_scale": "normal scale",
    "occlusion_texture": "occlusion texture",
    "occlusion_strength": "occlusion strength",
    "emissive_texture": "emissive texture",
    "alpha_mode": "alpha mode",
    "alpha_cutoff": "alpha cutoff",
    "double_sided": "double-sided",
    "emissive_strength": "emissive strength",
    "ior": "index of refraction",
    "specular.factor": "specular",
    "clearcoat.factor": "clearcoat",
    "transmission.factor": "transmission",
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
        share = 100 * float(apart.any(axis=2).mean())
        note = f"mean of all, greatest {int(apart.max())}; {share:.3g} % of the pixels differ"
        mean = float(apart.mean())
        yield Change("texture", "changed", one.name, "", "pixels", 0.0, mean, "of 255", note)
    elif one.nbytes != two.nbytes:
        encoded = one.nbytes, two.nbytes
        yield changed("texture", one.name, "size", encoded, unit="bytes", stored=True)


def material_changes(a: Model, b: Model, images: Mapping[int, int]) -> list[Change]:
    """Return materials removed, added, renamed, and their changed fields.

    `images` are the matching images of A by those of B.
    """

    def same(one: Material, two: Material) -> bool:
        return not list(_fields(one, two, a, b, images))

    pairs = match_objects(a.materials, b.materials, same)
    found = list(added_removed_renamed("material", a.materials, b.materials, pairs))
    for k, n in pairs:
        found += _fields(a.materials[k], b.materials[n], a, b, images)
    return found


def _fields(
    one: Material, two: Material, a: Model, b: Model, images: Mapping[int, int]
) -> Iterator[Change]:
    for field, p, q in _pairs(one, two):
        name = _NAMES.get(field, field.replace(".", " ").replace("_", " "))
        if isinstance(p, TextureRef) or isinstance(q, TextureRef):
            yield from _reference(one.name, name, (p, q), (a, b), images)
        elif not equal_values(p, q):
            yield changed("material", one.name, name, (as_value(p), as_value(q)))


def _pairs(one: Material, two: Material) -> Iterator[tuple[str, Any, Any]]:
    """Yield fields with their values in both materials, those of layers as ``clearcoat.factor``.

    If only one material has a layer, its presence differs.
    """
    for field in fields(Material):
        p, q = getattr(one, field.name), getattr(two, field.name)
        if field.name in LAYERS and p is not None and q is not None:
            for part in fields(p):
                yield f"{field.name}.{part.name}", getattr(p, part.name), getattr(q, part.name)
        elif field.name in LAYERS:
            yield field.name, "there" if p else "none", "there" if q else "none"
        elif field.name != "name":
            yield field.name, p, q


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
        one, two = getattr(p, part.name), getattr(q, part.name)
        if part.name != "image" and not equal_values(one, two):
            yield Change(
                "material", "changed", material, "", f"{field}, {part.name}", str(one), str(two)
            )
