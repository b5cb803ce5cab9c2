"""Changes of cameras and lights."""

import math
from collections.abc import Sequence
from typing import Literal, TypeVar

from ..model.model import CameraView, LightSource, Model
from .difference import Change, Value, as_value, changed, equal_values
from .joints import JointMatch
from .name_matching import added_removed_renamed

Attached = TypeVar("Attached", CameraView, LightSource)

# field of the object: its label and unit
_CAMERA = {
    "kind": ("kind", ""),
    "yfov": ("vertical field of view", "°"),
    "xmag": ("half width", "m"),
    "ymag": ("half height", "m"),
    "znear": ("near plane", "m"),
    "zfar": ("far plane", "m"),
    "aspect": ("aspect ratio", ""),
}
_LIGHT = {
    "kind": ("kind", ""),
    "color": ("colour", ""),
    "intensity": ("intensity", ""),
    "range": ("range", "m"),
    "inner": ("inner cone angle", "°"),
    "outer": ("outer cone angle", "°"),
}


def camera_changes(a: Model, b: Model, match: JointMatch) -> list[Change]:
    """Return cameras removed, added, renamed, and changes of the others."""
    return _changes("camera", (a, b), (a.cameras, b.cameras), match, _CAMERA)


def light_changes(a: Model, b: Model, match: JointMatch) -> list[Change]:
    """Return lights removed, added, renamed, and changes of the others."""
    return _changes("light", (a, b), (a.lights, b.lights), match, _LIGHT)


def match_attached(
    one: Sequence[Attached], two: Sequence[Attached], match: JointMatch
) -> list[tuple[int, int]]:
    """Return the matching cameras or lights: by name and node, by name, then by node."""
    found: dict[int, int] = {}
    free = set(range(len(two)))
    for by_name, by_node in ((True, True), (True, False), (False, True)):
        for k in sorted(set(range(len(one))) - set(found)):
            for n in sorted(free):
                if (not by_name or one[k].name == two[n].name) and (
                    not by_node or match.to[one[k].joint] == two[n].joint
                ):
                    found[k] = n
                    free.discard(n)
                    break
    return sorted(found.items())


def numbers_of(
    one: Sequence[Attached], two: Sequence[Attached], match: JointMatch
) -> list[tuple[int, int]]:
    """Return the indices in the two files of matching cameras or lights, each pair once."""
    pairs = match_attached(one, two, match)
    return sorted({(one[k].number, two[n].number) for k, n in pairs})


def _changes(
    kind: Literal["camera", "light"],
    models: tuple[Model, Model],
    groups: tuple[Sequence[Attached], Sequence[Attached]],
    match: JointMatch,
    fields: dict[str, tuple[str, str]],
) -> list[Change]:
    pairs = match_attached(*groups, match)
    found = list(added_removed_renamed(kind, *groups, pairs))
    for k, n in pairs:
        one, two = groups[0][k], groups[1][n]
        if match.to[one.joint] != two.joint:
            nodes = [m.skeleton.names[x.joint] for m, x in zip(models, (one, two), strict=True)]
            found.append(changed(kind, one.name, "node", nodes))
        for field, (label, unit) in fields.items():
            values = [getattr(each, field) for each in (one, two)]
            if not equal_values(*values):
                shown = [_shown(field, value, unit) for value in values]
                found.append(changed(kind, one.name, label, shown, unit=unit))
    return found


def _shown(field: str, value: object, unit: str) -> Value:
    if field == "range" and value == 0:
        return "infinite"
    if unit == "°" and isinstance(value, float):
        return math.degrees(value)
    return as_value(value)
