"""A scene: instances or a crowd, the camera and the display options."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from ..animation.crowd import Crowd
from ..animation.types import F32, F64, Bool
from ..model.model import Model
from .bounds import PosedBounds
from .camera import Camera, FileCamera, OrbitCamera
from .camera_cuts import CameraCuts
from .character import Character
from .crowd import CrowdLayout
from .environment import Environment
from .instance import Instance
from .line_up import line_up
from .view_modes import ViewMode

ToneMapping = Literal["neutral", "aces", "linear", "none"]
PICK_MARGIN = 1e-3  # of the scene's size: distance from the bounds at which a point is picked
BACKGROUND = (0.188, 0.196, 0.212, 1.0)  # a neutral dark grey, sRGB


@dataclass(slots=True)
class Display:
    """Display options: overlays, view mode, environment, tone mapping, background."""

    skeleton: bool = False
    joint_names: bool = False
    axes: bool = False
    wireframe: bool = False
    bounds: bool = False  # boxes of the posed character and each of its meshes
    grid: bool = True
    shadow: bool = (
        True  # of the first directional light, on the ground (with the grid) and on characters
    )
    weights_joint: int = -1  # joint whose skin weights colour the mesh, -1: none
    mask: tuple[float, ...] = ()  # [J] joint weights that colour the mesh instead; (): none
    view_mode: ViewMode = "lit"
    environment: Environment | None = None  # image-based light, None: the built-in studio
    environment_from: tuple[str, float] | None = None  # its file and its rotation, degrees
    tone_mapping: ToneMapping = "neutral"
    exposure: float = 0.0  # EV
    background: tuple[float, float, float, float] = BACKGROUND  # sRGB, straight alpha


@dataclass(slots=True)
class Scene:
    """Instances, a camera and display options; `update` evaluates them at a time.

    Attributes
    ----------
    instances
        Characters in the scene, in their order from left to right.
    active
        The instance whose cameras, joints and clips are shown and edited.
    same_size
        Whether the other instances are scaled to the height of the first one.
    crowd
        Drawn instead of the only instance, with the same model; None: no crowd.
    crowd_layout
        Builds the crowd while a clip plays and there is only one instance.
    floor, cell
        Height of the ground grid and the edge of its cells, metres.
    extent
        [2, 3] low and high corner of the swept points, world space.
    follow
        Whether the camera follows the root motion of the active instance.
    file_camera
        Index of the camera of the active model that is used, -1: `camera`.
    """

    camera: OrbitCamera = field(default_factory=OrbitCamera)
    display: Display = field(default_factory=Display)
    instances: list[Instance] = field(default_factory=list)
    active: Instance | None = None
    same_size: bool = False
    crowd: Crowd | None = None
    crowd_layout: CrowdLayout | None = None
    floor: float = 0.0
    cell: float = 1.0
    extent: F32 = field(default_factory=lambda: np.zeros((2, 3), np.float32))
    follow: bool = True
    file_camera: int = -1
    _cuts: CameraCuts = field(default_factory=CameraCuts)
    _offsets: F32 = field(default_factory=lambda: np.zeros((0, 3), np.float32))  # last root offsets

    @property
    def character(self) -> Character | None:
        """Character of the active instance."""
        return None if self.active is None else self.active.character

    @property
    def bounds(self) -> PosedBounds | None:
        """Posed bounds of the active instance."""
        return None if self.active is None else self.active.bounds

    @property
    def visible(self) -> list[Instance]:
        """Instances that are not hidden."""
        return [instance for instance in self.instances if not instance.hidden]

    @property
    def characters(self) -> list[Character]:
        """Characters of the visible instances; empty while a crowd is drawn."""
        return [] if self.crowd is not None else [instance.character for instance in self.visible]

    @property
    def swept_in_place(self) -> F32:
        """Points [N, 3] that all sweep without root motion, world space, metres."""
        found = [instance.swept_in_place for instance in self.visible or self.instances]
        return np.concatenate(found) if found else np.zeros((1, 3), np.float32)

    @property
    def swept(self) -> F32:
        """Points [N, 3] that all sweep, moved by the current root motion, world space, metres."""
        found = [
            instance.swept_in_place + instance.root_offset
            for instance in self.visible or self.instances
        ]
        return np.concatenate(found) if found else np.zeros((1, 3), np.float32)

    @property
    def size(self) -> float:
        """Diagonal of `extent`, metres."""
        return float(np.linalg.norm(self.extent[1] - self.extent[0]))

    @property
    def view_camera(self) -> Camera:
        """The camera in use: one of the active model, or the orbit camera."""
        character = self.character
        if character is None or not 0 <= self.file_camera < len(character.model.cameras):
            return self.camera
        shown = character.pointer_values.camera(
            character.model.cameras[self.file_camera], character.pose.values
        )
        return FileCamera(shown, (character.world @ character.matrices[shown.joint]).astype(float))

    def show(self, model: Model) -> Character:
        """Show a model alone, in its rest pose, and return its character."""
        instance = Instance.of(model)
        self.set_instances([instance])
        return instance.character

    def set_instances(self, instances: Sequence[Instance]) -> None:
        """Replace all instances; the first one becomes active."""
        self.instances[:] = instances
        self.active = self.instances[0] if self.instances else None
        self.crowd, self._cuts = None, CameraCuts()
        self._offsets = self._root_offsets()
        self.measure()

    def add_model(self, model: Model, at: int | None = None) -> Character:
        """Add a model and return its character; call `measure` to line it up."""
        instance = Instance.of(model)
        self.add(instance, at)
        return instance.character

    def add(self, instance: Instance, at: int | None = None) -> None:
        """Insert an instance at index `at`, by default at the end; call `measure` to line it up."""
        self.instances.insert(len(self.instances) if at is None else at, instance)
        self.active = self.active or instance
        self._offsets = self._root_offsets()

    def remove(self, instance: Instance) -> None:
        """Remove an instance; if it was active, its neighbour becomes active."""
        at = self.instances.index(instance)
        if instance is self.active and len(self.instances) > 1:
            self.activate(self.instances[at + 1 if at + 1 < len(self.instances) else at - 1])
        self.instances.remove(instance)
        if not self.instances:
            self.active = None
        elif len(self.instances) == 1:
            self.instances[0].character.set_placement(np.eye(4, dtype=np.float32))
        self._offsets = self._root_offsets()
        self.measure()

    def activate(self, instance: Instance) -> None:
        """Make an instance active; the view does not change.

        A camera of the previous model is replaced by the free camera at the same position.
        """
        if instance is self.active:
            return
        self.use_free_camera()
        self.active = instance
        self._cuts = CameraCuts(instance.character.cut)

    def instance_at(self, point: F64) -> Instance | None:
        """Return the visible instance at a point [3] of world space, None if there is none.

        If bounds overlap, it is the instance with the nearest joint.
        """
        found = [
            each
            for each in self.visible
            if each.distance_to_bounds(point) <= PICK_MARGIN * self.size
        ]
        return min(found, key=lambda each: each.distance_to_joints(point), default=None)

    def show_crowd(self, crowd: Crowd) -> None:
        """Show a crowd of the first instance's model instead of it."""
        self.crowd = crowd
        self.measure()

    def measure(self) -> None:
        """Measure the swept bounds, line up the instances, set ground height and grid cell.

        The ground is at height 0, or at the lowest point of the rest pose if it is well below 0:
        the same for all clips.
        """
        if not self.instances:
            return
        self._update_layout()
        line_up(self.instances, same_size=self.same_size)
        if self.crowd is not None:
            first = self.instances[0]
            points = first.points()
            if self.crowd_layout is not None:
                points = self.crowd_layout.swept(first.character, first.bounds)
            first.swept_in_place = _crowd_corners(points, self.crowd.world)
            first.extent = np.stack(
                [first.swept_in_place.min(axis=0), first.swept_in_place.max(axis=0)]
            )
        self.floor = min(instance.floor() for instance in self.instances)
        self._update_extent(root_motion=False)
        self.cell = grid_cell(self.size)
        self._follow_root()  # root motion starts from the beginning of what plays now
        self._update_extent()

    def _update_layout(self) -> bool:
        """Show the crowd of `crowd_layout` if there is one instance; return whether it shows."""
        if self.crowd_layout is None:
            return False
        instance = self.instances[0]
        character = instance.character
        clip_plays = character.show == "clip" and not character.mixer.layered
        if len(self.instances) > 1 or not clip_plays:
            self.crowd = None
            return False
        self.crowd = self.crowd_layout.crowd(instance.character, instance.bounds)
        return True

    def frame(self, aspect: float, only: Instance | None = None) -> None:
        """Frame everything that plays, or only one instance, at any scale of the files."""
        self.measure()
        self.camera.frame(
            self.swept if only is None else only.swept_in_place + only.root_offset, aspect
        )

    def use_free_camera(self) -> None:
        """Switch from a camera of the file to the free camera, at the same position."""
        used, self.file_camera = self.view_camera, -1
        if isinstance(used, FileCamera):
            self.camera.match(used, self.extent.mean(axis=0))

    def update(self, tau: float) -> None:
        """Evaluate all characters, the crowd and the camera at the global time `tau`, seconds."""
        if self.active is None:
            return
        for instance in self.instances:
            instance.character.update(tau)
        if len(self.instances) > 1 and any(instance.stale for instance in self.instances):
            self.measure()
        self.file_camera = self._cuts.camera(self.active.character.cut, self.file_camera)
        if self.crowd_layout is not None:
            if self._update_layout():
                self.crowd_layout.update(self.active.character, self.active.bounds, tau)
        elif self.crowd is not None:
            self.crowd.update(tau)
        if (self._root_offsets() != self._offsets).any():
            self._follow_root()
            self._update_extent()

    def _root_offsets(self) -> F32:
        """Return the root offset [N, 3] of every instance."""
        return np.array([instance.root_offset for instance in self.instances], np.float32).reshape(
            -1, 3
        )

    def _follow_root(self) -> None:
        """Move the camera by the root motion of the active instance, if `follow`."""
        before, self._offsets = self._offsets, self._root_offsets()
        if self.follow and self.active is not None:
            k = self.instances.index(self.active)
            self.camera.target = self.camera.target + (self._offsets[k] - before[k])

    def _update_extent(self, *, root_motion: bool = True) -> None:
        """Set `extent` from the visible instances, with or without their root motion.

        It is computed from the placements each time, so rounding errors do not accumulate.
        """
        ends = [
            each.extent + each.root_offset if root_motion else each.extent
            for each in self.visible or self.instances
        ]
        self.extent = np.stack(
            [np.min([low for low, _ in ends], axis=0), np.max([high for _, high in ends], axis=0)]
        )


def _crowd_corners(points: F32, world: F32) -> F32:
    """Return the corners [8 N, 3] of the box of points, placed by N world matrices [N, 4, 4]."""
    ends = np.stack([points.min(axis=0), points.max(axis=0)])
    corners = np.stack(np.meshgrid(*ends.T), axis=-1).reshape(-1, 3)
    placed = corners @ np.swapaxes(world[:, :3, :3], 1, 2) + world[:, None, :3, 3]
    return placed.reshape(-1, 3)


def only_skeleton(model: Model) -> bool:
    """Return whether a model has no meshes in its scene."""
    return not any(
        model.meshes[instance.mesh].primitives for instance in model.instances if instance.in_scene
    )


def shown_joints(model: Model) -> Bool:
    """Return the joints [J] to draw: those of the skins and the joints between them.

    All nodes of the scene if there is no skin.
    """
    skeleton = model.skeleton
    shown = np.zeros(skeleton.count, bool)
    if not model.skins:
        shown[model.scene_joints] = True
        return shown
    for skin in model.skins:
        shown[skin.joints] = True
    # parents come before children: one pass from the leaves up finds joints with skin on both sides
    below = shown.copy()
    for joint in range(skeleton.count - 1, 0, -1):
        parent = skeleton.parents[joint]
        if parent >= 0:
            below[parent] |= below[joint]
    above = shown.copy()
    for joint in range(skeleton.count):
        parent = skeleton.parents[joint]
        if parent >= 0:
            above[joint] |= above[parent]
    return shown | (below & above)


def grid_cell(size: float) -> float:
    """Return the edge of a grid cell, metres: 1 for sizes from 0.5 to 20, else a power of ten."""
    if not 1e-12 < size < 1e12:
        return 1.0
    if 0.5 <= size <= 20.0:
        return 1.0
    return float(10.0 ** round(np.log10(size / 3.0)))
