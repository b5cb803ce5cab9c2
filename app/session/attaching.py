"""Attach files, such as props, to the joints of a character: an edit of its motion."""

from pathlib import Path

from ..model.skin_joints import joint_reference
from ..motion import edit
from ..motion.file_paths import path_from
from .character_files import after_converting
from .file_reading import motion_folder
from .session import Session

NOT_ATTACHED = "The file cannot be attached"


def attach(session: Session, *paths: Path) -> None:
    """Attach files to the selected joint of the active character.

    They are read in the background.
    """
    own, chosen = session.active, session.selected
    if own is None or chosen is None or chosen.primitive >= 0:
        session.notify("Select the joint that carries the file first")
        return
    folder, joint = motion_folder(own), chosen.joint
    if folder is None or not own.model.meshes:
        session.notify("Files can be attached to a character that was read from a file")
        return

    def put() -> None:
        document = own.document
        for path in paths:
            given = path_from(path.resolve(), folder)
            document, _ = edit.with_attached(document, given, joint_reference(own.model, joint))
        own.given_files.update(path.resolve() for path in paths)
        if own.editor.edit(document, f"Attach {paths[0].name}"):
            session.notify(f"Attached {paths[0].name} to {own.model.skeleton.names[joint]}")

    after_converting(session, paths, put, NOT_ATTACHED)
