"""Measures the longest steps in which the textures of a file are uploaded between frames.

Usage: python tests/bench/texture_steps.py FILE

`python -m tests.tools.large_files FOLDER heavy` writes a file with large textures. Milliseconds of
the longest steps, with the times of tests/bench/longest_frames.py, and the memory of the process.
The program exits with 1 if a step kept the processor for longer than 50 ms.
"""

import resource
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT)]

from rigview.gltf.load import load  # noqa: E402
from rigview.render.context import create_context  # noqa: E402
from rigview.render.render_target import Target  # noqa: E402
from rigview.render.renderer import Renderer  # noqa: E402
from rigview.scene.camera import OrbitCamera  # noqa: E402
from rigview.scene.scene import Scene  # noqa: E402
from tests.bench.longest_frames import LIMIT, LISTED, Moment  # noqa: E402

SIZE = 512, 512


def steps_of(path):
    """Return the times of each step until all textures of a file are uploaded."""
    context, scene = create_context(), Scene(camera=OrbitCamera(distance=4.0))
    context.simple_framebuffer((4, 4)).use()
    scene.show(load(path))
    scene.update(0.0)
    renderer, target, taken = Renderer(context, streamed=True), Target(context, SIZE, 1), []
    renderer.draw(scene, target)
    while renderer.textures_pending:
        begin = Moment.now()
        renderer.stream_textures()
        context.finish()
        taken.append(Moment.now().since(begin))
        if not renderer.textures_ready:
            time.sleep(0.01)
    renderer.release()
    return taken


def main():
    """Print the longest steps."""
    steps = sorted(steps_of(sys.argv[1]), key=lambda each: each.processor, reverse=True)
    listed = "\n".join(f"    {each.words} ms" for each in steps[: 2 * LISTED])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    sys.stdout.write(f"{len(steps)} steps, at most {peak:.0f} MiB, the longest\n{listed}\n")
    return 1 if steps and steps[0].processor > LIMIT else 0


if __name__ == "__main__":
    sys.exit(main())
