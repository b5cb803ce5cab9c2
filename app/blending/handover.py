"""Playback state after an edit: layers of a new mixer continue from those of the old, by name."""

import copy

import numpy as np

from .layer_kinds import Act, Add, Cover
from .layers import Layers
from .sources import ClipSource, Source
from .space_source import SpaceSource


def adopt(new: Layers, old: Layers, tau: float) -> None:
    """Copy the state at `tau` from old layers to new ones of the same name and content."""
    before = {layer.name: layer.act for layer in old.layers}
    for layer in new.layers:
        if layer.name in before:
            _adopt_act(layer.act, before[layer.name], tau)


def _adopt_act(new: Act, old: Act, tau: float) -> None:
    if isinstance(new, Cover | Add) and isinstance(old, Cover | Add):
        _adopt_source(new.source, old.source, tau)
    elif type(new) is type(old) and new.minds and old.minds:
        new.restore(old.save())


def _adopt_source(new: Source, old: Source, tau: float) -> None:
    if isinstance(new, Layers) and isinstance(old, Layers):
        adopt(new, old, tau)
    elif isinstance(new, ClipSource) and isinstance(old, ClipSource):
        _adopt_clip(new, old, tau)
    elif isinstance(new, SpaceSource) and isinstance(old, SpaceSource):
        _adopt_space(new, old, tau)


def _adopt_clip(new: ClipSource, old: ClipSource, tau: float) -> None:
    mine, its = new.playback, old.playback
    same = (mine.mode, float(mine.passes.max())) == (its.mode, float(its.passes.max()))
    if new.clip.name != old.clip.name or not same:
        return
    if not (np.array_equal(mine.duration, its.duration) and np.array_equal(mine.start, its.start)):
        return
    new.playback = copy.copy(its)
    if not np.array_equal(mine.rate, its.rate):
        new.playback.set_rate(mine.rate, tau)


def _adopt_space(new: SpaceSource, old: SpaceSource, tau: float) -> None:
    if new.group is not None and old.group is not None:
        if new.group.beats == old.group.beats:
            rate = new.group.rate
            new.group.restore(old.group.save())
            new.group.rate = rate
        return
    before = {member.clip.name: member for member in old.clips}
    for member in new.clips:
        if member.clip.name in before:
            _adopt_clip(member, before[member.clip.name], tau)
