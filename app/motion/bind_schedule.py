"""Bind the `[[at]]` entries of a motion file: fades, parameter changes, seeks, speeds, cuts."""

from collections.abc import Callable

import numpy as np

from ..blending.clip_sources import clip_sources
from ..blending.cross_fade import FadeSettings, FadeSource
from ..blending.layers import Layer, Layers, stacks
from ..blending.phase_fade import PhaseFade, enter_phase, has_phase, start_phase_fade
from ..blending.pose_modifiers import AdditiveModifier, OverrideModifier
from ..blending.sources import ClipSource, Source
from ..blending.space_source import SpaceSource
from ..blending.stepped_mixer import Scheduled, SteppedMixer
from ..blending.strafe import StrafeSource
from ..errors import KeyPath
from ..tomlfile.toml_errors import motion_error, quoted
from .bind_layers import LayerBuilder
from .cross_references import WEIGHT
from .document import At, Cut, Fade, Seek, Set, Speed


def scheduled_actions(
    layer_builder: LayerBuilder, at: At, path: KeyPath, rates: dict[str, float]
) -> list[Scheduled]:
    """Return the scheduled actions of one `[[at]]` entry, with all its names checked.

    A fade has two: its start and its end.

    Parameters
    ----------
    stage, at, path
        The layer builder, the entry and its key path.
    rates
        Speed of each layer at the time of the entry; updated by an entry that sets a speed.
    """
    if isinstance(at.do, Set):
        return [
            Scheduled(at.time, _set(layer_builder, at.do, (*path, "set")), at.do.seconds or 0.0)
        ]
    if isinstance(at.do, Fade):
        end = max(at.time, 0.0) + at.do.seconds
        return [
            Scheduled(at.time, _fade(layer_builder, at.do, (*path, "fade"), rates), at.do.seconds),
            Scheduled(end, _end_fade(at.do.layer)),
        ]
    if isinstance(at.do, Seek):
        return [Scheduled(at.time, _seek(layer_builder, at.do, (*path, "seek")))]
    if isinstance(at.do, Cut):
        return [Scheduled(at.time, _cut(layer_builder, at.do, (*path, "cut")))]
    rates[at.do.layer] = at.do.value
    return [Scheduled(at.time, _speed(layer_builder, at.do, (*path, "speed")))]


Action = Callable[[SteppedMixer, float], None]
Clocked = ClipSource | SpaceSource | StrafeSource | PhaseFade


def _set(layer_builder: LayerBuilder, spec: Set, path: KeyPath) -> Action:
    parameters = layer_builder.names.parameters
    if spec.name not in parameters:
        known = parameters.names()
        raise motion_error(
            (*path, "name"), f"no parameter {quoted(spec.name)}", wrong=spec.name, known=known
        )
    if (
        np.shape(spec.value)
        != np.shape(parameters.at(spec.name, 0.0))[len(layer_builder.names.batch) :]
    ):
        raise motion_error((*path, "value"), f"has another shape than {quoted(spec.name)}")
    value = np.asarray(spec.value, np.float64)
    layer_builder.names.warn_if_clamped(spec.name, value, (*path, "value"))
    return lambda mixer, tau: mixer.parameters.set(spec.name, value, tau, spec.seconds)


def _cut(layer_builder: LayerBuilder, spec: Cut, path: KeyPath) -> Action:
    """Check the camera's name; the scene itself switches cameras."""
    model = layer_builder.names.model
    if spec.camera and model.camera_named(spec.camera) < 0:
        known = [camera.name for camera in model.cameras]
        known += [model.skeleton.names[camera.joint] for camera in model.cameras]
        message = f"no camera {quoted(spec.camera)}"
        raise motion_error((*path, "camera"), message, wrong=spec.camera, known=known)
    return _nothing


def _nothing(_: SteppedMixer, __: float) -> None:
    """Do nothing: an action without effect on the mixer."""


def _fade(
    layer_builder: LayerBuilder, spec: Fade, path: KeyPath, rates: dict[str, float]
) -> Action:
    if spec.layer in layer_builder.others:
        message = f"layer {quoted(spec.layer)} plays {layer_builder.others[spec.layer]}"
        hint = f"fade its weight with set, name = {quoted(spec.layer + WEIGHT)}"
        raise motion_error((*path, "layer"), f"{message}, which cannot be cross-faded", hint=hint)
    _check_layer(layer_builder, spec.layer, path)
    rate = rates.get(spec.layer, layer_builder.speeds.get(spec.layer, 1.0))
    trial = layer_builder.source(
        spec.to, (*path, "to")
    )  # now, so that errors are raised before playback
    if spec.in_phase and not has_phase(trial):
        raise motion_error(
            (*path, "in_phase"), "needs a looping clip or a synchronised blend space"
        )
    if spec.in_phase and spec.layer in layer_builder.strafing:
        layer = quoted(spec.layer)
        layer_builder.names.warnings.append(
            f"layer {layer}: a fade from a strafe space is not in phase"
        )

    def start(mixer: SteppedMixer, tau: float) -> None:
        operation = _layer_content(mixer, spec.layer)
        if operation is not None:
            new = layer_builder.source(spec.to, (*path, "to"), tau=tau, rate=rate)
            operation.source = cross_fade(
                layer_builder, without_finished_fade(operation.source, tau), new, spec, tau
            )

    return start


def cross_fade(
    layer_builder: LayerBuilder, old: Source, new: Source, spec: Fade, tau: float
) -> Source:
    """Return the cross-fade from one source to another."""
    rig, batch = layer_builder.names.rig, layer_builder.names.batch
    rotation = layer_builder.rotations.get(spec.layer, "nlerp")
    settings = FadeSettings(spec.seconds, spec.ease, spec.kind, rotation)

    def fade(a: Source, b: Source) -> FadeSource:
        return FadeSource(a, b, tau, settings, rig, batch)

    if spec.in_phase and has_phase(old):
        assert isinstance(old, ClipSource | SpaceSource | FadeSource | PhaseFade)
        assert isinstance(new, ClipSource | SpaceSource)
        if spec.kind == "smooth":
            return start_phase_fade(old, new, tau, fade)
        enter_phase(old, new, tau)
    return fade(old, new)


def _end_fade(name: str) -> Action:
    def settle(mixer: SteppedMixer, tau: float) -> None:
        operation = _layer_content(mixer, name)
        if operation is not None:
            operation.source = without_finished_fade(operation.source, tau)

    return settle


def without_finished_fade(source: Source, tau: float) -> Source:
    """Return the new source of a finished fade, else the source itself."""
    if isinstance(source, PhaseFade) and source.is_complete(tau):
        return source.remaining_source(tau)
    if isinstance(source, FadeSource) and source.is_complete(tau):
        return source.new
    return source


def _seek(layer_builder: LayerBuilder, spec: Seek, path: KeyPath) -> Action:
    _check_clock(layer_builder, spec.layer, path)

    def seek(mixer: SteppedMixer, tau: float) -> None:
        for source in _clocks(mixer, spec.layer, tau):
            if isinstance(source, PhaseFade):
                source.seek(spec.time)
            elif isinstance(source, ClipSource):
                source.playback.seek(spec.time, tau)
            elif source.group is not None:
                clips = clip_sources(source)
                shares = source.weights.reshape(-1, len(clips))[0, : len(source.group.sync_tracks)]
                k = int(np.argmax(shares))
                source.group.enter(k, spec.time - float(np.max(clips[k].playback.start)))

    return seek


def _speed(layer_builder: LayerBuilder, spec: Speed, path: KeyPath) -> Action:
    _check_clock(layer_builder, spec.layer, path)
    rate = spec.value * layer_builder.source_builder.speed

    def change(mixer: SteppedMixer, tau: float) -> None:
        for source in _clocks(mixer, spec.layer, tau):
            if isinstance(source, PhaseFade):
                source.set_rate(rate, tau)
            elif isinstance(source, ClipSource):
                source.playback.set_rate(rate, tau)
            elif source.group is not None:
                source.group.rate = np.broadcast_to(np.float64(rate), source.group.batch)

    return change


def _clocks(mixer: SteppedMixer, name: str, tau: float) -> list[Clocked]:
    """Return the sources of a layer that have their own clock."""
    layer = find_layer(mixer.layers, name)
    if layer is None or not isinstance(layer.operation, OverrideModifier | AdditiveModifier):
        return []
    return _clocks_of(layer.operation.source, tau)


def _clocks_of(source: Source, tau: float) -> list[Clocked]:
    source = without_finished_fade(source, tau)
    if isinstance(source, FadeSource):
        return [*_clocks_of(source.old, tau), *_clocks_of(source.new, tau)]
    if isinstance(source, SpaceSource) and source.group is None:
        return [clock for member in source.members for clock in _clocks_of(member, tau)]
    return [source] if isinstance(source, Clocked) else []


def _check_layer(layer_builder: LayerBuilder, name: str, path: KeyPath) -> None:
    known = layer_builder.covered
    if name not in known:
        message = f"no layer {quoted(name)} plays a clip or a space"
        raise motion_error((*path, "layer"), message, wrong=name, known=known)


def _check_clock(layer_builder: LayerBuilder, name: str, path: KeyPath) -> None:
    """Check that a layer exists and plays something whose time can be set."""
    played = layer_builder.others.get(name)
    if played is None:
        _check_layer(layer_builder, name, path)
    elif name not in layer_builder.clocked:
        message = f"layer {quoted(name)} plays {played}, which has no time of its own"
        raise motion_error((*path, "layer"), message)


def _layer_content(mixer: SteppedMixer, name: str) -> OverrideModifier | None:
    """Return the content of a layer by name; None where the layer no longer plays."""
    layer = find_layer(mixer.layers, name)
    return (
        layer.operation
        if layer is not None and isinstance(layer.operation, OverrideModifier)
        else None
    )


def find_layer(layers: Layers, name: str) -> Layer | None:
    """Return a layer by name, including nested layers; the newest one during a fade."""
    for layer in layers.layers:
        if layer.name == name:
            return layer
    for layer in layers.layers:
        if isinstance(layer.operation, OverrideModifier):
            for inner in stacks(layer.operation.source):
                found = find_layer(inner, name)
                if found is not None:
                    return found
    return None
