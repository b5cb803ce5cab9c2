"""View modes: the lit surface, or one of its quantities as a colour.

One table for the command line, the window and the shaders.
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
]


class Swatch(NamedTuple):
    """A colour of a legend, and its meaning."""

    colour: tuple[float, float, float]  # sRGB, 0 to 1
    label: str


class View(NamedTuple):
    """One view mode."""

    label: str
    what: str  # one line of help
    swatches: tuple[Swatch, ...] = ()  # of its legend, on pictures and in the window
    ticks: tuple[Swatch, ...] = ()  # of its legend in the window, where pictures have none


NONE = (0.42, 0.42, 0.42)  # colour of what no joint moves

# As in shaders/mesh.vert.
INFLUENCES = (
    Swatch(NONE, "0"),
    Swatch((0.22, 0.42, 0.86), "1"),
    Swatch((0.20, 0.66, 0.42), "2"),
    Swatch((0.93, 0.83, 0.25), "3"),
    Swatch((0.93, 0.52, 0.16), "4"),
    Swatch((0.85, 0.18, 0.18), "5+"),
)


# As in shaders/lib/views.glsl and shaders/mesh.frag.
DIRECTIONS = (
    Swatch((1.0, 0.5, 0.5), "+X"),
    Swatch((0.5, 1.0, 0.5), "+Y"),
    Swatch((0.5, 0.5, 1.0), "+Z"),
)
GREYS = tuple(Swatch((each, each, each), f"{each:g}") for each in (0.0, 0.5, 1.0))

VIEWS: dict[ViewMode, View] = {
    "lit": View("Lit", "material with lighting"),
    "base-colour": View("Base colour", "unlit and not tone-mapped"),
    "normals": View("Normals", "with the normal map: red +X, green +Y, blue +Z", ticks=DIRECTIONS),
    "face-normals": View("Face normals", "geometric normals of the triangles", ticks=DIRECTIONS),
    "tangents": View(
        "Tangents",
        "tangents of the file; grey without tangents",
        ticks=(*DIRECTIONS, Swatch((0.3, 0.3, 0.3), "none")),
    ),
    "uv": View("Texture coordinates", "checkerboard, 8 squares per UV unit"),
    "metallic": View("Metallic", "black 0, white 1", ticks=GREYS),
    "roughness": View("Roughness", "black 0, white 1", ticks=GREYS),
    "occlusion": View(
        "Occlusion",
        "black occluded, white unoccluded",
        ticks=(Swatch((0.0, 0.0, 0.0), "occluded"), Swatch((1.0, 1.0, 1.0), "unoccluded")),
    ),
    "emissive": View("Emissive", "emitted light"),
    "alpha": View("Alpha", "black 0, white 1; not blended", ticks=GREYS),
    "joints": View("Joints", "one colour per joint: the joint with the greatest weight"),
    "influences": View(
        "Influences",
        "number of joints: grey 0, blue 1, green 2, yellow 3, orange 4, red more",
        INFLUENCES,
    ),
    "facing": View(
        "Facing",
        "front faces blue, back faces red",
        ticks=(Swatch((0.30, 0.50, 0.90), "front"), Swatch((0.85, 0.30, 0.25), "back")),
    ),
}

assert set(VIEWS) == set(get_args(ViewMode))

# Colour map of weights 0 to 1 (van der Walt and Smith, CC0), sRGB, as in shaders/lib/color.glsl.
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

WEIGHTS = (
    Swatch(NONE, "0"),
    Swatch(VIRIDIS[0], "> 0"),
    *(Swatch(VIRIDIS[k], f"{k / 8:g}") for k in (2, 4, 6, 8)),
)
