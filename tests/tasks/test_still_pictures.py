"""Pictures and other calls from Python: what they draw, and the errors of wrong arguments."""

from dataclasses import replace

import numpy as np
import pytest

import rigview
from rigview.errors import AppError, GltfError, UsageError
from rigview.motion.document import MotionDoc
from rigview.motion.read import parse_motion
from rigview.tasks.still_pictures import render_image, render_still
from tests.support.light_mannequin import light_mannequin
from tests.support.models import rod_model

SIZE = (48, 32)


@pytest.fixture
def hero(tmp_path):
    """A character with the clips Run, Walk and Wave."""
    path = tmp_path / "hero.glb"
    path.write_bytes(light_mannequin(frozenset({"Run", "Walk", "Wave"})))
    return path


def test_render_image_moves_with_time():
    first, second = (render_image(rod_model(), time=time, size=(96, 64)) for time in (0.0, 0.8))
    assert first.shape == (64, 96, 4)
    assert (first != second).any()


def test_render_image_is_the_public_one():
    assert rigview.render_image is render_image
    with pytest.raises(AppError):
        rigview.render_image("no such file.glb")


def test_unreadable_bytes():
    with pytest.raises(GltfError):
        render_image(b"not a model")


def test_a_clip_is_a_name_an_index_or_a_pattern(hero):
    model = rigview.load(hero)
    names = [clip.name for clip in model.clips]
    assert len(names) == 3
    pictures = [render_image(model, names[k], 0.2, SIZE) for k in range(3)]
    assert len({picture.tobytes() for picture in pictures}) == 3
    for clip in (names.index("Walk"), np.int64(names.index("Walk")), "Wal*", "Walk"):
        found = render_image(hero, clip, 0.2, SIZE)
        assert (found == pictures[names.index("Walk")]).all()
    assert (render_image(hero.read_bytes(), None, 0.2, SIZE) == pictures[0]).all()
    rest = render_image(model, -1, 0.2, SIZE)
    assert rest.tobytes() not in {picture.tobytes() for picture in pictures}


def test_a_model_without_clips_is_drawn_at_rest():
    still = replace(rod_model(), clips=())
    assert render_image(still, size=SIZE).shape == (32, 48, 4)
    with pytest.raises(UsageError, match="no animation '#0'; the file has no animations"):
        render_image(still, 0, size=SIZE)


CLIPS = [
    (999, "no animation '#999'; the file has the indices 0 to 2"),
    (np.int64(3), "no animation '#3'; the file has the indices 0 to 2"),
    (-5, "no animation '#-5'; the file has the indices 0 to 2"),
    ("Wlak", "no animation 'Wlak'; did you mean 'Walk'"),
    ("Swim*", "no animation 'Swim*'; the file has '"),
    (1.5, "a clip is a name, an index or a pattern, not 1.5"),
    (True, "a clip is a name, an index or a pattern, not True"),
]
DRAWS = {
    "render_still": lambda hero, clip: render_still(hero, clip, resolution=SIZE, samples=1),
    "render_image": lambda hero, clip: render_image(hero, clip, size=SIZE),
    "play_clip": lambda hero, clip: rigview.Character(rigview.load(hero)).play_clip(clip, 0.0),
}


@pytest.mark.parametrize("draw", DRAWS.values(), ids=DRAWS)
def test_a_clip_that_does_not_exist_is_an_error(hero, draw):
    for clip, message in CLIPS:
        with pytest.raises(UsageError) as caught:
            draw(hero, clip)
        assert message in str(caught.value)


WRONG = {
    "time": (lambda: render_image(rod_model(), time="soon"), "'soon' is not a number"),
    "times": (lambda: render_image(rod_model(), time=(0, 1)), "a picture shows one time, not 2"),
    "no number": (lambda: render_image(rod_model(), time=np.nan), "'nan' is not a finite number"),
    "one side": (lambda: render_image(rod_model(), size=64), "'64' is not a width and a height"),
    "no pixels": (lambda: render_image(rod_model(), size=(0, 64)), "0 is not from 1 to"),
    "half a pixel": (lambda: render_image(rod_model(), size=(1.5, 9)), "'1.5' is not a whole"),
    "samples": (lambda: render_image(rod_model(), samples=0), "0 is not from 1 to 64"),
    "no source": (lambda: render_image(None), "a path, bytes or a pygltflib.GLTF2 is read, not"),
    "a model": (lambda: render_still(rod_model()), "not by Model; render_image draws bytes and"),
    "bytes": (lambda: render_still(b"glTF"), "a file is named by its path, not by bytes"),
    "nothing": (lambda: render_still(None), "a file is named by its path, not by NoneType"),
    "one of several": (lambda: render_still(["a.glb", 3]), "not by int"),
    "load": (lambda: rigview.load(3), "a path, bytes or a pygltflib.GLTF2 is read, not int"),
    "motion": (lambda: rigview.read_motion(None), "None: "),
    "motion file": (
        lambda: rigview.bind(rod_model(), parse_motion("version = 1")),
        "not Model and MotionFile; load(path) and read_motion(path).document return them",
    ),
    "bind": (lambda: rigview.bind("hero.glb", MotionDoc()), "not str and MotionDoc"),
    "character": (lambda: rigview.Character("hero.glb"), "not str; load(path) returns one"),
}


@pytest.mark.parametrize(("call", "message"), WRONG.values(), ids=WRONG)
def test_a_wrong_argument_is_an_error_with_a_message(call, message):
    with pytest.raises(AppError) as caught:
        call()
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
