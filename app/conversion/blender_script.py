"""The program that runs inside Blender: reads a file and writes it as a .glb, with all its clips.

Blender's importers read, and its glTF exporter writes meshes, materials, skins and the rest pose.
The clips are sampled here, as Blender evaluates them at each frame, so that constraints, drivers
and inheritance of scale are those of the viewport in every version of Blender.

Usage: ``blender … --python blender_script.py -- FOLDER``, or with a Python that has `bpy`. FOLDER
has the file ``request.json``; ``result.glb`` and ``result.json`` are written there. Nothing of this
package is imported, and no path is an argument or a part of the code.
"""

# mypy: ignore-errors
# ruff: noqa: ANN001, ANN201, ANN202, ANN204, D103, T201

import json
import os
import re
import signal
import struct
import sys
import threading

import bpy
import numpy as np
from mathutils import Matrix, Vector
from mathutils.bvhtree import BVHTree

PROGRESS = "rigview: "  # begins the lines of the output that say what is being done
INFLUENCES = 8
MARK = "rigview_id"  # custom property of objects and bones, by which their nodes are found
LAYERS = re.compile(r"(Base ?Layer|Layer ?\d*|AnimLayer\d*)(\.\d{3})?", re.IGNORECASE)
UNNAMED = re.compile(r"(mixamo\.com|take ?0*1|default take|scene|animation|unreal take|)(\.\d{3})?")
KEPT = {"ARMATURE"}  # modifiers that the skin replaces
BONE, KEY = re.compile(r'pose\.bones\["(.+?)"\]'), re.compile(r'key_blocks\["(.+?)"\]')
Y_UP = np.array(((1, 0, 0, 0), (0, 0, 1, 0), (0, -1, 0, 0), (0, 0, 0, 1)), float)
DOWN = np.array(((1, 0, 0, 0), (0, 0, 1, 0), (0, -1, 0, 0), (0, 0, 0, 1)), float)
FLOAT = 5126  # componentType of glTF
PATHS = (("translation", "VEC3"), ("rotation", "VEC4"), ("scale", "VEC3"))
DEFAULTS = {"translation": (0, 0, 0), "rotation": (0, 0, 0, 1), "scale": (1, 1, 1)}
SAME = 1e-6
REACH = 0.2  # of the size: vertices are about so far from the origin of what moves them
LOOKED = (0.25, 0.5, 0.75)  # of a clip: where its meshes are compared with what Blender shows
MOST_LOOKED = 4  # clips, about
MOST_INSTANCES = 1000  # of collections
NOTICED = 1e-3  # of the size: a smaller difference is no warning
TOLERANCE, MOST_BETWEEN = 2e-4, 16  # of linear interpolation, of the size; keys of a frame


class RefusedError(Exception):
    """The file cannot be converted; the message is for the user."""


def say(text):
    print(f"{PROGRESS}{text}", flush=True)


def end_with_parent():
    """End this process with the one that started it, however that one ends."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
    # closed by the parent's end; that of a Blender in a sandbox is another process
    threading.Thread(target=lambda: (os.read(0, 1), os._exit(1)), daemon=True).start()


def main(folder):
    """Convert the file of a request; the result or the error is in ``result.json``."""
    end_with_parent()
    with open(os.path.join(folder, "request.json"), encoding="utf-8") as file:
        request = json.load(file)
    result = {"version": bpy.app.version_string, "warnings": [], "links": []}
    try:
        convert(request["source"], request["ending"], folder, result)
    except RefusedError as error:
        result["error"] = str(error)
    except Exception as error:
        import traceback

        traceback.print_exc()
        result["error"] = reason(error)
    with open(os.path.join(folder, "result.json"), "w", encoding="utf-8") as file:
        json.dump(result, file)


def reason(error):
    """Return Blender's reason of an error, on one line, without its prefix."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    lines = [line for line in lines if not line.startswith(("Traceback", "File ", "Location:"))]
    text = lines[0] if lines else type(error).__name__
    return text[len("Error: ") :] if text.startswith("Error: ") else text


def convert(source, ending, folder, result):
    say("reading")
    warnings = result["warnings"]
    bpy.ops.wm.read_homefile(use_empty=True)
    read(source, ending, warnings)
    if ending != ".blend":
        sort_objects()
    result["links"] = links(source)
    show_instances()
    if not any(each.type in ("MESH", "ARMATURE") for each in bpy.context.scene.objects):
        raise RefusedError("it has neither meshes nor armatures")
    show_armatures()
    stem = os.path.splitext(os.path.basename(source))[0]
    lost = not_of_a_skin()
    shown = dict(look(lost, find_clips(stem, ending, [])))
    apply_modifiers(warnings)
    clips = find_clips(stem, ending, warnings)
    compare(lost, shown, look(lost, clips), warnings)
    if ending == ".dae" and not clips and has(source, b"<animation"):
        warnings.append("this Blender reads none of its animations")  # of objects, from 4.2 on
    marked = mark()
    say("writing")
    raw = os.path.join(folder, "raw.glb")
    export(raw, posed=not clips)
    add_clips(raw, os.path.join(folder, "result.glb"), marked, clips, warnings, ending == ".fbx")


# -- reading --------------------------------------------------------------------------------------


def read(source, ending, warnings):
    """Read a file with the importer of its format into the empty scene."""
    if ending == ".blend":
        if saved_by(source)[0] > bpy.app.version[0]:  # reading it may crash
            raise RefusedError(newer(saved_by(source)))
        try:
            bpy.ops.wm.open_mainfile(filepath=source, load_ui=False, use_scripts=False)
        except RuntimeError as error:
            raise RefusedError(newer(bpy.data.version) or reason(error)) from None
        if bpy.data.version[:2] > bpy.app.version[:2]:
            if bpy.data.version[0] > bpy.app.version[0]:
                raise RefusedError(newer(bpy.data.version))
            warnings.append(newer(bpy.data.version) + "; parts of it may be lost")
        return
    importers = {
        ".fbx": ("wm.fbx_import", "import_scene.fbx"),
        ".dae": ("wm.collada_import",),
        ".obj": ("wm.obj_import", "import_scene.obj"),
        ".usd": ("wm.usd_import",),
    }[".usd" if ending.startswith(".usd") else ending]
    found = [known for known in map(operator, importers) if known is not None]
    if not found:
        lacking = {
            ".dae": "Blender reads COLLADA up to version 4.5",
            ".fbx": "its FBX importer is missing",
            ".usd": "Blender reads USD with skeletons from version 4.0",
        }.get(ending[:4], "it was built without the importer of this format")
        raise RefusedError(f"{lacking}; this one is {bpy.app.version_string}")
    if ending.startswith(".usd") and "import_skeletons" not in found[0].get_rna_type().properties:
        raise RefusedError(
            f"Blender reads skeletons of USD from 4.0; this is {bpy.app.version_string}"
        )
    try:
        found[0](filepath=source)
    except RuntimeError as error:
        text = reason(error).replace(source, "").replace("''", "").strip()
        if ending == ".fbx" and re.search("ASCII FBX|unsupported, must be", text):
            text += "; Blender 4.5 and later read it"
        raise RefusedError(text) from None


def sort_objects():
    """Sort the objects that were imported by name: Blender 4.5 links those of FBX at random."""
    linked = bpy.context.collection.objects
    for each in bpy.data.objects:  # by name
        if each.name in linked:
            linked.unlink(each)
            linked.link(each)


def saved_by(source):
    """Return major and minor version of the Blender that saved a file; zeros if compressed."""
    with open(source, "rb") as file:
        found = re.match(rb"BLENDER(?:\d\d-\d\dv|[-_][vV])(\d+)", file.read(32))
    return divmod(int(found[1]) if found else 0, 100)


def newer(version):
    """Return that a file was saved by a newer Blender, "" if it was not."""
    if tuple(version[:2]) <= bpy.app.version[:2]:
        return ""
    return f"Blender {version[0]}.{version[1]} saved it, which is newer than this one"


def has(source, text):
    """Return whether a file contains a text."""
    with open(source, "rb") as file:
        return text in file.read()


def operator(name):
    """Return an operator; None if this Blender lacks it."""
    group, _, short = name.partition(".")
    try:
        found = getattr(getattr(bpy.ops, group), short)
        found.get_rna_type()
    except (AttributeError, KeyError):
        return None
    return found


def links(source):
    """Return the absolute paths of the files that the file refers to, also of missing ones."""
    found = set(bpy.utils.blend_paths(absolute=True, packed=False, local=False))
    for image in bpy.data.images:
        if image.filepath and image.packed_file is None:
            found.add(bpy.path.abspath(image.filepath, library=image.library))
    return sorted(os.path.normpath(path) for path in found - {source} if path)


def show_instances():
    """Put the objects of instanced collections into the scene, below their instance.

    Each instance but the first has copies of them.
    """
    scene, count = bpy.context.scene, 0
    while True:  # objects of a collection may be instances too
        found = [each for each in scene.objects if each.instance_type == "COLLECTION"]
        found = [each for each in found if each.instance_collection and each.visible_get()]
        shown = [(each, each.instance_collection) for each in found]
        for empty in found:
            empty.instance_type, empty.instance_collection = "NONE", None
        if count + len(found) > MOST_INSTANCES:
            raise RefusedError(f"it has more than {MOST_INSTANCES} instances of collections")
        if not found:
            return
        count += len(found)
        for empty, collection in shown:
            show_instance(empty, collection)
        bpy.context.view_layer.update()


def show_instance(empty, collection):
    """Put the objects of a collection, or copies if they are there, below an instance."""
    scene, objects = bpy.context.scene, list(collection.all_objects)
    there = set(scene.objects)
    if not there.isdisjoint(objects):
        objects = copies(objects)
    elif collection.name not in scene.collection.children:
        scene.collection.children.link(collection)
    for each in objects:
        if each.parent is None:
            each.parent = empty
            each.matrix_parent_inverse = Matrix.Translation(-collection.instance_offset)


def copies(objects):
    """Return copies of objects in the scene, which refer to one another as the objects do."""
    made = {each: each.copy() for each in objects}
    for each, copy in made.items():
        copy.name = f"{each.name}.001"  # the next number if it is taken
        bpy.context.scene.collection.objects.link(copy)
        copy.parent = made.get(each.parent, each.parent if each.parent in objects else None)
        keys = getattr(copy.data, "shape_keys", None)
        if keys is not None:
            copy.data = copy.data.copy()
            keys = copy.data.shape_keys
        bones = copy.pose.bones if copy.pose is not None else ()
        limits = [limit for owner in (copy, *bones) for limit in owner.constraints]
        for owner in (*copy.modifiers, *limits, *driver_targets(copy), *driver_targets(keys)):
            for name, kind in owner.bl_rna.properties.items():
                value = getattr(owner, name) if kind.type == "POINTER" else None
                if not kind.is_readonly and isinstance(value, bpy.types.Object) and value in made:
                    setattr(owner, name, made[value])
    return list(made.values())


def driver_targets(block):
    """Return the targets of the variables of the drivers of a block."""
    curves = getattr(getattr(block, "animation_data", None), "drivers", ())
    variables = [variable for curve in curves for variable in curve.driver.variables]
    return [target for variable in variables for target in variable.targets]


def show_armatures():
    """Show the armatures and parents of visible meshes: without them nothing moves."""
    for mesh in [each for each in bpy.context.scene.objects if each.visible_get()]:
        needed = [each.object for each in mesh.modifiers if each.type == "ARMATURE"]
        for found in [mesh.parent, *needed]:
            while found is not None and not found.visible_get():
                found.hide_viewport = False
                if found.name in bpy.context.view_layer.objects:
                    found.hide_set(False)
                if not found.visible_get():
                    bpy.context.scene.collection.objects.link(found)
                found = found.parent
    for armature in bpy.data.armatures:
        armature.pose_position = "POSE"


def apply_modifiers(warnings):
    """Apply all modifiers but armatures, and the vertex groups of shape keys.

    With shape keys that is possible where each key keeps its vertices.
    """
    for each in [each for each in bpy.context.scene.objects if each.type == "MESH"]:
        applied = [m for m in each.modifiers if m.type not in KEPT and m.show_viewport]
        for modifier in each.modifiers:
            if modifier.type in KEPT:
                modifier.use_deform_preserve_volume = False  # glTF has none
        keys = each.data.shape_keys
        masked = keys is not None and any(block.vertex_group for block in keys.key_blocks)
        if not (applied or masked) or not each.visible_get():
            continue
        kept = [m for m in each.modifiers if m.type in KEPT and m.show_viewport]
        for modifier in kept:
            modifier.show_viewport = False
        try:
            mesh = evaluated(each) if keys is None else evaluated_keys(each, keys)
        finally:
            for modifier in kept:
                modifier.show_viewport = True
        if mesh is None:
            names = ", ".join([modifier.name for modifier in applied] or ["vertex groups of keys"])
            warnings.append(
                f"modifiers of {each.name} are left out, its shape keys need it: {names}"
            )
            continue
        if keys is None:
            each.data = mesh
        for modifier in applied:
            each.modifiers.remove(modifier)
    bpy.context.view_layer.update()


def evaluated(each):
    """Return the evaluated mesh of an object as a new one."""
    graph = bpy.context.evaluated_depsgraph_get()
    made = bpy.data.meshes.new_from_object(
        each.evaluated_get(graph), preserve_all_data_layers=True, depsgraph=graph
    )
    made.name = each.data.name
    return made


def evaluated_keys(each, keys):
    """Give an object its evaluated mesh and shape keys; None if a key changes the vertices."""
    animation = keys.animation_data
    if animation is not None and each.data.users > 1:
        return None
    values = [block.value for block in keys.key_blocks]
    muted = [block.mute for block in keys.key_blocks]
    pinned, number = each.show_only_shape_key, each.active_shape_key_index
    each.show_only_shape_key = True
    shapes = []
    for index, block in enumerate(keys.key_blocks):
        each.active_shape_key_index, block.mute = index, False
        bpy.context.view_layer.update()
        shapes.append(evaluated(each))
    each.show_only_shape_key, each.active_shape_key_index = pinned, number
    for block, mute in zip(keys.key_blocks, muted, strict=True):
        block.mute = mute
    if len({len(shape.vertices) for shape in shapes}) > 1:
        return None
    names = [block.name for block in keys.key_blocks]
    bases = [block.relative_key.name for block in keys.key_blocks]
    ranges = [(block.slider_min, block.slider_max) for block in keys.key_blocks]
    action, slot = getattr(animation, "action", None), getattr(animation, "action_slot", None)
    each.data = shapes[0]
    for name in names:
        each.shape_key_add(name=name, from_mix=False)
    made = each.data.shape_keys
    for index, shape in enumerate(shapes):
        flat = np.empty(3 * len(shape.vertices), np.float32)
        shape.vertices.foreach_get("co", flat)
        block = made.key_blocks[index]
        block.data.foreach_set("co", flat)
        block.relative_key = made.key_blocks[bases[index]]
        block.slider_min, block.slider_max = ranges[index]
        block.value, block.mute = values[index], muted[index]
    if action is not None:
        play(made, action, slot)
    copy_drivers(keys, made)
    return shapes[0]


def copy_drivers(keys, made):
    """Give shape keys the drivers of those that they replace."""
    for curve in getattr(keys.animation_data, "drivers", ()):
        made.animation_data_create().drivers.from_existing(src_driver=curve)
    for target in driver_targets(made):
        if target.id == keys:
            target.id = made


def not_of_a_skin():
    """Return the names of the modifiers of objects that a skin may not replace, by object."""
    found = {}
    for each in bpy.context.scene.objects:
        if each.type != "MESH" or not each.visible_get():
            continue
        used = [m for m in each.modifiers if m.show_viewport]
        skins = [m for m in used if m.type in KEPT]
        names = [m.name for m in used[used.index(skins[0]) :] if m not in skins] if skins else []
        names += ["Preserve Volume"] if any(m.use_deform_preserve_volume for m in skins) else []
        if names or len(used) > len(skins[:1]):
            found[each] = names or [m.name for m in used if m not in skins[:1]]
    return found


def look(objects, clips):
    """Yield the meshes that Blender shows of objects, after object, clip and frame.

    A mesh is vertices [V, 3], the vertices of the corners of all faces, and their numbers.
    """
    if not objects:
        return
    player = Player(list(bpy.context.scene.objects))
    for clip in clips[:: 1 + len(clips) // MOST_LOOKED]:
        player.start(clip)
        first, last = clip.range()
        for frame in {round(first + share * (last - first)) for share in LOOKED}:
            bpy.context.scene.frame_set(frame)
            graph = bpy.context.evaluated_depsgraph_get()
            for each in objects:
                evaluated_object = each.evaluated_get(graph)
                mesh = evaluated_object.to_mesh()
                points = np.empty((len(mesh.vertices), 3), np.float32)
                corners = np.empty(len(mesh.loops), np.int32)
                counts = np.empty(len(mesh.polygons), np.int32)
                mesh.vertices.foreach_get("co", points.ravel())
                mesh.loops.foreach_get("vertex_index", corners)
                mesh.polygons.foreach_get("loop_total", counts)
                evaluated_object.to_mesh_clear()
                yield (each, clip.name, frame), (points, corners, counts)
    player.stop()


def compare(lost, shown, made, warnings):
    """Warn of meshes that differ from what Blender showed before their modifiers were applied."""
    worst = {}
    for place, other in made:
        mesh = shown.get(place)
        if mesh is None or not len(mesh[0]):
            continue
        share = apart(mesh, other) / max(np.ptp(mesh[0], axis=0).max(), SAME)
        worst[place[0]] = max(worst.get(place[0], (0.0,)), (share, place))
    for each, (share, (_, name, frame)) in worst.items():
        if share > NOTICED:
            warnings.append(
                f"{each.name} differs by {share:.1%} of its size at frame {frame} of {name}: "
                f"a skin cannot hold {', '.join(lost[each])}"
            )


def apart(mesh, other):
    """Return the largest distance of meshes: of their vertices, of surfaces if faces differ."""
    if all(map(np.array_equal, mesh[1:], other[1:])) and len(mesh[0]) == len(other[0]):
        return float(np.linalg.norm(mesh[0] - other[0], axis=1).max(initial=0.0))
    largest = 0.0
    for some, (points, corners, counts) in ((mesh, other), (other, mesh)):
        faces = [f.tolist() for f in np.split(corners, np.cumsum(counts)[:-1]) if len(f)]
        tree = BVHTree.FromPolygons(points.tolist(), faces)
        largest = max(largest, *(tree.find_nearest(point)[3] or 0.0 for point in some[0]), 0.0)
    return largest


# -- clips ----------------------------------------------------------------------------------------


class Clip:
    """The actions that are played at once, with the objects and shape keys that play them."""

    def __init__(self, name):
        self.name = name
        self.parts = []  # object or shape keys, action, slot

    def range(self):
        """Return the first and last frame."""
        ranges = [tuple(action.frame_range) for _, action, _ in self.parts]
        return min(first for first, _ in ranges), max(last for _, last in ranges)


def find_clips(stem, ending, warnings):
    """Return the clips of a file: one for each action of a .blend, for each take of an import.

    Those that armatures play now are the first.
    """
    blocks = [each for each in bpy.context.scene.objects if each.visible_get()]
    blocks.sort(key=lambda each: each.type != "ARMATURE")
    keys = [getattr(each.data, "shape_keys", None) for each in blocks]
    blocks += list(dict.fromkeys(key for key in keys if key is not None))
    active = [b.animation_data.action for b in blocks if b.animation_data is not None]
    actions = list(dict.fromkeys([each for each in active if each is not None]))
    actions += [each for each in bpy.data.actions if each not in actions]
    clips = {}
    for action in actions:
        parts = list(players(action, blocks))
        if not parts and ending == ".blend":
            warnings.append(f"the action {action.name} is left out: no visible object plays it")
        for block, slot in parts:
            name = clip_name(action.name, block, stem, ending)
            clips.setdefault(name, Clip(name)).parts.append((block, action, slot))
    found = list(clips.values())
    if len(found) == 1 and ending != ".blend" and UNNAMED.fullmatch(found[0].name.lower()):
        found[0].name = stem
    return found


def clip_name(name, block, stem, ending):
    """Return the name of the clip of an action: that of the file where all play at once.

    Importers name an action ``OBJECT|TAKE|LAYER``; an object may have a number at its end.
    """
    if ending == ".blend":
        return name
    if ending != ".fbx":
        return stem
    if operator("wm.fbx_import") is None:
        name = re.sub(r"\.\d{3}$", "", name)
        owner, _, take = name.partition("|")
        name = take if take and block.name.startswith(owner.split(".")[0]) else name
    take, _, layer = name.rpartition("|")
    return take if take and LAYERS.fullmatch(layer) else name


def players(action, blocks):
    """Yield the objects and shape keys that play an action, each with its slot."""
    slots = getattr(action, "slots", None)
    if slots is None:
        users = [block for block in blocks if action in actions_of(block)]
        yield from ((block, None) for block in users or fitting(action.fcurves, blocks))
        return
    for slot in slots:
        if slot.target_id_type not in ("OBJECT", "KEY"):
            continue
        users = [block for block in blocks if block in slot.users()]
        if not users:
            named = [block for block in blocks if block.name == slot.name_display]
            kind = slot.target_id_type == "KEY"
            users = fitting(curves_of(action, slot), blocks)
            users = users or [block for block in named if isinstance(block, bpy.types.Key) == kind]
        yield from ((block, slot) for block in users)


def actions_of(block):
    """Return the actions that a block plays or has in its NLA tracks."""
    data = block.animation_data
    if data is None:
        return []
    return [data.action, *(strip.action for track in data.nla_tracks for strip in track.strips)]


def curves_of(action, slot):
    """Yield the animation curves of a slot."""
    for layer in action.layers:
        for strip in layer.strips:
            bag = strip.channelbag(slot)
            yield from bag.fcurves if bag is not None else ()


def fitting(curves, blocks):
    """Return the blocks with most of the bones or shape keys that curves animate."""
    paths = [curve.data_path for curve in curves]
    bones = {name for path in paths for name in BONE.findall(path)}
    keys = {name for path in paths for name in KEY.findall(path)} - bones
    counts = {}
    for block in blocks:
        if bones and getattr(block, "type", "") == "ARMATURE":
            counts[block] = len(bones & set(block.pose.bones.keys()))
        elif keys and isinstance(block, bpy.types.Key):
            counts[block] = len(keys & set(block.key_blocks.keys()))
    most = max(counts.values(), default=0)
    return [block for block, count in counts.items() if count == most > 0]


def play(block, action, slot):
    """Let an object or shape keys play an action alone."""
    data = block.animation_data_create()
    data.use_nla = False
    data.action = action
    if slot is not None:
        data.action_slot = slot


# -- writing --------------------------------------------------------------------------------------


def mark():
    """Give objects and bones numbers, as a custom property; return them in this order."""
    marked = []
    for each in bpy.context.scene.objects:
        if each.type == "ARMATURE" and each.data.users > 1:
            each.data = each.data.copy()  # each armature needs bones of its own
    bpy.context.view_layer.update()
    for each in bpy.context.scene.objects:
        each[MARK] = len(marked)
        marked.append((each, -1))
        for index, bone in enumerate(each.pose.bones if each.type == "ARMATURE" else ()):
            bone[MARK] = bone.bone[MARK] = len(marked)
            marked.append((each, index))
    return marked


def export(target, *, posed):
    """Write the scene without clips, in the rest pose of its armatures or as it is posed."""
    known = bpy.ops.export_scene.gltf.get_rna_type().properties
    options = {
        "export_format": "GLB",
        "use_visible": True,
        "use_active_scene": True,
        "export_extras": True,
        "export_cameras": True,
        "export_lights": True,
        "convert_lighting_mode": "COMPAT",  # as bright as in the viewport
        "export_import_convert_lighting_mode": "COMPAT",
        "export_animations": False,
        "export_current_frame": posed,
        "export_rest_position_armature": not posed,
        "export_all_influences": "export_influence_nb" not in known,
        "export_influence_nb": INFLUENCES,
        "export_morph_reset_sk_data": False,
    }
    bpy.ops.export_scene.gltf(
        filepath=target, **{name: value for name, value in options.items() if name in known}
    )


def add_clips(raw, target, marked, clips, warnings, keeps_bones):
    """Write a .glb with clips, which are sampled now, and in metres."""
    with open(raw, "rb") as file:
        data = file.read()
    length = struct.unpack_from("<I", data, 12)[0]
    json_data = json.loads(data[20 : 20 + length])
    blob = bytearray(data[28 + length :])
    asset = json_data["asset"]
    asset["generator"] = f"Blender {bpy.app.version_string}, {asset.get('generator', '')}"
    add_material(json_data)
    nodes = Nodes(json_data, marked)
    # clips in other files need the hierarchy of the character's file, in which nothing may say that
    # a bone will be scaled
    unscaled = [] if keeps_bones else nodes.unscaled_bones(clips)
    if unscaled:
        names = [nodes.rows[node]["name"] for node in unscaled]
        listed = ", ".join(names[:3]) + (" and others" if len(names) > 3 else "")
        warnings.append(
            f"bones that do not inherit scale became children of the armature: {listed}"
        )
        nodes.move(unscaled)
    animations = []
    sampler = Sampler(nodes)
    for number, clip in enumerate(clips, 1):
        say(f"sampling {number} of {len(clips)}: {clip.name}")
        animations.append(sampler.sample(clip, json_data, blob))
    if animations:
        json_data["animations"] = animations
    if sampler.sheared:
        worst = max(sampler.sheared, key=sampler.sheared.get)
        share, frame, name = sampler.sheared[worst]
        others = f" and {len(sampler.sheared) - 1} more" if len(sampler.sheared) > 1 else ""
        warnings.append(
            f"shear is lost, which glTF lacks: {nodes.rows[worst]['name']}{others}, "
            f"by {share:.1%} of the size at frame {frame:g} of {name}"
        )
    scale = bpy.context.scene.unit_settings.scale_length
    if bpy.context.scene.unit_settings.system != "NONE" and abs(scale - 1.0) > SAME:
        roots = json_data["scenes"][json_data.get("scene", 0)]
        root = {"name": "Units", "scale": [scale] * 3, "children": roots["nodes"]}
        json_data["nodes"].append(root)
        roots["nodes"] = [len(json_data["nodes"]) - 1]
    if blob:
        json_data.setdefault("buffers", [{}])[0]["byteLength"] = len(blob)
    text = json.dumps(json_data, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    blob += b"\0" * (-len(blob) % 4)
    chunks = struct.pack("<II", len(text), 0x4E4F534A) + text
    chunks += struct.pack("<II", len(blob), 0x004E4942) + blob if blob else b""
    with open(target, "wb") as file:
        file.write(struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks)


def add_material(json_data):
    """Give meshes without a material that of Blender: grey, no metal, seen from both sides."""
    meshes = json_data.get("meshes", ())
    bare = [p for mesh in meshes for p in mesh["primitives"] if "material" not in p]
    if bare:
        shade = {"baseColorFactor": [0.8, 0.8, 0.8, 1], "metallicFactor": 0, "roughnessFactor": 0.4}
        materials = json_data.setdefault("materials", [])
        materials.append({"name": "Default", "doubleSided": True, "pbrMetallicRoughness": shade})
        for primitive in bare:
            primitive["material"] = len(materials) - 1


class Nodes:
    """The nodes of the .glb, and the objects and bones that they are."""

    def __init__(self, json_data, marked):
        self.rows = json_data.get("nodes", [])
        self.parents = [-1] * len(self.rows)
        self.sources = {}  # object and index of its bone or -1, by node
        self.targets = {}  # names of the morph targets by node
        for index, row in enumerate(self.rows):
            for child in row.get("children", ()):
                self.parents[child] = index
            extras = row.get("extras", {})
            number = extras.pop(MARK, None)
            if not extras:
                row.pop("extras", None)
            if number is not None:
                self.sources[index] = marked[int(number)]
            if "mesh" in row:
                mesh = json_data["meshes"][row["mesh"]]
                self.targets[index] = mesh.get("extras", {}).get("targetNames", [])
        for skin in json_data.get("skins", ()):
            skin.get("extras", {}).pop(MARK, None)
        self.order = self._sorted()

    def _sorted(self):
        """Return all nodes, parents first."""
        order, waiting = [], [index for index, parent in enumerate(self.parents) if parent < 0]
        while waiting:
            order.append(waiting.pop())
            waiting += self.rows[order[-1]].get("children", ())
        return order

    def unscaled_bones(self, clips):
        """Return the nodes of bones that do not inherit the scale that a clip gives to one above.

        The node of a glTF file always inherits it.
        """
        scaled = {
            (block, name)
            for clip in clips
            for block, action, slot in clip.parts
            for curve in (action.fcurves if slot is None else curves_of(action, slot))
            if curve.data_path.endswith(".scale")
            if any(abs(key.co[1] - 1.0) > 1e-3 for key in curve.keyframe_points)
            for name in BONE.findall(curve.data_path)
        }
        found = []
        for node in self.order:
            each, number = self.sources.get(node, (None, -1))
            bone = each.pose.bones[number] if number >= 0 else None
            if bone is None or bone.bone.inherit_scale == "FULL":
                continue
            if any((each, above.name) in scaled for above in bone.parent_recursive):
                found.append(node)
        return found

    def move(self, bones):
        """Make the nodes of bones children of their armatures, where they rest as before."""
        homes = {each: node for node, (each, bone) in self.sources.items() if bone < 0}
        for node in bones:
            home = homes.get(self.sources[node][0])
            matrix, parent = self.local(node), self.parents[node]
            if home is None or parent == home:
                continue
            self.rows[parent]["children"].remove(node)
            while parent != home:
                matrix, parent = self.local(parent) @ matrix, self.parents[parent]
            self.rows[home]["children"].append(node)
            self.parents[node] = home
            for (path, _), value in zip(PATHS, decomposed(matrix[None]), strict=True):
                self.rows[node][path] = value[0].tolist()
        for row in self.rows:
            if row.get("children") == []:
                del row["children"]
        self.order = self._sorted()

    def local(self, index):
        """Return the matrix [4, 4] of a node as it is in the file."""
        row = self.rows[index]
        if "matrix" in row:
            return np.array(row["matrix"], float).reshape(4, 4).T
        return composed(*(np.array(row.get(path, DEFAULTS[path]), float) for path, _ in PATHS))


class Player:
    """Plays clips on objects; `stop` leaves them as they were."""

    def __init__(self, objects):
        keys = [getattr(each.data, "shape_keys", None) for each in objects]
        keys = list(dict.fromkeys(key for key in keys if key is not None))
        self.blocks = [*objects, *keys]
        self.armatures = [each for each in objects if each.type == "ARMATURE"]
        self.keyed = {}  # names of the bones that an action of the file animates, by armature
        for action in bpy.data.actions:
            for block, slot in players(action, self.armatures):
                curves = action.fcurves if slot is None else curves_of(action, slot)
                names = {name for curve in curves for name in BONE.findall(curve.data_path)}
                self.keyed.setdefault(block, set()).update(names)
        self.saved = [(each, each.matrix_basis.copy()) for each in objects]
        self.values = [(b, b.value) for k in keys for b in k.key_blocks]
        found = [each.animation_data for each in self.blocks if each.animation_data is not None]
        self.playing = [(d, d.action, getattr(d, "action_slot", None), d.use_nla) for d in found]
        self.frame = bpy.context.scene.frame_current

    def start(self, clip):
        """Play a clip; what no action of it animates is as saved, bones of others at rest."""
        self._clear()
        for armature in self.armatures:
            for name in self.keyed.get(armature, ()):
                if name in armature.pose.bones:
                    armature.pose.bones[name].matrix_basis.identity()
        for part in clip.parts:
            play(*part)

    def stop(self):
        """Play again what was played before any clip."""
        self._clear()
        for data, action, slot, use_nla in self.playing:
            data.use_nla, data.action = use_nla, action
            if slot is not None:
                data.action_slot = slot
        bpy.context.scene.frame_set(self.frame)

    def _clear(self):
        for block in self.blocks:
            if block.animation_data is not None:
                play(block, None, None)
        for each, matrix in self.saved:
            each.matrix_basis = matrix
        for block, value in self.values:
            block.value = value


class Sampler:
    """Plays clips and samples them at every frame of the scene."""

    def __init__(self, nodes):
        self.nodes = nodes
        self.scene = bpy.context.scene
        render = self.scene.render
        self.rate = render.fps / render.fps_base
        self.objects = list(dict.fromkeys(each for each, _ in nodes.sources.values()))
        self.player = Player(self.objects)
        self.sheared = {}  # by how much, where and in which clip, by node

    def sample(self, clip, json_data, blob):
        """Return the animation of a clip; its data are added to the buffer.

        There are keys at the frames of the scene, and between them where the motion is so fast that
        linear interpolation would show.
        """
        first, last = clip.range()
        frames = np.append(np.arange(first, last - SAME), last)
        if len(frames) == 1:
            frames = np.append(frames, frames + 1)
        self.player.start(clip)
        world, weights = self._read_all(frames)
        more = between(frames, self._bend(world, weights))
        if len(more):
            also = self._read_all(more)
            order = np.argsort(np.append(frames, more))
            frames = np.append(frames, more)[order]
            world = np.append(world, also[0], axis=0)[order]
            weights = {n: np.append(w, also[1][n], axis=0)[order] for n, w in weights.items()}
        return self._animation(clip, frames, world, weights, json_data, blob)

    def _read_all(self, frames):
        """Return the matrices [F, N, 4, 4] and the weights of morph targets at frames."""
        world = np.zeros((len(frames), len(self.nodes.rows), 4, 4))
        weights = {node: [] for node, names in self.nodes.targets.items() if names}
        for row, frame in zip(world, frames, strict=True):
            self.scene.frame_set(int(np.floor(frame)), subframe=float(frame - np.floor(frame)))
            self._read(row, weights)
        return world, {node: np.array(values) for node, values in weights.items()}

    def _size(self):
        """Return the size of all objects now."""
        corners = [each.matrix_world @ Vector(c) for each in self.objects for c in each.bound_box]
        return max(np.ptp(np.array(corners), axis=0).max(), SAME) if corners else 1.0

    def _note_shear(self, node, clip, frames, difference):
        """Note how far the end of a bone, or of an object, is off in a node that is not sheared.

        `difference` are matrices [F, 4, 4].
        """
        each, bone = self.nodes.sources[node]
        corners = [(0, each.data.bones[bone].length, 0)] if bone >= 0 else each.bound_box
        reach = np.abs(np.array(corners)).max()
        away = np.linalg.norm(difference[:, :3, :3], axis=1).max(axis=1) * reach / self._size()
        worst = away.argmax()
        if away[worst] > max(NOTICED, self.sheared.get(node, (0.0,))[0]):
            self.sheared[node] = away[worst], frames[worst], clip.name

    def _bend(self, world, weights):
        """Return how far a line from frame to frame is from the motion [F - 1], of the size."""
        size = self._size()
        axes = (
            world[..., :3, :3]
            / np.maximum(np.linalg.norm(world[..., :3, :3], axis=-2), SAME)[..., None, :]
        )
        parts = [axes * REACH, world[..., :3, 3:] / size]
        parts += [values[..., None, None] * REACH for values in weights.values()]
        bend = np.zeros(len(world))
        if len(world) < 3:  # nothing says how they are connected
            return bend[1:] + 1.0
        for part in parts:
            second = np.abs(np.diff(part, 2, axis=0)).reshape(len(world) - 2, -1)
            bend[1:-1] = np.maximum(bend[1:-1], second.max(1, initial=0.0) / 8)
        return np.maximum(bend[1:], bend[:-1])

    def _read(self, world, weights):
        """Read the matrices in world space [N, 4, 4] and the weights of this frame."""
        graph = bpy.context.evaluated_depsgraph_get()
        placed = {}
        for each in self.objects:
            found = each.evaluated_get(graph)
            own = np.array(found.matrix_world)
            bones = np.empty((0, 4, 4))
            if each.type == "ARMATURE" and len(found.pose.bones):
                flat = np.empty(16 * len(found.pose.bones), np.float32)
                found.pose.bones.foreach_get("matrix", flat)
                bones = own @ flat.reshape(-1, 4, 4).transpose(0, 2, 1)
            placed[each] = own, bones
        for node, (each, bone) in self.nodes.sources.items():
            own, bones = placed[each]
            # the exporter turns the axes of objects, but not those of bones
            world[node] = Y_UP @ own @ Y_UP.T if bone < 0 else Y_UP @ bones[bone]
            row = self.nodes.rows[node]
            if "camera" in row or "KHR_lights_punctual" in row.get("extensions", ()):
                world[node] = world[node] @ DOWN.T
        for node, found in weights.items():
            keys = self.nodes.sources[node][0].evaluated_get(graph).data.shape_keys
            keys = keys or self.nodes.sources[node][0].data.shape_keys
            blocks = keys.key_blocks
            found.append([blocks[name].value for name in self.nodes.targets[node]])

    def _animation(self, clip, frames, world, weights, json_data, blob):
        nodes = self.nodes
        times = (frames - frames[0]) / self.rate
        writer = Writer(clip.name, times, json_data, blob)
        for node in nodes.order:
            parent, row = nodes.parents[node], nodes.rows[node]
            above = world[:, parent] if parent >= 0 else np.eye(4)[None]
            if node not in nodes.sources or "skin" in row:
                world[:, node] = above @ nodes.local(node)
                continue
            local = np.linalg.solve(above + np.zeros_like(world[:, node]), world[:, node])
            parts = decomposed(local)
            made = above @ composed(*parts)
            self._note_shear(node, clip, frames, made - world[:, node])
            world[:, node] = made  # what is below makes up for it
            for (path, kind), values in zip(PATHS, parts, strict=True):
                static = row.get(path, DEFAULTS[path])
                if path == "rotation" and np.dot(values[0], static) < 0:
                    values = -values
                writer.add(node, path, kind, values, np.array(static))
        for node, values in weights.items():
            mesh = json_data["meshes"][nodes.rows[node]["mesh"]]
            static = nodes.rows[node].get("weights", mesh.get("weights"))
            writer.add(node, "weights", "SCALAR", np.array(values), np.array(static or 0.0))
        return writer.done()


def between(frames, bend):
    """Return the frames between others that hold linear interpolation to `TOLERANCE`."""
    counts = np.clip(np.ceil(np.sqrt(bend / TOLERANCE)), 1, MOST_BETWEEN).astype(int)
    steps = zip(frames[:-1], np.diff(frames), counts, strict=True)
    return np.array([at + step * k / n for at, step, n in steps for k in range(1, n)])


def composed(translations, quaternions, scales):
    """Return matrices [..., 4, 4] of translations, unit quaternions (xyzw) and scales."""
    x, y, z, w = np.moveaxis(quaternions, -1, 0)
    rows = (
        (1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)),
        (2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)),
        (2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)),
    )
    matrices = np.zeros((*x.shape, 4, 4))
    matrices[..., :3, :3] = np.moveaxis(np.array(rows), (0, 1), (-2, -1)) * scales[..., None, :]
    matrices[..., :3, 3] = translations
    matrices[..., 3, 3] = 1
    return matrices


def decomposed(matrices):
    """Return translations [F, 3], unit quaternions [F, 4] (xyzw) and scales [F, 3]."""
    basis = matrices[:, :3, :3]
    scale = np.linalg.norm(basis, axis=1)
    scale *= np.where(np.linalg.det(basis) < 0, -1.0, 1.0)[:, None]
    m = basis / np.where(np.abs(scale) < 1e-12, 1.0, scale)[:, None]
    x, y, z = m[:, 0, 0], m[:, 1, 1], m[:, 2, 2]
    a, b, c = m[:, 2, 1] - m[:, 1, 2], m[:, 0, 2] - m[:, 2, 0], m[:, 1, 0] - m[:, 0, 1]
    d, e, f = m[:, 0, 1] + m[:, 1, 0], m[:, 0, 2] + m[:, 2, 0], m[:, 1, 2] + m[:, 2, 1]
    rows = np.array(  # four ways to write one quaternion, of different lengths
        [
            [1 + x - y - z, d, e, a],
            [d, 1 - x + y - z, f, b],
            [e, f, 1 - x - y + z, c],
            [a, b, c, 1 + x + y + z],
        ]
    )
    longest = np.abs(rows[range(4), range(4)]).argmax(0)
    quaternions = rows[longest, :, np.arange(len(m))]
    quaternions /= np.linalg.norm(quaternions, axis=1)[:, None]
    turns = (quaternions[1:] * quaternions[:-1]).sum(1)
    quaternions[1:] *= np.cumprod(np.where(turns < 0, -1.0, 1.0))[:, None]
    return matrices[:, :3, 3], quaternions, scale


class Writer:
    """Writes the tracks of one animation; those that do not differ from the rest are left out."""

    def __init__(self, name, times, json_data, blob):
        self.animation = {"name": name, "channels": [], "samplers": []}
        self.times, self.json, self.blob = times, json_data, blob
        self.inputs = {}
        self.first = None

    def add(self, node, path, kind, values, static):
        """Add the track of a node: values [F, n]; `static` is the value without it."""
        still = np.abs(values - values[0]).max() <= SAME * max(1.0, np.abs(values[0]).max())
        self.first = self.first or (node, path, kind, values[[0, -1]])
        if still and np.abs(values[0] - static).max() <= SAME * 10:
            return
        self._write(node, path, kind, values[[0, -1]] if still else values)

    def done(self):
        """Return the animation; one in which nothing moves has the first track."""
        if not self.animation["channels"] and self.first is not None:
            self._write(*self.first)
        return self.animation

    def _write(self, node, path, kind, values):
        times = self.times if len(values) == len(self.times) else self.times[[0, -1]]
        if len(times) not in self.inputs:
            limits = {"min": [float(times[0])], "max": [float(np.float32(times[-1]))]}
            self.inputs[len(times)] = self._accessor(times, "SCALAR", limits)
        target = {"node": node, "path": path}
        self.animation["channels"].append(
            {"sampler": len(self.animation["samplers"]), "target": target}
        )
        output = self._accessor(values.ravel() if kind == "SCALAR" else values, kind, {})
        self.animation["samplers"].append(
            {"input": self.inputs[len(times)], "output": output, "interpolation": "LINEAR"}
        )

    def _accessor(self, values, kind, limits):
        self.blob += b"\0" * (-len(self.blob) % 4)
        data = np.ascontiguousarray(values, "<f4").tobytes()
        views = self.json.setdefault("bufferViews", [])
        views.append({"buffer": 0, "byteOffset": len(self.blob), "byteLength": len(data)})
        self.blob += data
        accessor = {"bufferView": len(views) - 1, "componentType": FLOAT, "type": kind}
        accessors = self.json.setdefault("accessors", [])
        accessors.append({**accessor, "count": len(values), **limits})
        return len(accessors) - 1


if __name__ == "__main__":
    main(sys.argv[-1])
    sys.stdout.flush()
    os._exit(0)  # the end of the interpreter would wait for the thread that waits for the parent
