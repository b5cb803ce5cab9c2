"""The program that makes the bundled character makes it again; and what Khronos says of it."""

import json
import os
import shutil
import subprocess
import sys

import numpy as np
import pytest

from rigview.gltf.load import load
from rigview.resources import asset_path
from tests.support.clip_poses import frame_times, joint_matrices

MANNEQUIN = asset_path("mannequin.glb")

VALIDATE = """
const validator = require(process.env.GLTF_VALIDATOR || "gltf-validator");
const data = new Uint8Array(require("fs").readFileSync(process.argv[1]));
validator.validateBytes(data).then((r) => console.log(JSON.stringify(r.issues)));
"""


def nearest(points, others):
    """Metres from each point [N, 3] to the nearest other one [N]."""
    others = others[np.argsort(others[:, 1], kind="stable")]
    found = np.empty(len(points))
    for i, point in enumerate(points):
        low, high = np.searchsorted(others[:, 1], (point[1] - 1e-4, point[1] + 1e-4))
        close = np.linalg.norm(others[low:high] - point, axis=1)
        found[i] = close.min() if len(close) else np.inf
    return found


def test_program_makes_the_same_file_again(tmp_path):
    pytest.importorskip("xatlas", reason="needs the extra [assets]")
    again = tmp_path / "again.glb"
    program = MANNEQUIN.with_name("make_mannequin.py")
    subprocess.run([sys.executable, program, again], check=True, capture_output=True)
    if again.read_bytes() == MANNEQUIN.read_bytes():
        return
    made, stored = load(again), load(MANNEQUIN)  # another numpy may round another way
    (one, two) = (file.meshes[0].primitives[0] for file in (made, stored))
    assert len(one.indices) == len(two.indices)
    assert nearest(one.positions, two.positions).max() < 1e-5  # charts may be cut another way
    assert nearest(two.positions, one.positions).max() < 1e-5
    for mine, theirs in zip(made.clips, stored.clips, strict=True):
        times = frame_times(mine)
        a, b = (
            joint_matrices(file, clip, times) for file, clip in ((made, mine), (stored, theirs))
        )
        np.testing.assert_allclose(a[..., :3, 3], b[..., :3, 3], atol=1e-5)


def test_khronos_validator_finds_nothing():
    """GLTF_VALIDATOR is the folder of the npm package, where node does not find it by itself."""
    if not shutil.which("node"):
        pytest.skip("node is not here")
    module = os.environ.get("GLTF_VALIDATOR", "gltf-validator")
    known = subprocess.run(
        ["node", "-e", "require(process.argv[1])", module], capture_output=True, check=False
    )
    if known.returncode:
        pytest.skip("the npm package gltf-validator is not here; GLTF_VALIDATOR names its folder")
    ran = subprocess.run(
        ["node", "-e", VALIDATE, str(MANNEQUIN)], capture_output=True, text=True, check=True
    )
    issues = json.loads(ran.stdout)
    assert (issues["numErrors"], issues["numWarnings"]) == (0, 0), issues["messages"]
