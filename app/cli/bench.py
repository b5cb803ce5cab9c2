"""`rigview bench`: measure the steps from loading a file to rendering a frame."""

import gc
import json
import statistics
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..animation import quat
from ..animation.clip import Clip
from ..animation.pose import Pose
from ..animation.skeleton import Skeleton
from ..animation.track import Track
from ..animation.types import F32
from ..blending.blend import PoseStack
from ..blending.pose_layout import PoseLayout
from ..clock import Clock, WallClock
from ..errors import ContextError
from ..loading.load import load
from ..model.model import Model
from ..options.command_options import Options
from ..tasks.clip_choice import choose_clips
from ..tasks.command_timing import CommandTiming, as_lines, time_check, time_sheet
from ..tasks.input_file import (
    add_anims,
    checked_root,
    print_file_warnings,
    source_name,
    source_path,
    standard_input,
)
from ..tasks.output import STANDARD, write
from ..wording import one_line

BLENDED = 4  # clips
SAMPLED_PHASES = (0.13, 0.37, 0.61, 0.83)  # sampled phases of each clip; none at a key
WEIGHTS = (0.1, 0.2, 0.3, 0.4)
TIME_LIMIT = 0.4  # seconds for one row of the table
LONG = 1.0  # seconds: a longer call is not repeated
RUNS = 400  # largest number of short runs, so that some are undisturbed by other processes
SIZE = (512, 512)  # pixels of the rendered frame

Work = Callable[[], object]


class Row(NamedTuple):
    """One row of the table."""

    what: str
    median: float  # seconds of one call
    best: float
    runs: int


class Costs(NamedTuple):
    """CPU measurements."""

    rows: tuple[Row, ...]
    blend: float | None  # a blend of the file's clips, in samples; None without clips
    of_known: float  # the same for the benchmark character


class Gpu(NamedTuple):
    """OpenGL measurements, or why there are none."""

    renderer: str
    rows: tuple[Row, ...]
    missing: str = ""


def run(options: Options) -> int:
    """Measure and print; returns the exit code."""
    clock = WallClock()
    source = standard_input() if options.file == STANDARD else source_path(options.file)
    root, memory = checked_root(options), options.general.max_memory

    def read_file() -> Model:
        return load(source, root=root, max_memory=memory)

    def read() -> Model:
        model = read_file()
        return add_anims(options, model, None) if options.scene.anims else model

    (loaded,) = measure([("load", read_file)], clock)
    model = read()
    chosen = choose_clips(options, model)
    rows, ratio = cpu_rows(model, [model.clips[k] for k in chosen], clock)
    known, fixed = blend_rows(*benchmark_character(), clock)
    gpu = gpu_rows(model, clock)
    print_file_warnings(options, model)
    del model  # the commands read it again
    sheet = time_sheet(read, chosen, clock)
    timings = [*([sheet] if sheet else []), time_check(read, clock)]
    file = source_name(options) if options.file else str(Path(source_path(None)).name)
    text = as_json if options.output.json else as_text
    known = [row._replace(what=f"{row.what}, {JOINTS} joints") for row in known]
    measured = Costs((loaded, *rows, *known), ratio, fixed)
    write(STANDARD, text(file, measured, gpu, timings).encode() + b"\n")
    return 0


def measure(works: Sequence[tuple[str, Work]], clock: Clock) -> list[Row]:
    """Measure several functions in turns, so that disturbances affect all of them.

    Each turn calls a function often enough that the resolution of the clock does not matter. If
    one call takes longer than `LONG`, none is repeated.
    """
    once = [_shortest(work, clock) for _, work in works]
    if max(once) > LONG:
        return [Row(name, each, each, 1) for (name, _), each in zip(works, once, strict=True)]
    calls = [max(1, round(TIME_LIMIT / RUNS / each)) for each in once]
    spent: list[list[float]] = [[] for _ in works]
    collecting = gc.isenabled()
    gc.disable()
    start = clock.now()
    while len(spent[0]) < RUNS and (
        len(spent[0]) < 3 or clock.now() - start < TIME_LIMIT * len(works)
    ):
        for (_, work), count, times in zip(works, calls, spent, strict=True):
            begin = clock.now()
            for _ in range(count):
                work()
            times.append((clock.now() - begin) / count)
    if collecting:
        gc.enable()
    return [
        Row(name, statistics.median(times), min(times), len(times))
        for (name, _), times in zip(works, spent, strict=True)
    ]


def _shortest(work: Work, clock: Clock) -> float:
    """Return the shortest of three calls, seconds; of one if it is `LONG`."""
    first = _once(work, clock)
    if first <= LONG:
        first = min(first, _once(work, clock), _once(work, clock))
    return max(first, 1e-7)


def _once(work: Work, clock: Clock) -> float:
    begin = clock.now()
    work()
    return clock.now() - begin


def cpu_rows(model: Model, clips: Sequence[Clip], clock: Clock) -> tuple[list[Row], float | None]:
    """Return the CPU measurements, and the cost of a blend in samples (None without clips)."""
    skeleton = model.skeleton
    rows: list[Row] = []
    ratio = None
    if clips:
        rows, ratio = blend_rows(skeleton, clips, clock)
    matrices = skeleton.to_model(skeleton.rest)
    pose = skeleton.rest.copy()
    palettes = [skin.palette(matrices) for skin in model.skins]

    def palette() -> None:
        for skin, out in zip(model.skins, palettes, strict=True):
            skin.palette(matrices, out=out)

    rows += measure(
        [
            ("hierarchy", lambda: skeleton.to_model(pose, out=matrices)),
            *([("palette", palette)] if model.skins else []),
        ],
        clock,
    )
    return rows, ratio


def blend_rows(skeleton: Skeleton, clips: Sequence[Clip], clock: Clock) -> tuple[list[Row], float]:
    """Return the times of a sample and of a blend of `BLENDED` clips, and their ratio.

    The blend includes its samples; both are measured in turns.
    """
    rest = skeleton.rest
    pose = Pose.like(rest)
    stack = PoseStack(PoseLayout.bare(skeleton), BLENDED)
    four = [clips[k % len(clips)] for k in range(BLENDED)]
    played = [
        (clip, clip.start + u * clip.duration) for clip, u in zip(four, SAMPLED_PHASES, strict=True)
    ]
    weights = np.array(WEIGHTS)

    def fill() -> None:
        for (clip, time), row in zip(played, stack.rows, strict=True):
            row.assign(rest)
            clip.sample(time, row)

    def blend() -> None:
        fill()
        stack.mean(weights, pose)

    filled, blended = measure([("sample", fill), (f"blend of {BLENDED} clips", blend)], clock)
    sample = filled._replace(median=filled.median / BLENDED, best=filled.best / BLENDED)
    return [sample, blended], blended.best / sample.best


def gpu_rows(model: Model, clock: Clock) -> Gpu:
    """Return the times of uploading and drawing, if there is OpenGL."""
    try:
        from ..rendering.offscreen import OffscreenRenderer  # GPU packages

        offscreen = OffscreenRenderer(SIZE)
    except ContextError as error:
        return Gpu("", (), str(error))
    from ..scene.scene import Scene

    scene = Scene()
    scene.show(model).play_clip(0 if model.clips else -1, 0.0)
    scene.frame(offscreen.aspect)
    renderer, context = offscreen.renderer, offscreen.context

    def upload() -> None:
        renderer.unload()
        renderer.upload(model)
        context.finish()

    def draw() -> None:
        renderer.draw(scene, offscreen.target)
        context.finish()

    try:
        scene.update(0.4)
        rows = [*measure([("upload", upload)], clock), *measure([("draw", draw)], clock)]
        return Gpu(context.info["GL_RENDERER"], tuple(rows))
    finally:
        offscreen.release()


def as_json(file: str, costs: Costs, gpu: Gpu, timings: Sequence[CommandTiming]) -> str:
    """Return the measurements as JSON, in microseconds."""
    measurements = {
        "file": file,
        "unit": "us",
        "rows": {
            row.what: {
                "median": round(row.median * 1e6, 3),
                "best": round(row.best * 1e6, 3),
                "runs": row.runs,
            }
            for row in (*costs.rows, *gpu.rows)
        },
        "blend_in_samples": None if costs.blend is None else round(costs.blend, 3),
        f"blend_of_{JOINTS}_joints_in_samples": round(costs.of_known, 3),
        "size": SIZE,
        "renderer": gpu.renderer or None,
        "no_gpu": gpu.missing or None,
        "ways": {
            timing.title: {step: round(took * 1e6, 3) for step, took in timing.steps.items()}
            for timing in timings
        },
    }
    return json.dumps(measurements, ensure_ascii=False)


def as_text(file: str, costs: Costs, gpu: Gpu, timings: Sequence[CommandTiming]) -> str:
    """Return the measurements as lines of text."""
    shown = [*costs.rows, *gpu.rows]
    width = max(len(row.what) for row in shown)
    lines = [f"{one_line(file)}: seconds of one call on this machine"]
    lines.append(f"  {'':{width}}  {'median':>10}  {'best':>10}  {'runs':>5}")
    for row in shown:
        figures = f"{_time(row.median):>10}  {_time(row.best):>10}  {row.runs:>5}"
        lines.append(f"  {row.what:{width}}  {figures}")
    if costs.blend is None:
        lines.append("No animation to sample or blend")
    else:
        lines.append(f"A blend of {BLENDED} clips costs {costs.blend:.2f} samples")
    lines.append(f"With {JOINTS} animated joints it costs {costs.of_known:.2f} samples")
    if gpu.renderer:
        lines.append(f"Drawn at {SIZE[0]} x {SIZE[1]} by {one_line(gpu.renderer)}")
    else:
        lines.append(f"Not drawn: {one_line(gpu.missing)}")
    return "\n".join([*lines, *(line for timing in timings for line in as_lines(timing))])


def _time(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.4g} {unit}"
    return f"{seconds * 1e6:.3g} us"


JOINTS = 65
KEYS = 31  # of each track, 30 per second
CLIPS = 4
_BRANCHES = 4  # children of a joint


def benchmark_character() -> tuple[Skeleton, tuple[Clip, ...]]:
    """Return a skeleton and clips with LINEAR TRS keys of all joints."""
    rng = np.random.default_rng(JOINTS)
    parents = (np.arange(JOINTS, dtype=np.int32) - 1) // _BRANCHES
    rest = Pose(
        rng.normal(0, 0.1, (JOINTS, 3)).astype(np.float32),
        quat.normalize(rng.normal(size=(JOINTS, 4)).astype(np.float32)),
        np.ones((JOINTS, 3), np.float32),
        np.zeros(0, np.float32),
    )
    names = tuple(f"Joint {joint}" for joint in range(JOINTS))
    skeleton = Skeleton(names, parents, np.arange(JOINTS, dtype=np.int32), rest)
    times = (np.arange(KEYS) / 30).astype(np.float32)
    return skeleton, tuple(_clip(f"Clip {k}", rest, times, rng) for k in range(CLIPS))


def _clip(name: str, rest: Pose, times: F32, rng: np.random.Generator) -> Clip:
    """Return a clip that swings every joint about its rest pose, by up to about 60 degrees."""
    phase, turn = rng.uniform(0, 2 * np.pi, JOINTS), rng.normal(0, 0.2, (JOINTS, 4))
    swing = np.sin(2 * np.pi * times[:, None] + phase)[..., None]  # [K, J, 1]
    moves = (rest.translation + 0.02 * swing).astype(np.float32)
    turns = quat.normalize((rest.rotation + swing * turn).astype(np.float32))
    sizes = (rest.scale + 0.05 * swing).astype(np.float32)
    tracks = []
    for joint in range(JOINTS):
        tracks += [
            Track(joint, "translation", "LINEAR", times, moves[:, joint]),
            Track(joint, "rotation", "LINEAR", times, turns[:, joint]),
            Track(joint, "scale", "LINEAR", times, sizes[:, joint]),
        ]
    return Clip.of(name, tracks, rest)
