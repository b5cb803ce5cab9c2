"""No false alarm: what is sound has no findings."""

import pytest

from app.check.examine import examine
from app.check.settings import Settings
from app.check.subject import Subject
from app.files import load_document
from tests.check.figures import subject
from tests.check.test_rules import STATIC
from tests.shared import MODELS, needs_shared

ALL = Settings(only=tuple(each.id for family in STATIC for each in family.RULES))


def test_figure():
    assert examine(subject()()) == []


def test_mannequin():
    assert examine(Subject(*load_document("assets/mannequin.glb")), ALL) == []


@needs_shared
@pytest.mark.parametrize("name", ["robot.glb", "Woman.gltf", "Fox.glb", "CesiumMan.glb"])
def test_no_error(name):
    found = examine(Subject(*load_document(str(MODELS / name))), ALL)
    assert not [each for each in found if each.severity == "error"]
