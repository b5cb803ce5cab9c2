"""Feature pictures of material extensions: values of their factors."""

from tests.feature_pictures.picture_grid import Cell, FeaturePicture
from tests.support.material_extension_files import ExtensionBuilder, chart

FRONT = {"background": "#3a3c40", "view": "front", "ortho": True, "grid": False}


def extension_chart(*rows):
    """A chart of balls: one row per property, its value from 0 to 1 in columns."""
    return lambda: chart(rows)


def glass_ball(**extensions):
    """A green transmissive ball in front of a square."""

    def make():
        b = ExtensionBuilder()
        b.ball(b.extended((0.6, 0.95, 0.7, 1), roughness=0.05, **extensions), (0, 0.5, 0), rings=32)
        square = b.square(0.8, material=b.extended((0.9, 0.3, 0.1, 1)))
        b.add("nodes", mesh=square, translation=[0.35, 0.6, -0.7])
        return b

    return make


CLEAR = glass_ball(transmission={"transmissionFactor": 1})
COATED = glass_ball(
    transmission={"transmissionFactor": 1},
    ior={"ior": 1.33},
    clearcoat={"clearcoatFactor": 1, "clearcoatRoughnessFactor": 0.3},
    sheen={"sheenColorFactor": [0.9, 0.3, 0.9], "sheenRoughnessFactor": 0.3},
)

SHARES = FeaturePicture(
    "material-layers",
    "values from 0 to 1 in columns: index of refraction, specular factor and colour; clearcoat and "
    "its roughness; sheen and its roughness; transmission and its roughness",
    (
        Cell("specular", extension_chart("ior", "specular", "specular colour")),
        Cell("clearcoat", extension_chart("clearcoat", "coat roughness")),
        Cell("sheen", extension_chart("sheen", "sheen roughness")),
        Cell("transmission", extension_chart("transmission", "glass roughness")),
    ),
    columns=2,
    size=(140, 84),
    options=FRONT,
)
LOBES = FeaturePicture(
    "material-lobes",
    "values from 0 to 1 in columns: anisotropy and its direction; the thickness of a film on metal "
    "and its share on a dielectric; diffuse transmission and dispersion",
    (
        Cell("anisotropy", extension_chart("anisotropy", "direction")),
        Cell("film", extension_chart("film", "film on dielectric")),
        Cell("through", extension_chart("scattering", "dispersion")),
    ),
    columns=2,
    size=(104, 62),
    options=FRONT,
)
GLASS = FeaturePicture(
    "transmission",
    "a green transmissive ball in front of a square: with ground; on a transparent background; "
    "with clearcoat and sheen; its base colour",
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

PICTURES = (SHARES, LOBES, GLASS)
