"""The motion of what is on stage: put to work, changed by hand, undone, saved.

The document is the truth. While something is dragged and time runs, the mixer goes ahead of it, so
that nothing jumps; what stands still on the screen is always what the document says.
"""

from collections import deque
from pathlib import Path
from typing import Protocol

from ..animation.types import F64
from ..blending.step import Fired
from ..errors import AppError, MotionError
from ..motion import edit
from ..motion.cross_references import check
from ..motion.document import MotionDoc, Value
from ..motion.event_preview import Ahead
from ..motion.history import History
from ..motion.motion_path import motion_path
from ..motion.read import MotionFile, read_motion
from ..motion.write import save_motion
from ..scene.character import Character
from . import transport

KEPT = 64  # events that fired last
AHEAD = 2  # steps a frame in which the events to come are looked for
SETTLED = 0.2  # seconds without an edit before that is begun


class Stage(transport.Stage, Protocol):
    """What is needed of a session."""

    @property
    def path(self) -> Path | None:
        """The file that the character came from."""

    def notify(self, text: str) -> None:
        """Show a passing message."""

    def fail(self, error: AppError, title: str = "") -> None:
        """Show an error until it is closed."""


class Editor:
    """What is done by hand to the motion of the character on stage.

    Attributes
    ----------
    history
        The documents of this sitting.
    path
        The file that the motion was read from or saved to, None for neither.
    fired
        The events that fired last, and the session's time when they did.
    """

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self.history = History(MotionDoc())
        self.path: Path | None = None
        self.fired: deque[tuple[Fired, float]] = deque(maxlen=KEPT)
        self._file = MotionFile(MotionDoc())
        self._live: dict[str, Value] = {}  # set by hand while time ran
        self._held: dict[str, str] = {}  # of those, what is still held: its words for the history
        self._astray = False  # the mixer is not where a run of the document would be
        self._seen = 0.0  # tau of the motion when it was last looked at
        self._ahead: Ahead | None = None
        self._ahead_of: tuple[Character, MotionDoc | None] | None = None
        self._ahead_from = 0.0  # the session's time at which it is begun
        self._old: list[Fired] = []  # what was found of the document before

    @property
    def document(self) -> MotionDoc:
        """The present document."""
        return self.history.document

    @property
    def dirty(self) -> bool:
        """Whether something is not saved."""
        return self.history.dirty or bool(self._held)

    @property
    def has_layers(self) -> bool:
        """Whether the document says what plays; else a single clip does."""
        return bool(self.document.layers)

    @property
    def shown(self) -> bool:
        """Whether a motion plays on stage, not a clip alone."""
        return transport.motion(self._stage) is not None

    @property
    def ahead(self) -> list[Fired]:
        """The events that fire over the length of the motion, as far as they are known."""
        if self._ahead is None:
            return self._old
        there = self._ahead.reached
        return [*self._ahead.fired, *(fired for fired in self._old if fired.tau > there)]

    # -- files ------------------------------------------------------------------------------------

    def start(self, document: MotionDoc, file: MotionFile | None = None) -> None:
        """Begin anew with a document, and play it where it has layers.

        Parameters
        ----------
        file
            Where it comes from; what the document has beyond it is not saved yet.

        Raises
        ------
        MotionError
            It does not fit the character; nothing is changed.
        """
        try:
            self._perform(document, anew=True)
        except MotionError as error:
            raise error if file is None else file.locate(error) from None
        self.take(document, file)

    def take(self, document: MotionDoc, file: MotionFile | None = None) -> None:
        """Begin anew with a document that somebody else put to work."""
        self.history = History(document, saved=None if file is None else file.document)
        self._file = MotionFile(MotionDoc()) if file is None else file
        self.path = Path(self._file.name) if self._file.name else None
        if self._stage.character is not None:
            self._stage.character.said = document

    def file_again(self) -> MotionFile | None:
        """Return the motion file as it is now, or as it was where something is not saved.

        Raises
        ------
        MotionError
            It cannot be read.
        """
        if self.path is None or self.dirty or not self.path.is_file():
            return self._file
        return read_motion(self.path)

    def go_on(self, before: Character, file: MotionFile | None) -> None:
        """Go on with a model read again where the one before it was.

        Raises
        ------
        MotionError
            The document does not fit it; a clip alone plays on.
        """
        if not self.dirty and file is not None and file is not self._file:
            self.take(file.document, file)
        character = self._stage.character
        if before.mixer is not None and character is not None:
            self._perform(self.document)
            if character.mixer is not None:
                character.playback = before.playback
        else:
            transport.again(self._stage)

    def save(self) -> bool:
        """Write the motion file; where that fails say why. Nothing is lost."""
        self.let_go()
        path = self.path or self.path_beside()
        if path is None:
            return False
        try:
            self._file = save_motion(path, self._file, self.document)
        except AppError as error:
            self._stage.fail(error, "Not saved")
            return False
        self.path = path
        self.history.mark_saved()
        self._stage.notify(f"Saved {path.name}")
        return True

    def discard(self) -> None:
        """Take what is not saved as given up."""
        self._held.clear()
        self.history.mark_saved()

    def path_beside(self) -> Path | None:
        """Return the motion file's place beside the character."""
        path = self._stage.path
        return None if path is None else motion_path(path)

    # -- edits ------------------------------------------------------------------------------------

    def edit(self, document: MotionDoc, label: str, merge: str = "") -> bool:
        """Go to a new document; where it cannot be put to work keep the old one and say why.

        Parameters
        ----------
        label
            What was done, for the menu: "Weight of wave".
        merge
            Edits of one key in one drag count as one.
        """
        if document == self.document:
            return True
        try:
            self._perform(document)
        except AppError as error:
            self._stage.notify(str(error))
            return False
        self.history.put(document, label, merge)
        return True

    def undo(self) -> None:
        """Take the last edit back."""
        self.let_go()
        label = self.history.undo()
        self._after(f"Undid: {label}" if label else "Nothing to undo")

    def redo(self) -> None:
        """Do again what was taken back."""
        self.let_go()
        label = self.history.redo()
        self._after(f"Did again: {label}" if label else "Nothing to redo")

    def show(self) -> None:
        """Play the motion again after a single clip was shown."""
        self._perform(self.document)

    # -- values that are dragged ------------------------------------------------------------------

    def hold(self, name: str, value: Value, label: str) -> None:
        """Set a parameter, or `LAYER.weight`, while it is dragged: at once, and not yet for good.

        While time runs a parameter with a `damp` runs to it.
        """
        self._live[name] = value
        self._held[name] = label
        mixer = transport.motion(self._stage)
        if mixer is not None and name in mixer.parameters:
            seconds = None if transport.is_running(self._stage) else 0.0
            mixer.set(name, value, max(transport.time(self._stage), 0.0), seconds)
            self._astray = True

    def let_go(self) -> None:
        """End a drag: what was held is written into the document, as one edit."""
        if not self._held:
            self.history.close()
            return
        document, label = self.document, next(iter(self._held.values()))
        now = transport.time(self._stage)
        for name in self._held:
            document = edit.with_value_at(document, name, self._live[name], now)
        self._held.clear()
        self.history.put(document, label)
        if not transport.is_running(self._stage):
            self.settle()

    def follow(self) -> None:
        """Be where the document says where time stands still or went back; once a frame."""
        now = transport.time(self._stage)
        stands = not transport.is_running(self._stage)
        if not self.shown:
            self._astray = False  # a clip alone plays; the motion begins anew when it is shown
        if self._astray and not self._held and (stands or now < self._seen):
            self.settle()
        self._seen = now
        mixer = transport.motion(self._stage)
        if mixer is not None and not stands and mixer.keep_up():
            self._astray = True

    def settle(self) -> None:
        """Show exactly what the document says at this moment."""
        if self._held:
            self.let_go()
        if self._astray:
            self._perform(self.document, adopt=False)

    def value(self, name: str) -> Value | None:
        """Return what a parameter, or `LAYER.weight`, was set to, or is at this moment."""
        if name in self._live:
            return self._live[name]
        present = self.present(name)
        return edit.value_of(self.document, name) if present is None else present

    def present(self, name: str) -> Value | None:
        """Return what a parameter, or `LAYER.weight`, is at this moment on its way."""
        mixer = transport.motion(self._stage)
        if mixer is None or name not in mixer.parameters:
            return None
        return as_value(mixer.parameters.at(name, transport.time(self._stage)))

    # -- events -----------------------------------------------------------------------------------

    def listen(self, tau: float) -> None:
        """Take note of what fired in this frame, and look a little further for what will."""
        character = self._stage.character
        if character is None:
            return
        self.fired.extend((fired, tau) for fired in character.fired)
        document = character.document
        of = self._ahead_of
        if of is None or of[0] is not character or of[1] is not document:
            self._old = self.ahead if document is not None else []
            self._ahead, self._ahead_of = None, (character, document)
            self._ahead_from = tau + SETTLED
        if self._ahead is None and document is not None and tau >= self._ahead_from:
            self._ahead = Ahead(character.model, document)
        if self._ahead is not None:
            self._ahead.work(AHEAD, transport.reach(self._stage)[1])

    def _after(self, words: str) -> None:
        self._perform(self.document)
        self._stage.notify(words)

    def _perform(
        self, document: MotionDoc, *, adopt: bool | None = None, anew: bool = False
    ) -> None:
        """Put a document to work: while time runs without a jump, else exactly as it says."""
        running = transport.is_running(self._stage) if adopt is None else adopt
        there = self.shown
        check(document)
        transport.perform(self._stage, document, adopt=running, anew=anew)
        self._astray = running and there and not anew
        self._live.clear()
        self._held.clear()


def as_value(number: F64) -> Value:
    """Return an array () or (3,) as a document has it."""
    if number.ndim == 0:
        return float(number)
    x, y, z = number.tolist()
    return x, y, z
