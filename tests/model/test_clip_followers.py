"""Which clips can follow one clip, against the matrix of all clips."""

from dataclasses import replace

import pytest

from rigview.animation.clip import Clip
from rigview.model import clip_followers
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


def test_a_few_at_a_time(model, monkeypatch):
    whole = ClipFollowers(model).after(0)
    monkeypatch.setattr(clip_followers, "PART", 2)
    steps = []
    assert ClipFollowers(model, steps.append).after(0) == whole
    assert steps == [2, 3]


def test_model_without_clips():
    steps = []
    ClipFollowers(make_model([square()]), steps.append)
    assert steps == []
