"""Read a glTF document as a `Model`."""

import numpy as np

from ..model.light_levels import light_level
from ..model.model import Facts, Model, Packed
from ..model.named_clips import Clips
from ..wording import printable
from .accessor import Accessors
from .animations import read_clips
from .compression_savings import read_savings
from .document import Document
from .extras import read_extras
from .humanoid import read_humanoid
from .images import read_images
from .instancing import write_out_instances
from .lights import read_lights
from .limits import check_drawn
from .materials import normal_maps, read_materials, read_variants
from .meshes import read_meshes
from .nodes import (
    read_billboards,
    read_cameras,
    read_channels,
    read_hidden,
    read_instances,
    read_scene,
    read_skeleton,
    sort_nodes,
)
from .object_names import unique_names
from .pointers import read_pointers
from .skins import read_skins
from .validate import validate


def read_model(document: Document) -> Model:
    """Return a document as a `Model`; images are decoded on first use.

    Tolerable errors are in the document's `warnings`, which are those of the model.

    Raises
    ------
    GltfError
        The document is invalid.
    UnsupportedError
        It requires an unsupported extension.

    Notes
    -----
    glTF 2.0, https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html.
    """
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
    in_scene = frozenset(scene.tolist())
    instances = read_instances(document, meshes, channels, order, in_scene)
    materials = read_materials(document)
    images = read_images(document, accessors, normal_maps(materials))
    model = Model(
        name=document.path.stem if document.path else "model",
        path=document.path,
        skeleton=skeleton,
        channels=tuple(channels),
        meshes=meshes,
        instances=write_out_instances(accessors, order, meshes, instances),
        materials=materials,
        images=images,
        skins=read_skins(document, accessors, order),
        clips=Clips(read_clips(document, accessors, order, channels, skeleton.rest)),
        cameras=read_cameras(document, order),
        lights=read_lights(document, order, in_scene),
        variants=read_variants(document),
        billboards=read_billboards(document, order),
        hidden=hidden[0],
        hidden_by_node=hidden[1],
        facts=_facts(document, read_savings(document, accessors, images), unknown),
        scene_joints=scene,
        warnings=document.warnings,
        humanoid=read_humanoid(document, order),
        extras=read_extras(document, order),
        document=document,
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
