"""Events fired by a playback step: tables, playback, and comparison with brute force."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rigview.animation.events import MAX_CROSSINGS, EventTrack
from rigview.animation.playback import Playback, Span

STEPS = {"step": 0.25, "end": 1.0, "start": 0.0, "late": 0.75}  # of a clip of 1 s, unsorted
FOREVER = math.inf


def track(events=STEPS):
    return EventTrack(list(events), list(events.values()))


def span(x0, x1, *, mode="loop", passes=FOREVER, begins=False, duration=1.0):
    numbers = map(np.float64, (x0, x1, duration))
    return Span(*numbers, mode, np.float64(passes), np.float64(0), np.bool_(begins))


def event_text(fired, events=STEPS):
    """Return fired events as text: `late1` is the event "late" in pass 1."""
    return " ".join(f"{list(events)[k]}{number}" for _, k, number in fired)


LOOP, PINGPONG, START = {}, {"mode": "pingpong"}, {"begins": True}
TO_AND_FRO = {"mode": "pingpong", "passes": 2}


@pytest.mark.parametrize(
    ("case", "x0", "x1", "how", "expected"),
    [
        # forwards: (x0, x1]
        ("between events", 0.3, 0.7, LOOP, ""),
        ("over one", 0.2, 0.3, LOOP, "step0"),
        ("up to one", 0.2, 0.25, LOOP, "step0"),
        ("from one", 0.25, 0.3, LOOP, ""),
        ("two in one step", 0.2, 0.8, LOOP, "step0 late0"),
        ("over the seam: end first", 0.8, 1.1, LOOP, "end0 start1"),
        ("up to the seam: both", 0.8, 1.0, LOOP, "end0 start1"),
        ("from the seam", 1.0, 1.1, LOOP, ""),
        ("a later pass", 7.2, 7.3, LOOP, "step7"),
        ("several passes", 0.7, 2.3, LOOP, "late0 end0 start1 step1 late1 end1 start2 step2"),
        # backwards: [x1, x0)
        ("over one", 0.3, 0.2, LOOP, "step0"),
        ("up to one", 0.3, 0.25, LOOP, "step0"),
        ("from one", 0.25, 0.2, LOOP, ""),
        ("two in one step", 0.8, 0.2, LOOP, "late0 step0"),
        ("over the seam: out by the start, in by the end", 1.1, 0.8, LOOP, "start1 end0"),
        ("up to the seam: both", 1.1, 1.0, LOOP, "start1 end0"),
        ("from the seam", 1.0, 0.8, LOOP, ""),
        ("below 0, continuous", 0.1, -0.3, LOOP, "start0 end-1 late-1"),
        # the first step after a start also has its own x0
        ("at the start", 0.0, 0.1, START, "start0"),
        ("not at the start", 0.1, 0.2, START, ""),
        ("on an event", 0.25, 0.3, START, "step0"),
        ("at a seam: only the pass that begins", 1.0, 1.1, START, "start1"),
        ("backwards from the end", 1.0, 0.9, START, "end0"),
        ("backwards from an event", 0.75, 0.7, START, "late0"),
        ("no start there", 0.0, 0.1, LOOP, ""),
        # standing still: R = 0, T = 0, a clamp
        ("still", 0.25, 0.25, LOOP, ""),
        ("still at a start", 0.0, 0.0, START, ""),
        ("no length", 0.0, 5.0, {"duration": 0.0}, ""),
        ("no length, at a start", 0.0, 5.0, {"duration": 0.0, "begins": True}, ""),
        # N passes: k < N
        ("once: the end, no next beginning", 0.8, 1.0, {"passes": 1}, "end0"),
        ("twice: the seam", 0.8, 1.1, {"passes": 2}, "end0 start1"),
        ("twice: the end", 1.8, 2.0, {"passes": 2}, "end1"),
        ("twice: backwards from the end", 2.0, 1.7, {"passes": 2, "begins": True}, "end1 late1"),
        ("once: backwards to the start", 0.3, 0.0, {"passes": 1}, "step0 start0"),
        # ping-pong: mirrored in odd passes; at the turn each pass has its own
        ("there", 0.2, 0.8, PINGPONG, "step0 late0"),
        ("at the turn: the end of both", 0.8, 1.1, PINGPONG, "end0 end1"),
        ("back", 1.2, 1.8, PINGPONG, "late1 step1"),
        ("at the other turn", 1.9, 2.1, PINGPONG, "start1 start2"),
        ("back, backwards", 1.8, 1.2, PINGPONG, "step1 late1"),
        ("one pass", 0.8, 1.0, {"mode": "pingpong", "passes": 1}, "end0"),
        ("ping-pong", 1.2, 2.0, TO_AND_FRO, "late1 step1 start1"),
        ("backwards from the end", 2, 1.7, TO_AND_FRO | START, "start1 step1"),
        ("from its start", 0.0, 0.1, PINGPONG | START, "start0"),
        ("below 0", 0.1, -0.3, PINGPONG, "start0 start-1 step-1"),
    ],
)  # fmt: skip
def test_step_fires_expected_events(case, x0, x1, how, expected):
    assert event_text(track().fired(span(x0, x1, **how))) == expected, case


def test_simultaneous_events_keep_file_order():
    ties = {"b": 0.5, "a": 0.5, "c": 0.2, "z": 1.0, "y": 1.0, "o": 0.0, "n": 0.0}
    forwards = track(ties).fired(span(0.1, 1.2))
    assert event_text(forwards, ties) == "c0 b0 a0 z0 y0 o1 n1 c1"
    backwards = track(ties).fired(span(1.1, 0.4))
    assert event_text(backwards, ties) == "o1 n1 z0 y0 b0 a0"


def test_fired_events_have_unwrapped_times():
    fired = track().fired(span(0.7, 2.3))
    assert [x for x, _, _ in fired] == [0.75, 1, 1, 1.25, 1.75, 2, 2, 2.25]
    mirrored = track().fired(span(1.2, 1.8, mode="pingpong"))
    assert [x for x, _, _ in mirrored] == [1.25, 1.75]


def test_loop_seam_with_rounded_duration():
    """0.1 + 2 · 0.1 differs from 3 · 0.1: end and start still have equal times, end first."""
    events = {"start": 0.0, "end": 0.1}
    fired = track(events).fired(span(0.15, 0.95, duration=0.1))
    assert event_text(fired, events) == " ".join(f"end{k - 1} start{k}" for k in range(2, 10))
    assert all(a[0] == b[0] for a, b in zip(fired[::2], fired[1::2], strict=True))


def test_events_outside_clip_range_do_not_fire():
    events = {"before": -0.1, "inside": 0.5, "after": 1.5}
    assert event_text(track(events).fired(span(0.0, 3.0)), events) == "inside0 inside1 inside2"


def test_empty_event_track_fires_nothing():
    assert EventTrack([], []).fired(span(0, 9)) == []
    with pytest.raises(ValueError, match="2 names but 1 times"):
        EventTrack(["a", "b"], [1.0])


# -- playback --------------------------------------------------------------------------------------


def played(playback, taus, events=STEPS):
    fired = [crossing for tau in taus for crossing in track(events).fired(playback.advance(tau))]
    return event_text(fired, events)


def test_seek_and_enter_fire_nothing():
    playback = Playback(1.0)
    playback.advance(0.1)
    playback.seek(0.75, 0.1)  # over "step", onto "late"
    assert played(playback, [0.1, 0.2]) == ""
    playback.enter(5.25, 0.2)
    assert played(playback, [0.2, 0.4]) == ""


def test_pause_and_zero_rate_fire_nothing():
    playback = Playback(1.0, rate=0.0)
    assert played(playback, [0, 5, 9]) == ""
    playback.set_rate(1.0, 9.0)  # now it starts
    assert played(playback, [9, 9.3]) == "start0 step0"
    playback.pause(9.3)
    assert played(playback, [10, 20]) == ""
    playback.resume(20)
    assert played(playback, [20.5]) == "late0"


def test_single_pass_fires_once_and_stops():
    playback = Playback(1.0, passes=1)
    assert played(playback, [0, 0.5, 3, 4, 9]) == "start0 step0 late0 end0"


def test_single_backward_pass_fires_in_reverse():
    playback = Playback(1.0, passes=1, rate=-1.0)
    assert played(playback, [0, 0.5, 3, 4]) == "end0 late0 step0 start0"


def test_reversing_on_an_event_does_not_fire_it_again():
    """An event that was just reached fires again only after the time has moved past it."""
    playback = Playback(1.0)
    assert played(playback, [0.25]) == "start0 step0"
    playback.set_rate(-1.0, 0.25)
    assert played(playback, [0.35]) == ""
    playback.set_rate(1.0, 0.35)
    assert played(playback, [0.5]) == "step0"


# -- comparison with brute force ------------------------------------------------------------------

durations = st.sampled_from([0.1, 0.3, 1.0, 1.7])
passes = st.sampled_from([1.0, 2.0, 3.0, FOREVER])
modes = st.sampled_from(["loop", "pingpong"])
rates = st.sampled_from([-2.0, -1.0, -0.3, 0.3, 1.0, 2.0])
phases = st.lists(st.sampled_from([0, 0.1, 0.25, 0.5, 0.9, 1.0]), max_size=6)
moments = st.lists(st.floats(0, 6) | st.integers(0, 60).map(lambda k: k / 10), max_size=8)


def brute_force(events, x0, x1, duration, mode, count):
    """Return fired events by testing every event of every pass; all spans are starts."""
    crossings = []
    sign = 1 if x1 > x0 else -1
    for k in range(-130, 130):
        if not math.isinf(count) and not 0 <= k < count:
            continue
        for e, time in enumerate(events):
            local = duration - time if mode == "pingpong" and k % 2 else time
            x = (k + 1) * duration if local == duration else k * duration + local
            on_the_way = x0 < x <= x1 if sign > 0 else x1 <= x < x0
            begins = x == x0 and (local < duration if sign > 0 else local > 0)
            if x0 != x1 and (on_the_way or begins):
                crossings.append(((sign * k, sign * local, e), (x, e, k)))
    return [crossing for _, crossing in sorted(crossings)]


@given(durations, passes, modes, rates, phases, moments)
def test_events_do_not_depend_on_step_size(duration, count, mode, rate, marks, taus):
    times = [mark * duration for mark in marks]
    events = EventTrack([f"e{k}" for k in range(len(times))], times)
    steps, whole = (Playback(duration, passes=count, mode=mode, rate=rate) for _ in "ab")
    fired = [c for tau in sorted([*taus, 6.0]) for c in events.fired(steps.advance(tau))]
    at_once = whole.advance(6.0)
    assert fired == events.fired(at_once)
    assert fired == brute_force(times, float(at_once.x0), float(at_once.x1), duration, mode, count)


@given(durations, passes, modes, phases, st.lists(st.floats(-5, 5), min_size=2, max_size=9))
def test_crowd_events_equal_single_events(duration, count, mode, marks, xs):
    events = EventTrack([str(k) for k in range(len(marks))], [mark * duration for mark in marks])
    x0, x1 = np.array(xs), np.array(xs[::-1])
    begins = np.arange(len(xs)) % 2 == 0
    many = Span(x0, x1, np.float64(duration), mode, np.float64(count), x1, begins)
    expected = {}
    for c in range(len(xs)):
        fired = events.fired(
            span(x0[c], x1[c], mode=mode, passes=count, begins=begins[c], duration=duration)
        )
        if fired:
            expected[c,] = fired
    assert dict(events.crowd(many)) == expected


def test_fired_rejects_crowd_span():
    many = Span(np.zeros(2), np.ones(2), np.float64(1), "loop", np.float64(1), np.ones(2))
    with pytest.raises(ValueError, match="one character"):
        track().fired(many)


@pytest.mark.parametrize(("x0", "x1"), [(0.0, 1e12), (1e12, 0.0)])
def test_events_of_one_step_are_bounded(x0, x1):
    """Of a step over 4e12 events, only those of its last passes are listed."""
    fired = track().fired(span(x0, x1))
    assert MAX_CROSSINGS - 4 <= len(fired) <= MAX_CROSSINGS + 12
    assert abs(fired[-1].x - x1) <= 1.0
    whole = track().fired(span(*sorted((x1, x1 + (20.0 if x1 < x0 else -20.0)), reverse=x1 < x0)))
    assert fired[-60:] == whole[-60:]


@pytest.mark.parametrize("how", [LOOP, PINGPONG, START, TO_AND_FRO, {"passes": 2}])
def test_steps_that_grow_fire_what_steps_searched_anew_do(how):
    kept = track()
    for x1 in (0.1, 0.25, 0.3, 0.3, 0.74, 0.9, 1.0, 1.2, 2.6, 2.7, 0.5, 0.6, -0.4, -0.5):
        step = span(0.0, x1, **how)
        assert kept.fired(step) == track().fired(step)
