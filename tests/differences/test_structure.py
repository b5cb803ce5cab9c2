"""Differences of skins, meshes, materials, textures, cameras, extensions and files."""

import io

import numpy as np
import pytest
from PIL import Image

from rigview.differences.compare import compare
from rigview.differences.vertices import correspond
from tests.support.character_versions import character, translation_matrix
from tests.support.instanced_files import instanced, transforms
from tests.support.models import make_primitive


def changes_of(a, b, kind=None):
    found = compare(a.load(), b.load())
    return [c for c in found.changes if kind in (None, c.kind) and not c.stored]


def test_inverse_bind():
    (change,) = changes_of(character(), character(bind=(0, -1.25, -2)), "skin")
    assert (change.name, change.field, change.unit) == ("Skin", "bind positions", "mm")
    assert change.after == pytest.approx(250)
    assert change.note == "at Arm"


def test_inverse_bind_turned_and_stretched():
    a, b = character(), character()
    turned = np.diag([2.0, 2, 2, 1])
    angle = np.radians(10)
    turned[:2, :2] = 2 * np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    inverse = [turned.reshape(16), translation_matrix(0, -1, 0), translation_matrix(0, -2, 0)]
    b.json["skins"][0]["inverseBindMatrices"] = b.accessor(inverse)
    changes = {c.field: c for c in changes_of(a, b, "skin")}
    assert set(changes) == {"bind rotations", "bind scales"}
    assert changes["bind rotations"].after == pytest.approx(10, rel=1e-4)
    assert changes["bind scales"].after == pytest.approx(50)


def test_bind_without_an_inverse():
    b = character()
    flat = [translation_matrix(0, 0, 0), np.zeros(16), translation_matrix(0, -2, 0)]
    b.json["skins"][0]["inverseBindMatrices"] = b.accessor(flat)
    (change,) = changes_of(character(), b, "skin")
    assert (change.field, change.note) == ("inverse binds", "no inverse at Arm")
    assert changes_of(b, b, "skin") == []


def test_repeated_joint_of_a_skin():
    b = character()
    b.json["skins"][0]["joints"] = [0, 1, 1]
    assert changes_of(b, b, "skin") == []


def test_joints_of_a_skin():
    b = character()
    b.json["skins"][0] = {"joints": [0, 1], "name": "Skin"}
    b.json["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"] = b.accessor(
        [[0, 1, 1, 0]] * 5, "uint16"
    )
    changes = changes_of(character(), b, "skin")
    assert changes[0].note == "lost: Hand"
    assert (changes[0].before, changes[0].after) == (3, 2)


def test_skin_renamed_added_removed():
    b = character()
    b.json["skins"][0]["name"] = "Body"
    b.add("skins", joints=[3], name="Other")
    changes = [(c.what, c.name, c.now) for c in changes_of(character(), b, "skin")]
    assert changes == [("added", "Other", ""), ("renamed", "Skin", "Body")]
    back = [(c.what, c.name) for c in changes_of(b, character(), "skin")]
    assert back == [("removed", "Other"), ("renamed", "Body")]


def test_order_of_skin_joints_is_ignored():
    b = character()
    b.json["skins"][0]["joints"] = [2, 0, 1]
    b.json["skins"][0]["inverseBindMatrices"] = b.accessor(
        [translation_matrix(0, y, 0) for y in (-2, 0, -1)]
    )
    b.json["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"] = b.accessor(
        [[1, 2, 0, 1]] * 5, "uint16"
    )
    found = compare(character().load(), b.load())
    assert found.same
    assert all(clip.deviation.metres == 0 for clip in found.clips)


def test_weights():
    weights = [[1, 0, 0, 0], [1, 0, 0, 0], [0.25, 0.75, 0, 0], [0, 0, 1, 0], [0, 0, 1, 0]]
    (change,) = changes_of(character(), character(weights=weights), "mesh")
    assert (change.field, change.unit) == ("weights", "of 1")
    assert change.after == pytest.approx(0.25)
    assert change.note == "at most, of Root; 1 vertex"


def test_positions():
    points = [[-0.2, 0, 0], [0.2, 1, 0], [-0.2, 1.5, 0], [0.2, 2, 0], [0, 3, 0.01]]
    changes = changes_of(character(), character(points=points))
    assert [(c.kind, c.field) for c in changes] == [("mesh", "positions")]
    assert changes[0].after == pytest.approx(10, rel=1e-4)
    assert changes[0].note.startswith("1 of 5")


def test_mesh_and_attributes():
    changes = changes_of(character(), character(mesh="Torso", colours=True), "mesh")
    assert [(c.what, c.field, c.now) for c in changes] == [
        ("renamed", "", "Torso"),
        ("changed", "attributes", ""),
    ]
    assert "COLOR_0" in changes[1].after


def test_triangles():
    other = character(triangles=((0, 1, 2), (1, 3, 2)))
    changes = [(c.field, c.before, c.after) for c in changes_of(character(), other)]
    assert changes == [("triangles", 3, 2)]
    turned = character(triangles=((1, 2, 0), (3, 2, 1), (2, 3, 4)))
    assert changes_of(character(), turned) == [], "the same triangles in another order"
    flipped = character(triangles=((0, 2, 1), (1, 3, 2), (2, 3, 4)))
    assert [c.note for c in changes_of(character(), flipped)] == ["1 of 3 face the other way"]
    other = character(triangles=((0, 1, 3), (1, 3, 2), (2, 3, 4)))
    assert [c.note for c in changes_of(character(), other)] == ["1 of 3 differ"]


def test_meshes_added_and_removed():
    b = character()
    b.json["meshes"].append({"name": "Hat", "primitives": b.json["meshes"][0]["primitives"][:]})
    assert [(c.what, c.name) for c in changes_of(character(), b, "mesh")] == [("added", "Hat")]
    assert [(c.what, c.name) for c in changes_of(b, character(), "mesh")] == [("removed", "Hat")]


def test_primitives_added():
    b = character()
    b.json["meshes"][0]["primitives"] *= 2
    fields = {c.field: (c.before, c.after) for c in changes_of(character(), b, "mesh")}
    assert fields == {"primitives": (1, 2), "vertices": (5, 10), "triangles": (3, 6)}


def test_reordered_vertices_match():
    order = [4, 2, 0, 3, 1]
    back = np.argsort(order)
    points = np.array([[-0.2, 0, 0], [0.2, 1, 0], [-0.2, 1.5, 0], [0.2, 2, 0], [0, 3, 0]])[order]
    weights = np.eye(4)[[0, 0, 1, 2, 2]][order]
    triangles = back[np.array(((0, 1, 2), (1, 3, 2), (2, 3, 4)))]
    b = character(points=points, weights=weights, triangles=triangles)
    found = compare(character().load(), b.load())
    assert found.same
    assert found.skin
    assert all(clip.deviation.metres == 0 for clip in found.clips)


def test_vertices_split_at_other_seams_match():
    points = [[-0.2, 0, 0], [0.2, 1, 0], [-0.2, 1.5, 0], [0.2, 2, 0], [0, 3, 0], [-0.2, 1.5, 0]]
    weights = np.eye(4)[[0, 0, 1, 2, 2, 1]]
    b = character(points=points, weights=weights, triangles=((0, 1, 2), (1, 3, 2), (5, 3, 4)))
    found = compare(character().load(), b.load())
    assert found.same
    assert [(c.field, c.before, c.after, c.stored) for c in found.changes if c.kind == "mesh"] == [
        ("vertices", 5, 6, True)
    ]


def test_correspondence_survives_rounding_at_the_edges_of_cells(rng):
    points = rng.normal(size=(500, 3)).astype(np.float32)
    vertex_distances = points + rng.uniform(-1e-7, 1e-7, points.shape).astype(np.float32)
    order = rng.permutation(500)
    rows = correspond(make_primitive(points), make_primitive(vertex_distances[order]))
    np.testing.assert_array_equal(rows, order)
    assert correspond(make_primitive(points), make_primitive(vertex_distances[order][:499])) is None
    assert correspond(make_primitive(points), make_primitive(rng.normal(size=(500, 3)))) is None


def test_material_fields():
    one = {"name": "Skin", "pbrMetallicRoughness": {"roughnessFactor": 0.5}, "doubleSided": False}
    two = {"name": "Skin", "pbrMetallicRoughness": {"roughnessFactor": 0.8}, "doubleSided": True}
    two["pbrMetallicRoughness"]["baseColorFactor"] = [1, 0, 0, 1]
    changes = {
        c.field: (c.before, c.after)
        for c in changes_of(character(material=one), character(material=two))
    }
    assert changes == {
        "roughness": (0.5, 0.8),
        "double-sided": ("no", "yes"),
        "base colour": ((1, 1, 1, 1), (1, 0, 0, 1)),
    }


def test_material_renamed_and_another():
    same = {"pbrMetallicRoughness": {"roughnessFactor": 0.5}}
    a, b = character(material={"name": "Old", **same}), character(material={"name": "New", **same})
    changes = changes_of(a, b)
    assert [(c.kind, c.what, c.name, c.now) for c in changes if c.kind == "material"] == [
        ("material", "renamed", "Old", "New")
    ]
    b = character(material={"name": "New"})
    assert [(c.what, c.name) for c in changes_of(a, b, "material")] == [
        ("removed", "Old"),
        ("added", "New"),
    ]


def pictured(pixels, name="paint"):
    buffer = io.BytesIO()
    Image.fromarray(np.asarray(pixels, np.uint8)).save(buffer, "PNG")
    b = character(material={"name": "Skin"})
    view = b.view(buffer.getvalue())
    b.add("images", bufferView=view, mimeType="image/png", name=name)
    b.add("textures", source=0)
    b.json["materials"][0]["pbrMetallicRoughness"] = {"baseColorTexture": {"index": 0}}
    return b


def test_textures():
    grey = np.full((4, 4, 4), 100)
    brighter = grey.copy()
    brighter[0, 0] = 180
    (change,) = changes_of(pictured(grey), pictured(brighter))
    assert (change.kind, change.field) == ("texture", "pixels")
    assert (change.after, change.unit) == (80, "of 255")
    assert change.note == "1 of 16 pixels, at most; 5 in the mean of all"
    (change,) = changes_of(pictured(grey), pictured(np.full((8, 4, 4), 100)))
    assert (change.before, change.after) == ("4 x 4", "4 x 8")
    (change,) = changes_of(pictured(grey), pictured(grey, "varnish"))
    assert (change.what, change.name, change.now) == ("renamed", "paint", "varnish")


def test_unnamed_images_are_matched_by_pixels():
    """An additional first image changes the numbers of the others only."""
    pixels = [np.full((2, 2, 4), shade) for shade in (10, 20, 30)]

    def several(chosen):
        b = character()
        for k in chosen:
            buffer = io.BytesIO()
            Image.fromarray(pixels[k].astype(np.uint8)).save(buffer, "PNG")
            b.add("images", bufferView=b.view(buffer.getvalue()), mimeType="image/png")
        return b

    changes = changes_of(several((1, 2)), several((0, 1, 2)))
    assert [(c.kind, c.what) for c in changes] == [("texture", "added")]
    (change,) = changes_of(several((1, 2)), several((1, 0)))
    assert (change.name, change.field, change.after) == ("Image 1", "pixels", 20)


def test_texture_of_a_material():
    plain = character(material={"name": "Skin"})
    fields = [
        (c.field, c.before, c.after)
        for c in changes_of(plain, pictured(np.ones((2, 2, 4))), "material")
    ]
    assert fields == [("base colour texture", "none", "paint")]


def test_cameras_and_extensions():
    def seen(yfov, used):
        b = character()
        b.add("cameras", type="perspective", perspective={"yfov": yfov, "znear": 0.1}, name="Eye")
        b.json["nodes"][0]["camera"] = 0
        b.json["extensionsUsed"] = used
        return b

    changes = changes_of(seen(0.5, ["KHR_materials_unlit"]), seen(0.6, ["KHR_lights_punctual"]))
    assert [(c.kind, c.what, c.name, c.field) for c in changes] == [
        ("camera", "changed", "Eye", "vertical field of view"),
        ("extension", "removed", "KHR_materials_unlit", ""),
        ("extension", "added", "KHR_lights_punctual", ""),
    ]
    assert [(c.kind, c.what) for c in changes_of(character(), seen(1, []))] == [("camera", "added")]


def test_morph_targets():
    def face(names, lift):
        b = character()
        target = b.accessor([[0, 0, 0], [0, 0, 0], [0, 0, lift]])
        mesh = b.mesh(targets=[{"POSITION": target}])
        b.json["meshes"][mesh] |= {"name": "Face", "extras": {"targetNames": names}}
        b.add("nodes", mesh=mesh, name="Face")
        return b

    (change,) = changes_of(face(["smile"], 1), face(["grin"], 1))
    assert (change.field, change.before, change.after) == ("morph targets", "smile", "grin")
    (change,) = changes_of(face(["smile"], 1), face(["smile"], 1.5))
    assert (change.field, change.after) == ("morph target smile", pytest.approx(500))


def test_mesh_loses_its_skin():
    b = character()
    del b.json["nodes"][3]["skin"]
    changes = changes_of(character(), b, "mesh")
    assert ("skin", "Skin", "none") in [(c.field, c.before, c.after) for c in changes]


def test_storage_changes_are_not_a_difference():
    b = character()
    b.json["asset"]["generator"] = "another"
    b.view(bytes(100))
    found = compare(character().load(), b.load())
    assert found.same
    assert {c.field for c in found.changes} == {"generator", "size"}


def test_another_mesh_at_a_node():
    def two_meshes(mesh):
        b = character()
        for name in ("Hat", "Cap"):
            b.json["meshes"][b.mesh()]["name"] = name
            b.add("nodes", name=f"Rack of {name}", mesh=len(b.json["meshes"]) - 1)
        b.json["nodes"][0]["mesh"] = mesh
        return b

    (change,) = changes_of(two_meshes(1), two_meshes(2))
    assert (change.name, change.field, change.before, change.after) == (
        "Root",
        "mesh",
        "Hat",
        "Cap",
    )


def test_node_outside_the_scene():
    b = character()
    b.json["scenes"] = [{"nodes": [3]}]
    changes = [(c.name, c.field, c.after) for c in changes_of(character(), b)]
    assert changes == [("Root", "in the default scene", "no")], "not its children too"


def test_material_of_a_variant():
    def varied(number):
        b = character(material={"name": "Red"})
        b.add("materials", name="Blue", emissiveFactor=[0, 0, 1])
        extension = {"mappings": [{"material": number, "variants": [0]}]}
        primitive = b.json["meshes"][0]["primitives"][0]
        primitive["extensions"] = {"KHR_materials_variants": extension}
        b.json["extensions"] = {"KHR_materials_variants": {"variants": [{"name": "Team"}]}}
        b.json["extensionsUsed"] = ["KHR_materials_variants"]
        return b

    (change,) = changes_of(varied(0), varied(1))
    assert (change.field, change.before, change.after) == (
        "material of variant Team",
        "Red",
        "Blue",
    )


def test_lights_of_one_name_at_several_nodes():
    def lit(order):
        b = character()
        light = {"name": "Lamp", "type": "spot", "spot": {"outerConeAngle": 0.5}}
        b.json["extensions"] = {"KHR_lights_punctual": {"lights": [light]}}
        b.json["extensionsUsed"] = ["KHR_lights_punctual"]
        for name in order:
            use = {"KHR_lights_punctual": {"light": 0}}
            node = b.add("nodes", name=name, extensions=use, translation=[len(name), 0, 0])
            b.json["scenes"][0]["nodes"].append(node)
        return b

    assert changes_of(lit(("Left", "Right")), lit(("Right", "Left"))) == []
    other = lit(("Left", "Right"))
    other.json["extensions"]["KHR_lights_punctual"]["lights"][0]["spot"]["outerConeAngle"] = 1.0
    found = changes_of(lit(("Left", "Right")), other)
    assert {(c.kind, c.field, c.unit, round(c.after, 1)) for c in found} == {
        ("light", "outer cone angle", "°", 57.3)
    }


def test_instances_of_a_mesh():
    placed = transforms()
    assert not changes_of(instanced(placed), instanced(placed))
    (fewer,) = changes_of(instanced(placed), instanced([each[:9] for each in placed]))
    assert (fewer.kind, fewer.name, fewer.field) == ("joint", "Forest", "instances")
    assert (fewer.before, fewer.after) == (12, 9)
    moved = [each.copy() for each in placed]
    moved[0][3] += 0.1
    moved[2][5] *= 1.01
    (change,) = changes_of(instanced(placed), instanced(moved))
    assert change.note == "2 instances of 12 moved, turned or grew"
