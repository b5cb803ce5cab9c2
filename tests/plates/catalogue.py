"""The features that have golden pictures: what is drawn, and how."""

from tests.plates import coats, layers, light, materials, moving, packed, pointers, textures, views

ROOMS = (light, materials, textures, layers, coats, moving, pointers, packed, views)
PLATES = tuple(plate for room in ROOMS for plate in room.PLATES)
