"""The events of a motion on the visible part of its timeline, evaluated ahead in small steps."""

import math
from dataclasses import replace

from ..blending.layer_mixer import LayerMixer
from ..blending.sources import FiredEvent
from ..model.model import Model
from .bind import bind
from .document import LayerSettings, MotionDoc, Set
from .edit import without_layer

RATE = 10  # steps per second of the motion


class EventPreview:
    """Evaluates a motion with a second mixer to find its events.

    Attributes
    ----------
    fired
        The events found so far from the beginning of the last `work` on, sorted by time.
    """

    def __init__(self, model: Model, document: MotionDoc) -> None:
        self.fired: list[FiredEvent] = []
        heard = any(settings.events for settings in document.clips.values())
        self._mixer: LayerMixer | None = bind(model, events_only(document)) if heard else None
        self._first = self._step = 0  # numbers of the first step and of the next one

    @property
    def reached(self) -> float:
        """The global time up to which all events are known, seconds."""
        return (self._step - 1) / RATE if self._mixer is not None else math.inf

    def work(self, steps: int, begin: float, end: float) -> None:
        """Evaluate up to `steps` steps of 1/10 s from the global time `begin` until `end`.

        Events before `begin` are dropped; where it is outside the known times, all are.
        """
        mixer = self._mixer
        if mixer is None:
            return
        first = max(math.floor(begin * RATE), 0)
        if not self._first <= first <= self._step:
            self.fired, self._step = [], first
            if first > 0:
                mixer.seek((first - 1) / RATE)
        if first != self._first:
            self._first = first
            self.fired = [each for each in self.fired if each.tau >= begin]
        while steps > 0 and self._step - 1 < end * RATE:
            if self._step > 0:
                mixer.play(self._step / RATE)
                self.fired += mixer.fired
            else:
                self.fired += mixer.events(0.0, 0.0)
            mixer.commit_long_step(0.5)
            self._step += 1
            steps -= 1


def events_only(document: MotionDoc) -> MotionDoc:
    """Return a document with the same events and less to evaluate.

    It lacks aims, IK, pivot, root motion, and the layers whose weight stays 0.
    """
    alone = any(item.solo and not item.mute for item in document.layers)
    layers = tuple(
        replace(item, mute=item.mute or (alone and not item.solo), solo=False)
        for item in document.layers
    )
    clips = {name: replace(item, root=None) for name, item in document.clips.items()}
    document = replace(document, layers=layers, clips=clips, pivot=None)
    for item in layers:
        bends = isinstance(item.play, str) and item.play in {*document.aims, *document.iks}
        if bends or (item is not layers[0] and _is_unheard(document, item)):
            document = without_layer(document, item.name)
    return document


def _is_unheard(document: MotionDoc, layer: LayerSettings) -> bool:
    """Return whether a layer has no weight at any time."""
    return (
        not isinstance(layer.weight, str)
        and not layer.weight
        and not any(
            isinstance(each.do, Set) and each.do.name == f"{layer.name}.weight"
            for each in document.at
        )
    )
