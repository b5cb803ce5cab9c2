"""Attach files to the joints of a character, as its motion file says."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..animation.euler import from_euler
from ..errors import AppError, KeyPath, UnsupportedError, UsageError
from ..gltf.accessor_references import Json
from ..gltf.attach import attached
from ..gltf.document import Document
from ..gltf.read_model import read_model
from ..model.lookup import find_joint
from ..model.model import Model
from ..motion.file_paths import allowed_path
from ..tomlfile.toml_errors import motion_error, quoted
from .load import load

if TYPE_CHECKING:
    from ..motion.document import Attachment


def with_attachments(
    model: Model,
    attachments: Mapping[str, "Attachment"],
    *,
    folder: Path,
    root: Path | None = None,
) -> Model:
    """Return the model of a file with other files attached to its joints, in place of earlier ones.

    It has the clips of the file. A model without attachments, which gets none, is returned.

    Parameters
    ----------
    folder
        Folder of the motion file: names are relative to it, and files must lie in it or in `root`.

    Raises
    ------
    AppError
        A file cannot be read, or lies outside the folder.
    MotionError
        A joint does not exist.
    UnsupportedError
        The character is motion capture.
    """
    document = model.document
    attached_before = isinstance(document, Document) and document.host is not None
    if not (attachments or attached_before):
        return model
    if isinstance(document, Document):
        model = replace(model, document=document.host or document)
    return with_more_attachments(model, attachments, folder=folder, root=root)


def with_more_attachments(
    model: Model,
    attachments: Mapping[str, "Attachment"],
    *,
    folder: Path = Path(),
    root: Path | None = None,
) -> Model:
    """Return the model of a file with other files attached to its joints; see `with_attachments`.

    Files that are attached already stay.
    """
    whole = model.document
    if not isinstance(whole, Document):
        name = str(model.path or model.name)
        raise UnsupportedError("files cannot be attached to motion capture", file=name)
    for name, each in attachments.items():
        prop = _prop(each, folder, root, ("attachments", name, "file"))
        whole = attached(whole, prop, _node(model, name, each), _wrapper(name, each))
    return replace(read_model(whole), name=model.name, path=model.path)


def _node(model: Model, name: str, attachment: "Attachment") -> int:
    """Return the glTF node of the joint that carries an attachment."""
    try:
        return int(model.skeleton.nodes[find_joint(model, attachment.joint).index])
    except UsageError:
        if attachment.given:
            raise
        wrong, known = attachment.joint, model.skeleton.names
        place = ("attachments", name, "joint")
        raise motion_error(place, f"no joint {quoted(wrong)}", wrong=wrong, known=known) from None


def _prop(attachment: "Attachment", folder: Path, root: Path | None, place: KeyPath) -> Document:
    """Return the document of an attached file."""
    path, given = folder / attachment.file, attachment.given
    if not given:
        path = allowed_path(attachment.file, folder, root, place)
    try:
        document = load(path).document
    except AppError as error:
        if given:
            raise
        raise motion_error(place, str(error)) from None
    if not isinstance(document, Document):
        raise motion_error(place, "motion capture has nothing to attach")
    return document


def _wrapper(name: str, attachment: "Attachment") -> Json:
    """Return the glTF node of an attachment, without its children."""
    rotation = from_euler(np.radians(attachment.rotation))
    return {
        "name": name,
        "translation": list(attachment.translation),
        "rotation": rotation.tolist(),
        "scale": [attachment.scale] * 3,
    }
