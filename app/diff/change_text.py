"""Changes and differences of tracks as text."""

from ..wording import LONG, measure, one_line
from .difference import Change, Kind, TrackDifference, Value

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
_ONLY_DIFFERENCES = ("mm", "°", "%", "of 255", "of 1", "of the texture")  # units of changes from 0


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
