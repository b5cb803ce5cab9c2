"""The character that rules examine: its model, its document, and cached data for several rules."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar, TypeVarTuple, cast

import numpy as np

from ..animation.clip import Clip
from ..animation.model_space import to_model_transforms
from ..animation.pose import Pose
from ..animation.types import F32, F64, I32
from ..gltf.document import Document
from ..model.model import Model
from ..model.skinned_vertices import VertexBlock, height, vertex_blocks
from ..retargeting.hips import guess_hips
from .rule_settings import matches_pattern
from .stored_meshes import StoredMeshes

if TYPE_CHECKING:
    from ..motion.read import MotionFile

REFERENCE_HEIGHT = 1.8  # metres: the height that scaled limits are given for
RATE = 60.0  # samples per second of a sampled clip
MAX_SAMPLES = 3600  # samples per clip: longer clips are sampled more coarsely
MAX_CACHED_BYTES = 1 << 28  # memory for cached sampled clips
_TRACK = re.compile(r"/animations/(?P<clip>\d+)/(?P<kind>channels|samplers)/(?P<number>\d+)")
T = TypeVar("T")
Given = TypeVarTuple("Given")
NOTHING_SAID: Mapping[str, bool] = MappingProxyType({})
NOTHING_MATCHED: Mapping[str, tuple[int, int]] = MappingProxyType({})


@dataclass(frozen=True, slots=True, eq=False)
class ClipPoses:
    """A clip sampled at even times, from its first key to its last, both included."""

    times: F64  # [T] seconds of the clip
    step: float  # seconds between samples; 0 if there is only one
    matrices: F64  # [T, J, 4, 4] model space
    rotations: F64  # [T, J, 4] rotations, model space, unit length, signs not aligned
    values: F32  # [T, P]

    @property
    def positions(self) -> F64:
        """Origins of the joints [T, J, 3], metres, model space."""
        return self.matrices[..., :3, 3]


class CheckContext:
    """The character under examination.

    Parameters
    ----------
    model
        The loaded model.
    clips
        Indices of the examined clips; None: all.
    motion
        Its motion file.
    loops
        Whether clips loop, by name pattern: ``{"Death*": False}``.
    advice
        Warnings of binding the motion file.
    matches
        For clips of other files, by name: the number of matched joints, and of all joints.

    Attributes
    ----------
    document
        That of the model, with the original JSON; empty for motion capture.
    """

    def __init__(
        self,
        model: Model,
        *,
        clips: Sequence[int] | None = None,
        motion: "MotionFile | None" = None,
        loops: Mapping[str, bool] = NOTHING_SAID,
        advice: Sequence[str] = (),
        matches: Mapping[str, tuple[int, int]] = NOTHING_MATCHED,
    ) -> None:
        self.model = model
        document = model.document
        self.document = document if isinstance(document, Document) else Document({}, model.name)
        self.motion = motion
        self.loops = loops
        self.advice = tuple(advice)
        self.matches = matches
        self.clips = tuple(range(len(model.clips)) if clips is None else clips)
        self._sampled: dict[int, ClipPoses] = {}
        self._kept = 0  # bytes of the cached clips
        self._known: dict[tuple[object, ...], object] = {}

    @property
    def is_capture(self) -> bool:
        """Whether it is motion capture, which has no document."""
        return not self.document.json

    @cached_property
    def stored(self) -> StoredMeshes:
        """The meshes as the file stores them."""
        return StoredMeshes(self.document)

    @cached_property
    def blocks(self) -> list[VertexBlock]:
        """All drawn vertices, with their influences."""
        return vertex_blocks(self.model)

    @cached_property
    def height(self) -> float:
        """Height at rest, metres; 0 without vertices."""
        return height(self.model, self.blocks)

    @cached_property
    def rest(self) -> tuple[F64, F64]:
        """Matrices [J, 4, 4] and rotations [J, 4] of the joints at rest, metres, model space."""
        return to_model_transforms(self.model.skeleton, self.model.skeleton.rest)

    @property
    def scale(self) -> float:
        """Factor of scaled limits: 1 for a character 1.8 m tall."""
        return self.height / REFERENCE_HEIGHT if self.height > 0 and isfinite(self.height) else 1.0

    def configured_loop(self, clip: str) -> bool | None:
        """Return whether a clip is configured to loop; None if it is not configured."""
        return next(
            (loop for name, loop in self.loops.items() if matches_pattern(clip, name)), None
        )

    @cached_property
    def skin_joints(self) -> I32:
        """The joints of all skins, sorted; all joints if there is no skin."""
        skins = [skin.joints for skin in self.model.skins if len(skin.joints)]
        if not skins:
            return np.arange(self.model.skeleton.count, dtype=np.int32)
        return np.unique(np.concatenate(skins)).astype(np.int32)

    @cached_property
    def hips(self) -> int:
        """The hips joint: from the VRM humanoid, else guessed; -1: none."""
        named = self.model.humanoid.get("hips")
        if named is not None:
            return named
        return guess_hips(self.model.skeleton, self.skin_joints, self.model.clips)

    def clip(self, index: int) -> Clip:
        """Return one of the model's clips."""
        return self.model.clips[index]

    def extras(self, index: int) -> Mapping[str, Any]:
        """Return ``extras.rigview`` of a clip; empty without it."""
        rows = self.document.rows("animations")
        extras = rows[index].get("extras") if index < len(rows) else None
        own = extras.get("rigview") if isinstance(extras, dict) else None
        return own if isinstance(own, dict) else {}

    def place(self, clip: str, joint: str) -> str:
        """Return the JSON pointer of a clip, else of a joint; ``""`` if the file has neither."""
        if self.is_capture:
            return ""
        clips = [
            existing.name for existing in self.model.clips[: len(self.document.rows("animations"))]
        ]
        if clip:
            return f"/animations/{clips.index(clip)}" if clip in clips else ""
        names = self.model.skeleton.names
        if joint not in names:
            return ""
        nodes = np.flatnonzero(self.model.skeleton.joint_of_node == names.index(joint))
        return f"/nodes/{nodes[0]}" if len(nodes) else ""

    def track_path(self, place: str) -> str:
        """Return the path of the track at a JSON pointer, such as "rotation"; "" without one."""
        found = _TRACK.match(place)
        if found is None:
            return ""
        clip, number = int(found["clip"]), int(found["number"])
        channels = [
            channel
            for animation in self.document.rows("animations")[clip : clip + 1]
            for k, channel in enumerate(animation["channels"])
            if number == (k if found["kind"] == "channels" else channel["sampler"])
        ]
        return str(channels[0]["target"].get("path", "")) if channels else ""

    def sampled(self, index: int) -> ClipPoses:
        """Return a clip sampled at about 60 poses per second; cached while memory allows.

        NaN and infinity of the file are kept: rules must tolerate them.
        """
        if index in self._sampled:
            return self._sampled[index]
        clip = self.clip(index)
        count = min(max(1, round(clip.duration * RATE)), MAX_SAMPLES) if clip.duration > 0 else 0
        times = np.linspace(clip.start, clip.end, count + 1)
        found = self.posed(clip, times, clip.duration / count if count else 0.0)
        size = found.matrices.nbytes + found.rotations.nbytes
        if self._kept + size <= MAX_CACHED_BYTES:  # else clips are sampled again
            self._sampled[index] = found
            self._kept += size
        return found

    def posed(self, clip: Clip, times: F64, step: float = 0.0) -> ClipPoses:
        """Return a clip sampled at clip times [T], seconds, `step` apart (0 if uneven)."""
        rest = self.model.skeleton.rest
        pose = Pose.like(rest, times.shape)
        pose.assign(rest)
        clip.sample(times, pose)
        with np.errstate(all="ignore"):
            matrices, rotations = to_model_transforms(self.model.skeleton, pose)
        return ClipPoses(times, step, matrices, rotations, pose.values)

    def cached(self, work: "Callable[[CheckContext, *Given], T]", *given: *Given) -> T:
        """Return `work(self, *given)`, such as about a clip by its index, cached for all rules."""
        key = (work, *given)
        if key not in self._known:
            self._known[key] = work(self, *given)
        return cast("T", self._known[key])
