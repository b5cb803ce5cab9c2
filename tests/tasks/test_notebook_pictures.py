"""What notebooks show of a model, a clip and a pose."""

import gc
import io

import numpy as np
import pytest
from PIL import Image

from rigview.animation.pose import Pose
from rigview.errors import ContextError
from rigview.loading.load import load
from rigview.model.model import model_of
from rigview.tasks import notebook_pictures
from rigview.tasks.notebook_pictures import EACH, MOST, ONE
from rigview.tasks.still_pictures import render


@pytest.fixture
def model(model_file):
    return load(model_file)


def pixels(shown):
    data = shown._repr_png_()
    assert data is not None
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGBA"))


def test_models_and_poses_are_one_picture(model):
    assert np.array_equal(pixels(model), render(model, resolution=ONE))
    pose = model.clips["Turn"].sample(1.0)
    assert np.array_equal(pixels(pose), render(model, pose=pose, resolution=ONE))
    assert np.array_equal(pixels(pose.copy()), pixels(pose))
    assert not np.array_equal(pixels(model.skeleton.rest), pixels(pose))


def test_clips_and_several_poses_are_strips(model):
    turn = model.clips["Turn"]
    strip = pixels(turn)
    assert strip.shape == (EACH[1], MOST * EACH[0], 4)
    poses = turn.sample(np.linspace(turn.start, turn.end, MOST))
    film = render(model, pose=poses, resolution=EACH)
    assert np.array_equal(strip, np.concatenate(film, axis=1))
    assert np.array_equal(pixels(poses), strip)
    assert pixels(turn.sample(np.zeros((2, 2)))).shape == (EACH[1], 4 * EACH[0], 4)
    assert np.array_equal(pixels(turn.renamed("Other")), strip)


def test_what_cannot_be_drawn_has_no_picture(model, monkeypatch):
    pose = model.clips["Turn"].sample(0.0)
    assert Pose.over(pose.data, pose.count)._repr_png_() is None  # of no rest pose
    assert model.clips["Turn"].sample(np.zeros(0))._repr_png_() is None

    def refuse(*_, **__):
        raise ContextError("no OpenGL 3.3 context")

    monkeypatch.setattr(notebook_pictures, "render", refuse)
    for shown in (model, pose, model.clips["Turn"]):
        assert shown._repr_png_() is None


def test_a_model_is_found_while_one_with_its_rest_pose_is_left(model):
    rest = model.skeleton.rest
    more = model.with_clips([])
    assert model_of(rest) is more
    del more
    gc.collect()
    assert model_of(rest) is model
    assert model_of(rest.copy()) is None
    clip = load(model.path).clips["Turn"]
    gc.collect()
    assert clip._repr_png_() is None
