"""Opens many files in one window and prints the objects that are not freed; for test_viewer."""

import gc
import json
import sys
import tempfile
from pathlib import Path

import moderngl

from rigview.clock import WallClock
from rigview.session.file_reading import FileReading
from rigview.session.session import Session
from rigview.window.viewer import Viewer
from rigview.window.window import SMALLEST
from tests.support.looks import set_look

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
    gc.freeze()  # what is imported is not looked at
    viewer = Viewer(Session(WallClock(), files=FileReading(read_motions=False)), size=SMALLEST)
    # drawn at rest only: its objects come and go
    set_look(viewer.session.scene, occlusion=False)
    viewer.context.gc_mode = "context_gc"  # objects that are not released are collected in a list
    viewer.open_first([models[0]])
    shown = []
    try:
        for _ in range(3):
            viewer.frame()
            viewer.window.swap_buffers()
        counts, sizes = [objects()], [resident()]

        with tempfile.NamedTemporaryFile(suffix=".glb") as broken:
            broken.write(models[0].read_bytes()[:5000])
            broken.flush()
            viewer.dropped(0, 0, [broken.name])
        viewer.frame()
        session = viewer.session
        state = {"file": session.path.name, "popup": session.interface.popup}
        session.interface.popup = ""

        for k in range(1, max(LEAST, ROUNDS * len(models)) + 1):
            path = models[k % len(models)]
            viewer.dropped(0, 0, [str(path)])
            shown.append(session.path == path and session.interface.popup == "")
            for _ in range(2):
                viewer.frame()
                viewer.window.swap_buffers()
            if path == models[0]:
                counts.append(objects())
            sizes.append(resident())
        left = [item for item in viewer.context.objects if not isinstance(item, FREED)]
    finally:
        viewer.release()
    found = {
        "dropped": len(left),
        "broken": state,
        "opened": sum(shown),
        "objects": counts,
        "resident": sizes,
    }
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main([Path(argument) for argument in sys.argv[1:]])
