"""Results of a comparison: as plain data, as JSON values and as text."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from ..wording import LONG, counted, measure, one_line

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
    "light",
    "extension",
]
TITLES: dict[Kind, str] = {
    "file": "File",
    "scale": "Scale",
    "joint": "Joints",
    "skin": "Skins",
    "mesh": "Meshes",
    "material": "Materials",
    "texture": "Textures",
    "clip": "Animations",
    "camera": "Cameras",
    "light": "Lights",
    "extension": "Extensions",
}
What = Literal["added", "removed", "renamed", "changed"]
_ONLY_DIFFERENCES = ("mm", "°", "%", "of 255", "of 1", "of the texture")  # units of changes from 0

Value = str | float | int | tuple[float, ...] | None


@dataclass(frozen=True, slots=True)
class Change:
    """Something added, removed, renamed or changed between two versions."""

    kind: Kind
    what: What
    name: str  # its name in A; of something added, in B
    now: str = ""  # of something renamed, its name in B
    field: str = ""  # of something changed, the property
    before: Value = None
    after: Value = None
    unit: str = ""  # of both values
    note: str = ""  # how it was matched, or where the difference is greatest
    stored: bool = False  # differs only in storage: the character is the same


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
    """Return the change of a property from one value to another."""
    before, after = values
    return Change(kind, "changed", name, "", field, before, after, unit, note, stored)


@dataclass(frozen=True, slots=True)
class Deviation:
    """Deviation of two poses or clips over all vertices and joints, model space."""

    metres: float = 0.0  # greatest distance of a vertex or joint
    joint: str = ""  # name in B of the joint with the greatest weight there; "": no difference
    time: float = 0.0  # seconds
    mean: float = 0.0  # metres, over all vertices (joints, if none correspond) and the time
    degrees: float = 0.0  # greatest angle of a joint
    turned: str = ""  # the joint with that angle
    turned_time: float = 0.0
    weight: float = 0.0  # greatest difference of a morph weight or another animated value
    value: str = ""  # the joint or JSON pointer of that value
    value_time: float = 0.0


@dataclass(frozen=True, slots=True)
class TrackDifference:
    """The greatest difference of one track of two matching clips, relative to the parent."""

    joint: str  # name in B; "": not of a joint
    path: str  # translation, rotation, scale, "morph weight NAME", or the pointer of a value
    amount: float
    unit: str  # mm at rest, ° or none
    time: float  # seconds
    note: str = ""  # what differs in storage: another interpolation or number of keys


@dataclass(frozen=True, slots=True)
class ClipDifference:
    """The difference of two matching clips."""

    name: str
    now: str  # its name in B
    indices: tuple[int, int]  # in A, in B
    starts: tuple[float, float]  # seconds
    ends: tuple[float, float]
    keys: tuple[int, int]
    sizes: tuple[int, int]  # bytes of the keys
    deviation: Deviation
    same: bool  # whether the deviation is within the thresholds
    tracks: tuple[TrackDifference, ...] = ()  # if not the same: the greatest difference first


@dataclass(frozen=True, slots=True)
class Difference:
    """The result of comparing two versions of a character.

    Examples
    --------
    >>> found = rigview.diff("old.glb", "new.glb")
    >>> found
    <Difference 1 change, 0 of 3 clips differ>
    >>> change = found.changes[0]
    >>> change.what, change.kind, change.name
    ('removed', 'clip', 'Wave')
    """

    metres: float  # thresholds
    degrees: float
    identical: bool = False  # whether the files are identical, byte by byte
    scale: float = 1.0  # size of B relative to A; lengths of B are divided by it
    changes: tuple[Change, ...] = ()
    rest: Deviation = field(default_factory=Deviation)  # between the rest poses
    clips: tuple[ClipDifference, ...] = ()
    skin: bool = True  # whether vertices correspond; else deviations are those of joints
    unmatched: tuple[str, ...] = ()  # meshes whose vertices do not correspond

    def __repr__(self) -> str:
        changes = counted(sum(not change.stored for change in self.changes), "change")
        moved = sum(not clip.same for clip in self.clips)
        rest = ", another rest pose" if self.rest_differs else ""
        return f"<Difference {changes}, {moved} of {counted(len(self.clips), 'clip')} differ{rest}>"

    @property
    def rest_differs(self) -> bool:
        """Whether the deviation of the rest poses exceeds the thresholds."""
        return self.rest.metres > self.metres or self.rest.degrees > self.degrees

    @property
    def same(self) -> bool:
        """Whether the versions differ at most in storage."""
        return (
            all(change.stored for change in self.changes)
            and all(clip.same for clip in self.clips)
            and not self.rest_differs
        )

    @property
    def worst(self) -> ClipDifference | None:
        """The clip with the greatest deviation; None if none differs."""
        differing = [clip for clip in self.clips if not clip.same]
        return max(differing, key=self._badness, default=None)

    def _badness(self, clip: ClipDifference) -> tuple[bool, float, float, float]:
        deviation = clip.deviation
        return deviation.metres > self.metres, deviation.metres, deviation.degrees, deviation.weight


def as_json(found: Difference) -> dict[str, Any]:
    """Return a comparison as JSON values: millimetres, degrees, seconds, bytes."""
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
                **_off(clip.deviation),
                "tracks": [_track(track) for track in clip.tracks],
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


def _track(track: TrackDifference) -> dict[str, Any]:
    row: dict[str, Any] = {"joint": track.joint or None, "path": track.path, "amount": track.amount}
    row |= {key: getattr(track, key) for key in ("unit", "note") if getattr(track, key)}
    return row | {"time": track.time}


def _off(deviation: Deviation) -> dict[str, Any]:
    return {
        "max_mm": deviation.metres * 1000,
        "joint": deviation.joint or None,
        "time": deviation.time,
        "mean_mm": deviation.mean * 1000,
        "max_deg": deviation.degrees,
        "turned_joint": deviation.turned or None,
        "turned_time": deviation.turned_time,
        "max_weight": deviation.weight,
        "weight_of": deviation.value or None,
        "weight_time": deviation.value_time,
    }


def change_text(change: Change) -> str:
    """Return what has changed, by how much: ``Arm: rest position by 20 mm``, ``Hand → Palm``."""
    name, note = one_line(change.name), f" ({one_line(change.note)})" if change.note else ""
    if change.what == "renamed":
        return f"{name} → {one_line(change.now)}{note}"
    if change.what != "changed":
        return f"{name}{note}"
    return f"{name}: {change.field}{change_amount(change)}{note}"


def change_amount(change: Change) -> str:
    """Return by how much a property has changed, after a space; "" if that is not a number."""
    if change.before is None:
        return ""
    after = _amount(change.after, change.unit)
    if change.before == 0.0 and change.unit in _ONLY_DIFFERENCES:
        return f" by {after}"
    return f" {_value(change.before)} → {after}"


def track_text(track: TrackDifference) -> str:
    """Return which track differs, by how much and when: ``Arm rotation by 20° at 0.400 s``."""
    note = f" ({track.note})" if track.note else ""
    name = one_line(f"{track.joint} {track.path}".strip())
    return f"{name} by {track_amount(track)} at {track.time:.3f} s{note}"


def track_amount(track: TrackDifference) -> str:
    """Return by how much a track differs, with its unit."""
    return _amount(track.amount, track.unit)


def _amount(value: Value, unit: str) -> str:
    """Return a value with its unit, lengths from 10 m in metres: ``12.25 mm``, ``290 m``."""
    if unit == "mm" and isinstance(value, float) and abs(value) >= LONG:
        return measure(value, unit)
    return f"{_value(value)}{'' if unit in ('', '°') else ' '}{unit}"


def _value(value: Value) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(_value(part) for part in value)})"
    if isinstance(value, float):
        text = f"{value:.4g}"
        return f"{value:.0f}" if "e+" in text and abs(value) < 1e9 else text
    return one_line(str(value))
