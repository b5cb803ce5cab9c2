"""One character placed in a scene: its placement, bounds and visibility."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Self

import numpy as np

from ..animation.playback import Loop
from ..animation.types import F32, F64
from ..animation.vectors import extent
from ..blending.mixer import IN_PLACE, Mixer
from ..errors import UsageError
from ..memo import Memo
from ..model.facing import DEFAULT_FACING, Direction, find_facing, yaw_of
from ..model.joint_branches import branches_reference, find_branches
from ..model.lookup import clip_reference, find_variant
from ..model.mesh_parts import find_parts, parts_reference
from ..model.model import Model
from ..scenedoc.look import Still
from ..scenedoc.shown import Show, Shown
from .bounds import PosedBounds, rings_around
from .character import Character
from .origin import WORLD_ORIGIN, place_points, rounded

MAX_SIZE_RATIO = 10.0  # the smaller of two characters is hard to find beyond it
BEFORE = 0.35  # of its depth at rest: distance of the point before a character
FLAT = 0.25  # height over the longest edge: a lower model is measured by its length
BELOW = -0.15  # of its height: with a lower lowest point, a character is above a floor of its own


def _origin() -> F32:
    return np.zeros((1, 3), np.float32)


class _Played(NamedTuple):
    """The fields of the record of a character that say what it plays, but for its clip."""

    pose: Show
    trim: bool
    played: float | None
    since: float | None
    speed: float
    loop: Loop


@dataclass(eq=False)
class Instance:
    """A character with its bounds, and the points that it sweeps while its clip or motion plays.

    Attributes
    ----------
    shown
        What is drawn of it, by names; `bind` sets it, `record` has also what plays.
    given_facing
        The direction that it faces, as its motion file says; None: as found in the model.
    swept_in_place
        [N, 3] points swept without root motion, from its placement, world space.
    extent
        [2, 3] low and high corner of `swept_in_place`.
    """

    character: Character
    bounds: PosedBounds
    shown: Shown = field(default_factory=Shown)
    given_facing: Direction | None = None
    swept_in_place: F64 = field(default_factory=lambda: np.zeros((1, 3)))
    extent: F64 = field(default_factory=lambda: np.zeros((2, 3)))
    _swept: Memo[[Character, PosedBounds, Mixer, bytes], F32] = field(
        default_factory=lambda: Memo(_swept_points)
    )
    _swept_ghost: Memo[[Character, Mixer, Still], F32] = field(
        default_factory=lambda: Memo(_swept_joints)
    )
    _rest: Memo[[PosedBounds, Model], F32] = field(default_factory=lambda: Memo(_rest_corners))
    _found_facing: Memo[[Model], Direction | None] = field(
        default_factory=lambda: Memo(find_facing)
    )
    _record: Memo[[Shown, Model, int, _Played], Shown] = field(
        default_factory=lambda: Memo(_with_played)
    )
    _measured: tuple[object, ...] = ()  # shown when `swept_in_place` was measured

    @classmethod
    def of(cls, model: Model) -> Self:
        """Return a new character of a model, in its rest pose."""
        return cls(Character(model), PosedBounds(model))

    def replace_model(self, model: Model) -> Character:
        """Replace the model, keeping the placement; return the new character."""
        placement = self.character.placement
        self.character, self.bounds = Character(model), PosedBounds(model)
        self.character.set_placement(placement)
        self._swept.forget()
        self._swept_ghost.forget()
        self._find_names(skip_missing=True)
        return self.character

    def bind(self, shown: Shown, *, skip_missing: bool = False) -> None:
        """Draw what a record says: variant, meshes and joints, unless the instance is hidden.

        Raises
        ------
        UsageError
            The model lacks something that the record names, unless that is to be skipped.
        """
        self.shown = shown
        self._find_names(skip_missing=skip_missing)

    @property
    def record(self) -> Shown:
        """What is shown of it and what it plays, by names.

        It does not change while time runs: it has the time at which playback was set last.
        """
        character = self.character
        playback, mixer = character.playback, character.mixer
        played = _Played(
            character.show,
            character.trim,
            None if mixer.still else float(playback.t0),
            None if mixer.still or playback.paused else float(playback.tau0),
            float(playback.rate),
            (playback.mode, float(playback.passes)),
        )
        return self._record(self.shown, self.model, -1 if mixer.layered else character.clip, played)

    def _find_names(self, *, skip_missing: bool) -> None:
        """Find in the model what `shown` names."""
        character, shown = self.character, self.shown
        try:
            character.variant = _variant(character.model, shown.variant, skip_missing=skip_missing)
            parts, joints = shown.hidden_meshes or "", shown.hidden_joints or ""
            character.hidden_parts = find_parts(character.model, parts, skip_missing=skip_missing)
            character.hidden_joints = find_branches(
                character.model, joints, skip_missing=skip_missing
            )
        except UsageError as error:
            error.file = shown.name
            raise

    def hidden_names(
        self, parts: frozenset[tuple[int, int]], joints: frozenset[int]
    ) -> dict[str, Any]:
        """Return the fields of the record that hide parts of meshes and joints of the model."""
        return {
            "hidden_meshes": parts_reference(self.model, parts) or None,
            "hidden_joints": branches_reference(self.model, joints) or None,
        }

    @property
    def hidden(self) -> bool:
        """Whether it is not drawn, and its lights are off; its place in the row stays free."""
        return self.shown.hidden

    @property
    def model(self) -> Model:
        """The model of the character."""
        return self.character.model

    @property
    def facing(self) -> Direction:
        """The direction that it faces in the rest pose; +Z if it is neither given nor found."""
        if self.given_facing is not None:
            return self.given_facing
        return self._found_facing(self.model) or DEFAULT_FACING

    @property
    def front(self) -> float:
        """Azimuth of its front, radians about +Y, 0 for +Z."""
        return yaw_of(self.facing)

    @property
    def root_offset(self) -> F64:
        """Displacement [3] by root motion from its placement, world space, metres."""
        if self.character.root_motion is IN_PLACE:
            return WORLD_ORIGIN
        offset = self.character.world[:3, 3] - self.character.placement[:3, 3]
        return rounded(offset, offset)

    @property
    def swept(self) -> F64:
        """`swept_in_place` [N, 3], moved by the current root motion, world space, metres."""
        return self._moved(self.swept_in_place)

    @property
    def moved_extent(self) -> F64:
        """`extent` [2, 3], moved by the current root motion, world space, metres."""
        return self._moved(self.extent)

    def _moved(self, points: F64) -> F64:
        if self.character.root_motion is IN_PLACE:
            return points
        return rounded(points + self.root_offset, self.character.world[:3, 3])

    @property
    def _rest_corners(self) -> F32:
        """Corners [N, 3] of the bounds in the rest pose, model space."""
        return self._rest(self.bounds, self.model)

    @property
    def rest_corners(self) -> F64:
        """Corners [N, 3] of the bounds in the rest pose, world space, without root motion."""
        return place_points(self.character.placement, self._rest_corners)

    @property
    def pose_corners(self) -> F64:
        """Corners [N, 3] of the bounds in the current pose, world space."""
        return place_points(self.character.world, self.bounds.corners(self.character.pose))

    def ghost_joints(self, pose: Still) -> F64:
        """Return the joints [N, 3] of a ghost at the root of the current pose, world space."""
        character = self.character
        return place_points(character.world, character.ghost(pose, character.matrices))

    @property
    def size(self) -> float:
        """Height in the rest pose, metres of the file; the length of a flat model."""
        rest = self._rest_corners
        if not len(rest):
            return 0.0
        edges = np.ptp(rest, axis=0)
        tall, longest = float(edges[1]), float(edges.max())
        return tall if tall > FLAT * longest else longest

    @property
    def stale(self) -> bool:
        """Whether the clip or motion has changed since `swept_in_place` was measured."""
        return self._measured[:3] != self._shown[:3]

    @property
    def is_outdated(self) -> bool:
        """Whether anything of what it plays has changed since `swept_in_place` was measured."""
        return self._measured != self._shown

    @property
    def _shown(self) -> tuple[object, ...]:
        character = self.character
        mixer, held = character.mixer, character.override.tobytes()
        return character.show, character.clip, mixer.from_motion, mixer, held

    def points(self) -> F32:
        """Return corner points [N, 3] of the swept bounds, in model space.

        They are those of the current pose if the rest or the bind pose is shown.
        """
        character = self.character
        if character.show != "clip":
            swept = self.bounds.corners(character.pose)
            return swept if len(swept) else _origin()
        return self._swept(character, self.bounds, character.mixer, character.override.tobytes())

    def include_ghost(self, pose: Still) -> None:
        """Add the joints of a ghost, at the roots of all that plays, to `swept_in_place`."""
        placed = place_points(self.character.placement, self._ghost_points(pose))
        self.swept_in_place = np.concatenate([self.swept_in_place, placed])

    def _ghost_points(self, pose: Still) -> F32:
        """Return the points [N, 3] that the joints of a ghost sweep, model space."""
        character = self.character
        if character.show != "clip":
            return character.ghost(pose, character.still_matrices(character.show))
        return self._swept_ghost(character, character.mixer, pose)

    def measure(self, points: F32) -> None:
        """Set `swept_in_place` and `extent` from swept points [N, 3], model space."""
        self.swept_in_place = place_points(self.character.placement, points)
        self.extent = extent(self.swept_in_place)
        self._measured = self._shown

    def floor(self) -> float:
        """Return the ground height, metres: 0, or the lowest point at rest if well below 0."""
        rest = self._rest_corners
        if not len(rest):
            return 0.0
        heights = self.rest_corners[:, 1]
        lowest = float(heights.min())
        return lowest if lowest < BELOW * float(np.ptp(heights)) else 0.0

    def edge_on_floor(self, floor: float, toward: F64) -> F64:
        """Return the point [3] on the floor before the present pose, on the side of a direction.

        Its distance from the middle of the joints is a share of the depth at rest, so it does not
        move with arms and legs. World space, metres.
        """
        character = self.character
        places = character.matrices[character.drawn_joints.joints, :3, 3]
        world = character.world
        middle = places.mean(axis=0) if len(places) else np.zeros(3)
        point = world[:3, :3] @ middle + world[:3, 3]
        rest = self._rest_corners
        depth = BEFORE * float(np.ptp(rest[:, ::2], axis=0).min()) if len(rest) else 0.0
        flat = toward * [1.0, 0.0, 1.0]
        away = flat / max(float(np.linalg.norm(flat)), 1e-9) * depth * np.linalg.norm(world[:3, 0])
        return np.array([point[0] + away[0], floor, point[2] + away[2]])


def _with_played(shown: Shown, model: Model, clip: int, played: _Played) -> Shown:
    """Return a record with what plays: a clip, -1 for none or for layers."""
    name = None if clip < 0 else clip_reference(model, clip)
    return replace(shown, clip=name, time=None, **played._asdict())


def _variant(model: Model, name: str | None, *, skip_missing: bool) -> int:
    """Return the index of the material variant of a name, -1 without."""
    if name is None:
        return -1
    try:
        return find_variant(model, name)
    except UsageError:
        if not skip_missing:
            raise
        return -1


def size_difference(named: Iterable[tuple[Instance, str]]) -> str:
    """Return a note if one instance is far smaller than another, otherwise an empty string."""
    sized = sorted((instance.size, name) for instance, name in named if instance.size > 0.0)
    if len(sized) < 2 or sized[-1][0] < MAX_SIZE_RATIO * sized[0][0]:
        return ""
    (small, name), (large, other) = sized[0], sized[-1]
    return f"{other} is {large / small:.0f} times as tall as {name}"


def _rest_corners(bounds: PosedBounds, model: Model) -> F32:
    return bounds.corners(model.skeleton.rest)


def _swept_points(character: Character, bounds: PosedBounds, mixer: Mixer, _override: bytes) -> F32:
    """Return corner points [N, 3] that a character sweeps while a mixer plays, model space.

    `_override` are the values of the character's `override`, which is written in place.
    """
    sweep = character.with_override(mixer.sweep())
    swept = bounds.sweep(sweep.poses)
    if sweep.rotates:
        swept = _turned(swept)
    return swept if len(swept) else _origin()  # an empty file


def _swept_joints(character: Character, mixer: Mixer, pose: Still) -> F32:
    """Return the points [N, 3] that the joints of a ghost sweep while a mixer plays."""
    sweep, to_model = mixer.sweep(), character.model.skeleton.to_model
    points = [character.ghost(pose, to_model(each)).reshape(-1, 3) for each in sweep.poses]
    swept = np.concatenate(points)
    return _turned(swept) if sweep.rotates and len(swept) else swept


def _turned(points: F32) -> F32:
    """Return points [N, 3] that hold some points [M, 3] at any rotation about +Y."""
    radii = np.hypot(points[:, 0], points[:, 2])
    return rings_around(points[:, 1], radii, slices=8, sides=8).astype(np.float32)
