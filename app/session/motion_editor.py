"""The motion editor of an open character: plays, edits, undoes and saves its motion document.

The document is the single source of truth. While a value is dragged and time runs, the mixer may
differ from it, so that the motion does not jump; a paused motion always equals the document.
"""

from collections import deque
from dataclasses import replace
from pathlib import Path

from ..blending.layer_mixer import LayerMixer
from ..blending.parameters import Parameters
from ..blending.sources import FiredEvent
from ..errors import AppError, MotionError, OutputError
from ..memo import is_same
from ..motion import edit
from ..motion.bind_names import NameResolver, set_morphs
from ..motion.cross_references import check
from ..motion.document import MotionDoc, Value
from ..motion.event_preview import EventPreview
from ..motion.file_paths import motion_path, with_files_from
from ..motion.live_values import NOTHING_GIVEN, EditedDocument, Given, without_given_files
from ..motion.read import MotionFile, read_motion
from ..motion.write import save_motion
from ..resources import is_bundled
from ..scene.character import Character
from . import played_motion
from .morph_overrides import only_morphs_differ, with_morphs_of, without_lost_morphs
from .player import Player
from .transport import Transport
from .undo_history import Step

EVENTS_KEPT = 64  # last fired events
PREVIEW_STEPS = 1  # simulation steps per frame of the event preview
PREVIEW_DELAY = 0.2  # seconds after an edit before the preview starts


class Editor:
    """Edits the motion document of a character, with undo.

    Parameters
    ----------
    owner
        The character; None: there is none, and nothing to edit.

    Attributes
    ----------
    path
        The motion file read or saved last, None if there is none.
    fired
        The last fired events, each with the session's time.
    """

    def __init__(self, owner: Player | None) -> None:
        self._owner = owner
        self._edited = EditedDocument(MotionDoc())
        self.path: Path | None = None
        self.fired: deque[tuple[FiredEvent, float]] = deque(maxlen=EVENTS_KEPT)
        self._file = MotionFile(MotionDoc())
        self._live: dict[str, Value] = {}  # set by hand since the document was applied
        self._dragged: dict[str, str] = {}  # of those held still: words for the history
        self._held_morph = ""  # label of the morph weight that is dragged
        self._performed = self.document  # the document that was played last
        self._diverged = False  # the mixer's state differs from a run of the document
        self._last_time = 0.0  # the motion's tau in the previous frame
        self._preview: EventPreview | None = None
        self._preview_of: tuple[Character, MotionDoc | None] | None = None
        self._preview_start = 0.0  # the session's time at which it starts
        self._earlier: list[FiredEvent] = []  # events of the preview before

    @property
    def _character(self) -> Character | None:
        return None if self._owner is None else self._owner.character

    @property
    def _transport(self) -> Transport:
        return Transport(self._owner)

    @property
    def document(self) -> MotionDoc:
        """The current document."""
        return self._edited.document

    @property
    def saved_document(self) -> MotionDoc:
        """The document in the motion file."""
        return self._file.document

    @property
    def dirty(self) -> bool:
        """Whether there are unsaved changes; live values do not count."""
        return self._edited.dirty or any(
            name not in self.document.parameters for name in self._dragged
        )

    @property
    def differs(self) -> bool:
        """Whether the document differs from the saved one, if only in live values."""
        return self._edited.differs or bool(self._dragged)

    @property
    def is_dragging(self) -> bool:
        """Whether a value or a morph weight is dragged, and not yet in the document."""
        return bool(self._dragged) or bool(self._held_morph)

    @property
    def has_layers(self) -> bool:
        """Whether the document has layers; without layers a single clip plays."""
        return bool(self.document.layers)

    @property
    def shown(self) -> bool:
        """Whether the layers of the motion play, not a single clip."""
        character = self._character
        return character is not None and character.mixer.layered

    @property
    def _parameters(self) -> Parameters:
        """The parameters of what the character plays."""
        character = self._character
        return Parameters({}, {}) if character is None else character.mixer.parameters

    @property
    def upcoming(self) -> list[FiredEvent]:
        """The events that fire over the length of the motion, as far as previewed."""
        if self._preview is None:
            return self._earlier
        there = self._preview.reached
        return [*self._preview.fired, *(fired for fired in self._earlier if fired.tau > there)]

    # -- files ------------------------------------------------------------------------------------

    def start(self, document: MotionDoc, file: MotionFile | None = None) -> None:
        """Replace the document, and play it if it has layers; its edits cannot be undone.

        Parameters
        ----------
        file
            The file that contains the saved document; differences from it count as unsaved.

        Raises
        ------
        MotionError
            The document does not fit the character; nothing is changed.
        """
        try:
            self._perform(document, from_start=True)
        except MotionError as error:
            raise error if file is None else file.locate(error) from None
        self.set_document(document, file)

    def set_document(
        self, document: MotionDoc, file: MotionFile | None = None, given: Given = NOTHING_GIVEN
    ) -> None:
        """Replace the document, for a file if given; the caller has started playback."""
        if self._owner is not None:
            self._owner.session.history.forget(self)
        if file is not None:
            file = replace(file, document=without_given_files(file.document))
        saved = None if file is None else file.document
        self._edited = EditedDocument(document, saved=saved, given=given)
        self._performed = document
        self._file = MotionFile(MotionDoc()) if file is None else file
        self.path = Path(self._file.name) if self._file.name else None

    def reread_file(self) -> MotionFile | None:
        """Return the motion file, read again unless there are unsaved changes.

        Raises
        ------
        MotionError
            The file cannot be read.
        """
        if self.path is None or self.dirty or not self.path.is_file():
            return self._file
        return read_motion(self.path)

    def continue_from(self, before: Character, file: MotionFile | None) -> None:
        """Continue playback on a reloaded model.

        Raises
        ------
        MotionError
            The document does not fit the model; a single clip keeps playing.
        """
        if self._owner is None:
            return
        character, morphs = self._owner.character, self.document.morphs
        kept = without_lost_morphs(self.document, self.saved_document, character.model)
        self.put(kept, "Reload")
        if not self.dirty and file is not None and file is not self._file:
            if file.document == self._file.document:
                self._file = file
            else:
                live = self._edited.live_values_in(file.document)
                self.set_document(live, file, self._edited.given)
        if self.document.morphs != morphs or character.override.shape != before.override.shape:
            character.set_morphs(set_morphs(character.model, self.document))
        if before.mixer.layered:
            self._perform(self.document)
            if character.mixer.layered:
                character.mixer.playback = before.playback
        else:
            played_motion.restart_clip(self._owner)

    def save(self, path: Path | None = None) -> bool:
        """Write the motion file with the morph weights set by hand, to a new path if given.

        Returns False and shows an error on failure. Bundled files are not written.
        """
        self.end_drag()
        path = path or self.path or self.default_path()
        if path is None or self._owner is None:
            return False
        before = self.path or self.default_path() or path
        document = with_files_from(self.document, before.parent, path.parent)
        try:
            if is_bundled(path):
                raise OutputError(f"{path}: files of the program are not written")
            document = with_morphs_of(document, self._owner.character)
            self._file = save_motion(path, self._file, document)
        except AppError as error:
            self._owner.session.fail(error, "Not saved")
            return False
        self.put(document, "Save")
        self.path, self._performed = path, document
        self._edited.mark_saved()
        beside = self.default_path()
        far = beside is not None and path.absolute() != beside.absolute()
        self._owner.session.notify(
            f"Saved {path.name}" + (f"; --motion {path} plays it" if far else "")
        )
        return True

    def discard(self) -> None:
        """Mark unsaved changes as discarded."""
        self._dragged.clear()
        self._edited.mark_saved()

    def default_path(self) -> Path | None:
        """Return the path of the motion file beside the character."""
        path = None if self._owner is None else self._owner.path
        return None if path is None else motion_path(path)

    # -- edits ------------------------------------------------------------------------------------

    def edit(self, document: MotionDoc, label: str, merge: str = "") -> bool:
        """Apply a new document; return False, with a notice, if it does not fit the character.

        Parameters
        ----------
        label
            Label of the edit in the menu: "Weight of wave".
        merge
            Consecutive edits of one drag with the same key are one undo step.
        """
        if self._owner is None or document == self.document:
            return True
        try:
            self._perform(document)
        except AppError as error:
            self._owner.session.notify(str(error))
            return False
        self.put(document, label, merge)
        return True

    def put(self, document: MotionDoc, label: str, merge: str = "") -> None:
        """Replace the document, which plays already, as an edit; parameters as of `edit`."""
        if self._owner is not None:
            step = Step(self, self.document, document, self._show_again, label)
            self._owner.session.history.put(step, merge)
        self._edited.document = document

    def _show_again(self, document: MotionDoc) -> bool:
        """Play the document before or after an edit; return False as of `show`."""
        self._edited.document = document
        return self.show()

    def show(self) -> bool:
        """Play the layers; return False, with a notice, if they do not fit the character.

        A reloaded character may lack what the document names. A single clip plays then.
        """
        try:
            self._perform(self.document)
        except MotionError as error:
            own = self._owner
            if own is not None:
                if own.character.mixer.layered:
                    played_motion.choose_clip(own, own.character.clip)
                own.session.notify(f"The motion does not fit the character: {error}")
            return False
        return True

    # -- dragged values --------------------------------------------------------------------------

    def drag(self, name: str, value: Value, label: str) -> None:
        """Set a parameter or `LAYER.weight` during a drag, without a change of the document.

        While time runs, a parameter with `damp` approaches the value smoothly. Layers play from
        then on if a single clip has played, as after any edit of theirs.
        """
        if self.has_layers and not self.shown and name not in self._parameters:
            self.show()
        self._live[name] = value
        self._dragged[name] = label
        character = self._character
        if character is not None and name in character.mixer.parameters:
            seconds = None if self._transport.running else 0.0
            character.mixer.set(name, value, max(self._transport.mixer_time, 0.0), seconds)
            self._diverged = True

    def drag_morph(self, value: int | None, weight: float, label: str) -> None:
        """Set a morph weight in place of the clip's during a drag; NaN resets it.

        `value` is its index in `Pose.values`, None: all of them.
        """
        character = self._character
        if character is not None:
            character.override[slice(None) if value is None else value] = weight
            self._held_morph = label

    def end_drag(self) -> None:
        """End a drag: write the dragged values into the document as one edit."""
        character = self._character
        if self._held_morph and character is not None:
            self.put(with_morphs_of(self.document, character), self._held_morph)
            self._performed = replace(self._performed, morphs=self.document.morphs)
        self._held_morph = ""
        if self._owner is None:
            return
        if not self._dragged:
            self._owner.session.history.close()
            return
        document, label = self.document, next(iter(self._dragged.values()))
        now = self._transport.mixer_time
        for name in self._dragged:
            document = edit.with_value_at(document, name, self._live[name], now)
        self._dragged.clear()
        self.put(document, label)
        if not self._transport.running:
            self.apply_document()

    def sync_to_document(self) -> None:
        """Apply the document again if time is paused or went back; called once a frame."""
        now = self._transport.mixer_time
        paused = not self._transport.running
        if not self.shown:
            self._diverged = False  # a single clip plays; the layers start anew when shown
        dragging = bool(self._dragged) or self._drags_pose
        if self._diverged and not dragging and (paused or now < self._last_time):
            self.apply_document()
        self._last_time = now
        character = self._character
        if character is not None and not paused and character.mixer.commit_long_step():
            self._diverged = True

    @property
    def _drags_pose(self) -> bool:
        """Whether the last edit is part of a drag that goes on."""
        return self._owner is not None and self._owner.session.history.is_dragging

    def apply_document(self) -> None:
        """Bring the mixer to the document's exact state at this time."""
        if self._dragged:
            self.end_drag()
        if self._diverged:
            self._perform(self.document, keep_state=False)

    def value(self, name: str) -> Value | None:
        """Return the target value of a parameter or `LAYER.weight`, else its current value."""
        return self.value_and_current(name)[0]

    def value_and_current(self, name: str) -> tuple[Value | None, Value | None]:
        """Return `value` and `current_value`."""
        current = self.current_value(name)
        if name in self._live:
            return self._live[name], current
        return edit.value_of(self.document, name) if current is None else current, current

    def current_value(self, name: str) -> Value | None:
        """Return the current value of a parameter or `LAYER.weight` while it is damped or faded."""
        parameters = self._parameters
        if name not in parameters:
            return None
        return edit.as_value(parameters.at(name, self._transport.mixer_time))

    # -- events -----------------------------------------------------------------------------------

    def record_events(self, tau: float) -> None:
        """Record the events that fired in this frame, and advance the event preview."""
        character = self._character
        if character is None:
            return
        self.fired.extend((fired, tau) for fired in character.fired)
        document = self._performed if self.shown else None
        performed = character, document
        if not is_same(self._preview_of, performed):
            self._earlier = self.upcoming if document is not None else []
            self._preview, self._preview_of = None, performed
            self._preview_start = tau + PREVIEW_DELAY
        if self._preview is None and document is not None and tau >= self._preview_start:
            self._preview = EventPreview(character.model, document)
        if self._preview is not None:
            self._preview.work(PREVIEW_STEPS, *self._transport.ruler)

    def _perform(
        self, document: MotionDoc, *, keep_state: bool | None = None, from_start: bool = False
    ) -> None:
        """Play a document: without a jump while time runs, else in its exact state."""
        running = self._transport.running if keep_state is None else keep_state
        was_shown = self.shown
        check(document)
        character, morphs = self._character, None
        if character is not None and (from_start or document.morphs != self._performed.morphs):
            morphs = set_morphs(character.model, document)
            if not from_start and only_morphs_differ(document, self._performed):
                character.set_morphs(morphs)  # what plays goes on
                self._performed = document
                return
        if character is not None and not from_start and self._write_poses(character, document):
            return
        if self._owner is not None:
            played_motion.play_document(
                self._owner, document, keep_state=running, from_start=from_start
            )
        if character is not None and morphs is not None:
            character.set_morphs(morphs)
        self._performed = document
        self._diverged = running and was_shown and not from_start
        self._live.clear()
        self._dragged.clear()

    def _write_poses(self, character: Character, document: MotionDoc) -> bool:
        """Write changed numbers of poses into the mixer; return whether nothing else differs.

        A drag does not bind the layers in each frame; they are bound when it ends.
        """
        mixer, before = character.mixer, self._performed
        if document.poses == before.poses or not isinstance(mixer, LayerMixer):
            return False
        named = [{k: [*pose] for k, pose in each.poses.items()} for each in (document, before)]
        if named[0] != named[1] or replace(before, poses=document.poses) != document:
            return False
        names = NameResolver(character.model, document)
        for name, pose in mixer.named_poses.items():
            pose.assign(names.posed(name))
        self._performed, self._diverged = document, True
        return True
