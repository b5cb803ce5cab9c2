"""Mouse controls of the view: orbit, pan, zoom, orbit pivot and picking."""

import math
from collections.abc import Callable
from typing import Literal

from imgui_bundle import imgui

from ..session import picking
from ..session.session import Session
from ..session.settings import Mouse
from . import aim_handle

Drag = Literal["orbit", "pan", "zoom", ""]
HALF_TURN = math.pi  # radians for a drag over the height of the view
STILL = 4.0  # points that the mouse may move during a click
DRAG_ZOOM = 12.0  # wheel notches for a drag over the height of the view


def navigate(session: Session) -> None:
    """Move the camera by the mouse input since the previous frame, unless a panel uses the mouse.

    The wheel zooms, a double click requests a new orbit pivot, a click selects what is under the
    pointer; drags depend on the mouse preset.
    """
    io = imgui.get_io()
    viewport = session.interface.viewport
    viewport.dragged = False
    if io.want_capture_mouse or aim_handle.grabbed(session):
        viewport.pressed = None
        return
    viewport.dragged = imgui.is_any_mouse_down()
    _click(session)
    camera = session.scene.camera.orbit
    left, top, right, bottom = viewport.box
    high = max(bottom - top, 1.0)
    across, down = io.mouse_delta.x / high, io.mouse_delta.y / high
    if io.mouse_wheel:
        session.scene.camera.zoom(io.mouse_wheel, *_pointer(session))
    if imgui.is_mouse_double_clicked(imgui.MouseButton_.left):
        session.scene.camera.use_orbit()
        viewport.pressed = None  # the second click does not select what is behind
        place = io.mouse_pos
        viewport.pivot = (place.x - left) / max(right - left, 1.0), (place.y - top) / high
        return
    if across == 0.0 and down == 0.0:
        return
    does = _BY_DRAG[session.settings.mouse](io)
    if does:
        session.scene.camera.use_orbit()
    if does == "pan":
        camera.pan(-across, down)
    elif does == "orbit":
        camera.orbit(-across * HALF_TURN, down * HALF_TURN)
    elif does == "zoom":
        session.scene.camera.zoom((across - down) * DRAG_ZOOM)


def _pointer(session: Session) -> tuple[float, float]:
    """Return where the pointer is right of and above the middle, in heights of the view.

    (0, 0) if the wheel zooms to the middle.
    """
    if not session.settings.zoom_to_pointer:
        return 0.0, 0.0
    left, top, right, bottom = session.interface.viewport.box
    place, high = imgui.get_io().mouse_pos, max(bottom - top, 1.0)
    return (place.x - (left + right) / 2.0) / high, ((top + bottom) / 2.0 - place.y) / high


def _rigview(io: imgui.IO) -> Drag:
    """Return the effect of a drag: left orbits, middle or Shift+left pans, right zooms.

    Alt is ignored, so that Maya's shortcuts work, too.
    """
    left = _dragged(imgui.MouseButton_.left)
    if _dragged(imgui.MouseButton_.middle) or (left and io.key_shift):
        return "pan"
    if left:
        return "orbit"
    return "zoom" if _dragged(imgui.MouseButton_.right) else ""


def _blender(io: imgui.IO) -> Drag:
    """Return the effect of a drag: middle or Alt+left orbits, with Shift pans, with Ctrl zooms."""
    emulated = io.key_alt and _dragged(imgui.MouseButton_.left)
    if not (emulated or _dragged(imgui.MouseButton_.middle)):
        return ""
    return "pan" if io.key_shift else "zoom" if io.key_ctrl else "orbit"


_BY_DRAG: dict[Mouse, Callable[[imgui.IO], Drag]] = {"rigview": _rigview, "blender": _blender}


def _click(session: Session) -> None:
    """Select what is under the pointer when the button is released without a drag."""
    interface, place = session.interface, imgui.get_io().mouse_pos
    if imgui.is_mouse_clicked(imgui.MouseButton_.left):
        interface.viewport.pressed = place.x, place.y
    if not imgui.is_mouse_released(imgui.MouseButton_.left):
        return
    pressed, interface.viewport.pressed = interface.viewport.pressed, None
    if pressed is None or math.dist(pressed, (place.x, place.y)) > STILL:
        return
    left, top, right, bottom = interface.viewport.box
    size = max(right - left, 1.0), max(bottom - top, 1.0)
    picking.click(session, (place.x - left, place.y - top), size)


def _dragged(button: int) -> bool:
    """Return whether the button was down during the mouse move of this frame.

    ImGui applies a move before a press or release of the same frame.
    """
    if imgui.is_mouse_clicked(button):
        return False
    return imgui.is_mouse_down(button) or imgui.is_mouse_released(button)
