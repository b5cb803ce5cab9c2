"""What is looked at: who is on stage, the camera, and what to show of them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from ..animation.crowd import Crowd
from ..animation.types import F32, F64, Bool
from ..model.model import Model
from .bounds import PosedBounds
from .camera import FileCamera, Lens, OrbitCamera
from .character import Character
from .crowd import Gathering
from .environment import Environment
from .instance import Actor
from .view_modes import ViewMode

ToneMapping = Literal["neutral", "aces", "linear", "none"]
GAP = 0.1  # of the wider one's width: between two neighbours
PART_OF = 1e-3  # of the size of the scene: so far off its box a point still is of a character
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
    shadow: bool = True  # of the first sun, on the ground (where the grid shows) and on itself
    weights_joint: int = -1  # joint whose weights are painted on the mesh, -1: none
    mask: tuple[float, ...] = ()  # [J] weights painted on the mesh instead; (): none
    view_mode: ViewMode = "lit"
    environment: Environment | None = None  # light from all around, None: the studio
    environment_from: tuple[str, float] | None = None  # its file, and degrees it was turned by
    tone_mapping: ToneMapping = "neutral"
    exposure: float = 0.0  # EV
    background: tuple[float, float, float, float] = BACKGROUND  # sRGB, straight alpha


@dataclass(slots=True)
class Scene:
    """Who is on stage, a camera and a display; `update` brings them to a moment.

    Attributes
    ----------
    actors
        All that are on stage, in the order in which they stand.
    active
        The one of them that is worked with: whose cameras and joints are meant.
    same_size
        Whether the others are drawn as tall as the first one, whatever their files' units are.
    crowd
        Drawn instead of the character, whose model it is of.
    gathering
        Makes the crowd, for as long as a clip plays and nobody else is on stage.
    floor, cell
        Height of the ground grid and the edge of its cells, metres.
    extent
        [2, 3] low and high of what is swept, world space.
    follow
        The camera goes where root motion takes the active one.
    through
        Camera of the active one's file that the picture is seen through, -1: `camera`.
    """

    camera: OrbitCamera = field(default_factory=OrbitCamera)
    display: Display = field(default_factory=Display)
    actors: list[Actor] = field(default_factory=list)
    active: Actor | None = None
    same_size: bool = False
    crowd: Crowd | None = None
    gathering: Gathering | None = None
    floor: float = 0.0
    cell: float = 1.0
    extent: F32 = field(default_factory=lambda: np.zeros((2, 3), np.float32))
    follow: bool = True
    through: int = -1
    _cut: int | None = None  # what the motion had cut to at the last look, None: nothing
    _uncut: int = -1  # `through` before that
    _ways: F32 = field(default_factory=lambda: np.zeros((0, 3), np.float32))  # at the last look

    @property
    def character(self) -> Character | None:
        """The character that is worked with."""
        return None if self.active is None else self.active.character

    @property
    def bounds(self) -> PosedBounds | None:
        """Where the character is that is worked with."""
        return None if self.active is None else self.active.bounds

    @property
    def seen(self) -> list[Actor]:
        """Those on stage that are not hidden."""
        return [actor for actor in self.actors if not actor.hidden]

    @property
    def characters(self) -> list[Character]:
        """All that are drawn one by one, in the order in which they stand."""
        return [] if self.crowd is not None else [actor.character for actor in self.seen]

    @property
    def room(self) -> F32:
        """Points [N, 3] that all sweep from where they were put, world space, metres."""
        found = [actor.room for actor in self.seen or self.actors]
        return np.concatenate(found) if found else np.zeros((1, 3), np.float32)

    @property
    def swept(self) -> F32:
        """Points [N, 3] that all sweep from where root motion has carried them by now."""
        found = [actor.room + actor.way for actor in self.seen or self.actors]
        return np.concatenate(found) if found else np.zeros((1, 3), np.float32)

    @property
    def size(self) -> float:
        """Diagonal of what is swept, metres."""
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
        """Put a new model on stage alone (in its rest pose) and return its character."""
        actor = Actor.of(model)
        self.cast([actor])
        return actor.character

    def cast(self, actors: Sequence[Actor]) -> None:
        """Put others on stage in place of all who are there; the first one is active."""
        self.actors[:] = actors
        self.active = self.actors[0] if self.actors else None
        self.crowd = self._cut = None
        self._ways = self._gone()
        self.measure()

    def join(self, model: Model, at: int | None = None) -> Character:
        """Put another model beside what is on stage; `measure` gives it room."""
        actor = Actor.of(model)
        self.admit(actor, at)
        return actor.character

    def admit(self, actor: Actor, at: int | None = None) -> None:
        """Put another one at place `at` of the row, at its end without; `measure` gives it room."""
        self.actors.insert(len(self.actors) if at is None else at, actor)
        self.active = self.active or actor
        self._ways = self._gone()

    def dismiss(self, actor: Actor) -> None:
        """Take one from the stage; where it was active, its neighbour is."""
        at = self.actors.index(actor)
        if actor is self.active and len(self.actors) > 1:
            self.activate(self.actors[at + 1 if at + 1 < len(self.actors) else at - 1])
        self.actors.remove(actor)
        if not self.actors:
            self.active = None
        elif len(self.actors) == 1:
            self.actors[0].character.stand(np.eye(4, dtype=np.float32))
        self._ways = self._gone()
        self.measure()

    def activate(self, actor: Actor) -> None:
        """Work with another one of those on stage; the picture stays as it is.

        What is seen through a camera of the file before it is seen from there by the free one.
        """
        if actor is self.active:
            return
        self.look_freely()
        self.active = actor
        self._cut, self._uncut = actor.character.cut, -1

    def actor_at(self, point: F64) -> Actor | None:
        """Return whom a point [3] of the world is a part of, None for nobody.

        Where boxes overlap it is the one whose joints are nearer.
        """
        found = [each for each in self.seen if each.far(point) <= PART_OF * self.size]
        return min(found, key=lambda each: each.near(point), default=None)

    def gather(self, crowd: Crowd) -> None:
        """Show a crowd of the character's model in its place."""
        self.crowd = crowd
        self.measure()

    def measure(self) -> None:
        """Sweep the posed bounds over what plays; gives everyone room, sets grid height and cell.

        The grid lies at height 0, or under what hangs below it at rest: it is the same for all
        clips.
        """
        if not self.actors:
            return
        self._gather()
        self._line_up()
        if self.crowd is not None:
            first = self.actors[0]
            points = first.points()
            if self.gathering is not None:
                points = self.gathering.swept(first.character, first.bounds)
            first.room = _of_all(points, self.crowd.world)
            first.extent = np.stack([first.room.min(axis=0), first.room.max(axis=0)])
        self.floor = min(actor.floor() for actor in self.actors)
        self._reach(ways=False)
        self.cell = grid_cell(self.size)
        self._go_along()  # something else plays, from its own beginning
        self._reach()

    def _gather(self) -> bool:
        """Let the crowd that is wanted stand in the only one's place; tell whether it does."""
        if self.gathering is None:
            return False
        actor = self.actors[0]
        plays = actor.character.show == "clip" and actor.character.mixer is None
        if len(self.actors) > 1 or not plays:
            self.crowd = None
            return False
        self.crowd = self.gathering.crowd(actor.character, actor.bounds)
        return True

    def _line_up(self) -> None:
        """Stand all but the first to the right, as far apart as what each sweeps is wide."""
        first = self.actors[0]
        if len(self.actors) > 1:
            first.character.stand(np.eye(4, dtype=np.float32))
        first.measure(first.points())
        before = first.extent
        for actor in self.actors[1:]:
            points = actor.points()
            scale = np.float32(_alike(first, actor) if self.same_size else 1.0)
            low, high = (float(end) * float(scale) for end in _ends(points[:, 0]))
            gap = GAP * max(high - low, float(before[1, 0] - before[0, 0]))
            place = np.diag(np.array([scale, scale, scale, 1.0], np.float32))
            place[0, 3] = before[1, 0] + gap - low
            actor.character.stand(place)
            actor.measure(points)
            before = actor.extent

    def frame(self, aspect: float, only: Actor | None = None) -> None:
        """Point the camera so that what plays fits, whatever the file's scale; or one alone."""
        self.measure()
        self.camera.frame(self.swept if only is None else only.room + only.way, aspect)

    def look_freely(self) -> None:
        """Go on with the free camera from where the file's camera stands, if that is in use."""
        lens, self.through = self.lens, -1
        if isinstance(lens, FileCamera):
            self.camera.stand_as(lens, self.extent.mean(axis=0))

    def update(self, tau: float) -> None:
        """Bring everything to the global time tau, seconds."""
        if self.active is None:
            return
        for actor in self.actors:
            actor.character.update(tau)
        if len(self.actors) > 1 and any(actor.stale for actor in self.actors):
            self.measure()
        self._cut_to(self.active.character.cut)
        if self.gathering is not None:
            if self._gather():
                self.gathering.update(self.active.character, self.active.bounds, tau)
        elif self.crowd is not None:
            self.crowd.update(tau)
        if (self._gone() != self._ways).any():
            self._go_along()
            self._reach()

    def _cut_to(self, camera: int | None) -> None:
        """Look through the camera that the motion has cut to; between cuts it may be changed."""
        if camera == self._cut:
            return
        if self._cut is None:
            self._uncut = self.through
        self.through = self._uncut if camera is None else camera
        self._cut = camera

    def _gone(self) -> F32:
        """Return how far [N, 3] root motion has carried everyone."""
        return np.array([actor.way for actor in self.actors], np.float32).reshape(-1, 3)

    def _go_along(self) -> None:
        """Take the camera where root motion has carried the active one, if it follows."""
        before, self._ways = self._ways, self._gone()
        if self.follow and self.active is not None:
            k = self.actors.index(self.active)
            self.camera.target = self.camera.target + (self._ways[k] - before[k])

    def _reach(self, *, ways: bool = True) -> None:
        """Take the extent of all that are seen, from where they were put or have gone since.

        It is reckoned from where they were put, so that the way there leaves no trace.
        """
        seen = self.seen or self.actors
        ends = [actor.extent + actor.way if ways else actor.extent for actor in seen]
        self.extent = np.stack(
            [np.min([low for low, _ in ends], axis=0), np.max([high for _, high in ends], axis=0)]
        )


def _ends(numbers: F32) -> tuple[float, float]:
    return float(numbers.min()), float(numbers.max())


def _alike(first: Actor, other: Actor) -> float:
    """Return the scale at which another one is as tall as the first."""
    wanted, size = first.size, other.size
    return wanted / size if wanted > 0.0 and size > 0.0 else 1.0


def _of_all(points: F32, world: F32) -> F32:
    """Return the corners [8 N, 3] of the box about points, where each of N characters stands."""
    ends = np.stack([points.min(axis=0), points.max(axis=0)])
    corners = np.stack(np.meshgrid(*ends.T), axis=-1).reshape(-1, 3)
    placed = corners @ np.swapaxes(world[:, :3, :3], 1, 2) + world[:, None, :3, 3]
    return placed.reshape(-1, 3)


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
