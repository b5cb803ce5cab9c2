"""Animations: channels and samplers as clips of tracks (glTF 2.0, section 3.11)."""

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.animation.clip import Clip
from app.animation.track import Interpolation, Path, Track
from app.animation.types import F32
from app.gltf.accessor import Accessors, sound
from app.gltf.document import Document
from app.gltf.names import distinct
from app.gltf.nodes import SHORTEST, Order
from app.model import Channel

LATEST = 1e9  # seconds; float32 cannot tell apart the frames of even a day
_PATHS: dict[str, tuple[Path, str, int]] = {
    "translation": ("translation", "VEC3", 3),
    "rotation": ("rotation", "VEC4", 4),
    "scale": ("scale", "VEC3", 3),
}
_NUMBERS = frozenset({5120, 5121, 5122, 5123, 5126})


class _Acting(NamedTuple):
    """A channel that moves something, as far as the JSON tells."""

    animation: int
    target: int  # joint, or number of the Channel
    path: Path
    interpolation: Interpolation
    times: F32  # [K]
    output: int  # accessor
    width: int  # C, components of a key
    start: int  # in Pose.values

    @property
    def rows(self) -> int:
        """How many rows [n, C] of the output are read."""
        return len(self.times) * (3 if self.interpolation == "CUBICSPLINE" else 1)


def read_clips(
    document: Document, accessors: Accessors, order: Order, channels: list[Channel]
) -> tuple[Clip, ...]:
    """Return all animations; tracks that share key times share the array of them.

    Of two channels with one target the last counts; channels without a target, or with one that
    is not supported, do not count for start and end either.

    Raises
    ------
    GltfError
        Key times or values that are not numbers, or too few of them.
    """
    rows = document.rows("animations")
    reader = _ChannelReader(document, accessors, order, channels)
    acting = [use for a, row in enumerate(rows) for use in reader.read(a, row)]
    values = _read_outputs(document, accessors, acting)
    tracks: list[list[Track]] = [[] for _ in rows]
    for use, array in zip(acting, values, strict=True):
        tracks[use.animation].append(_track(use, array))
    names = distinct(rows, "Animation")
    return tuple(_clip(document, a, names[a], found) for a, found in enumerate(tracks))


def _clip(document: Document, a: int, name: str, tracks: list[Track]) -> Clip:
    lines = {id(track.times): track.times for track in tracks}.values()
    start = min((float(times[0]) for times in lines), default=0.0)
    end = max((float(times[-1]) for times in lines), default=0.0)
    if start < 0:
        document.warn(f"/animations/{a}", f"keys before 0 s (from {start:.4g} s) are not shown")
    return Clip(name, max(start, 0.0), max(end, 0.0), tuple(tracks))


def _track(use: _Acting, array: F32) -> Track:
    if use.interpolation != "CUBICSPLINE":
        return Track(use.target, use.path, use.interpolation, use.times, array, None, use.start)
    keys = array.reshape(-1, 3, use.width)  # in-tangent, value, out-tangent
    values, tangents = np.ascontiguousarray(keys[:, 1]), np.ascontiguousarray(keys[:, ::2])
    return Track(use.target, use.path, use.interpolation, use.times, values, tangents, use.start)


class _ChannelReader:
    """Tells which channels act, and holds the key times that they share."""

    def __init__(
        self, document: Document, accessors: Accessors, order: Order, channels: list[Channel]
    ) -> None:
        self.document = document
        self.accessors = accessors
        self.joints = order.joints
        self.channels = channels
        nodes = order.nodes
        self.channel_of = {nodes[channel.joint]: c for c, channel in enumerate(channels)}
        self.times: dict[int, F32] = {}

    def read(self, a: int, row: dict[str, Any]) -> list[_Acting]:
        """Return the channels of an animation that act; of two with one target the last."""
        acting: dict[tuple[int, str], tuple[int, dict[str, Any]]] = {}
        for c, channel in enumerate(row["channels"]):
            target = channel["target"]
            node, path = target.get("node"), target["path"]
            if node is None or not (path in _PATHS or path == "weights"):
                if node is not None or path != "pointer":
                    self._ignored(a, c, "no target" if node is None else f"no path “{path[:40]}”")
                continue
            if path == "weights" and node not in self.channel_of:
                self._ignored(a, c, f"node {node} has no morph targets")
                continue
            if acting.pop((node, path), None):
                self._ignored(a, c, "an earlier channel moves the same; this one counts", "")
            acting[node, path] = (c, channel)
        samplers = row["samplers"]
        return [
            self._acting(a, node, path, samplers[channel["sampler"]], channel["sampler"])
            for (node, path), (_, channel) in acting.items()
        ]

    def _ignored(self, a: int, c: int, why: str, then: str = "; the channel is ignored") -> None:
        self.document.warn(f"/animations/{a}/channels/{c}/target", f"{why}{then}")

    def _acting(self, a: int, node: int, path: str, sampler: dict[str, Any], s: int) -> _Acting:
        index = sampler["input"]
        times = self.times.get(index)
        if times is None:
            place = f"/animations/{a}/samplers/{s}/input"
            times = self.times[index] = self._read_times(index, place)
        output = sampler["output"]
        interpolation: Interpolation = sampler.get("interpolation") or "LINEAR"
        if path == "weights":
            c = self.channel_of[node]
            width, start = self.channels[c].width, self.channels[c].start
            use = _Acting(a, c, "values", interpolation, times, output, width, start)
            kind, need = "SCALAR", use.rows * width
        else:
            name, kind, width = _PATHS[path]
            use = _Acting(a, self.joints[node], name, interpolation, times, output, width, 0)
            need = use.rows
        self._check_output(output, kind, need, a, s)
        return use

    def _check_output(self, output: int, kind: str, need: int, a: int, s: int) -> None:
        row = self.accessors.rows[output]
        if row["type"] == kind and row["count"] == need and row["componentType"] == 5126:
            return
        place = f"/animations/{a}/samplers/{s}/output"
        self.accessors.require(output, place, (kind,), _NUMBERS)
        if row["count"] < need:
            raise self.document.error(place, f"{row['count']} values where the keys need {need}")
        if row["count"] > need:
            self.document.warn(place, f"{row['count']} values where the keys need {need}")

    def _read_times(self, index: int, place: str) -> F32:
        self.accessors.require(index, place, ("SCALAR",), _NUMBERS)
        times = self.accessors.floats(index)[:, 0]
        if not (times.max() <= LATEST and times.min() >= -LATEST):
            raise self.document.error(place, "a key time is no number of seconds")
        steps = np.diff(times)
        if steps.size and steps.min() <= 0:
            if steps.min() < 0:
                raise self.document.error(
                    place, f"key {int(np.argmin(steps > 0)) + 1} is earlier than the one before it"
                )
            self.document.warn(place, "two keys at one time: the later one holds from there on")
        return times


def _read_outputs(document: Document, accessors: Accessors, acting: list[_Acting]) -> list[F32]:
    """Return the values [n, C] of each channel, checked and, where they must be, normalised.

    All channels of one path are taken together: a file has thousands of them.
    """
    out: list[F32] = [np.empty((0, 0), np.float32)] * len(acting)
    groups: dict[tuple[int, bool], list[int]] = {}
    for k, use in enumerate(acting):
        unit = use.path == "rotation" and use.interpolation != "CUBICSPLINE"
        groups.setdefault((use.width, unit), []).append(k)
    for (width, unit), members in groups.items():
        parts = [accessors.floats(acting[k].output) for k in members]
        lengths = [acting[k].rows for k in members]
        parts = [
            part
            if len(part) == n and part.shape[1] == width
            else part.reshape(-1)[: n * width].reshape(n, width)
            for part, n in zip(parts, lengths, strict=True)
        ]
        ends = np.cumsum([0, *lengths])
        accessors.charge(int(ends[-1]) * width * 4, "/animations")
        packed = np.concatenate(parts)
        if not sound(packed):
            _find_unsound(document, acting, members, parts)
        if unit:
            _normalize(document, packed, [acting[k] for k in members], ends)
        for k, (a, b) in zip(members, pairwise(ends.tolist()), strict=True):
            out[k] = packed[a:b]
    return out


def _find_unsound(
    document: Document, acting: list[_Acting], members: list[int], parts: list[F32]
) -> None:
    for k, part in zip(members, parts, strict=True):
        if not sound(part):
            raise document.error(
                f"/accessors/{acting[k].output}",
                f"a key's value is no number ({acting[k].path} in animation {acting[k].animation})",
            )


def _normalize(
    document: Document, packed: F32, uses: list[_Acting], ends: NDArray[np.int64]
) -> None:
    """Make quaternions [n, 4] unit length in place; one without length is no rotation."""
    length = np.sqrt(np.einsum("ij,ij->i", packed, packed))
    if length.min() < SHORTEST:
        flat = np.flatnonzero(length < SHORTEST)
        for k in np.unique(np.searchsorted(ends, flat, side="right") - 1).tolist():
            document.warn(
                f"/accessors/{uses[k].output}", "a rotation of no length; taken as no rotation"
            )
        packed[flat] = (0, 0, 0, 1)
        length[flat] = 1
    packed /= length[:, None]
