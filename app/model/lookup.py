"""Look-up of clips, joints, variants and cameras by user input."""

from collections.abc import Sequence

from ..errors import UsageError
from ..retargeting.name_affixes import prefix_of
from .model import MeshInstance, Model
from .named_clips import LookupResult, offer, parsed_index


def find_clip(model: Model, text: str | int) -> LookupResult:
    """Return the clip of a name, an index or a pattern; see `Clips.find`."""
    return model.clips.find(text)


def find_joint(model: Model, text: str) -> LookupResult:
    """Return the joint of an exact name, joints of skins first, or of a glTF node index (#3).

    A mesh node may have the name of a joint; the second of the two is then renamed to "Name #2" in
    the model, and the name still finds the joint of the skin. The name may lack the prefix of all
    names, as panels show it: "LeftFoot" for "mixamorig:LeftFoot".

    Raises
    ------
    UsageError
        Not found; the hint lists similar names.
    """
    names = model.skeleton.names
    in_skins = sorted({int(joint) for skin in model.skins for joint in skin.joints})
    prefix = joint_prefix(model)
    for name in dict.fromkeys((text, prefix + text)):
        for joint in in_skins:
            if names[joint] == name:
                return LookupResult(joint)
        repeated = [joint for joint in in_skins if _plain(names[joint]) == name]
        if repeated:
            return LookupResult(repeated[0])
        if name in names:
            return LookupResult(names.index(name))
    joint = _joint_of_number(model, text)
    if joint >= 0:
        return LookupResult(joint)
    nearby = [names[joint].removeprefix(prefix) for joint in in_skins or range(len(names))]
    raise UsageError(f"no joint {text!r}", hint=offer(nearby, text, "joint"))


def find_mesh_instance(model: Model, text: str) -> MeshInstance:
    """Return the mesh at the node of a name, or of a glTF node index (#3).

    Raises
    ------
    UsageError
        Not found; the hint lists similar names.
    """
    names = model.skeleton.names
    for name in dict.fromkeys((text, joint_prefix(model) + text)):
        for name_of in (str, _plain):
            for instance in model.instances:
                if name_of(names[instance.joint]) == name:
                    return instance
    joint = _joint_of_number(model, text)
    for instance in model.instances:
        if instance.joint == joint:
            return instance
    nearby = [names[instance.joint] for instance in model.instances]
    raise UsageError(f"no mesh at {text!r}", hint=offer(nearby, text, "mesh"))


def find_variant(model: Model, text: str) -> int:
    """Return the material variant of an exact name, else of an index.

    Raises
    ------
    UsageError
        Not found; the hint lists similar names.
    """
    return _named(model.variants, text, "variant")


def clip_reference(model: Model, number: int) -> str:
    """Return the text by which `find_clip` finds a clip: its name, if that is unique."""
    for text in (model.clips[number].name, f"#{number}"):
        if text.isprintable() and find_clip(model, text).index == number:
            return text
    return str(number)


def camera_reference(model: Model, number: int) -> str:
    """Return the text by which `find_camera` finds a camera: its name, if that is unique."""
    name = model.cameras[number].name
    return name if name.isprintable() and find_camera(model, name) == number else f"#{number}"


def variant_reference(model: Model, number: int) -> str | None:
    """Return the text by which `find_variant` finds a variant, None for -1."""
    if number < 0:
        return None
    name = model.variants[number]
    return name if name.isprintable() and find_variant(model, name) == number else f"#{number}"


def find_camera(model: Model, text: str) -> int:
    """Return the camera of an exact name, else of its joint's name, else of an index."""
    found = model.camera_named(text)
    if found is not None:
        return found
    return _named([camera.name for camera in model.cameras], text, "camera")


def _named(names: Sequence[str], text: str, kind: str) -> int:
    if text in names:
        return names.index(text)
    index = parsed_index(text)
    if index is not None and index < len(names):
        return index
    raise UsageError(f"no {kind} {text!r}", hint=offer(names, text, kind))


def _joint_of_number(model: Model, text: str) -> int:
    """Return the joint of a glTF node index (#3), -1 without one."""
    joints = model.skeleton.joint_of_node
    node = parsed_index(text) if text.startswith("#") else None
    return -1 if node is None or node >= len(joints) else int(joints[node])


def _plain(name: str) -> str:
    """Return a name without the number that makes it unique: "Head" for "Head #2"."""
    head, mark, number = name.rpartition(" #")
    return head if mark and number.isdigit() else name


def joint_prefix(model: Model) -> str:
    """Return the prefix of the joints' names, empty without one."""
    return prefix_of(model.skeleton.names)


def clip_prefix(model: Model) -> str:
    """Return the prefix of the clips' names, empty without one."""
    return model.clips.prefix
