import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rigview.animation.playback import Playback, parse_loop, wrap

durations = st.floats(0.1, 10)
rates = st.floats(-4, 4).filter(lambda rate: abs(rate) > 0.01)
moments = st.floats(-5, 30)
modes = st.sampled_from(["loop", "pingpong"])
counts = st.one_of(st.just(math.inf), st.integers(1, 4).map(float))


def shown(playback, *taus):
    return [pytest.approx(float(playback.time(tau)), abs=1e-9) for tau in taus]


@pytest.mark.parametrize(
    ("options", "table"),
    [
        # T = 2; tau: clip time
        ({}, {0: 0, 1: 1, 2: 0, 3.5: 1.5, 9: 1, -0.5: 1.5}),  # continuous
        ({"passes": 1}, {-1: 0, 0: 0, 1: 1, 2: 2, 7: 2}),  # 0 the start, N T the end
        ({"passes": 3}, {0: 0, 2: 0, 3: 1, 4: 0, 5: 1, 6: 2, 99: 2}),
        ({"rate": -1.0}, {0: 2, 0.5: 1.5, 2: 0, 2.5: 1.5, 4: 0}),  # started backwards at x = T: T
        ({"rate": -1.0, "passes": 1}, {-1: 2, 0: 2, 0.5: 1.5, 2: 0, 9: 0}),
        ({"rate": -1.0, "passes": 3}, {0: 2, 1: 1, 2: 0, 2.5: 1.5, 6: 0, 9: 0}),
        ({"rate": 2.0}, {0.5: 1, 1: 0, 1.25: 0.5}),
        ({"rate": 0.0}, {0: 0, 50: 0}),
        ({"mode": "pingpong"}, {0: 0, 1: 1, 2: 2, 3: 1, 4: 0, 5: 1, -1: 1}),
        ({"mode": "pingpong", "passes": 1}, {1: 1, 2: 2, 3: 2}),
        ({"mode": "pingpong", "passes": 2}, {2: 2, 3: 1, 4: 0, 5: 0}),  # ping-pong
        ({"mode": "pingpong", "passes": 3}, {4: 0, 5: 1, 6: 2, 7: 2}),
        ({"mode": "pingpong", "rate": -1.0}, {0: 2, 1: 1, 2: 0, 3: 1, 4: 2}),
        ({"mode": "pingpong", "rate": -1.0, "passes": 2}, {0: 0, 1: 1, 2: 2, 3: 1, 4: 0, 9: 0}),
        ({"start": 5.0}, {0: 5, 1: 6, 2: 5, 3.5: 6.5}),  # trimmed: x = 0 is the first key
        ({"start": 5.0, "passes": 1, "rate": -1.0}, {0: 7, 1: 6, 9: 5}),
        ({"tau": 10.0}, {10: 0, 11: 1, 12: 0, 9.5: 1.5}),
    ],
)
def test_clip_time_of_all_modes(options, table):
    playback = Playback(2.0, **options)
    for tau, time in table.items():
        assert float(playback.time(tau)) == pytest.approx(time, abs=1e-12), tau


@pytest.mark.parametrize("mode", ["loop", "pingpong"])
@pytest.mark.parametrize("passes", [1, 3, math.inf])
def test_zero_length_clip_stays_at_start(mode, passes):
    playback = Playback(0.0, mode=mode, passes=passes, start=4.0)
    assert shown(playback, -1, 0, 7) == [4, 4, 4]
    assert bool(playback.done(7)) == (passes != math.inf)


@given(durations, rates, moments, modes, counts)
def test_time_is_within_clip(duration, rate, tau, mode, passes):
    playback = Playback(duration, rate=rate, mode=mode, passes=passes, start=1.0)
    assert 1.0 <= playback.time(tau) <= 1.0 + duration


@given(durations, rates, st.floats(0, 5), st.floats(0, 5), rates, modes, counts)
def test_rate_change_is_continuous(duration, rate, tau, later, new, mode, passes):
    playback = Playback(duration, rate=rate, mode=mode, passes=passes)
    before, x = playback.time(tau), float(playback.x(tau))
    playback.set_rate(new, tau)
    assert playback.time(tau) == before
    low, high = (-math.inf, math.inf) if passes == math.inf else (0.0, passes * duration)
    expected = min(max(x + new * later, low), high)
    assert float(playback.x(tau + later)) == pytest.approx(expected, abs=1e-9)


@given(durations, rates, st.floats(0, 20), st.floats(0, 9), modes, counts)
def test_resume_continues_from_pause(duration, rate, tau, wait, mode, passes):
    paused = Playback(duration, rate=rate, mode=mode, passes=passes)
    running = Playback(duration, rate=rate, mode=mode, passes=passes)
    paused.pause(tau)
    assert paused.paused
    assert paused.time(tau) == paused.time(tau + wait) == running.time(tau)
    paused.resume(tau + wait)
    assert not paused.paused
    assert float(paused.x(tau + wait + 1)) == pytest.approx(float(running.x(tau + 1)), abs=1e-9)


@given(durations, rates, st.floats(0, 20), st.floats(0, 1), modes, counts)
def test_seek_sets_clip_time(duration, rate, tau, phase, mode, passes):
    """Also at the end, which a loop would wrap to its start."""
    playback = Playback(duration, rate=rate, mode=mode, passes=passes, start=3.0)
    playback.seek(3.0 + phase * duration, tau)
    assert float(playback.time(tau)) == pytest.approx(3.0 + phase * duration, abs=1e-9)


@pytest.mark.parametrize(("time", "expected"), [(-9, 3), (99, 5)])
def test_seek_is_clamped_to_clip(time, expected):
    playback = Playback(2.0, start=3.0)
    playback.seek(time, 1.0)
    assert playback.time(1.0) == expected


def test_loop_continues_after_seek_to_end():
    playback = Playback(2.0)
    playback.pause(0.0)
    playback.seek(2.0, 1.0)
    assert playback.paused
    assert shown(playback, 1.0, 5.0) == [2, 2]
    playback.resume(5.0)
    assert shown(playback, 5.0, 5.5) == [2, 0.5]
    playback.set_rate(-1.0, 5.5)
    assert shown(playback, 6.5) == [1.5]


def test_anchor_on_loop_seam_shows_start():
    playback = Playback(2.0)
    playback.set_rate(3.0, 2.0)
    assert playback.time(2.0) == 0


def test_seek_restarts_pass_count():
    playback = Playback(2.0, passes=2)
    assert bool(playback.done(4.0))
    playback.seek(1.0, 4.0)
    assert not bool(playback.done(6.9))
    assert shown(playback, 5.5, 6.5, 7.0) == [0.5, 1.5, 2]
    assert bool(playback.done(7.0))


@given(durations, rates, st.floats(0, 20), modes, counts, modes, counts)
def test_mode_change_is_continuous(duration, rate, tau, mode, passes, new, more):
    playback = Playback(duration, rate=rate, mode=mode, passes=passes)
    before = float(playback.time(tau))
    assume(0.001 < before < duration - 0.001)
    playback.set_mode(new, more, tau)
    assert float(playback.time(tau)) == pytest.approx(before, abs=1e-9)
    assert playback.mode == new
    assert not bool(playback.done(tau))
    step = float(playback.time(tau + 1e-4)) - before
    assert abs(step) == pytest.approx(1e-4 * abs(rate), rel=1e-3)


def test_change_from_loop_to_once_finishes_current_pass():
    playback = Playback(2.0)
    playback.set_mode("loop", 1, 5.5)
    assert shown(playback, 5.5, 5.9, 7) == [1.5, 1.9, 2]
    playback.set_mode("loop", math.inf, 9.0)
    assert shown(playback, 9.0, 9.5) == [2, 0.5]


def test_done_while_time_is_clamped():
    once = Playback(2.0, passes=1)
    assert [bool(once.done(tau)) for tau in (-1, 0, 1.99, 2, 3)] == [
        False,
        False,
        False,
        True,
        True,
    ]
    once.set_rate(-1.0, 3.0)  # from the end back
    assert not bool(once.done(3.5))
    assert once.time(3.5) == 1.5
    assert bool(once.done(5.0))
    forever = Playback(2.0)
    assert not bool(forever.done(1e6))


def test_spans_are_contiguous():
    playback = Playback(2.0, rate=-2.0, passes=3)
    taus = [0.25, 1.0, 1.0, 2.9, 7.0]
    spans = [playback.advance(tau) for tau in taus]
    assert [float(span.x0) for span in spans] == pytest.approx([6, 5.5, 4, 4, 0.2])
    assert [float(span.x1) for span in spans] == pytest.approx([5.5, 4, 4, 0.2, 0])
    assert [float(span.time) for span in spans] == pytest.approx([1.5, 0, 0, 0.2, 0])
    assert all(span.duration == 2 and span.passes == 3 and span.mode == "loop" for span in spans)


def test_span_covers_rate_change_but_not_seek():
    playback = Playback(10.0)
    playback.advance(1.0)
    playback.set_rate(2.0, 2.0)
    span = playback.advance(3.0)
    assert (float(span.x0), float(span.x1)) == (1, 4)
    playback.seek(8.0, 3.0)
    span = playback.advance(3.25)
    assert (float(span.x0), float(span.x1)) == (8, 8.5)


def test_playback_of_crowd_equals_single_playbacks():
    taus, rate = np.array([0.0, 1.0, 2.0]), np.array([1.0, -1.0, 0.5])
    passes = np.array([1.0, math.inf, 2.0])
    crowd = Playback(2.0, rate=rate, passes=passes, tau=taus)
    for tau in (0.0, 1.7, 3.0, 9.25):
        one = [
            float(Playback(2.0, rate=r, passes=n, tau=t).time(tau))
            for r, n, t in zip(rate, passes, taus, strict=True)
        ]
        assert crowd.time(tau).tolist() == one
    crowd.seek([0.0, 2.0, 1.0], 3.0)
    assert crowd.time(3.0).tolist() == [0, 2, 1]
    assert crowd.advance(3.5).time.tolist() == [0.5, 1.5, 1.25]


def test_first_moving_step_is_a_start():
    playback = Playback(2.0)
    assert [bool(playback.advance(tau).begins) for tau in (0.0, 0.0, 0.5, 0.6)] == [
        True,
        True,
        True,
        False,
    ]


@pytest.mark.parametrize("change", ["seek", "enter"])
def test_seek_is_not_a_start(change):
    playback = Playback(2.0)
    getattr(playback, change)(1.0, 0.0)
    assert not playback.advance(0.5).begins


def test_instances_of_crowd_start_separately():
    crowd = Playback(2.0, passes=1, tau=[0.0, 1.0])
    assert crowd.advance(0.5).begins.all()
    assert crowd.advance(1.5).begins.tolist() == [False, True]
    assert crowd.advance(2.5).begins.tolist() == [False, False]


@given(durations, rates, st.floats(0.05, 0.95), modes, counts)
def test_playback_starts_at_phase(duration, rate, phase, mode, passes):
    """It continues in the direction of the rate, and counts as a start."""
    playback = Playback(duration, rate=rate, mode=mode, passes=passes, phase=phase)
    sought = Playback(duration, rate=rate, mode=mode, passes=passes)
    sought.seek(phase * duration, 0.0)
    for tau in (0.0, 0.3, 7.0):
        assert playback.time(tau) == sought.time(tau)
    assert float(playback.time(0.0)) == pytest.approx(phase * duration, abs=1e-9)
    assert playback.advance(0.1).begins


def test_phase_is_relative_to_trimmed_range():
    assert shown(Playback(2.0, start=3.0, phase=0.25), 0.0, 1.0) == [3.5, 4.5]


def test_enter_keeps_completed_passes():
    playback = Playback(2.0, passes=3)
    playback.enter(3.5, 10.0)
    assert shown(playback, 10.0, 10.5, 12.5) == [1.5, 0, 2]
    assert bool(playback.done(12.5))
    playback.enter(99.0, 20.0)
    assert float(playback.x(20.0)) == 6


def test_when_returns_time_of_unwrapped_position():
    playback = Playback(2.0, rate=-4.0, tau=1.0)
    playback.set_rate(-2.0, 2.0)  # at x = 2 - 4
    assert float(playback.when(-5.0)) == 3.5
    playback.pause(4.0)
    with pytest.raises(ValueError, match="paused or has rate 0"):
        playback.when(-5.0)
    with pytest.raises(ValueError, match="mode is 'loop' or 'pingpong', not 'ping'"):
        Playback(2.0, mode="ping")


@pytest.mark.parametrize("mode", ["loop", "pingpong"])
@given(durations, st.floats(-30, 30))
def test_wrap_returns_pass_and_local_time(mode, duration, x):
    number, local = wrap(np.float64(x), np.float64(duration), mode, np.float64(math.inf))
    ahead = duration - local if mode == "pingpong" and number % 2 else local
    assert 0 <= local <= duration
    assert float(number * duration + ahead) == pytest.approx(x, abs=1e-9)


class TestOneGlobalClock:
    """A playback depends on nothing but its start time tau."""

    def test_clips_started_in_one_frame_stay_in_sync(self):
        first, second = Playback(2.0, tau=7.3), Playback(3.0, tau=7.3)
        first.advance(7.3)  # one caller has looked in between, the other has not
        first.advance(7.9)
        for tau in (8.0, 20.1):
            assert float(first.x(tau)) == float(second.x(tau))

    def test_time_matches_textbook_formula(self):
        """T = R (tau - tau_start), tau = tau_start + t / R."""
        playback = Playback(5.0, rate=2.0, tau=7.0)
        assert float(playback.time(8.5)) == 2 * (8.5 - 7.0)
        assert float(playback.when(3.0)) == 7.0 + 3.0 / 2.0

    @given(st.floats(-50, 50), st.floats(-50, 50), st.floats(0, 20), durations, rates)
    def test_shifted_clocks_give_the_same_time(self, ours, theirs, tau, duration, rate):
        """A character's clock is the global time minus its own zero."""
        mine = Playback(duration, rate=rate, tau=3.0)  # at 3 s of my own clock
        yours = Playback(duration, rate=rate, tau=3.0 + (ours - theirs))  # the same on yours
        now = ours + tau
        assert float(mine.x(now - ours)) == pytest.approx(float(yours.x(now - theirs)), abs=1e-9)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("once", ("loop", 1)),
        ("loop", ("loop", math.inf)),
        ("pingpong", ("pingpong", math.inf)),
        ("1", ("loop", 1)),
        ("12", ("loop", 12)),
        ("pingpong:2", ("pingpong", 2)),
    ],
)
def test_parse_loop_returns_mode_and_passes(text, expected):
    assert parse_loop(text) == expected


@pytest.mark.parametrize(
    "text",
    ["", "0", "-1", "1.5", "twice", "pingpong:", "pingpong:0", "loop:2", ":2", "²", "1:", "inf"],
)
def test_parse_loop_rejects_invalid_text(text):
    with pytest.raises(ValueError, match="pingpong:N"):
        parse_loop(text)


def test_time_at_the_same_tau_follows_every_change():
    playback = Playback(2.0)
    assert playback.time(0.5) == 0.5
    playback.seek(1.25, 0.5)
    assert playback.time(0.5) == 1.25
    state = playback.save()
    playback.set_mode("pingpong", 1.0, 0.5)
    playback.enter(0.25, 0.5)
    assert playback.time(0.5) == 0.25
    playback.restore(state)
    assert playback.time(0.5) == 1.25
    late = Playback(2.0)
    assert late.time(1.0) == 1.0
    late.start_at(0.75)
    assert late.time(1.0) == 0.25


@given(moments, durations, modes, counts)
def test_single_times_are_wrapped_as_many(x, duration, mode, passes):
    one = wrap(np.float64(x), np.float64(duration), mode, np.asarray(passes))
    many = wrap(np.array([x]), np.array([duration]), mode, np.array([passes]))
    assert [float(each) for each in one] == [float(each[0]) for each in many]
