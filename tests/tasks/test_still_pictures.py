"""Pictures and other calls from Python: what they draw, and the errors of wrong arguments."""

from dataclasses import replace

import numpy as np
import pytest

import rigview
from rigview.animation.pose import Pose
from rigview.errors import AppError, GltfError, UsageError
from rigview.motion.document import MotionDoc
from rigview.tasks.still_pictures import render
from tests.support.clips import rest_pose
from tests.support.light_mannequin import light_mannequin
from tests.support.models import rod_model

SIZE = (48, 32)
SMALL = {"resolution": SIZE, "samples": 1}


@pytest.fixture
def hero(tmp_path):
    """A character with the clips Run, Walk and Wave."""
    path = tmp_path / "hero.glb"
    path.write_bytes(light_mannequin(frozenset({"Run", "Walk", "Wave"})))
    return path


def test_a_model_moves_with_time():
    first, second = (
        render(rod_model(), time=time, resolution=(96, 64), samples=1) for time in (0.0, 0.8)
    )
    assert first.shape == (64, 96, 4)
    assert (first != second).any()


def test_a_file_that_does_not_exist_is_an_error():
    assert rigview.render is render
    with pytest.raises(AppError):
        rigview.render("no such file.glb")


def test_unreadable_bytes():
    with pytest.raises(GltfError):
        render(b"not a model")


def test_a_clip_is_a_name_an_index_or_a_pattern(hero):
    model = rigview.load(hero)
    names = [clip.name for clip in model.clips]
    assert len(names) == 3
    pictures = [render(model, names[k], 0.2, **SMALL) for k in range(3)]
    assert len({picture.tobytes() for picture in pictures}) == 3
    for clip in (names.index("Walk"), np.int64(names.index("Walk")), "Wal*", "Walk"):
        found = render(hero, clip, 0.2, **SMALL)
        assert (found == pictures[names.index("Walk")]).all()
    assert (render(hero.read_bytes(), None, 0.2, **SMALL) == pictures[0]).all()
    rest = render(model, pose=model.skeleton.rest, **SMALL)
    assert rest.tobytes() not in {picture.tobytes() for picture in pictures}


def test_a_model_without_clips_is_drawn_at_rest():
    still = replace(rod_model(), clips=())
    assert render(still, **SMALL).shape == (32, 48, 4)
    with pytest.raises(UsageError, match="no animation '#0'; the file has no animations"):
        render(still, 0, **SMALL)


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
    "render": lambda hero, clip: render(hero, clip, **SMALL),
    "render a model": lambda hero, clip: render(rigview.load(hero), clip, **SMALL),
    "play_clip": lambda hero, clip: rigview.Character(rigview.load(hero)).play_clip(clip, 0.0),
}


@pytest.mark.parametrize("draw", DRAWS.values(), ids=DRAWS)
def test_a_clip_that_does_not_exist_is_an_error(hero, draw):
    for clip, message in CLIPS:
        with pytest.raises(UsageError) as caught:
            draw(hero, clip)
        assert message in str(caught.value)


WRONG = {
    "time": (lambda: render(rod_model(), time="soon"), "'soon' is not a number"),
    "times": (lambda: render(rod_model(), time=(0, 1)), "a picture shows one time, not 2"),
    "no number": (lambda: render(rod_model(), time=np.nan), "'nan' is not a finite number"),
    "one side": (lambda: render(rod_model(), resolution=64), "'64' is not a width and a height"),
    "no pixels": (lambda: render(rod_model(), resolution=(0, 64)), "0 is not from 1 to"),
    "half a pixel": (lambda: render(rod_model(), resolution=(1.5, 9)), "'1.5' is not a whole"),
    "samples": (lambda: render(rod_model(), samples=0), "0 is not from 1 to 64"),
    "no source": (lambda: render(None), "a path, bytes or a pygltflib.GLTF2 is read, not"),
    "one of several": (lambda: render(["a.glb", 3]), "is read, not int"),
    "a pose of a file": (
        lambda: render("a.glb", pose=rod_model().skeleton.rest),
        "a pose is drawn on one model; load(path) returns it",
    ),
    "a pose and a clip": (
        lambda: render(rod_model(), 0, pose=rod_model().skeleton.rest),
        "pose excludes clip and time",
    ),
    "another pose": (
        lambda: render(rod_model(), pose=rest_pose(99)),
        "the pose does not fit the model: <Pose 99 joints, 0 values>, not <Pose ",
    ),
    "poses of a crowd": (
        lambda: render(rod_model(), pose=Pose.like(rod_model().skeleton.rest, (2, 3))),
        "one pose is drawn, or poses [N], not (2, 3)",
    ),
    "load": (lambda: rigview.load(3), "a path, bytes or a pygltflib.GLTF2 is read, not int"),
    "motion": (lambda: rigview.read_motion(None), "None: "),
    "motion bound": (
        lambda: rigview.bind(rod_model(), 3),
        "not Model and int; load(path) and read_motion(path) return them",
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


def test_poses_of_ones_own_are_drawn(hero):
    model = rigview.load(hero)
    walk, times = model.clips["Walk"], [0.0, 0.3, 0.6]
    film = render(model, pose=walk.sample(times), **SMALL)
    assert film.shape == (3, 32, 48, 4)
    assert len({picture.tobytes() for picture in film}) == 3
    far = walk.sample(times)
    far.translation[:, model.skeleton.parents < 0, 0] += np.float32([[0], [1], [2]])
    assert (render(model, pose=far, **SMALL) == render(model, pose=far, fit="clip", **SMALL)).all()
    one = render(model, pose=walk.sample(0.3), **SMALL)
    assert one.shape == (32, 48, 4)
    again = render(model, pose=walk.sample([0.3]), **SMALL)
    assert (one == again[0]).all()


def test_models_are_drawn_side_by_side(hero):
    model = rigview.load(hero)
    both = render([model, hero], ["Walk", "Run"], [0.2, 0.4], **SMALL)
    assert (both == render([hero, hero], ["Walk", "Run"], [0.2, 0.4], **SMALL)).all()
