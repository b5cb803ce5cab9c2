"""Clips of other files put on a model, by joint name (SPEC B9, RULINGS M34).

::

    model, report = with_anims(model, ["run.glb", "capture.bvh"])
    model, report = with_anims(model, doc.anims.files, doc.anims.names, doc.retarget,
                               folder=motion_file.parent, root=root)

The clips come after the model's own: `Walk`, where that is taken `Walk #2`; as `run:Walk` each is
found whatever it is called. `report` has a `Carried` for each file.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from app.model import Model
from app.motion.document import RetargetSettings


@dataclass(frozen=True, slots=True)
class Carried:
    """What became of one file; joints by name."""

    file: str
    clips: tuple[str, ...]  # as they are called in the model
    verbatim: bool  # equal skeletons: the very tracks
    matched: tuple[tuple[str, str], ...]  # source joint, target joint
    unmatched: tuple[str, ...]  # target joints that rest
    extra: tuple[str, ...]  # source joints that nothing follows
    scale: float  # of the way of hips and root


def with_anims(
    model: Model,
    files: Sequence[str | Path],
    names: Mapping[str, str] | None = None,
    settings: RetargetSettings | None = None,
    *,
    folder: Path | None = None,
    root: Path | None = None,
) -> tuple[Model, tuple[Carried, ...]]:
    """Return the model with the clips of other files added, and what became of each file.

    Parameters
    ----------
    files
        glTF or .bvh, as the user named them.
    names
        Source pattern: target pattern, as in a motion file; what it does not name is matched by
        name and alias.
    folder
        Where relative names start, which they may not leave but for `root`; None: anywhere, as
        files that a person named on the command line.
    root
        Folder that files may come from.

    Raises
    ------
    AppError
        A file that cannot be read, or a joint that is not there.
    """
    raise NotImplementedError
