import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from rigview.loading.load import load
from tests.support.gltf_documents import Builder
from tests.support.shared import MODELS, needs_shared

FILES = sorted(p for p in MODELS.rglob("*") if p.suffix in (".glb", ".gltf"))


def test_facts():
    b = Builder()
    b.json["asset"] |= {"generator": "by hand", "copyright": "none\n"}
    b.json["extensionsUsed"] = ["KHR_materials_unlit", "X_y"]
    b.add("scenes", name="Main")
    model = b.load()
    facts = model.facts
    assert (facts.generator, facts.copyright, facts.version) == ("by hand", "none\ufffd", "2.0")
    assert facts.extensions_used == ("KHR_materials_unlit", "X_y")
    assert facts.extensions_required == ()
    assert facts.not_drawn == ("X_y",)
    assert facts.scenes == ("Main",)
    assert facts.file_bytes == len(b.glb())
    assert (model.name, model.path) == ("model", None)


def test_root_may_be_text(tmp_path):
    b = Builder()
    b.mesh()
    (tmp_path / "body.bin").write_bytes(b.blob)
    assert load(b.gltf("body.bin"), root=str(tmp_path)).meshes


def test_loading_imports_neither_pygltflib_nor_pillow(tmp_path):
    b = Builder()
    b.add("nodes", mesh=b.mesh())
    b.add("images", uri="data:,x")
    (tmp_path / "body.glb").write_bytes(b.glb())
    program = (
        "import sys; from rigview.loading.load import load; load(sys.argv[1]);"
        "print([m for m in ('pygltflib', 'PIL', 'moderngl') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "body.glb")],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
    )
    assert done.stdout.strip() == "[]"


@needs_shared
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_model_loads(path):
    model = load(path)
    assert model.skeleton.count > 0
    assert model.clips
    assert all(clip.tracks and clip.end > clip.start >= 0 for clip in model.clips)
    for mesh in model.meshes:
        assert mesh.primitives
        for primitive in mesh.primitives:
            assert np.isfinite(primitive.positions).all()
            if primitive.weights is not None:
                np.testing.assert_allclose(primitive.weights.sum(axis=1), 1, atol=1e-6)
    missing = [w for w in model.warnings if "l.jpg" not in w]
    assert missing == []


@needs_shared
def test_robot_joints_and_meshes_of_the_same_name():
    model = load(MODELS / "robot.glb")
    names = model.skeleton.names
    assert len(set(names)) == len(names)
    joints = set(model.skins[0].joints.tolist())
    assert not [names[j] for j in joints if "#" in names[j]]


@needs_shared
def test_the_texture_of_fox():
    model = load(MODELS / "Fox.glb")
    assert model.materials[0].base_color_texture is not None
    pixels = model.images[0].pixels
    assert pixels.shape[2] == 4
    assert pixels[..., :3].std() > 10


@needs_shared
def test_missing_texture_warns_once():
    model = load(MODELS / "InterpolationTest" / "interpolation_test.gltf")
    assert len(model.warnings) == 1
    assert "l.jpg" in model.warnings[0]
    assert model.images[0].pixels.shape == (1, 1, 4)
