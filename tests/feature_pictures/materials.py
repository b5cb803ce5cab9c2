"""Plates of materials: metal and roughness, alpha, sides, vertex colours, unlit, variants."""

import numpy as np

from tests.feature_pictures.picture_grid import Cell, Plate, cells
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
from tests.support.animated_value_files import about

FRONT = {"no_background": True, "view": "front", "ortho": True}
NEAR = {"no_background": True, "camera_target": (0, 0, 0), "camera_fov": 26}
SLANTED = NEAR | {"camera_position": (2.2, 2.6, 5)}


def metal_and_rough():
    """Copper to copper-red plastic, from a mirror to matt."""
    b = Shapes()
    for y, metallic in enumerate((1, 0.5, 0)):
        for x, roughness in enumerate((0, 0.25, 0.5, 0.75, 1)):
            material = b.paint((0.9, 0.5, 0.32, 1), metallic, roughness)
            b.node(b.body(ball(0.46), material=material), (x - 2, 1 - y, 0))
    return b


METAL = Plate(
    "metallic-roughness",
    "metallic 1, 0.5 and 0 from top to bottom, roughness 0 to 1 in quarters from left to right",
    (Cell("metal by roughness", metal_and_rough),),
    columns=1,
    size=(160, 98),
    options=FRONT | {"shadow": False},
)


def faded(**row):
    """A red panel whose alpha grows from left to right, before a checkered one."""

    def make():
        b = Shapes()
        behind = b.texture(checker(), filters=(NEAREST, NEAREST))
        info = {"baseColorTexture": {"index": behind}}
        b.node(b.body(panel(2, 2), material=b.unlit(pbrMetallicRoughness=info)), (0, 0, -0.5))
        ramp = np.full((8, 32, 4), (220, 60, 40, 255), np.uint8)
        ramp[..., 3] = np.linspace(0, 255, 32)
        texture = {"baseColorTexture": {"index": b.texture(ramp, (33071, 33071))}}
        b.node(b.body(panel(1.6, 1.6), material=b.paint((1, 1, 1, 1), pbr=texture, **row)))
        return b

    return make


ALPHA = Plate(
    "alpha-modes",
    "alpha from 0 at the left to 1 at the right: not looked at, cut at 0.5 and at 0.25, blended",
    tuple(
        Cell(label, faded(**row))
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
    """Red, green and blue panes one behind the other; in the file the middle one comes first."""
    b = Shapes()
    for k in (1, 0, 2):
        material = b.unlit(
            pbrMetallicRoughness={"baseColorFactor": list(PANES[k])}, alphaMode="BLEND"
        )
        b.node(b.body(panel(1.4, 1.4), material=material), (k * 0.6 - 0.6, 0.6 - k * 0.6, 1 - k))
    return b


def one_mesh():
    """The same panes in one primitive, with colours at their vertices."""
    b = Shapes()
    points, normals, uv, corners, _ = panel(1.4, 1.4)
    many = [np.add(points, (k * 0.6 - 0.6, 0.6 - k * 0.6, 1 - k)) for k in (1, 0, 2)]
    colors = np.repeat(np.array([PANES[k] for k in (1, 0, 2)], np.float32), 4, axis=0)
    indices = np.concatenate([corners + 4 * k for k in range(3)])
    parts = np.concatenate(many), np.tile(normals, (3, 1)), np.tile(uv, (3, 1)), indices
    b.node(b.body(parts, material=b.unlit(alphaMode="BLEND"), colors=colors))
    return b


def shells():
    """A solid ball in a ball of glass that has an inside, too, and a solid part at its top."""
    b = Shapes()
    b.node(b.body(ball(0.55), material=b.paint((0.8, 0.2, 0.1, 1))))
    fade = np.full((64, 8, 4), (120, 190, 230, 90), np.uint8)
    fade[:20, :, 3] = 255
    texture = {"baseColorTexture": {"index": b.texture(fade)}}
    glass = b.paint((1, 1, 1, 1), roughness=0.15, pbr=texture, alphaMode="BLEND", doubleSided=True)
    b.node(b.body(ball(1.1), material=glass))
    return b


def gate():
    """A slanted panel, solid at its left, clear at its right, about a glass ball: its solid half is
    before the ball, though the ball's middle is nearer than that of the panel.
    """
    b = Shapes()
    b.node(b.body(ball(0.8), material=b.paint((0.9, 0.5, 0.1, 0.6), alphaMode="BLEND")))
    pixels = np.full((32, 32, 4), (60, 120, 90, 255), np.uint8)
    pixels[:, 16:, 3] = 80
    pbr = {"baseColorTexture": {"index": b.texture(pixels, (CLAMP, CLAMP), (NEAREST, NEAREST))}}
    panes = b.paint((1, 1, 1, 1), pbr=pbr, alphaMode="BLEND", doubleSided=True)
    b.node(b.body(panel(2.6, 1), material=panes), (0.1, 0, -0.25), rotation=about("y", 60))
    return b


SORTING = Plate(
    "sorting",
    "the red pane is the nearest from the front and the farthest from behind, whether it is a mesh "
    "by itself or part of one; a ball in a glass ball with an inside and a solid cap; a slanted "
    "panel through a glass ball, half of which is solid: it is tinted where the ball is before it",
    (
        Cell("front", panes, options={"camera_position": (0, 0, 9)}),
        Cell("back", panes, options={"camera_position": (0, 0, -9)}),
        Cell("one mesh, front", one_mesh, options={"camera_position": (0, 0, 9)}),
        Cell("one mesh, back", one_mesh, options={"camera_position": (0, 0, -9)}),
        Cell("shell, above", shells, options={"camera_position": (0, 4, 5.5)}),
        Cell("shell, below", shells, options={"camera_position": (0, -4, 5.5)}),
        Cell("gate, front", gate, options={"camera_position": (0, 2, 6.5)}),
        Cell("gate, back", gate, options={"camera_position": (0, 2, -6.5)}),
    ),
    columns=4,
    options=NEAR | {"shadow": False},
)


def bowl(**row):
    """An open bowl."""

    def make():
        b = Shapes()
        material = b.paint((0.25, 0.45, 0.75, 1), roughness=0.35, **row)
        b.node(b.body(ball(1, top=np.pi / 2), material=material), (0, 0.4, 0))
        return b

    return make


def embossed(scale=(1, 1, 1), *, tangents=True):
    """A box with bumps and letters, single-sided, its node scaled."""

    def make():
        b = Shapes()
        pbr = {"baseColorTexture": {"index": b.texture(letter(), (CLAMP, CLAMP))}}
        normal = {"index": b.texture(bumps())}
        material = b.paint((1, 1, 1, 1), roughness=0.5, pbr=pbr, normalTexture=normal)
        b.node(
            b.body(box((1.5, 1.5, 1.5)), material=material, tangents=tangents), scale=list(scale)
        )
        return b

    return make


ONE_SIDED, TWO_SIDED = bowl(), bowl(doubleSided=True)
SIDES = Plate(
    "sides",
    "a bowl without and with an inside, the latter from below, too; bumps stand out of a box in "
    "light from the upper left, whatever the signs of its scale are, with tangents and without",
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


def coloured(kind, **row):
    """A panel with colours at its four corners: red, green, blue, white or clear."""

    def make():
        b = Shapes()
        corners = np.array([[1, 0, 0, 1], [0, 1, 0, 1], [0, 0, 1, 1], [1, 1, 1, 0.2]])
        colors = (corners * (255 if kind is np.uint8 else 1)).astype(kind)
        factor = row.pop("factor", (1, 1, 1, 1))
        pbr = {"baseColorTexture": {"index": b.texture(checker())}} if row.pop("map", 0) else {}
        material = b.paint(factor, roughness=1, pbr=pbr, **row)
        b.node(b.body(panel(2, 2), material=material, colors=colors))
        return b

    return make


VERTEX = Plate(
    "vertex-colours",
    "red, green, blue and a white of alpha 0.2 at the corners: as floats, as bytes that are "
    "blended, times a yellow factor, times a checkered texture",
    tuple(
        Cell(label, make)
        for label, make in (
            ("float", coloured(np.float32)),
            ("uint8, BLEND", coloured(np.uint8, alphaMode="BLEND")),
            ("times yellow", coloured(np.float32, factor=(1, 1, 0, 1))),
            ("times texture", coloured(np.float32, map=True)),
        )
    ),
    options=FRONT | {"shadow": False},
)


def glowing(strength=None, *, texture=False):
    """A dark ball that sends out light, all over or where its texture says so."""

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
        b.node(b.body(ball(), material=b.paint((0.1, 0.1, 0.12, 1), roughness=0.4, **row)))
        return b

    return make


def lit_or_not(*, unlit):
    """A ball with a texture and a factor."""

    def make():
        b = Shapes()
        pbr = {"baseColorTexture": {"index": b.texture(letter(), filters=(NEAREST, NEAREST))}}
        pbr["baseColorFactor"] = [1, 0.8, 0.6, 1]
        material = b.unlit(pbrMetallicRoughness=pbr) if unlit else b.paint(pbr=pbr)
        parts = list(ball())
        parts[2] = parts[2] * (2, 1)
        b.node(b.body(parts, material=material))
        return b

    return make


SHINING = Plate(
    "unlit-and-emissive",
    "a ball lit and unlit; light that it sends out, by texture, and 0.25 and 6 times as strong",
    (
        Cell("lit", lit_or_not(unlit=False)),
        Cell("unlit", lit_or_not(unlit=True)),
        Cell("emissive texture", glowing(texture=True)),
        Cell("emissive", glowing()),
        Cell("strength 0.25", glowing(0.25)),
        Cell("strength 6", glowing(6)),
    ),
    columns=3,
    size=(56, 56),
    options=FRONT | {"shadow": False},
)


def dressed():
    """A ball and a box with two suits beside the file's own; the box has but one of them."""
    b = Shapes()
    b.extension("KHR_materials_variants", variants=[{"name": "Day"}, {"name": "Night"}])
    own, day = b.paint((0.6, 0.6, 0.6, 1)), b.paint((0.95, 0.75, 0.2, 1))
    night = b.paint((0.1, 0.15, 0.5, 1), 1, 0.3)

    def said(*pairs):
        mappings = [{"material": material, "variants": [k]} for material, k in pairs]
        return {"KHR_materials_variants": {"mappings": mappings}}

    both, one = said((day, 0), (night, 1)), said((night, 1))
    b.node(b.body(ball(0.7), material=own, extensions=both), (-0.8, 0, 0))
    b.node(b.body(box((1, 1, 1)), material=own, extensions=one), (0.7, 0, 0))
    return b


VARIANTS = Plate(
    "variants",
    "the file's own materials; those of Day, which the box has none of; those of Night",
    cells(dressed, ("own", "Day", "Night"), variant=(None, "Day", "Night")),
    columns=3,
    size=(80, 56),
    options=NEAR | {"camera_position": (1, 1.6, 6.5), "camera_fov": 22},
)

PLATES = (METAL, ALPHA, SORTING, SIDES, VERTEX, SHINING, VARIANTS)
