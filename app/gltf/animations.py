"""Animations: channels and samplers as clips of tracks (glTF 2.0, section 3.11)."""

from typing import Any, NamedTuple

import numpy as np

from app.animation.clip import Clip
from app.animation.track import Interpolation, Path, Track
from app.animation.types import F32
from app.gltf.accessor import Accessors
from app.gltf.document import Document
from app.gltf.names import distinct
from app.gltf.nodes import Order
from app.gltf.outputs import Output, read_outputs
from app.gltf.times import Times, read_times
from app.model import Channel

_PATHS: dict[str, tuple[Path, str, int]] = {
    "translation": ("translation", "VEC3", 3),
    "rotation": ("rotation", "VEC4", 4),
    "scale": ("scale", "VEC3", 3),
    "weights": ("values", "SCALAR", 0),
}
_NUMBERS = frozenset({5120, 5121, 5122, 5123, 5126})


class _Acting(NamedTuple):
    """A channel that moves something."""

    animation: int
    node: int
    path: str  # as the file has it
    sampler: int


def read_clips(
    document: Document,
    accessors: Accessors,
    order: Order,
    channels: list[Channel],
    rest: F32,
) -> tuple[Clip, ...]:
    """Return all animations; tracks that share key times share the array of them.

    `rest` has the rotations [J, 4] of the joints at rest.

    Of two channels with one target the last counts; channels without a target, or with one that
    is not supported, do not count for start and end either.

    Raises
    ------
    GltfError
        Key times or values that are not numbers, or too few of them.
    """
    rows = document.rows("animations")
    channel_of = {order.nodes[channel.joint]: c for c, channel in enumerate(channels)}
    acting = [use for a, row in enumerate(rows) for use in _acting(accessors, a, row, channel_of)]
    samplers = [rows[use.animation]["samplers"][use.sampler] for use in acting]
    inputs = {
        sampler["input"]: (use.animation, use.sampler)
        for use, sampler in zip(acting, samplers, strict=True)
    }
    lines = read_times(document, accessors, inputs)
    _warn_of_strides(document, accessors, samplers)
    finder = _Finder(document, accessors, order, channels, channel_of, lines)
    tracks = finder.tracks(acting, samplers, len(rows))
    names = distinct(rows, "Animation")
    return tuple(_clip(document, a, names[a], found, rest) for a, found in enumerate(tracks))


def _warn_of_strides(
    document: Document, accessors: Accessors, samplers: list[dict[str, Any]]
) -> None:
    """Say once that keys are strided, which glTF forbids (section 3.6.2.4) and exporters do."""
    views = document.rows("bufferViews")
    strided = {v for v, view in enumerate(views) if view.get("byteStride")}
    if strided:
        used = (s[end] for s in samplers for end in ("input", "output"))
        wrong = {accessors.rows[index].get("bufferView") for index in used} & strided
        if wrong:
            document.warn(
                f"/bufferViews/{min(wrong)}/byteStride",
                "animation keys should have none; it is used",
            )


def _acting(
    accessors: Accessors, a: int, row: dict[str, Any], channel_of: dict[int, int]
) -> list[_Acting]:
    """Return the channels of an animation that act; of two with one target the last."""
    winners: dict[tuple[int, str], int] = {}
    document, samplers = accessors.document, row["samplers"]
    for c, channel in enumerate(row["channels"]):
        target = channel["target"]
        node, path = target.get("node"), target["path"]
        if node is None or path not in _PATHS or (path == "weights" and node not in channel_of):
            if path != "pointer" or node is not None:  # KHR_animation_pointer warns for itself
                why = "no target" if node is None else f"node {node} has no {path[:40]} to move"
                place = f"/animations/{a}/channels/{c}/target"
                document.warn(place, f"{why}; the channel is ignored")
            continue
        if not accessors.rows[samplers[channel["sampler"]]["input"]]["count"]:
            document.warn(f"/animations/{a}/channels/{c}", "it has no keys; the channel is ignored")
            continue
        if (node, path) in winners:
            document.warn(
                f"/animations/{a}/channels/{c}/target",
                f"a second channel for {path} of node {node}; the last one counts",
            )
        winners[node, path] = channel["sampler"]
    return [_Acting(a, node, path, sampler) for (node, path), sampler in winners.items()]


class _Finder:
    """Reads the tracks of all animations in one go: a file has thousands of them."""

    def __init__(
        self,
        document: Document,
        accessors: Accessors,
        order: Order,
        channels: list[Channel],
        channel_of: dict[int, int],
        lines: dict[int, Times],
    ) -> None:
        self.document = document
        self.accessors = accessors
        self.order = order
        self.channels = channels
        self.channel_of = channel_of
        self.lines = lines

    def tracks(
        self, acting: list[_Acting], samplers: list[dict[str, Any]], count: int
    ) -> list[list[Track]]:
        """Return the tracks of each of the `count` animations."""
        outputs = list(map(self._output, acting, samplers))
        values = read_outputs(self.document, self.accessors, outputs)
        joints, channels, channel_of = self.order.joints, self.channels, self.channel_of
        tracks: list[list[Track]] = [[] for _ in range(count)]
        for use, sampler, output, array in zip(acting, samplers, outputs, values, strict=True):
            target, start = joints[use.node], 0
            if output.path == "values":
                target = channel_of[use.node]
                start = channels[target].start
            times = self.lines[sampler["input"]].seconds
            tracks[use.animation].append(_track(output, target, start, times, array))
        return tracks

    def _output(self, use: _Acting, sampler: dict[str, Any]) -> Output:
        path, kind, width = _PATHS[use.path]
        times, index = self.lines[sampler["input"]], sampler["output"]
        interpolation: Interpolation = sampler.get("interpolation") or "LINEAR"
        rows = len(times.seconds) * 3 if interpolation == "CUBICSPLINE" else len(times.seconds)
        need = rows
        if not width:
            width = self.channels[self.channel_of[use.node]].width
            need = rows * width
        row = self.accessors.rows[index]
        if row["count"] != need or row["type"] != kind or row["componentType"] != 5126:
            self._check(use, index, kind, need)
        return Output(index, path, interpolation, width, rows, times.order)

    def _check(self, use: _Acting, index: int, kind: str, need: int) -> None:
        place = f"/animations/{use.animation}/samplers/{use.sampler}/output"
        self.accessors.require(index, place, (kind,), _NUMBERS)
        sentence = f"{self.accessors.count(index)} values where the keys need {need}"
        if self.accessors.count(index) < need:
            raise self.document.error(place, sentence)
        if self.accessors.count(index) > need:
            self.document.warn(place, sentence)


def _track(output: Output, target: int, start: int, times: F32, array: F32) -> Track:
    interpolation = output.interpolation
    if interpolation != "CUBICSPLINE":
        return Track(target, output.path, interpolation, times, array, None, start)
    keys = array.reshape(-1, 3, output.width)  # in-tangent, value, out-tangent
    values, tangents = np.ascontiguousarray(keys[:, 1]), np.ascontiguousarray(keys[:, ::2])
    return Track(target, output.path, interpolation, times, values, tangents, start)


def _clip(document: Document, a: int, name: str, tracks: list[Track], rest: F32) -> Clip:
    lines = {id(track.times): track.times for track in tracks}.values()
    start = min((float(times[0]) for times in lines), default=0.0)
    end = max((float(times[-1]) for times in lines), default=0.0)
    if start < 0:
        document.warn(f"/animations/{a}", f"keys before 0 s (from {start:.4g} s) are not shown")
    return Clip(name, max(start, 0.0), max(end, 0.0), tuple(tracks), rest=rest)
