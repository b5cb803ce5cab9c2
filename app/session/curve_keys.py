"""The selected key of the curves panel: moving it in time and value, and deleting it."""

from dataclasses import dataclass
from typing import NamedTuple

from ..animation.track import Track
from ..curves.key_edits import HeldKey
from ..curves.lane import Lane
from .session import Session


class ChosenKey(NamedTuple):
    """A key by the names of its clip, subject, chart and line, and its index."""

    clip: str
    subject: str
    chart: str
    label: str
    key: int


@dataclass(slots=True)
class KeyDrag:
    """A drag of a key.

    Attributes
    ----------
    start
        Where it began, points of the window.
    lane
        Where the key was drawn.
    scales
        Least and greatest value of each lane, by chart and label of its first line: they stay.
    axes
        What it changes: ``time``, ``value``, or both; empty: the pointer has hardly moved.
    """

    held: HeldKey
    start: tuple[float, float]
    lane: Lane
    scales: dict[tuple[str, str], tuple[float, float]]
    axes: frozenset[str] = frozenset()


@dataclass(slots=True)
class CurveKeys:
    """State of the selected key."""

    chosen: ChosenKey | None = None
    drag: KeyDrag | None = None


def selected_key(session: Session) -> HeldKey | None:
    """Return the selected key as it is now; None: it is not among the curves that are shown."""
    curves, chosen = session.interface.curves.curves, session.interface.of(CurveKeys).chosen
    if curves is None or chosen is None or chosen[:2] != (curves.clip, curves.subject):
        return None
    found = (
        HeldKey.of(chart, line, chosen.key)
        for chart in curves.charts
        for line in chart.lines
        if (chart.name, line.label) == chosen[2:4]
    )
    return next(found, None)


def move_key(
    session: Session, held: HeldKey, seconds: float, value: float, merge: str = "key"
) -> None:
    """Move a key of the shown clip; of a drag with the same `merge` it is one step."""
    _put(session, held.moved(seconds, value), "Move a key", merge)


def delete_key(session: Session) -> None:
    """Delete the selected key."""
    held, keys = selected_key(session), session.interface.of(CurveKeys)
    if held is None or not session.interface.curves.shown:
        session.notify("Select a key in the curves first: a click on it")
        return
    track = held.deleted()
    if track is None:
        session.notify("The only key of a track stays")
        return
    keys.chosen = None
    _put(session, track, "Delete a key")


def _put(session: Session, track: Track, words: str, merge: str = "") -> None:
    """Replace a track of the shown clip."""
    own, clip = session.active, session.interface.curves.listed_clip
    if own is None or clip is None:
        return
    changes = own.changes
    subject = session.interface.curves.subject
    edits = changes.edits.with_track(changes.base, clip, track)
    changes.edit(edits, f"{words} of {subject}", merge)


def snapped(session: Session, seconds: float) -> float:
    """Return the time of the nearest frame."""
    return round(seconds * session.frame_rate) / session.frame_rate
