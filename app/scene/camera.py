"""Cameras: an orbit camera without roll, and cameras of a file; the only user of pyrr.

pyrr's matrices are for row vectors; they are transposed here into the column-vector convention
`M @ v` of the rest of the program (checked by a test).
"""

import math
import warnings
from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np

from ..animation.types import F32, F64
from ..animation.vectors import extent
from ..model.model import CameraView
from ..scenedoc.camera import Camera as CameraDoc
from ..scenedoc.camera import Vector

with warnings.catch_warnings():  # its docstrings have invalid escapes
    warnings.simplefilter("ignore", DeprecationWarning)
    warnings.simplefilter("ignore", SyntaxWarning)  # the same, from Python 3.12 on
    from pyrr import matrix44

POLE = math.radians(89.5)  # greatest elevation: at the poles "up" is undefined
FIT = 1.05  # margin: framed points fill 1 / 1.05 of the picture
WHEEL = 0.88  # distance factor of one notch of the mouse wheel
PRESETS = {  # azimuth from the front and elevation, degrees; as in Blender and f3d, right is
    # from +X for a front at +Z
    "front": (0.0, 0.0),
    "right": (90.0, 0.0),
    "back": (180.0, 0.0),
    "left": (-90.0, 0.0),
    "top": (0.0, 89.5),
    "bottom": (0.0, -89.5),
    "iso": (45.0, 35.264),
}
DEFAULT_ANGLES = (25.0, 8.0)  # of the default view, as those of PRESETS


class Camera(ABC):
    """A camera: its position, view and projection matrices."""

    ortho: bool

    @abstractmethod
    def position(self) -> F64:
        """Return the camera position [3], world space, metres."""

    @abstractmethod
    def direction(self) -> F64:
        """Return the unit vector [3] from the scene to the camera, against the view direction."""

    @abstractmethod
    def view(self) -> F64:
        """Return the view matrix [4, 4]: world to view space, column vectors."""

    @abstractmethod
    def projection(self, aspect: float) -> F64:
        """Return the projection matrix [4, 4] for an aspect ratio (width / height)."""

    @abstractmethod
    def focus(self) -> F64:
        """Return the point [3] about which pictures are most exact, world space, metres."""

    @abstractmethod
    def moved(self, offset: F64) -> Self:
        """Return this camera moved by an offset [3], metres."""

    def project(self, points: F32 | F64, aspect: float) -> F64:
        """Return image coordinates x right, y down (0..1) and depth (-1..1) of points [..., 3].

        They are NaN for points behind the camera.
        """
        matrix = self.projection(aspect) @ self.view()
        clip = np.asarray(points, np.float64) @ matrix[:, :3].T + matrix[:, 3]
        w = np.where(clip[..., 3:] > 1e-9, clip[..., 3:], np.nan)
        ndc = clip[..., :3] / w
        return np.stack(
            [(ndc[..., 0] + 1.0) / 2.0, (1.0 - ndc[..., 1]) / 2.0, ndc[..., 2]], axis=-1
        )

    def unproject(self, x: float, y: float, depth: float, aspect: float) -> F64:
        """Return the world point [3] at image coordinates (0..1) and depth (-1..1)."""
        matrix = np.linalg.inv(self.projection(aspect) @ self.view())
        point = matrix @ np.array([x * 2.0 - 1.0, 1.0 - y * 2.0, depth, 1.0])
        return point[:3] / point[3]


@dataclass
class FileCamera(Camera):
    """A camera of a file, placed by its joint, looking along its -Z (glTF 2.0, section 3.10)."""

    shown: CameraView
    placed: F64  # [4, 4] world matrix of the joint

    def __post_init__(self) -> None:
        self.ortho = self.shown.kind == "orthographic"

    def position(self) -> F64:
        """Return the camera position [3], world space, metres."""
        return self.placed[:3, 3]

    def direction(self) -> F64:
        """Return the unit vector [3] from the scene to the camera, against the view direction."""
        return self._axes()[:, 2]

    def view(self) -> F64:
        """Return the view matrix [4, 4], column vectors; the joint's scale is ignored."""
        out = np.eye(4)
        out[:3, :3] = self._axes().T
        out[:3, 3] = -out[:3, :3] @ self.position()
        return out

    def focus(self) -> F64:
        """Return the camera position [3], world space, metres."""
        return self.position()

    def moved(self, offset: F64) -> Self:
        """Return this camera moved by an offset [3], metres."""
        placed = self.placed.copy()
        placed[:3, 3] += offset
        return replace(self, placed=placed)

    def projection(self, aspect: float) -> F64:
        """Return the projection matrix [4, 4]; the file's aspectRatio is ignored (3.10.3)."""
        near, far = self.shown.znear, self.shown.zfar
        out = np.zeros((4, 4))
        if self.ortho:
            out[0, 0], out[1, 1] = 1 / (self.shown.ymag * aspect), 1 / self.shown.ymag
            out[2, 2], out[2, 3] = 2 / (near - far), (far + near) / (near - far)
            out[3, 3] = 1
            return out
        slope = 1 / math.tan(self.shown.yfov / 2)
        out[0, 0], out[1, 1], out[3, 2] = slope / aspect, slope, -1
        infinite = math.isinf(far)
        out[2, 2] = -1 if infinite else (far + near) / (near - far)
        out[2, 3] = -2 * near if infinite else 2 * far * near / (near - far)
        return out

    def _axes(self) -> F64:
        """Return orthonormal axes [3, 3] as columns, for any scale of the joint."""
        back = self.placed[:3, 2] / max(float(np.linalg.norm(self.placed[:3, 2])), 1e-12)
        right = np.cross(self.placed[:3, 1], back)
        length = np.linalg.norm(right)
        right = right / length if length > 1e-12 else np.array([1.0, 0.0, 0.0])
        return np.stack([right, np.cross(back, right), back], axis=1)


@dataclass
class OrbitCamera(Camera):
    """A camera at `distance` metres from `target`; angles in radians, azimuth 0 in front (+Z)."""

    target: F64 = field(default_factory=lambda: np.zeros(3))
    distance: float = 3.0
    azimuth: float = math.radians(DEFAULT_ANGLES[0])
    elevation: float = math.radians(DEFAULT_ANGLES[1])
    fov: float = math.radians(45.0)  # vertical field of view
    ortho: bool = False
    near: float = 0.01  # distance of the near plane, metres: see `showing`
    far: float = 1000.0  # and of the far plane

    def direction(self) -> F64:
        """Return the unit vector [3] from the target to the camera, against the view direction."""
        flat = math.cos(self.elevation)
        return np.array(
            [
                math.sin(self.azimuth) * flat,
                math.sin(self.elevation),
                math.cos(self.azimuth) * flat,
            ]
        )

    def position(self) -> F64:
        """Return the camera position [3], world space, metres."""
        return self.target + self.direction() * self.distance

    def focus(self) -> F64:
        """Return the target [3], world space, metres."""
        return self.target

    def moved(self, offset: F64) -> Self:
        """Return this camera moved by an offset [3], metres."""
        return replace(self, target=self.target + offset)

    def move_to(self, position: F64) -> None:
        """Move the camera to `position` [3], world space; the target stays."""
        offset = np.asarray(position, np.float64) - self.target
        self.distance = max(float(np.linalg.norm(offset)), 1e-9)
        self.azimuth = math.atan2(offset[0], offset[2])
        self._tilt(math.asin(max(-1.0, min(1.0, offset[1] / self.distance))))

    def place(self, record: CameraDoc) -> None:
        """Move target and camera to those of a record, where it has them."""
        if record.target is not None:
            self.target = np.array(record.target, np.float64)
        if record.position is not None:
            self.move_to(np.array(record.position, np.float64))

    def match(self, other: FileCamera, middle: F64, radius: float) -> None:
        """Copy position, direction and field of view of a camera of the file, without roll.

        The target is the point on its axis closest to `middle` [3] of a scene of this radius,
        metres.
        """
        position, back = other.position(), other.direction()
        offset = np.asarray(middle, np.float64) - position
        away = float(-offset @ back)
        if away <= 0.0:  # `middle` is behind the camera
            away = max(float(np.linalg.norm(offset)), radius)
        self.ortho = other.ortho
        self.target = position - back * away
        self.move_to(position)
        if other.ortho:
            self.distance = other.shown.ymag / math.tan(self.fov / 2.0)
        else:
            self.fov = other.shown.yfov

    def use_preset(self, name: str | None, front: float = 0.0) -> None:
        """Set azimuth and elevation to a view of PRESETS, None for the default view.

        `front` is the azimuth of the front, radians.
        """
        azimuth, elevation = DEFAULT_ANGLES if name is None else PRESETS[name]
        self.azimuth = math.remainder(math.radians(azimuth) + front, math.tau)
        self._tilt(math.radians(elevation))

    def orbit(self, right: float, up: float) -> None:
        """Orbit around the target by angles in radians; positive moves the camera right and up."""
        self.azimuth = math.remainder(self.azimuth + right, math.tau)
        self._tilt(self.elevation + up)

    def pan(self, right: float, up: float) -> None:
        """Move camera and target in the image plane by fractions of the picture's height."""
        axes = self.axes()
        height = 2.0 * self.distance * math.tan(self.fov / 2.0)
        self.target = self.target + (axes[0] * right + axes[1] * up) * height

    def zoom(
        self,
        notches: float,
        right: float = 0.0,
        up: float = 0.0,
        limits: tuple[float, float] = (0.0, math.inf),
    ) -> None:
        """Move closer by notches of the mouse wheel; negative moves away.

        A point in the plane of the target keeps its place in the picture: that `right` of and
        above (`up`) the middle by fractions of the picture's height. `limits` are the least and
        greatest distance, metres; a camera beyond them is not moved to them.
        """
        before = self.distance
        low, high = min(limits[0], before), max(limits[1], before)
        self.distance = min(max(before * WHEEL**notches, low), high)
        share = 1.0 - self.distance / before
        if right or up:
            height = 2.0 * before * math.tan(self.fov / 2.0)
            axes = self.axes()
            self.target = self.target + (axes[0] * right + axes[1] * up) * (height * share)

    def axes(self) -> F64:
        """Return right, up and backward unit vectors as rows [3, 3], world space."""
        back = self.direction()
        cos, sin = math.cos(self.azimuth), math.sin(self.azimuth)
        x, y, z = back.tolist()
        up = (-y * sin, z * cos + x * sin, -y * cos)  # back x right
        return np.array([(cos, 0.0, -sin), up, (x, y, z)])

    def frame(self, points: F32 | F64, aspect: float) -> None:
        """Move the camera so that all points [N, 3] just fit; the view direction stays.

        In perspective, each pair of opposite frustum planes is moved outwards until it touches the
        points; the two planes meet in a line. The farther of the two lines gives the tightest fit.
        """
        cloud: F64 = np.asarray(points, np.float64).reshape(-1, 3)
        finite = np.isfinite(cloud)
        if not finite.all():
            cloud = cloud[finite.all(axis=-1)]
        if len(cloud) == 0:
            cloud = np.zeros((1, 3))
        low, high = extent(cloud)
        center = (low + high) / 2.0
        least = max(float(np.linalg.norm(high - low)) / 2.0, 1e-6) * 0.1
        local = (cloud - center) @ self.axes().T
        slopes = math.tan(self.fov / 2.0) / FIT * np.array([aspect, 1.0])
        if self.ortho:
            middle = extent(local[:, :2]).sum(axis=0) / 2.0
            half = extent(np.abs(local[:, :2] - middle))[1]
            self.distance = max(float((half / slopes).max()), least)
            self.target = center + middle @ self.axes()[:2]
            return
        plus = extent(local[:, :2] + local[:, 2:] * slopes)[1]
        minus = extent(-local[:, :2] + local[:, 2:] * slopes)[1]
        middle = (plus - minus) / 2.0
        eye_depth = float(((plus + minus) / 2.0 / slopes).max())
        self.target = center + middle @ self.axes()[:2]
        self.distance = max(eye_depth, least)

    def centre(self, points: F64) -> None:
        """Move the camera across so that points [N, 3] before it have equal margins.

        It keeps what `frame` touches, and moves what has room: near points of a wide crowd take
        more of the picture than far ones.
        """
        axes = self.axes()
        local = (points[np.isfinite(points).all(axis=-1)] - self.position()) @ axes.T
        away = -local[:, 2]
        if self.ortho or not len(away) or not away.min() > 0.0:
            return
        shift = np.zeros(2)
        for _ in range(8):  # until the outermost points stay the same
            seen = (local[:, :2] - shift) / away[:, None]
            high, low = seen.argmax(axis=0), seen.argmin(axis=0)
            near, far = away[low], away[high]
            ends = local[high, (0, 1)], local[low, (0, 1)]
            shift = (ends[0] * near + ends[1] * far) / (near + far)
        self.target = self.target + shift @ axes[:2]

    def view(self) -> F64:
        """Return the view matrix [4, 4]: world to view space, column vectors."""
        out = np.eye(4)
        out[:3, :3] = self.axes()
        out[:3, 3] = -out[:3, :3] @ self.position()
        return out

    def showing(self, middle: F64, radius: float) -> Self:
        """Return this camera with near and far plane for a scene.

        They contain the ground around the scene and the shadow on it. What is nearer than the
        target is cut off at a fiftieth of its distance.

        Parameters
        ----------
        middle, radius
            Of a sphere [3] that contains the scene, world space, metres.
        """
        offset, back = self.target - middle, self.direction()
        away = self.distance + float(offset @ back)  # depth of the middle
        if not math.isfinite(away + radius):
            away, radius, offset = self.distance, self.distance, np.zeros(3)
        if self.ortho:
            deep = max(60.0 * radius, abs(away) * 1e-6)  # the latter of a camera of a file
            return replace(self, near=away - deep, far=away + deep)
        end = math.hypot(*(offset + back * self.distance).tolist()) + radius
        distance = min(self.distance, end)  # the target may be far behind the scene
        near = max(distance * 0.02, (away - 12.0 * radius) * 0.5)
        return replace(self, near=near, far=max(away, distance) + 60.0 * radius)

    def projection(self, aspect: float) -> F64:
        """Return the projection matrix [4, 4] for an aspect ratio (width / height)."""
        if self.ortho:
            half = self.distance * math.tan(self.fov / 2.0)
            box = (-half * aspect, half * aspect, -half, half, self.near, self.far)
            return np.asarray(matrix44.create_orthogonal_projection(*box), np.float64).T
        fov = math.degrees(self.fov)
        lens = fov, aspect, self.near, self.far
        return np.asarray(matrix44.create_perspective_projection(*lens)).T

    def orbit_around(self, point: F64, limits: tuple[float, float] = (0.0, math.inf)) -> None:
        """Make a point [3], metres, the target; the direction stays.

        `limits` are the least and greatest distance, metres.
        """
        if not self.ortho:
            away = float((self.position() - point) @ self.direction())
            self.distance = min(max(away, limits[0]), limits[1])
        self.target = point

    def _tilt(self, elevation: float) -> None:
        self.elevation = max(-POLE, min(POLE, elevation))


def placed(camera: OrbitCamera) -> CameraDoc:
    """Return the record that places an orbit camera as it is."""
    same = camera.fov == OrbitCamera.fov
    return CameraDoc(
        position=_vector(camera.position()),
        target=_vector(camera.target),
        fov=None if same else math.degrees(camera.fov),
        ortho=camera.ortho,
        fit="pose",
    )


def _vector(array: F64) -> Vector:
    x, y, z = array.tolist()
    return x, y, z
