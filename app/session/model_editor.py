"""The edits of an open character's model, with undo, until they are saved as a .glb."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from ..animation.clip import Clip
from ..animation.track import Track
from ..errors import AppError, OutputError
from ..file_io import write_file
from ..gltf.document import Document
from ..gltf.save import channel_tracks, model_bytes
from ..memo import Memo
from ..model.edits import ModelEdits, TrackKey, edited, edits_text, fitting
from ..model.model import Model
from ..resources import is_bundled
from .player import Player
from .undo_history import Step


class ModelEditor:
    """Edits keys, weights of vertices and factors of materials of a character's model.

    Parameters
    ----------
    show
        Makes the character use an edited model.

    Attributes
    ----------
    base
        The model without the edits, with imported clips.
    edits
        The present edits.
    lost
        What did not fit the file when it was read again, in words; "": all did.
    """

    def __init__(self, owner: Player, model: Model, show: Callable[[Model], None]) -> None:
        self._owner = owner
        self._show = show
        self.base = model
        self.edits = self._saved = ModelEdits()
        self.lost = ""

    @property
    def dirty(self) -> bool:
        """Whether there are edits that are in no file."""
        return not self.in_file and self.edits != self._saved

    @property
    def in_file(self) -> bool:
        """Whether the character's own file has all edits."""
        return self.edits == ModelEdits()

    @property
    def words(self) -> str:
        """What is edited: ``2 keys in Walk, 1 vertex``; "" without edits."""
        return edits_text(self.edits, self.base)

    def can_move_keys(self, clip: Clip, track: Track) -> bool:
        """Return whether keys of a track can be saved: those of animation pointers cannot."""
        return TrackKey.of(clip, track) in _saved_tracks(self.base)

    def edit(self, edits: ModelEdits, label: str, merge: str = "") -> None:
        """Apply other edits; `merge` as of `UndoHistory`."""
        step = Step(self, self.edits, edits, self._apply, label)
        if self._owner.session.history.put(step, merge):
            self._apply(edits)

    def _apply(self, edits: ModelEdits) -> None:
        before = self.edits, self._owner.character.model
        self.edits = edits
        self._show(edited(self.base, edits, before))

    def rebase(self, model: Model) -> Model:
        """Return a model that was read again, with the edits that still fit it.

        Edits fit where the file has what they replaced; `lost` says which do not.
        """
        kept = fitting(self.edits, self.base, model)
        self.lost = edits_text(_without(self.edits, kept), self.base)
        if self.lost:
            self._owner.session.history.forget(self)
            self._saved = ModelEdits()
        self.base, self.edits = model, kept
        return edited(model, kept)

    def discard(self) -> None:
        """Mark unsaved edits as discarded."""
        self._saved = self.edits

    def save(self, path: Path) -> bool:
        """Write the character's file with the edits; an existing file is replaced.

        Clips of other files are left out. Returns False and shows an error on failure.
        """
        session, model = self._owner.session, self._owner.character.model
        try:
            if is_bundled(path):
                raise OutputError(f"{path}: files of the program are not written")
            rows = {} if model.document is None else model.document.json
            own = model.clips[: len(rows.get("animations") or ())]
            write_file(str(path), model_bytes(model.with_clips(own)))
        except AppError as error:
            session.fail(error, "Not saved")
            return False
        names = {clip.name for clip in own}
        tracks = {key: track for key, track in self.edits.tracks.items() if key.clip in names}
        written = replace(self.edits, tracks=tracks)
        left = _without(self.edits, written)
        words = f"Saved {path.name}: {edits_text(written, self.base) or 'no edits'}"
        others = edits_text(left, self.base)
        session.notify(f"{words}; without {others}, of another file" if others else words)
        self._saved = written
        if self._owner.path is not None and path.absolute() == self._owner.path.absolute():
            session.history.forget(self)  # they are part of the file
            self.base, self.edits, self._saved = edited(self.base, written), left, ModelEdits()
        return True


@Memo
def _saved_tracks(model: Model) -> set[TrackKey]:
    """Return the tracks whose keys are saved, and those of clips that the file does not have."""
    document, clips = model.document, model.clips
    if not isinstance(document, Document):
        return {TrackKey.of(clip, track) for clip in clips for track in clip.tracks}
    own, others = channel_tracks(document, model), clips[len(document.rows("animations")) :]
    found = {TrackKey.of(clips[a], track) for (a, _), track in own.items()}
    return found | {TrackKey.of(clip, track) for clip in others for track in clip.tracks}


def _without(edits: ModelEdits, other: ModelEdits) -> ModelEdits:
    """Return the edits that others do not have."""
    return ModelEdits(
        {key: now for key, now in edits.tracks.items() if other.tracks.get(key) is not now},
        {key: now for key, now in edits.weights.items() if other.weights.get(key) != now},
        {key: now for key, now in edits.factors.items() if other.factors.get(key) != now},
    )
