"""The wording of statistics: of materials, cameras and lights."""

from .material import FACTORS, Material
from .material_fields import FactorRow
from .statistics import Facts


def material_notes(material: Facts) -> list[str]:
    """Return the switches and extensions of a material of the statistics, as words."""
    switches = ["double-sided"] * material["double_sided"] + ["unlit"] * material["unlit"]
    index = [f"ior {material['ior']:.4g}"] * (material["ior"] != FACTORS["ior"].default[0])
    return [*switches, *material["layers"], *index]


def factor_words(material: Material) -> dict[str, str]:
    """Return the factors of a material by their labels: ``{"roughness": "0.4"}``.

    These are the factors of metallic-roughness, and others if they are not the default.
    """
    shown: dict[str, str] = {}
    for name, row in FACTORS.items():
        if name in _ALWAYS or _is_set(material, row):
            shown[row.label] = ", ".join(f"{x:.4g}" for x in material.components(row))
    return shown


_ALWAYS = frozenset({"base_color", "metallic", "roughness", "emissive"})


def _is_set(material: Material, row: FactorRow) -> bool:
    """Return whether a factor has an effect and is not the default."""
    if row.name == "alpha_cutoff" and material.alpha_mode != "MASK":
        return False
    return material.value(row.name) is not None and material.components(row) != row.default


def camera_words(camera: Facts) -> str:
    """Return kind and aspect ratio of a camera of the statistics."""
    made = f", made for {camera['aspect']:.4g}:1" if camera["aspect"] else ""
    return f"{camera['kind']}{made}"


def light_words(light: Facts) -> str:
    """Return kind, power and range of a light of the statistics."""
    reach = f", up to {light['range']:.4g} m" if light["range"] else ""
    return f"{light['kind']}, {light_power(light)}{reach}"


def light_power(light: Facts) -> str:
    """Return the power of a light of the statistics: lux if directional, else candela."""
    unit = "lx" if light["kind"] == "directional" else "cd"
    return f"{light['intensity']:.4g} {unit}"
