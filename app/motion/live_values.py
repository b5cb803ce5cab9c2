"""A motion document that is edited, and its live values, which are no unsaved work.

Live values are tried out while a motion plays: the default values of parameters, mute and solo of
layers, morph weights, and the weights of layers and the attachments of the command line.
"""

import operator
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from .cross_references import WEIGHT
from .document import LayerSettings, MotionDoc, Nested, Parameter, Value

Given = Mapping[str, Value]  # values of the command line, by parameter or `LAYER.weight`
NOTHING_GIVEN: Given = MappingProxyType({})


def with_live_values(
    document: MotionDoc,
    live: MotionDoc,
    since: MotionDoc | None = None,
    given: Given = NOTHING_GIVEN,
) -> MotionDoc:
    """Return a document with the live values of another, by name.

    Parameters
    ----------
    since
        Only values that differ from those of this document.
    given
        Values of the command line: a layer whose weight is still that of `LAYER.weight` is live.
    """
    parameters = {
        name: _parameter(name, parameter, live, since)
        for name, parameter in document.parameters.items()
    }
    layers = _layers(document.layers, live.layers, () if since is None else since.layers, given)
    morphs = document.morphs if since is not None and since.morphs == live.morphs else live.morphs
    attached = {name: each for name, each in live.attachments.items() if each.given}
    return replace(
        document,
        parameters=MappingProxyType(parameters),
        layers=layers,
        morphs=morphs,
        attachments=MappingProxyType({**document.attachments, **attached}),
    )


def without_given_files(document: MotionDoc) -> MotionDoc:
    """Return a document without the attachments of the command line, as its file has it."""
    left = {name: each for name, each in document.attachments.items() if not each.given}
    return replace(document, attachments=MappingProxyType(left))


def _parameter(
    name: str, parameter: Parameter, live: MotionDoc, since: MotionDoc | None
) -> Parameter:
    value = live.parameters.get(name)
    before = None if since is None else since.parameters.get(name)
    if value is None or np.shape(value.default) != np.shape(parameter.default):
        return parameter
    if before is not None and before.default == value.default:
        return parameter
    return replace(parameter, default=value.default)


def _layers(
    layers: Sequence[LayerSettings],
    live: Sequence[LayerSettings],
    since: Sequence[LayerSettings],
    given: Given,
) -> tuple[LayerSettings, ...]:
    present, earlier = ({layer.name: layer for layer in side} for side in (live, since))
    return tuple(
        _layer(layer, present.get(layer.name), earlier.get(layer.name), given) for layer in layers
    )


def _layer(
    layer: LayerSettings,
    live: LayerSettings | None,
    since: LayerSettings | None,
    given: Given,
) -> LayerSettings:
    if live is None:
        return layer
    mute = layer.mute if since is not None and since.mute == live.mute else live.mute
    solo = layer.solo if since is not None and since.solo == live.solo else live.solo
    weight = layer.weight
    if f"{layer.name}{WEIGHT}" in given and given[f"{layer.name}{WEIGHT}"] == live.weight:
        weight = layer.weight if since is not None and since.weight == live.weight else live.weight
    play = layer.play
    if isinstance(play, Nested) and isinstance(live.play, Nested):
        earlier = since.play if since is not None else None
        inner = earlier.layers if isinstance(earlier, Nested) else ()
        play = Nested(_layers(play.layers, live.play.layers, inner, given))
    return replace(layer, mute=mute, solo=solo, weight=weight, play=play)


class EditedDocument:
    """A document, and the one in its file.

    Parameters
    ----------
    saved
        The document in the file; None: `document`.
    given
        Values of the command line, which are live.
    """

    def __init__(
        self,
        document: MotionDoc,
        *,
        saved: MotionDoc | None = None,
        given: Given = NOTHING_GIVEN,
    ) -> None:
        self.document, self.given = document, given
        self._saved = document if saved is None else saved
        self._compared: tuple[tuple[MotionDoc, MotionDoc], bool] | None = None  # and if they differ

    @property
    def differs(self) -> bool:
        """Whether the document differs from the saved one."""
        return self.document is not self._saved and self.document != self._saved

    @property
    def dirty(self) -> bool:
        """Whether the document differs from the saved one, apart from live values."""
        compared = self._saved, self.document
        if self._compared is None or any(map(operator.is_not, compared, self._compared[0])):
            changed = self.differs and self.document != with_live_values(
                *compared, given=self.given
            )
            self._compared = compared, changed
        return self._compared[1]

    def live_values_in(self, document: MotionDoc) -> MotionDoc:
        """Return a new version of the saved document, with the live values that were changed."""
        return with_live_values(document, self.document, self._saved, self.given)

    def mark_saved(self) -> None:
        """Mark the document as saved."""
        self._saved = self.document
