"""The Khronos validator on the bundled character; test_body.py generates it again."""

import json
import os
import shutil
import subprocess

import pytest

from rigview.resources import asset_path

MANNEQUIN = asset_path("mannequin.glb")

VALIDATE = """
const validator = require(process.env.GLTF_VALIDATOR || "gltf-validator");
const data = new Uint8Array(require("fs").readFileSync(process.argv[1]));
validator.validateBytes(data).then((r) => console.log(JSON.stringify(r.issues)));
"""


def test_khronos_validator_finds_nothing():
    """GLTF_VALIDATOR is the folder of the npm package, if node does not find it."""
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
