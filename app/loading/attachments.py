"""Attach files to the joints of a character, as its motion file says."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..animation import quat
from ..errors import AppError, UnsupportedError, UsageError
from ..gltf.attach import attached
from ..gltf.document import Document, open_document
from ..gltf.read_model import read_model
from ..model.lookup import find_joint
from ..model.model import Model
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
    if not attachments and not (isinstance(document, Document) and document.host is not None):
        return model
    if not isinstance(document, Document):
        name = str(model.path or model.name)
        raise UnsupportedError("files cannot be attached to motion capture", file=name)
    host = document.host or document
    whole, skeleton = host, model.skeleton
    for name, each in attachments.items():
        path = ("attachments", name)
        try:
            joint = find_joint(model, each.joint).index
        except UsageError:
            message = f"no joint {quoted(each.joint)}"
            raise motion_error(
                (*path, "joint"), message, wrong=each.joint, known=skeleton.names
            ) from None
        prop = _document(each, folder, root, (*path, "file"))
        node = int(skeleton.nodes[joint])
        whole = attached(whole, prop, node, _wrapper(name, each))
    return replace(read_model(replace(whole, host=host if attachments else None)), name=model.name)
