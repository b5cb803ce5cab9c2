"""What a comparison found, as plain data."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Kind = Literal[
    "file",
    "scale",
    "joint",
    "skin",
    "mesh",
    "material",
    "texture",
    "clip",
    "camera",
    "extension",
]
What = Literal["added", "removed", "renamed", "changed"]
Value = str | float | int | tuple[float, ...] | None


@dataclass(frozen=True, slots=True)
class Change:
    """Something that one version has and the other has not, or has otherwise."""

    kind: Kind
    what: What
    name: str  # as A has it; of what is added, as B has it
    now: str = ""  # of what is renamed, its name in B
    field: str = ""  # of what is changed, which of its properties
    before: Value = None
    after: Value = None
    unit: str = ""  # of both
    note: str = ""  # how it is known, or where it is greatest
    stored: bool = False  # only the file stores it otherwise: the character is the same


def changed(
    kind: Kind,
    name: str,
    field: str,
    values: Sequence[Value],
    *,
    unit: str = "",
    note: str = "",
    stored: bool = False,
) -> Change:
    """Return that a property of something had one value and has another."""
    before, after = values
    return Change(kind, "changed", name, "", field, before, after, unit, note, stored)


@dataclass(frozen=True, slots=True)
class Off:
    """How far two poses or motions are apart: at every vertex and every joint, model space."""

    metres: float = 0.0  # the greatest
    joint: str = ""  # the heaviest one of that vertex, as B calls it; "": nothing differs
    time: float = 0.0  # seconds
    mean: float = 0.0  # metres, over all vertices (joints, without a skin to compare) and the time
    degrees: float = 0.0  # the greatest angle of a joint
    turned: str = ""
    turned_time: float = 0.0
    weight: float = 0.0  # the greatest difference of a morph weight, or of another value
    value: str = ""  # whose
    value_time: float = 0.0


@dataclass(frozen=True, slots=True)
class ClipDifference:
    """A clip that both have."""

    name: str
    now: str  # its name in B
    indices: tuple[int, int]  # in A, in B
    starts: tuple[float, float]  # seconds
    ends: tuple[float, float]
    keys: tuple[int, int]
    sizes: tuple[int, int]  # bytes of its keys
    off: Off
    same: bool  # nothing is further off than the thresholds


@dataclass(frozen=True, slots=True)
class Difference:
    """Two versions of a character, compared."""

    metres: float  # what is within is the same
    degrees: float
    identical: bool = False  # byte by byte
    scale: float = 1.0  # how much greater B is; lengths of B are divided by it
    changes: tuple[Change, ...] = ()
    rest: Off = field(default_factory=Off)  # between the rest poses
    clips: tuple[ClipDifference, ...] = ()
    skin: bool = True  # whether the vertices correspond; else errors are those of joints
    unmatched: tuple[str, ...] = ()  # meshes whose vertices do not correspond

    @property
    def rest_differs(self) -> bool:
        """Whether the rest poses are further apart than the thresholds."""
        return self.rest.metres > self.metres or self.rest.degrees > self.degrees

    @property
    def same(self) -> bool:
        """Whether nothing but the way it is stored differs."""
        return (
            all(change.stored for change in self.changes)
            and all(clip.same for clip in self.clips)
            and not self.rest_differs
        )

    @property
    def worst(self) -> ClipDifference | None:
        """The clip with the greatest error; None where none differs."""
        differing = [clip for clip in self.clips if not clip.same]
        return max(differing, key=self._badness, default=None)

    def _badness(self, clip: ClipDifference) -> tuple[bool, float, float, float]:
        off = clip.off
        return off.metres > self.metres, off.metres, off.degrees, off.weight


def as_json(found: Difference) -> dict[str, Any]:
    """Return a comparison as values that JSON knows: millimetres, degrees, seconds, bytes."""
    return {
        "same": found.same,
        "identical": found.identical,
        "thresholds": {"mm": found.metres * 1000, "deg": found.degrees},
        "scale": found.scale,
        "measured_at": "skin" if found.skin else "joints",
        "unmatched_meshes": list(found.unmatched),
        "changes": [_change(change) for change in found.changes],
        "rest": {**_off(found.rest), "same": not found.rest_differs},
        "clips": [
            {
                "name": clip.name,
                "now": clip.now,
                "same": clip.same,
                "start": list(clip.starts),
                "end": list(clip.ends),
                "keys": list(clip.keys),
                "bytes": list(clip.sizes),
                **_off(clip.off),
            }
            for clip in found.clips
        ],
    }


def _change(change: Change) -> dict[str, Any]:
    row: dict[str, Any] = {"kind": change.kind, "what": change.what, "name": change.name}
    for key in ("now", "field", "unit", "note"):
        if getattr(change, key):
            row[key] = getattr(change, key)
    if change.what == "changed":
        row |= {"before": change.before, "after": change.after}
    return row | {"counts": not change.stored}


def _off(off: Off) -> dict[str, Any]:
    return {
        "max_mm": off.metres * 1000,
        "joint": off.joint or None,
        "time": off.time,
        "mean_mm": off.mean * 1000,
        "max_deg": off.degrees,
        "turned_joint": off.turned or None,
        "turned_time": off.turned_time,
        "max_weight": off.weight,
        "weight_of": off.value or None,
        "weight_time": off.value_time,
    }
