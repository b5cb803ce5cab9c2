"""Two open characters compared as versions of one: how they are shown, and one clock for both.

The errors of the vertices of the new version in its present pose are computed in a thread.
"""

import math
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

import numpy as np

from ..animation.playback import Playback
from ..animation.pose import Pose
from ..animation.types import F32
from ..batch.jobs import Job, Jobs
from ..differences.compare import compare
from ..differences.difference import Difference
from ..differences.heat_map import VertexErrors, error_swatches, relative_errors
from ..differences.model_pair import METRES, ModelPair, pair_models
from ..memo import Memo, is_same
from ..model.model import Model
from ..motion.document import MotionDoc
from ..scene.character import Character
from ..scene.scene import Scene
from ..scene.versions import Versions
from ..scenedoc.scene_doc import COMPARE_MODES, CompareMode
from ..tasks.version_errors import greatest_error, pose_errors
from ..wording import millimetres
from . import played_motion
from .difference_rows import DifferenceRow, rows_of
from .opened_character import OpenedCharacter

ERRORS = "painted errors"  # key of the job
LABELS: dict[CompareMode | None, str] = {
    None: "In a row",
    **{mode: shown.label for mode, shown in COMPARE_MODES.items()},
}
DIFFERENCE = "difference"  # key of the job
COMPARING = "Comparing…"
EDGE = 0.02  # of the width: the edge of a wipe stays as far from the ends of the view
LEAST_FREE = 0.2  # of the width, between the panels: in a smaller one the view is halved
Pair = tuple[OpenedCharacter, OpenedCharacter]  # the old and the new version


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

    def __init__(self, comparison: "Comparison", jobs: Jobs) -> None:
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
            self._paint(versions)

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
        self._paint(versions)

    def _paint(self, versions: Versions) -> None:
        if self.errors is None:
            return
        character = versions.new.character
        self._painted, self._scale_of = character, self._comparison.known
        self.full = max(self._greatest(), self.errors.greatest, self.threshold)
        character.vertex_values = relative_errors(self.errors, self.threshold, self.full)
        versions.swatches = error_swatches(self.threshold, self.full)

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


@dataclass(eq=False)
class Comparison:
    """What is compared of a scene, and how.

    Attributes
    ----------
    follows_pointer
        Whether the edge of a wipe is at the pointer; else it is dragged.
    by_phase
        Whether clips of different lengths are compared at the same phase, not at the same time.
    wanted
        Whether a panel shows their differences.
    chosen
        The two versions, if they were chosen by hand.
    difference
        How the files of `compared` differ; None: not known yet.
    compared
        The models of the difference.
    state
        Why there is no difference: it is being computed, or failed.
    painted_errors
        The colours of the new version while errors are shown.
    """

    scene: Scene
    jobs: Jobs
    follows_pointer: bool = True
    by_phase: bool = False
    wanted: bool = False
    chosen: Pair | None = None
    difference: Difference | None = None
    compared: tuple[Model, Model] | None = None
    state: str = ""
    painted_errors: PaintedErrors = field(init=False)
    _unfit: tuple[Model, MotionDoc] | None = None  # a model, and layers that do not fit it
    _too_large: tuple[Model, Model] | None = None  # to be compared
    _set_aside: tuple[OpenedCharacter, int] | None = None  # a version, and the clip it had

    def __post_init__(self) -> None:
        self.painted_errors = PaintedErrors(self, self.jobs)

    @property
    def versions(self) -> Versions | None:
        """How both versions are shown, None if all characters stand in a row."""
        return self.scene.instances.versions

    @property
    def mode(self) -> CompareMode | None:
        """How both versions are shown, None: in a row."""
        return None if self.versions is None else self.versions.mode

    @property
    def at_pointer(self) -> bool:
        """Whether the picture changes with the place of the pointer."""
        return self.mode == "wipe" and self.follows_pointer

    @property
    def pair(self) -> Pair | None:
        """The old and the new version; None if fewer than two characters are open."""
        opened = [each for each in self.scene.instances if isinstance(each, OpenedCharacter)]
        if self.chosen is not None and all(each in opened for each in self.chosen):
            return self.chosen
        return (opened[0], opened[1]) if len(opened) > 1 else None

    @property
    def known(self) -> Difference | None:
        """How the present models differ, None if it is not known."""
        pair = self.pair
        if pair is None or self.compared is None:
            return None
        old, new = pair
        return self.difference if is_same(self.compared, (old.model, new.model)) else None

    @property
    def rows(self) -> tuple[DifferenceRow, ...]:
        """The rows of the list of differences, empty if they are not known."""
        known, models = self.known, self.compared
        return () if known is None or models is None else rows_of(known, models)

    def find_difference(self) -> None:
        """Compare the files once that is wanted, and again when a file or the choice changes.

        It is computed as `rigview diff` does, in the background.
        """
        pair = self.pair
        if pair is None or self.known is not None or self.jobs.is_running(DIFFERENCE):
            return
        models = old, new = pair[0].model, pair[1].model
        if (self.wanted or self.mode is not None) and not is_same(self._too_large, models):
            self.state = COMPARING
            self.jobs.start(
                DIFFERENCE, lambda _: compare(old, new), partial(self._take_difference, models)
            )

    def _take_difference(self, models: tuple[Model, Model], job: Job[Difference]) -> None:
        try:
            self.difference, self.state = job.result(), ""
        except MemoryError:
            self.state, self._too_large = "Not enough memory to compare them", models
            return
        self.compared = models
        self.set_scale()

    def choose(self, old: OpenedCharacter, new: OpenedCharacter) -> None:
        """Compare two characters; the mode stays."""
        if old is new:
            return
        self.chosen = old, new
        if self.versions is not None:
            self.scene.instances.versions = Versions(
                old, new, self.versions.mode, edge=self.versions.edge, free=self.versions.free
            )
            self.scene.measure()

    def show(self, mode: CompareMode | None, aspect: float) -> float:
        """Show both versions in a mode, or all characters in a row; frame what does not fit.

        Parameters
        ----------
        aspect
            Width over height of the part of the view that no panel covers.

        Returns
        -------
        aspect
            That of the part in which a version is shown from now on.
        """
        pair, before, instances = self.pair, self.mode, self.scene.instances
        if mode == before or (mode is not None and pair is None):
            return aspect
        whole = aspect * 2.0 if before == "side-by-side" else aspect
        aspect = whole / 2.0 if mode == "side-by-side" else whole
        if mode is None or pair is None:
            self._release_follower()
            instances.versions = self._unfit = None
        elif instances.versions is None:
            instances.versions = Versions(*pair, mode)
        else:
            instances.versions.mode = mode
        self.set_scale()
        self.scene.measure()
        if before is None or mode is None or not self.scene.fits(aspect):
            self.scene.frame(aspect)
        return aspect

    def set_scale(self) -> None:
        """Show the new version in the size of the old one, once their difference is known."""
        versions, known = self.versions, self.known
        scale = 1.0 if known is None else known.scale
        if versions is not None and versions.scale != scale:
            versions.scale = scale
            self.scene.measure()

    def move_edge(self, x: float) -> None:
        """Move the edge of a wipe to a place of the view, of its width."""
        if self.versions is not None:
            self.versions.edge = min(max(x, EDGE), 1.0 - EDGE)

    def leader_and_follower(self) -> Pair | None:
        """Return the version that playback controls, and the one that follows it."""
        versions = self.versions
        if versions is None:
            return None
        old, new = versions.old, versions.new
        if not isinstance(old, OpenedCharacter) or not isinstance(new, OpenedCharacter):
            return None
        return (old, new) if self.scene.instances.active is old else (new, old)

    @property
    def missing(self) -> tuple[OpenedCharacter, str] | None:
        """The version that lacks the playing clip, and the clip's name; None: both have it."""
        both = self.leader_and_follower()
        if both is None:
            return None
        leader, follower = both
        clip = leader.character.clip
        if leader.character.mixer.layered or leader.character.show != "clip" or clip < 0:
            return None
        if self._clip_of_follower(leader, follower) >= 0:
            return None
        return follower, leader.model.clips[clip].name

    def fit_view(self, width: float, covered: tuple[float, float], aspect: float) -> float:
        """Centre each half of a split view in what no panel covers; return its aspect ratio.

        Parameters
        ----------
        width
            Of the view, points.
        covered
            Width of the panels at its left and at its right, points.
        aspect
            Width over height of the part of the view that no panel covers.
        """
        versions = self.versions
        if versions is None:
            return aspect
        left, right = covered[0] / width, 1.0 - covered[1] / width
        versions.free = (left, right) if right - left > LEAST_FREE else (0.0, 1.0)
        return aspect / 2.0 if versions.mode == "side-by-side" else aspect

    @property
    def lengths_differ(self) -> bool:
        """Whether the playing clips have different lengths."""
        both = self.leader_and_follower()
        if both is None or self.missing is not None or any(_layered(each) for each in both):
            return False
        one, two = (_length(each) for each in both)
        return not math.isclose(one, two, rel_tol=1e-6)

    def follow(self) -> None:
        """Let one version show pose, clip and time of the other one."""
        self._forget_closed()
        both = self.leader_and_follower()
        self._return_clip(both)
        if both is None:
            return
        leader, follower = both
        lead, own = leader.character, follower.character
        own.show = lead.show
        if _layered(leader):
            self._follow_layers(leader, follower)
            return
        clip = self._clip_of_follower(leader, follower)
        if clip < 0 <= own.clip:
            self._set_aside = follower, own.clip
        elif clip >= 0:
            self._set_aside = None
        if own.clip != clip or _layered(follower):
            played_motion.choose_clip(follower, clip)
        if own.trim != lead.trim:
            played_motion.set_trim(follower, trim=lead.trim)
        _set_time(lead.playback, own.playback, leader.session.tau, by_phase=self.by_phase)

    def _return_clip(self, both: Pair | None) -> None:
        """Let a version play the clip again that it had, unless it follows one that it lacks."""
        if self._set_aside is None:
            return
        own, clip = self._set_aside
        if both is not None and own is both[1] and not _layered(both[0]):
            return
        self._set_aside = None
        if not own.character.mixer.still or own not in self.scene.instances:
            return
        lead, show = self.scene.instances.active, own.character.show
        if both is not None:
            lead = both[1] if own is both[0] else both[0]
        played_motion.choose_clip(own, min(clip, len(own.model.clips) - 1))
        if isinstance(lead, OpenedCharacter):
            own.transport.join(lead.transport)
        own.character.show = show

    def _follow_layers(self, leader: OpenedCharacter, follower: OpenedCharacter) -> None:
        """Let a version play its layers at the time of the other one's; without layers its clip."""
        lead, own = leader.character.playback, follower.character
        tried = follower.model, follower.document
        known = is_same(self._unfit, tried)
        if not _layered(follower) and follower.editor.has_layers and not known:
            follower.editor.show()
            self._unfit = None if _layered(follower) else tried  # not tried in each frame
        if _layered(follower):
            own.playback.restore(lead.save())
            return
        now, (begin, end) = float(lead.time(leader.session.tau)), follower.transport.span
        if not own.playback.paused:
            own.playback.pause(follower.session.tau)
        own.playback.seek(
            begin + now % (end - begin) if end > begin else begin, follower.session.tau
        )

    def _forget_closed(self) -> None:
        """Forget characters that are not open any more, and models that were replaced."""
        if self.chosen is not None and self.pair != self.chosen:
            self.chosen = None
        if self.compared is not None and self.known is None:
            self.difference = self.compared = None
            rows_of.forget()
            matching_clips.forget()

    def _clip_of_follower(self, leader: OpenedCharacter, follower: OpenedCharacter) -> int:
        """Return the clip that is the leader's one in the other version, -1: there is none."""
        first = self.versions is not None and leader is self.versions.old
        clips = matching_clips(leader.model, follower.model, self.known, first)
        return clips.get(leader.character.clip, -1)

    def _release_follower(self) -> None:
        """Let the version that followed play on by itself."""
        both = self.leader_and_follower()
        if both is None:
            return
        lead, own = (each.character.playback for each in both)
        mixer, tau = both[1].character.mixer, both[1].session.tau
        if mixer.layered and not both[1].transport.continuous:
            mixer.set_loop(own.mode, float(own.passes), tau)  # over its own length
            own = mixer.playback
        if own.paused and not lead.paused:
            own.resume(tau)


@Memo
def matching_clips(
    one: Model, two: Model, difference: Difference | None, first: bool
) -> dict[int, int]:
    """Return the clips of a model by those of another one.

    Parameters
    ----------
    difference
        How they differ: renamed clips match, too. None: only the names count.
    first
        Whether `one` is the old version.
    """
    if difference is not None and not difference.identical:
        pairs = [clip.indices for clip in difference.clips]
        return dict(pairs) if first else {n: k for k, n in pairs}
    names = {clip.name: k for k, clip in reversed(list(enumerate(two.clips)))}
    same = {
        k: k for k, (a, b) in enumerate(zip(one.clips, two.clips, strict=False)) if a.name == b.name
    }
    found = {k: names[clip.name] for k, clip in enumerate(one.clips) if clip.name in names}
    return found | same


def _length(opened_character: OpenedCharacter) -> float:
    """Return the end of the playing clip, seconds."""
    clip = opened_character.character.clip
    return opened_character.model.clips[clip].end if clip >= 0 else 0.0


def _layered(opened_character: OpenedCharacter) -> bool:
    return opened_character.character.mixer.layered


def _set_time(lead: Playback, own: Playback, tau: float, *, by_phase: bool) -> None:
    """Set a playback to the time of another one; clips of other lengths are held at their ends."""
    if np.array_equal(lead.duration, own.duration) and np.array_equal(lead.start, own.start):
        own.restore(lead.save())
        return
    time = float(lead.time(tau))
    if by_phase and lead.duration > 0:
        share = (time - float(lead.start)) / float(lead.duration)
        time = float(own.start) + share * float(own.duration)
    if not own.paused:
        own.pause(tau)
    own.seek(time, tau)
