import json

import numpy as np
import pytest

from tests.support import large_counts
from tests.support.command_files import write_document


def test_matrix_as_json(rigview, model_file):
    ran = rigview("check", model_file, "--joins", "--json")
    assert (ran.code, ran.err) == (0, "")
    found = json.loads(ran.out)
    assert found["clips"] == ["Turn", "Turn fast", "0", "Animation 3"]
    assert (found["threshold_mm"], found["threshold_deg"]) == (1, 1)
    for name in ("mm", "deg", "mm_per_s", "deg_per_s"):
        assert np.shape(found[name]) == (4, 4)
        assert np.shape(found[f"{name}_joint"]) == (4, 4)
    # Turn ends at 45 degrees; Turn fast begins at 0 and ends at 90
    assert found["deg"][0][0] == pytest.approx(45, rel=1e-4)
    assert found["deg"][1][0] == pytest.approx(90, rel=1e-4)
    assert found["deg_joint"][1][0] == "Tip"
    assert found["joins"][2] == [True] * 4  # the face alone moves: the joints are at rest
    (pose,) = found["poses"]
    assert pose == {
        "name": "0",
        "begins": ["Turn", "Turn fast", "0", "Animation 3"],
        "ends": ["0"],
    }


def test_text(rigview, model_file):
    ran = rigview("check", model_file, "--joins")
    lines = ran.out.splitlines()
    assert lines[0] == "Core poses: 1"
    assert lines[1:4] == [
        "  0",
        "    begin in it: Turn, Turn fast, 0, Animation 3",
        "    end in it: 0",
    ]
    row = next(line for line in lines if line.startswith("  2 0 "))
    assert row.split()[2:] == ["="] * 4
    listed = next(line for line in lines if line.startswith("  0 > Turn fast"))
    assert "°/s Tip" in listed


def test_chosen_clips_and_thresholds(rigview, model_file):
    arguments = ["--joins", "--json", "--animation", "Turn*", "--threshold-deg", "46"]
    found = json.loads(rigview("check", model_file, *arguments).out)
    assert found["clips"] == ["Turn", "Turn fast"]
    assert found["joins"] == [[True, True], [False, False]]


def test_large_errors_are_limited(rigview, tmp_path, model_file):
    text = model_file.read_text().replace('"translation": [0, 1, 0]', '"translation": [0, 90, 0]')
    path = tmp_path / "tall.gltf"
    path.write_text(text)
    assert ">9999" in rigview("check", path, "--joins").out


@pytest.mark.parametrize(
    ("arguments", "word"), [(["--format", "junit"], "junit"), (["FILE"], "one file")]
)
def test_wrong_use(rigview, model_file, arguments, word):
    arguments = [argument.replace("FILE", str(model_file)) for argument in arguments]
    ran = rigview("check", model_file, "--joins", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert word in ran.err


def test_file_without_animations(rigview, tmp_path):
    path = write_document(tmp_path / "a.gltf", animations=None)
    assert rigview("check", path, "--joins").code == 2


def test_too_many_clips(rigview, tmp_path):
    path = tmp_path / "many.glb"
    path.write_bytes(large_counts.clips(1001).glb())
    ran = rigview("check", path, "--joins")
    assert ran.code == 2
    assert "1001 animations; at most 1000 are possible; choose fewer" in ran.err
    ran = rigview("report", path, "-o", tmp_path / "page.html")
    assert ran.code == 2
    assert "1001 animations; at most 1000 are possible; choose fewer" in ran.err
