"""A strafing space put to work: six clips in step, and the transitions between their halves."""

import math

import numpy as np

from ..blending.sources import ClipSource, Source
from ..blending.strafe import ROLES, StrafeSource
from ..blending.sync_group import SyncGroup
from ..tomlfile.toml_errors import KeyPath, fault, quoted
from .bind_sources import Casting
from .document import StrafeSpace


def strafe(
    casting: Casting, space: StrafeSpace, path: KeyPath, *, tau: float, rate: float
) -> Source:
    """Return the source that plays a strafing space."""
    names = casting.names
    for role in ROLES:
        if role not in space.clips:
            raise fault((*path, "clips"), f"names no clip for {quoted(role)}")
    numbers = [names.clip(space.clips[role], (*path, "clips", role)) for role in ROLES]
    members = [_clip(casting, n, path, tau, rate) for n in numbers]
    turns = {
        turn: _clip(casting, names.clip(text, (*path, "transitions", turn)), path, tau, rate)
        for turn, text in space.transitions.items()
    }
    group = casting.group(members, rate, path, sync=True)
    assert isinstance(group, SyncGroup)
    direction = casting.value(space.x, (*path, "x"))
    ranks = [*numbers, *(names.clip(text, path) for text in space.transitions.values())]
    return StrafeSource(
        members,
        turns,
        lambda at: np.radians(direction(at)),
        names.parameters.moving,
        names.rig,
        group,
        hysteresis=math.radians(space.hysteresis),
        seconds=space.seconds,
        ranks=ranks,
        rotation=space.rotation,
        events=space.events,
        batch=names.batch,
    )


def _clip(casting: Casting, number: int, path: KeyPath, tau: float, rate: float) -> ClipSource:
    source = casting.clip(number, tau=tau, rate=rate)
    if not isinstance(source, ClipSource):
        sentence = f"{quoted(source.clip.name)} is driven by a value: it has no phase"
        raise fault((*path, "clips"), sentence)
    return source
