"""Which clips can follow one clip, against the matrix of all clips."""

from dataclasses import replace

import numpy as np
import pytest

from rigview.animation.clip import Clip
from rigview.model.clip_followers import ClipFollowers
from rigview.model.transition_continuity import transition_continuity
from tests.support.models import make_model, rod_model, square


@pytest.fixture
def model():
    """The rod with its clip, the clip backwards, and one that turns half as far."""
    model = rod_model()
    bend = model.clips[0]
    back = [replace(track, values=track.values[::-1].copy()) for track in bend.tracks]
    half = [replace(track, values=track.values[[0, 0]]) for track in bend.tracks]
    return replace(model, clips=(bend, Clip.of("Back", back), Clip.of("Still", half)))


def test_amounts_are_those_of_the_matrix(model):
    followers, matrix = ClipFollowers(model), transition_continuity(model)
    followers.work(99)
    for clip in range(3):
        found = followers.after(clip)
        assert [each.miss for each in found] == sorted(each.miss for each in found)
        for each in found:
            at = clip, each.clip
            assert each.metres == pytest.approx(matrix.place.amount[at], abs=1e-12)
            assert each.degrees == pytest.approx(matrix.angle.amount[at], abs=1e-9)
            assert each.joint == matrix.place.joint[at]
            assert each.joins == matrix.joined[at]
    assert [each.clip for each in followers.after(0) if each.joins] == [1]


def test_a_few_at_a_time(model):
    followers = ClipFollowers(model)
    for ready in (0, 2, 3, 3):
        assert followers.ready == ready
        assert bool(followers.after(0)) == followers.done == (ready == 3)
        followers.work(2)


def test_model_without_clips():
    followers = ClipFollowers(make_model([square()]))
    followers.work(4)
    assert followers.done
    assert np.isfinite(followers.ready)
