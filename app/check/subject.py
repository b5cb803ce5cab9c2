"""What is looked at: a model, the document it came from, and what several rules want to know."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar, cast

import numpy as np

from ..animation.clip import Clip
from ..animation.pose import Pose
from ..animation.types import F32, F64, I32
from ..gltf.document import Document
from ..model.model import Model
from ..model.skinned_vertices import Piece, height, model_space, pieces
from ..retargeting.hips import guess_hips
from .rule_settings import like
from .stored_meshes import Raw

if TYPE_CHECKING:
    from ..motion.read import MotionFile

TALL = 1.8  # metres: the height that limits of length are given for
RATE = 60.0  # samples a second of a clip that is looked at as it moves
MOST = 3600  # samples of one clip: a longer one is looked at more coarsely
MOST_BYTES = 1 << 28  # of the sampled clips that are kept
T = TypeVar("T")
NOTHING_SAID: Mapping[str, bool] = MappingProxyType({})


@dataclass(frozen=True, slots=True, eq=False)
class Sampled:
    """A clip at even times, from its first key to its last, both included."""

    times: F64  # [T] seconds of the clip
    step: float  # seconds between two of them; 0 where there is one only
    matrices: F64  # [T, J, 4, 4] model space
    turns: F64  # [T, J, 4] model space, unit length, not made continuous
    values: F32  # [T, P]

    @property
    def places(self) -> F64:
        """Origins of the joints [T, J, 3], metres, model space."""
        return self.matrices[..., :3, 3]


class Subject:
    """A character as the rules see it.

    Parameters
    ----------
    model
        What is looked at.
    document
        The file it came from, with its JSON as it stands; None for motion capture.
    clips
        Which of its clips count; None: all.
    motion
        The motion file that goes with it.
    loops
        Whether clips loop, by patterns of their names: ``{"Death*": False}``.
    advice
        What is likely to look wrong where the motion file is put to work.
    """

    def __init__(
        self,
        model: Model,
        document: Document | None = None,
        *,
        clips: Sequence[int] | None = None,
        motion: "MotionFile | None" = None,
        loops: Mapping[str, bool] = NOTHING_SAID,
        advice: Sequence[str] = (),
    ) -> None:
        self.model = model
        self.document = document
        self.motion = motion
        self.loops = loops
        self.advice = tuple(advice)
        self.clips = tuple(range(len(model.clips)) if clips is None else clips)
        self._sampled: dict[int, Sampled] = {}
        self._kept = 0  # bytes of them
        self._known: dict[tuple[object, int], object] = {}

    @cached_property
    def raw(self) -> Raw | None:
        """The meshes as the file stores them; None for motion capture."""
        return None if self.document is None else Raw(self.document)

    @cached_property
    def pieces(self) -> list[Piece]:
        """All vertices that are drawn, with what moves them."""
        return pieces(self.model)

    @cached_property
    def height(self) -> float:
        """How tall it is at rest, metres; 0 where there is nothing to measure."""
        return height(self.model, self.pieces)

    @property
    def scale(self) -> float:
        """What limits of length are multiplied by: 1 for a character 1.8 m tall."""
        return self.height / TALL if self.height > 0 and isfinite(self.height) else 1.0

    def should_loop(self, clip: str) -> bool | None:
        """Return whether somebody has said that a clip loops; None: nobody has."""
        return next((loop for name, loop in self.loops.items() if like(clip, name)), None)

    @cached_property
    def skin_joints(self) -> I32:
        """The joints of all skins, sorted; all joints where there is no skin."""
        skins = [skin.joints for skin in self.model.skins if len(skin.joints)]
        if not skins:
            return np.arange(self.model.skeleton.count, dtype=np.int32)
        return np.unique(np.concatenate(skins)).astype(np.int32)

    @cached_property
    def hips(self) -> int:
        """The joint that carries the body: the VRM map's, else guessed; -1: none."""
        named = self.model.humanoid.get("hips")
        if named is not None:
            return named
        return guess_hips(self.model.skeleton, self.skin_joints, self.model.clips)

    def clip(self, index: int) -> Clip:
        """Return one of the model's clips."""
        return self.model.clips[index]

    def place(self, clip: str, joint: str) -> str:
        """Return the JSON pointer of a clip, else of a joint; ``""`` where the file has neither."""
        if self.document is None:
            return ""
        clips = [each.name for each in self.model.clips[: len(self.document.rows("animations"))]]
        if clip:
            return f"/animations/{clips.index(clip)}" if clip in clips else ""
        names = self.model.skeleton.names
        if joint not in names:
            return ""
        nodes = np.flatnonzero(self.model.skeleton.joint_of_node == names.index(joint))
        return f"/nodes/{nodes[0]}" if len(nodes) else ""

    def sampled(self, index: int) -> Sampled:
        """Return a clip at even times, some 60 a second; worked out once where memory allows.

        Absurd numbers of a file are in it as they are: rules have to bear NaN and infinity.
        """
        if index in self._sampled:
            return self._sampled[index]
        clip = self.clip(index)
        count = min(max(1, round(clip.duration * RATE)), MOST) if clip.duration > 0 else 0
        times = np.linspace(clip.start, clip.end, count + 1)
        found = self.sampled_at(index, times, clip.duration / count if count else 0.0)
        size = found.matrices.nbytes + found.turns.nbytes
        if self._kept + size <= MOST_BYTES:  # of many long clips the last are sampled again
            self._sampled[index] = found
            self._kept += size
        return found

    def sampled_at(self, index: int, times: F64, step: float = 0.0) -> Sampled:
        """Return a clip at times [T] of its own, seconds, which are `step` apart or uneven."""
        rest = self.model.skeleton.rest
        pose = Pose.like(rest, times.shape)
        pose.assign(rest)
        self.clip(index).sample(times, pose)
        with np.errstate(all="ignore"):
            matrices, turns = model_space(self.model.skeleton, pose)
        return Sampled(times, step, matrices, turns, pose.values)

    def once(self, work: "Callable[[Subject, int], T]", index: int = -1) -> T:
        """Return what `work` makes of a clip (-1: of all); worked out once for all rules."""
        key = (work, index)
        if key not in self._known:
            self._known[key] = work(self, index)
        return cast("T", self._known[key])
