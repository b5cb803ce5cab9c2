"""Opens many files in one window and prints the objects that are not freed."""

import gc
import json
import sys
from pathlib import Path

import moderngl

from rigview.rendering.context import create_context
from rigview.ui.refresh import Refresh
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
        kept = [played(driver, FRAMES * 5), pointed(driver), orbited(driver), turned(driver)]
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
        "full": kept,
    }
    sys.stdout.write(json.dumps(found))


def drop(driver, path):
    """Drop a file on the window, and draw it."""
    driver.post("on_file_drop", 10, 10, [str(path)])
    driver.frames(FRAMES)


def played(driver, count):
    """Whether each of some frames of a playing clip without input draws all panels."""
    driver.session.interface.widget_boxes = None
    if not driver.session.transport.running:
        driver.session.transport.toggle()
    driver.frames(FRAMES)
    return [full(driver) for _ in range(count)]


def pointed(driver):
    """Whether frames in which the mouse moves over the scene draw all panels."""
    found = []
    for x in range(FRAMES):
        driver.move(500.0 + x, 300.0)
        found.append(full(driver))
    return found


def orbited(driver):
    """Whether frames in which a drag turns the camera draw all panels."""
    before = driver.session.scene.camera.orbit.azimuth
    driver.button(0, down=True)
    driver.frames(2 * FRAMES)  # those of the press have settled
    found = pointed(driver)
    assert driver.session.scene.camera.orbit.azimuth != before
    driver.button(0, down=False)
    driver.frames(2 * FRAMES)
    return found


def turned(driver):
    """Whether the frame after a turn of the wheel draws all panels."""
    driver.wheel(0.0, 1.0)
    driver.frames(1)  # at its end the event arrives
    return full(driver)


def full(driver):
    """Whether the next frame draws all panels."""
    driver.frames(1)
    return driver.session.interface.of(Refresh).full


if __name__ == "__main__":
    main([Path(argument) for argument in sys.argv[1:]])
