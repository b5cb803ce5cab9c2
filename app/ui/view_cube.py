"""The view cube at the upper right of the scene, and the axes of the world below it."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from imgui_bundle import imgui

from ..animation.types import F64
from ..scene.camera import Camera, OrbitCamera
from ..scene.visible_faces import Face, side_at, visible_faces
from ..session.commands.actions import action
from ..session.session import Session
from . import refresh, shortcuts, theme, widgets

EDGE = 3.2  # font heights: of the cube
WIDE = 24.0  # font heights: in a narrower part of the scene the cube is smaller
_SMALLEST = 0.6  # of its size
_ROOM = 6.2  # font heights: side of its area, which holds the cube's diagonal
_AXES = 1.6  # font heights: length of the axes of the world
_LETTERS = 0.75  # of the text's size: letters on the cube
_APART = 0.4  # of the way from the colour of fields to that of text: the faces
_TURN = 3.0  # radians for a drag over the area
_ACTIONS = {
    "front": "front",
    "back": "back view",
    "right": "right",
    "left": "left",
    "top": "top",
    "bottom": "bottom",
}
_COLORS = ((0.90, 0.32, 0.30, 1.0), (0.45, 0.72, 0.26, 1.0), (0.28, 0.52, 0.93, 1.0))


@dataclass(slots=True)
class Shown:
    """The axes of the camera, as bytes, for which the cube was last drawn."""

    axes: bytes = b""


def draw(session: Session, right: float, top: float, room: float) -> None:
    """Draw the cube; a click on a face shows that side, a drag orbits.

    Parameters
    ----------
    right, top
        Upper right corner of the free part of the scene, points.
    room
        Width of this part, points; in a narrow one the cube is small.
    """
    em = widgets.em() * min(max(room / (WIDE * widgets.em()), _SMALLEST), 1.0)
    side = _ROOM * em
    if session.model is None or not session.settings.view_cube:
        return
    if session.interface.mixer_panels.handle_drawn:  # it takes the mouse where the cube would be
        return
    high = side + (1.6 + 2.0 * _AXES) * em
    session.interface.viewport.over += ((right - side, top, right, top + high),)
    hovered, place, size = "", (right - side, top), (side, high)
    camera, shown = session.scene.camera, session.interface.of(Shown)
    axes = _axes_of(camera.orbit if camera.uses_orbit else camera.used)
    turned = axes.tobytes()
    rate = refresh.CONTROLS if turned == shown.axes else refresh.PLAYHEAD
    with widgets.ClearWindow(session, "View cube", place, size, rate) as drawn:
        if drawn:
            shown.axes = turned
            hovered = _cube(session, axes, side, em)
    if hovered:
        chosen = action(_ACTIONS[hovered])
        widgets.tooltip(f"{chosen.label}  {shortcuts.first_key(session, chosen)}")


def _cube(session: Session, axes: F64, side: float, em: float) -> str:
    """Draw the cube with the axes below it, and take the mouse; return the side to be named."""
    corner = imgui.get_cursor_screen_pos()
    widgets.area(session, "view cube", (side, side))
    camera = session.scene.camera
    faces = _faces(axes.tobytes(), camera.front)
    middle = corner.x + side / 2.0, corner.y + side / 2.0
    half = EDGE * em / 2.0
    mouse = imgui.get_io().mouse_pos
    place = (mouse.x - middle[0]) / half, (middle[1] - mouse.y) / half
    hovered = side_at(faces, place) if imgui.is_item_hovered() else ""
    for face in faces:
        _face(face, middle, half, _LETTERS * em, lit=face.side == hovered)
    below = middle[0], corner.y + side + 1.1 * em
    _axes(axes.tolist(), below, _AXES * em, _LETTERS * em)
    named = hovered if imgui.is_item_hovered(imgui.HoveredFlags_.for_tooltip) else ""
    moved = imgui.get_io().mouse_delta
    if imgui.is_item_active() and imgui.is_mouse_dragging(imgui.MouseButton_.left):
        camera.use_orbit()
        camera.orbit.orbit(-moved.x / side * _TURN, moved.y / side * _TURN)
    elif hovered and imgui.is_item_deactivated() and not _dragged():
        action(_ACTIONS[hovered]).run(session)
    return named


@lru_cache(maxsize=2)
def _faces(axes: bytes, front: float) -> list[Face]:
    """Return the visible faces; parameters as of `visible_faces`, the axes as bytes."""
    return visible_faces(np.frombuffer(axes).reshape(3, 3), front)


def _axes_of(camera: Camera) -> F64:
    """Return the axes [3, 3] of a camera as rows: right, up and backward."""
    if isinstance(camera, OrbitCamera):
        return _orbit_axes(camera.azimuth, camera.elevation)
    return np.asarray(camera.view()[:3, :3], np.float64)


@lru_cache(maxsize=2)
def _orbit_axes(azimuth: float, elevation: float) -> F64:
    """Return the axes [3, 3] of an orbit camera, which depend on its angles only."""
    turned = OrbitCamera(azimuth=azimuth, elevation=elevation)
    return np.asarray(turned.view()[:3, :3], np.float64)


def _dragged() -> bool:
    """Return whether the button that was released had dragged."""
    moved = imgui.get_mouse_drag_delta(imgui.MouseButton_.left)
    return (moved.x, moved.y) != (0.0, 0.0)


@lru_cache(maxsize=8)
def _corners(corners: bytes, middle: tuple[float, float], half: float) -> list[imgui.ImVec2]:
    """Return the corners [4, 2] of a face, as bytes, in the window; kept while the camera rests."""
    places = np.frombuffer(corners).reshape(-1, 2).tolist()
    return [imgui.ImVec2(middle[0] + x * half, middle[1] - y * half) for x, y in places]


def _face(face: Face, middle: tuple[float, float], half: float, size: float, *, lit: bool) -> None:
    """Draw a face with its name in letters of a size, brighter the more it faces the camera."""
    lines, palette = imgui.get_window_draw_list(), theme.palette()
    a, b, c, d = _corners(face.corners.tobytes(), middle, half)
    shade = 0.72 + 0.28 * face.facing
    plain = theme.mixed(palette.field, palette.text, _APART)
    red, green, blue, _ = palette.hovered_accent if lit else plain
    fill = theme.packed((red * shade, green * shade, blue * shade, 0.92))
    lines.add_quad_filled(a, b, c, d, fill)
    lines.add_quad(a, b, c, d, theme.packed(palette.bar), 1.0)
    if face.facing < 0.45:
        return
    label = face.side.capitalize()
    wide, share = imgui.calc_text_size(label), size / imgui.get_font_size()
    x, y = (a.x + c.x) / 2.0, (a.y + c.y) / 2.0
    color = palette.tick if lit else palette.text
    place = (x - wide.x * share / 2.0, y - wide.y * share / 2.0)
    lines.add_text(imgui.get_font(), size, place, theme.packed(color), label)


def _axes(axes: list[list[float]], middle: tuple[float, float], length: float, size: float) -> None:
    """Draw the axes of the world as lines with letters of a size, those that point away first."""
    lines = imgui.get_window_draw_list()
    for axis in sorted(range(3), key=lambda k: axes[2][k]):
        x, y = axes[0][axis], -axes[1][axis]
        end = middle[0] + x * length, middle[1] + y * length
        color = theme.packed(_COLORS[axis], 1.0 if axes[2][axis] > -0.3 else 0.55)
        lines.add_line(middle, end, color, 2.0)
        reach = length + 0.45 * size
        place = middle[0] + x * reach - 0.3 * size, middle[1] + y * reach - 0.5 * size
        lines.add_text(imgui.get_font(), size, place, color, "XYZ"[axis])
