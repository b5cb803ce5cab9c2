"""Time the steps of a complete `sheet` and `check` command."""

import gc
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..animation.types import U8
from ..clock import Clock
from ..errors import ContextError
from ..gltf.images import decode_all
from ..model.model import Model
from ..options.table import options_by_name
from .sheet_of_clips import COLUMNS

if TYPE_CHECKING:
    from ..rendering.offscreen import OffscreenRenderer
    from ..scene.scene import Scene

RUNS = 3  # runs, of which the fastest is reported
MOST_ROWS = 100  # of the sheet; of more clips only the first ones are drawn
_LONG_RUN = 3.0  # seconds; a longer command runs only once
CELL: tuple[int, int] = options_by_name("sheet")["resolution"].default_for("sheet")
_PACKAGE = __name__.partition(".")[0]  # "app" in a checkout that is not installed
_SHEET = (
    "cli.main",
    "cli.sheet",
    "tasks.build_scene",
    "rendering.offscreen",
    "images.contact_sheet",
    "images.png",
)
_CHECK = ("cli.main", "cli.check", "tasks.examine_file", "cli.findings_text")

Read = Callable[[], Model]


@dataclass(frozen=True, slots=True)
class CommandTiming:
    """The times of a command's steps.

    Attributes
    ----------
    title
        What was measured.
    steps
        Seconds by step in order; repeated steps are added up.
    """

    title: str
    steps: Mapping[str, float]

    @property
    def total(self) -> float:
        """The total time, seconds."""
        return sum(self.steps.values())


class Stopwatch:
    """A stopwatch that adds up the time of each step."""

    def __init__(self, clock: Clock) -> None:
        self.steps: dict[str, float] = {}
        self._clock = clock

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Measure the time of the block."""
        begin = self._clock.now()
        yield
        self.steps[name] = self.steps.get(name, 0.0) + self._clock.now() - begin


def time_sheet(read: Read, clips: Sequence[int], clock: Clock) -> CommandTiming | None:
    """Return the times of a sheet of some clips, None without OpenGL."""
    start, clips = _start(_SHEET, clock), clips[:MOST_ROWS]
    try:
        steps = _fastest(lambda stopwatch: _sheet(read, clips or [-1], stopwatch), clock)
    except ContextError:
        return None
    columns = COLUMNS if clips else 1
    title = f"sheet of {len(clips or [-1])} x {columns} pictures, {CELL[0]} x {CELL[1]}"
    return CommandTiming(title, {"start, imports": start, **steps})


def time_check(read: Read, clock: Clock) -> CommandTiming:
    """Return the times of a check: the rules by name, slowest first.

    Values shared by several rules are computed, and counted, with the first rule that needs them.
    """
    start = _start(_CHECK, clock)
    steps = _fastest(lambda stopwatch: _check(read, stopwatch), clock)
    first = {"start, imports": start, "load": steps.pop("load")}
    slowest = sorted(steps.items(), key=lambda each: -each[1])
    return CommandTiming(f"check by {len(steps)} rules", {**first, **dict(slowest)})


def as_lines(timing: CommandTiming, most: int = 12) -> list[str]:
    """Return the steps as lines of text with milliseconds and percentages, small steps combined."""
    shown = list(timing.steps.items())
    if len(shown) > most:
        rest = shown[most - 1 :]
        shown = [*shown[: most - 1], (f"{len(rest)} others", sum(took for _, took in rest))]
    width = max(len(name) for name, _ in shown)
    lines = [f"A {timing.title}: {timing.total:.2f} s"]
    for name, took in shown:
        share = took / timing.total if timing.total else 0.0
        lines.append(f"  {name:{width}}  {took * 1e3:>8.1f} ms  {share:>4.0%}")
    return lines


def _start(modules: Sequence[str], clock: Clock) -> float:
    """Return the time to start an interpreter and import a command's modules, seconds."""
    root = str(Path(__file__).parents[2])
    paths = os.pathsep.join(path for path in (root, os.environ.get("PYTHONPATH", "")) if path)
    names = ", ".join(f"{_PACKAGE}.{module}" for module in modules)
    took = []
    for _ in range(RUNS):
        begin = clock.now()
        subprocess.run(
            [sys.executable, "-c", f"import {names}, os; os._exit(0)"],
            env={**os.environ, "PYTHONPATH": paths},
            check=True,
        )
        took.append(clock.now() - begin)
    return min(took)


def _fastest(run: Callable[[Stopwatch], object], clock: Clock) -> dict[str, float]:
    """Return the seconds of the steps in the fastest of some runs; of one if it is long."""
    runs: list[dict[str, float]] = []
    while len(runs) < RUNS and (not runs or sum(runs[-1].values()) <= _LONG_RUN):
        stopwatch = Stopwatch(clock)
        gc.collect()  # so that no model of an earlier run takes memory
        run(stopwatch)
        runs.append(stopwatch.steps)
    return min(runs, key=lambda steps: sum(steps.values()))


def _sheet(read: Read, clips: Sequence[int], stopwatch: Stopwatch) -> None:
    """Run the steps of `sheet` on a file."""
    from ..images.contact_sheet import Layout, Row, contact_sheet
    from ..images.png import as_png
    from ..rendering.offscreen import OffscreenRenderer
    from ..scene.scene import Scene

    with stopwatch.step("load"):
        model = read()
    with stopwatch.step("decode images"):
        decode_all(model.images)
    with stopwatch.step("context, shaders"):
        offscreen = OffscreenRenderer(CELL)
    try:
        with stopwatch.step("upload"):
            offscreen.renderer.upload(model)
            offscreen.context.finish()
        scene = Scene()
        rows = []
        for clip in clips:
            with stopwatch.step("frame the clip"):
                scene.show(model).play_clip(clip, 0.0, passes=1)
                scene.frame(offscreen.aspect)
            moments = [0.0]
            if clip >= 0:
                ends = model.clips[clip]
                moments = np.linspace(ends.start, ends.end, COLUMNS).tolist()
            cells = [_picture(offscreen, scene, tau, stopwatch) for tau in moments]
            rows.append(Row(str(clip), "", cells, [str(tau) for tau in moments]))
        with stopwatch.step("compose"):
            layout = Layout(CELL, len(rows), max(len(row.captions) for row in rows))
            picture = contact_sheet("", rows, layout)
        with stopwatch.step("encode PNG"):
            as_png(picture)
    finally:
        offscreen.release()


def _check(read: Read, stopwatch: Stopwatch) -> None:
    """Run the steps of `check` on a file."""
    from ..checks.check_context import CheckContext
    from ..checks.rule_list import RULES
    from ..checks.rule_settings import Settings

    with stopwatch.step("load"):
        model = read()
    context = CheckContext(model)
    with np.errstate(all="ignore"):
        for rule in RULES:
            with stopwatch.step(rule.id):
                list(rule.find(context, Settings().limits_of(rule, context.scale)))


def _picture(
    offscreen: "OffscreenRenderer", scene: "Scene", tau: float, stopwatch: Stopwatch
) -> U8:
    with stopwatch.step("pose"):
        scene.update(tau)
    with stopwatch.step("draw"):
        offscreen.renderer.draw(scene, offscreen.target)
        offscreen.context.finish()
    with stopwatch.step("read back"):
        return offscreen.target.read()
