"""Every pointer that is read moves what it names, and nothing else."""

from dataclasses import asdict

import numpy as np
import pytest

from rigview.model.pointer_values import PointerValues
from tests.fuzz.animated_file import animated_file


@pytest.fixture(scope="module")
def model():
    return animated_file().load()


def state(model, values):
    """Everything that is not a joint, as plain values by place."""
    moving = PointerValues(model)
    found = {("hidden",): moving.hidden(values)}
    for kind, things in (
        ("material", [moving.material(m, values) for m in range(len(model.materials))]),
        ("light", [moving.light(each, values) for each in model.lights]),
        ("camera", [moving.camera(each, values) for each in model.cameras]),
    ):
        for number, thing in enumerate(things):
            found |= {(kind, number, *path): leaf for path, leaf in leaves(asdict(thing))}
    return found


def leaves(value, path=()):
    if isinstance(value, dict):
        for key, part in value.items():
            yield from leaves(part, (*path, key))
    else:
        yield path, value


def test_there_is_a_channel_for_each_kind(model):
    pointers = [each.pointer for each in model.channels]
    assert len(set(pointers)) == len(pointers) > 80
    assert model.warnings == []


def test_each_pointer_moves_one_thing(model):
    rest = model.skeleton.rest.values
    before, moved = state(model, rest), set()
    for channel in model.channels:
        if channel.is_weights:
            continue
        values = rest.copy()
        values[channel.slice] = np.where(rest[channel.slice] > 0.5, 0.25, 0.75)
        if channel.pointer.endswith(("/ior", "/iridescenceIor")):
            values[channel.slice] = 1.25
        after = state(model, values)
        changed = {key for key in before if before[key] != after[key]}
        assert len(changed) == 1, (channel.pointer, changed)
        (place,) = changed
        if place == ("hidden",):  # one node, and what hangs below it
            assert channel.joint in after[place] - before[place]
            continue
        assert place not in moved, channel.pointer
        moved.add(place)
        np.testing.assert_allclose(np.ravel(after[place])[: channel.width], values[channel.slice])
    assert sum(place[0] == "material" for place in moved) > 40
