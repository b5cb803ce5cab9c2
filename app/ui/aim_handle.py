"""The draggable handle of a point parameter in the scene: the target of an aim or IK chain."""

import numpy as np
from imgui_bundle import imgui
from imgui_bundle.imguizmo import im_guizmo

from ..animation.types import F64
from ..errors import UsageError
from ..model.lookup import find_joint
from ..model.model import Model
from ..motion.document import MotionDoc
from ..scene.origin import tile_origin
from ..session.posing import Posing
from ..session.session import Session
from ..session.ui_state import Box
from . import theme, widgets

SIZE = 0.13  # of the view, in ImGuizmo's clip space units
RING = 3.5  # points: thickness of a ring
DASH = 6.0  # points of the window


def draw(session: Session) -> None:
    """Draw the handle over the scene and under the panels, and apply its drag."""
    mixer, character = session.interface.mixer_panels, session.character
    hidden = session.interface.of(Posing).drawn  # the handle of a joint is drawn instead
    value = session.editor.value(mixer.handle) if mixer.handle and not hidden else None
    mixer.handle_drawn = isinstance(value, tuple) and character is not None
    if not isinstance(value, tuple) or character is None:
        return
    world = character.world
    place = (world @ np.array([*value, 1.0]))[:3]
    _lines(session, place)
    frame = np.eye(4)
    frame[:3, 3] = place
    moved = manipulate(session, "handle", frame, im_guizmo.OPERATION.translate)
    if moved is not None:
        local = (np.linalg.inv(world) @ moved[:, 3])[:3]
        if np.isfinite(local).all():  # not if it is seen from very far away
            x, y, z = (round(float(number), 3) for number in local)
            session.editor.drag(mixer.handle, (x, y, z), f"Value of {mixer.handle}")


def manipulate(
    session: Session,
    name: str,
    frame: F64,
    operation: im_guizmo.OPERATION,
    *,
    size: float = SIZE,
    snap: float = 0.0,
) -> F64 | None:
    """Draw a handle at a world-space frame [4, 4], along its axes.

    Returns the frame as it is dragged, else None. `snap` is a step of metres, degrees or scale, 0
    for none; a scale is that since the start of the drag.
    """
    left, top, right, bottom = _box(session)
    width, height = right - left, bottom - top
    place = frame[:3, 3]
    camera = session.scene.camera.current
    camera = camera.showing(place, camera.distance)  # the scene may be far from the handle
    im_guizmo.begin_frame()
    im_guizmo.set_drawlist(imgui.get_background_draw_list())
    im_guizmo.set_orthographic(camera.ortho)
    im_guizmo.set_rect(left, top, width, height)
    im_guizmo.set_gizmo_size_clip_space(size)
    im_guizmo.get_style().rotation_line_thickness = RING
    im_guizmo.enable(not session.interface.popup)
    origin = tile_origin(place)  # the handle is computed in float32
    near = frame.copy()
    near[:3, 3] -= origin
    handle = _columns(near)
    changed = im_guizmo.manipulate(
        _columns(camera.moved(-origin).view()),
        _columns(camera.projection(width / max(height, 1.0))),
        operation,
        im_guizmo.MODE.local,
        handle,
        snap=im_guizmo.Matrix3([snap] * 3) if snap else None,
    )
    x, y = _seen(session, place)
    widgets.mark_box(session, name, (x - 4.0, y - 4.0), (x + 4.0, y + 4.0))
    if not (changed and im_guizmo.is_using()):
        return None
    moved = np.asarray(handle.values, np.float64).reshape(4, 4).T.copy()
    moved[:3, 3] += origin
    return moved


def grabbed(session: Session) -> bool:
    """Return whether the mouse hovers or drags a handle, so that it does not move the camera."""
    interface = session.interface
    if not (interface.mixer_panels.handle_drawn or interface.of(Posing).drawn):
        return False
    return bool(im_guizmo.is_using() or im_guizmo.is_over())


def _columns(matrix: F64) -> im_guizmo.Matrix16:
    """Return a matrix in column-major order."""
    return im_guizmo.Matrix16(np.asarray(matrix, np.float64).T.ravel().tolist())


def _lines(session: Session, place: F64) -> None:
    """Draw a dashed line to the handle from the end of each chain that targets it."""
    character, handle = session.character, session.interface.mixer_panels.handle
    if character is None:
        return
    for joint in ends(character.model, session.editor.document, handle):
        start = character.joint_world(joint)[:3, 3]
        (x0, y0), (x1, y1) = _seen(session, start), _seen(session, place)
        far = float(np.hypot(x1 - x0, y1 - y0))
        if not np.isfinite(far) or far < 1.0:
            continue
        lines = imgui.get_background_draw_list()
        for k in range(0, min(int(far / DASH), 400), 2):
            a, b = k * DASH / far, min((k + 1) * DASH / far, 1.0)
            lines.add_line(
                (x0 + (x1 - x0) * a, y0 + (y1 - y0) * a),
                (x0 + (x1 - x0) * b, y0 + (y1 - y0) * b),
                theme.packed(theme.palette().knob, 0.6),
                1.5,
            )


def ends(model: Model, document: MotionDoc, parameter: str) -> list[int]:
    """Return the last joints of the aim and IK chains that target a parameter."""
    names: list[str] = []
    for aim in document.aims.values():
        if aim.target == parameter:
            names += list(aim.chain)
    names += [ik.chain[-1] for ik in document.iks.values() if ik.target == parameter]
    found = set()
    for name in names:
        try:
            found.add(find_joint(model, name).index)
        except UsageError:
            continue
    parents = model.skeleton.parents
    above = {int(parents[joint]) for joint in found}
    return sorted(found - above)


def _box(session: Session) -> Box:
    """Return the box of the window that the camera's picture of the active character fills."""
    left, top, right, bottom = session.interface.viewport.box
    shift = session.scene.shift_of(session.active) * (right - left)
    return left + shift, top, right + shift, bottom


def _seen(session: Session, point: F64) -> tuple[float, float]:
    """Return the window position of a world-space point."""
    left, top, right, bottom = _box(session)
    size = right - left, bottom - top
    seen = session.scene.camera.used.project(point, size[0] / max(size[1], 1.0))
    return left + float(seen[0]) * size[0], top + float(seen[1]) * size[1]
