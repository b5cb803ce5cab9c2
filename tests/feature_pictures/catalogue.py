"""The features that have golden pictures: what is drawn, and how."""

from tests.feature_pictures import animated_values as moving
from tests.feature_pictures import compressed_files as packed
from tests.feature_pictures import light, materials, pointers, textures
from tests.feature_pictures import material_layer_textures as coats
from tests.feature_pictures import material_layers as layers
from tests.feature_pictures import view_modes as views

ROOMS = (light, materials, textures, layers, coats, moving, pointers, packed, views)
PLATES = tuple(plate for room in ROOMS for plate in room.PLATES)
