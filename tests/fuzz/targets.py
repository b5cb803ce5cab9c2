"""What is run with which mutated file: the cases of the fuzzer, chosen by a random generator."""

from functools import cache

import numpy as np

from rigview.golden.files import as_npz, as_png
from rigview.golden.shot import Shot
from rigview.options.table import options_by_name
from rigview.scene.camera import OrbitCamera
from tests.fuzz import sources
from tests.fuzz.case import Case
from tests.fuzz.functions import FUNCTIONS
from tests.fuzz.mutate_bytes import HOSTILE_TEXTS, NUMBERS, mutate_bytes, mutate_text
from tests.fuzz.mutate_gltf import mutate_gltf
from tests.fuzz.mutate_values import mutate_json, mutate_toml
from tests.fuzz.mutated_case import Scenario

PICTURE = ("--resolution", "32,32", "--samples", "1", "--max-memory", "256MiB")
COMMANDS = {  # command lines for a.glb by their share, per thousand
    "load_bytes": 200,
    "play": 50,
    "play_all": 50,
    "run_all_rules": 50,
    "save_and_load": 40,
    "session": 40,
    "open_window": 3,
    "info": 60,
    "info --json": 40,
    "pose -o out.npz": 60,
    "pose --vertices --phase 0,0.5,1 -o out.json": 50,
    "pose --pose bind": 10,
    "events --time 0..9 --json": 20,
    "events --time 0..9 --step 0.1": 20,
    "check": 50,
    "check --format json": 15,
    "check --format junit": 15,
    "check --format github": 10,
    "check --joins --json": 15,
    "bake -o out.glb": 50,
    "bake --fps 12 -o out.glb": 30,
    "bake --keep-keys --quantize-rotations -o out.glb": 20,
    "bake --mix Mix --fps 12 -o out.glb": 20,
    "bake --in-place": 10,
    "curves --joint {joint} -o out.svg": 30,
    "curves --joint {joint} --space model --rotation quaternion -o out.png": 20,
    "diff b.glb": 40,
    "diff b.glb --json": 30,
    "info --anims b.glb": 20,
    "info b.glb --jobs 1 --json": 5,
    "view": 3,
    "render -o out.png": 12,
    "render --no-background -o out.exr": 1,
    "render --no-background -o out.jpg": 1,
    "render --skeleton --axes --wireframe --bounds --pose bind -o out.png": 5,
    "render --view-mode normals --crowd 4 -o out.png": 3,
    "render b.glb --same-size --speed 2 -o out.png": 3,
    "check b.glb --jobs 1 --json": 5,
    "sheet -o out.png": 4,
    "sheet b.glb --jobs 1 -o out.png": 2,
    "turntable --seconds 0.2 -o out.gif": 2,
    "report -o out.html": 1,
    "page -o out.html": 3,
    "page --max-texture 16 -o out.html": 2,
    "thumbnail -o out.png --size 32": 3,
    "diff b.glb -o out.png": 2,
    "diff b.glb -o out.html": 1,
    "bench --json": 0.3,
}
MOTION = {
    "motion_text": 15,
    "pose --time 0,0.3,2.5 -o out.npz": 30,
    "events --time 0..3 --json": 15,
    "events --time 0..3 --step 0.05": 10,
    "check": 5,
    "bake -o out.glb": 5,
    "bake --mix Mix --fps 12 -o out.glb": 10,
    "session": 15,
    "open_window": 1,
    "render -o out.png": 3,
    "sheet -o out.png": 1,
}
IMPORTED = {
    "info --anims {other} --force": 10,
    "pose --anims {other} --force --animation 0 -o out.npz": 10,
    "bake --anims {other} --force -o out.glb": 10,
    "check --anims {other} --force": 5,
}
IN_PARTS = {
    "info": 20,
    "info --json": 10,
    "pose -o out.npz": 20,
    "check": 20,
    "bake -o out.glb": 20,
    "bake --in-place": 5,
    "save_and_load": 20,
    "decode_images": 60,
    "session": 20,
    "open_window": 2,
    "render -o out.png": 4,
    "page -o out.html": 2,
    "diff b.glb": 5,
}
MISNAMED = {  # names of files, and the command that reads them
    "b.glb": "info b.glb",
    "b.gltf": "pose b.gltf -o out.npz",
    "b.vrm": "check b.vrm",
    "b.bvh": "info b.bvh",
    "c.bvh": "info a.glb --anims c.bvh",
    "c.glb": "info a.glb --anims c.glb",
    "d.glb": "diff a.glb d.glb",
    "sky.hdr": "environment_map",
    "sky.exr": "environment_map",
    "stored.png": "golden_picture",
    "stored.npz": "golden_pose",
    "a.motion.toml": "info a.glb",
    "rigview.toml": "check a.glb",
}
DECODING = ("load_bytes", "decode_images", "decode_images")
TAKING_ANYTHING = ("info", "pose", "events", "check", "bake", "curves", "diff")
FIXED = (  # options that name files to write, start processes, or are part of the command line
    *("output", "in-place", "update-baseline", "jobs", "dask", "changed-since", "resolution"),
    *("verbose", "quiet", "root", "samples", "crowd"),
)
VALUES = (*NUMBERS, "0.5", "2", "-3", "1/3", "50%", "0x1F", "2GiB", "loop", "pingpong:3")
WORDS = (
    *("Walk", "Hips", "Tip", "base", "speed", "base.weight", "morph:0", "#0", "0", "3", "*", "W*"),
    *(
        "/nodes/0/weights",
        "a.glb",
        "b.glb",
        ".",
        "..",
        "/dev/zero",
        "nothing.toml",
        "front",
        "rest",
    ),
)
STREAMS = (
    *("meshopt", "draco", "pictures", "many scans", "equal images"),
    *(f"ktx {kind}" for kind in sources.PICTURES),
)


@cache
def characters():
    return sources.characters()


@cache
def motions():
    return sources.motions()


@cache
def bvh_files():
    return sources.bvh_files()


@cache
def environments():
    return sources.environments()


@cache
def misnamed():
    return sources.misnamed()


@cache
def goldens():
    pixels = np.full((4, 4, 4), 128, np.uint8)
    pose = {"node_local": np.zeros((1, 10), np.float32), "node_names": np.array(["Hips"])}
    shot = Shot({"fit": "rest"}, OrbitCamera(), [{"Hips": [0.0, 1.0, 0.0]}])
    return {"stored.png": as_png(pixels, "llvmpipe", shot), "stored.npz": as_npz(pose)}


def _line(rng, table, file="a.glb", **names):
    """Arguments of a command line from a table, with the file after the command."""
    (text,) = rng.choices(list(table), list(table.values()))
    command, *rest = (part.format(**names) for part in text.split(" "))
    if command in FUNCTIONS:
        return (command,)
    drawing = command in ("render", "sheet", "turntable", "report", "page") or "b.glb -o" in text
    return (command, file, *rest, *(PICTURE if drawing else ()))


def _character(rng, names):
    (name,) = rng.choices(names, [0.5 if name == "mannequin" else 8 for name in names])
    data = characters()[name]
    joint = {"body": "Hips", "small": "Tip", "mannequin": "Hips"}.get(name, "Joint 0")
    line = _line(rng, COMMANDS, joint=joint)
    files = {"a.glb": data} | ({"b.glb": data} if "b.glb" in line else {})
    return Case(line, files, "a.glb")


def _any_character(rng):
    return _character(rng, [name for name in characters() if name not in STREAMS])


def _compressed(rng):
    if rng.random() < 0.4:
        name = rng.choice([name for name in STREAMS if name in characters()])
        return Case((rng.choice(DECODING),), {"a.glb": characters()[name]}, "a.glb")
    return _character(rng, [name for name in characters() if name in STREAMS])


def _in_parts(rng):
    """A .gltf with its buffer and its pictures in files of their own."""
    name = rng.choice([name for name in characters() if name != "mannequin"])
    files = sources.parts(characters()[name])
    line = _line(rng, IN_PARTS, "a.gltf")
    mutated = rng.choice([*files, *([each for each in files if each != "a.gltf"] * 3)])
    if "b.glb" in line:
        files["b.glb"] = characters()[name]
    return Case(line, files, mutated)


def _mutate_part(rng, data):
    """Change the JSON, a buffer or a picture."""
    return mutate_json(rng, data) if data.startswith(b"{") else mutate_bytes(rng, data)


def _motion(rng):
    files = {"a.glb": sources.mover(), "a.motion.toml": rng.choice(_texts())}
    return Case(_line(rng, MOTION), files, "a.motion.toml")


@cache
def _texts():
    return list(motions().values())


def _imported(rng):
    """Clips of a mutated BVH or GLB file."""
    name = rng.choice(("b.glb", "b.bvh"))
    data = sources.body(("Walk", "Run")) if name == "b.glb" else rng.choice([*bvh_files().values()])
    return Case(_line(rng, IMPORTED, other=name), {"a.glb": sources.body(), name: data}, name)


def _bvh(rng):
    table = {"info": 3, "pose -o out.npz": 3, "check": 2, "curves --joint Hips -o out.svg": 1}
    table |= {"render -o out.png": 0.3}
    return Case(_line(rng, table, "a.bvh"), {"a.bvh": rng.choice([*bvh_files().values()])}, "a.bvh")


def _environment(rng):
    name = rng.choice(list(environments()))
    data = environments()[name]
    path = "sky.exr" if name == "OpenEXR" else "sky.hdr"
    if rng.random() < 0.98:
        return Case(("environment_map",), {path: data}, path)
    shown = ("--environment-background", "--environment-blur", rng.choice(("0", "0.3", "1")))
    arguments = ("render", "a.glb", "--environment", path, *shown, "-o", "out.png", *PICTURE)
    return Case(arguments, {"a.glb": characters()["random 0"], path: data}, path)


def _mutate_head(rng, data):
    """Change the first bytes, or nothing."""
    return data if rng.random() < 0.5 else mutate_bytes(rng, data[:4096]) + data[4096:]


def _misnamed(rng):
    """A file that is not what it is called, also a long one."""
    name, line = rng.choice(list(MISNAMED.items()))
    data = rng.choice(list(misnamed().values())) + bytes(rng.choice((0, 1000, 16 << 20)))
    return Case(tuple(line.split(" ")), {"a.glb": sources.body()} | {name: data}, name)


def _config(rng):
    name = rng.choice(("config/rigview/config.toml", "options.toml", "rigview.toml"))
    given = ("--config", name) if name == "options.toml" else ()
    line = rng.choice((("info", "a.glb"), ("pose", "a.glb", "-o", "out.npz")))
    files = {"a.glb": sources.body(), name: sources.CONFIG.encode()}
    return Case((*line, *given), files, name)


def _rules(rng):
    name = rng.choice(("rules.toml", "rigview.toml"))
    given = ("--config", name) if name == "rules.toml" else ()
    files = {"a.glb": sources.body(), name: sources.RULES.encode()}
    return Case(("check", "a.glb", *given), files, name)


def _baseline(rng):
    arguments = ("check", "a.glb", "--baseline", "known.json")
    files = {"a.glb": characters()["small"], "known.json": sources.BASELINE.encode()}
    return Case(arguments, files, "known.json")


def _settings(rng):
    name = "config/rigview/settings.toml"
    return Case(("settings_file",), {name: sources.SETTINGS.encode()}, name)


def _golden(rng):
    name, how = rng.choice((("stored.png", "golden_picture"), ("stored.npz", "golden_pose")))
    return Case((how,), {name: goldens()[name]}, name)


def _arguments(rng):
    """A valid file and options with any values."""
    name = rng.choice(("small", "body", "full", "animated"))
    data = characters()[name]
    text = rng.choice([line for line in COMMANDS if line.partition(" ")[0] in TAKING_ANYTHING])
    command, *rest = text.format(joint="Hips" if name == "body" else "Tip").split(" ")
    options = [option for option in options_by_name(command).values() if option.name not in FIXED]
    given = []
    for _ in range(rng.choice((1, 1, 2, 3))):
        option = rng.choice(options)
        value = _value(rng, option, data)
        given += [f"{option.flag}={value}" if option.metavar else option.flag]
    files = {"a.glb": data, "a.motion.toml": rng.choice(_texts())}
    if rng.random() < 0.7:
        del files["a.motion.toml"]
    return Case((command, "a.glb", *rest, *given), files | {"b.glb": data})


def _value(rng, option, data):
    """A value of an option: a choice, numbers, a name of the file, or anything."""
    kind = rng.randrange(6)
    if option.choices and kind < 4:
        return rng.choice(option.choices)
    if kind < 2:
        count = rng.choice((1, 1, 2, 3))
        return rng.choice((",", "..", ":", "x")).join(rng.choice(VALUES) for _ in range(count))
    if kind == 2:
        return rng.choice(WORDS)
    if kind == 3:
        return f"{rng.choice(WORDS)}={rng.choice(VALUES)}"
    if kind == 4:
        seconds = rng.choice(VALUES)
        return f"{seconds}:{rng.choice(('set', 'fade'))}:{rng.choice(WORDS)}={rng.choice(WORDS)}"
    return rng.choice(HOSTILE_TEXTS).replace("\0", "").replace("\ud800", "\udcff")


def _drawing(rng):
    """The seed of a random document."""
    return Case(("compare_pictures",), {"seed": str(rng.randrange(10**6)).encode()})


SCENARIOS = (
    Scenario("glTF", 40, mutate_gltf, _any_character),
    Scenario("compressed data", 13, mutate_gltf, _compressed),
    Scenario("glTF in parts", 6, _mutate_part, _in_parts),
    Scenario("motion", 14, mutate_toml, _motion),
    Scenario("imported clips", 5, None, _imported),
    Scenario("BVH", 4, mutate_text, _bvh),
    Scenario("environment map", 2, mutate_bytes, _environment),
    Scenario("misnamed files", 2, _mutate_head, _misnamed),
    Scenario("configuration", 4, mutate_toml, _config),
    Scenario("rules", 3, mutate_toml, _rules),
    Scenario("baseline", 2, mutate_json, _baseline),
    Scenario("settings", 2, mutate_toml, _settings),
    Scenario("arguments", 8, None, _arguments),
    Scenario("goldens", 2, mutate_bytes, _golden),
    Scenario("random documents", 0.2, None, _drawing),
)


def add_folder(folder):
    """Mutate the files of a folder too."""
    characters().update(sources.files_in(folder))
