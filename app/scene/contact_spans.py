"""Spans of a clip in which feet are on the ground, as they are drawn."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from ..animation.clip import Clip
from ..animation.types import F64, I32, Bool


class ContactSpan(NamedTuple):
    """A time span in which a foot is on the ground."""

    begin: float  # seconds of the clip
    end: float  # at or before `begin` if the contact spans the seam of a loop
    slide: float  # metres, greatest distance between its positions on the ground


class ContactSpans(NamedTuple):
    """The foot contacts of a clip, by the joint of the foot."""

    clip: Clip
    spans: Mapping[int, tuple[ContactSpan, ...]]

    def foot_of(self, joint: int, parents: I32) -> int:
        """Return the foot that a joint is part of, -1: none."""
        while joint >= 0 and joint not in self.spans:
            joint = int(parents[joint])
        return joint

    def of(self, joint: int, parents: I32) -> tuple[ContactSpan, ...]:
        """Return the contacts of the foot that a joint is part of."""
        return self.spans.get(self.foot_of(joint, parents), ())


def in_contact(spans: tuple[ContactSpan, ...], times: F64) -> Bool:
    """Return which times [T] are in a contact."""
    found = np.zeros(times.shape, bool)
    for begin, end, _ in spans:
        after, before = times >= begin, times <= end
        found |= (after & before) if end > begin else (after | before)
    return found
