"""Layers that start at a random phase, speed and content, by a seed."""

from dataclasses import replace

import numpy as np
import pytest

from rigview.errors import MotionError
from rigview.loading.load import load
from rigview.motion.bind import bind
from rigview.motion.random_start import drawn, with_random_starts
from rigview.motion.read import parse_motion
from rigview.motion.write import write_motion
from rigview.resources import asset_path

HEAD = """version = 1
[additives.Breath]
source = "Breathe"
[additives.Glance]
source = "Nod"
[[layers]]
name = "base"
play = "Walk"
"""


@pytest.fixture(scope="module")
def model():
    return load(asset_path("mannequin.glb"))


def noise(random, play='play = "Breath"'):
    return parse_motion(HEAD + f'[[layers]]\nname = "noise"\n{play}\nrandom = {random}\n').document


def rotations(model, document, times):
    mixer, pose = bind(model, document), model.skeleton.rest.copy()
    found = []
    for time in times:
        mixer.update(time)
        mixer.sample(pose)
        found.append(pose.rotation.copy())
    return np.array(found)


def test_the_same_seed_draws_the_same():
    one, same, other = (with_random_starts(noise(f"{{ seed = {k} }}")) for k in (3, 3, 4))
    assert one == same
    assert one.layers[1].phase != other.layers[1].phase
    assert one.layers[1].phase == drawn("noise", 3)[0]
    assert one.layers[1].speed == 1.0
    assert drawn("noise", 3) != drawn("breath", 3), "two layers are out of step"


def test_drawn_values_cover_their_ranges():
    values = np.array([drawn("noise", seed) for seed in range(400)])
    assert np.allclose(values.mean(axis=0), 0.5, atol=0.05)
    assert (values.min(axis=0) < 0.02).all()
    assert (values.max(axis=0) > 0.98).all()
    document = noise('{ speed = [0.8, 1.2], choice = ["Breath", "Glance"] }')
    plays, speeds = set(), []
    for seed in range(40):
        layer = document.layers[1]
        layer = replace(layer, random=replace(layer.random, seed=seed))
        started = with_random_starts(replace(document, layers=(layer,))).layers[0]
        plays.add(started.play)
        speeds.append(started.speed)
    assert plays == {"Breath", "Glance"}
    assert 0.8 <= min(speeds) < 0.85
    assert 1.15 < max(speeds) <= 1.2


def test_a_layer_plays_as_with_the_values_written(model):
    phase, speed, choice = drawn("noise", 7)
    play = ("Breath", "Glance")[int(choice * 2)]
    written = parse_motion(
        HEAD
        + f'[[layers]]\nname = "noise"\nplay = "{play}"\nphase = {phase!r}\n'
        + f"speed = {0.8 + 0.4 * speed!r}\n"
    ).document
    random = noise('{ seed = 7, speed = [0.8, 1.2], choice = ["Breath", "Glance"] }')
    times = (0.0, 0.4, 1.3, 2.9)
    assert np.array_equal(rotations(model, random, times), rotations(model, written, times))
    still = rotations(model, parse_motion(HEAD).document, times)
    assert not np.allclose(rotations(model, random, times), still, atol=1e-4)


def test_file_keeps_the_seed():
    document = noise("{ seed = 7, phase = false, speed = [0.5, 2] }")
    text = write_motion(parse_motion("version = 1\n"), document)
    assert parse_motion(text).document == document
    assert "seed = 7" in text


@pytest.mark.parametrize(
    ("random", "play", "message"),
    [
        ('{ choice = ["Walk"] }', 'play = "Breath"', "is no additive"),
        ('{ choice = ["Breath"] }', 'play = "Walk"', "is an additive"),
        ("{ }", 'play = "Walk"\ntime = "t"', "a parameter"),
        ("{ speed = [1, 2] }", 'play = "Walk"\nspeed = "t"', "the speed is the parameter"),
        ("{ speed = [2, 1] }", 'play = "Walk"', "must be above the start"),
        ("{ seed = -1 }", 'play = "Walk"', "must be from 0"),
    ],
)
def test_what_cannot_be_drawn(random, play, message):
    text = f'[parameters]\nt = 0\n[[layers]]\nname = "noise"\n{play}\nrandom = {random}\n'
    text = text.replace("t = 0", "t = {}")
    with pytest.raises(MotionError, match=message):
        parse_motion(HEAD.replace('[[layers]]\nname = "base"\nplay = "Walk"\n', "") + text)


def test_unknown_choice(model):
    document = noise('{ choice = ["Wolk"] }', 'play = "Walk"')
    with pytest.raises(MotionError, match="Walk") as caught:
        bind(model, document)
    assert caught.value.path == ("layers", 1, "random", "choice", 0)
