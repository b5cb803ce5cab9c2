"""The bundled character's motion file: no warnings, no foot sliding, events at contacts."""

from itertools import pairwise

import numpy as np
import pytest

from rigview.loading.load import load
from rigview.motion.bind import bind
from rigview.motion.read import read_motion
from rigview.motion.set_and_at import parse_set, with_settings
from rigview.resources import asset_path


@pytest.fixture(scope="module")
def model():
    return load(asset_path("mannequin.glb"))


@pytest.fixture(scope="module")
def document():
    return read_motion(asset_path("mannequin.motion.toml")).document


def toes(model, mixer, taus):
    """Return the positions [T, 2, 3] of the left and right toes, world space."""
    pose, worlds = mixer.poses(taus, model.skeleton.rest)
    joints = [model.skeleton.names.index(name) for name in ("LeftToeBase", "RightToeBase")]
    return (worlds[:, None] @ model.skeleton.to_model(pose)[:, joints])[..., :3, 3]


def test_it_binds_without_a_warning_and_walks(model, document):
    mixer = bind(model, document, advise=True)
    assert mixer.warnings == ()
    pose, walk = model.skeleton.rest.copy(), model.skeleton.rest.copy()
    mixer.seek(0.3)
    mixer.sample(pose)
    next(clip for clip in model.clips if clip.name == "Walk").sample(0.3, walk)
    np.testing.assert_allclose(pose.rotation, walk.rotation, atol=2e-6)
    hips = model.skeleton.names.index("Hips")
    moved = mixer.world @ model.skeleton.to_model(pose)
    way = moved[hips, 2, 3] - model.skeleton.to_model(walk)[hips, 2, 3]
    assert way == pytest.approx(0.3 * 1.4, abs=1e-4)


def test_it_keeps_walking(model, document):
    mixer = bind(model, document)
    mixer.seek(10.0)
    np.testing.assert_allclose(mixer.world[:3, 3], (0, 0, 14), atol=1e-3)


@pytest.mark.parametrize("speed", [1.4, 4.0])
def test_feet_do_not_slide(model, document, speed):
    mixer = bind(model, with_settings(document, [parse_set(f"speed={speed}")]))
    taus = np.arange(0, 1.5, 1 / 120)
    places = toes(model, mixer, taus)
    for foot in (0, 1):
        height = places[:, foot, 1]
        carries = height < height.min() + 0.004
        velocity = np.gradient(places[:, foot, 2], taus)[carries]
        assert abs(velocity.mean()) < 0.02 * speed
        assert velocity.std() < 0.06


@pytest.mark.parametrize("speed", [1.0, 1.4, 2.7, 4.0])
def test_events_fire_at_foot_contacts(model, document, speed):
    mixer = bind(model, with_settings(document, [parse_set(f"speed={speed}")]))
    fired = [event for event in mixer.events(0.0, 2.0) if event.layer == "base"]
    assert len(fired) >= 3
    for event, after in pairwise(fired):
        assert event.name != after.name
    ankles = [model.skeleton.names.index(name) for name in ("LeftFoot", "RightFoot")]
    for event in fired:
        pose, _ = mixer.poses([event.tau], model.skeleton.rest)
        places = model.skeleton.to_model(pose)[0, ankles][..., :3, 3]
        foot = 0 if event.name == "foot_left" else 1
        assert places[foot, 2] > places[1 - foot, 2]  # the one in front
        assert places[foot, 1] < places[1 - foot, 1]  # and the lower one


WAITING = ["turn", "strafe", "aim", "wave", "glance", "look"]


@pytest.mark.parametrize("layer", WAITING)
def test_every_layer_has_an_effect(model, document, layer):
    sets = ["turn=30", "direction=90", "look_at=[2,1,1]", "look_yaw=40"]
    plain, turned = (
        bind(model, with_settings(document, [*map(parse_set, given)]))
        .poses([0.9], model.skeleton.rest)[0]
        .data
        for given in (sets, [*sets, f"{layer}.weight=1"])
    )
    assert np.abs(plain - turned).max() > 0.01


@pytest.mark.parametrize(("kind", "layer"), [("aim", "aim"), ("look", "glance")])
@pytest.mark.parametrize("yaw", [-30.0, 0.0, 30.0])
@pytest.mark.parametrize("pitch", [-20.0, 0.0, 20.0])
def test_head_turns_between_nine_directions(model, document, kind, layer, yaw, pitch):
    """The head turns by the given angles of aiming and looking, as far as it takes part in them."""

    def head(left, up):
        sets = ["speed=0", f"{layer}.weight=1", f"{kind}_yaw={left}", f"{kind}_pitch={up}"]
        mixer = bind(model, with_settings(document, [*map(parse_set, sets)]))
        pose, _ = mixer.poses([0.0], model.skeleton.rest)
        ahead = model.skeleton.to_model(pose)[0, model.skeleton.find("Head"), :3, 2]
        return np.degrees((np.arctan2(ahead[0], ahead[2]), np.arcsin(ahead[1])))

    turned = head(yaw, pitch) - head(0.0, 0.0)
    share = (0.46, 0.45) if kind == "aim" else (0.82, 0.72)  # the mask gives aiming half a head
    assert turned == pytest.approx((share[0] * yaw, share[1] * pitch), abs=4.0)
