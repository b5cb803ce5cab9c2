"""What is measured: the rows, their programs, and how the figures of a row are compared."""

import sys
from collections.abc import Callable
from dataclasses import dataclass

from rigview.resources import asset_path
from tests.bench.performance import measured_files, programs
from tests.bench.performance.measured_files import samples
from tests.bench.performance.programs import F3D, HERE, LOADERS, Browser, Fresh, Whole, Worker
from tests.bench.performance.results import Line
from tests.bench.performance.window_start import WindowStart
from tests.bench.viewer_comparison import draw_with_three

OURS = "Rigview"
PLAIN, DEFAULT = "Rigview, plain", "Rigview, default look"
QUICK_PICTURE, DEFAULT_PICTURE = "Rigview, 4 samples", "Rigview, defaults"
SIZE = 512  # pixels
SAMPLES = 4
WORKER = [sys.executable, "-m", "tests.bench.performance.our_worker"]
THREE = ["node", HERE / "three_worker.mjs"]
CLIPS = {"Fox": "Run", "robot": "Robot_Walking", "Woman": "Walking", "mannequin": "Walk"}


@dataclass(frozen=True)
class Program:
    """How a program is started, and its name in `programs.missing` if it may be missing."""

    start: Callable
    needs: str | None = None


@dataclass(frozen=True)
class Experiment:
    """A row: programs that are measured in alternation, and the comparisons of their figures."""

    group: str
    what: str
    programs: dict[str, Program]
    lines: tuple[Line, ...]
    rounds: int | None = None  # None: as many as are asked for
    slow: bool = False  # left out by --quick


def experiments(files):
    """Return all rows by name; `files` is a folder with the files of tests.tools.large_files."""
    found = {}
    for made in (_poses, _frames, _first_pictures, _windows, _loads, _bulk):
        found |= made(files)
    return found


def _worker(**job):
    return lambda: Worker(WORKER, job)


def _poses(files):
    found = {}
    for path in samples("robot.glb", "Woman.gltf"):
        for count, name, what in ((1, "one", "one character"), (1000, "each", "each of 1,000")):
            job = {"path": str(path), "clip": _clip(path), "count": count}
            limit = 45e-6 if count == 1 else 8e-6
            found[f"pose-{name}-{path.stem}"] = Experiment(
                "Poses",
                f"{path.stem}, {what}",
                {
                    OURS: Program(_posing(job)),
                    "three.js": Program(_in_node("pose", job), "three.js"),
                },
                (Line("cpu", OURS, "three.js", limit=limit),),
                slow=path.stem == "Woman",
            )
    return found


def _posing(job):
    return lambda: Worker(WORKER, {"task": "pose"} | job, each=job["count"])


def _in_node(task, job):
    command = [*THREE, draw_with_three.folder()]
    return lambda: Worker(command, {"task": task} | job, each=job.get("count", 1))


def _frames(files):
    found = {}
    for path in (*samples("Fox.glb")[:1], files / "small.glb", files / "medium.glb"):
        job = {"path": str(path), "clip": _clip(path), "size": SIZE, "samples": SAMPLES}
        look = 1.3 if path.stem == "Fox" else 1.0
        found[f"frame-{path.stem}"] = Experiment(
            "Frames",
            path.stem,
            {
                PLAIN: Program(_worker(task="frame", look="plain", **job)),
                DEFAULT: Program(_worker(task="frame", look="default", **job)),
                "three.js": Program(_in_browser(job), "three.js in Chromium"),
                "f3d": Program(_with_f3d(job), "f3d"),
            },
            (
                Line("cpu", PLAIN, "three.js", 0.8),
                Line("wall", PLAIN, "three.js", 0.8),
                Line("cpu", DEFAULT, "three.js", look),
                Line("wall", DEFAULT, "three.js", look),
                Line("cpu", PLAIN, "f3d"),
                Line("cpu", DEFAULT, "f3d"),
            ),
            slow=path.stem == "small",
        )
    path = asset_path("mannequin.glb")
    found["frame-work"] = Experiment(
        "Frames",
        "mannequin, work in Python without drawing",
        {OURS: Program(_worker(task="frame_work", path=str(path)))},
        (Line("cpu", OURS, limit=0.4e-3),),
    )
    return found


def _in_browser(job):
    return lambda: Browser(**job, **_seen(job))


def _with_f3d(job):
    return lambda: Worker([F3D, HERE / "f3d_worker.py"], {"task": "frame"} | job | _seen(job))


def _seen(job):
    """Return the camera and the part of the clip that all programs show."""
    from tests.bench.frame import SECONDS, camera_of, common_scene

    return {"camera": camera_of(common_scene(job["path"], job["clip"])), "seconds": SECONDS}


def _first_pictures(files):
    found = {}
    for path in (*samples("Fox.glb")[:1], *samples("robot.glb"), files / "medium.glb"):
        place, clip = files / "first.png", _clip(path)
        render = _rigview("render", path, "--time", 0.5, "--resolution", f"{SIZE},{SIZE}")
        render += ["--animation", clip, "-o", place] if clip else ["-o", place]
        few = [*render, "--samples", SAMPLES, "--no-occlusion"]
        f3d = [F3D, HERE / "f3d_worker.py", "picture", path, clip, place]
        found[f"picture-{path.stem}"] = Experiment(
            "First picture",
            path.stem,
            {
                QUICK_PICTURE: Program(_whole(few)),
                DEFAULT_PICTURE: Program(_whole(render)),
                "f3d": Program(_whole(f3d), "f3d"),
            },
            (
                Line("cpu", QUICK_PICTURE, "f3d", 0.9),
                Line("wall", QUICK_PICTURE, "f3d", 0.9),
                Line("peak", QUICK_PICTURE, "f3d", limit=165.0 if path.stem == "Fox" else None),
                Line("cpu", DEFAULT_PICTURE, "f3d"),
                Line("wall", DEFAULT_PICTURE, "f3d"),
                Line("peak", DEFAULT_PICTURE, "f3d"),
            ),
            slow=path.stem != "Fox",
        )
    return found


def _whole(command, **named):
    return lambda: Whole(command, **named)


def _rigview(*arguments):
    return [sys.executable, "-m", "rigview", *map(str, arguments)]


def _windows(files):
    found, path = {}, samples("Fox.glb")[0]
    for cold, name, limit in ((False, "warm", 1.0), (True, "cold", 2.5)):
        found[f"window-{name}"] = Experiment(
            "Window",
            f"{path.stem}, {'empty' if cold else 'filled'} shader cache",
            {OURS: Program(lambda cold=cold: WindowStart(path, cold=cold), "a window")},
            (Line("wall", OURS, limit=limit), Line("cpu", OURS)),
        )
    return found


def _loads(files):
    found = {}
    shared = samples("Fox.glb", "CesiumMan.glb", "robot.glb", "Woman.gltf")
    for path in dict.fromkeys((*shared, asset_path("mannequin.glb"), files / "face.glb")):
        loaders = [LOADERS, HERE / "loader_worker.py"]
        job = {"path": str(path)}
        peers = {
            "three.js": Program(_fresh([*THREE, draw_with_three.folder()], job), "three.js"),
            "f3d": Program(_load_with([F3D, HERE / "f3d_worker.py"], "load", job), "f3d"),
        }
        if path in shared:  # the others take them seconds
            peers |= {
                name: Program(_load_with(loaders, name, job), name)
                for name in ("pygltflib", "trimesh")
            }
        found[f"load-{path.stem}"] = Experiment(
            "Load",
            path.stem,
            {OURS: Program(_fresh(WORKER, job))} | peers,
            tuple(Line("cpu", OURS, peer, 0.85 if peer == "three.js" else None) for peer in peers),
            slow=path.stem not in ("Fox", "mannequin"),
        )
    return found


def _fresh(command, job):
    return lambda: Fresh(command, {"task": "load"} | job)


def _load_with(command, task, job):
    return lambda: Worker(command, {"task": task} | job, warm_up=0.5)


def _bulk(files):
    character, many = asset_path("mannequin.glb"), measured_files.many(files)
    report = ("report", character, "-o", files / "report.html")
    face = ("report", files / "face.glb", "-o", files / "report.html")
    keys = ("diff", files / "keys-a.glb", files / "keys-b.glb")
    light = ("--environment", measured_files.environment(files), "--resolution", "256,256")
    render = ("render", character, "-o", files / "lit.png", *light)
    return {
        "check-clips": _command("`check` of 76 clips", 2.0, "check", files / "clips.glb"),
        "report-mannequin": _command("`report` of the mannequin", 8.0, *report, slow=True),
        "report-face": _command("`report` of a face", 10.0, *face, slow=True),
        "diff-keys": _command("`diff` of a million keys", 10.0, *keys, slow=True),
        "environment": _command(
            "`render` with a new environment of 4096 x 2048",
            3.0,
            *render,
            slow=True,
            before=programs.forget_environments,
        ),
        "jobs": Experiment(
            "Bulk work",
            f"`check` of {measured_files.MANY} files",
            {jobs: Program(_many_checked(many, jobs)) for jobs in ("--jobs 2", "--jobs 1")},
            (Line("wall", "--jobs 2", "--jobs 1", ratio=round(1 / 1.8, 3)),),
            rounds=3,
            slow=True,
        ),
        "jump": Experiment(
            "Bulk work",
            "jump by 600 s with an aim of limited speed",
            {OURS: Program(_worker(task="jump", path=str(character), seconds=600))},
            (Line("cpu", OURS, limit=0.05),),
        ),
    }


def _many_checked(folder, jobs):
    return _whole(_rigview("check", folder, *jobs.split()), warm=False, codes=(0, 1))


def _command(what, limit, *arguments, slow=False, **named):
    return Experiment(
        "Bulk work",
        what,
        {OURS: Program(_whole(_rigview(*arguments), warm=False, codes=(0, 1), **named))},
        (Line("wall", OURS, limit=limit), Line("cpu", OURS), Line("peak", OURS)),
        rounds=3,
        slow=slow,
    )


def _clip(path):
    return CLIPS.get(path.stem, "")
