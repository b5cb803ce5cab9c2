import pytest

from rigview.tasks import renderer_cache


class Easel:
    """Stands for a painter: what is made, emptied and freed."""

    made = ()

    def __init__(self, *_):
        Easel.made += (self,)
        self.renderer = self
        self.model = self.alive = True

    def unload(self):
        self.model = False

    def release(self):
        assert self.alive
        self.alive = False


@pytest.fixture(autouse=True)
def _no_opengl(monkeypatch):
    monkeypatch.setattr("rigview.rendering.offscreen.OffscreenRenderer", Easel)
    monkeypatch.setattr(Easel, "made", ())
    yield
    renderer_cache.clear()
    assert not any(each.alive for each in Easel.made)


def test_cached_renderer_is_reused():
    with renderer_cache.cached_renderer((4, 4), 1, keep=True) as first:
        pass
    assert first.alive
    assert not first.model  # the next file has the room
    with renderer_cache.cached_renderer((4, 4), 1, keep=True) as second:
        assert second is first


def test_nested_use_creates_two_renderers():
    with (
        renderer_cache.cached_renderer((4, 4), 1, keep=True) as first,
        renderer_cache.cached_renderer((4, 4), 1, keep=True) as two,
    ):
        assert first is not two
    assert [first.alive, two.alive] == [True, False]


@pytest.mark.parametrize(("size", "samples"), [((4, 8), 1), ((4, 4), 2)])
def test_another_size_creates_another_renderer(size, samples):
    with renderer_cache.cached_renderer((4, 4), 1, keep=True) as first:
        pass
    with renderer_cache.cached_renderer(size, samples, keep=True) as second:
        assert not first.alive
        assert second is not first


def test_uncached_renderer_is_released():
    with renderer_cache.cached_renderer((4, 4), 1, keep=False) as first:
        assert first.alive
    assert not first.alive


def test_failed_renderer_is_not_reused():
    with (
        pytest.raises(KeyboardInterrupt),
        renderer_cache.cached_renderer((4, 4), 1, keep=True) as first,
    ):
        raise KeyboardInterrupt
    assert not first.alive
