"""Two versions in one scene: their size, and the colours of the errors of the new one."""

import numpy as np

from ..animation.pose import Pose
from ..differences.compare import compare
from ..differences.difference import Difference
from ..differences.heat_map import VertexErrors, error_swatches, errors_between, relative_errors
from ..differences.joints import match_joints
from ..differences.model_pair import METRES, ModelPair, pair_models
from ..scene.character import Character
from ..scene.versions import Versions


def prepare(versions: Versions) -> None:
    """Give both versions the same size; colour the errors whenever the scene is updated."""
    old, new = versions.old.character.model, versions.new.character.model
    with np.errstate(all="ignore"):
        versions.scale = match_joints(old, new)[1]
    if versions.mode == "error":
        versions.painter = ErrorPainter()


def greatest_error(known: Difference, old: Character, new: Character) -> float:
    """Return the greatest error of the clips or of the pose that two versions show, metres.

    It is 0 if it is not known, as that of layers and of the bind pose.
    """
    if new.show != "clip":
        return known.rest.metres if new.show == "rest" else 0.0
    if old.mixer.layered or new.mixer.layered:
        return 0.0
    shown = old.clip, new.clip
    return max((clip.deviation.metres for clip in known.clips if clip.indices == shown), default=0)


def pose_errors(pair: ModelPair, old: Pose, new: Pose) -> VertexErrors:
    """Return the errors of the vertices of the new version, of poses [] of both."""
    poses = (
        Pose.over(old.data[None], pair.a.skeleton.count),
        Pose.over(new.data[None], pair.b.skeleton.count),
    )
    with np.errstate(all="ignore"):
        return errors_between(pair, poses)


class ErrorPainter:
    """Colours the new one of two versions by its errors in the current pose."""

    def __init__(self) -> None:
        self._pair: ModelPair | None = None
        self._full: tuple[tuple[int, int], float] | None = None  # of a pair of clips

    def __call__(self, versions: Versions) -> None:
        """Colour the new version."""
        old, new = versions.old.character, versions.new.character
        if self._pair is None:
            with np.errstate(all="ignore"):
                self._pair = pair_models(old.model, new.model)
        errors = pose_errors(self._pair, old.pose, new.pose)
        full = max(self._greatest(old, new), errors.greatest, METRES)
        new.vertex_values = relative_errors(errors, METRES, full)
        versions.swatches = error_swatches(METRES, full)

    def _greatest(self, old: Character, new: Character) -> float:
        """Return the greatest error of what is shown, computed once for each pair of clips."""
        shown = (old.clip, new.clip) if new.show == "clip" else (-1, -1)
        if self._full is None or self._full[0] != shown:
            names = [
                each.model.clips[clip].name
                for each, clip in zip((old, new), shown, strict=True)
                if clip >= 0
            ]
            known = compare(old.model, new.model, clips=names)
            self._full = shown, greatest_error(known, old, new)
        return self._full[1]
