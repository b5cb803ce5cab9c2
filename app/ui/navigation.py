"""The mouse over the picture: orbit, pan, zoom, and where to turn about."""

import math

from imgui_bundle import imgui

from app.session import Session
from app.ui import aims

HALF_TURN = math.pi  # radians for a drag as long as the picture is high
DRAG_ZOOM = 12.0  # wheel notches for a drag as long as the picture is high


def steer(session: Session) -> None:
    """Move the camera by what the mouse did since the frame before, unless a panel has it.

    Left drag orbits, middle drag or Shift+left pans, the wheel or a right drag zooms; a double
    click asks for a new pivot. Alt changes nothing, so that hands used to Maya find their way.
    """
    io = imgui.get_io()
    if io.want_capture_mouse or aims.grabbed(session):
        return
    camera = session.scene.camera
    left, top, right, bottom = session.interface.view
    high = max(bottom - top, 1.0)
    across, down = io.mouse_delta.x / high, io.mouse_delta.y / high
    if io.mouse_wheel:
        session.scene.look_freely()
        camera.zoom(io.mouse_wheel)
    if imgui.is_mouse_double_clicked(imgui.MouseButton_.left):
        session.scene.look_freely()
        place = io.mouse_pos
        session.interface.pivot = (place.x - left) / max(right - left, 1.0), (place.y - top) / high
        return
    if across == 0.0 and down == 0.0:
        return
    left_held = _dragged(imgui.MouseButton_.left)
    if any(
        map(
            _dragged, (imgui.MouseButton_.left, imgui.MouseButton_.middle, imgui.MouseButton_.right)
        )
    ):
        session.scene.look_freely()
    if _dragged(imgui.MouseButton_.middle) or (left_held and io.key_shift):
        camera.pan(-across, down)
    elif left_held:
        camera.orbit(-across * HALF_TURN, down * HALF_TURN)
    elif _dragged(imgui.MouseButton_.right):
        camera.zoom((across - down) * DRAG_ZOOM)


def _dragged(button: int) -> bool:
    """Tell whether the button was down while the mouse moved to where it is.

    ImGui takes a move before a press, or before a release, of the same frame.
    """
    if imgui.is_mouse_clicked(button):
        return False
    return imgui.is_mouse_down(button) or imgui.is_mouse_released(button)
