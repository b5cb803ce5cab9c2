"""Measures crowds: posing, sampled clips, and drawing as a crowd and one by one.

Usage: python -m tests.bench.crowd [MODEL ...]     (default: the bundled character)

Milliseconds for all characters. "shared" is one pose for all of them.
"""

import sys
from pathlib import Path

import moderngl
import numpy as np

from rigview.animation.crowd import Crowd
from rigview.animation.sampled_clip import SampledClip
from rigview.loading.load import load
from rigview.model.model import Model
from rigview.rendering.context import create_context
from rigview.rendering.render_target import Target
from rigview.rendering.renderer import Renderer
from rigview.scene.scene import Scene
from tests.bench.pose import best, say

ROOT = Path(__file__).resolve().parents[2]
COUNTS = (1, 10, 100, 1000)
SIZE = (1024, 768)


def places(count: int, apart: float) -> np.ndarray:
    """Return N world matrices in a square grid."""
    side = int(np.ceil(np.sqrt(count)))
    world = np.tile(np.eye(4, dtype=np.float32), (count, 1, 1))
    world[:, 0, 3] = (np.arange(count) % side - side / 2) * apart
    world[:, 2, 3] = (np.arange(count) // side - side / 2) * apart
    return world


def measure(context: moderngl.Context, model: Model, counts: tuple[int, ...]) -> None:
    """Print a line for each size of crowd."""
    sampled = [SampledClip.of(clip, model.skeleton.rest, 30) for clip in model.clips]
    renderer, target = Renderer(context), Target(context, SIZE, 1)
    scene = Scene()
    scene.show(model).play_clip(0, 0.0)
    scene.update(0.0)
    apart = max(scene.bounds.size, 1e-3)

    def draw() -> None:
        renderer.draw(scene, target)
        target.read()

    for count in counts:
        chosen = np.arange(count) % len(model.clips)
        times = np.arange(count) * 0.618 % 1
        world = places(count, apart)
        own, fast, one = (
            Crowd(model.skeleton, model.skins, clips, which, world)
            for clips, which in ((model.clips, chosen), (sampled, chosen), (model.clips, 0))
        )
        one.pose_at(0.3)
        figures = [
            best(lambda each=each, at=times: each.pose_at(at), runs=5) for each in (own, fast)
        ]
        for shown in (own, one, None):
            scene.crowd = shown
            scene.frame(SIZE[0] / SIZE[1])
            figures.append(best(draw, runs=3) * (1 if shown else count))
        cells = "".join(f"{each * 1e3:10.2f}" for each in figures)
        say(f"{model.name:24}{count:6}{cells}")
    renderer.release()
    target.release()


def main() -> None:
    """Print the times of every model."""
    context = create_context()
    say(str(context.info["GL_RENDERER"]))
    heads = ("pose", "sampled", "draw", "shared", "singly")
    say(f"{'ms for all':24}{'crowd':>6}" + "".join(f"{head:>10}" for head in heads))
    software = "llvmpipe" in str(context.info["GL_RENDERER"])
    for path in [Path(name) for name in sys.argv[1:]] or [ROOT / "assets" / "mannequin.glb"]:
        measure(context, load(path), COUNTS[:3] if software else COUNTS)


if __name__ == "__main__":
    main()
