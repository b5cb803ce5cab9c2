import json
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from PIL import Image

from tests.support.animated_value_files import morphed_nodes
from tests.support.command_files import document, write_document


def texts(svg):
    return [each.text for each in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def test_svg(rigview, model_file, tmp_path):
    target = tmp_path / "out.svg"
    ran = rigview("curves", model_file, "--joint", "Tip", "-o", target)
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    found = texts(target.read_text(encoding="utf-8"))
    assert {"Tip in Turn", "small.gltf", "Rotation (local, °)", "seconds"} <= set(found)
    assert "LINEAR, 3 keys, degrees about X, then Y, then Z" in found


def test_model_space(rigview, model_file):
    ran = rigview("curves", model_file, "--joint", "Tip", "--space", "model", "-o", "-")
    found = texts(ran.out)
    assert {"Translation (model, m)", "Rotation (model, °)"} <= {text.strip() for text in found}
    assert "sampled" in found


def test_standard_output_is_svg(rigview, model_file):
    ran = rigview("curves", model_file, "--joint", "Tip", "--rotation", "quaternion", "-o", "-")
    assert ran.code == 0
    assert "Rotation (local)" in texts(ran.out)
    assert "W" in texts(ran.out)


def test_png_of_a_size(rigview, model_file, tmp_path):
    target = tmp_path / "out.png"
    size = ("--resolution", "400x300")
    assert rigview("curves", model_file, "--joint", "Tip", "-o", target, *size).code == 0
    with Image.open(target) as picture:
        assert picture.size == (400, 300)
        assert np.asarray(picture.convert("L")).std() > 10


def test_trim_begins_at_the_first_key(rigview, model_file):
    plain = rigview("curves", model_file, "--joint", "Tip", "-o", "-")
    trimmed = rigview("curves", model_file, "--joint", "Tip", "--trim", "-o", "-")
    assert "0.2" in texts(plain.out)
    assert "0.2" not in texts(trimmed.out)
    assert "0.6" in texts(trimmed.out)


@pytest.mark.parametrize("name", ["/nodes/3/weights", "Face", "Target 0"])
def test_morph_weights(rigview, model_file, name):
    ran = rigview("curves", model_file, "--joint", name, "--animation", "0", "-o", "-")
    assert ran.code == 0
    assert {"Morph weights Target 0", f"{name} in 0"} <= set(texts(ran.out))


def test_a_joint_is_named_without_the_prefix_of_all_joints(rigview, tmp_path):
    changed = document()
    for node in changed["nodes"]:
        node["name"] = f"mixamorig:{node['name']}"
    path = tmp_path / "prefixed.gltf"
    path.write_text(json.dumps(changed))
    long, short = (
        rigview("curves", path, "--joint", name, "-o", "-") for name in ("mixamorig:Tip", "Tip")
    )
    assert (short.code, short.out) == (0, long.out)


def test_animated_target_of_equal_names(rigview, tmp_path):
    b = morphed_nodes()
    b.pointer(("/nodes/2/weights/1", [0, 1], [0, 0.75]), name="Blink")
    ran = rigview("curves", b.path(tmp_path), "--joint", "Target 1", "-o", "-")
    assert ran.code == 0
    assert {"Morph weights Target 1", "LINEAR, 2 keys"} <= set(texts(ran.out))
    ran = rigview("curves", b.path(tmp_path), "--joint", "Target 0", "-o", "-")
    assert (ran.code, "'Blink' does not animate 'Target 0'" in ran.err) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--joint", "Tpi"), "no joint 'Tpi'; did you mean 'Tip'?"),
        (("--joint", "Root"), "'Turn' does not animate 'Root'; it animates 'Tip'"),
        (("--joint", "/nodes/3/weights"), "'Turn' does not animate '/nodes/3/weights'"),
        (("--joint", "Tip", "--animation", "Trun"), "no animation 'Trun'"),
        (("--joint", "Tip", "--resolution", "50x50"), "at least 160x120"),
        ((), "--joint"),
    ],
)
def test_wrong_use(rigview, model_file, arguments, says):
    ran = rigview("curves", model_file, "-o", "-", *arguments)
    assert ran.code == 2
    assert says in ran.err
    assert ran.err.count("\n") == 1
    assert not ran.out


def test_wrong_extension(rigview, model_file, tmp_path):
    ran = rigview("curves", model_file, "--joint", "Tip", "-o", tmp_path / "out.pdf")
    assert ran.code == 2
    assert ".svg or .png or .jpg" in ran.err


def test_a_file_without_clips(rigview, tmp_path):
    still = write_document(tmp_path / "still.gltf", animations=None)
    ran = rigview("curves", still, "--joint", "Tip", "-o", "-")
    assert ran.code == 2
    assert "no animation" in ran.err
