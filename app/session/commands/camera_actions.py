"""Actions of the camera: views, framing, and cameras of the file."""

from collections.abc import Callable

from ...model.model import Model
from ..session import Session


def view_from(side: str) -> Callable[[Session], None]:
    """Return an action that shows a side of the active character."""

    def run(session: Session) -> None:
        camera = session.scene.camera
        camera.file_camera = -1
        camera.view_from(side)

    return run


def frame_character(session: Session) -> None:
    """Frame the bounds of all visible characters over their whole clips."""
    session.scene.camera.file_camera = -1
    session.scene.frame(session.aspect)


def frame_active(session: Session) -> None:
    """Frame the active character over its whole clip."""
    session.scene.camera.file_camera = -1
    session.scene.frame(session.aspect, session.active)


def frame_selected(session: Session) -> None:
    """Frame what is selected."""
    session.scene.selected = session.selected
    if not session.scene.frame_selected(session.aspect):
        session.notify("Nothing is selected")


def follow_selected(session: Session) -> None:
    """Toggle whether the camera follows what is selected."""
    camera = session.scene.camera
    camera.follow_selected = not camera.follow_selected
    if camera.follow_selected and session.selected is None:
        session.notify("The camera follows what is selected next")


def orthographic(session: Session) -> None:
    """Toggle the orthographic projection of the orbit camera."""
    camera = session.scene.camera
    camera.use_orbit()
    camera.orbit.ortho = not camera.orbit.ortho


def next_camera(session: Session) -> None:
    """Use the next camera of the file, after the last one the orbit camera."""
    model, camera = session.model, session.scene.camera
    if model is None or not model.cameras:
        session.notify("This file has no cameras")
        return
    after = camera.file_camera + 1
    camera.file_camera = after if after < len(model.cameras) else -1
    session.notify("Orbit" if camera.file_camera < 0 else camera_name(model, camera.file_camera))


def camera_name(model: Model, number: int) -> str:
    """Return a camera's name; with its joint's name if the camera's is not unique."""
    camera = model.cameras[number]
    alike = sum(each.name == camera.name for each in model.cameras)
    return f"{camera.name} on {model.skeleton.names[camera.joint]}" if alike > 1 else camera.name
