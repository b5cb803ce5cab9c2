"""Beats that fit each other, and the law of their groups as a definition."""

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st

from rigview.blending.sync_group import Beat

FEET = {"left": (0.1,), "right": (0.6,)}
lengths = st.floats(0.2, 3)
steps = st.lists(st.floats(0, 2.5), min_size=1, max_size=5)
rates = st.floats(-3, 3).filter(lambda rate: abs(rate) > 0.05)
EXACT = 1e-9


@st.composite
def groups(draw, least=1, most=4, marked=None):
    """Beats that fit each other: with or without marks, of several cycles."""
    count = draw(st.integers(least, most))
    marks = draw(st.integers(0, 3)) if marked is None else marked
    return [draw(beats(marks)) for _ in range(count)]


@st.composite
def beats(draw, marks):
    cycles = draw(st.integers(1, 3))
    need = marks * cycles
    gaps = np.array(draw(st.lists(st.floats(0.1, 1), min_size=need + 1, max_size=need + 1)))
    phases = (np.cumsum(gaps) / gaps.sum())[:need]
    names = {f"m{q}": tuple(phases[q::marks].tolist()) for q in range(marks)}
    return Beat(draw(lengths), cycles, names)


def weights_for(draw_from, count):
    values = draw_from.draw(st.lists(st.floats(0, 1), min_size=count, max_size=count))
    assume(sum(values) > 0.01)
    return np.array(values)


def places(group):
    return np.array([float(group.x(i)) for i in range(len(group.beats))])


def knot(beat, n):
    """Unwrapped seconds of the n-th interval's beginning, written as a definition."""
    names = sorted(beat.marks, key=lambda name: beat.marks[name][0])
    of_pass = beat.cycles * max(len(names), 1)
    passes, k = divmod(n, of_pass)
    if not names:
        return beat.duration * (passes + k / beat.cycles)
    cycle, q = divmod(k, len(names))
    return beat.duration * (passes + beat.marks[names[q]][cycle])
