"""Time a frame: a character at 512 x 512 pixels, one sample, full materials, read back.

Usage: python tests/bench/frame.py [--rounds N] [--size N] [MODEL ...]

Milliseconds of a frame that moves (pose, draw, read back), the median and the least of each round,
with the shadow and without, from the camera that the peers' trials of ../shared/bench have. They
take part in every round where THREE_DIR names a folder with three.js in its node_modules, and
F3D_PYTHON a Python that has f3d.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
sys.path.insert(0, str(ROOT))

from app.files import load  # noqa: E402
from app.picture import Painter  # noqa: E402
from app.scene import Scene  # noqa: E402

FRAMES = 60


def ours(path: Path, clip: str, size: int, *, shadow: bool, grid: bool) -> list[float]:
    """Return what each frame takes, milliseconds."""
    model = load(path)
    scene = Scene()
    scene.display.grid, scene.display.shadow = grid, shadow
    names = [clip.name for clip in model.clips]
    character = scene.show(model)
    character.play(names.index(clip) if clip in names else len(names) and 0, 0.0)
    painter = Painter((size, size), 1)
    scene.frame(1.0)
    scene.update(0.1)
    _look_as_they_do(scene)
    taken = []
    for k in range(FRAMES + 8):
        start = time.perf_counter()
        scene.update(k / 60 % 0.65)
        painter.renderer.draw(scene, painter.target)
        painter.target.read()
        taken.append((time.perf_counter() - start) * 1e3)
    painter.release()
    return taken[8:]


def _look_as_they_do(scene: Scene) -> None:
    corners = scene.bounds.corners(scene.character.pose)
    box = np.stack([corners.min(axis=0), corners.max(axis=0)]).astype(float)
    radius = np.linalg.norm(box[1] - box[0]) / 2
    way = np.array([0.5, 0.4, 1.0])
    scene.camera.fov = np.radians(45.0)
    scene.camera.target = box.mean(axis=0)
    scene.camera.look_from(scene.camera.target + way / np.linalg.norm(way) * radius * 2.7)


def three(name: str, size: int) -> tuple[float, float]:
    """Return the median and the least frame of three.js in headless Chromium."""
    with tempfile.TemporaryDirectory() as place:
        for folder in ("_data/out", "_data/png"):
            (Path(place) / folder).mkdir(parents=True)
        command = [sys.executable, SHARED / "bench/three_render.py", "gl-egl", f"[{size}]", name]
        found = _answer([str(part) for part in command], place)
    return found["frame_readback_ms"], found["min_ms"]


def f3d(python: str, name: str, size: int) -> tuple[float, float]:
    """Return the median and the least frame of f3d."""
    command = [python, str(SHARED / "bench/render_py.py"), "f3d", name, str(size)]
    found = _answer(command, str(SHARED / "bench"))
    return found["frame_readback_ms"], found["min_ms"]


def _answer(command: list[str], place: str) -> dict[str, float]:
    environment = os.environ | {"FRAMES": str(FRAMES)}
    ran = subprocess.run(
        command, cwd=place, env=environment, capture_output=True, text=True, check=False
    )
    for line in ran.stdout.splitlines():
        found = json.loads(line) if line.startswith("{") else {}
        if "min_ms" in found:
            return dict(found)
    raise SystemExit(f"{command[0]} gave no figures:\n{ran.stdout[-500:]}{ran.stderr[-500:]}")


def main() -> None:
    """Run the rounds, print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--size", type=int, default=512)
    parser.add_argument("models", nargs="*", default=["Fox.glb"])
    args = parser.parse_args()
    clips = json.loads((SHARED / "bench/assets.json").read_text())
    for name in args.models:
        path, clip = SHARED / "models" / name, clips.get(name, "")
        rounds: dict[str, list[tuple[float, float]]] = {}
        for _ in range(args.rounds):
            for label, shadow, grid in (
                ("rigview --no-shadow --no-grid", False, False),
                ("rigview --no-grid", True, False),
                ("rigview", True, True),
            ):
                taken = ours(path, clip, args.size, shadow=shadow, grid=grid)
                rounds.setdefault(label, []).append((statistics.median(taken), min(taken)))
            if "THREE_DIR" in os.environ:
                rounds.setdefault("three.js", []).append(three(name, args.size))
            if "F3D_PYTHON" in os.environ:
                rounds.setdefault("f3d", []).append(f3d(os.environ["F3D_PYTHON"], name, args.size))
        sys.stdout.write(f"{name}, {args.size} x {args.size}, ms: median of medians, least\n")
        for label, found in rounds.items():
            middle, least = statistics.median(m for m, _ in found), min(x for _, x in found)
            each = " ".join(f"{m:.2f}" for m, _ in found)
            sys.stdout.write(f"  {label:32} {middle:7.2f} {least:7.2f}   ({each})\n")


if __name__ == "__main__":
    main()
