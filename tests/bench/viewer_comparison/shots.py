"""Draws the pictures of the rows with all programs: the same file, camera and time.

A look is a way to draw a file; each program has its own settings for it, the best ones it has.
"""

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from rigview.errors import AppError
from rigview.options.python_call import options_from_python
from rigview.scene.lights import key_light
from rigview.tasks.build_scene import playing_scene
from rigview.tasks.several_characters import load_characters
from rigview.tasks.still_pictures import COMMAND_ONLY, clip_option
from tests.bench.viewer_comparison import draw_with_three
from tests.bench.viewer_comparison.compared_files import Subject
from tests.support.shared import SHARED

SIZE = (512, 512)
MAP = SHARED / "look" / "royal_esplanade_1k.hdr"
F3D = os.environ.get("F3D_PYTHON", sys.executable)
F3D_SCRIPT = Path(__file__).with_name("draw_with_f3d.py")
GREY = "#32343a"  # background of three.js, which has none of its own
SMOOTH = {"render.effect.antialiasing.mode": "ssaa"}
FLOOR = {"render.grid.enable": True}


@dataclass(frozen=True)
class Look:
    """The settings of each program: options of `rigview render`, of f3d, and job of three.js."""

    ours: dict = field(default_factory=dict)
    f3d: dict | None = None  # not drawn
    three: dict | None = None
    transparent: bool = False
    own_camera: bool = False

    def of_f3d(self):
        """The options of f3d."""
        return SMOOTH | ({} if self.transparent else FLOOR) | self.f3d

    def of_three(self):
        """The fields of the job of three.js."""
        return ({} if self.transparent else {"background": GREY}) | self.three


CLEAR = {"no_background": True}
LOOKS = {
    "default": Look({}, {}, {}),
    "alone": Look(CLEAR | {"shadow": False}, {}, {"bare": True}, transparent=True),
    "framed": Look(
        CLEAR | {"shadow": False},
        {},
        {"bare": True, "fitted": True},
        transparent=True,
        own_camera=True,
    ),
    "cut-out": Look(CLEAR, {}, {}, transparent=True),
    "map": Look(
        {"environment": str(MAP)},
        {"render.hdri.file": str(MAP)},
        {"map": f"/file{MAP}"},
    ),
    "skeleton": Look({"skeleton": True}, {"render.armature.enable": True}, {"skeleton": True}),
    "wires": Look({"wireframe": True}, {"render.show_edges": True}, {"wires": True}),
    "base": Look(CLEAR | {"view_mode": "base-colour"}, transparent=True),
    "normals": Look(CLEAR | {"view_mode": "normals", "samples": 1}, transparent=True),
    "reference": Look(CLEAR | {"shadow": False, "samples": 64}, transparent=True),
}


@dataclass(frozen=True)
class Shot:
    """A picture: a file in a look, seen by the camera that frames a file from a side."""

    subject: Subject
    look: str
    framed: Subject
    view: str | None = None


class Placed:
    """The camera that frames a file as `rigview render` does, and what it sees."""

    def __init__(self, subject, view):
        options = render_options(subject, view=view)
        setups = load_characters(options)
        (tau,) = setups[0].taus(options)
        scene = playing_scene(options, setups, SIZE[0] / SIZE[1], shown=tau)
        scene.update(tau)
        self.clip, self.time = setups[0].clip, tau
        self.orbit, self.ground = scene.camera.current, ground_of(scene)
        self.used, self.radius = scene.camera.used, scene.bounds.radius
        self.bones = self._bones(scene)

    def _bones(self, scene):
        """Both ends [N, 2, 2] of the bones, pixels: x right, y down."""
        character = scene.characters[0]
        drawn = set(character.drawn_joints.joints.tolist())
        parents = character.model.skeleton.parents
        pairs = [(int(parents[k]), k) for k in sorted(drawn) if int(parents[k]) in drawn]
        places = character.matrices[:, :3, 3].astype(float)
        places = places @ character.world[:3, :3].T + character.world[:3, 3]
        flat = self.used.project(places, SIZE[0] / SIZE[1])[:, :2] * SIZE
        return flat[np.array(pairs, int).reshape(-1, 2)]


def camera_of_f3d(camera, radius):
    """Fields of f3d's camera, and anchors in front of and behind a scene of a radius."""
    looks = {
        "position": camera.position().tolist(),
        "target": camera.target.tolist(),
        "fov": float(np.degrees(camera.fov)),
    }
    way = camera.direction() * radius
    return looks, [(camera.target + way).tolist(), (camera.target - way).tolist()]


def render_options(subject, **values):
    """The options of `rigview render FILE --resolution 512x512` at the time of a file."""
    if subject.clip >= 0:
        values |= {"animation": clip_option(subject.clip), "phase": subject.phase}
    values |= {"resolution": SIZE, "quiet": True}
    return options_from_python("render", subject.path, values, without=COMMAND_ONLY)


def ground_of(scene):
    """Height of the floor, middle and size of the scene, and the direction to the key light."""
    towards = (-key_light(scene.camera.front).direction).tolist()
    bounds = scene.bounds
    middle, size = bounds.middle.tolist(), bounds.size
    return {"height": bounds.floor, "middle": middle, "size": size, "towards": towards}


def draw(shots, stills):
    """The pictures by shot and program, and the places of the cameras by framed file and side."""
    places = {}
    for shot in shots:
        if (shot.framed, shot.view) not in places:
            places[shot.framed, shot.view] = Placed(shot.framed, shot.view)
    pictures = {shot: {} for shot in shots}
    for shot in shots:
        options = render_options(shot.subject, **LOOKS[shot.look].ours)
        orbit = places[shot.framed, shot.view].orbit
        pictures[shot]["ours"] = np.asarray(stills.picture(options, orbit))
    _draw_with_f3d(pictures, places)
    _draw_with_three(pictures, places)
    return pictures, places


def _draw_with_f3d(pictures, places):
    chosen = [shot for shot in pictures if LOOKS[shot.look].f3d is not None]
    jobs = []
    for shot in chosen:
        look, placed = LOOKS[shot.look], places[shot.framed, shot.view]
        camera, anchors = camera_of_f3d(placed.orbit, placed.radius)
        jobs.append(
            {
                "path": str(shot.subject.path),
                "clip": placed.clip,
                "time": placed.time,
                "camera": {} if look.own_camera else camera,
                "anchors": anchors if shot.subject.cut_by_f3d and not look.own_camera else [],
                "transparent": look.transparent,
                "options": look.of_f3d(),
            }
        )
    for shot, picture in zip(chosen, run_f3d(jobs), strict=True):
        if picture is not None:
            pictures[shot]["f3d"] = picture


def run_f3d(jobs):
    """Pictures [H, W, 4] of jobs (see draw_with_f3d.py), None for those that f3d cannot draw."""
    if f3d_version() is None:
        return [None] * len(jobs)
    with tempfile.TemporaryDirectory() as name:
        outs = [Path(name) / f"{k}.npy" for k in range(len(jobs))]
        given = [job | {"size": SIZE, "out": str(out)} for job, out in zip(jobs, outs, strict=True)]
        done = subprocess.run(
            [F3D, F3D_SCRIPT], input=json.dumps(given), text=True, stdout=subprocess.PIPE
        )
        if done.returncode:
            sys.stderr.write(f"f3d ended with {done.returncode}\n")
        return [_straight(np.load(out)) if out.exists() else None for out in outs]


def _straight(picture):
    """A picture of f3d, whose colours are premultiplied, with straight alpha."""
    if picture.shape[2] == 3:
        return picture
    alpha = np.maximum(picture[..., 3:].astype(float) / 255, 1e-6)
    colour = np.minimum(picture[..., :3] / alpha + 0.5, 255).astype(np.uint8)
    return np.concatenate([colour, picture[..., 3:]], axis=-1)


def f3d_version():
    """The version of f3d, None without it."""
    code = "import importlib.metadata as m, f3d; print(m.version('f3d'))"
    done = subprocess.run([F3D, "-c", code], capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else None


def _draw_with_three(pictures, places):
    if draw_with_three.missing():
        return
    three = draw_with_three.Three()
    try:
        for shot, drawn in pictures.items():
            look = LOOKS[shot.look]
            if look.three is None:
                continue
            placed = places[shot.framed, shot.view]
            more = look.of_three()
            ground = placed.ground | {"bare": more.pop("bare", False)}
            try:
                drawn["three"] = three.draw(
                    shot.subject.path,
                    placed.clip,
                    placed.time,
                    SIZE,
                    placed.used,
                    ground=ground,
                    **more,
                )
            except (AssertionError, AppError) as error:
                sys.stderr.write(f"three.js: {shot.subject.name}: {error}\n")
    finally:
        three.close()
