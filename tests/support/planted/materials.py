"""Materials that are blended needlessly, all metal, or use an image in two colour spaces."""

from rigview.checks.check_context import CheckContext
from rigview.checks.rules.materials import drawn_parts, surface_area
from rigview.loading.load import load
from tests.support.file_version import Version
from tests.support.planted.fault_class import FaultClass

PLACES = 10
MOST = 0.45  # of the surface: the rest is not metal


def changed(context, change):
    """The character of a file whose JSON is changed."""
    version = Version(context.model.path)
    change(version.json)
    return CheckContext(load(version.glb()), clips=context.clips)


def drawn(context):
    """The materials that are drawn, if the character has a file."""
    return sorted(context.cached(drawn_parts)) if context.model.path else []


def opaque_materials(context):
    materials = context.model.materials
    found = [m for m in drawn(context) if materials[m].alpha_mode == "OPAQUE"]
    return [m for m in found if is_opaque(context, materials[m])][:PLACES]


def is_opaque(context, material):
    texture = material.base_color_texture
    if material.transmission is not None:
        return False
    if texture is None:
        return material.base_color[3] == 1
    pixels = context.model.images[texture.image].pixels
    return pixels.size > 4 and pixels[..., 3].min() == 255


def blend(context, place, _):
    return changed(context, lambda json: json["materials"][place].update(alphaMode="BLEND"))


def dull_materials(context):
    """Materials without metal that cover less than half of a surface without metal."""
    materials, parts = context.model.materials, context.cached(drawn_parts)
    areas = {m: sum(map(surface_area, parts[m])) for m in drawn(context)}
    if any(materials[m].metallic > 0 for m in areas):
        return []
    smaller = [m for m, area in areas.items() if area < MOST * sum(areas.values())]
    return [m for m in smaller if not materials[m].unlit][:PLACES]


def without_factor(context, place, _):
    """Without its metallicFactor a material is all metal."""
    return changed(
        context, lambda json: json["materials"][place]["pbrMetallicRoughness"].pop("metallicFactor")
    )


def pictures(context):
    """Slots of other textures for each material with a picture of its base colour."""
    materials = context.model.materials
    images = {m: materials[m].base_color_texture for m in drawn(context)}
    slots = ("normalTexture", "occlusionTexture", "metallicRoughnessTexture")
    used = [(m, slot) for m, image in images.items() if image is not None for slot in slots]
    return [(m, s) for m, s in used if context.model.images[images[m].image].nbytes > 99][:PLACES]


def use_picture(context, place, _):
    material, slot = place

    def change(json):
        row = json["materials"][material]
        pbr = row["pbrMetallicRoughness"]
        (pbr if slot.startswith("metallic") else row)[slot] = {
            "index": pbr["baseColorTexture"]["index"]
        }

    return changed(context, change)


def name_of(context, place):
    """The name of the material of a place."""
    return [context.model.materials[place[0] if isinstance(place, tuple) else place].name]


CLASSES: tuple[FaultClass, ...] = (
    FaultClass(
        "blended material without transparency",
        ("material-blend-opaque",),
        opaque_materials,
        blend,
        causes=name_of,
    ),
    FaultClass(
        "metallic 1 by default",
        ("material-metallic",),
        dull_materials,
        without_factor,
        causes=name_of,
    ),
    FaultClass(
        "picture as data",
        ("texture-two-spaces",),
        pictures,
        use_picture,
        causes=name_of,
    ),
)
