"""One way in for a file of any kind: glTF, VRM or motion capture, by its ending or its first bytes.

`.fbx`, `.usd` and `.obj` get an error that says how to convert them.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from ..gltf.document import Document
from ..gltf.load import load_document as load_gltf
from ..model.model import Model

if TYPE_CHECKING:
    import pygltflib


def load(source: "str | Path | bytes | pygltflib.GLTF2", *, root: Path | None = None) -> Model:
    """Read a character or a motion; needs no GPU.

    Parameters
    ----------
    source
        A path to a .gltf, .glb, .vrm or .bvh file, the bytes of one, or a `pygltflib.GLTF2`.
    root
        Folder that the files it refers to may come from; None: the folder it lies in.

    Returns
    -------
    Model
        All of it as arrays. What was odd but could be shown is in `warnings`.

    Raises
    ------
    AppError
        It cannot be read, is not sound, is of another format or needs what is not supported.
    """
    return load_document(source, root=root)[0]


def load_document(
    source: "str | Path | bytes | pygltflib.GLTF2", *, root: Path | None = None
) -> tuple[Model, Document | None]:
    """Read a file as `load` does; return with it the glTF document it came from, if it is one."""
    if isinstance(source, str | Path) and Path(source).suffix.lower() == ".bvh":
        from .bvh import load_bvh  # few files are

        return load_bvh(source), None
    if isinstance(source, bytes):
        from .bvh import is_bvh, load_bvh

        if is_bvh(source):
            return load_bvh(source), None
    return load_gltf(source, root=root)
