import pytest

from rigview.errors import UsageError
from rigview.images.frame_times import loop_frame_times, once_frame_times


@pytest.mark.parametrize(
    ("period", "fps", "count"),
    [(1.0, 30, 30), (0.5, 25, 13), (0.1, 1, 1), (0.0, 30, 1), (1.0, 29.97, 30), (2.49, 1, 2)],
)
def test_loop_has_the_nearest_integer_number_of_frames(period, fps, count):
    reel = loop_frame_times(period, fps)
    assert len(reel.taus) == count
    assert reel.taus == tuple(k * period / count for k in range(count))
    assert reel.fps == fps
    assert reel.seconds == count / fps


def test_last_frame_of_a_loop_does_not_repeat_the_first():
    taus = loop_frame_times(0.84, 30).taus
    assert taus[0] == 0.0
    assert 0.84 - taus[-1] == pytest.approx(taus[1])


@pytest.mark.parametrize(
    ("period", "fps", "words"),
    [
        (1.0, 30, ""),
        (1.0009, 30, ""),
        (1.0014, 30, "0.1% faster"),
        (0.84, 30, "0.8% faster: 25 frames at 30 a second last 0.8333 s, the loop 0.84 s; --exact"),
        (0.98, 10, "2.0% slower"),
    ],
)
def test_change_of_speed_above_a_thousandth_is_reported(period, fps, words):
    note = loop_frame_times(period, fps).note
    assert words in note
    assert bool(note) == bool(words)


def test_exact_keeps_the_frame_rate():
    reel = loop_frame_times(0.84, 30, exact=True)
    assert reel.taus == tuple(k / 30 for k in range(25))
    assert not reel.note


@pytest.mark.parametrize(
    ("length", "fps", "taus"),
    [
        (0.0, 30, (0.0,)),
        (1.0, 4, (0.0, 0.25, 0.5, 0.75, 1.0)),
        (0.9, 4, (0.0, 0.25, 0.5, 0.75, 0.9)),
        (0.1 * 3, 10, (0.0, 0.1, 0.2, 0.1 * 3)),
    ],
)
def test_single_pass_ends_at_the_end(length, fps, taus):
    assert once_frame_times(length, fps).taus == taus


@pytest.mark.parametrize("taus", [loop_frame_times, once_frame_times])
@pytest.mark.parametrize(("length", "fps"), [(700, 30), (1.0, 1e15), (float("inf"), 1.0)])
def test_too_many_frames(taus, length, fps):
    with pytest.raises(UsageError, match="frames"):
        taus(length, fps)
