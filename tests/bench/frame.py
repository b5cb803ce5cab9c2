"""Measures a frame: a character, full materials, read back.

Usage: python -m tests.bench.frame [--rounds N] [--size N] [--samples N] [--occlusion] [MODEL ...]

Milliseconds of an animated frame (pose, draw, read back): the median and the least of the rounds,
and the CPU time of all threads, with each look. A round is a burst of frames with each. Other
renderers beside ours: `make bench`.
"""

import argparse
import itertools
import statistics
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np

from rigview.loading.load import load
from rigview.rendering.offscreen import OffscreenRenderer
from rigview.resources import asset_path
from rigview.scene.scene import Scene
from tests.bench.performance.burst_worker import burst
from tests.support.looks import set_look

LOOKS = {  # name: shadow, grid
    "plain": (False, False),
    "shadow": (True, False),
    "default": (True, True),
}
PLAIN = (0.2, 0.2, 0.2, 1.0)  # background of the plain look, which has no gradient
SECONDS = 0.65  # of the clip, from its start
BURST = 1.0  # seconds


def common_scene(path, clip=None, look="default", *, occlusion=False):
    """Return a scene in which a clip plays, seen by the camera of all compared renderers."""
    scene, model = Scene(), load(path)
    names = [each.name for each in model.clips]
    shadow, grid = LOOKS[look]
    set_look(scene, shadow=shadow, grid=grid, occlusion=occlusion)
    if look == "plain":
        set_look(scene, background=PLAIN)
    scene.show(model).play_clip(names.index(clip) if clip in names else len(names) and 0, 0.0)
    scene.frame(1.0)
    scene.update(0.1)
    corners = scene.instances.active.bounds.corners(scene.character.pose)
    box = np.stack([corners.min(axis=0), corners.max(axis=0)]).astype(float)
    radius = np.linalg.norm(box[1] - box[0]) / 2
    towards, orbit = np.array([0.5, 0.4, 1.0]), scene.camera.orbit
    orbit.fov, orbit.target = np.radians(45.0), box.mean(axis=0)
    orbit.move_to(orbit.target + towards / np.linalg.norm(towards) * radius * 2.7)
    return scene


def camera_of(scene):
    """Return the camera of a scene for other programs; fov in degrees."""
    orbit = scene.camera.orbit
    position = orbit.position()
    return {
        "position": position.tolist(),
        "target": orbit.target.tolist(),
        "fov": float(np.degrees(orbit.fov)),
        "radius": float(np.linalg.norm(position - orbit.target)) / 2.7,
    }


def drawing(scene, offscreen):
    """Return a function that poses, draws and reads back the next frame, and returns it."""
    numbers = itertools.count()

    def draw():
        scene.update(next(numbers) / 60 % SECONDS)
        offscreen.renderer.draw(scene, offscreen.target)
        return offscreen.target.read()

    return draw


def measure(path, rounds, size, samples, occlusion):
    """Return the wall and CPU seconds of a frame [rounds, 2] with each look."""
    offscreen = OffscreenRenderer((size, size), samples)
    looks = {
        look: drawing(common_scene(path, None, look, occlusion=occlusion), offscreen)
        for look in LOOKS
    }
    taken = defaultdict(list)
    for number in range(-1, rounds):
        for look, draw in looks.items():
            found = burst(draw, BURST)
            if number >= 0:
                taken[look].append((found["wall"], found["cpu"]))
    offscreen.release()
    return taken


def main():
    """Run the rounds and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--size", type=int, default=512)
    parser.add_argument("--samples", type=int, default=4)
    parser.add_argument("--occlusion", action="store_true")
    parser.add_argument("models", nargs="*", default=[asset_path("mannequin.glb")], type=Path)
    args = parser.parse_args()
    for path in args.models:
        taken = measure(path, args.rounds, args.size, args.samples, args.occlusion)
        title = f"{path.name}, {args.size} x {args.size}, ms"
        sys.stdout.write(f"{title:32}{'median':>8} {'least':>8} {'CPU':>8}\n")
        for look, rounds in taken.items():
            walls, cpus = zip(*rounds, strict=True)
            middle, cpu = statistics.median(walls) * 1e3, statistics.median(cpus) * 1e3
            sys.stdout.write(f"  {look:30}{middle:8.2f} {min(walls) * 1e3:8.2f} {cpu:8.2f}\n")


if __name__ == "__main__":
    main()
