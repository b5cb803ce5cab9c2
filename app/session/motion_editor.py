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

EVENTS_KEPT = 64  # events that fired last
PREVIEW_STEPS = 2  # steps a frame in which the events to come are looked for
PREVIEW_DELAY = 0.2  # seconds without an edit before that is begun


class EditorOwner(transport.Player, Protocol):
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

    def __init__(self, owner: EditorOwner) -> None:
        self._owner = owner
        self.history = History(MotionDoc())
        self.path: Path | None = None
        self.fired: deque[tuple[Fired, float]] = deque(maxlen=EVENTS_KEPT)
        self._file = MotionFile(MotionDoc())
        self._live: dict[str, Value] = {}  # set by hand while time ran
        self._dragged: dict[
            str, str
        ] = {}  # of those, what is still held: its words for the history
        self._diverged = False  # the mixer is not where a run of the document would be
        self._seen = 0.0  # tau of the motion when it was last looked at
        self._preview: Ahead | None = None
        self._preview_of: tuple[Character, MotionDoc | None] | None = None
        self._preview_start = 0.0  # the session's time at which it is begun
        self._earlier: list[Fired] = []  # what was found of the document before

    @property
    def document(self) -> MotionDoc:
        """The present document."""
        return self.history.document

    @property
    def dirty(self) -> bool:
        """Whether something is not saved."""
        return self.history.dirty or bool(self._dragged)

    @property
    def has_layers(self) -> bool:
        """Whether the document says what plays; else a single clip does."""
        return bool(self.document.layers)

    @property
    def shown(self) -> bool:
        """Whether a motion plays on stage, not a clip alone."""
        return transport.motion(self._owner) is not None

    @property
    def upcoming(self) -> list[Fired]:
        """The events that fire over the length of the motion, as far as they are known."""
        if self._preview is None:
            return self._earlier
        there = self._preview.reached
        return [*self._preview.fired, *(fired for fired in self._earlier if fired.tau > there)]

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
            self._perform(document, from_start=True)
        except MotionError as error:
            raise error if file is None else file.locate(error) from None
        self.set_document(document, file)

    def set_document(self, document: MotionDoc, file: MotionFile | None = None) -> None:
        """Begin anew with a document that somebody else put to work."""
        self.history = History(document, saved=None if file is None else file.document)
        self._file = MotionFile(MotionDoc()) if file is None else file
        self.path = Path(self._file.name) if self._file.name else None
        if self._owner.character is not None:
            self._owner.character.motion_settings = document

    def reread_file(self) -> MotionFile | None:
        """Return the motion file as it is now, or as it was where something is not saved.

        Raises
        ------
        MotionError
            It cannot be read.
        """
        if self.path is None or self.dirty or not self.path.is_file():
            return self._file
        return read_motion(self.path)

    def continue_from(self, before: Character, file: MotionFile | None) -> None:
        """Go on with a model read again where the one before it was.

        Raises
        ------
        MotionError
            The document does not fit it; a clip alone plays on.
        """
        if not self.dirty and file is not None and file is not self._file:
            self.set_document(file.document, file)
        character = self._owner.character
        if before.mixer is not None and character is not None:
            self._perform(self.document)
            if character.mixer is not None:
                character.playback = before.playback
        else:
            transport.restart_clip(self._owner)

    def save(self) -> bool:
        """Write the motion file; where that fails say why. Nothing is lost."""
        self.end_drag()
        path = self.path or self.default_path()
        if path is None:
            return False
        try:
            self._file = save_motion(path, self._file, self.document)
        except AppError as error:
            self._owner.fail(error, "Not saved")
            return False
        self.path = path
        self.history.mark_saved()
        self._owner.notify(f"Saved {path.name}")
        return True

    def discard(self) -> None:
        """Take what is not saved as given up."""
        self._dragged.clear()
        self.history.mark_saved()

    def default_path(self) -> Path | None:
        """Return the motion file's place beside the character."""
        path = self._owner.path
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
            self._owner.notify(str(error))
            return False
        self.history.put(document, label, merge)
        return True

    def undo(self) -> None:
        """Take the last edit back."""
        self.end_drag()
        label = self.history.undo()
        self._after(f"Undid: {label}" if label else "Nothing to undo")

    def redo(self) -> None:
        """Do again what was taken back."""
        self.end_drag()
        label = self.history.redo()
        self._after(f"Did again: {label}" if label else "Nothing to redo")

    def show(self) -> None:
        """Play the motion again after a single clip was shown."""
        self._perform(self.document)

    # -- values that are dragged ------------------------------------------------------------------

    def drag(self, name: str, value: Value, label: str) -> None:
        """Set a parameter, or `LAYER.weight`, while it is dragged: at once, and not yet for good.

        While time runs a parameter with a `damp` runs to it.
        """
        self._live[name] = value
        self._dragged[name] = label
        mixer = transport.motion(self._owner)
        if mixer is not None and name in mixer.parameters:
            seconds = None if transport.is_running(self._owner) else 0.0
            mixer.set(name, value, max(transport.time(self._owner), 0.0), seconds)
            self._diverged = True

    def end_drag(self) -> None:
        """End a drag: what was held is written into the document, as one edit."""
        if not self._dragged:
            self.history.close()
            return
        document, label = self.document, next(iter(self._dragged.values()))
        now = transport.time(self._owner)
        for name in self._dragged:
            document = edit.with_value_at(document, name, self._live[name], now)
        self._dragged.clear()
        self.history.put(document, label)
        if not transport.is_running(self._owner):
            self.apply_document()

    def sync_to_document(self) -> None:
        """Be where the document says where time stands still or went back; once a frame."""
        now = transport.time(self._owner)
        stands = not transport.is_running(self._owner)
        if not self.shown:
            self._diverged = False  # a clip alone plays; the motion begins anew when it is shown
        if self._diverged and not self._dragged and (stands or now < self._seen):
            self.apply_document()
        self._seen = now
        mixer = transport.motion(self._owner)
        if mixer is not None and not stands and mixer.keep_up():
            self._diverged = True

    def apply_document(self) -> None:
        """Show exactly what the document says at this moment."""
        if self._dragged:
            self.end_drag()
        if self._diverged:
            self._perform(self.document, adopt=False)

    def value(self, name: str) -> Value | None:
        """Return what a parameter, or `LAYER.weight`, was set to, or is at this moment."""
        if name in self._live:
            return self._live[name]
        present = self.current_value(name)
        return edit.value_of(self.document, name) if present is None else present

    def current_value(self, name: str) -> Value | None:
        """Return what a parameter, or `LAYER.weight`, is at this moment on its way."""
        mixer = transport.motion(self._owner)
        if mixer is None or name not in mixer.parameters:
            return None
        return as_value(mixer.parameters.at(name, transport.time(self._owner)))

    # -- events -----------------------------------------------------------------------------------

    def record_events(self, tau: float) -> None:
        """Take note of what fired in this frame, and look a little further for what will."""
        character = self._owner.character
        if character is None:
            return
        self.fired.extend((fired, tau) for fired in character.fired)
        document = character.document
        of = self._preview_of
        if of is None or of[0] is not character or of[1] is not document:
            self._earlier = self.upcoming if document is not None else []
            self._preview, self._preview_of = None, (character, document)
            self._preview_start = tau + PREVIEW_DELAY
        if self._preview is None and document is not None and tau >= self._preview_start:
            self._preview = Ahead(character.model, document)
        if self._preview is not None:
            self._preview.work(PREVIEW_STEPS, transport.time_range(self._owner)[1])

    def _after(self, words: str) -> None:
        self._perform(self.document)
        self._owner.notify(words)

    def _perform(
        self, document: MotionDoc, *, adopt: bool | None = None, from_start: bool = False
    ) -> None:
        """Put a document to work: while time runs without a jump, else exactly as it says."""
        running = transport.is_running(self._owner) if adopt is None else adopt
        there = self.shown
        check(document)
        transport.play_motion(self._owner, document, adopt=running, from_start=from_start)
        self._diverged = running and there and not from_start
        self._live.clear()
        self._dragged.clear()


def as_value(number: F64) -> Value:
    """Return an array () or (3,) as a document has it."""
    if number.ndim == 0:
        return float(number)
    x, y, z = number.tolist()
    return x, y, z
