"""The camera of a scene: an orbit camera, or a camera of the active model."""

import numpy as np

from ..animation.types import F64
from .camera import Camera, FileCamera, OrbitCamera
from .camera_cuts import CameraCuts
from .instance import Instance
from .instance_list import InstanceList
from .scene_bounds import SceneBounds
from .selected import Selected
from .selected_bounds import selected_point


class SceneCamera:
    """The orbit camera, which follows root motion, and the cameras of the active model.

    Attributes
    ----------
    orbit
        The free camera.
    file_camera
        Index of the camera of the active model that is used, -1: `orbit`.
    follow
        Whether `orbit` follows the root motion of the active instance.
    follow_selected
        Whether `orbit` follows what is selected, in place of the root motion.
    """

    def __init__(self, orbit: OrbitCamera, instances: InstanceList, bounds: SceneBounds) -> None:
        self.orbit = orbit
        self.file_camera = -1
        self.follow = True
        self.follow_selected = False
        self._instances = instances
        self._bounds = bounds
        self._cuts = CameraCuts()
        self._followed: tuple[Instance, F64] | None = None  # with its last root offset
        self._selected: tuple[Instance, Selected, F64] | None = None  # with its last point

    @property
    def used(self) -> Camera:
        """The camera in use: one of the active model, or the orbit camera.

        The near and far plane of the orbit camera are those for the scene as of its last update.
        """
        active = self._instances.active
        if active is None or self.uses_orbit:
            return self.orbit.showing(self._bounds.middle, self._bounds.radius)
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

    def view_from(self, side: str | None) -> None:
        """Turn the orbit camera to a side of the active instance, None: the default view."""
        self.orbit.use_preset(side, self.front)

    def use_orbit(self) -> None:
        """Switch from a camera of the file to the orbit camera, at the same position."""
        used, self.file_camera = self.used, -1
        if isinstance(used, FileCamera):
            self.orbit.match(used, self._bounds.middle, self._bounds.radius)

    def zoom(self, notches: float, right: float = 0.0, up: float = 0.0) -> None:
        """Zoom the orbit camera, as `OrbitCamera.zoom`, within the limits for the scene."""
        self.use_orbit()
        self.orbit.zoom(notches, right, up, self._bounds.zoom_limits)

    def orbit_around(self, x: float, y: float, depth: float, aspect: float) -> None:
        """Make the point at image x, y (0..1) and depth (-1..1) the target of the orbit camera."""
        self.orbit.orbit_around(self.used.unproject(x, y, depth, aspect), self._bounds.zoom_limits)

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
        """Move the orbit camera by the motion of a selection, or the root motion, if followed."""
        active = self._instances.active
        if active is None:
            return
        offset = active.root_offset
        before, follows_point = self._followed, self._follow_point(active, selected)
        if self.follow and not follows_point and before is not None and before[0] is active:
            self.orbit.target = self.orbit.target + (offset - before[1])
        self._followed = active, offset

    def _follow_point(self, active: Instance, selected: Selected | None) -> bool:
        """Move the orbit camera by the motion of a selection; return whether it is followed."""
        if selected is None or not self.follow_selected:
            self._selected = None
            return False
        point = selected_point(active, selected)
        if not np.isfinite(point).all():
            return False
        before, self._selected = self._selected, (active, selected, point)
        if before is not None and before[0] is active and before[1] == selected:
            self.orbit.target = self.orbit.target + (point - before[2])
        return True
