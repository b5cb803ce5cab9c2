"""The rows of the list of differences, greatest first, and what each of them is about."""

import math
from collections.abc import Iterator
from typing import NamedTuple

from ..differences.difference import (
    TITLES,
    Change,
    ClipDifference,
    Deviation,
    Difference,
    Kind,
    TrackDifference,
    change_amount,
    change_text,
    track_amount,
)
from ..memo import Memo
from ..model.model import Model
from ..scene.selected import Selected
from ..wording import capitalized, millimetres

OLD, NEW = 0, 1
_RANKS = {"removed": 0, "added": 1, "changed": 2, "renamed": 3}


class DifferenceRow(NamedTuple):
    """A row of the list.

    Attributes
    ----------
    amount
        How much it is, at the end of the row.
    words
        All that is known of it.
    indent
        0: a heading; 1: a difference; 2: a part of the one above it.
    version
        `OLD` or `NEW`: in which version it is selected.
    selected
        The joint or part of a mesh that it is about; None: neither.
    clips
        Indices of the clip in both versions, -1: missing; None: no clip.
    time
        Seconds of the clip at which it is greatest; None: at any time.
    rest
        Whether it is one of the rest pose.
    """

    text: str
    amount: str = ""
    words: str = ""
    indent: int = 1
    version: int = NEW
    selected: Selected | None = None
    clips: tuple[int, int] | None = None
    time: float | None = None
    rest: bool = False


@Memo
def rows_of(difference: Difference, models: tuple[Model, Model]) -> tuple[DifferenceRow, ...]:
    """Return the rows of the differences of two models; differences in storage are left out.

    Motion comes first, then rest pose, joints, meshes, materials and the others, as of `diff`.
    """
    places = _Places(models[OLD]), _Places(models[NEW])
    changes = (_changes(difference, kind, models, places) for kind in TITLES)
    return (
        *_motion(difference, models),
        *_rest(difference, models[NEW]),
        *(row for rows in changes for row in rows),
    )


def _motion(difference: Difference, models: tuple[Model, Model]) -> Iterator[DifferenceRow]:
    differing = sorted(
        (clip for clip in difference.clips if not clip.same),
        key=lambda clip: _badness(clip.deviation, difference),
        reverse=True,
    )
    if differing:
        yield DifferenceRow("Motion", f"{len(differing)} of {len(difference.clips)}", indent=0)
    for clip in differing:
        joint, time, amount = _worst(clip.deviation, difference)
        yield DifferenceRow(
            clip.name if clip.name == clip.now else f"{clip.name} → {clip.now}",
            amount,
            _clip_words(clip),
            selected=_joint(models[NEW], joint),
            clips=clip.indices,
            time=time,
        )
        for track in clip.tracks:
            yield _track_row(track, clip, models[NEW])


def _badness(deviation: Deviation, difference: Difference) -> tuple[bool, float, float, float]:
    visible = deviation.metres > difference.metres
    return visible, deviation.metres, deviation.degrees, deviation.weight


def _worst(deviation: Deviation, difference: Difference) -> tuple[str, float, str]:
    """Return joint, time and amount of the greatest deviation: of places, else of angles."""
    if deviation.metres > difference.metres:
        return deviation.joint, deviation.time, millimetres(deviation.metres, ".3g")
    if deviation.degrees > difference.degrees:
        return deviation.turned, deviation.turned_time, f"{deviation.degrees:.3g}°"
    return deviation.value, deviation.value_time, f"{deviation.weight:.3g}"


def _clip_words(clip: ClipDifference) -> str:
    of = clip.deviation
    parts = []
    if of.joint:
        parts.append(f"greatest error {millimetres(of.metres)} at {of.joint}, {of.time:.3f} s")
        parts.append(f"mean {millimetres(of.mean)}")
    if of.turned:
        parts.append(f"greatest turn {of.degrees:.3f}° at {of.turned}, {of.turned_time:.3f} s")
    if of.value:
        parts.append(f"values differ by {of.weight:.3g}: {of.value}, {of.value_time:.3f} s")
    if clip.starts[0] != clip.starts[1] or clip.ends[0] != clip.ends[1]:
        spans = (f"{a:.4g} to {b:.4g} s" for a, b in zip(clip.starts, clip.ends, strict=True))
        parts.append(" → ".join(spans))
    return "\n".join(map(capitalized, parts))


def _track_row(track: TrackDifference, clip: ClipDifference, model: Model) -> DifferenceRow:
    note = f"\n{capitalized(track.note)}" if track.note else ""
    return DifferenceRow(
        f"{track.joint} {track.path}".strip(),
        track_amount(track),
        f"{track.joint} {track.path} by {track_amount(track)} at {track.time:.3f} s{note}".strip(),
        indent=2,
        selected=_joint(model, track.joint),
        clips=clip.indices,
        time=track.time,
    )


def _rest(difference: Difference, model: Model) -> Iterator[DifferenceRow]:
    if not difference.rest_differs:
        return
    of = difference.rest
    joint, _, amount = _worst(of, difference)
    words = f"Rest pose: {millimetres(of.metres)} at {of.joint}, mean {millimetres(of.mean)}"
    if of.turned:
        words += f"\nGreatest turn {of.degrees:.3f}° at {of.turned}"
    yield DifferenceRow("Rest pose", amount, words, 0, selected=_joint(model, joint), rest=True)


def _changes(
    difference: Difference,
    kind: Kind,
    models: tuple[Model, Model],
    places: tuple["_Places", "_Places"],
) -> Iterator[DifferenceRow]:
    own = [change for change in difference.changes if change.kind == kind and not change.stored]
    if own:
        yield DifferenceRow(TITLES[kind], str(len(own)), indent=0)
    for change in sorted(own, key=_order):
        version = OLD if change.what == "removed" else NEW
        name = change.now if change.what == "renamed" else change.name
        yield DifferenceRow(
            _short(change),
            _amount(change),
            capitalized(f"{change.what}: {change_text(change)}"),
            version=version,
            selected=places[version].find(change.kind, name),
            clips=_clips_named(models, change) if kind == "clip" else None,
        )


def _order(change: Change) -> tuple[int, str, float]:
    """Return a key: removed and added first, then by unit, the greatest first."""
    return _RANKS[change.what], change.unit, -_size(change)


def _size(change: Change) -> float:
    """Return by how much a number has changed; relative if it has no unit."""
    before, after = change.before, change.after
    if not isinstance(before, float | int) or not isinstance(after, float | int):
        return 0.0
    far = abs(after - before)
    if not math.isfinite(far):
        return math.inf
    return far if change.unit else far / max(abs(after), abs(before), 1e-12)


def _short(change: Change) -> str:
    if change.what == "renamed":
        return f"{change.name} → {change.now}"
    return f"{change.name}: {change.field}" if change.field else change.name


def _amount(change: Change) -> str:
    """Return what stands at the end of a row: the difference, the values, or what happened."""
    if change.what != "changed":
        return change.what
    return change_amount(change).strip().removeprefix("by ")


def _clips_named(models: tuple[Model, Model], change: Change) -> tuple[int, int]:
    """Return the clips of a change in both versions, -1: missing."""
    names = change.name, change.now or change.name
    old, new = (
        next((k for k, clip in enumerate(model.clips) if clip.name == name), -1)
        for model, name in zip(models, names, strict=True)
    )
    return (-1 if change.what == "added" else old), (-1 if change.what == "removed" else new)


def _joint(model: Model, name: str) -> Selected | None:
    joint = model.skeleton.index_of.get(name) if name else None
    return None if joint is None else Selected(joint)


class _Places:
    """The joints and parts of meshes of a model by the names of what they have."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._parts: dict[tuple[str, str], Selected] = {}
        for instance in model.instances:
            mesh = model.meshes[instance.mesh]
            for number, part in enumerate(mesh.primitives if instance.in_scene else ()):
                place = Selected(instance.joint, number)
                self._parts.setdefault(("mesh", mesh.name), place)
                if instance.skin >= 0:
                    self._parts.setdefault(("skin", model.skins[instance.skin].name), place)
                if part.material >= 0:
                    name = model.materials[part.material].name
                    self._parts.setdefault(("material", name), place)

    def find(self, kind: str, name: str) -> Selected | None:
        """Return the joint of a name, or the first part with the mesh, skin or material."""
        if kind in ("joint", "camera", "light"):
            return _joint(self._model, name)
        return self._parts.get((kind, name))
