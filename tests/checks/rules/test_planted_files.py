"""A planted fault is found in a file as in the model: saved, read again and checked by command."""

import json

import numpy as np
import pytest

import rigview as api
from rigview.checks.check_context import CheckContext
from rigview.checks.examine import examine
from rigview.checks.rule_settings import Settings
from rigview.loading.load import load
from tests.support.file_version import Version
from tests.support.shared import MODELS, needs_shared
from tests.tools.planted_faults import classes

FILE = MODELS / "CesiumMan.glb"
FAULTS = (
    "weight of another limb",
    "wrong rotation key of a joint",
    "left and right joint exchanged in a clip",
    "bone of another length in a clip",
    "one inverse bind matrix of many",
    "part inside out",
    "normals of a part negated",
    "blended material without transparency",
)
ATTRIBUTES = {
    "POSITION": "positions",
    "NORMAL": "normals",
    "JOINTS_0": "joints",
    "WEIGHTS_0": "weights",
}
SIZE = 2.0


def write(model, path):
    """Write a character of a file with other meshes, skins, materials and clips."""
    version, before = Version(model.path or FILE), load(FILE)
    if not model.path:  # made of a changed JSON
        version.json["materials"][0]["alphaMode"] = model.materials[0].alpha_mode
    for row, mesh, old in zip(version.rows("meshes"), model.meshes, before.meshes, strict=True):
        for part, other in zip(mesh.primitives, old.primitives, strict=True):
            target = row["primitives"][part.number]
            for name, field in ATTRIBUTES.items():
                values = getattr(part, field)
                if not np.array_equal(values, getattr(other, field)):
                    target["attributes"][name] = version.add_array(
                        values, target["attributes"][name]
                    )
            if len(part.positions) != len(other.positions):
                (own,) = part.texcoords
                texcoords = target["attributes"]["TEXCOORD_0"]
                target["attributes"]["TEXCOORD_0"] = version.add_array(own, texcoords)
            if not np.array_equal(part.indices, other.indices):
                target["indices"] = version.add_array(part.indices[:, None], target["indices"])
    for row, skin in zip(version.rows("skins"), model.skins, strict=True):
        matrices = skin.inverse_bind.transpose(0, 2, 1).reshape(-1, 16)
        row["inverseBindMatrices"] = version.add_array(matrices, row["inverseBindMatrices"])
    api.save(version.load().with_clips(list(model.clips)), path)


@needs_shared
@pytest.mark.parametrize("name", FAULTS)
def test_planted_in_a_file(name, rigview, tmp_path):
    (fault,) = [each for each in classes() if each.name == name]
    context = CheckContext(load(str(FILE)))
    place = fault.places(context)[0]
    planted = fault.plant(context, place, SIZE)
    write(planted.model, tmp_path / "planted.glb")
    wanted = examine(planted, Settings(only=fault.rules))
    assert wanted
    ran = rigview("check", tmp_path / "planted.glb", "--json", "--fail-on", "never")
    (file,) = json.loads(ran.out)["files"]
    seen = [each for each in file["findings"] if each["rule"] in fault.rules]
    keys = ("rule", "severity", "clip", "joint", "item", "unit")
    assert [[each[key] for key in keys] for each in seen] == [
        [getattr(each, key) for key in keys] for each in wanted
    ]
    for one, other in zip(seen, wanted, strict=True):
        for key in ("amount", "limit", "time", "size", "touches"):
            value = getattr(other, key)
            assert one[key] == (value if value is None else pytest.approx(value, rel=0.01))
