"""Import the clips that a motion document names, in a thread."""

from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from ..animation.track import Rotation
from ..errors import UsageError
from ..model.model import Model
from ..motion.document import MotionDoc
from ..motion.read import MotionFile
from .background_call import BackgroundCall

if TYPE_CHECKING:
    from ..loading.import_clips import ImportedFile

    Found = tuple[Model, tuple["ImportedFile", ...]]


class ClipJob:
    """The import of the clips that a document names, into a model without any.

    Attributes
    ----------
    asking
        Whether it waits for an answer, because few joints match.

    started_from
        The character's model, and its settings of the import, when it began.

    Parameters
    ----------
    model
        The model without clips of other files, see `without_imports`.
    motion
        The document to import for, and the name of its file.
    added
        The files at the end of the document's list that were not there before.
    more
        Further files, of the option --anims.
    root
        Folder that the files must lie in; None: that of the motion file.
    """

    def __init__(
        self,
        model: Model,
        motion: MotionFile,
        added: tuple[Path, ...] = (),
        *,
        started_from: tuple[Model, object],
        more: tuple[Path, ...] = (),
        root: Path | None = None,
        force: bool = False,
        rotation: Rotation = "slerp",
    ) -> None:
        self.added, self.asking = added, False
        self.started_from = started_from
        self._model, self._motion = model, motion
        self._more, self._root, self._force = more, root, force
        self._rotation: Rotation = rotation
        self._call: BackgroundCall[Found] = BackgroundCall(self._import)

    @property
    def document(self) -> MotionDoc:
        """The document to import for."""
        return self._motion.document

    @property
    def done(self) -> bool:
        """Whether the clips were imported, or an error ended it."""
        return self._call.done

    def result(self) -> "Found":
        """Wait, and return the model with the clips, and the result for each file.

        Raises
        ------
        AppError
            A file cannot be read, or an added one has no animations.
        """
        model, report = self._call.result()
        for each in self.new(report):
            if not each.clips:
                raise UsageError("has no animations", file=Path(each.file).name)
        return model, report

    def new(self, report: tuple["ImportedFile", ...]) -> tuple["ImportedFile", ...]:
        """Return the results of the files that were added."""
        last = len(self.document.anims.files)
        return report[last - len(self.added) : last]

    def _import(self) -> "Found":
        from ..loading.import_clips import import_all_clips  # imported late: seldom used

        model, report = import_all_clips(
            self._model, self._motion, self._more, root=self._root, force=self._force
        )
        return model.with_key_rotation(self._rotation), report


def without_imports(model: Model, imports: tuple["ImportedFile", ...]) -> Model:
    """Return a model without the clips of other files, which follow its own."""
    own = len(model.clips) - sum(len(each.clips) for each in imports)
    aliases = {name: clip for name, clip in model.aliases.items() if clip < own}
    return replace(model, clips=model.clips[:own], aliases=MappingProxyType(aliases))
