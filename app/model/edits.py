"""Small edits of a model, as values: replaced tracks, weights of vertices, factors of materials."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

import numpy as np

from ..animation.clip import Clip
from ..animation.track import Path, Track
from ..wording import counted, joined
from .model import Mesh, Model, Primitive
from .named_clips import Clips

_ROUNDING = 1e-4  # of values that were saved as integers, or normalized when they were read
K = TypeVar("K")
V = TypeVar("V")
Row = tuple[tuple[int, ...], tuple[float, ...]]  # joints of the skin, and their weights, by slot


class TrackKey(NamedTuple):
    """A track of a clip; `start` as of `Track`."""

    clip: str
    path: Path
    target: int
    start: int

    @classmethod
    def of(cls, clip: Clip, track: Track) -> "TrackKey":
        """Return the key of a track."""
        return cls(clip.name, track.path, track.target, track.start)


class VertexKey(NamedTuple):
    """A vertex of a part of a mesh, by indices of the model."""

    mesh: int
    primitive: int
    vertex: int


class FactorKey(NamedTuple):
    """A field of a material, by its index and by the name in the table of fields."""

    material: int
    field: str


def _nothing() -> Mapping[Any, Any]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class ModelEdits:
    """What replaces tracks, weights and factors of a model."""

    tracks: Mapping[TrackKey, Track] = field(default_factory=_nothing)
    weights: Mapping[VertexKey, Row] = field(default_factory=_nothing)
    factors: Mapping[FactorKey, Any] = field(default_factory=_nothing)

    def with_track(self, model: Model, clip: Clip, track: Track) -> "ModelEdits":
        """Return the edits with another one of a track; none, if it is that of the model."""
        key = TrackKey.of(clip, track)
        own = _track(model, key)
        same = own is not None and own.equals(track)
        return replace(self, tracks=_with(self.tracks, {key: None if same else track}))

    def with_weights(self, model: Model, rows: Mapping[VertexKey, Row]) -> "ModelEdits":
        """Return the edits with other weights of vertices."""
        given = {key: None if row == row_of(model, key) else row for key, row in rows.items()}
        return replace(self, weights=_with(self.weights, given))

    def with_factor(self, model: Model, key: FactorKey, value: Any) -> "ModelEdits":  # noqa: ANN401 - of any field
        """Return the edits with another value of a factor of a material."""
        same = model.materials[key.material].value(key.field) == value
        return replace(self, factors=_with(self.factors, {key: None if same else value}))


def _with(kept: Mapping[K, V], given: Mapping[K, V | None]) -> Mapping[K, V]:
    """Return a mapping with other values; None removes one."""
    return {key: value for key, value in {**kept, **given}.items() if value is not None}


def edited(model: Model, edits: ModelEdits, last: tuple[ModelEdits, Model] | None = None) -> Model:
    """Return a model with edits; clips, meshes and materials without an edit are the same objects.

    Parameters
    ----------
    last
        Edits of the same model and their result: what has not changed since is taken from it.
    """
    before, found = last or (ModelEdits(), model)
    changes: dict[str, Any] = {}
    if edits.tracks != before.tracks:
        changes["clips"] = Clips(
            (_edited_clip(clip, edits.tracks) for clip in model.clips), model.clips.aliases
        )
    if edits.weights != before.weights:
        changes["meshes"] = _edited_meshes(model, edits.weights)
    if edits.factors != before.factors:
        own: dict[int, dict[str, Any]] = {}
        for (material, name), value in edits.factors.items():
            own.setdefault(material, {})[name] = value
        changes["materials"] = tuple(
            material.changed(own[m]) if m in own else material
            for m, material in enumerate(model.materials)
        )
    return replace(found, **changes) if changes else found


def _edited_clip(clip: Clip, tracks: Mapping[TrackKey, Track]) -> Clip:
    if not any(key.clip == clip.name for key in tracks):
        return clip
    found = tuple(tracks.get(TrackKey.of(clip, track), track) for track in clip.tracks)
    if all(one is other for one, other in zip(found, clip.tracks, strict=True)):
        return clip
    ends = [max(max(t.end for t in each), 0.0) for each in (clip.tracks, found)]
    starts = [max(min(t.begin for t in each), 0.0) for each in (clip.tracks, found)]
    return replace(  # those of a part of a clip are not at its first and last key
        clip,
        tracks=found,
        start=starts[1] if clip.start == starts[0] else clip.start,
        end=ends[1] if clip.end == ends[0] else clip.end,
    )


def _edited_meshes(model: Model, rows: Mapping[VertexKey, Row]) -> tuple[Mesh, ...]:
    meshes = list(model.meshes)
    for m in {key.mesh for key in rows}:
        parts = list(meshes[m].primitives)
        for p in {key.primitive for key in rows if key.mesh == m}:
            joints, weights, sums = parts[p].joints, parts[p].weights, parts[p].weight_sums
            assert joints is not None
            assert weights is not None
            joints, weights = joints.copy(), weights.copy()
            sums = None if sums is None else sums.copy()
            for key, row in rows.items():
                if key[:2] == (m, p):
                    joints[key.vertex], weights[key.vertex] = row
                    if sums is not None:
                        sums[key.vertex] = 1.0
            parts[p] = replace(parts[p], joints=joints, weights=weights, weight_sums=sums)
        meshes[m] = replace(meshes[m], primitives=tuple(parts))
    return tuple(meshes)


def _part(model: Model, key: VertexKey) -> Primitive | None:
    """Return the skinned part that has a vertex, None if the model lacks it."""
    if key.mesh >= len(model.meshes) or key.primitive >= len(model.meshes[key.mesh].primitives):
        return None
    part = model.meshes[key.mesh].primitives[key.primitive]
    skinned = part.joints is not None and part.weights is not None
    return part if skinned and key.vertex < len(part.positions) else None


def row_of(model: Model, key: VertexKey) -> Row | None:
    """Return the joints and weights of a vertex, None if the model lacks it or it has none."""
    part = _part(model, key)
    if part is None or part.joints is None or part.weights is None:
        return None
    return tuple(part.joints[key.vertex].tolist()), tuple(part.weights[key.vertex].tolist())


def same_vertices(model: Model, key: VertexKey) -> list[VertexKey]:
    """Return a vertex with those of its mesh at its place that have its weights.

    Meshes have several vertices at a seam; with different weights it would tear.
    """
    part, row = _part(model, key), row_of(model, key)
    if part is None:
        return []
    place, found = part.positions[key.vertex], []
    for p, other in enumerate(model.meshes[key.mesh].primitives):
        if other.joints is not None and other.weights is not None:
            near = np.flatnonzero((other.positions == place).all(axis=1)).tolist()
            found += [VertexKey(key.mesh, p, v) for v in near]
    return [each for each in found if row_of(model, each) == row]


def reweighted(row: Row, joint: int, weight: float) -> Row | None:
    """Return the weights of a vertex with another one of a joint; the others share the rest.

    They keep their proportions, so that the sum is 1; the only joint of a vertex keeps all. None:
    all slots are taken.
    """
    joints, weights = list(row[0]), list(row[1])
    slots = [k for k in range(len(joints)) if joints[k] == joint and weights[k] > 0]
    slots += [k for k in range(len(joints)) if weights[k] <= 0]
    if not slots:
        return None
    slot = slots[0]
    rest = sum(weights) - weights[slot]
    weight = min(max(weight, 0.0), 1.0) if rest > 0 else 1.0
    shared = [w * (1.0 - weight) / rest if rest > 0 else 0.0 for w in weights]
    shared[slot], joints[slot] = weight, joint
    return tuple(joints), tuple(np.array(shared, np.float32).tolist())


def _track(model: Model, key: TrackKey) -> Track | None:
    """Return the track of a model, None if it lacks it; of several the last one is used."""
    clips = (clip for clip in model.clips if clip.name == key.clip)
    own = [t for clip in clips for t in clip.tracks if TrackKey.of(clip, t) == key]
    return own[-1] if own else None


def fitting(edits: ModelEdits, old: Model, new: Model) -> ModelEdits:
    """Return the edits that fit a model that was read again: what they replace is as it was.

    Tracks and weights fit only if joints and skins are the same ones.
    """

    def unchanged_track(key: TrackKey) -> bool:
        one, other = _track(old, key), _track(new, key)
        if one is None or other is None or one.interpolation != other.interpolation:
            return False
        pairs = ((one.times, other.times), (one.values, other.values))
        return all(a.shape == b.shape and np.allclose(a, b, atol=_ROUNDING) for a, b in pairs)

    def unchanged_row(key: VertexKey) -> bool:
        one, other = row_of(old, key), row_of(new, key)
        if one is None or other is None or one[0] != other[0]:
            return False
        return np.allclose(one[1], other[1], atol=_ROUNDING)

    def unchanged_factor(key: FactorKey) -> bool:
        if key.material >= len(new.materials):
            return False
        one, other = old.materials[key.material], new.materials[key.material]
        return one.name == other.name and one.value(key.field) == other.value(key.field)

    same = old.skeleton.names == new.skeleton.names and _skin_joints(old) == _skin_joints(new)
    return ModelEdits(
        {key: track for key, track in edits.tracks.items() if same and unchanged_track(key)},
        {key: row for key, row in edits.weights.items() if same and unchanged_row(key)},
        {key: value for key, value in edits.factors.items() if unchanged_factor(key)},
    )


def _skin_joints(model: Model) -> list[list[int]]:
    return [skin.joints.tolist() for skin in model.skins]


def edits_text(edits: ModelEdits, model: Model) -> str:
    """Return what edits of a model change: ``2 keys in Walk, 1 vertex and 1 material factor``."""
    keys: Counter[str] = Counter()
    for key, track in edits.tracks.items():
        own = _track(model, key)
        keys[key.clip] += 0 if own is None else _changed_keys(own, track)
    parts = [f"{counted(count, 'key')} in {clip}" for clip, count in keys.items()]
    vertices = len(edits.weights)
    parts += [counted(vertices, "vertex", "vertices")] if vertices else []
    parts += [counted(len(edits.factors), "material factor")] if edits.factors else []
    return joined(parts)


def _changed_keys(one: Track, other: Track) -> int:
    """Return the number of keys that were moved or deleted."""
    before, after = (Counter(_keys(track)) for track in (one, other))
    return max((before - after).total(), (after - before).total())


def _keys(track: Track) -> Iterator[bytes]:
    parts: Sequence[Any] = [
        track.times,
        track.values,
        *([] if track.tangents is None else [track.tangents]),
    ]
    return (b"".join(part[k].tobytes() for part in parts) for k in range(len(track.times)))
