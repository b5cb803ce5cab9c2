"""The camera of a scene: an orbit camera, or a camera of the active model."""

import math
from dataclasses import dataclass, replace

import numpy as np

from ..animation.types import F64
from ..memo import Memo
from ..model.lookup import camera_reference
from ..model.model import Model
from ..scenedoc.camera import Camera as CameraDoc
from ..scenedoc.camera import Follow
from .camera import Camera, FileCamera, OrbitCamera, placed
from .instance import Instance
from .instance_list import InstanceList
from .origin import WORLD_ORIGIN
from .scene_bounds import SceneBounds
from .selected import Selected
from .selected_bounds import selected_point


class SceneCamera:
    """The orbit camera, which follows root motion, and the cameras of the active model.

    Attributes
    ----------
    file_camera
        Index of the camera of the active model that is used, -1: the orbit camera.
    follow
        Whether the orbit camera follows the root motion of the active instance.
    follow_selected
        Whether it follows what is selected, in place of the root motion.
    """

    def __init__(self, orbit: OrbitCamera, instances: InstanceList, bounds: SceneBounds) -> None:
        self._orbit = orbit
        self.file_camera = -1
        self.follow = True
        self.follow_selected = False
        self._instances = instances
        self._bounds = bounds
        self._cuts = CameraCuts()
        self._followed: tuple[Instance, Selected | None] | None = None  # None: nothing
        self._anchor: F64 = WORLD_ORIGIN  # place of what is followed, for which `orbit` is
        self._place: F64 = self._anchor  # as of the last update
        self._rested: F64 = self._anchor  # place at the last `settle`
        self._settled: tuple[tuple[float, ...], CameraDoc] | None = None  # numbers, and record
        self._anchored = Memo(self._placed)
        self._of_file = Memo(_camera_of_file)

    @property
    def orbit(self) -> OrbitCamera:
        """The free camera, without the motion that it follows; it does not change with time.

        A camera that is set is where it is now. Before a position or target in world space is read
        from it or set, `rebase` is called.
        """
        return self._orbit

    @orbit.setter
    def orbit(self, camera: OrbitCamera) -> None:
        self._orbit, self._anchor = camera, self._place

    @property
    def current(self) -> OrbitCamera:
        """A copy of the orbit camera, moved with what it follows.

        Its near and far plane are those for the scene as of its last update.
        """
        moved = self._orbit
        if self._place is not self._anchor:
            moved = moved.moved(self._place - self._anchor)
        return moved.showing(self._bounds.middle, self._bounds.radius)

    @property
    def used(self) -> Camera:
        """The camera in use: one of the active model, or the `current` orbit camera."""
        active = self._instances.active
        if active is None or self.uses_orbit:
            return self.current
        character = active.character
        shown = character.pointer_values.camera(
            active.model.cameras[self.file_camera], character.pose.values
        )
        return FileCamera(shown, character.joint_world(shown.joint))

    @property
    def uses_orbit(self) -> bool:
        """Whether the orbit camera is in use."""
        active = self._instances.active
        return active is None or not 0 <= self.file_camera < len(active.model.cameras)

    @property
    def front(self) -> float:
        """Azimuth of the front of the active instance, radians about +Y, 0 for +Z."""
        return 0.0 if self._instances.active is None else self._instances.active.front

    @property
    def record(self) -> CameraDoc:
        """The record by which a command places the orbit camera where it is now."""
        if self._place is self._anchor and self._settled is not None:
            numbers, record = self._settled
            if numbers == _numbers(self._orbit):
                return record
        return placed(self.current)

    @property
    def anchored(self) -> CameraDoc:
        """The record of the camera in use: that of the file, or the place of `orbit`.

        It does not change while the camera follows: it is relative to what is followed.
        """
        active = self._instances.active
        if active is None or self.uses_orbit:
            follow: Follow = "root" if self.follow else "none"
            if self.follow_selected:
                follow = "selection"
            return self._anchored(_numbers(self._orbit), follow)
        return self._of_file(active.model, self.file_camera)

    def _placed(self, _numbers: tuple[float, ...], follow: Follow) -> CameraDoc:
        return replace(placed(self._orbit), follow=follow)

    def settle(self) -> None:
        """Place the orbit camera by the numbers of its record, once it rests.

        A command that is given these numbers then computes the same camera, bit for bit.
        """
        if self._place is not self._anchor:
            moved, self._rested = self._place is not self._rested, self._place
            if moved and not np.array_equal(self._place, self._anchor):
                return
            self.rebase()
        orbit = self._orbit
        if self._settled is not None and self._settled[0] == _numbers(orbit):
            return
        record = placed(orbit)
        if record.fov is not None:
            orbit.fov = math.radians(record.fov)
        orbit.move_to(np.array(record.position))
        self._settled = _numbers(orbit), record

    def view_from(self, side: str | None) -> None:
        """Turn the orbit camera to a side of the active instance, None: the default view."""
        self.orbit.use_preset(side, self.front)

    def use_orbit(self) -> None:
        """Switch from a camera of the file to the orbit camera, at the same position."""
        used, self.file_camera = self.used, -1
        if isinstance(used, FileCamera):
            self.rebase()
            self.orbit.match(used, self._bounds.middle, self._bounds.radius)

    def zoom(self, notches: float, right: float = 0.0, up: float = 0.0) -> None:
        """Zoom the orbit camera, as `OrbitCamera.zoom`, within the limits for the scene."""
        self.use_orbit()
        self.orbit.zoom(notches, right, up, self._bounds.zoom_limits)

    def orbit_around(self, x: float, y: float, depth: float, aspect: float) -> None:
        """Make the point at image x, y (0..1) and depth (-1..1) the target of the orbit camera."""
        self.rebase()
        self.orbit.orbit_around(self.used.unproject(x, y, depth, aspect), self._bounds.zoom_limits)

    def rebase(self) -> None:
        """Move `orbit` to where the camera is now; the picture stays."""
        if self._place is not self._anchor:
            self._orbit.target = self._orbit.target + (self._place - self._anchor)
            self._anchor = self._place

    def reset_cuts(self, cut: int | None = None) -> None:
        """Forget the cuts of what played before; `cut` is not applied until the next one."""
        self._cuts = CameraCuts(cut)

    def update(self, selected: Selected | None = None) -> None:
        """Apply the last cut of the active instance's motion, and follow what is followed."""
        if self._instances.active is not None:
            cut = self._instances.active.character.cut
            self.file_camera = self._cuts.camera(cut, self.file_camera)
        self.follow_root(selected)

    def follow_root(self, selected: Selected | None = None) -> None:
        """Read the place of what is followed: of a selection, or by root motion.

        Where something else is followed than before, the picture stays.
        """
        active = self._instances.active
        if active is None:
            return
        followed, place = self._found(active, selected)
        if followed != self._followed:
            self.rebase()
            self._followed, self._anchor = followed, place
        self._place = place

    def _found(
        self, active: Instance, selected: Selected | None
    ) -> tuple[tuple[Instance, Selected | None] | None, F64]:
        """Return what is followed and its place [3], world space, metres."""
        if selected is not None and self.follow_selected:
            point = selected_point(active, selected)
            if np.isfinite(point).all():
                return (active, selected), point
        if self.follow:
            return (active, None), active.root_offset
        return None, WORLD_ORIGIN


def _camera_of_file(model: Model, camera: int) -> CameraDoc:
    return CameraDoc(name=camera_reference(model, camera), fit="pose")


def _numbers(orbit: OrbitCamera) -> tuple[float, ...]:
    """Return the numbers of an orbit camera, without near and far plane."""
    angles = orbit.azimuth, orbit.elevation, orbit.distance, orbit.fov
    return *angles, float(orbit.ortho), *orbit.target.tolist()


@dataclass(slots=True)
class CameraCuts:
    """The last cut of the active character's motion.

    Attributes
    ----------
    cut
        Index of the camera of the last cut, -1: the free camera; None: no cut.
    uncut
        The camera in use before the first cut.
    """

    cut: int | None = None
    uncut: int = -1

    def camera(self, cut: int | None, current: int) -> int:
        """Return the camera to use after a cut; between cuts the user may change `current`."""
        if cut == self.cut:
            return current
        if self.cut is None:
            self.uncut = current
        self.cut = cut
        return self.uncut if cut is None else cut
