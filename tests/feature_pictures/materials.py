"""Feature pictures of materials: metallic-roughness, alpha, sides, vertex colours, variants."""

import numpy as np

from tests.feature_pictures.picture_grid import Cell, FeaturePicture, cells
from tests.feature_pictures.shapes import (
    CLAMP,
    NEAREST,
    Shapes,
    ball,
    box,
    bumps,
    checker,
    letter,
    panel,
)
from tests.support.animated_value_files import rotation_about

FRONT = {"no_background": True, "view": "front", "ortho": True}
NEAR = {"no_background": True, "camera_target": (0, 0, 0), "camera_fov": 26}
SLANTED = NEAR | {"camera_position": (2.2, 2.6, 5)}


def metallic_by_roughness():
    """Balls from copper to plastic, from smooth to rough."""
    b = Shapes()
    for y, metallic in enumerate((1, 0.5, 0)):
        for x, roughness in enumerate((0, 0.25, 0.5, 0.75, 1)):
            material = b.pbr_material((0.9, 0.5, 0.32, 1), metallic, roughness)
            b.node(b.add_shape(ball(0.46), material=material), (x - 2, 1 - y, 0))
    return b


METAL = FeaturePicture(
    "metallic-roughness",
    "metallic 1, 0.5 and 0 from top to bottom, roughness 0 to 1 in quarters from left to right",
    (Cell("metal by roughness", metallic_by_roughness),),
    columns=1,
    size=(160, 98),
    options=FRONT | {"shadow": False},
)


def alpha_ramp(**row):
    """A red panel with alpha from 0 at the left to 1 at the right, in front of a checkered one."""

    def make():
        b = Shapes()
        behind = b.texture(checker(), filters=(NEAREST, NEAREST))
        info = {"baseColorTexture": {"index": behind}}
        b.node(b.add_shape(panel(2, 2), material=b.unlit(pbrMetallicRoughness=info)), (0, 0, -0.5))
        ramp = np.full((8, 32, 4), (220, 60, 40, 255), np.uint8)
        ramp[..., 3] = np.linspace(0, 255, 32)
        texture = {"baseColorTexture": {"index": b.texture(ramp, (33071, 33071))}}
        b.node(
            b.add_shape(panel(1.6, 1.6), material=b.pbr_material((1, 1, 1, 1), pbr=texture, **row))
        )
        return b

    return make


ALPHA = FeaturePicture(
    "alpha-modes",
    "alpha from 0 at the left to 1 at the right: opaque, masked at 0.5 and 0.25, blended",
    tuple(
        Cell(label, alpha_ramp(**row))
        for label, row in (
            ("OPAQUE", {}),
            ("MASK", {"alphaMode": "MASK"}),
            ("MASK, cutoff 0.25", {"alphaMode": "MASK", "alphaCutoff": 0.25}),
            ("BLEND", {"alphaMode": "BLEND"}),
        )
    ),
    options=FRONT | {"shadow": False},
)
PANES = (0.9, 0.1, 0.1, 0.5), (0.1, 0.7, 0.1, 0.5), (0.15, 0.2, 0.9, 0.5)


def panes():
    """Red, green and blue panes behind each other; the middle one is first in the file."""
    b = Shapes()
    for k in (1, 0, 2):
        material = b.unlit(
            pbrMetallicRoughness={"baseColorFactor": list(PANES[k])}, alphaMode="BLEND"
        )
        b.node(
            b.add_shape(panel(1.4, 1.4), material=material), (k * 0.6 - 0.6, 0.6 - k * 0.6, 1 - k)
        )
    return b


def panes_in_one_mesh():
    """The same panes in one primitive with vertex colours."""
    b = Shapes()
    points, normals, uv, corners, _ = panel(1.4, 1.4)
    many = [np.add(points, (k * 0.6 - 0.6, 0.6 - k * 0.6, 1 - k)) for k in (1, 0, 2)]
    colors = np.repeat(np.array([PANES[k] for k in (1, 0, 2)], np.float32), 4, axis=0)
    indices = np.concatenate([corners + 4 * k for k in range(3)])
    parts = np.concatenate(many), np.tile(normals, (3, 1)), np.tile(uv, (3, 1)), indices
    b.node(b.add_shape(parts, material=b.unlit(alphaMode="BLEND"), colors=colors))
    return b


def nested_balls():
    """An opaque ball in a double-sided blended ball whose top is opaque."""
    b = Shapes()
    b.node(b.add_shape(ball(0.55), material=b.pbr_material((0.8, 0.2, 0.1, 1))))
    fade = np.full((64, 8, 4), (120, 190, 230, 90), np.uint8)
    fade[:20, :, 3] = 255
    texture = {"baseColorTexture": {"index": b.texture(fade)}}
    glass = b.pbr_material(
        (1, 1, 1, 1), roughness=0.15, pbr=texture, alphaMode="BLEND", doubleSided=True
    )
    b.node(b.add_shape(ball(1.1), material=glass))
    return b


def intersecting_panel():
    """A slanted panel, opaque at the left and transparent at the right, through a blended ball.

    Its opaque half is in front of the ball, though the centre of the ball is nearer.
    """
    b = Shapes()
    b.node(b.add_shape(ball(0.8), material=b.pbr_material((0.9, 0.5, 0.1, 0.6), alphaMode="BLEND")))
    pixels = np.full((32, 32, 4), (60, 120, 90, 255), np.uint8)
    pixels[:, 16:, 3] = 80
    pbr = {"baseColorTexture": {"index": b.texture(pixels, (CLAMP, CLAMP), (NEAREST, NEAREST))}}
    panes = b.pbr_material((1, 1, 1, 1), pbr=pbr, alphaMode="BLEND", doubleSided=True)
    b.node(
        b.add_shape(panel(2.6, 1), material=panes),
        (0.1, 0, -0.25),
        rotation=rotation_about("y", 60),
    )
    return b


SORTING = FeaturePicture(
    "transparency-sorting",
    "the red pane is nearest from the front and farthest from behind, as its own mesh and as part "
    "of one; a ball in a double-sided transparent ball with an opaque top; a slanted panel through "
    "a transparent ball, tinted where the ball is in front of it",
    (
        Cell("front", panes, options={"camera_position": (0, 0, 9)}),
        Cell("back", panes, options={"camera_position": (0, 0, -9)}),
        Cell("one mesh, front", panes_in_one_mesh, options={"camera_position": (0, 0, 9)}),
        Cell("one mesh, back", panes_in_one_mesh, options={"camera_position": (0, 0, -9)}),
        Cell("nested, above", nested_balls, options={"camera_position": (0, 4, 5.5)}),
        Cell("nested, below", nested_balls, options={"camera_position": (0, -4, 5.5)}),
        Cell("panel, front", intersecting_panel, options={"camera_position": (0, 2, 6.5)}),
        Cell("panel, back", intersecting_panel, options={"camera_position": (0, 2, -6.5)}),
    ),
    columns=4,
    options=NEAR | {"shadow": False},
)


def bowl(**row):
    """An open bowl."""

    def make():
        b = Shapes()
        material = b.pbr_material((0.25, 0.45, 0.75, 1), roughness=0.35, **row)
        b.node(b.add_shape(ball(1, top=np.pi / 2), material=material), (0, 0.4, 0))
        return b

    return make


def embossed(scale=(1, 1, 1), *, tangents=True):
    """A single-sided box with a normal map and letters, its node scaled."""

    def make():
        b = Shapes()
        pbr = {"baseColorTexture": {"index": b.texture(letter(), (CLAMP, CLAMP))}}
        normal = {"index": b.texture(bumps())}
        material = b.pbr_material((1, 1, 1, 1), roughness=0.5, pbr=pbr, normalTexture=normal)
        b.node(
            b.add_shape(box((1.5, 1.5, 1.5)), material=material, tangents=tangents),
            scale=list(scale),
        )
        return b

    return make


ONE_SIDED, TWO_SIDED = bowl(), bowl(doubleSided=True)
SIDES = FeaturePicture(
    "double-sided",
    "a single-sided and a double-sided bowl, the latter also from below; a box with a normal map, "
    "lit from the upper left, with positive and negative scales, with and without tangents",
    (
        Cell("single, above", ONE_SIDED, options={"camera_position": (0, 3.8, 4.6)}),
        Cell("double, above", TWO_SIDED, options={"camera_position": (0, 3.8, 4.6)}),
        Cell("double, below", TWO_SIDED, options={"camera_position": (0, -3.8, 4.6)}),
        Cell("scale 1 1 1", embossed(), options=SLANTED),
        Cell("scale -1 1 1", embossed((-1, 1, 1)), options=SLANTED),
        Cell("scale 1 -1 1", embossed((1, -1, 1)), options=SLANTED),
        Cell("scale -1 -1 -1", embossed((-1, -1, -1)), options=SLANTED),
        Cell("no tangents, -1 1 1", embossed((-1, 1, 1), tangents=False), options=SLANTED),
    ),
    columns=4,
    size=(56, 56),
    options=NEAR,
)


def vertex_coloured(kind, **row):
    """A panel with vertex colours: red, green, blue, and white of alpha 0.2."""

    def make():
        b = Shapes()
        corners = np.array([[1, 0, 0, 1], [0, 1, 0, 1], [0, 0, 1, 1], [1, 1, 1, 0.2]])
        colors = (corners * (255 if kind is np.uint8 else 1)).astype(kind)
        factor = row.pop("factor", (1, 1, 1, 1))
        pbr = {"baseColorTexture": {"index": b.texture(checker())}} if row.pop("map", 0) else {}
        material = b.pbr_material(factor, roughness=1, pbr=pbr, **row)
        b.node(b.add_shape(panel(2, 2), material=material, colors=colors))
        return b

    return make


VERTEX = FeaturePicture(
    "vertex-colours",
    "red, green, blue and white of alpha 0.2 at the corners: as floats, as blended bytes, times a "
    "yellow factor, times a checkered texture",
    tuple(
        Cell(label, make)
        for label, make in (
            ("float", vertex_coloured(np.float32)),
            ("uint8, BLEND", vertex_coloured(np.uint8, alphaMode="BLEND")),
            ("times yellow", vertex_coloured(np.float32, factor=(1, 1, 0, 1))),
            ("times texture", vertex_coloured(np.float32, map=True)),
        )
    ),
    options=FRONT | {"shadow": False},
)


def emissive_ball(strength=None, *, texture=False):
    """A dark ball with an emissive factor, and optionally an emissive texture and strength."""

    def make():
        b = Shapes()
        row = {"emissiveFactor": [1, 0.45, 0.1]}
        if texture:
            stripes = np.zeros((8, 8, 3), np.uint8)
            stripes[2:5] = 255
            row["emissiveTexture"] = {"index": b.texture(stripes, filters=(NEAREST, NEAREST))}
        if strength is not None:
            b.extension("KHR_materials_emissive_strength")
            row["extensions"] = {"KHR_materials_emissive_strength": {"emissiveStrength": strength}}
        b.node(
            b.add_shape(ball(), material=b.pbr_material((0.1, 0.1, 0.12, 1), roughness=0.4, **row))
        )
        return b

    return make


def textured_ball(*, unlit):
    """A ball with a base colour texture and factor, lit or unlit."""

    def make():
        b = Shapes()
        pbr = {"baseColorTexture": {"index": b.texture(letter(), filters=(NEAREST, NEAREST))}}
        pbr["baseColorFactor"] = [1, 0.8, 0.6, 1]
        material = b.unlit(pbrMetallicRoughness=pbr) if unlit else b.pbr_material(pbr=pbr)
        parts = list(ball())
        parts[2] = parts[2] * (2, 1)
        b.node(b.add_shape(parts, material=material))
        return b

    return make


UNLIT_AND_EMISSIVE = FeaturePicture(
    "unlit-and-emissive",
    "a ball lit and unlit; emissive by texture, by factor, and with strengths 0.25 and 6",
    (
        Cell("lit", textured_ball(unlit=False)),
        Cell("unlit", textured_ball(unlit=True)),
        Cell("emissive texture", emissive_ball(texture=True)),
        Cell("emissive", emissive_ball()),
        Cell("strength 0.25", emissive_ball(0.25)),
        Cell("strength 6", emissive_ball(6)),
    ),
    columns=3,
    size=(56, 56),
    options=FRONT | {"shadow": False},
)


def with_variants():
    """A ball and a box with material variants; the box has only one of the two."""
    b = Shapes()
    b.extension("KHR_materials_variants", variants=[{"name": "Day"}, {"name": "Night"}])
    own, day = b.pbr_material((0.6, 0.6, 0.6, 1)), b.pbr_material((0.95, 0.75, 0.2, 1))
    night = b.pbr_material((0.1, 0.15, 0.5, 1), 1, 0.3)

    def said(*pairs):
        mappings = [{"material": material, "variants": [k]} for material, k in pairs]
        return {"KHR_materials_variants": {"mappings": mappings}}

    both, one = said((day, 0), (night, 1)), said((night, 1))
    b.node(b.add_shape(ball(0.7), material=own, extensions=both), (-0.8, 0, 0))
    b.node(b.add_shape(box((1, 1, 1)), material=own, extensions=one), (0.7, 0, 0))
    return b


VARIANTS = FeaturePicture(
    "variants",
    "without variant; Day, which the box does not have; Night",
    cells(with_variants, ("own", "Day", "Night"), variant=(None, "Day", "Night")),
    columns=3,
    size=(80, 56),
    options=NEAR | {"camera_position": (1, 1.6, 6.5), "camera_fov": 22},
)

PICTURES = (METAL, ALPHA, SORTING, SIDES, VERTEX, UNLIT_AND_EMISSIVE, VARIANTS)
