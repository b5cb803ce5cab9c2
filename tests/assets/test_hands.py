"""The bundled character's fingers, and the shield that is made for its forearm."""

import runpy
import sys

import numpy as np
import pytest

import rigview
from rigview.animation.skin import skin_points
from rigview.loading.load import load
from rigview.resources import asset_path
from tests.assets.clip_poses import joint_matrices

FINGERS = {"Pinky": 2, "Ring": 3, "Middle": 3, "Index": 3}  # the little finger leads
FRAME = 1.0 / 30.0  # seconds
SHIELD = asset_path("mannequin_shield.glb")


@pytest.fixture(scope="module")
def model():
    return load(asset_path("mannequin.glb"))


def bent(model, clip, times, side, finger):
    """Return how far [T] a finger's first bone is bent from its hand, degrees."""
    found = joint_matrices(model, model.clips[clip], times)
    hand, bone = (
        found[:, model.skeleton.find(f"{side}Hand{own}"), :3, 1] for own in ("", f"{finger}1")
    )
    return np.degrees(np.arccos((hand * bone).sum(axis=1).clip(-1.0, 1.0)))


def test_each_finger_has_a_chain(model):
    names = model.skeleton.names
    for side in ("Left", "Right"):
        for finger, count in (*FINGERS.items(), ("Thumb", 3)):
            chain = [f"{side}Hand{finger}{i + 1}" for i in range(count)]
            parents = [f"{side}Hand", *chain[:-1]]
            assert [names[model.skeleton.parents[names.index(own)]] for own in chain] == parents


@pytest.mark.parametrize(
    ("side", "start", "end"), [("Left", 0.75, 1.35), ("Left", 1.35, 1.8), ("Right", 1.65, 2.0)]
)
def test_fingers_follow_one_after_the_other(model, side, start, end):
    """Fidget closes and opens the left hand, and opens the right one: by one to two frames."""
    times = np.arange(start, end, 1.0 / 240.0)
    halfway = []
    for finger in FINGERS:
        angles = bent(model, "Fidget", times, side, finger)
        assert np.ptp(angles) > 10.0
        middle = 0.5 * (angles.min() + angles.max())
        halfway.append(times[np.abs(angles - middle).argmin()])
    assert np.all(np.diff(halfway) > 0.8 * FRAME)
    assert np.all(np.diff(halfway) < 2.2 * FRAME)


@pytest.mark.parametrize("clip", ["Stand", "Run", "AimCentre", "Prone"])
def test_fingers_close_round_the_grip(model, clip):
    """Every finger touches the cord of the hilt, and none passes through its middle."""
    found = joint_matrices(model, model.clips[clip], np.zeros(1))[0]
    body = model.meshes[model.instances[0].mesh].primitives[0]
    sword = model.meshes[model.instances[1].mesh].primitives[0].positions
    palette = model.skins[0].palette(found.astype(np.float32))
    points = skin_points(body.positions, body.joints, body.weights, palette)
    joints = np.array(model.skeleton.names)[model.skins[0].joints]
    owner = joints[body.joints[np.arange(len(body.joints)), body.weights.argmax(axis=1)]]
    held = found[model.skeleton.find("Prop")]
    way = held[:3, :3] @ sword[np.linalg.norm(sword, axis=1).argmax()]
    way /= np.linalg.norm(way)
    for finger in FINGERS:
        own = points[np.char.startswith(owner, f"RightHand{finger}")] - held[:3, 3]
        away = np.linalg.norm(own - (own @ way)[:, None] * way, axis=1).min()
        assert 0.003 < away < 0.018, (finger, away)


def test_shield_fits_the_forearm(model):
    shield = load(SHIELD)
    assert not shield.warnings
    assert SHIELD.stat().st_size < 100_000
    assert not rigview.check(SHIELD)
    (mesh,) = shield.meshes
    assert {primitive.normals is not None for primitive in mesh.primitives} == {True}
    points = np.concatenate([primitive.positions for primitive in mesh.primitives])
    assert 0.3 < np.ptp(points[:, 1]) < 0.5
    armed = rigview.attach(model, SHIELD, "LeftForeArm")
    assert len(armed.meshes) == len(model.meshes) + 1


def test_shield_is_made_again(tmp_path, monkeypatch):
    again = tmp_path / "again.glb"
    script = str(SHIELD.with_name("make_shield.py"))
    monkeypatch.setattr(sys, "argv", [script, str(again)])
    monkeypatch.syspath_prepend(str(SHIELD.parent))
    runpy.run_path(script, run_name="__main__")
    assert again.read_bytes() == SHIELD.read_bytes()
