"""The state of the window as JSON, for programs that control it from outside, such as the tests.

With RIGVIEW_TRACE=FILE in the environment, the window rewrites this file after every frame.
"""

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ..file_io import write_file
from .session import Session

VARIABLE = "RIGVIEW_TRACE"


def wanted() -> Path | None:
    """Return the file to write, None if the environment variable is not set."""
    text = os.environ.get(VARIABLE)
    return Path(text) if text else None


def write(
    session: Session, path: Path, frame: int, *, exposures: int, moving: bool, idle: bool
) -> None:
    """Write the file atomically, so that a reader never sees a part of it.

    Parameters
    ----------
    frame
        Number of frames that were drawn.
    exposures
        How often the system asked for a new frame: earlier input is handled by then.
    moving
        Whether something plays or is held, so that frames follow each other.
    idle
        Whether the window shows the effect of all input at full resolution, and rests.
    """
    window = {"frame": frame, "exposures": exposures, "moving": moving, "idle": idle}
    write_file(path, json.dumps(window | state(session)).encode())


def state(session: Session) -> dict[str, Any]:
    """Return file, playback, display, camera, pop-up and the boxes of the widgets."""
    character, interface = session.character, session.interface
    scene = session.scene
    camera, look = scene.camera.current, scene.shown_look
    return {
        "file": "" if session.path is None else session.path.name,
        "characters": [each.name for each in session.open_characters],
        "active": session.open_characters.index(session.active) if session.active else -1,
        "times": [each.transport.time for each in session.open_characters],
        "clip": "" if character is None or character.mixer.layered else character.mixer.name,
        "layers": [layer.name for layer in session.editor.document.layers],
        "motion": session.editor.shown,
        "dirty": session.dirty,
        "undo": session.history.undo_label,
        "time": session.transport.time,
        "running": session.transport.running,
        "speed": session.transport.speed,
        "loop": session.transport.loop_name,
        "range": None if session.active is None else session.active.transport.play_range,
        "pose": "" if character is None else character.show,
        "compare": session.comparison.mode or "",
        "edge": session.comparison.versions.edge if session.comparison.versions else 0.0,
        "through": session.scene.camera.file_camera,
        "look": asdict(look) | {"grid": look.grid, "weights_joint": scene.weights_joint},
        "camera": {
            "azimuth": camera.azimuth,
            "elevation": camera.elevation,
            "distance": camera.distance,
            "target": camera.target.tolist(),
        },
        "selected": "" if session.selections.current is None else session.selections.current.name,
        "hovered": interface.viewport.hovered.name,
        "check": "" if session.active is None else session.active.check.status,
        "findings": 0 if session.active is None else session.active.check.count,
        "hidden": interface.hidden,
        "popup": interface.popup,
        "error": interface.error,
        "notice": interface.notice,
        "view": interface.viewport.box,
        "widgets": interface.widget_boxes or {},
    }
