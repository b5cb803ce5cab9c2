"""Rules about clips without effect, very large clips, and clips for joints outside the skins."""

from collections.abc import Iterator

import numpy as np

from ...animation.clip import Clip
from ...animation.track import Track
from ...animation.types import Bool
from ...wording import counted, listed, number, quoted
from ..check_context import CheckContext
from ..clip_rules import per_clip
from ..finding import Finding, Limit, Limits, rule
from .redundant_keys import is_constant, starts_in_rest_pose


@rule(
    "empty-clip",
    "warning",
    "a clip has no tracks, has no effect, or (info) is a single pose",
    "remove the clip, or export its keys",
)
@per_clip
def _empty(context: CheckContext, _: Limits, c: int, clip: Clip) -> Iterator[Finding]:
    place = "" if context.is_capture else f"/animations/{c}"
    if not clip.tracks:
        yield Finding(f"{quoted(clip.name)} has no tracks with a target", place=place)
    elif all(is_constant(track) and starts_in_rest_pose(context, track) for track in clip.tracks):
        yield Finding(
            f"{quoted(clip.name)} has no effect: its {counted(len(clip.tracks), 'track')} "
            f"{'equals' if len(clip.tracks) == 1 else 'equal'} the rest pose",
            place=place,
        )
    elif clip.duration <= 0:
        yield Finding(
            f"{quoted(clip.name)} is 0 s long: it is a single pose",
            0.0,
            "s",
            place=place,
            severity="info",
            fix="nothing to fix if a pose is intended; else export all keys",
        )


@rule(
    "large-clip",
    "info",
    "a clip is very long, or has very many keys",
    "split it into clips, or reduce its keys: rigview bake",
    Limit("seconds", 120.0, "s", "duration of a clip"),
    Limit("megabytes", 8.0, "MB", "size of the keys of a clip"),
    group="File",
)
@per_clip
def _large(_context: CheckContext, limits: Limits, _c: int, clip: Clip) -> Iterator[Finding]:
    size = clip.nbytes / 1e6
    for amount, unit, limit, words in (
        (clip.duration, "s", "seconds", "long"),
        (size, "MB", "megabytes", "of keys"),
    ):
        if amount > limits[limit]:
            yield Finding(
                f"{quoted(clip.name)} is {number(amount)} {unit} {words}",
                amount,
                unit,
                limits[limit],
            )


@rule(
    "clip-matches",
    "warning",
    "few joints match those of a clip of another file",
    "map the joints by name in [retarget] of the motion file, or choose clips of a similar "
    "skeleton",
    Limit("percent", 50.0, "%", "the smallest share of matched joints"),
)
@per_clip
def _few_matches(context: CheckContext, limits: Limits, _c: int, clip: Clip) -> Iterator[Finding]:
    matched, total = context.matches.get(clip.name, (0, 0))
    percent = 100 * matched / total if total else 100.0
    if percent < limits["percent"]:
        yield Finding(
            f"only {matched} of {counted(total, 'joint')} match those of {quoted(clip.name)}: the "
            "others stay at rest",
            percent,
        )


@rule(
    "stray-targets",
    "warning",
    "a clip moves joints without effect: neither they nor their ancestors and descendants "
    "belong to a skin or have a mesh, camera or light",
    "export the clip with this skeleton, or remove those tracks",
)
@per_clip
def _stray_targets(context: CheckContext, _: Limits, _c: int, clip: Clip) -> Iterator[Finding]:
    """Yield clips with tracks for joints that affect no skin, mesh, camera or light."""
    if not context.model.skins:
        return
    useful, names = context.cached(_useful), context.model.skeleton.names
    targets = {track.target for track in clip.tracks if _moves(track)}
    stray = sorted(joint for joint in targets if not useful[joint])
    if stray:
        yield Finding(
            f"{quoted(clip.name)} moves {counted(len(stray), 'joint')} outside the skin: "
            f"{listed([names[joint] for joint in stray])}",
            float(len(stray)),
            "joint" if len(stray) == 1 else "joints",
            joint=names[stray[0]],
            touches=len(stray),
        )


def _moves(track: Track) -> bool:
    return track.path != "values" and not is_constant(track)


def _useful(context: CheckContext) -> Bool:
    """Return [J] whether a joint, an ancestor or a descendant has a skin, mesh, camera or light."""
    model = context.model
    own = np.zeros(model.skeleton.count, bool)
    own[context.skin_joints] = True
    own[[instance.joint for instance in model.instances if instance.skin < 0]] = True
    own[[camera.joint for camera in model.cameras]] = True
    own[[light.joint for light in model.lights]] = True
    return np.asarray(model.skeleton.above(own) | model.skeleton.below(own))
