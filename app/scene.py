"""What is looked at: the character, the camera, and what to show of it."""

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from app.animation.crowd import Crowd
from app.animation.types import F32, Bool
from app.bounds import PosedBounds
from app.camera import FileCamera, Lens, OrbitCamera
from app.character import Character
from app.environment import Environment
from app.gathering import Gathering
from app.model import Model
from app.views import ViewMode

ToneMapping = Literal["neutral", "aces", "linear", "none"]
GAP = 0.1  # of the wider one's width: between two that stand side by side
BACKGROUND = (0.188, 0.196, 0.212, 1.0)  # a neutral dark grey, sRGB


@dataclass(slots=True)
class Display:
    """What to show, and how."""

    skeleton: bool = False
    joint_names: bool = False
    axes: bool = False
    wireframe: bool = False
    bounds: bool = False  # boxes about the character and each of its meshes, as they stand
    grid: bool = True
    variant: int = -1  # of KHR_materials_variants, -1: the file's own materials
    shadow: bool = True  # of the first light, on the ground (where the grid shows) and on itself
    weights_joint: int = -1  # joint whose weights are painted on the mesh, -1: none
    mask: tuple[float, ...] = ()  # [J] weights painted on the mesh instead; (): none
    view_mode: ViewMode = "lit"
    environment: Environment | None = None  # light from all around, None: the studio
    environment_from: tuple[str, float] | None = None  # its file, and degrees it was turned by
    tone_mapping: ToneMapping = "neutral"
    exposure: float = 0.0  # EV
    background: tuple[float, float, float, float] = BACKGROUND  # sRGB, straight alpha


def _nothing() -> tuple[F32, F32]:
    return np.zeros((1, 3), np.float32), np.zeros((2, 3), np.float32)


@dataclass(slots=True)
class Scene:
    """Characters, a camera and a display; `update` brings them to a moment."""

    camera: OrbitCamera = field(default_factory=OrbitCamera)
    display: Display = field(default_factory=Display)
    character: Character | None = None
    others: list["Other"] = field(default_factory=list)  # who stands beside the character
    crowd: Crowd | None = None  # drawn instead of the character, whose model it is of
    gathering: Gathering | None = None  # makes the crowd, for as long as a clip plays
    bounds: PosedBounds | None = None
    floor: float = 0.0  # height of the ground grid, metres
    cell: float = 1.0  # edge of a grid cell, metres
    swept: F32 = field(default_factory=lambda: np.zeros((1, 3), np.float32))  # [N, 3] world
    extent: F32 = field(default_factory=lambda: np.zeros((2, 3), np.float32))  # low, high of swept
    follow: bool = True  # the camera goes where root motion takes the character
    through: int = -1  # camera of the file that the picture is seen through, -1: `camera`
    _cut: int | None = None  # what the motion had cut to at the last look, None: nothing
    _uncut: int = -1  # `through` before that
    _measured: tuple[F32, F32] = field(default_factory=_nothing)  # swept and extent, as measured,
    _origin: F32 = field(default_factory=lambda: np.zeros(3, np.float32))  # with the character here
    _stands: F32 = field(default_factory=lambda: np.zeros(3, np.float32))  # at the last look

    @property
    def characters(self) -> list[Character]:
        """All that are drawn one by one; the first is the one that is worked with."""
        if self.character is None or self.crowd is not None:
            return []
        return [self.character, *(other.character for other in self.others)]

    @property
    def size(self) -> float:
        """Diagonal of what the character sweeps over its clip, metres."""
        return float(np.linalg.norm(self.extent[1] - self.extent[0]))

    @property
    def lens(self) -> Lens:
        """What the picture is seen through."""
        character = self.character
        if character is None or not 0 <= self.through < len(character.model.cameras):
            return self.camera
        shown = character.moving.camera(
            character.model.cameras[self.through], character.pose.values
        )
        return FileCamera(shown, (character.world @ character.matrices[shown.joint]).astype(float))

    def show(self, model: Model) -> Character:
        """Put a new model on stage (in its rest pose) and return its character."""
        self.character = Character(model)
        self.crowd = self._cut = None
        self.others.clear()
        self.bounds = PosedBounds(model)
        self.measure()
        return self.character

    def join(self, model: Model) -> Character:
        """Put another model beside what is on stage, in its rest pose; `measure` gives it room."""
        other = Other(Character(model), PosedBounds(model))
        self.others.append(other)
        return other.character

    def gather(self, crowd: Crowd) -> None:
        """Show a crowd of the character's model in its place."""
        self.crowd = crowd
        self.measure()

    def measure(self) -> None:
        """Sweep the posed bounds over the clip that plays; sets grid height and cell size.

        Where the rest or the bind pose is shown, the bounds are those of the present pose. The
        grid lies at height 0, or under what hangs below it at rest: it is the same for all clips.
        """
        if self.character is None or self.bounds is None:
            return
        self._gather(self.character, self.bounds)
        if self.character.show == "clip" and self.character.directed:
            points = self.bounds.corners(self.character.sweep())
            if self.character.turns:
                points = _all_around(points)
        elif self.character.show == "clip":
            points = self.bounds.sweep(self.character.clip)
        else:
            points = self.bounds.corners(self.character.pose)
        if not len(points):
            points = np.zeros((1, 3), np.float32)  # a file with nothing in it
        world = self.character.world
        if self.character.directed:  # at its beginning: what is measured goes along
            world = np.eye(4, dtype=np.float32)
        self.swept = points @ world[:3, :3].T + world[:3, 3]
        if self.crowd is not None:
            if self.gathering is not None:
                points = self.gathering.swept(self.character, self.bounds)
            self.swept = _of_all(points, self.crowd.world)
        self.extent = np.stack([self.swept.min(axis=0), self.swept.max(axis=0)])
        self.floor = _floor(self.bounds, world)
        self._line_up()
        self.cell = grid_cell(self.size)
        self._measured = self.swept, self.extent
        self._origin = world[:3, 3].copy()
        before, self._stands = self._stands, self.character.world[:3, 3].copy()
        if self.follow:  # something else plays, from its own beginning
            self.camera.target = self.camera.target + (self._stands - before)
        self._take_along()

    def _gather(self, character: Character, bounds: PosedBounds) -> bool:
        """Let the crowd that is wanted stand in the character's place; tell whether it does."""
        if self.gathering is None:
            return False
        plays = character.show == "clip" and character.mixer is None
        self.crowd = self.gathering.crowd(character, bounds) if plays else None
        return plays

    def _line_up(self) -> None:
        """Stand the others to the right, as far apart as what each sweeps is wide, and measure."""
        for other in self.others:
            points = other.swept()
            width = float(np.ptp(points[:, 0])), float(np.ptp(self.extent[:, 0]))
            right = self.extent[1, 0] + GAP * max(width) - float(points[:, 0].min())
            other.character.world = np.eye(4, dtype=np.float32)
            other.character.world[0, 3] = right
            self.swept = np.concatenate([self.swept, points + other.character.world[:3, 3]])
            self.extent = np.stack([self.swept.min(axis=0), self.swept.max(axis=0)])
            self.floor = min(self.floor, _floor(other.bounds, other.character.world))

    def frame(self, aspect: float) -> None:
        """Point the camera so that the clip that plays fits, whatever the file's scale."""
        self.measure()
        self.camera.frame(self.swept, aspect)

    def look_freely(self) -> None:
        """Go on with the free camera from where the file's camera stands, if that is in use."""
        lens, self.through = self.lens, -1
        if isinstance(lens, FileCamera):
            self.camera.stand_as(lens, self.extent.mean(axis=0))

    def update(self, tau: float) -> None:
        """Bring everything to the global time tau, seconds."""
        if self.character is None:
            return
        self.character.update(tau)
        for other in self.others:
            other.character.update(tau)
        self._cut_to(self.character.cut)
        if self.gathering is not None and self.bounds is not None:
            if self._gather(self.character, self.bounds):
                self.gathering.update(self.character, self.bounds, tau)
        elif self.crowd is not None:
            self.crowd.update(tau)
        self._go_along(self.character.world[:3, 3])

    def _cut_to(self, camera: int | None) -> None:
        """Look through the camera that the motion has cut to; between cuts it may be changed."""
        if camera == self._cut:
            return
        if self._cut is None:
            self._uncut = self.through
        self.through = self._uncut if camera is None else camera
        self._cut = camera

    def _go_along(self, place: F32) -> None:
        """Take what was measured along with root motion, and the camera where it follows."""
        way = place - self._stands
        if not way.any():
            return
        self._stands = place.copy()
        self._take_along()
        if self.follow:
            self.camera.target = self.camera.target + way

    def _take_along(self) -> None:
        """Move what was measured; from where it was, so that the way there leaves no trace."""
        way = self._stands - self._origin
        self.swept, self.extent = (points + way for points in self._measured)


@dataclass(slots=True)
class Other:
    """A character beside the one that is worked with; it plays a clip where it stands."""

    character: Character
    bounds: PosedBounds

    def swept(self) -> F32:
        """Return the corner points [N, 3] of what it sweeps, in model space."""
        character = self.character
        if character.show == "clip":
            points = self.bounds.sweep(character.clip)
        else:
            points = self.bounds.corners(character.pose)
        return points if len(points) else np.zeros((1, 3), np.float32)


def _floor(bounds: PosedBounds, world: F32) -> float:
    """Return the height of the ground: 0, or under what hangs below it at rest, metres."""
    rest = bounds.corners(bounds.model.skeleton.rest)
    if not len(rest):
        return 0.0
    lowest = float((rest @ world[1, :3] + world[1, 3]).min())
    return lowest if lowest < -0.1 * float(np.linalg.norm(np.ptp(rest, 0))) else 0.0


def _of_all(points: F32, world: F32) -> F32:
    """Return the corners [8 N, 3] of the box about points, where each of N characters stands."""
    ends = np.stack([points.min(axis=0), points.max(axis=0)])
    corners = np.stack(np.meshgrid(*ends.T), axis=-1).reshape(-1, 3)
    placed = corners @ np.swapaxes(world[:, :3, :3], 1, 2) + world[:, None, :3, 3]
    return placed.reshape(-1, 3)


def _all_around(points: F32, slices: int = 8) -> F32:
    """Return the corners of rings, one a slice of height, that hold points however they turn."""
    height, far = points[:, 1], np.hypot(points[:, 0], points[:, 2])
    part = (height - height.min()) / max(float(np.ptp(height)), 1e-12) * slices
    part = np.minimum(part.astype(np.intp), slices - 1)
    angles = np.arange(8) * (np.pi / 4)
    ring = np.stack([np.sin(angles), np.zeros(8), np.cos(angles)], axis=-1) / np.cos(np.pi / 8)
    found = []
    for k in np.unique(part).tolist():
        here = part == k
        for level in (height[here].min(), height[here].max()):
            found.append(far[here].max() * ring + [0.0, level, 0.0])
    return np.concatenate(found).astype(np.float32)


def only_skeleton(model: Model) -> bool:
    """Tell whether there is nothing to draw of a model but its joints."""
    return not any(
        model.meshes[instance.mesh].primitives for instance in model.instances if instance.in_scene
    )


def shown_joints(model: Model) -> Bool:
    """Return which joints [J] are worth drawing: those of the skins and what lies between them.

    Without a skin it is every node of the scene.
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
    """Return the edge of a grid cell: 1 m for what is of a person's order, else a power of ten."""
    if not 1e-12 < size < 1e12:
        return 1.0
    if 0.5 <= size <= 20.0:
        return 1.0
    return float(10.0 ** round(np.log10(size / 3.0)))
