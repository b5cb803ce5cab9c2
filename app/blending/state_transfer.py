"""Playback state after an edit: layers of a new mixer continue from those of the old, by name."""

import copy

import numpy as np

from .layers import Layers
from .pose_modifiers import AdditiveModifier, OverrideModifier, PoseModifier
from .sources import ClipSource, Source
from .space_source import SpaceSource


def continue_from(new: Layers, old: Layers, tau: float) -> None:
    """Copy the state at `tau` from old layers to new ones of the same name and content."""
    before = {layer.name: layer.operation for layer in old.layers}
    for layer in new.layers:
        if layer.name in before:
            _continue_act(layer.operation, before[layer.name], tau)


def _continue_act(new: PoseModifier, old: PoseModifier, tau: float) -> None:
    if isinstance(new, OverrideModifier | AdditiveModifier) and isinstance(
        old, OverrideModifier | AdditiveModifier
    ):
        _continue_source(new.source, old.source, tau)
    elif type(new) is type(old) and new.pose_dependent and old.pose_dependent:
        new.restore(old.save())


def _continue_source(new: Source, old: Source, tau: float) -> None:
    if isinstance(new, Layers) and isinstance(old, Layers):
        continue_from(new, old, tau)
    elif isinstance(new, ClipSource) and isinstance(old, ClipSource):
        _continue_clip(new, old, tau)
    elif isinstance(new, SpaceSource) and isinstance(old, SpaceSource):
        _continue_space(new, old, tau)


def _continue_clip(new: ClipSource, old: ClipSource, tau: float) -> None:
    mine, its = new.playback, old.playback
    same = (mine.mode, float(mine.passes.max())) == (its.mode, float(its.passes.max()))
    if new.clip.name != old.clip.name or not same:
        return
    if not (np.array_equal(mine.duration, its.duration) and np.array_equal(mine.start, its.start)):
        return
    new.playback = copy.copy(its)
    if not np.array_equal(mine.rate, its.rate):
        new.playback.set_rate(mine.rate, tau)


def _continue_space(new: SpaceSource, old: SpaceSource, tau: float) -> None:
    if new.group is not None and old.group is not None:
        if new.group.sync_tracks == old.group.sync_tracks:
            rate = new.group.rate
            new.group.restore(old.group.save())
            new.group.rate = rate
        return
    before = {member.clip.name: member for member in old.clips}
    for member in new.clips:
        if member.clip.name in before:
            _continue_clip(member, before[member.clip.name], tau)
