"""Cases of the rules about what is missing or unlike its siblings."""

import numpy as np

from rigview.checks.check_context import CheckContext
from rigview.loading.load import load
from tests.checks.cases_keys import TIMES, clip, turning
from tests.support.rule_case import Case
from tests.support.rule_figure import (
    HEAD,
    HIPS,
    LEFT_ARM,
    LEFT_HAND,
    RIGHT_ARM,
    RIGHT_HAND,
    SPINE,
    Figure,
)

LONGER = 0.05  # metres


def swing(joint, degrees=20.0, begin=0.0, path="rotation", interpolation="LINEAR"):
    """A channel that swings a joint about +Z by some degrees to and fro, from an angle."""
    half = np.radians(begin + degrees * np.sin(2 * np.pi * TIMES)) / 2
    values = np.stack([0 * half, 0 * half, np.sin(half), np.cos(half)], axis=1)
    return joint, path, TIMES, values, interpolation


def body(*others, without=(), begin=50.0):
    """The channels of a clip of the whole figure: its arms hang, in axes of the model."""
    angles = {HIPS: 0.0, SPINE: 10.0, HEAD: -10.0, LEFT_ARM: -begin, RIGHT_ARM: begin}
    hands = {LEFT_HAND: -10.0, RIGHT_HAND: 10.0}
    replaced = {channel[0] for channel in others if channel[1] == "rotation"}
    return [
        *(
            swing(joint, begin=angle)
            for joint, angle in (angles | hands).items()
            if joint not in replaced and joint not in without
        ),
        *others,
    ]


def clips(*lists, change=None):
    """The figure with a clip for each list of channels: Clip0, Clip1, ..., as a context."""

    def write(b):
        b.json["animations"] = []
        for k, channels in enumerate(lists):
            b.animation(*channels, name=f"Clip{k}")
        if change is not None:
            change(b)

    figure = Figure()
    figure.after.append(write)
    return CheckContext(load(figure.builder().glb()))


def exchanged(*pairs, begin=50.0):
    """The channels of the whole figure with those of pairs of joints exchanged."""
    other = {a: b for pair in pairs for a, b in (pair, pair[::-1])}
    return [(other.get(joint, joint), *channel) for joint, *channel in body(begin=begin)]


ARMS = (LEFT_ARM, RIGHT_ARM)
CASES = {
    "track-missing": Case(
        lambda: clips(body(without=[LEFT_ARM]), *[body()] * 3),
        lambda: clips(*[body()] * 4),
        place="/animations/0",
    ),
    "track-step": Case(
        lambda: clips(body(swing(LEFT_ARM, interpolation="STEP"))),
        lambda: clips(body()),
        place="/animations/0",
    ),
    "sides-exchanged": Case(
        lambda: clips(exchanged(ARMS), body(), body(begin=40.0)),
        lambda: clips(body(), body(), body(begin=40.0)),
        place="/animations/0",
    ),
    "bone-differs": Case(
        clip(turning(), (LEFT_HAND, "translation", [0, 1], [[0.4 + LONGER, 0, 0]] * 2)),
        clip(turning(), (LEFT_HAND, "translation", [0, 1], [[0.4, 0, 0]] * 2)),
        LONGER * 1000,
        "/animations/0",
    ),
}
