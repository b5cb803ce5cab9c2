"""Materials and textures (glTF 2.0, sections 3.8 and 3.9)."""

from typing import Any

from ..model.material import (
    EXTENSIONS,
    ROWS,
    TEXCOORD_SETS,
    TEXTURES,
    Material,
    Sampler,
    TextureRef,
)
from ..model.material_fields import ExtensionRow, FactorRow, OptionRow, Row, TextureRow
from .document import Document, property_at
from .object_names import unique_names
from .optional_packages import available

Json = dict[str, Any]
_TRANSFORM = "KHR_texture_transform"
_WEBP = "EXT_texture_webp"
_AVIF = "EXT_texture_avif"
_BASISU = "KHR_texture_basisu"

_ROWS = tuple((field, field.owner) for field in ROWS)
_PLAIN_ROWS = tuple(each for each in _ROWS if not each[0].path.startswith("extensions/"))


def read_materials(document: Document) -> tuple[Material, ...]:
    """Return all materials.

    Textures without a supported image, or with texture coordinates beyond the sets that are drawn,
    are left out, with a warning.
    """
    rows = document.rows("materials")
    names = unique_names(rows, "Material")
    return tuple(_material(document, row, names[m], m) for m, row in enumerate(rows))


def read_variants(document: Document) -> tuple[str, ...]:
    """Return the variant names of KHR_materials_variants."""
    extension = (document.json.get("extensions") or {}).get("KHR_materials_variants") or {}
    return unique_names(extension.get("variants") or [], "Variant")


def normal_maps(materials: tuple[Material, ...]) -> frozenset[int]:
    """Return the indices of normal map images; if missing, they are flat instead of white."""
    used = [item for material in materials for item in material.textures.items()]
    return frozenset(ref.image for name, ref in used if TEXTURES[name].normal_map)


def _material(document: Document, row: Json, name: str, m: int) -> Material:
    own: Json = {"name": name}
    objects: dict[str, Json] = {}  # fields of the extensions that the file has
    for field, owner in _ROWS if row.get("extensions") else _PLAIN_ROWS:
        absent = owner and owner not in objects
        stored = None if absent else property_at(row, field.path)
        if stored is None:
            continue
        if isinstance(field, ExtensionRow):
            objects[field.name] = {}
            continue
        fields = objects[owner] if owner else own
        fields[field.key] = _value(document, field, stored, f"/materials/{m}/{field.path}")
    own |= {key: EXTENSIONS[key].object_type(**fields) for key, fields in objects.items()}
    return Material(**own)


def _value(document: Document, field: Row, stored: Any, place: str) -> object:  # noqa: ANN401
    """Return the value of a field; `stored` is validated JSON, at a place in the file."""
    if isinstance(field, TextureRow):
        return _texture(document, stored, place)
    if isinstance(field, FactorRow):
        return field.value(tuple(map(float, stored if isinstance(stored, list) else [stored])))
    is_switch = isinstance(field, OptionRow) and not field.choices
    return stored is not False if is_switch else stored


def _number(row: Json, key: str, default: float) -> float:
    value = row.get(key)
    return float(default if value is None else value)


def _texture(document: Document, info: Json, place: str) -> TextureRef | None:
    t = info["index"]
    texture = document.rows("textures")[t]
    image = source(texture)
    if image is None:
        document.warn(place, f"texture {t} has no supported image; it is not shown")
        return None
    transform = (info.get("extensions") or {}).get(_TRANSFORM) or {}
    texcoord = transform.get("texCoord")
    if texcoord is None:
        texcoord = info.get("texCoord") or 0
    if texcoord >= TEXCOORD_SETS:
        document.warn(
            place,
            f"texture {t} needs TEXCOORD_{texcoord}, but only TEXCOORD_0 to "
            f"TEXCOORD_{TEXCOORD_SETS - 1} are drawn; it is not shown",
        )
        return None
    s = texture.get("sampler")
    return TextureRef(
        image=image,
        sampler=Sampler() if s is None else _sampler(document.rows("samplers")[s]),
        texcoord=texcoord,
        offset=tuple(map(float, transform.get("offset") or (0, 0))),  # type: ignore[arg-type]
        rotation=_number(transform, "rotation", 0),
        scale=tuple(map(float, transform.get("scale") or (1, 1))),  # type: ignore[arg-type]
    )


def source(texture: Json) -> int | None:
    """Return the image of a texture; a supported image of an extension is preferred."""
    extensions, fallback = texture.get("extensions") or {}, texture.get("source")
    for name in (_WEBP, _AVIF, _BASISU):
        image: int | None = (extensions.get(name) or {}).get("source")
        if image is not None and (name == _WEBP or fallback is None or available(name)):
            return image
    return fallback


def _sampler(row: Json) -> Sampler:
    default = Sampler()
    return Sampler(
        wrap_s=row.get("wrapS") or default.wrap_s,
        wrap_t=row.get("wrapT") or default.wrap_t,
        min_filter=row.get("minFilter") or default.min_filter,
        mag_filter=row.get("magFilter") or default.mag_filter,
    )
