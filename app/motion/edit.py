"""Edits of a motion document: each returns a new document, unchanged where a name is unknown.

Layers are the top-level ones, not those nested in another layer's `play`.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from ..animation.types import F64
from .cross_references import TOUCHED, differences, initial
from .document import (
    Additive,
    At,
    Attachment,
    ClipEvent,
    ClipSettings,
    Cut,
    Fade,
    LayerSettings,
    MotionDoc,
    NamedPose,
    Play,
    Seek,
    Set,
    Space,
    SpaceClip,
    Speed,
    StillPose,
    Value,
    Vector,
    changed_layers,
)

T = TypeVar("T")
_PLAYED = ("clip", "play", "source", "to")  # keys that name what a layer plays
_NAMING: dict[str, tuple[str, ...]] = {  # keys that name an entry, by its table
    "clips": (*_PLAYED, "clips", "transitions"),
    "spaces": _PLAYED,
    "additives": _PLAYED,
    "aims": _PLAYED,
    "iks": _PLAYED,
    "masks": ("mask",),
    "poses": ("pose", "poses"),
    "parameters": ("by", "rate", "speed", "target", "time", "weight", "x", "y"),
}
POSE = "Pose"  # the first name of a layer and of a pose that are made by hand


def free_name(wanted: str, taken: Iterable[str]) -> str:
    """Return an unused name: the wanted one, or that with a number appended."""
    known = set(taken)
    if wanted not in known:
        return wanted
    number = 2
    while f"{wanted} {number}" in known:
        number += 1
    return f"{wanted} {number}"


# layers


def find_layer(document: MotionDoc, name: str) -> LayerSettings | None:
    """Return a layer by name, None if there is none."""
    return next((layer for layer in document.layers if layer.name == name), None)


def with_layer(document: MotionDoc, layer: LayerSettings, index: int | None = None) -> MotionDoc:
    """Add a layer on top, or at an index; its name is made unique."""
    names = [other.name for other in document.layers]
    layer = replace(layer, name=free_name(layer.name, names))
    layers = list(document.layers)
    layers.insert(len(layers) if index is None else index, layer)
    return replace(document, layers=tuple(layers))


def without_layer(document: MotionDoc, name: str) -> MotionDoc:
    """Remove a layer and its scheduled actions."""
    return replace(
        document,
        layers=tuple(item for item in document.layers if item.name != name),
        at=tuple(item for item in document.at if layer_of(item) != name),
    )


def moved_layer(document: MotionDoc, name: str, index: int) -> MotionDoc:
    """Move a layer to another index; the first is the base."""
    layers = [layer for layer in document.layers if layer.name != name]
    moved = find_layer(document, name)
    if moved is not None:
        layers.insert(min(max(index, 0), len(layers)), moved)
    return replace(document, layers=tuple(layers))


def renamed_layer(document: MotionDoc, name: str, new: str) -> MotionDoc:
    """Rename a layer, and all references to it."""
    new = free_name(new.strip(), (each.name for each in document.layers if each.name != name))
    if not new or "." in new or find_layer(document, name) is None:  # a dot means LAYER.weight
        return document
    renamed = changed_layer(document, name, lambda layer: replace(layer, name=new))
    return replace(renamed, at=tuple(_layer_renamed(each, name, new) for each in document.at))


def changed_layer(
    document: MotionDoc, name: str, change: Callable[[LayerSettings], LayerSettings]
) -> MotionDoc:
    """Replace a layer by the result of `change`."""
    layers = tuple(change(layer) if layer.name == name else layer for layer in document.layers)
    return replace(document, layers=layers)


def with_weight(document: MotionDoc, name: str, weight: float) -> MotionDoc:
    """Set a layer's weight."""
    return changed_layer(document, name, lambda layer: replace(layer, weight=weight))


def with_play(document: MotionDoc, name: str, play: Play) -> MotionDoc:
    """Change what a layer plays; additives are added, all else replaces."""
    mode: Literal["replace", "add"] = "replace"
    if differences(document, play):
        mode = "add"
    return changed_layer(document, name, lambda layer: replace(layer, play=play, mode=mode))


def with_mode(document: MotionDoc, name: str, *, add: bool) -> MotionDoc:
    """Change a layer between additive (relative to the rest pose) and replace mode.

    Only clips, and spaces of clips, can be made additive; otherwise the document is returned
    unchanged.
    """
    layer = find_layer(document, name)
    play = None if layer is None else layer.play
    if not isinstance(play, str):
        return document
    if not add:
        additive = document.additives.get(play)
        return document if additive is None else with_play(document, name, additive.source)
    others = (document.spaces, document.additives, document.aims, document.iks)
    space = document.spaces.get(play)
    blends_clips = isinstance(space, Space) and not differences(document, play)
    if not blends_clips and any(play in table for table in others):
        return document
    known = next((key for key, each in document.additives.items() if each.source == play), None)
    if known is None:
        taken = [key for table in others for key in table]
        known = free_name(f"{play} added", taken)
        document = with_entry(document, "additives", known, Additive(play))
    return with_play(document, name, known)


def layer_of(at: At) -> str:
    """Return the layer of a scheduled action, "" for a parameter or a camera."""
    if isinstance(at.do, Set):
        return at.do.name.removesuffix(".weight") if at.do.name.endswith(".weight") else ""
    return "" if isinstance(at.do, Cut) else at.do.layer


def _layer_renamed(at: At, name: str, new: str) -> At:
    if layer_of(at) != name or isinstance(at.do, Cut):
        return at
    do: Fade | Set | Seek | Speed
    if isinstance(at.do, Set):
        do = replace(at.do, name=f"{new}.weight")
    else:
        do = replace(at.do, layer=new)
    return replace(at, do=do)


# parameters


def with_value(document: MotionDoc, name: str, value: Value) -> MotionDoc:
    """Set the initial value of a parameter or `LAYER.weight`."""
    if name in document.parameters:
        return with_entry(
            document, "parameters", name, replace(document.parameters[name], default=value)
        )
    if name.endswith(".weight") and isinstance(value, int | float):
        return with_weight(document, name.removesuffix(".weight"), float(value))
    return document


def with_value_at(document: MotionDoc, name: str, value: Value, time: float) -> MotionDoc:
    """Set a parameter or `LAYER.weight` in the latest entry that sets it up to a time."""
    setting = [
        index
        for index, entry in enumerate(document.at)
        if entry.time <= time and isinstance(entry.do, Set) and entry.do.name == name
    ]
    if not setting:
        return with_value(document, name, value)
    last = max(setting, key=lambda index: (document.at[index].time, index))
    at = document.at[last]
    assert isinstance(at.do, Set)
    return changed_at(document, last, replace(at, do=replace(at.do, value=value)))


def as_value(number: F64) -> Value:
    """Return an array of shape () or (3,) as a document value."""
    if number.ndim == 0:
        return float(number)
    x, y, z = number.tolist()
    return x, y, z


def value_of(document: MotionDoc, name: str) -> Value | None:
    """Return the initial value of a parameter or `LAYER.weight`, None if it does not exist."""
    if name in document.parameters:
        return document.parameters[name].default
    layer = find_layer(document, name.removesuffix(".weight"))
    if layer is None or not name.endswith(".weight"):
        return None
    return initial(document, layer.weight)


# masks


def without_mask(document: MotionDoc, name: str) -> MotionDoc:
    """Remove a mask, also from the layers that use it."""
    layers = changed_layers(
        document.layers, lambda each: replace(each, mask=None) if each.mask == name else each
    )
    return replace(document, masks=_drop(document.masks, name), layers=layers)


def with_mask_weight(document: MotionDoc, name: str, joint: str, weight: float) -> MotionDoc:
    """Set the mask weight of a joint and its descendants."""
    return _with_joints(document, name, lambda joints: _put(joints, joint, weight))


def without_mask_joint(document: MotionDoc, name: str, joint: str) -> MotionDoc:
    """Remove a joint's mask weight, so that it inherits its parent's."""
    return _with_joints(document, name, lambda joints: _drop(joints, joint))


def _with_joints(
    document: MotionDoc, name: str, change: Callable[[Mapping[str, float]], Mapping[str, float]]
) -> MotionDoc:
    mask = document.masks.get(name)
    if mask is None:
        return document
    return with_entry(document, "masks", name, replace(mask, joints=change(mask.joints)))


# poses


def pose_by_hand(document: MotionDoc) -> str:
    """Return the pose that is made by hand: that of the topmost layer with one; "" without."""
    plays = [layer.play for layer in reversed(document.layers) if not layer.mute]
    poses = (play.pose for play in plays if isinstance(play, StillPose))
    return next((pose for pose in poses if pose in document.poses), "")


def with_pose_by_hand(document: MotionDoc, joints: NamedPose, base: Play) -> MotionDoc:
    """Set joints of the pose that is made by hand; without one, add it, and a layer on top.

    The first layer of a document without layers plays `base`.
    """
    name = pose_by_hand(document)
    if not name:
        name = free_name(POSE, document.poses)
        if not document.layers:
            document = with_layer(document, LayerSettings("base", base))
        document = with_layer(document, LayerSettings(POSE, StillPose(name), mask=TOUCHED))
    return with_pose(document, name, {**document.poses.get(name, {}), **joints})


def with_pose(document: MotionDoc, name: str, joints: NamedPose) -> MotionDoc:
    """Add or change a pose."""
    return replace(document, poses=_put(document.poses, name, MappingProxyType(dict(joints))))


# blend spaces


def with_space_point(
    document: MotionDoc, name: str, point: int, at: tuple[float, ...]
) -> MotionDoc:
    """Move clip number `point` of a blend space to another position."""
    return _with_clips(
        document,
        name,
        lambda clips: tuple(
            replace(clip, at=at) if number == point else clip for number, clip in enumerate(clips)
        ),
    )


def with_space_clip(document: MotionDoc, name: str, clip: SpaceClip) -> MotionDoc:
    """Add a clip to a blend space."""
    return _with_clips(document, name, lambda clips: (*clips, clip))


def without_space_clip(document: MotionDoc, name: str, point: int) -> MotionDoc:
    """Remove clip number `point` from a blend space."""
    return _with_clips(document, name, lambda clips: clips[:point] + clips[point + 1 :])


def _with_clips(
    document: MotionDoc,
    name: str,
    change: Callable[[tuple[SpaceClip, ...]], tuple[SpaceClip, ...]],
) -> MotionDoc:
    space = document.spaces.get(name)
    if not isinstance(space, Space):
        return document
    return with_entry(document, "spaces", name, replace(space, clips=change(space.clips)))


# scheduled actions


def with_at(document: MotionDoc, at: At) -> MotionDoc:
    """Append a scheduled action."""
    return replace(document, at=(*document.at, at))


def with_fade(document: MotionDoc, time: float, fade: Fade) -> MotionDoc:
    """Add a cross-fade at a time (tau, seconds)."""
    return with_at(document, At(time, fade))


def changed_at(document: MotionDoc, index: int, at: At) -> MotionDoc:
    """Replace scheduled action number `index`."""
    entries = (at if number == index else each for number, each in enumerate(document.at))
    return replace(document, at=tuple(entries))


def without_at(document: MotionDoc, index: int) -> MotionDoc:
    """Remove scheduled action number `index`."""
    return replace(document, at=document.at[:index] + document.at[index + 1 :])


# clips


def with_event(document: MotionDoc, clip: str, mark: ClipEvent) -> MotionDoc:
    """Append an event to a clip."""
    settings = document.clips.get(clip, ClipSettings())
    return _with_events(document, clip, (*settings.events, mark))


def without_event(document: MotionDoc, clip: str, index: int) -> MotionDoc:
    """Remove event number `index` of a clip."""
    if clip not in document.clips:
        return document
    events = document.clips[clip].events
    return _with_events(document, clip, events[:index] + events[index + 1 :])


def with_clip_settings(document: MotionDoc, clip: str, settings: ClipSettings) -> MotionDoc:
    """Set the settings of a clip; the defaults remove it from the document."""
    if settings == ClipSettings():
        return replace(document, clips=_drop(document.clips, clip))
    return replace(document, clips=_put(document.clips, clip, settings))


def with_cut_clip(
    document: MotionDoc, name: str, source: str, span: tuple[float, float]
) -> MotionDoc:
    """Add a clip that is a range of another, seconds, in the order of the ranges."""
    made = ClipSettings(source=source, range=span)
    clips = {**document.clips, name: made}
    later = [
        key
        for key, each in document.clips.items()
        if each.source == source and each.range is not None and each.range > span
    ]
    for key in later:
        clips[key] = clips.pop(key)
    return replace(document, clips=MappingProxyType(clips))


def with_attached(
    document: MotionDoc, file: str, joint: str, *, given: bool = False
) -> tuple[MotionDoc, str]:
    """Attach a file to a joint, named after the file; return the name, too."""
    name = free_name(Path(file).stem, document.attachments)
    made = Attachment(file, joint, given=given)
    return with_entry(document, "attachments", name, made), name


def with_entry(document: MotionDoc, table: str, name: str, entry: object) -> MotionDoc:
    """Add or change an entry of a table: of "parameters", "spaces", "iks" and so on."""
    return replace(document, **{table: _put(getattr(document, table), name, entry)})  # type: ignore[arg-type]


def without_entry(document: MotionDoc, table: str, name: str) -> MotionDoc:
    """Remove an entry of a table; what refers to it stays."""
    return replace(document, **{table: _drop(getattr(document, table), name)})  # type: ignore[arg-type]


def renamed_entry(document: MotionDoc, table: str, name: str, new: str) -> MotionDoc:
    """Rename an entry of a table, and all references to it."""
    keys = _NAMING.get(table, ())

    def renamed(value: Any, key: str = "") -> Any:  # noqa: ANN401 - any part of a document
        if isinstance(value, str):
            return new if value == name and key in keys else value
        if isinstance(value, tuple):
            return tuple(renamed(each, key) for each in value)
        if isinstance(value, Mapping):
            own = value is getattr(document, table)
            parts = {new if own and k == name else k: renamed(v, key) for k, v in value.items()}
            return MappingProxyType(parts)
        if is_dataclass(value) and not isinstance(value, type):
            sets = isinstance(value, Set) and table == "parameters" and value.name == name
            changed = {f.name: renamed(getattr(value, f.name), f.name) for f in fields(value)}
            return replace(value, **(changed | {"name": new} if sets else changed))
        return value

    changed: MotionDoc = renamed(document)
    return changed


def _with_events(document: MotionDoc, clip: str, events: tuple[ClipEvent, ...]) -> MotionDoc:
    settings = replace(document.clips.get(clip, ClipSettings()), events=events)
    return with_clip_settings(document, clip, settings)


def _put(table: Mapping[str, T], name: str, value: T) -> Mapping[str, T]:
    return MappingProxyType({**table, name: value})


def _drop(table: Mapping[str, T], name: str) -> Mapping[str, T]:
    return MappingProxyType({key: value for key, value in table.items() if key != name})


def as_vector(numbers: ArrayLike) -> Vector:
    """Return three numbers, rounded as they are written."""
    x, y, z = (round(float(number), 4) + 0.0 for number in np.asarray(numbers))
    return x, y, z
