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
    monkeypatch.setattr("rigview.render.offscreen.OffscreenRenderer", Easel)
    monkeypatch.setattr(Easel, "made", ())
    yield
    renderer_cache.clear()
    assert not any(each.alive for each in Easel.made)


def test_a_kept_painter_is_lent_again():
    with renderer_cache.cached_renderer((4, 4), 1, keep=True) as first:
        pass
    assert first.alive
    assert not first.model  # the next file has the room
    with renderer_cache.cached_renderer((4, 4), 1, keep=True) as second:
        assert second is first


def test_two_at_once_are_two():
    with (
        renderer_cache.cached_renderer((4, 4), 1, keep=True) as first,
        renderer_cache.cached_renderer((4, 4), 1, keep=True) as two,
    ):
        assert first is not two
    assert [first.alive, two.alive] == [True, False]


@pytest.mark.parametrize(("size", "samples"), [((4, 8), 1), ((4, 4), 2)])
def test_another_size_is_another_painter(size, samples):
    with renderer_cache.cached_renderer((4, 4), 1, keep=True) as first:
        pass
    with renderer_cache.cached_renderer(size, samples, keep=True) as second:
        assert not first.alive
        assert second is not first


def test_a_painter_is_freed_where_it_is_not_kept():
    with renderer_cache.cached_renderer((4, 4), 1, keep=False) as first:
        assert first.alive
    assert not first.alive


def test_a_painter_that_has_failed_is_not_lent_again():
    with (
        pytest.raises(KeyboardInterrupt),
        renderer_cache.cached_renderer((4, 4), 1, keep=True) as first,
    ):
        raise KeyboardInterrupt
    assert not first.alive
