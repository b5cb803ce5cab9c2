"""Channels beyond joints, cameras and variants through the commands: numbers, blends, pictures."""

import json
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from PIL import Image

from tests.support import animated_value_files
from tests.support.animated_value_files import LIGHT, VISIBLE

COLOR, POWER = f"{LIGHT}/color", f"{LIGHT}/intensity"
SHOWN = VISIBLE.format(0)


def lamps(folder):
    """A lamp with a clip that is red and weak, one that is blue and strong, and no floor in it."""
    b = animated_value_files.lit_floor(intensity=1, range=9)
    b.extension("KHR_node_visibility")
    for name, color, power, shown in (
        ("Red", [1, 0, 0], 2, 1),
        ("Blue", [0, 0, 1], 6, 0),
        ("Dim", [1, 1, 1], 0.5, 1),
    ):
        b.pointer(
            (COLOR, [0, 1], [color] * 2),
            (POWER, [0, 1], [power] * 2),
            (SHOWN, [0, 1], [shown] * 2),
            name=name,
        )
    b.bound()
    return b.path(folder)


def motion(folder, text):
    (folder / "feature.motion.toml").write_text("version = 1\n" + text, encoding="utf-8")


def channels(rigview, file, *options):
    """What the other values are, by the property's name."""
    target = file.with_suffix(".npz")
    ran = rigview("pose", file, *options, "-o", target)
    assert (ran.code, ran.err) == (0, "")
    with np.load(target) as arrays:
        return {
            name.rpartition("/")[2]: arrays[name] for name in arrays if name.startswith("pointer:")
        }


def test_numbers_of_a_clip(rigview, tmp_path):
    b = animated_value_files.lit_floor(intensity=1)
    b.pointer((POWER, [0, 2], [0, 4]), (COLOR, [0, 2], [[0, 0, 0], [1, 0.5, 0]]))
    file = b.path(tmp_path)
    found = channels(rigview, file, "--time", "0,0.5,1.5")
    np.testing.assert_allclose(found["intensity"], [[0], [1], [3]])
    np.testing.assert_allclose(found["color"], np.outer([0, 0.25, 0.75], [1, 0.5, 0]))
    assert found["color"].dtype == np.float32
    ran = rigview("pose", file, "--time", "1", "-o", "-")
    assert json.loads(ran.out)[f"pointer:{POWER}"] == [[2.0]]


def test_keys_by_number_are_those_of_the_file(rigview, tmp_path):
    file = lamps(tmp_path)
    found = channels(rigview, file, "--animation", "Blue", "--key", "0,1")
    np.testing.assert_array_equal(found["color"], [[0, 0, 1]] * 2)


def test_fade_interpolates_colours_and_steps_by_weight(rigview, tmp_path):
    file = lamps(tmp_path)
    motion(
        tmp_path,
        """
        [[layers]]
        name = "base"
        play = "Red"
        [[at]]
        time = 1
        fade = { layer = "base", to = "Blue", seconds = 1, ease = "linear" }
        """,
    )
    found = channels(rigview, file, "--time", "0.5,1.25,1.45,1.55,1.75,2.5")
    shares = np.array([0, 0.25, 0.45, 0.55, 0.75, 1])
    np.testing.assert_allclose(
        found["color"], np.outer(1 - shares, [1, 0, 0]) + np.outer(shares, [0, 0, 1]), atol=1e-6
    )
    np.testing.assert_allclose(found["intensity"][:, 0], 2 + 4 * shares, atol=1e-5)
    assert found["visible"][:, 0].tolist() == [1, 1, 1, 0, 0, 0]


def test_an_additive_adds_the_difference(rigview, tmp_path):
    file = lamps(tmp_path)
    motion(
        tmp_path,
        """
        [additives.More]
        source = "Blue"
        reference = { clip = "Dim" }
        [[layers]]
        name = "base"
        play = "Red"
        [[layers]]
        name = "more"
        play = "More"
        weight = 0.5
        """,
    )
    found = channels(rigview, file, "--time", "0.5")
    np.testing.assert_allclose(found["intensity"], [[2 + 0.5 * (6 - 0.5)]])
    np.testing.assert_allclose(found["color"], [[0.5, -0.5, 0]], atol=1e-6)


def test_mask_applies_to_a_light_by_its_joint(rigview, tmp_path):
    file = lamps(tmp_path)
    for joint, share in (("Lamp", 0.25), ("Floor", 0)):
        motion(
            tmp_path,
            f"""
            [masks.some]
            joints = {{ {joint} = 0.25 }}
            [[layers]]
            name = "base"
            play = "Red"
            [[layers]]
            name = "top"
            play = "Blue"
            mask = "some"
            """,
        )
        found = channels(rigview, file, "--time", "0.5")
        np.testing.assert_allclose(found["intensity"], [[2 + share * 4]])
        np.testing.assert_allclose(found["color"], [[1 - share, 0, share]])


def test_touched_mask_includes_channels(rigview, tmp_path):
    file = lamps(tmp_path)
    motion(
        tmp_path,
        """
        [[layers]]
        name = "base"
        play = "Red"
        [[layers]]
        name = "top"
        play = "Blue"
        mask = "touched"
        weight = 0.75
        """,
    )
    found = channels(rigview, file, "--time", "0.5")
    np.testing.assert_allclose(found["intensity"], [[5]])
    assert found["visible"] == [[0]]


def test_curves_of_a_pointer(rigview, tmp_path):
    file = lamps(tmp_path)
    ran = rigview("curves", file, "--animation", "Blue", "--joint", COLOR, "-o", "-")
    assert (ran.code, ran.err) == (0, "")
    texts = [each.text for each in ET.fromstring(ran.out).iter("{http://www.w3.org/2000/svg}text")]
    assert f"{COLOR} in Blue" in texts
    assert "color" in texts
    ran = rigview("curves", file, "--joint", "Lamp", "-o", "-")
    assert "intensity" in ran.out  # what the joint carries is drawn with it


def test_info_lists_channels(rigview, tmp_path):
    file = lamps(tmp_path)
    ran = rigview("info", file)
    assert "Light: Bulb, point, 1 cd, up to 9 m, on Lamp" in ran.out.splitlines()
    assert f"Moves: {POWER}, by Red, Blue, Dim" in ran.out.splitlines()
    facts = json.loads(rigview("info", "--json", file).out)
    assert facts["lights"] == [
        {
            "name": "Bulb",
            "kind": "point",
            "joint": "Lamp",
            "color": [1, 1, 1],
            "intensity": 1.0,
            "range": 9.0,
        }
    ]
    assert facts["channels"][0] == {
        "pointer": COLOR,
        "width": 3,
        "kind": "linear",
        "clips": ["Red", "Blue", "Dim"],
    }
    assert facts["clips"][0]["paths"] == {"pointer": 3}
    b = animated_value_files.two_cameras()
    b.extension("KHR_materials_variants", variants=[{"name": "Day"}, {"name": "Night"}])
    ran = rigview("info", b.path(tmp_path, "film.glb"))
    lines = ran.out.splitlines()
    assert "Camera: Plan, orthographic, on Crane" in lines
    assert "Variants: Day, Night" in lines


def test_a_file_does_not_differ_from_itself(rigview, tmp_path):
    file = lamps(tmp_path)
    ran = rigview("diff", file, file)
    assert ran.code == 0
    assert rigview("check", file).code == 0


def test_changed_light_is_a_difference(rigview, tmp_path):
    b = animated_value_files.lit_floor(intensity=1)
    b.pointer((POWER, [0, 1], [1, 3]), name="Glow")
    one = b.path(tmp_path, "one.glb")
    b = animated_value_files.lit_floor(intensity=1)
    b.pointer((POWER, [0, 1], [1, 2]), name="Glow")
    ran = rigview("diff", one, b.path(tmp_path, "two.glb"))
    assert ran.code == 1
    assert "Glow" in ran.out


# Cameras


def film(folder):
    b = animated_value_files.two_cameras()
    return b.path(folder, "film.glb")


def high(path):
    with Image.open(path) as picture:
        rows = np.nonzero(np.asarray(picture.convert("RGBA"))[..., 3] > 127)[0]
    return rows.max() + 1 - rows.min()


PLAIN = ("--no-background", "--no-shadow", "--resolution", "64x64", "--samples", "1")


@pytest.mark.parametrize(
    ("camera", "rows"), [("Wide", 32), ("Dolly", 32), ("0", 32), ("Plan", 16), ("#1", 16)]
)
def test_a_picture_through_a_camera(rigview, tmp_path, camera, rows):
    target = tmp_path / "out.png"
    ran = rigview("render", film(tmp_path), "--camera", camera, *PLAIN, "-o", target)
    assert (ran.code, ran.err) == (0, "")
    assert high(target) == rows


def test_a_camera_moves_with_the_clip_in_a_sheet_and_a_sequence(rigview, tmp_path):
    options = ("--camera", "Wide", "--animation", "Back", *PLAIN)
    target = tmp_path / "sheet.png"
    assert rigview("sheet", film(tmp_path), *options, "--phase", "0,0.5", "-o", target).code == 0
    frames = tmp_path / "f####.png"
    command = ("--frames", "0..3", "--frame-rate", "4", "-o", frames)
    assert rigview("render", film(tmp_path), *options, *command).code == 0
    heights = [high(each) for each in sorted(tmp_path.glob("f0*.png"))]
    np.testing.assert_allclose(heights, [32 / (1 + k / 4) for k in range(len(heights))], atol=1)
    assert len(heights) >= 3


def test_difference_through_a_file_camera(rigview, tmp_path):
    target = tmp_path / "diff.png"
    one = film(tmp_path)
    ran = rigview("diff", one, one, "--camera", "Plan", "--resolution", "64x64", "-o", target)
    assert (ran.code, ran.err) == (0, "")
    assert target.exists()


@pytest.mark.parametrize(
    "placed",
    [
        ("--view", "front"),
        ("--camera-fov", "30"),
        ("--ortho",),
        ("--camera-target", "0,0,0"),
        ("--camera-azimuth", "0"),
    ],
)
def test_file_camera_keeps_its_position(rigview, tmp_path, placed):
    ran = rigview("render", film(tmp_path), "--camera", "Wide", *placed, "-o", tmp_path / "a.png")
    assert ran.code == 2
    assert f"--camera and {placed[0]} exclude each other" in ran.err


def test_unknown_camera_or_variant(rigview, tmp_path):
    target = tmp_path / "a.png"
    ran = rigview("render", film(tmp_path), "--camera", "Wid", "-o", target)
    assert ran.code == 2
    assert "no camera 'Wid'; did you mean 'Wide'?" in ran.err
    ran = rigview("render", film(tmp_path), "--variant", "Day", "-o", target)
    assert ran.code == 2
    assert "the file has no variants" in ran.err


def test_a_turntable_has_its_own_camera(rigview, tmp_path):
    ran = rigview("turntable", film(tmp_path), "--camera", "Wide", "-o", tmp_path / "a.gif")
    assert ran.code == 2
    assert "--camera" in ran.err


def test_a_motion_cuts_from_camera_to_camera(rigview, tmp_path):
    file = film(tmp_path)
    (tmp_path / "film.motion.toml").write_text(
        'version = 1\n[[layers]]\nname = "base"\nplay = "Back"\n'
        '[[at]]\ntime = 0.5\ncut = { camera = "Wide" }\n',
        encoding="utf-8",
    )
    heights = []
    for time in ("0.4", "0.5", "0.9"):
        target = tmp_path / "out.png"
        options = ("--time", time, "--at", "0.75:cut:Crane", "--camera", "Plan")
        assert rigview("render", file, *options, *PLAIN, "-o", target).code == 0
        heights.append(high(target))
    np.testing.assert_allclose(heights, [16, 32 / 1.5, 16], atol=1)
    ran = rigview("render", file, "--at", "1:cut:Crame", "-o", tmp_path / "out.png")
    assert ran.code != 0
    assert "Crame" in ran.err
    assert "Crane" in ran.err
