"""Morph weights of a model by name, and weights that are set in place of the clip's.

A name is that of a target ("Smile", every mesh that has it), with its mesh in front ("Head/Smile"),
with the glTF node of the mesh ("#3/Smile"), or a pattern ("Eye*"). Targets without a name are
"Target 0", "Target 1" and so on.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from ..animation.clip import Clip
from ..animation.track import Track
from ..animation.types import F32
from ..errors import UsageError
from .model import Channel, Model
from .named_clips import matching, offer


@dataclass(frozen=True, slots=True)
class MorphWeight:
    """The weight of a morph target of the mesh at a node."""

    value: int  # index in Pose.values
    node: int  # glTF node
    mesh: str  # name of the mesh
    number: int  # index of the target
    target: str  # name of the target

    @property
    def names(self) -> tuple[str, ...]:
        """Its names, from the shortest to one that only it has."""
        return (
            self.target,
            f"{self.mesh}/{self.target}",
            f"#{self.node}/{self.target}",
            f"#{self.node}/#{self.number}",
        )


def morph_weights(model: Model) -> list[MorphWeight]:
    """Return all morph weights of a model, mesh by mesh."""
    return [
        weight
        for number, channel in enumerate(model.channels)
        if channel.is_weights
        for weight in _weights_of(model, number, channel)
    ]


def _weights_of(model: Model, number: int, channel: Channel) -> Iterable[MorphWeight]:
    """Yield the weights of one mesh at a node."""
    mesh, names = "", tuple[str, ...]()
    instance = next((each for each in model.instances if each.channel == number), None)
    if instance is not None:
        mesh, parts = model.meshes[instance.mesh].name, model.meshes[instance.mesh].primitives
        names = next((part.morph.names for part in parts if part.morph is not None), ())
    for k in range(channel.width):
        name = names[k] if k < len(names) and names[k] else f"Target {k}"
        node = int(model.skeleton.nodes[channel.joint]) if channel.joint >= 0 else -1
        yield MorphWeight(channel.start + k, node, mesh, k, name)


def find_morph_weights(model: Model, text: str) -> list[int]:
    """Return the indices in `Pose.values` of the morph weights of a name, else of a pattern.

    Raises
    ------
    UsageError
        Not found; the hint lists similar names.
    """
    weights = morph_weights(model)
    for kind in range(4):
        found = [weight.value for weight in weights if weight.names[kind] == text]
        if found:
            return found
    for kind in range(2):
        names = [weight.names[kind] for weight in weights]
        found = [weights[k].value for k in matching(names, text)]
        if found:
            return found
    names = list(dict.fromkeys(weight.target for weight in weights))
    raise UsageError(f"no morph target {text!r}", hint=offer(names, text, "morph target"))


def no_weights_set(model: Model) -> F32:
    """Return values [P] in which nothing is set: NaN."""
    return np.full(model.skeleton.rest.values.shape[-1], np.nan, np.float32)


def apply_weights(values: F32, weights: F32) -> None:
    """Replace values [..., P] where weights [P] are set."""
    np.copyto(values, weights, where=~np.isnan(weights))


def weights_by_name(model: Model, values: F32) -> dict[str, float]:
    """Return the weights set in values [P] by their shortest names."""
    found: dict[str, float] = {}
    for weight in morph_weights(model):
        value = values[weight.value]
        if np.isnan(value):
            continue
        for name in weight.names:
            if (values[find_morph_weights(model, name)] == value).all():
                found[name] = float(str(value))  # the shortest number that reads as this float32
                break
    return found


def clip_with_weights(model: Model, clip: Clip, weights: F32) -> Clip:
    """Return a clip whose tracks have the weights [P] that are set at all times."""
    tracks = tuple(_held(model, track, weights) for track in clip.tracks)
    return replace(clip, tracks=tracks)


def _held(model: Model, track: Track, weights: F32) -> Track:
    """Return a track with constant columns where its weights are set; else the same object."""
    if track.path != "values" or not model.channels[track.target].is_weights:
        return track
    held = weights[track.start : track.start + track.values.shape[1]]
    columns = ~np.isnan(held)
    if not columns.any():
        return track
    values = np.where(columns, held, track.values)
    tangents = None if track.tangents is None else np.where(columns, np.float32(0), track.tangents)
    return replace(track, values=values, tangents=tangents)


def node_weights(model: Model, weights: F32) -> dict[int, list[float]]:
    """Return the weights at rest by glTF node, of the meshes where some of `weights` [P] are set.

    Numbers are the shortest that read as these float32.
    """
    found = {}
    for channel in model.channels:
        held = weights[channel.slice]
        if channel.is_weights and channel.joint >= 0 and not np.isnan(held).all():
            rest = model.skeleton.rest.values[channel.slice]
            values = np.where(np.isnan(held), rest, held)
            found[int(model.skeleton.nodes[channel.joint])] = [float(str(x)) for x in values]
    return found
