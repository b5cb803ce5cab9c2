"""The events of a motion ahead of playback, evaluated in small steps."""

import math
from dataclasses import replace

from ..blending.layer_mixer import LayerMixer
from ..blending.step import FiredEvent
from ..model.model import Model
from .bind import bind
from .document import MotionDoc
from .edit import without_layer

RATE = 30  # steps per second of the motion


class EventPreview:
    """Evaluates a motion with a second mixer to find its events.

    Attributes
    ----------
    fired
        The events found so far, sorted by time.
    """

    def __init__(self, model: Model, document: MotionDoc) -> None:
        self.fired: list[FiredEvent] = []
        heard = any(settings.events for settings in document.clips.values())
        self._mixer: LayerMixer | None = bind(model, events_only(document)) if heard else None
        self._step = 0  # number of the next step

    @property
    def reached(self) -> float:
        """The global time up to which all events are known, seconds."""
        return (self._step - 1) / RATE if self._mixer is not None else math.inf

    def work(self, steps: int, until: float) -> None:
        """Evaluate up to `steps` steps of 1/30 s, until the global time `until` is passed."""
        mixer = self._mixer
        while mixer is not None and steps > 0 and self._step - 1 < until * RATE:
            mixer.play(self._step / RATE)
            self.fired += mixer.fired
            mixer.commit_long_step(0.5)
            self._step += 1
            steps -= 1


def events_only(document: MotionDoc) -> MotionDoc:
    """Return a document with the same events and without aims, IK, pivot and root motion."""
    alone = any(item.solo and not item.mute for item in document.layers)
    layers = tuple(
        replace(item, mute=item.mute or (alone and not item.solo), solo=False)
        for item in document.layers
    )
    clips = {name: replace(item, root=None) for name, item in document.clips.items()}
    document = replace(document, layers=layers, clips=clips, pivot=None)
    for item in layers:
        if isinstance(item.play, str) and item.play in {*document.aims, *document.iks}:
            document = without_layer(document, item.name)
    return document
