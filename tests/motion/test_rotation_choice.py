"""How rotations are blended is a layer's choice, in whatever it does (RULINGS M26, M37)."""

import pytest

from tests.motion.puppets import about, motion, puppet, shown, turn
from tests.motion.test_layers import SPINE, same_turn

ADDED = '[additives.lean]\nsource = "A"\nreference = { pose = "rest" }\n'
ADD = '[[layers]]\nname = "add"\nplay = "lean"\nmode = "add"\nweight = 0.25\n'
FADING = '[[layers]]\nname = "base"\nplay = "A"\n'
FADE = (
    '[[at]]\ntime = 0.0\nfade = { layer = "base", to = "B", seconds = 1.0, ease = "linear", '
    'kind = "smooth" }\n'
)


def model():
    """A turns the spine by 120 degrees within a second, and B not at all."""
    return puppet(turn("A", 1.0, 120), turn("B", 1.0, 0))


@pytest.mark.parametrize(("rotation", "exact"), [("slerp", True), ("nlerp", False)])
def test_of_an_additive(rotation, exact):
    puppet = model()
    text = f'{ADDED}{ADD}rotation = "{rotation}"\n'
    pose = shown(motion(puppet, text), puppet, 0.9)
    assert same_turn(pose.rotation[SPINE], about("z", 0.25 * 108)) == exact


@pytest.mark.parametrize(("rotation", "exact"), [("slerp", True), ("nlerp", False)])
def test_of_a_fade(rotation, exact):
    puppet = model()
    text = f'{FADING}rotation = "{rotation}"\n{FADE}'
    pose = shown(motion(puppet, text), puppet, 0.75)
    assert same_turn(pose.rotation[SPINE], about("z", 0.25 * 90)) == exact
