"""Opens many files in one window and prints the objects that are not freed."""

import gc
import json
import sys
from pathlib import Path

import moderngl

from rigview.rendering.context import create_context
from tests.support.looks import set_look
from tests.support.window_driver import Driver

DENSITY = 0.25  # pixels a point, which are drawn quickly
FRAMES = 4  # after a drop
LEAST = 30  # files opened
ROUNDS = 10  # times that each file is opened
KINDS = (moderngl.Buffer, moderngl.Texture, moderngl.VertexArray, moderngl.Framebuffer)


FREED = moderngl.mgl.InvalidObject


def objects():
    """The number of OpenGL objects that are not released."""
    gc.collect()
    held = [item for item in gc.get_objects() if isinstance(item, KINDS)]
    return sum(not isinstance(item.mglo, FREED) for item in held)


def resident():
    """The resident memory of this process in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def main(models):
    context = create_context()
    driver = Driver(Path.cwd(), context)
    driver.open(models[0])
    gc.freeze()  # what is imported is not looked at
    viewer, session = driver.viewer, driver.session
    viewer.window.density(DENSITY, 96)
    # drawn at rest only: its objects come and go
    set_look(session.scene, occlusion=False)
    context.gc_mode = "context_gc"  # objects that are not released are collected in a list
    shown = []
    try:
        driver.frames(3)
        counts, sizes = [objects()], [resident()]

        broken = Path("broken.glb")
        broken.write_bytes(models[0].read_bytes()[:5000])
        drop(driver, broken)
        state = {"file": session.path.name, "popup": session.interface.popup}
        session.interface.popup = ""

        for k in range(1, max(LEAST, ROUNDS * len(models)) + 1):
            path = models[k % len(models)]
            drop(driver, path)
            shown.append(session.path == path and session.interface.popup == "")
            if path == models[0]:
                counts.append(objects())
            sizes.append(resident())
        left = [item for item in context.objects if not isinstance(item, FREED)]
    finally:
        viewer.release()
        driver.end()
    found = {
        "dropped": len(left),
        "broken": state,
        "opened": sum(shown),
        "objects": counts,
        "resident": sizes,
    }
    sys.stdout.write(json.dumps(found))


def drop(driver, path):
    """Drop a file on the window, and draw it."""
    driver.post("on_file_drop", 10, 10, [str(path)])
    driver.frames(FRAMES)


if __name__ == "__main__":
    main([Path(argument) for argument in sys.argv[1:]])
