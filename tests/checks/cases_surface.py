"""Cases of the rules about faces, normals and materials."""

import numpy as np

from tests.checks.cases_data import picture
from tests.support.rule_case import Case
from tests.support.rule_figure import context, document_change

SOUND = context()
MATERIAL = "/materials/0"


def corners_of(figure):
    """The triangles [T, 3] of the figure, to be changed."""
    return figure.indices.reshape(-1, 3)


def inverted(count):
    """Turn the first triangles of the trunk."""

    def change(figure):
        corners = corners_of(figure)
        corners[:count] = corners[:count, ::-1].copy()

    return change


def negated(*rows):
    """Negate the normals of some vertices."""

    def change(figure):
        figure.normals[list(rows)] *= -1

    return change


def material(**row):
    return document_change(lambda b: b.json["materials"][0].update(row))


def second_material(**row):
    """Draw the last triangles with another material."""

    @document_change
    def change(b):
        (primitive,) = b.json["meshes"][0]["primitives"]
        accessor = b.json["accessors"][primitive["indices"]]
        count, size = accessor["count"], 2
        view = b.json["bufferViews"][accessor["bufferView"]]
        start = view["byteOffset"] + (count - 30) * size
        rest = np.frombuffer(bytes(b.blob[start : start + 30 * size]), np.uint16)
        accessor["count"] = count - 30
        index = b.add("materials", **row)
        b.json["meshes"][0]["primitives"].append(
            primitive | {"indices": b.accessor(rest, "uint16"), "material": index}
        )

    return change


def pictures(*slots, one=True):
    """Add a picture in some slots of the material; `one`: the same in all of them."""

    @document_change
    def change(b):
        row, made = b.json["materials"][0], []
        for path in slots:
            if not made or not one:
                data = picture(shade=40 + len(made))
                source = b.add("images", bufferView=b.view(data), mimeType="image/png")
                made.append(b.add("textures", source=source))
            *above, slot = path.split("/")
            at = row
            for key in above:
                at = at.setdefault(key, {})
            at[slot] = {"index": made[-1]}

    return change


BASE, NORMAL = "pbrMetallicRoughness/baseColorTexture", "normalTexture"
PLASTIC = {"pbrMetallicRoughness": {"metallicFactor": 0}}
CASES = {
    "faces-inward": Case(context(inverted(4)), SOUND, np.hypot(200, 200), "/meshes/0/primitives/0"),
    "normals-against-faces": Case(
        context(negated(*range(6))), context(negated(0, 1)), np.hypot(200, 200)
    ),
    "material-blend-opaque": Case(
        context(material(alphaMode="BLEND")),
        context(
            material(alphaMode="BLEND", pbrMetallicRoughness={"baseColorFactor": [1, 1, 1, 0.9]})
        ),
        None,
        f"{MATERIAL}/alphaMode",
    ),
    "material-metallic": Case(
        context(material(**PLASTIC), second_material(name="Cape")),
        context(material(**PLASTIC), second_material(name="Steel")),
        None,
        "/materials/1/pbrMetallicRoughness",
    ),
    "texture-two-spaces": Case(
        context(pictures(BASE, NORMAL)),
        context(pictures(BASE, NORMAL, one=False)),
        None,
        f"{MATERIAL}/{NORMAL}",
    ),
}
