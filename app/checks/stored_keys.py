"""Keys as stored in a file, before loading normalises, sorts or drops them."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..animation.types import F32, I32, Bool, Index
from ..animation.vectors import length
from .check_context import CheckContext

PATHS = ("translation", "rotation", "scale", "weights")


@dataclass(frozen=True, slots=True)
class StoredChannel:
    """A channel of the document that has a supported target."""

    clip: int
    number: int
    sampler: int
    joint: int
    path: str
    interpolation: str
    input: int  # accessors
    output: int

    @property
    def place(self) -> str:
        """JSON pointer of its keys."""
        return f"/animations/{self.clip}/samplers/{self.sampler}/output"


class RotationKeys:
    """All rotation keys of a file, concatenated by channel.

    Parameters
    ----------
    channels
        The channels that have the keys.
    values
        For each channel, [K, 4] as stored.
    times
        For each channel, [K] seconds as stored.
    """

    def __init__(self, channels: list[StoredChannel], values: list[F32], times: list[F32]) -> None:
        self.channels = channels
        self.values: F32 = np.concatenate([np.zeros((0, 4), np.float32), *values])  # [N, 4]
        self.times: F32 = np.concatenate([np.zeros(0, np.float32), *times])  # [N]
        counts = np.array([len(keys) for keys in values], np.intp)
        self.of: Index = np.repeat(np.arange(len(channels)), counts)  # [N] channel of each key

    @cached_property
    def lengths(self) -> F32:
        """[N] lengths of the quaternions."""
        return length(self.values)

    @cached_property
    def pairs(self) -> Bool:
        """[N - 1] whether a key and the next one are in the same channel."""
        return np.asarray(self.of[1:] == self.of[:-1])

    @cached_property
    def dots(self) -> F32:
        """[N - 1] dot products of each key and the next one; 1 between channels."""
        found: F32 = np.einsum("nc,nc->n", self.values[1:], self.values[:-1])
        return np.where(self.pairs, found, np.float32(1))

    def are(self, interpolation: str) -> Bool:
        """Return [N] which keys have an interpolation."""
        matching = np.array(
            [channel.interpolation == interpolation for channel in self.channels], bool
        )
        return matching[self.of] if len(self.of) else np.zeros(0, bool)


def channels(context: CheckContext) -> list[StoredChannel]:
    """Return the channels of the examined clips; empty for motion capture."""
    joints, wanted = context.model.skeleton.joint_of_node, set(context.clips)
    return [
        channel
        for a, row in enumerate(context.document.rows("animations"))
        if a in wanted
        for channel in _channels(a, row, joints)
    ]


def _channels(a: int, row: dict[str, Any], joints: I32) -> Iterator[StoredChannel]:
    for c, channel in enumerate(row["channels"]):
        target, sampler = channel["target"], channel["sampler"]
        node, path = target.get("node"), target["path"]
        if node is None or path not in PATHS:
            continue
        keys = row["samplers"][sampler]
        how = keys.get("interpolation") or "LINEAR"
        yield StoredChannel(
            a, c, sampler, int(joints[node]), path, how, keys["input"], keys["output"]
        )


def rotations(context: CheckContext) -> RotationKeys:
    """Return the rotation keys of all clips, without tangents; call it by `context.cached`."""
    if context.is_capture:
        return _captured(context)
    stored = context.stored
    found, values, times = [], [], []
    for channel in context.cached(channels):
        if channel.path != "rotation":
            continue
        keys = stored.accessors.floats(channel.output)
        if channel.interpolation == "CUBICSPLINE":
            keys = keys[1::3]
        at = stored.accessors.floats(channel.input)[:, 0]
        count = min(len(keys), len(at))
        found.append(channel)
        values.append(keys[:count])
        times.append(at[:count])
    return RotationKeys(found, values, times)


def _captured(context: CheckContext) -> RotationKeys:
    """Return the keys of motion capture files, which have no accessors."""
    tracks = [
        (StoredChannel(c, k, k, track.target, "rotation", track.interpolation, -1, -1), track)
        for c in context.clips
        for k, track in enumerate(context.clip(c).tracks)
        if track.path == "rotation"
    ]
    return RotationKeys(
        [channel for channel, _ in tracks],
        [track.values for _, track in tracks],
        [track.times for _, track in tracks],
    )
