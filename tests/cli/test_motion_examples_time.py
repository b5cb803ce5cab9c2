"""Synced clips, events, driven clips, aim, IK and root motion of the motion examples, by `rigview
pose` and `rigview events`, compared with computed values."""

import json
import re
from itertools import pairwise

import numpy as np
import pytest
from PIL import Image

from rigview.cli.main import main
from rigview.images.contact_sheet import Layout
from rigview.options.parser import parse
from tests.support import mannequin_variants
from tests.support.blend_formulas import (
    assert_close,
    degrees_apart,
    degrees_between,
    lerp,
    nlerp,
    phase,
    rotations,
    unit,
)
from tests.support.motion_examples import (
    EXAMPLES,
    MANNEQUIN,
    clip_pose,
    example,
    joint_positions,
    node_indices,
)
from tests.tools.draw_motion_examples import comment_and_commands, files

ARM = ("LeftArm", "LeftForeArm", "LeftHandLocator")


def events(capfd, name, interval):
    capfd.readouterr()
    file = EXAMPLES / f"{name}.motion.toml"
    asked = ("--motion", str(file), "--time", interval, "--json", "--quiet")
    assert main(["events", str(MANNEQUIN), *asked]) == 0
    found = json.loads(capfd.readouterr().out)
    return found["events"] if isinstance(found, dict) else found


def test_synced_clips_stay_in_phase(capfd):
    def rate(tau):
        w = min(tau / 2, 1)
        return 1 / ((1 - w) * 1.0 + w * 0.7)

    taus = [0.5, 1.1, 1.9, 2.6]
    for pose, tau in zip(example("synced-clips", taus)["node_local"], taus, strict=True):
        u = phase(rate, tau)
        assert_close(
            pose, lerp(clip_pose("Walk", u), clip_pose("Run", 0.7 * u), min(tau / 2, 1)), 2e-3
        )
    fired = events(capfd, "synced-clips", "0..2.7")
    assert [event["name"] for event in fired] == ["left", "right"] * (len(fired) // 2) + ["left"]
    assert len(fired) == 7
    whole = [phase(rate, event["time"]) for event in fired]
    np.testing.assert_allclose(whole, 0.25 + 0.5 * np.arange(7), atol=1e-3)
    arrays = example("synced-clips", [event["time"] for event in fired])
    feet = [joint_positions(arrays, joint) for joint in ("LeftFoot", "RightFoot")]
    for k, event in enumerate(fired):
        one, other = feet if event["name"] == "left" else feet[::-1]
        assert one[k, 1] < other[k, 1]  # the foot that comes down is lower
        assert one[k, 2] > other[k, 2]  # and in front


def test_events_are_in_playback_order(capfd):
    fired = events(capfd, "events", "0..2.5")
    assert [event["name"] for event in fired] == [
        "begins", "left", "right", "ends", "begins", "left", "right", "ends", "begins", "left",
    ]  # fmt: skip
    expected = [0, 0.25, 0.75, 1, 1, 1.25, 1.75, 2, 2, 2.25]
    np.testing.assert_allclose([event["time"] for event in fired], expected, atol=1e-9)
    assert [event["pass"] for event in fired] == [0, 0, 0, 0, 1, 1, 1, 1, 2, 2]


def test_driven_clip_follows_its_parameter(tmp_path):
    sides = mannequin_variants.write_three_keys(tmp_path / "sides.glb")
    taus = [0, 0.5, 1, 1.5, 2, 2.5]
    found = example("driven-clip", taus, "--anims", sides)["node_local"]
    left, centre, right = (
        rotations(clip_pose(f"Aim{way}", 0)) for way in ("Left", "Centre", "Right")
    )
    halves = nlerp(left, centre, 0.5), nlerp(centre, right, 0.5)
    expected = [left, halves[0], centre, halves[1], right, right]
    for pose, one in zip(found, expected, strict=True):
        assert degrees_apart(rotations(pose), one).max() < 0.02


def forward(arrays):
    return arrays["node_global"][:, node_indices()["Head"], :3, 2]


def test_aim_reaches_its_target_within_limit_and_speed():
    taus = np.array([0, 0.5, 1.0, 2.8, 2.99])
    arrays = example("aim", taus)
    plain = forward(example("aim", taus, "--set", "look.weight=0"))
    targets = np.array([[0, 1.6, 2], [2, 1.6, 2], [2, 2.1, 1.3], [2, 1.6, -2], [2, 1.6, -2]])
    way = targets - joint_positions(arrays, "Head")
    assert (
        degrees_between(forward(arrays), way)[1:3].max() < 0.05
    )  # relative to its direction without the layer
    np.testing.assert_allclose(degrees_between(forward(arrays), plain)[3:], 80, atol=0.05)
    beside = np.cross(plain, unit(way))
    assert (
        np.abs(np.sum(unit(beside) * forward(arrays), -1))[3:].max() < 2e-3
    )  # the nearest direction
    assert degrees_between(forward(arrays), way)[3:].max() < 180 - 80
    shoulders = degrees_between(
        joint_positions(arrays, "LeftArm") - joint_positions(arrays, "RightArm"), [1, 0, 0]
    )
    assert 5 < shoulders[4] < 30  # the spine turns by a fifth of the remaining angle
    back = example("aim", [3, 3.1, 3.2, 3.5])
    gone = degrees_between(forward(back), forward(back)[:1])
    np.testing.assert_allclose(gone[1:3], [24, 48], atol=0.5)  # 240 degrees a second
    assert degrees_between(forward(back), [0, 1.6, 2] - joint_positions(back, "Head"))[3] < 0.05


def test_two_bone_ik_reaches_its_target():
    corners = np.array([[0.15, 1.1], [0.45, 1.1], [0.45, 1.6], [0.15, 1.6], [0.15, 1.1]])
    taus = np.arange(9) / 4
    arrays = example("two-bone-ik", [*taus, 3.0, 3.5])
    hand = joint_positions(arrays, ARM[2])
    ways = np.stack([np.interp(taus, np.arange(5) / 2, corners[:, k]) for k in (0, 1)], axis=-1)
    targets = np.column_stack([ways, np.full(9, 0.4)])
    np.testing.assert_allclose(hand[:9], targets, atol=2e-5)
    upper, elbow = (joint_positions(arrays, joint) for joint in ARM[:2])
    line = unit(hand - upper)
    aside = (elbow - upper) - np.sum((elbow - upper) * line, -1, keepdims=True) * line
    pole = np.array([1, -1, -0.5])
    flat = pole - np.sum(pole * line, -1, keepdims=True) * line
    assert degrees_between(aside[:9], flat[:9]).max() < 0.2  # the elbow points to the pole
    assert (
        degrees_between(elbow[9:] - upper[9:], hand[9:] - elbow[9:]).max() < 1
    )  # out of reach: stretched
    assert degrees_between(hand[9:] - upper[9:], [1.2, 1.8, 0.6] - upper[9:]).max() < 0.05


def test_root_motion_moves_the_character():
    still = example("root-motion", [0, 0.25, 0.5, 1.2, 1.7, 2.7])
    assert still["root_speed"][[2, 5]] == pytest.approx(
        [1.4, 4.0], rel=0.25
    )  # the speed varies a little
    way = joint_positions(still, "Root")
    np.testing.assert_allclose(way[:3, 2], [0, 0.35, 0.7], atol=8e-3)  # hips sway
    np.testing.assert_allclose(np.diff(way[3:, 2]), [2.0, 4.0], atol=2e-2)
    np.testing.assert_allclose(way[:, :2], 0, atol=1e-6)
    taus = np.arange(0, 0.5, 1 / 60)
    toes = (
        joint_positions(example("root-motion", taus), "LeftToeBase"),
        joint_positions(example("root-motion", taus), "RightToeBase"),
    )
    for toe in toes:
        stands = toe[:, 1] < toe[:, 1].min() + 0.004
        runs = np.flatnonzero(np.diff(np.flatnonzero(stands)) > 1)
        for one in np.split(toe[stands], runs + 1):
            if len(one) > 3:
                assert np.ptp(one[:, 2]) < 0.02  # metres while a foot stands


NAMES = [path.name.removesuffix(".motion.toml") for path in files()]


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    folder = tmp_path_factory.mktemp("examples")
    mannequin_variants.write_three_keys(folder / "sides.glb")
    return mannequin_variants.write_untextured(folder / "plain.glb")


@pytest.mark.parametrize("name", [name for name in NAMES if not name.startswith("retarget")])
def test_example_is_drawn(name, plain, tmp_path, monkeypatch):
    """Run the first command of the file at a small size, at its first two times."""
    words, commands = comment_and_commands(EXAMPLES / f"{name}.motion.toml")
    assert re.sub(r"\W+", " ", words[0].lower()).startswith(name.replace("-", " "))
    asked = next(command for command in commands if command[0] == "sheet")[1:]
    asked = [str(plain.with_name("sides.glb")) if "sides.glb" in word else word for word in asked]
    at = asked.index("--time") + 1
    times = asked[at].split(",")
    asked[at] = f"{times[0]},{times[1]}"
    monkeypatch.chdir(EXAMPLES.parents[1])
    small = ("--resolution", "64,64", "--samples", "1", "--no-grid", "--quiet", "-o")
    assert main(["sheet", str(plain), *asked, *small, str(tmp_path / "sheet.png")]) == 0
    first, second = cells(tmp_path / "sheet.png", 2)
    assert np.ptp(first, axis=(0, 1)).max() > 60  # something is visible
    assert (np.abs(first - second).max(axis=-1) > 30).sum() > 5  # and moves
    if name in ("cross-fade-smooth", "pivot", "root-motion"):
        asked[at] = times[0]
        asked += ["--fit", "clip"]  # as in a sheet
        assert main(["render", str(plain), *asked, *small, str(tmp_path / "one.png")]) == 0
        np.testing.assert_allclose(cells(tmp_path / "one.png", 1)[0], first, atol=1)


def cells(path, count):
    """The pictures [64, 64, 3] of a sheet, or a single picture."""
    whole = np.asarray(Image.open(path).convert("RGB"), np.float64)
    if count == 1:
        return [whole]
    layout = Layout((64, 64), 1, count)
    top = layout.head + layout.line
    return [whole[top : top + 64, x : x + 64] for x in map(layout.column, range(count))]


def test_commands_of_comments_are_valid():
    for path, name in zip(files(), NAMES, strict=True):
        for command in comment_and_commands(path)[1]:
            output = [] if command[0] == "events" else ["-o", "x.png"]
            options = parse(command[0], [*command[1:], *output])
            assert options.shown.motion.file or name.startswith("retarget")
    assert len(NAMES) == len(set(NAMES)) >= 20
    assert all(a != b for a, b in pairwise(NAMES))
