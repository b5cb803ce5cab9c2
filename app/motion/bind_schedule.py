"""Bind the `[[at]]` entries of a motion file: fades, parameter changes, seeks, speeds, cuts."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..blending.cross_fade import FadeSettings, FadeSource
from ..blending.phase_fade import PhaseFade, enter_phase, start_phase_fade
from ..blending.pose_modifiers import OverrideModifier, SourceModifier
from ..blending.sources import ClipSource, Source
from ..blending.space_source import SpaceSource
from ..blending.stepped_mixer import Scheduled, SteppedMixer
from ..errors import KeyPath
from ..tomlfile.toml_errors import motion_error, quoted
from .bind_layers import LayerBuilder
from .bind_sources import Start
from .cross_references import WEIGHT
from .document import At, Cut, Fade, Seek, Set, Speed


def scheduled_actions(
    layer_builder: LayerBuilder, at: At, path: KeyPath, rates: dict[str, float]
) -> list[Scheduled]:
    """Return the scheduled actions of one `[[at]]` entry, with all its names checked.

    A fade has two: its start and its end.

    Parameters
    ----------
    layer_builder, at, path
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
    if spec.camera and model.camera_named(spec.camera) is None:
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
    rate, covered = rates[spec.layer], layer_builder.covered[spec.layer]
    # now, so that errors are raised before playback
    trial = layer_builder.source(spec.to, (*path, "to"), Start(time=covered.time))
    if spec.in_phase and not trial.has_phase:
        raise motion_error(
            (*path, "in_phase"), "needs a looping clip or a synchronised blend space"
        )
    if spec.in_phase and covered.strafes:
        layer = quoted(spec.layer)
        layer_builder.names.warnings.append(
            f"layer {layer}: a fade from a strafe space is not in phase"
        )

    def start(mixer: SteppedMixer, tau: float) -> None:
        operation = _content(mixer, spec.layer)
        if isinstance(operation, OverrideModifier):
            begun = Start(tau, rate, time=covered.time)
            new = layer_builder.source(spec.to, (*path, "to"), begun)
            old = operation.source.remaining(tau)
            operation.source = cross_fade(layer_builder, old, new, spec, tau)

    return start


def cross_fade(
    layer_builder: LayerBuilder, old: Source, new: Source, spec: Fade, tau: float
) -> Source:
    """Return the cross-fade from one source to another."""
    rig, batch = layer_builder.names.rig, layer_builder.names.batch
    rotation = layer_builder.covered[spec.layer].rotation
    settings = FadeSettings(spec.seconds, spec.ease, spec.kind, rotation)

    def fade(a: Source, b: Source) -> FadeSource:
        return FadeSource(a, b, tau, settings, rig, batch)

    if spec.in_phase and old.has_phase:
        assert isinstance(old, ClipSource | SpaceSource | FadeSource | PhaseFade)
        assert isinstance(new, ClipSource | SpaceSource)
        if spec.kind == "smooth":
            return start_phase_fade(old, new, tau, fade)
        enter_phase(old, new, tau)
    return fade(old, new)


def _end_fade(name: str) -> Action:
    def settle(mixer: SteppedMixer, tau: float) -> None:
        operation = _content(mixer, name)
        if isinstance(operation, OverrideModifier):
            operation.source = operation.source.remaining(tau)

    return settle


def _seek(layer_builder: LayerBuilder, spec: Seek, path: KeyPath) -> Action:
    _check_clock(layer_builder, spec.layer, path)

    def seek(mixer: SteppedMixer, tau: float) -> None:
        operation = _content(mixer, spec.layer)
        if operation is not None:
            operation.source.remaining(tau).seek(spec.time, tau)

    return seek


def _speed(layer_builder: LayerBuilder, spec: Speed, path: KeyPath) -> Action:
    _check_clock(layer_builder, spec.layer, path)
    rate = spec.value * layer_builder.source_builder.speed

    def change(mixer: SteppedMixer, tau: float) -> None:
        operation = _content(mixer, spec.layer)
        if operation is not None:
            operation.source.remaining(tau).set_rate(rate, tau)

    return change


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


def _content(mixer: SteppedMixer, name: str) -> SourceModifier[Any] | None:
    """Return the content of a layer by name; None where the layer no longer plays a source."""
    layer = mixer.layers.find(name)
    if layer is None or not isinstance(layer.operation, SourceModifier):
        return None
    return layer.operation
