import json

import numpy as np
import pytest
from PIL import Image

from rigview.loading.load import load
from rigview.resources import asset_path
from tests.support.bvh_text import BVH
from tests.support.gltf_documents import Builder
from tests.support.library_files import body_file


@pytest.fixture
def walk(tmp_path):
    path = tmp_path / "Walk.bvh"
    path.write_text(BVH)
    return path


def test_info_lists_imported_clips(rigview, walk):
    ran = rigview("info", "--anims", walk, "--force", "--json")
    assert ran.code == 0
    assert [clip["name"] for clip in json.loads(ran.out)["clips"]][-1] == "Walk #2"
    assert ran.err.count("\n") == 1
    assert "Walk.bvh: 1 animation, retargeted: 4 of 70 joints matched" in ran.err


def test_verbose_names_every_joint_and_quiet_says_nothing(rigview, walk):
    loud = rigview("info", "--anims", walk, "--force", "--verbose").err
    assert "pelvis = Hips" in loud
    assert "extra: tail" in loud
    assert "at rest: " in loud
    assert rigview("info", "--anims", walk, "--force", "--quiet").err == ""


@pytest.mark.parametrize("name", ["Walk:Walk", "Walk #2", "last"])
def test_imported_clip_by_every_name(rigview, walk, tmp_path, name):
    out = tmp_path / "pose.npz"
    if name == "last":
        name = f"#{len(load(asset_path('mannequin.glb')).clips)}"
    options = ("--force", "--time", "0,1", "-o", out, "--quiet")
    ran = rigview("pose", "--anims", walk, "--animation", name, *options)
    assert (ran.code, ran.err) == (0, "")
    arrays = np.load(out)
    hips = arrays["node_names"].tolist().index("Hips")
    moved = arrays["node_global"][1, hips, :3, 3] - arrays["node_global"][0, hips, :3, 3]
    assert moved[2] == pytest.approx(0.5, rel=0.02)  # 50 cm on hips of the same height


def test_several_files_after_one_option(rigview, walk, tmp_path):
    other = tmp_path / "Other.bvh"
    other.write_text(BVH)
    ran = rigview("info", walk, "--anims", walk, other, "--json")
    names = [clip["name"] for clip in json.loads(ran.out)["clips"]]
    assert names == ["Walk", "Walk #2", "Other"]
    assert ran.err.count("verbatim") == 2


def test_unreadable_file_is_named(rigview, walk, tmp_path):
    walk.write_text(BVH.replace("OFFSET 10 -5 0", "OFFSET 10"))
    ran = rigview("info", "--anims", walk)
    assert ran.code == 3
    assert "Walk.bvh: line 7: OFFSET must be three numbers" in ran.err
    ran = rigview("info", "--anims", tmp_path / "none.glb")
    assert ran.code == 3
    assert ran.err.count("\n") == 1


def test_a_file_that_is_only_a_skeleton_is_drawn_as_one(rigview, walk, tmp_path):
    out = tmp_path / "bones.png"
    options = ("--no-background", "--resolution", "64,64", "--samples", "1", "-o", out)
    assert rigview("render", walk, *options).code == 0
    alpha = np.asarray(Image.open(out))[..., 3] > 0
    rows = np.flatnonzero(alpha.any(axis=1))
    assert 0.01 < alpha.mean() < 0.3  # lines, not a body
    assert rows[-1] - rows[0] > 40  # framed by its joints


def test_bvh_as_main_file(rigview, walk):
    text = rigview("info", walk)
    assert text.code == 0
    assert "BVH" in text.out.splitlines()[0]
    assert "glTF" not in text.out


def test_empty_mapping_omits_joints(rigview, walk, tmp_path):
    motion = tmp_path / "m.motion.toml"
    motion.write_text(
        'version = 1\nanims = { files = ["Walk.bvh"], names = { "thigh*" = "", calf_l = "" } }\n'
    )
    ran = rigview("pose", "--motion", motion, "-o", tmp_path / "pose.npz", "--verbose")
    assert ran.code == 0
    assert "2 of 70 joints matched" in ran.err
    assert "extra: thigh_l, tail, calf_l" in ran.err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            'anims = { files = ["Wlk.bvh"] }',
            "2: anims.files[0]: {folder}/Wlk.bvh: there is no such",
        ),
        ('anims = { files = ["../Walk.bvh"] }', "2: anims.files[0]: '../Walk.bvh' lies outside"),
        (
            'anims = { files = ["Walk.bvh"], names = { pelvs = "Hips" } }',
            "2: anims.names.pelvs: no joint 'pelvs' in the files; did you mean \"pelvis\"?",
        ),
        (
            'anims = { files = ["Walk.bvh"] }\n[retarget]\nhips = "Hip"',
            "4: retarget.hips: no joint 'Hip'; did you mean \"Hips\"?",
        ),
        (
            'anims = { files = ["Walk.bvh"] }\n[retarget]\nreference = "Wlk@0"',
            "4: retarget.reference: no animation 'Wlk'; did you mean 'Walk'?",
        ),
    ],
)
def test_errors_of_anims_in_a_motion_file_have_a_line(rigview, walk, tmp_path, text, message):
    motion = tmp_path / "m.motion.toml"
    motion.write_text(f"version = 1\n{text}\n")
    ran = rigview("pose", "--motion", motion, "-o", tmp_path / "pose.npz")
    assert ran.code == 3
    assert ran.err.startswith(f"rigview: {motion}:{message.format(folder=tmp_path)}")
    assert ran.err.count("\n") == 1


def test_skeleton_that_hardly_matches_is_refused(rigview, walk):
    ran = rigview("info", "--anims", walk)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == (
        f"rigview: {walk}: only 4 of 70 joints match; "
        "map joints with anims.names in a motion file, or import it with --force\n"
    )


@pytest.mark.parametrize(("joints", "code"), [(12, 2), (13, 0)])
def test_a_quarter_of_the_joints_is_enough(rigview, tmp_path, joints, code):
    names = [f"joint_{k}" for k in range(50)]
    places = {name: (names[0] if k else "", (0, k / 50, 0)) for k, name in enumerate(names)}
    target = body_file(tmp_path / "target.glb", places=places, plain=())
    few = dict(list(places.items())[:joints])
    other = {f"part_{k}": ("joint_0", (1, k / 50, 0)) for k in range(50)}
    moves = body_file(tmp_path / "moves.glb", places=few | other, plain=(), clips=["Move"])
    ran = rigview("info", target, "--anims", moves)
    assert ran.code == code
    assert f"{joints} of 50 joints match" in ran.err
    assert rigview("info", target, "--anims", moves, "--force").code == 0


def test_clips_of_morph_weights_alone_are_not_refused(rigview, tmp_path):
    built = Builder()
    weights = built.accessor([[0, 0, 0], [0, 0, 0.1], [0, 0, 0]])
    mesh = built.mesh(targets=[{"POSITION": weights}], indices=built.accessor([0, 1, 2], "uint16"))
    built.json["meshes"][mesh]["extras"] = {"targetNames": ["smile"]}
    built.add("nodes", name="Face", mesh=mesh)
    built.add("scenes", nodes=[0])
    built.animation((0, "weights", [0, 1], [0, 1]), name="Grin")
    (tmp_path / "face.glb").write_bytes(built.glb())
    ran = rigview("info", "--anims", tmp_path / "face.glb")
    assert (ran.code, "1 animation" in ran.err) == (0, True)


def test_motion_file_may_name_a_skeleton_that_hardly_matches(rigview, walk, tmp_path):
    motion = tmp_path / "m.motion.toml"
    motion.write_text('version = 1\nanims = { files = ["Walk.bvh"] }\n')
    ran = rigview("pose", "--motion", motion, "-o", tmp_path / "pose.npz")
    assert ran.code == 0
    assert "4 of 70 joints matched" in ran.err
