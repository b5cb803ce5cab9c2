"""What is drawn of a random document does not hang on how it is drawn."""

import pytest

from tests.fuzz.compare_pictures import Easel, check_mirror, check_ways


@pytest.fixture(scope="module")
def easel(gl_context):
    with gl_context:
        made = Easel(gl_context)
    yield made
    with gl_context:
        made.release()


@pytest.mark.usefixtures("gl")
@pytest.mark.parametrize("seed", range(3))
def test_the_same_scene_is_the_same_picture(easel, seed):
    check_ways(easel, seed)


@pytest.mark.usefixtures("gl")
@pytest.mark.parametrize("seed", range(3))
def test_a_mirror_shows_the_mirror_image(easel, seed):
    check_mirror(easel, seed)
