"""Runs in Blender: makes a file, reads it again, and writes the vertices that Blender shows.

Usage: ``blender … --python make_files.py -- FOLDER``, with CASE and ENDING in FOLDER/case.json.
FOLDER gets ``file.ENDING`` and ``expected.npz``: times and vertices [T, V, 3] of each clip, in
metres, y up.
"""

# mypy: ignore-errors

import functools
import json
import math
import os
import sys

import bpy
import numpy as np
from mathutils import Quaternion

TIMES = 20


def bones(name, count, length=1.0, *, scale=None):
    """Add an armature with a chain of bones along z."""
    data = bpy.data.armatures.new(name)
    armature = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    parent = None
    for k in range(count):
        bone = data.edit_bones.new(f"骨{k}")
        bone.head, bone.tail = (0, 0, k * length / count), (0, 0, (k + 1) * length / count)
        bone.parent, bone.use_connect, parent = parent, parent is not None, bone
    bpy.ops.object.mode_set(mode="OBJECT")
    if scale is not None:
        armature.scale = scale
        armature.rotation_euler = (0.3, 0.2, 0.1)
        armature.location = (0.5, -0.2, 0.1)
    for bone in armature.pose.bones:
        bone.rotation_mode = "QUATERNION"
    return armature


def tube(name, armature, count, length=1.0, influences=2):
    """Add a mesh around the chain of an armature, with smooth weights."""
    rings, sides = min(3 * count, 300), 6
    points, faces = [], []
    for r in range(rings + 1):
        for s in range(sides):
            angle = 2 * math.pi * (s + 0.1 * r) / sides
            radius = 0.1 + 0.02 * math.sin(3 * r)
            points.append((radius * math.cos(angle), radius * math.sin(angle), r * length / rings))
    for r in range(rings):
        for s in range(sides):
            a, b = r * sides + s, r * sides + (s + 1) % sides
            faces.append((a, b, b + sides, a + sides))
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], faces)
    found = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(found)
    if armature is None:
        return found
    names = [bone.name for bone in armature.data.bones]
    groups = [found.vertex_groups.new(name=each) for each in names]
    for v, point in enumerate(points):
        at = point[2] / length * count - 0.5
        near = np.argsort([abs(k - at) for k in range(count)])[:influences]
        weights = np.array([1.0 / (0.2 + abs(k - at)) for k in near])
        for k, weight in zip(near, weights / weights.sum(), strict=True):
            groups[k].add([v], float(weight), "REPLACE")
    found.parent = armature
    found.modifiers.new("Skin", "ARMATURE").object = armature
    return found


def play(block, name):
    """Give an object or shape keys a new action."""
    block.animation_data_create()
    block.animation_data.action = action = bpy.data.actions.new(name)
    action.use_fake_user = True
    return action


def wave(armature, name, first, last, amount, numbers=None):
    """Give an armature an action that bends the bones."""
    action = play(armature, name)
    for frame in (*range(first, last, 5), last):
        for k, bone in enumerate(armature.pose.bones):
            if numbers is not None and k not in numbers:
                continue
            angle = amount * math.sin(0.25 * (frame - first) + 0.7 * k)
            axis = (1, 0, 0) if k % 2 else (0.6, 0.8, 0)
            bone.rotation_quaternion = Quaternion(axis, angle)
            bone.keyframe_insert("rotation_quaternion", frame=frame)
            if k == 0:
                bone.location = (0.1 * math.sin(0.3 * frame), 0.05 * math.cos(frame), 0)
                bone.keyframe_insert("location", frame=frame)
    return action


def rig():
    armature = bones("Rig", 3)
    tube("身体", armature, 3)
    wave(armature, "走る", 10, 40, 0.9, numbers=(0, 1))
    wave(armature, "Two frames", 1, 2, 0.3)
    wave(armature, "Wave", 1, 21, 0.6)
    armature["note"] = "kept"


def shapes():
    """Shape keys that play, under modifiers that keep their vertices."""
    body = tube("Face", None, 2)
    body.location = (0.3, 0, 0)
    body.shape_key_add(name="Basis", from_mix=False)
    for k, name in enumerate(("Smile", "口")):
        key = body.shape_key_add(name=name, from_mix=False)
        for v, point in enumerate(key.data):
            point.co = point.co + point.co.normalized() * (0.1 + 0.02 * ((v + k) % 3))
    driven = body.shape_key_add(name="Driven", from_mix=False)
    for point in driven.data:
        point.co = point.co + point.co.normalized() * 0.05
    keys = body.data.shape_keys
    driver = driven.driver_add("value").driver
    variable = driver.variables.new()
    variable.name = "other"
    variable.targets[0].id_type, variable.targets[0].id = "KEY", keys
    variable.targets[0].data_path = 'key_blocks["Smile"].value'
    driver.expression = "other * 0.5"
    play(keys, "Talk")
    for frame, values in ((1, (0, 0)), (9, (1, 0.2)), (20, (0.3, 1)), (30, (0, 0))):
        for block, value in zip(keys.key_blocks[1:3], values, strict=True):
            block.value = value
            block.keyframe_insert("value", frame=frame)
    mirror = body.modifiers.new("Mirror", "MIRROR")
    mirror.use_mirror_merge = False
    body.modifiers.new("Smooth", "SUBSURF").levels = 1


def masked():
    """A shape key that moves some vertices only, by a vertex group."""
    body = tube("Face", None, 2)
    group = body.vertex_groups.new(name="Top")
    group.add(range(20, 30), 0.6, "REPLACE")
    body.shape_key_add(name="Basis", from_mix=False)
    key = body.shape_key_add(name="Thick", from_mix=False)
    for point in key.data:
        point.co = (2 * point.co[0], 2 * point.co[1], point.co[2])
    key.vertex_group = group.name
    play(body.data.shape_keys, "Talk")
    for frame, value in ((1, 0), (20, 1)):
        key.value = value
        key.keyframe_insert("value", frame=frame)


def keyed_skin():
    """A skin with shape keys, for importers."""
    armature = bones("Rig", 3)
    body = tube("Body", armature, 3)
    body.shape_key_add(name="Basis", from_mix=False)
    key = body.shape_key_add(name="Thick", from_mix=False)
    for point in key.data:
        point.co = (1.6 * point.co[0], 1.6 * point.co[1], point.co[2])
    key.value = 0.0
    wave(armature, "Wave", 1, 21, 0.6)


def centimetres():
    scene = bpy.context.scene
    scene.unit_settings.scale_length = 0.01
    scene.render.fps, scene.render.fps_base = 30, 1.001
    armature = bones("Rig", 4, 180.0, scale=(1, 1, 1))
    body = tube("Body", armature, 4, 180.0)
    body.modifiers.new("Mirror", "MIRROR").use_mirror_merge = False
    bpy.context.view_layer.objects.active = body
    bpy.ops.object.modifier_move_to_index(modifier="Mirror", index=0)
    wave(armature, "Walk", 0, 30, 0.5)


def scaled():
    """An armature that is turned and scaled, bones that are scaled, and a child of a bone."""
    armature = bones("Rig", 4, scale=(0.5, 0.5, 0.5))
    tube("Body", armature, 4, influences=4)
    action = wave(armature, "Grow", 1, 31, 0.6)
    for frame, size in ((1, (1, 1, 1)), (16, (1.4, 0.8, 1.2)), (31, (1, 1, 1))):
        armature.pose.bones[1].scale = size
        armature.pose.bones[1].keyframe_insert("scale", frame=frame)
    hat = tube("Hat", None, 1, 0.3)
    hat.parent, hat.parent_type, hat.parent_bone = armature, "BONE", armature.pose.bones[3].name
    hat.location = (0.1, 0.0, 0.05)
    return action


def unscaled(modes=("AVERAGE", "NONE")):
    """Bones that do not inherit the scale of those above."""
    scaled()
    armature = bpy.data.objects["Rig"]
    for bone, mode in zip(armature.data.bones[2:], modes, strict=True):
        bone.inherit_scale = mode


def sheared():
    """Bones that are sheared, by the scale of those above."""
    unscaled(("FIX_SHEAR", "FIX_SHEAR"))


def lit():
    """A rig with a sun of 3 W/m², and a lamp of 100 W."""
    rig()
    for kind, energy in (("SUN", 3), ("POINT", 100)):
        light = bpy.data.lights.new(kind, kind)
        light.energy = energy
        bpy.context.scene.collection.objects.link(bpy.data.objects.new(kind, light))


def scripted(folder):
    """A script and a driver that write a file if they run."""
    rig()
    code = f"open({os.path.join(folder, 'ran')!r}, 'w').close()"
    script = bpy.data.texts.new("run.py")
    script.write(code)
    script.use_module = True
    armature = bpy.data.objects["Rig"]
    armature.driver_add("location", 0).driver.expression = f"({code}, 0.0)[1]"


def constrained():
    """Bones by inverse kinematics and a driver, which only evaluation shows."""
    armature = bones("Rig", 4)
    tube("Body", armature, 4)
    target = bpy.data.objects.new("Goal", None)
    bpy.context.scene.collection.objects.link(target)
    target.location = (0.3, 0.2, 0.7)
    goal = armature.pose.bones[3].constraints.new("IK")
    goal.target, goal.chain_count = target, 3
    curve = armature.pose.bones[0].driver_add("location", 0)
    curve.driver.type = "SCRIPTED"
    curve.driver.expression = "frame / 100"
    action = play(target, "Reach")
    for frame, place in ((1, (0.3, 0.2, 0.7)), (15, (-0.4, 0.1, 0.5)), (30, (0.2, -0.4, 0.8))):
        target.location = place
        target.keyframe_insert("location", frame=frame)
    return action


def after(kind):
    """A skin with a modifier after its armature, or with an option of it."""
    rig()
    body = bpy.data.objects["身体"]
    if kind == "PRESERVE_VOLUME":
        body.modifiers["Skin"].use_deform_preserve_volume = True
        return
    made = body.modifiers.new("After", kind)
    for name, value in {"levels": 1, "ratio": 0.5, "thickness": 0.02, "factor": 0.5}.items():
        if hasattr(made, name):
            setattr(made, name, value)
    if kind == "WELD":
        made.merge_threshold = 0.05


def crowd_of_bones():
    armature = bones("Rig", 300, 3.0)
    tube("Body", armature, 300, 3.0, influences=8)
    wave(armature, "Snake", 1, 31, 0.05)


def linked(folder):
    """A library with a character, and a file with two instances of its collection."""
    armature = bones("Rig", 3)
    body = tube("Body", armature, 3)
    wave(armature, "Wave", 1, 21, 0.6)
    collection = bpy.data.collections.new("Hero")
    bpy.context.scene.collection.children.link(collection)
    collection.instance_offset = (0.1, 0.2, 0.3)
    for each in (armature, body):
        collection.objects.link(each)
        bpy.context.scene.collection.objects.unlink(each)
    library = os.path.join(folder, "library.blend")
    bpy.ops.wm.save_as_mainfile(filepath=library)
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(library, link=True) as (_, into):
        into.collections = ["Hero"]
    for x in (0, 2):
        empty = bpy.data.objects.new("Hero", None)
        empty.instance_type, empty.instance_collection = "COLLECTION", bpy.data.collections["Hero"]
        empty.location, empty.rotation_euler = (x, 1, 0), (0, 0, 0.4 * x)
        bpy.context.scene.collection.objects.link(empty)


CASES = {
    each.__name__: each
    for each in (
        rig,
        shapes,
        masked,
        keyed_skin,
        centimetres,
        scaled,
        unscaled,
        sheared,
        lit,
        constrained,
        crowd_of_bones,
        linked,
        scripted,
    )
}
AFTER = "CORRECTIVE_SMOOTH DECIMATE MIRROR PRESERVE_VOLUME SMOOTH SOLIDIFY SUBSURF TRIANGULATE WELD"
CASES |= {f"after_{kind}": functools.partial(after, kind) for kind in AFTER.split()}


def save(path, ending):
    if ending == ".blend":
        bpy.ops.wm.save_as_mainfile(filepath=path)
    elif ending == ".fbx":
        bpy.ops.export_scene.fbx(filepath=path, add_leaf_bones=False, bake_anim_simplify_factor=0)
    elif ending == ".dae":
        bpy.ops.wm.collada_export(filepath=path)
    else:
        bpy.ops.wm.usd_export(
            filepath=path, export_animation=True, export_armatures=True, export_shapekeys=True
        )


def read(path, ending):
    """Read a file as a user does."""
    if ending == ".blend":
        bpy.ops.wm.open_mainfile(filepath=path)
        return
    bpy.ops.wm.read_factory_settings(use_empty=True)
    if ending == ".fbx":
        try:
            bpy.ops.wm.fbx_import(filepath=path)
        except AttributeError:  # before 4.5
            bpy.ops.import_scene.fbx(filepath=path)
    elif ending == ".dae":
        bpy.ops.wm.collada_import(filepath=path)
    else:
        bpy.ops.wm.usd_import(filepath=path)


def shown():
    """Return the vertices of everything that Blender shows now [V, 3], metres, y up."""
    graph = bpy.context.evaluated_depsgraph_get()
    found = []
    for instance in graph.object_instances:
        each = instance.object
        if each.type != "MESH":
            continue
        mesh = each.to_mesh()
        points = np.empty(3 * len(mesh.vertices), np.float32)
        mesh.vertices.foreach_get("co", points)
        matrix = np.array(instance.matrix_world)
        found.append(points.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3])
        each.to_mesh_clear()
    x, y, z = np.concatenate(found).T
    return np.stack([x, z, -y], 1) * bpy.context.scene.unit_settings.scale_length


def clips(ending):
    """Yield a name and a range of frames of each clip, while it plays; "" is the first one."""
    blocks = [*bpy.data.objects, *(bpy.data.shape_keys)]
    active = [b for b in blocks if b.animation_data is not None and b.animation_data.action]
    actions = [each.animation_data.action for each in active]
    if ending != ".blend" or len(bpy.data.actions) == 1:
        ranges = [action.frame_range for action in actions]
        yield "", min(first for first, _ in ranges), max(last for _, last in ranges)
        return
    for action in bpy.data.actions:
        (block,) = active
        for bone in block.pose.bones if block.type == "ARMATURE" else ():
            bone.matrix_basis.identity()
        block.animation_data.action = action
        if hasattr(action, "slots"):
            block.animation_data.action_slot = action.slots[0]
        yield action.name, *action.frame_range


def main(folder):
    with open(os.path.join(folder, "case.json"), encoding="utf-8") as file:
        case, ending = json.load(file)
    bpy.ops.wm.read_homefile(use_empty=True)
    make = CASES[case]
    make(folder) if make in (linked, scripted) else make()
    path = os.path.join(folder, f"file{ending}")
    save(path, ending)
    if make is scripted:
        return
    read(path, ending)
    scene = bpy.context.scene
    rate = scene.render.fps / scene.render.fps_base
    arrays = {}
    for name, first, last in clips(ending):
        times = np.linspace(0.0, (last - first) / rate, TIMES)
        frames = first + times * rate
        rows = []
        for frame in frames:
            scene.frame_set(math.floor(frame), subframe=float(frame - math.floor(frame)))
            rows.append(shown())
        arrays[f"times:{name}"], arrays[f"vertices:{name}"] = times, np.array(rows, np.float32)
    np.savez(os.path.join(folder, "expected.npz"), **arrays)


if __name__ == "__main__":
    main(sys.argv[-1])
    sys.stdout.flush()
    os._exit(0)
