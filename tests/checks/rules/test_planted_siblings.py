"""Planted faults of what is missing or unlike its siblings, at some places of sound characters."""

from functools import cache

import pytest

from rigview.checks.check_context import CheckContext
from rigview.checks.examine import examine
from rigview.checks.finding import severity_of_size
from rigview.checks.rule_settings import Settings
from rigview.loading.load import load
from tests.support.planted.siblings import CLASSES
from tests.support.shared import MODELS, needs_shared

FILES = {"Fox": MODELS / "Fox.glb", "CesiumMan": MODELS / "CesiumMan.glb"}
RULES = ("bind-outlier", "bone-differs", "track-*", "sides-*")
PLACES = 3
SILENT = 0.5


@cache
def sound(name):
    """A sound character."""
    return CheckContext(load(str(FILES[name])))


@needs_shared
@pytest.mark.parametrize("name", FILES)
def test_sound_characters_have_no_finding(name):
    assert not examine(sound(name), Settings(only=RULES))


@needs_shared
@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("fault", CLASSES, ids=[each.name for each in CLASSES])
def test_faults(fault, name):
    context = sound(name)
    for place in fault.places(context)[:PLACES]:
        for size in fault.sizes or (1.0,):
            found = examine(fault.plant(context, place, size), Settings(only=RULES))
            if size <= SILENT:
                assert not found
                continue
            assert found
            assert found[0].rule in fault.rules
            assert found[0].size
            if fault.sizes:
                assert severity_of_size(found[0].size, context.height) != "info"


@needs_shared
def test_places():
    """Each class has places in one of the characters."""
    for fault in CLASSES:
        assert any(len(fault.places(sound(name))) for name in FILES)


def test_bundled_character_has_no_finding():
    context = CheckContext(load("assets/mannequin.glb"))
    assert not examine(context, Settings(only=RULES))
