"""Texture coordinates, triangles and vertices of meshes."""

from itertools import cycle

import pytest

from rigview.checks.examine import examine
from rigview.checks.rule_settings import Settings
from rigview.model.material import TEXTURES
from tests.checks.cases_data import picture, tangents, triangles
from tests.support.rule_case import messages_of
from tests.support.rule_figure import context, document_change, extra_vertices

VARIANTS = "KHR_materials_variants"


def using(path, number, *, transform=False, variant=False):
    """Return a change: a texture at a path of the material, or of one of a variant, uses a set."""

    @document_change
    def change(b):
        source = b.add("images", bufferView=b.view(picture()), mimeType="image/png")
        info = {"index": b.add("textures", source=source), "texCoord": number}
        if transform:
            info |= {"texCoord": 0, "extensions": {"KHR_texture_transform": {"texCoord": number}}}
        at = b.json["materials"][-1 if not variant else b.add("materials", name="Night")]
        *above, slot = path.split("/")
        for key in above:
            at = at.setdefault(key, {})
        at[slot] = info
        if variant:
            b.json["extensions"] = {VARIANTS: {"variants": [{"name": "Night"}]}}
            mappings = [{"material": len(b.json["materials"]) - 1, "variants": [0]}]
            for primitive in b.json["meshes"][0]["primitives"]:
                primitive["extensions"] = {VARIANTS: {"mappings": mappings}}

    return change


def with_sets(*numbers):
    def change(figure):
        for number in numbers:
            figure.attributes[f"TEXCOORD_{number}"] = figure.texcoords.astype("float32")

    return change


def found(rule, *changes):
    return [each.place for each in examine(context(*changes)(), Settings(only=(rule,)))]


WAYS = cycle([{}, {"transform": True}, {"variant": True}])


@pytest.mark.parametrize(
    ("path", "how"), [*zip([row.path for row in TEXTURES.values()], WAYS, strict=False)]
)
def test_a_used_set(path, how):
    place, used = "/meshes/0/primitives/0/attributes", using(path, 2, **how)
    assert found("mesh-texcoords", used, with_sets(1)) == [place]
    assert not found("mesh-texcoords", used, with_sets(1, 2, 3))
    idle = [f"{place}/TEXCOORD_{k}" for k in (1, 3)]
    assert found("unused-attributes", used, with_sets(1, 2, 3)) == idle


def test_tangents_of_anisotropic_highlights():
    stretched = document_change(
        lambda b: b.json["materials"][0].update(extensions={"KHR_materials_anisotropy": {}})
    )
    place = "/meshes/0/primitives/0/attributes/TANGENT"
    assert found("unused-attributes", tangents) == [place]
    assert not found("unused-attributes", tangents, stretched)


def test_a_set_that_is_not_drawn():
    used = using("emissiveTexture", 4), with_sets(1, 2, 3, 4)
    assert found("file", *used) == ["/materials/0/emissiveTexture"]


def test_primitives_without_indices():
    plain = document_change(lambda b: b.json["meshes"][0]["primitives"][0].pop("indices"))
    assert not messages_of(context(plain, extra_vertices(3)), "mesh-unused")
    (message,) = messages_of(context(plain, extra_vertices(3)), "mesh-degenerate")
    assert message == "1 of 25 triangles of mesh “Body” has no area"


def test_bytes_of_unused_vertices():
    (message,) = messages_of(context(extra_vertices(10)), "mesh-unused")
    each = 12 + 12 + 8 + 8 + 16  # position, normal, UV, joints, weights
    assert message == (f"10 of 82 vertices of mesh “Body” are in no triangle: {10 * each} bytes")


def test_few_degenerate_triangles_are_accepted():
    assert not messages_of(
        context(*[triangles(0, 1, 2)] * 50, triangles(0, 0, 1)), "mesh-degenerate"
    )
