"""The list of all feature pictures."""

from tests.feature_pictures import (
    animated_values,
    compressed_files,
    light,
    material_layer_textures,
    material_layers,
    materials,
    pointers,
    textures,
    view_modes,
)

MODULES = (
    light,
    materials,
    textures,
    material_layers,
    material_layer_textures,
    animated_values,
    pointers,
    compressed_files,
    view_modes,
)
PICTURES = tuple(picture for module in MODULES for picture in module.PICTURES)
