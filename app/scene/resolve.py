"""Turn what was asked of a picture into what it shows: names for patterns, numbers for views."""

from dataclasses import replace

from ..model.joint_branches import branches_reference, find_branches
from ..model.lookup import (
    camera_reference,
    clip_reference,
    find_camera,
    find_clip,
    find_joint,
    find_variant,
    variant_reference,
)
from ..model.mesh_parts import find_parts, parts_reference
from ..model.model import Model
from ..model.skin_joints import joint_reference
from ..scenedoc.camera import Camera
from ..scenedoc.look import Look, Shading
from ..scenedoc.scene_doc import SceneDoc
from ..scenedoc.shown import Shown
from .camera import OrbitCamera, placed
from .scene import Scene
from .selected import find_selected, reference


def resolve(doc: SceneDoc, scene: Scene) -> SceneDoc:
    """Return the record that draws the picture of a scene in any other way of choosing it.

    Patterns and indices become names, and a camera that frames something gets the position that
    it has in the scene, in which the record is bound and plays. A resolved record stays as it is.

    Raises
    ------
    UsageError
        A model lacks something that the record names.
    """
    if not doc.characters or scene.character is None:
        return doc
    models = [instance.model for instance in scene.instances]
    model = models[doc.active - 1]
    selected = doc.selected
    return replace(
        doc,
        characters=tuple(map(_resolved, doc.characters, models)),
        crowd=replace(doc.crowd, clips=tuple(_clip(model, name) for name in doc.crowd.clips)),
        selected=None if selected is None else reference(model, find_selected(model, selected)),
        camera=_camera(doc.camera, model, scene.camera.current),
        look=_look(doc.look, model),
    )


def _resolved(shown: Shown, model: Model) -> Shown:
    """Return the record of a character with names of its model."""
    variant, meshes, joints = shown.variant, shown.hidden_meshes, shown.hidden_joints
    layers = shown.clip is None and bool(shown.motion.at or shown.motion.document)
    return replace(
        shown,
        clip=shown.clip if layers or shown.pose != "clip" else _clip(model, shown.clip),
        variant=None if variant is None else variant_reference(model, find_variant(model, variant)),
        hidden_meshes=parts_reference(model, find_parts(model, meshes or "")) or None,
        hidden_joints=branches_reference(model, find_branches(model, joints or "")) or None,
    )


def _clip(model: Model, name: str | None) -> str | None:
    """Return the name of a clip; None stays: the first one, or the layers of a motion file."""
    return None if name is None else clip_reference(model, find_clip(model, name).index)


def _camera(camera: Camera, model: Model, orbit: OrbitCamera) -> Camera:
    """Return the camera of the file by its name, or the orbit camera with its position."""
    if camera.name is not None:
        return replace(camera, name=camera_reference(model, find_camera(model, camera.name)))
    if camera.position is not None and camera.target is not None:
        return replace(camera, follow=camera.followed)
    return replace(placed(orbit), follow=camera.followed)


def _look(look: Look, model: Model) -> Look:
    """Return the look with the name of the joint whose weights are shown."""
    weights = look.shading.weights
    if weights is None:
        return look
    name = joint_reference(model, find_joint(model, weights).index)
    return look.changed(Shading, weights=name)
