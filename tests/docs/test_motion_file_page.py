"""docs/motion-file.md: every example works on the bundled character, every key is in a table."""

import re
from dataclasses import MISSING

import numpy as np
import pytest

from rigview.loading.load import load
from rigview.motion.bind import bind
from rigview.motion.document import ACTIONS
from rigview.motion.read import parse_motion
from rigview.resources import asset_path
from tests.tools.motion_keys_page import BLOCKS, PAGE, filled

TEXT = PAGE.read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```toml\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def model():
    return load(asset_path("mannequin.glb"))


@pytest.mark.parametrize("text", EXAMPLES, ids=range(len(EXAMPLES)))
def test_example(text, model):
    mixer = bind(model, parse_motion(text, "example").document)
    poses, worlds = mixer.poses([0.2, 1.9], model.skeleton.rest)
    assert np.isfinite(poses.data).all()
    assert np.isfinite(worlds).all()
    still = "drive =" in text
    assert still or np.abs(poses.data[0] - poses.data[1]).max() > 1e-3


def test_tables_are_those_of_the_schema():
    assert filled(TEXT) == TEXT, "run python -m tests.tools.motion_keys_page"


def test_every_block_has_a_table():
    told = set(re.findall(r"<!-- keys: (\w+) -->", TEXT))
    described_in_words = {"still_clip", "still_pose", "nested"}
    assert told == set(BLOCKS) - described_in_words
    assert set(ACTIONS) <= told


@pytest.mark.parametrize("name", BLOCKS)
def test_required_keys_are_in_an_example(name):
    written = "\n".join(EXAMPLES)
    for key in BLOCKS[name].keys:
        if BLOCKS[name].default(key) is MISSING:
            assert re.search(rf"(?:^|[ {{\[.]){key.name}\b", written, re.MULTILINE), key.name
