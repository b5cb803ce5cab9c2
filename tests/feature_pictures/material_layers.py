"""Plates of what extensions lay over a material: varnish, velvet, glass."""

from tests.feature_pictures.picture_grid import Cell, Plate
from tests.support.material_layer_files import Coats, chart

FRONT = {"view": "front", "ortho": True, "grid": False}


def balls(*rows):
    """Balls: a row a property, a column a share of it from 0 to 1."""
    return lambda: chart(rows)


def glass(**layers):
    """A ball of green glass before a square."""

    def make():
        b = Coats()
        b.ball(b.layered((0.6, 0.95, 0.7, 1), roughness=0.05, **layers), (0, 0.5, 0), rings=32)
        square = b.square(0.8, material=b.layered((0.9, 0.3, 0.1, 1)))
        b.add("nodes", mesh=square, translation=[0.35, 0.6, -0.7])
        return b

    return make


CLEAR = glass(transmission={"transmissionFactor": 1})
COATED = glass(
    transmission={"transmissionFactor": 1},
    ior={"ior": 1.33},
    clearcoat={"clearcoatFactor": 1, "clearcoatRoughnessFactor": 0.3},
    sheen={"sheenColorFactor": [0.9, 0.3, 0.9], "sheenRoughnessFactor": 0.3},
)

SHARES = Plate(
    "layers",
    "a column a share from 0 to 1; index of refraction, strength and colour of what is mirrored; a "
    "clear coat and its roughness; velvet and its roughness; what shows through glass and its "
    "roughness",
    (
        Cell("specular", balls("ior", "specular", "specular colour")),
        Cell("clearcoat", balls("clearcoat", "coat roughness")),
        Cell("sheen", balls("sheen", "sheen roughness")),
        Cell("transmission", balls("transmission", "glass roughness")),
    ),
    columns=2,
    size=(160, 96),
    options=FRONT,
)
GLASS = Plate(
    "glass",
    "green glass before a square over the ground; on nothing; with a coat and velvet; its base "
    "colour",
    (
        Cell("ground", CLEAR),
        Cell("nothing", CLEAR, options={"no_background": True, "grid": False}),
        Cell("layers", COATED),
        Cell("base colour", CLEAR, options={"view_mode": "base-colour", "grid": False}),
    ),
    columns=4,
    size=(72, 72),
    options={"camera_azimuth": 20, "camera_elevation": 20, "camera_fov": 26},
)

PLATES = (SHARES, GLASS)
