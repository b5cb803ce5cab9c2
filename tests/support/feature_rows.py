"""What the animation system does: each subject in Python, as a command, and by hand.

docs/features.md is written from these rows, and tests run all of them.
"""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from rigview.session.export.animation_export import AnimationExport
from rigview.session.session import Session
from tests.support.animated_value_files import LIGHT, flip_book, lit_floor, robot_arm
from tests.support.bvh_text import body_bvh
from tests.support.feature_hands import (
    Step,
    choose,
    click,
    clip,
    drag,
    find,
    key,
    menu,
    pull,
    select,
)
from tests.support.light_mannequin import light_mannequin
from tests.support.pages import FILES

# fmt: off
CLIPS = frozenset((
    "Walk", "Run", "Wave", "Nod", "Breathe", "Talk", "WalkBack", "StrafeLeft", "StrafeRight",
    "StrafeLeftBack", "StrafeRightBack", "TurnStep", "AimCentre", "AimLeft", "AimUp", "LeanLeft",
    "LeanRight",
))
# fmt: on
SETUP = """\
from dataclasses import replace

import numpy as np
import rigview
from rigview import *  # short names below

model = rigview.load("character.glb")
skeleton = model.skeleton
walk, run, wave = (model.clips[name] for name in ("Walk", "Run", "Wave"))
document = rigview.read_motion("moves.motion.toml").document
mixer = rigview.bind(model, document)
pose = skeleton.rest.copy()
"""
MOTION = """\
# moves.motion.toml
version = 1

[parameters]
speed = { default = 1.4, range = [0, 4], damp = 0.3 }
direction = { angle = true, damp = 0.3 }
turn = { range = [-50, 50] }
x = { range = [-1, 1] }
y = { range = [-1, 1] }
yaw = { range = [-60, 60] }
look_at = { default = [2, 1.2, 2] }
reach = { default = [0.4, 1.3, 0.4] }

[clips.Walk]
events = [{ name = "left", phase = 0.25 }, { name = "right", phase = 0.75 }]

[clips.Nod]
drive = { by = "yaw", from = [-60, 60], to = [1, 3], unit = "key" }

[spaces.locomotion]
kind = "line"
x = "speed"
clips = [{ clip = "Walk", at = 1.4 }, { clip = "Run", at = 4 }]
sync = true

[spaces.ways]
kind = "points"
x = "x"
y = "y"
clips = [
  { clip = "Walk", at = [0, 1] },
  { clip = "StrafeLeft", at = [1, 0] },
  { clip = "StrafeRight", at = [-1, 0] },
  { clip = "WalkBack", at = [0, -1] },
]

[spaces.strafe]
kind = "strafe"
x = "direction"
transitions = { left_to_back = "TurnStep" }
[spaces.strafe.clips]
forward = "Walk"
left = "StrafeLeft"
right = "StrafeRight"
back = "WalkBack"
left_back = "StrafeLeftBack"
right_back = "StrafeRightBack"

[pivot]
rate = "turn"

[masks.upper]
joints = { Spine = 0.3, Spine1 = 0.6, Spine2 = 1 }
space = "model"

[aims.head]
chain = { Spine2 = 0.2, Neck = 0.5, Head = 1 }
target = "look_at"
limit = 70

[iks.left_arm]
chain = ["LeftArm", "LeftForeArm", "LeftHand"]
target = "reach"

[[layers]]
name = "base"
play = "locomotion"

[[layers]]
name = "ways"
play = "ways"
weight = 0

[[layers]]
name = "strafe"
play = "strafe"
weight = 0

[[layers]]
name = "nod"
play = "Nod"
mask = "touched"
weight = 0

[[layers]]
name = "wave"
play = "Wave"
mask = "upper"
weight = 0

[[layers]]
name = "look"
play = "head"
weight = 0

[[layers]]
name = "arm"
play = "left_arm"
weight = 0
"""

NOISE = """\
# noise.motion.toml
version = 1

[additives.breath]
source = "Breathe"
reference = { clip = "Breathe", time = 0 }
limits = { Head = 30 }

[[layers]]
name = "base"
play = "Walk"

[[layers]]
name = "breath"
play = "breath"
weight = 0.6
random = { seed = 3, speed = [0.8, 1.2] }
"""


def write_files(folder: Path) -> None:
    """Write the files that the rows name into a folder."""
    files = {"moves": MOTION, "noise": NOISE, "steps": FILES["steps.motion.toml"]}
    for name, text in files.items():
        (folder / f"{name}.motion.toml").write_text(text, encoding="utf-8")
    (folder / "capture.bvh").write_text(body_bvh(), encoding="utf-8")
    (folder / "sword.glb").write_bytes(robot_arm().glb())
    (folder / "flag.glb").write_bytes(flip_book().glb())
    lamp = lit_floor(intensity=20.0)
    lamp.pointer((f"{LIGHT}/intensity", [0, 0.5, 1], [5, 60, 5]), name="Flicker")
    (folder / "lamp.glb").write_bytes(lamp.glb())


def write_character(folder: Path) -> None:
    (folder / "character.glb").write_bytes(light_mannequin(CLIPS))


class Row(NamedTuple):
    """One subject.

    Attributes
    ----------
    python, expected
        Lines after `SETUP`, and an expression that is true after them.
    commands
        Lines of a shell.
    steps, effect
        What a user does in the window that shows `opens`, and whether the session shows it.
    seen
        The same of the trace of the real window; None: not done there.
    """

    subject: str
    python: str
    expected: str
    commands: tuple[str, ...]
    steps: tuple[Step, ...]
    effect: Callable[[Session], object]
    opens: tuple[str, ...] = ("character.glb",)
    seen: Callable[[dict], object] | None = None


def _curves(session: Session):
    return session.interface.curves.curves


def _lines(session: Session):
    return [line for chart in _curves(session).charts for line in chart.lines]


def _doc(session: Session):
    return session.editor.document


def _layer(session: Session, name: str):
    return next(each for each in _doc(session).layers if each.name == name)


def _pose(session: Session):
    return session.character.pose


MOVES = "rigview {} character.glb --motion moves.motion.toml"
MIXER, MAKE = key("mixer"), click("Create layers", "make layers")
MOTION_TAB = (MIXER, click("tab Motion", "tab Motion"))
SPACE_TAB = (MIXER, MAKE, click("tab Space", "tab Space"))
EXPORT = (menu("export"), choose("Export: Animation", "export kind", "animation"))


def curves_of(subject: str) -> Step:
    inputs = ("click", "search curves"), ("type", subject), ("press", "Enter")
    return Step(f"search “{subject}”, Enter", inputs)


def new(label: str) -> Step:
    return click(f"New… › {label}", "new entry", f"new {label}")


def answer(file: str) -> Step:
    """A file in the dialog that an entry of the menu opens."""
    return Step(f"choose {file}", (("answer", file),))


def add_layer(source: str) -> Step:
    return find(f"Mixer › Add a layer › {source}", "add layer", source)


ROWS: dict[str, tuple[Row, ...]] = {
    "Curves and tracks": (
        Row(
            "A cubic Bézier curve, by de Casteljau and by the Bernstein form",
            "curve = Bezier.of([0, 0], [0, 1], [1, 1], [1, 0])\n"
            "points = curve.sample(np.linspace(0, 1, 9))\n"
            "same = curve.casteljau(np.linspace(0, 1, 9))",
            "np.allclose(points, same)",
            ("rigview curves character.glb --joint LeftArm --animation Wave -o arm.svg",),
            (clip("Wave"), key("curves"), curves_of("LeftArm")),
            lambda s: _curves(s).subject == "LeftArm" and _lines(s),
        ),
        Row(
            "A cubic Hermite curve: points and tangents, converted both ways",
            "hermite = Hermite.of([0], [3], [1], [0])\n"
            "curve = hermite.bezier()\n"
            "back = curve.hermite()",
            "curve.c1 == 1 and np.allclose(back, hermite)",
            (
                "rigview curves character.glb --joint LeftArm --animation Wave "
                "--rotation quaternion -o tangents.svg",
            ),
            (
                clip("Wave"),
                key("curves"),
                curves_of("LeftArm"),
                choose("Degrees › Quaternion", "curves angles", "quaternion"),
            ),
            lambda s: len(_curves(s).charts[0].lines) == 4,
        ),
        Row(
            "A curve as a line for drawing, with control points and handles",
            "curve = Bezier.of([0, 0], [0, 1], [1, 1], [1, 0])\n"
            "line = curve.polyline()\n"
            "points, handles = line.points, line.handles",
            "points.shape == (200, 2) and handles.shape == (2, 2, 2)",
            (
                "rigview curves character.glb --joint LeftHand --animation Wave "
                "--space model -o hand.svg",
            ),
            (
                clip("Wave"),
                key("curves"),
                curves_of("LeftArm"),
                choose("Local space › Model space", "curves space", "model"),
            ),
            lambda s: _curves(s).charts and s.interface.curves.space == "model",
        ),
        Row(
            "Interpolation of keys: constant, linear, cubic",
            "keys = [Key(0.0, np.float32([0])), Key(1.0, np.float32([1]))]\n"
            'kinds = ("STEP", "LINEAR", "CUBICSPLINE")\n'
            "values = [float(make_track(keys, kind).sample(0.25)[0]) for kind in kinds]",
            "np.allclose(values, [0, 0.25, 0.15625])",
            ("rigview info character.glb",),
            (clip("Wave"), select("LeftArm"), click("Tracks › the chart", "track Rotation")),
            lambda s: s.interface.curves.shown and _lines(s),
        ),
        Row(
            "A key: time, value, tangents",
            "value, slope = np.float32([0, 1, 0]), np.float32([0, 0, 1])\n"
            "keys = [Key(0.0, value), Key(0.5, 2 * value, arrive=slope, leave=slope)]\n"
            'track = make_track(keys, "CUBICSPLINE")',
            "track.end == 0.5 and track.tangents is not None",
            ("rigview curves character.glb --joint Hips --animation Wave -o hips.svg",),
            (
                clip("Wave"),
                key("play"),
                key("curves"),
                curves_of("LeftArm"),
                pull("drag a key up", "key Rotation Z 2", 0, -20),
            ),
            lambda s: s.active.changes.words == "1 key in Wave",
        ),
        Row(
            "A track: start, end, duration; its value at any time, clamped or looped",
            "track = walk.tracks[1]\n"
            "value = track.sample(-0.25, loop=True)\n"
            "last = track.sample(7.0)",
            "np.allclose(value, track.sample(track.end - 0.25)) and (last == track.key(-1)).all()",
            ("rigview pose character.glb --animation Walk --time 1.25 --loop loop -o wrapped.npz",),
            (
                clip("Walk"),
                key("play"),
                key("last frame"),
            ),
            lambda s: s.transport.time == pytest.approx(1.0),
        ),
        Row(
            "Rotations: slerp on the shorter arc, or nlerp",
            'fast = model.with_key_rotation("nlerp")\nturned = fast.clips["Walk"].sample(0.26)',
            "turned.count == skeleton.count",
            (
                "rigview pose character.glb --animation Walk --time 0.26 --key-rotation nlerp "
                "-o nlerp.npz",
            ),
            (
                click("Playback › Pose", "pose settings"),
                choose("Key rotation: nlerp", "key rotation", "nlerp"),
            ),
            lambda s: s.scene.look.shading is not None and s.model.clips[0].rotation == "nlerp",
        ),
        Row(
            "The keys beside a time",
            "held = walk.hold_time(0.26)\nnumber = int(np.searchsorted(walk.key_times, 0.26))",
            "held <= 0.26 <= walk.key_times[number]",
            ("rigview pose character.glb --animation Walk --time 0.26 --hold -o held.npz",),
            (clip("Walk"), key("play"), select("LeftLeg"), key("next key")),
            lambda s: not s.transport.running and s.transport.time in s.model.clips[0].key_times,
        ),
        Row(
            "Position, rotation and scale of a joint; what has no track is at rest",
            'hand = skeleton.find("LeftHand")\n'
            "tracks = [track for track in walk.tracks if track.target == hand]\n"
            'clip = Clip.of("Hand only", tracks, skeleton.rest)',
            "(clip.sample(0.3).rotation[0] == skeleton.rest.rotation[0]).all()",
            ("rigview pose character.glb --animation Walk --time 0,0.25,0.5 -o pose.npz",),
            (clip("Walk"), menu("dope sheet"), click("Hips in it", "dope name Hips")),
            lambda s: s.selections.current.name == "Hips",
        ),
        Row(
            "Tracks of other values, such as morph weights",
            "channel = model.channels[0]\n"
            'talk = model.clips["Talk"].sample(0.5)\n'
            "weights = talk.values[channel.slice]",
            "len(weights) == 5 and weights.any()",
            ("rigview curves character.glb --joint jawOpen --animation Talk -o jaw.png",),
            (
                clip("Talk"),
                key("curves"),
                curves_of("jawOpen"),
            ),
            lambda s: _curves(s).charts[0].lines,
        ),
        Row(
            "The pose at a key, and the last keys before a time",
            "third = walk.sample_key(3)\nheld = walk.sample_hold(0.26)",
            "walk.key_time(3) > 0 and held.count == skeleton.count",
            ("rigview pose character.glb --animation Walk --key 3 -o key.npz",),
            (clip("Walk"), key("play"), key("first frame"), key("next key"), key("next key")),
            lambda s: s.transport.time == pytest.approx(s.model.clips[0].key_times[2]),
        ),
        Row(
            "A clip with keys at a fixed rate",
            "from rigview.animation.sampled_clip import SampledClip\n"
            "even = resample(walk, 15)\n"
            "poses = SampledClip.of(walk, skeleton.rest, 15)",
            "len(even.key_times) == poses.frames + 1 == 16",
            ("rigview bake character.glb --animation Walk --fps 15 -o walk.glb",),
            (
                clip("Walk"),
                *EXPORT,
                choose("Keys: At a fixed rate", "export keys", "resample"),
                click("Export", "start export"),
            ),
            lambda s: (
                "export" in s.interface.requests
                and s.interface.of(AnimationExport).keys == "resample"
            ),
        ),
    ),
    "Skeletons, poses and clips": (
        Row(
            "The hierarchy of all nodes",
            "parents = skeleton.parents\n"
            "names = [skeleton.names[joint] for joint in skeleton.upwards(12)]",
            "parents[0] == -1 and len(names) > 2",
            ("rigview info character.glb --names joints --json",),
            (select("LeftHand"), click("Inspector › Parent", "fact Parent")),
            lambda s: s.selections.current.name == "LeftForeArm",
        ),
        Row(
            "A pose: local and model space; a joint placed in model space, or posed by hand",
            'hand, pose = skeleton.find("LeftHand"), walk.sample(0.25)\n'
            "matrix = skeleton.to_model(pose)[hand] + np.float32(np.diag([0.1], 3))  # X + 10 cm\n"
            "set_joint_matrix(skeleton, pose, hand, matrix)",
            "np.allclose(skeleton.to_model(pose)[hand], matrix, atol=1e-5)",
            (
                "rigview render character.glb --motion greeting.motion.toml --time 0.3 "
                "-o greeting.png",
            ),
            (
                clip("Walk"),
                key("play"),
                select("LeftHand"),
                key("pose tool"),
                key("pose tool"),
                pull("drag the handle", "gizmo", 40, -60),
            ),
            lambda s: set(_doc(s).poses["Pose"]) == {"LeftArm", "LeftForeArm", "LeftHand"},
            seen=lambda state: state["layers"] == ["base", "Pose"],
        ),
        Row(
            "The rest pose, the bind pose, and the present one",
            "from rigview.animation.skin import bind_pose\n"
            "rest = skeleton.rest\n"
            "bind = bind_pose(skeleton, model.skins[0])",
            "bind.count == rest.count",
            ("rigview pose character.glb --pose bind -o bind.npz",),
            (key("pose"), key("pose")),
            lambda s: s.character.show == "bind",
        ),
        Row(
            "Joints and clips by their names",
            'hand = skeleton.find("LeftHand")\nname = model.clips["Wa?k"].name',
            'skeleton.names[hand] == "LeftHand" and name == "Walk"',
            ("rigview info character.glb --names clips",),
            (
                Step(
                    "Clips › search “wave”, Enter",
                    (("click", "search clips"), ("type", "wave"), ("press", "Enter")),
                ),
            ),
            lambda s: s.character.mixer.name == "Wave",
            seen=lambda state: state["clip"] == "Wave",
        ),
        Row(
            "A clip, and clips cut out of it",
            'part = walk.cut(0.1, 0.5, "Start")\n'
            'twice = Clip.joined([part, part.reversed("Back")], "Both ways")',
            "np.isclose(part.duration, 0.4) and np.isclose(twice.duration, 0.8)",
            ("rigview bake character.glb --cut clips.toml -o parts.glb",),
            (
                clip("Walk"),
                key("play"),
                drag("drag on the ruler: the range", "ruler", 0.2, 0.6),
                Step(menu("cut range").words, (*menu("cut range").inputs, ("settle",))),
            ),
            lambda s: "Walk part" in s.model.clips.names,
        ),
        Row(
            "The matrix palette of a skin",
            "matrices = skeleton.to_model(walk.sample(0.25))\n"
            "palette = model.skins[0].palette(matrices)",
            "palette.shape == (len(model.skins[0].joints), 3, 4)",
            ("rigview pose character.glb --animation 'Wa?k' --time 0.25 --vertices -o pose.json",),
            (
                select("LeftHand"),
                click("Inspector › Model", "space of model"),
                click("Matrix", "form of matrix"),
                click("From bind", "fact From bind"),
            ),
            lambda s: "opied" in s.interface.notice,
        ),
        Row(
            "One palette shared by many characters, in model space, or one for each",
            "from rigview.animation.crowd import Crowd\n"
            "places = np.repeat(np.eye(4, dtype=np.float32)[None], 30, axis=0)\n"
            "crowd = Crowd(skeleton, model.skins, [walk], 0, places)",
            "crowd.shared and len(crowd.palettes[0]) == 1",
            (
                "rigview render character.glb --crowd 30 --in-step --animation Walk --time 0.4 "
                "-o parade.png",
            ),
            (
                clip("Walk"),
                click("tab Stage", "tab Stage"),
                click("Crowd", "crowd"),
                click("In step", "in step"),
            ),
            lambda s: s.scene.crowd.shared and s.scene.crowd.count == 30,
        ),
        Row(
            "Sprites and flip-books, rigid parts, morph targets and skins",
            'files = "flag.glb", "sword.glb", "character.glb"\n'
            "shown = [rigview.render(file, time=0.3, resolution=(64, 64)) for file in files]",
            "all(picture.std() > 5 for picture in shown)",
            ("rigview sheet flag.glb sword.glb character.glb -o kinds.png",),
            (key("play"), key("last frame"), key("first frame"), key("next key")),
            lambda s: s.transport.time == pytest.approx(0.25),
            opens=("flag.glb",),
        ),
        Row(
            "Clips of another skeleton, retargeted by the names of joints",
            'clips = rigview.retarget(model, "capture.bvh")\n'
            'rigview.save(model.with_clips([*model.clips, *clips]), "captured.glb")',
            'clips[0].name in rigview.load("captured.glb").clips.names',
            (
                "rigview sheet character.glb --anims capture.bvh --animation capture:capture "
                "-o moves.png",
            ),
            (menu("add clips"), answer("capture.bvh")),
            lambda s: s.model.clips.names[-1] == "capture" and s.character.mixer.name == "capture",
        ),
        Row(
            "Baking: fewer keys within a tolerance, or keys at a fixed rate",
            'smaller = rigview.bake("character.glb", metres=0.0005, clips=["Walk"])\n'
            "before, after = smaller.reports[0].keys",
            "after < before",
            (
                "rigview bake character.glb --tolerance-mm 0.5 --tolerance-deg 0.2 --json "
                "-o smallest.glb",
            ),
            (
                clip("Walk"),
                *EXPORT,
                drag("Tolerance: drag", "export tolerance", 0.5, 0.8),
                click("Export", "start export"),
            ),
            lambda s: (
                "export" in s.interface.requests
                and s.interface.of(AnimationExport).millimetres > 0.2
            ),
        ),
    ),
    "Time": (
        Row(
            "Local time and phase of a clip",
            "halfway = walk.sample(0.5 * walk.end)\nclock = Playback(walk.end, phase=0.5)",
            "clock.time(0) == 0.5 * walk.end",
            (
                "rigview render character.glb --animation Walk --phase 0.25 --skeleton "
                "--joint-names -o bones.png",
            ),
            (clip("Walk"), key("play"), drag("drag on the timeline", "scrub", 0.2, 0.5)),
            lambda s: 0.4 < s.transport.time < 0.6 and not s.transport.running,
            seen=lambda state: 0.4 < state["time"] < 0.6 and not state["running"],
        ),
        Row(
            "Speed: fast, slow, backwards, without a jump",
            "clock = Playback(walk.end, rate=2)\n"
            "clock.set_rate(-1, tau=0.25)\n"
            "times = clock.time([0.25, 0.5])",
            "np.allclose(times, [0.5, 0.25])",
            ("rigview pose character.glb --animation Walk --speed -2 --time 0.1 -o backwards.npz",),
            (clip("Walk"), drag("Speed: drag to the left", "speed", 0.6, 0.2)),
            lambda s: s.transport.speed < 0,
        ),
        Row(
            "Once, several times, forever, ping-pong",
            'clock = Playback(1.0, passes=2, mode="pingpong")\n'
            "times = clock.time([0.25, 1.25, 2.25])",
            "np.allclose(times, [0.25, 0.75, 0])",
            (
                "rigview render character.glb --animation Walk --loop pingpong "
                "--resolution 160,160 -o pingpong.webp",
            ),
            (clip("Walk"), choose("Loop › Ping-pong", "loop", "Ping-pong")),
            lambda s: s.transport.loop_name == "Ping-pong",
        ),
        Row(
            "Characters with clocks of their own; a start offset",
            "one, two = Playback(walk.end, tau=0), Playback(walk.end, tau=-0.25)\n"
            "ahead = two.time(0.5) - one.time(0.5)",
            "ahead == 0.25",
            (
                "rigview render character.glb character.glb --animation Walk --offset 0 "
                "--offset 0.25 -o out_of_step.mp4",
            ),
            (
                click("Characters › the second", "character 2"),
                drag("Start offset: drag", "offset", 0.5, 0.7),
            ),
            lambda s: s.active is s.open_characters[1] and s.active.offset > 0.1,
            opens=("character.glb", "character.glb"),
        ),
        Row(
            "Clips of different length in step, by phase and sync marks",
            'mixer = rigview.bind(model, "steps.motion.toml")\n'
            'mixer.set("speed", 4.0, tau=0.0, seconds=0.5)\n'
            "mixer.seek(0.75)",
            "mixer.layered",
            (
                "rigview sheet character.glb --motion steps.motion.toml --at 1:set:speed=4,0.5 "
                "--time 0,0.5,1,1.5,2 -o run.png",
            ),
            (
                *SPACE_TAB,
                find("New › Line: Walk and… › Run", "new line", "Run"),
                click("Sync", "sync"),
            ),
            lambda s: next(iter(_doc(s).spaces.values())).sync,
        ),
        Row(
            "Events at times of a clip",
            "mixer.seek(0)\nfired = mixer.events(0, 1)",
            '[event.name for event in fired] == ["left", "right"]',
            (
                "rigview events character.glb --motion steps.motion.toml "
                "--at 1:set:speed=4,0.5 --time 0..3",
            ),
            (
                clip("Walk"),
                MIXER,
                MAKE,
                click("tab Events", "tab Events"),
                Step("type a name: step", (("click", "event name"), ("type", "step"))),
                click("Walk at … s", "add event Walk"),
            ),
            lambda s: _doc(s).clips["Walk"].events[0].name == "step",
        ),
        Row(
            "A prop or a camera carried by a joint; a cut to a camera",
            'prop = {"sword.glb": "LeftHand"}\n'
            'carried = rigview.render(model, "Wave", 0.7, attach=prop, resolution=(64, 64))\n'
            'seen = rigview.render(model, "Wave", camera="HeadCamera view", resolution=(64, 64))',
            "carried.std() > 5 and seen.shape == carried.shape",
            (
                "rigview render character.glb --attach sword.glb=LeftHand --animation Wave "
                "--time 0.7 -o carried.png",
                "rigview render character.glb --motion moves.motion.toml "
                "--at '0.2:cut:HeadCamera view' --time 0.5 -o cut.png",
            ),
            (
                select("LeftHand"),
                menu("attach"),
                answer("sword.glb"),
                MIXER,
                MAKE,
                click("tab Events", "tab Events"),
                choose("At … s › Cut to HeadCamera view", "new moment", "Cut to HeadCamera view"),
                key("play"),
                click("the cut in the list", "moment 0"),
            ),
            lambda s: (
                _doc(s).attachments["sword"].joint == "LeftHand" and s.scene.camera.file_camera == 0
            ),
        ),
        Row(
            "Lights, materials, textures and visibility, animated",
            'lamp = rigview.load("lamp.glb")\n'
            "channel = lamp.channels[0]\n"
            "value = lamp.clips[0].sample(0.5).values[channel.slice]",
            "value[0] == 60",
            (
                "rigview render lamp.glb --time 0.5 -o lamp.png",
                "rigview render flag.glb --time 0.3 -o flag.png",
            ),
            (key("curves"), click("Lamp in the list", "curves of Lamp")),
            lambda s: _curves(s).charts and _curves(s).subject == "Lamp",
            opens=("lamp.glb",),
        ),
        Row(
            "A clip whose time is set by a value: in seconds, or by key numbers",
            'mixer.set("nod.weight", 1, tau=0)\nmixer.set("yaw", 30, tau=0)\nmixer.seek(0.5)',
            "mixer.layered",
            (f"{MOVES.format('render')} --set nod.weight=1 --set yaw=30 --time 0.5 -o nod.png",),
            (
                clip("Nod"),
                *MOTION_TAB,
                new("Drive"),
                click("Parameters › Nod time", "entry parameters.Nod time"),
                drag("default: drag", "parameters.Nod time.default", 0.2, 0.7),
            ),
            lambda s: (
                _doc(s).clips["Nod"].drive.by == "Nod time"
                and _doc(s).parameters["Nod time"].default > 0.1
            ),
        ),
    ),
    "Blending": (
        Row(
            "A pose between two poses, and the mean of several",
            "half = blend(walk.sample(0.3), wave.sample(0.3), 0.5)",
            "half.count == skeleton.count",
            (f"{MOVES.format('render')} --set wave.weight=0.5 --time 0.5 -o half.png",),
            (MIXER, MAKE, add_layer("Wave"), drag("its weight: drag", "weight Wave", 0.98, 0.5)),
            lambda s: _layer(s, "Wave").weight == pytest.approx(0.5, abs=0.1),
            seen=lambda state: state["undo"] == "Weight of Wave",
        ),
        Row(
            "A cross-fade, smooth or frozen",
            "from rigview.motion.document import At, Fade\n"
            'fade = At(0.5, Fade("base", "Run", 0.3, kind="frozen"))\n'
            "mixer = rigview.bind(model, replace(document, at=(fade,)))",
            "mixer.layered",
            (
                f"{MOVES.format('sheet')} --at 0.5:fade:base=Run,0.3,cubic,frozen "
                "--time 0..1:0.1 -o fade.png",
            ),
            (
                MIXER,
                MAKE,
                click("base", "layer base"),
                choose("Smooth › Frozen", "kind base", "frozen"),
                find("Fade at … to… › Run", "fade base", "Run"),
            ),
            lambda s: _doc(s).at[0].do.to == "Run" and _doc(s).at[0].do.kind == "frozen",
        ),
        Row(
            "Clips that follow each other without a blend",
            "from rigview.model.transition_continuity import transition_continuity\n"
            "found = transition_continuity(model)\n"
            "metres, joins = found.place.amount, found.joined  # [from, to]",
            "metres.shape == joins.shape and joins.any()",
            ("rigview check character.glb --joins",),
            (
                clip("Walk"),
                click("View › Follows", "follows"),
                click("LeanLeft: next", "follows LeanLeft"),
                click("again: at once", "follows LeanLeft"),
            ),
            lambda s: s.character.mixer.name == "LeanLeft",
        ),
        Row(
            "Clips at places on a line, or on a ring",
            "space = BlendSpace1D([0, 1.4, 4])\nweights = space.weights(2.7)",
            "np.allclose(weights, [0, 0.5, 0.5])",
            (f"{MOVES.format('pose')} --set speed=2.5 --time 0.4 -o jog.npz",),
            (
                *SPACE_TAB,
                find("New › Line: Walk and… › Run", "new line", "Run"),
                drag("drag the point", "space line", 0.1, 0.6),
            ),
            lambda s: next(iter(_doc(s).parameters.values())).default > 0.3,
            seen=lambda state: state["undo"].startswith("Point of"),
        ),
        Row(
            "Clips at places in a plane: corners, triangles, any points",
            "space = BlendSpace2D([[0, 1], [1, 0], [-1, 0], [0, -1]])\n"
            "weights = space.weights(0.4, 0.3)",
            "np.isclose(weights.sum(), 1) and (weights >= 0).all()",
            (
                f"{MOVES.format('pose')} --set ways.weight=1 --set x=0.4 --set y=0.3 --time 0.4 "
                "-o ways.npz",
            ),
            (
                *SPACE_TAB,
                find("New › Plane: Walk and… › Run", "new points", "Run"),
                pull("drag the point", "space pad", 30, -30),
            ),
            lambda s: [each.default > 0 for each in _doc(s).parameters.values()] == [True, True],
        ),
        Row(
            "Movement in any direction: strafing and pivoting",
            'mixer.set("strafe.weight", 1, tau=0)\n'
            'mixer.set("direction", 90, tau=0)\n'
            'mixer.set("turn", 30, tau=0)\n'
            "mixer.seek(1)",
            "not np.allclose(mixer.world, np.eye(4))",
            (
                f"{MOVES.format('pose')} --set strafe.weight=1 --set direction=90 --set turn=30 "
                "--time 0..1 -o strafe.npz",
            ),
            (
                *MOTION_TAB,
                new("Strafe space"),
                choose(
                    "transitions › + › left_to_back",
                    "add spaces.strafe.transitions",
                    "left_to_back",
                ),
                find(
                    "left_to_back: TurnStep",
                    "spaces.strafe.transitions left_to_back",
                    "TurnStep",
                ),
                new("Pivot"),
            ),
            lambda s: (
                _doc(s).spaces["strafe"].transitions == {"left_to_back": "TurnStep"}
                and _doc(s).pivot
            ),
        ),
        Row(
            "Masks: a weight for each joint",
            'upper = Mask.of(skeleton, {"Spine1": 0.5, "Spine2": 1.0})\n'
            "waving = blend(walk.sample(0.3), wave.sample(0.3), 1, mask=upper)",
            'waving.rotation[skeleton.find("LeftHand")].any()',
            (f"{MOVES.format('render')} --set wave.weight=1 --time 0.7 -o upper.png",),
            (
                MIXER,
                MAKE,
                add_layer("Wave"),
                choose("All joints › New mask", "mask Wave", "\0"),
                drag("Mask › Spine1: drag", "mask weight Spine1", 0.05, 0.6),
            ),
            lambda s: _doc(s).masks["mask"].joints["Spine1"] > 0.3,
        ),
        Row(
            "A difference added to a pose",
            'waving = blend(walk.sample(0.3), wave.sample(0.7), 0.5, mode="add", '
            "reference=wave.sample(0))",
            "waving.count",
            (
                "rigview pose character.glb --motion noise.motion.toml --set breath.weight=1 "
                "--time 0.5 -o breath.npz",
            ),
            (
                MIXER,
                MAKE,
                add_layer("Wave"),
                choose("Mode: Add", "mode Wave", "add"),
                choose("From: first frame", "reference Wave added", "first frame"),
            ),
            lambda s: next(iter(_doc(s).additives.values())).reference.time == 0.0,
        ),
        Row(
            "Stances, noise and aiming by differences; cones as limits",
            'noise = rigview.bind(model, "noise.motion.toml")\nnoise.seek(2)\nnoise.sample(pose)',
            "(pose.rotation != skeleton.rest.rotation).any()",
            (
                "rigview sheet character.glb --motion noise.motion.toml --time 0..2:0.5 "
                "-o noise.png",
            ),
            (
                clip("Breathe"),
                *MOTION_TAB,
                new("Additive"),
                find(
                    "limits › + › Head",
                    "add additives.Breathe added.limits",
                    "Head",
                ),
                click("Mixer › Breathe added", "layer Breathe added"),
                click("Random start", "random Breathe added"),
            ),
            lambda s: _doc(s).additives["Breathe added"].limits and _doc(s).layers[-1].random,
        ),
        Row(
            "Layers, saved as a file that draws the same",
            "mixer.seek(0.5)\nmixer.sample(pose)\nmatrices = mixer.world @ skeleton.to_model(pose)",
            "np.isfinite(matrices).all()",
            (
                f"{MOVES.format('render')} --time 0.5 -o layers.png",
                "rigview bake character.glb --motion steps.motion.toml --mix Steps --fps 60 "
                "-o steps.glb",
            ),
            (MIXER, MAKE, add_layer("Wave"), key("save"), menu("copy command")),
            lambda s: (
                s.path.with_name("character.motion.toml").is_file()
                and s.interface.requests == ["copy command"]
            ),
        ),
        Row(
            "Looking and aiming at a point; reaching it with a limb",
            'mixer.set("look.weight", 1, tau=0)\n'
            'mixer.set("arm.weight", 1, tau=0)\n'
            "mixer.seek(0.5)\n"
            "mixer.sample(pose)",
            'np.allclose(skeleton.to_model(pose)[skeleton.find("LeftHand"), :3, 3], '
            "[0.4, 1.3, 0.4], atol=1e-3)",
            (
                f"{MOVES.format('render')} --set look.weight=1 --set arm.weight=1 "
                "--set 'reach=[0.3,1.5,0.3]' --time 0.5 -o reach.png",
            ),
            (
                select("LeftHand"),
                *MOTION_TAB,
                new("IK"),
                pull("drag the target", "handle", 40, -60),
            ),
            lambda s: (
                _doc(s).iks["LeftHand IK"].target == "LeftHand target"
                and s.history.undo_label == "Value of LeftHand target"
            ),
        ),
    ),
    "Drawing": (
        Row(
            "Four or eight joints for a vertex, and their weights",
            "part = model.meshes[0].primitives[0]\nsums = part.weights.sum(axis=1)",
            "np.allclose(sums, 1, atol=1e-5)",
            ("rigview render character.glb --weights Spine --pose rest -o weights.png",),
            (select("Spine"), key("weights")),
            lambda s: s.scene.weights_joint == s.model.skeleton.find("Spine"),
        ),
        Row(
            "Skinned vertices with their normals, drawn",
            'picture = rigview.render(model, "Walk", 0.4, view="right", resolution=(64, 64))',
            "picture.std() > 5",
            (
                "rigview render character.glb --animation Walk --time 0.4 --view right "
                "--no-background -o step.png",
            ),
            (clip("Walk"), key("right"), menu("picture")),
            lambda s: s.interface.requests == ["picture"],
        ),
        Row(
            "Any number of joints: a palette in a texture where one is needed",
            'clips = ["Walk", "Run"]\n'
            'picture = rigview.render(model, crowd="30", animation=clips, resolution=(96, 64))',
            "picture.std() > 5",
            (
                "rigview render character.glb --crowd 30 --animation Walk --animation Run "
                "-o crowd.png",
            ),
            (
                clip("Walk"),
                click("tab Stage", "tab Stage"),
                click("Crowd", "crowd"),
                click("All clips", "crowd clips"),
            ),
            lambda s: s.scene.crowd.count == 30 and s.crowd.clips,
        ),
        Row(
            "Many characters in one draw call, each with its own clip and time",
            "from rigview.animation.crowd import Crowd\n"
            "places = np.repeat(np.eye(4, dtype=np.float32)[None], 2, axis=0)\n"
            "crowd = Crowd(skeleton, model.skins, [walk, run], [0, 1], places)\n"
            "crowd.pose_at([0.2, 0.4])",
            "len(crowd.palettes[0]) == 2",
            ("rigview render character.glb --crowd 40 --animation Walk -o rows.png",),
            (
                clip("Walk"),
                click("tab Stage", "tab Stage"),
                click("Crowd", "crowd"),
                drag("Characters: drag", "crowd size", 0.1, 0.5),
            ),
            lambda s: s.scene.crowd.count > 60,
            seen=lambda state: state["undo"] == "Crowd",
        ),
        Row(
            "The skeleton over the mesh: bones, joints, axes, names",
            'picture = rigview.render(model, "Walk", 0.25, skeleton=True, joint_names=True, '
            "resolution=(64, 64))",
            "picture.std() > 5",
            ("rigview render character.glb --skeleton --axes --joint-names -o rig.png",),
            (key("bones"), key("names"), key("axes")),
            lambda s: (
                s.scene.look.overlays.skeleton
                and s.scene.look.overlays.joint_names
                and s.scene.look.overlays.axes
            ),
            seen=lambda state: state["look"]["overlays"]["skeleton"],
        ),
        Row(
            "Morph targets, then skinning",
            'picture = rigview.render(model, "Walk", 0.4, set={"morph:smile": 1.0}, '
            "resolution=(64, 64))",
            "picture.std() > 5",
            (
                "rigview render character.glb --animation Idle --set morph:smile=1 --set "
                '"morph:blink*=0.5" -o smile.png',
            ),
            (
                click("tab Morphs", "tab Morphs"),
                Step("the first slider: drag", (("drag", "morph 0", 0.05, 0.8),)),
            ),
            lambda s: s.history.undo_label,
        ),
    ),
}
