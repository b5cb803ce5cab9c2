"""Random documents are drawn equally by equivalent scenes."""

import pytest

from tests.fuzz.compare_pictures import SharedRenderer, check_mirror, check_repetitions


@pytest.fixture(scope="module")
def drawing(gl_context):
    with gl_context:
        made = SharedRenderer(gl_context)
    yield made
    with gl_context:
        made.release()


@pytest.mark.usefixtures("gl")
@pytest.mark.parametrize("seed", range(3))
def test_equivalent_scenes_have_the_same_picture(drawing, seed):
    check_repetitions(drawing, seed)


@pytest.mark.usefixtures("gl")
@pytest.mark.parametrize("seed", range(3))
def test_a_mirrored_scene_has_the_mirrored_picture(drawing, seed):
    check_mirror(drawing, seed)
