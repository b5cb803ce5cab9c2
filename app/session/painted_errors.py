"""Errors of the vertices of the new version in its present pose, computed in a thread."""

from typing import NamedTuple, Protocol

import numpy as np

from ..animation.pose import Pose
from ..animation.types import F32
from ..batch.jobs import Job, Jobs
from ..differences.difference import Difference
from ..differences.heat_map import VertexErrors, relative_errors
from ..differences.model_pair import METRES, ModelPair, pair_models
from ..memo import is_same
from ..model.model import Model
from ..scene.character import Character
from ..scene.versions import Versions
from ..tasks.version_errors import greatest_error, pose_errors
from ..wording import millimetres

ERRORS = "painted errors"  # key of the job


class _Moment(NamedTuple):
    """What errors are computed for: both models, and a copy of their poses."""

    models: tuple[Model, Model]
    poses: tuple[F32, F32]

    def equals(self, other: "_Moment | None") -> bool:
        """Return whether nothing has moved since another moment."""
        return (
            other is not None
            and is_same(self.models, other.models)
            and all(np.array_equal(p, q) for p, q in zip(self.poses, other.poses, strict=True))
        )


class Compared(Protocol):
    """The comparison, to the errors that are painted of it."""

    @property
    def versions(self) -> Versions | None:
        """How both versions are shown, None: they are not."""

    @property
    def known(self) -> Difference | None:
        """How the present models differ, None if it is not known."""


class PaintedErrors:
    """Colours the new version by the distances of its vertices from the old version.

    Attributes
    ----------
    errors
        Those of the last computed pose, None: none yet.
    full
        Metres at the end of the colour scale.
    by_joints
        Whether some or all errors are those of joints, as vertices do not correspond.
    """

    def __init__(self, comparison: Compared, jobs: Jobs) -> None:
        self._comparison, self._jobs = comparison, jobs
        self.errors: VertexErrors | None = None
        self.full = METRES
        self.by_joints = False
        self._pair: ModelPair | None = None
        self._asked: _Moment | None = None  # of the job, or of `errors`
        self._painted: Character | None = None
        self._scale_of: Difference | None = None  # that `full` was read from

    @property
    def threshold(self) -> float:
        """Metres up to which errors are shown as none."""
        known = self._comparison.known
        return METRES if known is None else known.metres

    @property
    def place(self) -> str:
        """Where the greatest error of the present pose is; "" if all are within the threshold."""
        if self.errors is None or self.errors.greatest <= self.threshold:
            return ""
        where = f" at {self.errors.joint}" if self.errors.joint else ""
        return f"{millimetres(self.errors.greatest, '.3g')}{where}"

    def update(self) -> None:
        """Compute the errors of the present poses, if they are shown and have changed."""
        versions = self._comparison.versions
        if versions is None or versions.mode != "error":
            self._clear()
            return
        old, new = versions.old.character, versions.new.character
        if self._painted is not None and self._painted is not new:
            self._clear()
        moment = _Moment((old.model, new.model), (old.pose.data, new.pose.data))
        if not self._jobs.is_running(ERRORS) and not moment.equals(self._asked):
            copied = moment._replace(poses=(moment.poses[0].copy(), moment.poses[1].copy()))
            self._asked, pair = copied, self._pair
            self._jobs.start(ERRORS, lambda _: _errors_of(copied, pair), self._take)
        elif self._painted is not None and self._scale_of is not self._comparison.known:
            self._paint(new)

    def _take(self, job: Job[tuple[ModelPair, VertexErrors]]) -> None:
        """Show errors that were computed, if they are still of what is shown."""
        versions = self._comparison.versions
        pair, errors = job.result()
        if versions is None or versions.mode != "error" or self._asked is None:
            return
        if versions.new.model is not self._asked.models[1]:  # reloaded
            return
        self._pair, self.errors = pair, errors
        self.by_joints = not pair.blocks or bool(pair.unmatched)
        self._paint(versions.new.character)

    def _paint(self, character: Character) -> None:
        if self.errors is None:
            return
        self._painted, self._scale_of = character, self._comparison.known
        self.full = max(self._greatest(), self.errors.greatest, self.threshold)
        character.vertex_values = relative_errors(self.errors, self.threshold, self.full)

    def _greatest(self) -> float:
        """Return the greatest error of the clips or of the pose that is shown, 0 if not known."""
        known, versions = self._comparison.known, self._comparison.versions
        if known is None or versions is None:
            return 0.0
        return greatest_error(known, versions.old.character, versions.new.character)

    def _clear(self) -> None:
        """Show the material of what was painted."""
        if self._painted is not None:
            self._painted.vertex_values = ()
        self._painted = self._asked = self.errors = self._pair = self._scale_of = None


def _errors_of(moment: _Moment, known: ModelPair | None) -> tuple[ModelPair, VertexErrors]:
    """Return the pair of the models, made if it is not `known`, and their errors."""
    old, new = moment.models
    pair = known
    if pair is None or pair.a is not old or pair.b is not new:
        with np.errstate(all="ignore"):
            pair = pair_models(old, new)
    first, second = (
        Pose.over(data, model.skeleton.count)
        for data, model in zip(moment.poses, moment.models, strict=True)
    )
    return pair, pose_errors(pair, first, second)
