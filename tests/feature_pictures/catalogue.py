"""The features that have golden pictures: what is drawn, and how."""

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

ROOMS = (
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
PLATES = tuple(plate for room in ROOMS for plate in room.PLATES)
