"""Load a glTF file as a `Model`."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..model.light_levels import light_level
from ..model.model import Facts, Model, Packed
from ..wording import printable
from .accessor import Accessors
from .animations import read_clips
from .compression_savings import read_savings
from .document import MAX_MEMORY, Document, open_document
from .extras import read_extras
from .humanoid import read_humanoid
from .images import read_images
from .lights import read_lights
from .limits import check_drawn
from .materials import normal_maps, read_materials, read_variants
from .mesh_nodes import read_channels, read_instances
from .meshes import read_meshes
from .nodes import read_billboards, read_cameras, read_hidden, read_scene, read_skeleton, sort_nodes
from .pointers import read_pointers
from .skins import read_skins
from .unique_names import unique_names
from .validate import validate

if TYPE_CHECKING:
    import pygltflib


def load(
    source: "str | Path | bytes | pygltflib.GLTF2",
    *,
    root: Path | None = None,
    max_memory: int = MAX_MEMORY,
) -> Model:
    """Return the model of a .gltf, .glb or .vrm file; needs no GPU.

    Parameters
    ----------
    source
        A path, the bytes of a file, or a `pygltflib.GLTF2`.
    root
        Folder that external files must lie in; None: the file's own folder.
    max_memory
        Bytes for the pixels and textures of all images; if they need more, the largest are halved.

    Returns
    -------
    Model
        The file as arrays; images are decoded on first use. Tolerable errors are in `warnings`.

    Raises
    ------
    GltfError
        The file cannot be read, or is invalid.
    UnsupportedError
        The file has another format, or requires an unsupported extension.

    Notes
    -----
    glTF 2.0, https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html.
    """
    return load_document(source, root=root, max_memory=max_memory)[0]


def load_document(
    source: "str | Path | bytes | pygltflib.GLTF2",
    *,
    root: Path | None = None,
    max_memory: int = MAX_MEMORY,
) -> tuple[Model, Document]:
    """Return the model as `load` does, and its document."""
    with _paused_garbage_collection():
        document = open_document(source, root=None if root is None else Path(root))
        document.max_memory = max_memory
        return read_model(document), document


@contextmanager
def _paused_garbage_collection() -> Iterator[None]:
    """Pause the garbage collector: loading creates tens of thousands of objects and frees none.

    Collections took a seventh of the time of loading robot.glb.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def read_model(document: Document) -> Model:
    """Validate a document and return it as a `Model`; errors are those of `load`."""
    unknown = validate(document)
    accessors = Accessors(document)
    check_drawn(document, accessors)
    order = sort_nodes(document)
    meshes = read_meshes(document, accessors)
    channels = read_channels(document, meshes, order)
    channels += read_pointers(document, order, sum(channel.width for channel in channels))
    values = np.concatenate([np.zeros(0, np.float32), *[c.default for c in channels]])
    skeleton = read_skeleton(document, order, values)
    scene = read_scene(document, order)
    hidden = read_hidden(document, order)
    materials = read_materials(document)
    images = read_images(document, accessors, normal_maps(materials))
    model = Model(
        name=document.path.stem if document.path else "model",
        path=document.path,
        skeleton=skeleton,
        channels=tuple(channels),
        meshes=meshes,
        instances=read_instances(document, meshes, channels, order, frozenset(scene.tolist())),
        materials=materials,
        images=images,
        skins=read_skins(document, accessors, order),
        clips=read_clips(document, accessors, order, channels, skeleton.rest.rotation),
        cameras=read_cameras(document, order),
        lights=read_lights(document, order, frozenset(scene.tolist())),
        variants=read_variants(document),
        billboards=read_billboards(document, order),
        hidden=hidden[0],
        hidden_by_node=hidden[1],
        facts=_facts(document, read_savings(document, accessors, images), unknown),
        scene_joints=scene,
        warnings=document.warnings,
        humanoid=read_humanoid(document, order),
        extras=read_extras(document, order),
    )
    levels = light_level(model)
    if levels.gain < 1:
        model.warnings.append(
            f"/extensions/KHR_lights_punctual/lights: {levels.over:.1f} EV above white at the"
            f" model; exposure is reduced by that (--exposure {levels.over:.1f} restores it)"
        )
    return model


def _facts(document: Document, packed: tuple[Packed, ...], unknown: tuple[str, ...]) -> Facts:
    asset = document.json["asset"]
    return Facts(
        generator=printable(asset.get("generator") or ""),
        copyright=printable(asset.get("copyright") or ""),
        version=printable(asset["version"]),
        extensions_used=tuple(map(printable, document.texts("extensionsUsed"))),
        extensions_required=tuple(map(printable, document.texts("extensionsRequired"))),
        not_drawn=tuple(map(printable, unknown)),
        packed=packed,
        scenes=unique_names(document.rows("scenes"), "Scene"),
        file_bytes=document.file_bytes,
        files=tuple(document.files()),
    )
