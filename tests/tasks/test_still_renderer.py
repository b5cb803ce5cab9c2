"""The renderer of still pictures is kept, resized, emptied and freed."""

from contextlib import nullcontext

import pytest

from rigview.tasks.still_pictures import StillRenderer


class Context(nullcontext):
    def release(self):
        assert self.enter_result.alive
        self.enter_result.alive = False


class Easel:
    """Stands for a painter: what is made, emptied and freed."""

    made = ()

    def __init__(self, *size):
        Easel.made += (self,)
        self.size, self.renderer, self.target = size, self, nullcontext()
        self.target.release = self.release = lambda: None
        self.context = Context(self)
        self.model = self.alive = True

    def resize(self, *size):
        self.size = size

    def unload(self):
        self.model = False


@pytest.fixture
def stills(monkeypatch):
    monkeypatch.setattr("rigview.rendering.offscreen.OffscreenRenderer", Easel)
    monkeypatch.setattr(Easel, "made", ())
    renderer = StillRenderer()
    yield renderer
    renderer.release()
    assert not any(each.alive for each in Easel.made)


def test_renderer_is_reused(stills):
    with stills.drawing((4, 4), 1) as first:
        assert first.model
    assert first.alive
    assert not first.model  # the next file has the room
    with stills.drawing((4, 4), 1) as second:
        assert second is first


@pytest.mark.parametrize(("size", "samples"), [((4, 8), 1), ((4, 4), 2)])
def test_another_size_resizes_it(stills, size, samples):
    with stills.drawing((4, 4), 1) as first:
        pass
    with stills.drawing(size, samples) as second:
        assert second is first
        assert second.size == (size, samples)


def test_renderer_that_is_not_kept_is_released(stills):
    with stills.drawing((4, 4), 1, keep=False) as first:
        assert first.alive
    assert not first.alive
    with stills.drawing((4, 4), 1) as second:
        assert second is not first


def test_failure_unloads_the_models(stills):
    with pytest.raises(KeyboardInterrupt), stills.drawing((4, 4), 1) as first:
        raise KeyboardInterrupt
    assert not first.model
