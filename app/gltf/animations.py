"""Animations: channels and samplers as clips of tracks (glTF 2.0, section 3.11).

Key times are the inputs of samplers, key values their outputs; they are read and checked together
for speed.
"""

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..animation.clip import Clip
from ..animation.pose import Pose
from ..animation.track import Interpolation, Path, Track
from ..animation.types import F32
from ..animation.vectors import length
from ..errors import GltfError
from ..model.model import Channel
from ..wording import quoted
from .accessor import Accessors, all_finite, finite_rows
from .accessor_references import Json
from .document import Document
from .nodes import MIN_QUATERNION_LENGTH, NodeOrder
from .object_names import described_node, unique_names
from .pointers import EXTENSION, NodePath, node_paths, pointer_of, unsupported_reason

LATEST = 1e9  # seconds; far beyond the precision of float32
_FLOAT_TYPES = frozenset({5120, 5121, 5122, 5123, 5126})


class Output(NamedTuple):
    """The output of a sampler."""

    accessor: int
    path: Path
    interpolation: Interpolation
    width: int  # C, components per row
    rows: int  # K, or 3 K with tangents
    order: NDArray[np.intp] | None  # [K] index of each key in the file, if keys were sorted


def read_outputs(document: Document, accessors: Accessors, outputs: list[Output]) -> list[F32]:
    """Return the rows [n, C] of each output; STEP and LINEAR quaternions are normalized.

    Raises
    ------
    GltfError
        A value is NaN, infinite or too large; with the key, its joint and its clip.
    """
    found: list[F32] = [np.empty((0, 0), np.float32)] * len(outputs)
    groups: dict[tuple[int, bool], list[int]] = {}
    for k, output in enumerate(outputs):
        unit = output.path == "rotation" and output.interpolation != "CUBICSPLINE"
        groups.setdefault((output.width, unit), []).append(k)
    for (width, unit), members in groups.items():
        counts = [outputs[k].rows for k in members]
        values = accessors.concatenate([outputs[k].accessor for k in members], counts, width)
        ends = np.cumsum([0, *counts])
        if not all_finite(values):
            bad = int(np.argmax(~finite_rows(values)))
            k = members[int(np.searchsorted(ends, bad, side="right")) - 1]
            row = bad - int(ends[members.index(k)])
            key = _key_name(document, outputs[k], row)
            raise document.error(f"/accessors/{outputs[k].accessor}", f"{key} {fault(values[bad])}")
        if unit:
            _normalize(document, values, [outputs[k] for k in members], ends)
        for k, (a, b) in zip(members, pairwise(ends.tolist()), strict=True):
            found[k] = values[a:b]
            if (order := outputs[k].order) is not None:
                found[k] = values[a:b].reshape(len(order), -1)[order].reshape(-1, width)
    return found


def _key_name(document: Document, output: Output, row: int) -> str:
    """Return a row of an output as people name it: ``key 12 of “LeftArm” rotation in “Walk”``."""
    per_key = 3 if output.interpolation == "CUBICSPLINE" else 1
    key, part = row // per_key + 1, row % per_key
    name = f"key {key}" if per_key == 1 or part == 1 else f"a tangent of key {key}"
    for a, animation in enumerate(document.rows("animations")):
        for channel in animation["channels"]:
            if animation["samplers"][channel["sampler"]]["output"] == output.accessor:
                target, clip = channel["target"], animation.get("name")
                of = _target_name(document, target)
                return f"{name} of {of} in {quoted(clip) if clip else f'animation {a}'}"
    return name


def _target_name(document: Document, target: dict[str, Any]) -> str:
    """Return the target of a channel: its node and path, or the pointer of a property."""
    node = target.get("node")
    if node is None:
        return "an animated property"
    return f"{described_node(document.json, node)} {target['path']}"


def fault(values: F32) -> str:
    """Return what is wrong with values that are not finite or too large."""
    if np.isnan(values).any():
        return "is not a number"
    return "is infinite" if np.isinf(values).any() else "is too large"


def _normalize(
    document: Document, values: F32, outputs: list[Output], ends: NDArray[np.int64]
) -> None:
    """Normalize quaternions [n, 4] in place; a zero quaternion becomes the identity."""
    size = length(values)
    if size.min() < MIN_QUATERNION_LENGTH:
        flat = np.flatnonzero(size < MIN_QUATERNION_LENGTH)
        for k in np.unique(np.searchsorted(ends, flat, side="right") - 1).tolist():
            keys = flat[(flat >= ends[k]) & (flat < ends[k + 1])] - int(ends[k])
            key = _key_name(document, outputs[k], int(keys[0]))
            more = f" ({len(keys)} keys)" if len(keys) > 1 else ""
            document.warn(
                f"/accessors/{outputs[k].accessor}",
                f"{key} has zero length; the identity is used{more}",
            )
        values[flat] = (0, 0, 0, 1)
        size[flat] = 1
    values /= size[:, None]


class Times(NamedTuple):
    """The key times of a sampler."""

    seconds: F32  # [K] ascending
    order: NDArray[np.intp] | None  # [K] index of each key in the file, if keys were sorted


def read_times(
    document: Document, accessors: Accessors, inputs: dict[int, tuple[int, int]]
) -> dict[int, Times]:
    """Return key times by accessor; unsorted keys are sorted, with a warning.

    Parameters
    ----------
    document, accessors
        Already validated by `validate`.
    inputs
        Accessor index: (animation, sampler) that uses it, for messages.

    Raises
    ------
    GltfError
        A time is not finite or too large.
    """
    if not inputs:
        return {}
    for index, user in inputs.items():
        accessor = accessors.rows[index]
        if accessor["type"] != "SCALAR" or accessor["componentType"] != 5126:
            accessors.require(index, _json_pointer(user), ("SCALAR",), _FLOAT_TYPES)
    counts = [accessors.count(index) for index in inputs]
    ends = np.cumsum([0, *counts]).tolist()
    times = accessors.concatenate(list(inputs), counts, 1)[:, 0]
    if not (times.max() <= LATEST and times.min() >= -LATEST):  # NaN too
        bad = int(np.argmin(np.abs(times) <= LATEST))
        k = int(np.searchsorted(ends, bad, side="right")) - 1
        raise document.error(
            _json_pointer(list(inputs.values())[k]),
            f"the time of key {bad - ends[k] + 1} {fault(times[bad : bad + 1])}",
        )
    steps = np.diff(times, append=np.inf)
    steps[[end - 1 for end in ends[1:]]] = 1  # steps between accessors are not checked
    if steps.min() > 0:
        spans = zip(inputs, pairwise(ends), strict=True)
        return {index: Times(times[a:b], None) for index, (a, b) in spans}
    return {
        index: _sorted(document, times[a:b], _json_pointer(user))
        for (index, user), (a, b) in zip(inputs.items(), pairwise(ends), strict=True)
    }


def _json_pointer(user: tuple[int, int]) -> str:
    return f"/animations/{user[0]}/samplers/{user[1]}/input"


def _sorted(document: Document, times: F32, pointer: str) -> Times:
    """Return sorted key times; the sort is stable."""
    steps = np.diff(times)
    if not steps.size or steps.min() > 0:
        return Times(times, None)
    if steps.min() == 0:
        document.warn(pointer, "two keys at the same time; the later one is used from there on")
        return Times(times, None)
    document.warn(pointer, f"key {int(np.argmax(steps < 0)) + 2} is out of order; keys are sorted")
    order = np.argsort(times, kind="stable")
    return Times(times[order], order)


_PATHS: dict[str, tuple[Path, str, int]] = {
    "translation": ("translation", "VEC3", 3),
    "rotation": ("rotation", "VEC4", 4),
    "scale": ("scale", "VEC3", 3),
    "weights": ("values", "SCALAR", 0),
    "pointer": ("values", "SCALAR", 0),
}
_TRANSFORMS = frozenset({"translation", "rotation", "scale"})
_VECTORS = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4"}
_POINTER_TYPES = _FLOAT_TYPES | {5125}  # KHR_animation_pointer also allows uint32
_BYTE = 5121


class _Target(NamedTuple):
    """The target of an animation channel."""

    node: int  # -1: not a property of a node
    path: str  # as written in the file
    channel: int = -1  # index of the model's value channel; -1: a joint transform
    element: int = -1  # index of a morph weight; -1: all

    def described(self, document: Document) -> str:
        """Return the target's name in warnings."""
        if self.node < 0:
            return "the same property"
        path = self.path if self.element < 0 else f"{self.path}/{self.element}"
        return f"{path} of {described_node(document.json, self.node)}"


class _ActiveChannel(NamedTuple):
    """A valid channel with its sampler and its target."""

    animation: int
    number: int  # of the sampler
    sampler: Json
    has_pointer: bool  # has a KHR_animation_pointer, which allows more component types
    target: _Target


def read_clips(
    document: Document,
    accessors: Accessors,
    order: NodeOrder,
    channels: list[Channel],
    rest: Pose,
) -> tuple[Clip, ...]:
    """Return all animations as clips; tracks with the same key times share one array.

    `rest` is the rest pose of the skeleton.

    If several channels have the same target, the last one is used. Channels without a supported
    target do not affect the clip's start and end.

    Raises
    ------
    GltfError
        Key times or values are not finite, or there are too few values.
    """
    rows = document.rows("animations")
    channel_of = {channel.pointer: c for c, channel in enumerate(channels)}
    active = [
        channel
        for a, row in enumerate(rows)
        for channel in _active_channels(accessors, a, row, channel_of, channels)
    ]
    inputs = {channel.sampler["input"]: (channel.animation, channel.number) for channel in active}
    key_times = read_times(document, accessors, inputs)
    _warn_of_strides(document, accessors, active)
    reader = _TrackReader(document, accessors, order, channels, key_times)
    tracks = reader.tracks(active, len(rows))
    names = unique_names(rows, "Animation")
    return tuple(_clip(document, a, names[a], found, rest) for a, found in enumerate(tracks))


def _warn_of_strides(
    document: Document, accessors: Accessors, active: list[_ActiveChannel]
) -> None:
    """Warn once about a byteStride of key accessors: glTF forbids it (section 3.6.2.4)."""
    views = document.rows("bufferViews")
    strided = {v for v, view in enumerate(views) if view.get("byteStride")}
    if strided:
        used = (channel.sampler[end] for channel in active for end in ("input", "output"))
        wrong = {accessors.rows[index].get("bufferView") for index in used} & strided
        if wrong:
            document.warn(
                f"/bufferViews/{min(wrong)}/byteStride",
                "not allowed for animation keys; the stride is applied",
            )


def _active_channels(
    accessors: Accessors,
    a: int,
    row: dict[str, Any],
    channel_of: dict[str, int],
    channels: list[Channel],
) -> list[_ActiveChannel]:
    """Return the valid channels of an animation; of several with one target, the last."""
    by_target: dict[_Target, tuple[int, bool]] = {}
    document, samplers = accessors.document, row["samplers"]
    for c, channel in enumerate(row["channels"]):
        targets = _targets(document, channel["target"], channel_of, channels)
        if isinstance(targets, str):
            document.warn(
                f"/animations/{a}/channels/{c}/target", f"{targets}; the channel is ignored"
            )
            continue
        if not accessors.rows[samplers[channel["sampler"]]["input"]]["count"]:
            document.warn(
                f"/animations/{a}/channels/{c}", "the sampler has no keys; the channel is ignored"
            )
            continue
        has_pointer = channel["target"]["path"] == "pointer"
        for target in targets:
            if target in by_target:
                document.warn(
                    f"/animations/{a}/channels/{c}/target",
                    f"a second channel for {target.described(document)}; the last one is used",
                )
            by_target[target] = channel["sampler"], has_pointer
    for target in [pointer_target for pointer_target in by_target if pointer_target.element >= 0]:
        if target._replace(element=-1) in by_target:
            del by_target[target]
            document.warn(
                f"/animations/{a}",
                f"channels for {target.described(document)} and for all weights; the one for all "
                "is used",
            )
    return [
        _ActiveChannel(a, number, samplers[number], has_pointer, target)
        for target, (number, has_pointer) in by_target.items()
    ]


def _targets(
    document: Document,
    target: dict[str, Any],
    channel_of: dict[str, int],
    channels: list[Channel],
) -> list[_Target] | str:
    """Return the targets of a channel, or why there are none."""
    node, path = target.get("node"), target["path"]
    if node is not None and path in _TRANSFORMS:  # of nearly all channels
        return [_Target(node, path)]
    pointer = pointer_of(target)
    if pointer is None:
        if node is None:
            return "no target"
        return _node_targets(document, [NodePath(node, path)], channel_of, channels)
    found = node_paths(document, pointer)
    if found:
        return _node_targets(document, found, channel_of, channels)
    if pointer in channel_of:
        return [_Target(-1, "pointer", channel_of[pointer])]
    return unsupported_reason(document, pointer)


def _node_targets(
    document: Document, found: list[NodePath], channel_of: dict[str, int], channels: list[Channel]
) -> list[_Target] | str:
    """Return the targets for properties of nodes, or why there are none."""
    targets = []
    for node, path, element in found:
        number = channel_of.get(f"/nodes/{node}/weights", -1) if path == "weights" else -1
        if path == "weights" and number < 0:
            return f"{described_node(document.json, node)} has no morph weights"
        if path not in _PATHS or path == "pointer":
            named = described_node(document.json, node)
            return f"{path[:40]!r} of {named} cannot be animated"
        if element >= 0 and element >= channels[number].width:
            named = described_node(document.json, node)
            return f"{named} has no morph weight {element} (it has {channels[number].width})"
        targets.append(_Target(node, path, number, element))
    return targets


class _TrackReader(NamedTuple):
    """Reads the tracks of all animations together, for speed: a file can have thousands."""

    document: Document
    accessors: Accessors
    order: NodeOrder
    channels: list[Channel]
    key_times: dict[int, Times]

    def tracks(self, active: list[_ActiveChannel], count: int) -> list[list[Track]]:
        """Return a list of tracks for each of the `count` animations."""
        fitting = self._fitting(active)
        values = read_outputs(self.document, self.accessors, [output for _, output in fitting])
        joints, channels = self.order.joints, self.channels
        tracks: list[list[Track]] = [[] for _ in range(count)]
        for (channel, output), array in zip(fitting, values, strict=True):
            target, start = channel.target.channel, 0
            if output.path == "values":
                start = channels[target].start + max(channel.target.element, 0)
            else:
                target = joints[channel.target.node]
            times = self.key_times[channel.sampler["input"]].seconds
            track = _track(output, target, start, times, array)
            if self._is_boolean(channel):
                track = self._boolean_track(channel, track)
            tracks[channel.animation].append(track)
        return tracks

    def _fitting(self, active: list[_ActiveChannel]) -> list[tuple[_ActiveChannel, Output]]:
        """Return the channels with their outputs.

        A channel of an optional extension whose values do not fit is left out, with a warning.
        """
        required = EXTENSION in self.document.texts("extensionsRequired")
        found = []
        for channel in active:
            try:
                found.append((channel, self._output(channel)))
            except GltfError as error:
                if required or not channel.has_pointer:
                    raise
                self.document.warn(error.place, f"{error.message}; the channel is ignored")
        return found

    def _output(self, channel: _ActiveChannel) -> Output:
        target, sampler = channel.target, channel.sampler
        path, kind, width = _PATHS[target.path]
        times, index = self.key_times[sampler["input"]], sampler["output"]
        interpolation: Interpolation = sampler.get("interpolation") or "LINEAR"
        rows = len(times.seconds) * 3 if interpolation == "CUBICSPLINE" else len(times.seconds)
        expected = rows
        if target.channel >= 0:
            width = 1 if target.element >= 0 else self.channels[target.channel].width
            if target.path == "pointer":
                kind = _VECTORS[width]
            else:
                expected = rows * width
        row = self.accessors.rows[index]
        if row["count"] != expected or row["type"] != kind or row["componentType"] != 5126:
            self._check_output(channel, index, kind, expected)
        if self._is_boolean(channel) and row["componentType"] != _BYTE:
            self.document.warn(
                f"/animations/{channel.animation}/samplers/{channel.number}/output",
                "visibility keys should be unsigned bytes; 0 is hidden, other values are visible",
            )
        return Output(index, path, interpolation, width, rows, times.order)

    def _is_boolean(self, channel: _ActiveChannel) -> bool:
        """Return whether the target is a boolean (visibility)."""
        target = channel.target
        return target.path == "pointer" and self.channels[target.channel].kind == "step"

    def _boolean_track(self, channel: _ActiveChannel, track: Track) -> Track:
        """Return a track with STEP interpolation and values 0 or 1; non-zero values become 1."""
        place = f"/animations/{channel.animation}/samplers/{channel.number}"
        if track.interpolation != "STEP":
            self.document.warn(
                f"{place}/interpolation",
                f"{track.interpolation} is not allowed for visibility; STEP is used",
            )
        values = (track.values != 0).astype(np.float32)
        return Track(track.target, track.path, "STEP", track.times, values, None, track.start)

    def _check_output(self, channel: _ActiveChannel, index: int, kind: str, expected: int) -> None:
        place = f"/animations/{channel.animation}/samplers/{channel.number}/output"
        self.accessors.require(
            index, place, (kind,), _POINTER_TYPES if channel.has_pointer else _FLOAT_TYPES
        )
        message = f"{self.accessors.count(index)} values, but the key times need {expected}"
        if self.accessors.count(index) < expected:
            raise self.document.error(place, message)
        if self.accessors.count(index) > expected:
            self.document.warn(place, message)


def _track(output: Output, target: int, start: int, times: F32, array: F32) -> Track:
    interpolation = output.interpolation
    if interpolation != "CUBICSPLINE":
        return Track(target, output.path, interpolation, times, array, None, start)
    keys = array.reshape(-1, 3, output.width)  # in-tangent, value, out-tangent
    values, tangents = np.ascontiguousarray(keys[:, 1]), np.ascontiguousarray(keys[:, ::2])
    return Track(target, output.path, interpolation, times, values, tangents, start)


def _clip(document: Document, a: int, name: str, tracks: list[Track], rest: Pose) -> Clip:
    key_times = {id(track.times): track.times for track in tracks}.values()
    start = min((float(times[0]) for times in key_times), default=0.0)
    end = max((float(times[-1]) for times in key_times), default=0.0)
    if start < 0:
        document.warn(f"/animations/{a}", f"keys before 0 s (from {start:.4g} s) are not played")
    return Clip(name, max(start, 0.0), max(end, 0.0), tuple(tracks), rest=rest)
