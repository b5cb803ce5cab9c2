"""Models and their parts have short texts, as in a notebook, a debugger or a failing test."""

import pickle

import numpy as np
import pytest

from rigview.animation.pose import Pose
from rigview.blending.mask import Mask
from rigview.errors import UsageError
from rigview.loading.load import load
from rigview.model.named_clips import Clips
from tests.support.light_mannequin import light_mannequin
from tests.support.models import rod_model

LONGEST = 200


def mannequin():
    return load(light_mannequin(frozenset({"Walk", "Run", "Breathe"})))


def parts(model):
    """A model and what it consists of."""
    skeleton = model.skeleton
    yield model
    yield from model.clips
    yield from (track for clip in model.clips for track in clip.tracks)
    yield from (skeleton, skeleton.rest, Pose.like(skeleton.rest, (2, 31)))
    yield from (*model.skins, *model.meshes, *model.images)
    yield from (part for mesh in model.meshes for part in mesh.primitives)
    yield from (part.morph for mesh in model.meshes for part in mesh.primitives)
    yield Mask(np.eye(1, skeleton.count)[0], np.zeros(2))


@pytest.mark.parametrize("make", [rod_model, mannequin])
def test_texts_are_short(make):
    texts = [repr(part) for part in parts(make())]
    assert max(map(len, texts)) <= LONGEST
    assert not any("\n" in text for text in texts)


def test_texts_say_what_a_thing_is():
    model = mannequin()
    walk = model.clips["Walk"]
    joints = model.skeleton.count
    assert repr(walk).startswith("<Clip 'Walk' ")
    assert f"{len(walk.tracks)} tracks, {len(walk.joints)} joints" in repr(walk)
    assert repr(Pose.like(model.skeleton.rest, (31,))).endswith(" values, batch (31,)>")
    assert f"{len(model.clips)} clips, {joints} joints" in repr(model)
    assert (
        repr(Mask(np.eye(1, joints)[0], np.zeros(0))) == f"<Mask 1 of {joints} joints, local space>"
    )


def test_clips_are_found_by_name_pattern_and_index():
    clips = mannequin().clips
    walk = clips.names.index("Walk")
    assert clips["Walk"] is clips[walk] is clips[f"#{walk}"] is clips[np.intp(walk)]
    assert clips["Wal?"] is clips["Walk"]
    assert isinstance(clips[1:3], tuple)
    assert "Walk" in clips
    assert clips["Walk"] in clips
    assert "Wal?" not in clips
    assert list(clips) == [clips[k] for k in range(len(clips))]
    with pytest.raises(UsageError, match=r"no animation 'Wlak'; did you mean .*'Walk'"):
        clips["Wlak"]
    with pytest.raises(IndexError):
        clips[len(clips)]


def test_clips_of_other_files_are_found_by_file_and_name():
    clips = mannequin().clips
    named = Clips(clips[:2], {"run:Jog": 1})
    assert named["run:Jog"] is clips[1]
    copied = pickle.loads(pickle.dumps(Clips((), {"run:Jog": 1})))
    assert (type(copied), copied.aliases) == (Clips, {"run:Jog": 1})
