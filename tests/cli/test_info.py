import json

import pytest

from rigview.cli.info import as_text
from rigview.loading.load import load
from rigview.model.statistics import describe
from tests.support.command_files import document, write_document
from tests.support.instanced_files import instanced
from tests.support.shared import MODELS, needs_shared

EVIL_ASSET = {"version": "2.0", "generator": "a\nb", "copyright": "\x1b[31m"}


@pytest.fixture
def facts(rigview, model_file):
    ran = rigview("info", model_file, "--json")
    assert ran.code == 0
    assert not ran.err
    return json.loads(ran.out)


def test_clips(facts):
    assert [clip["name"] for clip in facts["clips"]] == ["Turn", "Turn fast", "0", "Animation 3"]
    turn = facts["clips"][0]
    assert (turn["start"], turn["end"]) == (0.5, 2.0)
    assert (turn["tracks"], turn["joints"], turn["keys"]) == (1, 1, 3)
    assert turn["interpolation"] == {"LINEAR": 1}
    assert turn["bytes"] == 3 * 4 + 3 * 16
    assert facts["clips"][2]["paths"] == {"weights": 1}


def test_names(rigview, model_file):
    ran = rigview("info", model_file, "--names", "clips")
    assert ran == (0, "Turn\nTurn fast\n0\nAnimation 3\n", "")
    assert rigview("info", model_file, "--names", "joints").out == "Body\nRoot\nTip\nFace\n"
    assert rigview("info", model_file, "--names", "variants").out == ""


@pytest.mark.parametrize("kind", ["clips", "joints", "meshes", "materials", "cameras"])
def test_names_in_json_are_those_of_all_facts(rigview, model_file, facts, kind):
    ran = rigview("info", model_file, "--names", kind, "--json")
    assert json.loads(ran.out) == [row["name"] for row in facts[kind]]


def test_each_name_is_on_a_line_of_its_own(rigview, tmp_path):
    animations = document()["animations"]
    animations[0]["name"] = "a\nb\x1b"
    path = write_document(tmp_path / "names.gltf", animations=animations)
    assert rigview("info", path, "--names", "clips").out.splitlines()[0] == "a\ufffdb\ufffd"


def test_joints_and_skins_are_in_gltf_order(facts):
    assert [joint["name"] for joint in facts["joints"]] == ["Body", "Root", "Tip", "Face"]
    assert [joint["parent"] for joint in facts["joints"]] == [-1, -1, 1, -1]
    assert [joint["skinned"] for joint in facts["joints"]] == [False, True, True, False]
    assert facts["skins"] == [{"index": 0, "name": "Skin 0", "joints": [1, 2], "meshes": [0]}]
    assert facts["influences"] == {"1": 2, "2": 1}


def test_meshes(facts):
    triangle, mask = facts["meshes"]
    assert (triangle["vertices"], triangle["triangles"], triangle["skinned"]) == (3, 1, True)
    assert (len(mask["morph_targets"]), mask["nodes"], mask["skinned"]) == (1, [3], False)


def test_memory_adds_up(facts):
    sizes = facts["gpu_bytes"]
    assert sizes["morph_targets"] == 3 * 12
    assert sizes["palettes"] == 2 * 48
    assert sizes["total"] == sum(size for kind, size in sizes.items() if kind != "total")


def test_text_matches_json(rigview, model_file):
    ran = rigview("info", model_file)
    assert ran.code == 0
    assert f"{model_file}: glTF 2.0" in ran.out
    assert "generator: tests" in ran.out
    assert "0.5 to 2 s" in ran.out
    assert "Joints: 4 nodes, 2 of them in a skin, 2 levels deep" in ran.out
    assert "Warnings: none" in ran.out


def test_empty_file(rigview, tmp_path):
    path = tmp_path / "empty.gltf"
    path.write_text('{"asset": {"version": "2.0"}}')
    ran = rigview("info", path)
    assert ran.code == 0
    assert "Animations: none" in ran.out
    assert "Joints: 0 nodes" in ran.out
    assert json.loads(rigview("info", path, "--json").out)["gpu_bytes"]["total"] == 0


def test_images_extensions_and_warnings(rigview, tmp_path):
    lens = {"yfov": 1, "znear": 1, "aspectRatio": 16 / 9}
    path = write_document(
        tmp_path / "textured.gltf",
        images=[{"uri": "missing.png"}],
        textures=[{"source": 0}],
        materials=[
            {
                "name": "Cloth",
                "doubleSided": True,
                "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}},
            }
        ],
        cameras=[{"name": "Eye", "type": "perspective", "perspective": lens}],
        nodes=[*document()["nodes"][:3], {"name": "Face", "mesh": 1, "camera": 0}],
        extensionsUsed=["KHR_materials_unlit", "VENDOR_sparkle"],
    )
    ran = rigview("info", path)
    assert ran.code == 0
    assert not ran.err  # the warnings are part of the answer
    assert "Cloth  OPAQUE  double-sided  base colour 0" in ran.out
    assert "missing.png" in ran.out
    assert "Camera: Eye, perspective, made for 1.778:1, on Face" in ran.out
    assert "Not drawn: VENDOR_sparkle" in ran.out
    facts = json.loads(rigview("info", path, "--json").out)
    assert facts["materials"][0]["textures"] == {"base colour": 0}
    assert any("missing.png" in warning for warning in facts["warnings"])


def test_control_characters_are_escaped(rigview, tmp_path):
    meshes = [mesh | {"name": "\x1b[2J\n"} for mesh in document()["meshes"]]
    path = write_document(tmp_path / "evil.gltf", meshes=meshes, asset=EVIL_ASSET)
    ran = rigview("info", path)
    assert ran.code == 0
    assert "\x1b" not in ran.out
    assert "a\nb" not in ran.out


def test_names_in_any_script(rigview, tmp_path):
    nodes = document()["nodes"]
    nodes[2]["name"] = "骨"
    facts = json.loads(
        rigview("info", write_document(tmp_path / "a.gltf", nodes=nodes), "--json").out
    )
    assert facts["joints"][2]["name"] == "骨"


@pytest.mark.parametrize(("way", "words"), [(0.02, ""), (0.5, "0.5 m, 0.5 m/s")])
def test_vertical_motion_is_not_travel(rigview, tmp_path, way, words):
    """Hips that begin on the ground and end a metre above it, so far ahead."""
    joints = "JOINT a\n{\nOFFSET 0 1 0\nCHANNELS 0\n}\nJOINT b\n{\nOFFSET 1 0 0\nCHANNELS 0\n}\n"
    path = tmp_path / "up.bvh"
    path.write_text(
        "HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\n"
        f"{joints}}}\nMOTION\nFrames: 2\nFrame Time: 1\n0 0.1 0\n0 1 {way}\n"
    )
    text = rigview("info", path).out
    assert words in text
    assert ("travels" in text) == bool(words)


@needs_shared
@pytest.mark.parametrize(
    ("file", "words"),
    [
        ("Fox.glb", ["Survey", "0 to 3.417 s", "24 of them in a skin", "1024 x 1024"]),
        ("robot.glb", ["Animations: 14", "moves 14 meshes", "double-sided"]),
        ("InterpolationTest/interpolation_test.gltf", ["STEP", "CUBICSPLINE", "Warnings: 1"]),
    ],
)
def test_real_files(file, words):
    facts = {"file": file} | describe(load(MODELS / file))
    text = as_text(json.loads(json.dumps(facts)))
    assert all(word in text for word in words)


def test_table_of_files_and_folders(rigview, model_file, tmp_path):
    folder = tmp_path / "more"
    folder.mkdir()
    write_document(folder / "still.gltf", animations=None)
    ran = rigview("info", model_file, folder, "--jobs", "1")
    assert (ran.code, ran.err) == (0, "")
    title, head, *rows = ran.out.splitlines()
    assert title == "2 files"
    assert head.split()[:4] == ["file", "size", "clips", "length"]
    assert [row.split()[0] for row in rows] == [str(model_file), str(folder / "still.gltf")]
    assert rows[0].split()[3:6] == ["4", "5", "s"]
    assert rows[1].split()[3:6] == ["0", "0", "s"]
    for jobs in ("1", "2"):
        found = json.loads(rigview("info", model_file, folder, "--json", "--jobs", jobs).out)
        assert [facts["file"] for facts in found] == [str(model_file), str(folder / "still.gltf")]
        assert found[0] == json.loads(rigview("info", model_file, "--json").out)
    assert len(json.loads(rigview("info", folder, "--json").out)) == 1  # a folder has a list
    names = rigview("info", model_file, folder, "--names", "clips", "--jobs", "1")
    assert names.out.splitlines()[0] == f"{model_file}: Turn"


def test_a_broken_file_among_several(rigview, model_file, tmp_path):
    broken = tmp_path / "broken.gltf"
    broken.write_text("{")
    for form in ((), ("--json",), ("--names", "clips")):
        ran = rigview("info", broken, model_file, *form, "--jobs", "1")
        assert (ran.code, ran.err.count("\n")) == (3, 1)
        assert "broken.gltf" in ran.err
        assert str(model_file) in ran.out
    found = json.loads(rigview("info", broken, model_file, "--json", "--jobs", "1").out)
    assert [set(found[1]), found[1]["file"]] == [{"file", "error"}, str(broken)]
    assert rigview("info", broken, broken, "--jobs", "1").out == ""


def test_instances():
    facts = describe(load(instanced().glb())) | {"file": "forest.glb"}
    (mesh,) = facts["meshes"]
    vertices, triangles = mesh["vertices"] * 12, mesh["triangles"] * 12
    title, head, row = as_text(facts).split("Meshes: ")[1].splitlines()[:3]
    assert title == f"1; drawn {vertices} vertices, {triangles} triangles"
    assert (head.split()[-1], row.split()[-1]) == ("instances", "12")
