"""A glTF file with cameras, lights, material variants and unsupported extensions."""

from tests.support.animated_value_files import two_cameras


def full_file():
    """A square, three cameras (two of one name), a light, two variants, an unknown extension."""
    b = two_cameras()
    night = b.unlit(pbrMetallicRoughness={"baseColorFactor": [0.1, 0.2, 0.6, 1]})
    b.extension("KHR_materials_variants", variants=[{"name": "Day"}, {"name": "Night"}])
    mappings = [{"material": 0, "variants": [0]}, {"material": night, "variants": [1]}]
    part = b.json["meshes"][0]["primitives"][0]
    part["extensions"] = {"KHR_materials_variants": {"mappings": mappings}}
    light = b.light(name="Bulb", type="point", intensity=12.5, range=4)
    use = {"KHR_lights_punctual": {"light": light}}
    b.add("nodes", name="Socket", translation=[0, 1, 1], extensions=use)
    b.add("nodes", name="Second crane", camera=1, translation=[0, 0, 8])
    b.extension("EXT_of_ours")
    return b
