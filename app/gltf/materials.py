"""Materials and textures (glTF 2.0, sections 3.8 and 3.9)."""

from typing import Any

from ..model.model import Clearcoat, Material, Sampler, Sheen, Specular, TextureRef, Transmission
from .document import Document
from .optional_packages import available
from .unique_names import unique_names

Json = dict[str, Any]
_NORMALS = ("normal_texture", "clearcoat.normal_texture")
_TRANSFORM = "KHR_texture_transform"
_WEBP = "EXT_texture_webp"
_AVIF = "EXT_texture_avif"
_BASISU = "KHR_texture_basisu"


def read_materials(document: Document) -> tuple[Material, ...]:
    """Return all materials; textures without a supported image are left out, with a warning."""
    rows = document.rows("materials")
    names = unique_names(rows, "Material")
    return tuple(_material(document, row, names[m], m) for m, row in enumerate(rows))


def read_variants(document: Document) -> tuple[str, ...]:
    """Return the variant names of KHR_materials_variants."""
    extension = (document.json.get("extensions") or {}).get("KHR_materials_variants") or {}
    return unique_names(extension.get("variants") or [], "Variant")


def normal_maps(materials: tuple[Material, ...]) -> frozenset[int]:
    """Return the indices of normal map images; if missing, they are flat instead of white."""
    used = [material.textures for material in materials]
    return frozenset(row[name].image for row in used for name in _NORMALS if name in row)


def _material(document: Document, row: Json, name: str, m: int) -> Material:
    place = f"/materials/{m}"
    pbr = row.get("pbrMetallicRoughness") or {}
    normal, occlusion = row.get("normalTexture"), row.get("occlusionTexture")
    extensions = row.get("extensions") or {}
    emissive_strength = _number(
        extensions.get("KHR_materials_emissive_strength") or {}, "emissiveStrength", 1
    )

    def texture(where: str, info: Json | None) -> TextureRef | None:
        return _texture(document, info, f"{place}/{where}") if info else None

    layers = _ExtensionReader(document, extensions, place)
    return Material(
        name=name,
        base_color=tuple(map(float, pbr.get("baseColorFactor") or (1, 1, 1, 1))),  # type: ignore[arg-type]
        base_color_texture=texture(
            "pbrMetallicRoughness/baseColorTexture", pbr.get("baseColorTexture")
        ),
        metallic=_number(pbr, "metallicFactor", 1),
        roughness=_number(pbr, "roughnessFactor", 1),
        metallic_roughness_texture=texture(
            "pbrMetallicRoughness/metallicRoughnessTexture", pbr.get("metallicRoughnessTexture")
        ),
        normal_texture=texture("normalTexture", normal),
        normal_scale=_number(normal or {}, "scale", 1),
        occlusion_texture=texture("occlusionTexture", occlusion),
        occlusion_strength=_number(occlusion or {}, "strength", 1),
        emissive=tuple(map(float, row.get("emissiveFactor") or (0, 0, 0))),  # type: ignore[arg-type]
        emissive_texture=texture("emissiveTexture", row.get("emissiveTexture")),
        alpha_mode=row.get("alphaMode") or "OPAQUE",
        alpha_cutoff=_number(row, "alphaCutoff", 0.5),
        double_sided=bool(row.get("doubleSided")),
        emissive_strength=emissive_strength,
        unlit=extensions.get("KHR_materials_unlit") is not None,
        ior=_number(extensions.get("KHR_materials_ior") or {}, "ior", 1.5),
        specular=layers.specular(),
        clearcoat=layers.clearcoat(),
        sheen=layers.sheen(),
        transmission=layers.transmission(),
    )


class _ExtensionReader:
    """Reads the KHR_materials extensions that add layers to a material; None if absent."""

    def __init__(self, document: Document, extensions: Json, place: str) -> None:
        self._document = document
        self._extensions = extensions
        self._place = f"{place}/extensions"

    def specular(self) -> Specular | None:
        name = "KHR_materials_specular"
        row = self._extensions.get(name)
        if row is None:
            return None
        return Specular(
            factor=_number(row, "specularFactor", 1),
            texture=self._texture(name, row, "specularTexture"),
            color=_color(row, "specularColorFactor", 1),
            color_texture=self._texture(name, row, "specularColorTexture"),
        )

    def clearcoat(self) -> Clearcoat | None:
        name = "KHR_materials_clearcoat"
        row = self._extensions.get(name)
        if row is None:
            return None
        return Clearcoat(
            factor=_number(row, "clearcoatFactor", 0),
            texture=self._texture(name, row, "clearcoatTexture"),
            roughness=_number(row, "clearcoatRoughnessFactor", 0),
            roughness_texture=self._texture(name, row, "clearcoatRoughnessTexture"),
            normal_texture=self._texture(name, row, "clearcoatNormalTexture"),
            normal_scale=_number(row.get("clearcoatNormalTexture") or {}, "scale", 1),
        )

    def sheen(self) -> Sheen | None:
        name = "KHR_materials_sheen"
        row = self._extensions.get(name)
        if row is None:
            return None
        return Sheen(
            color=_color(row, "sheenColorFactor", 0),
            color_texture=self._texture(name, row, "sheenColorTexture"),
            roughness=_number(row, "sheenRoughnessFactor", 0),
            roughness_texture=self._texture(name, row, "sheenRoughnessTexture"),
        )

    def transmission(self) -> Transmission | None:
        name = "KHR_materials_transmission"
        row = self._extensions.get(name)
        if row is None:
            return None
        return Transmission(
            factor=_number(row, "transmissionFactor", 0),
            texture=self._texture(name, row, "transmissionTexture"),
        )

    def _texture(self, name: str, row: Json, key: str) -> TextureRef | None:
        info = row.get(key)
        place = f"{self._place}/{name}/{key}"
        return None if info is None else _texture(self._document, info, place)


def _color(row: Json, key: str, default: float) -> tuple[float, float, float]:
    red, green, blue = row.get(key) or (default,) * 3
    return float(red), float(green), float(blue)


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
