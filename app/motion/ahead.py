"""What will fire over the length of a motion, found out a little at a time."""

from app.animation.mixer import Mixer
from app.animation.step import Fired
from app.model import Model
from app.motion.bind import bind
from app.motion.document import MotionDoc

RATE = 30  # steps a second of the motion


class Ahead:
    """Runs a mixer of its own through the motion, beside the one that is shown.

    Attributes
    ----------
    fired
        The events found so far, in order of time.
    """

    def __init__(self, model: Model, document: MotionDoc) -> None:
        self.fired: list[Fired] = []
        heard = any(settings.events for settings in document.clips.values())
        self._mixer: Mixer | None = bind(model, document) if heard else None
        self._step = 0  # the next one

    def work(self, steps: int, until: float) -> None:
        """Go on by some steps of 1/30 s, to a global time at most (the step that passes it)."""
        mixer = self._mixer
        while mixer is not None and steps > 0 and self._step - 1 < until * RATE:
            mixer.play(self._step / RATE)
            self.fired += mixer.fired
            self._step += 1
            steps -= 1
