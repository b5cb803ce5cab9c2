"""The ways a character can be looked at: lit, or one quantity that its surface is made of.

One table for the command line, the panel and the shaders.
"""

from typing import Literal, NamedTuple, get_args

ViewMode = Literal[
    "lit",
    "base-colour",
    "normals",
    "face-normals",
    "tangents",
    "uv",
    "metallic",
    "roughness",
    "occlusion",
    "emissive",
    "alpha",
    "joints",
    "influences",
    "facing",
    "heat",
]


class View(NamedTuple):
    """One way of looking."""

    label: str
    what: str  # one line of help
    number: int  # of lib/views.glsl; 0: the ordinary shading


VIEWS: dict[ViewMode, View] = {
    "lit": View("Lit", "material and light", 0),
    "base-colour": View("Base colour", "unlit and not tone-mapped", 1),
    "normals": View("Normals", "with the normal map: red +X, green +Y, blue +Z", 2),
    "face-normals": View("Normals of the faces", "of the triangles themselves", 3),
    "tangents": View("Tangents", "of the file; grey where it has none", 4),
    "uv": View("Texture coordinates", "a checker, eight squares to the unit", 5),
    "metallic": View("Metallic", "black 0, white 1", 6),
    "roughness": View("Roughness", "black 0, white 1", 7),
    "occlusion": View("Occlusion", "black closed, white open", 8),
    "emissive": View("Emissive", "the light it sends out", 9),
    "alpha": View("Alpha", "black 0, white 1; not blended", 10),
    "joints": View("Joints", "a colour for the joint that has the most weight", 11),
    "influences": View(
        "Influences", "grey none, blue 1, green 2, yellow 3, orange 4, red more", 12
    ),
    "facing": View("Facing", "blue the front of a face, red its back", 13),
}

assert {*VIEWS, "heat"} == set(get_args(ViewMode))  # heat: painted by the red of vertex colours

# From nothing to all of it (van der Walt and Smith, CC0), sRGB, as shaders/lib/color.glsl has it.
VIRIDIS = (
    (0.267, 0.005, 0.329),
    (0.278, 0.173, 0.478),
    (0.231, 0.318, 0.545),
    (0.173, 0.443, 0.557),
    (0.129, 0.565, 0.553),
    (0.153, 0.678, 0.506),
    (0.361, 0.784, 0.388),
    (0.667, 0.863, 0.196),
    (0.993, 0.906, 0.144),
)
