"""Beats that fit each other, and the law of their groups as a definition."""

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st

from rigview.blending.sync_group import SyncTrack

FOOT_MARKS = {"left": (0.1,), "right": (0.6,)}
lengths = st.floats(0.2, 3)
steps = st.lists(st.floats(0, 2.5), min_size=1, max_size=5)
rates = st.floats(-3, 3).filter(lambda rate: abs(rate) > 0.05)
TOLERANCE = 1e-9


@st.composite
def sync_groups(draw, least=1, most=4, marked=None):
    """Beats that fit each other: with or without marks, of several cycles."""
    count = draw(st.integers(least, most))
    marks = draw(st.integers(0, 3)) if marked is None else marked
    return [draw(sync_tracks(marks)) for _ in range(count)]


@st.composite
def sync_tracks(draw, marks):
    cycles = draw(st.integers(1, 3))
    need = marks * cycles
    gaps = np.array(draw(st.lists(st.floats(0.1, 1), min_size=need + 1, max_size=need + 1)))
    phases = (np.cumsum(gaps) / gaps.sum())[:need]
    names = {f"m{q}": tuple(phases[q::marks].tolist()) for q in range(marks)}
    return SyncTrack(draw(lengths), cycles, names)


def draw_weights(draw_from, count):
    values = draw_from.draw(st.lists(st.floats(0, 1), min_size=count, max_size=count))
    assume(sum(values) > 0.01)
    return np.array(values)


def clip_positions(group):
    return np.array([float(group.x(i)) for i in range(len(group.sync_tracks))])


def interval_start(sync_track, n):
    """Unwrapped seconds of the n-th interval's beginning, written as a definition."""
    names = sorted(sync_track.marks, key=lambda name: sync_track.marks[name][0])
    of_pass = sync_track.cycles * max(len(names), 1)
    passes, k = divmod(n, of_pass)
    if not names:
        return sync_track.duration * (passes + k / sync_track.cycles)
    cycle, q = divmod(k, len(names))
    return sync_track.duration * (passes + sync_track.marks[names[q]][cycle])


def exact_state(all_tracks, at, weights_at, seconds, steps=3000):
    """The state of a group after `seconds` of changing weights: df / dtau = 1 / sum(w d).

    In each of many steps the weights are those of its middle; a step is cut at sync marks.
    """
    for k in range(steps):
        left, weights = seconds / steps, np.asarray(weights_at((k + 0.5) * seconds / steps), float)
        weights = weights / weights.sum()
        while True:
            n = int(np.floor(at))
            length = sum(
                w * (interval_start(each, n + 1) - interval_start(each, n))
                for w, each in zip(weights, all_tracks, strict=True)
            )
            if at + left / length < n + 1:
                at += left / length
                break
            left, at = left - (n + 1 - at) * length, float(n + 1)
    return at


def exact_position(sync_track, at):
    """Unwrapped seconds of a clip in a state of the group."""
    n = int(np.floor(at))
    begin, end = interval_start(sync_track, n), interval_start(sync_track, n + 1)
    return begin + (at - n) * (end - begin)
