"""What is missing or unlike its siblings: tracks, sides, bones, inverse bind matrices."""

from dataclasses import replace

import numpy as np

from rigview.animation import quat
from rigview.animation.clip import Clip
from rigview.animation.model_space import to_model_transforms
from rigview.animation.pose import Pose
from rigview.animation.track import Track
from rigview.checks.check_context import REFERENCE_HEIGHT, CheckContext
from rigview.checks.key_groups import unit_lengths
from rigview.checks.rule_list import rule
from rigview.checks.rules.bone_length import _bones
from rigview.checks.rules.exchanged_sides import side_pairs
from rigview.checks.visible_size import joint_reach
from tests.support.planted.fault_class import FaultClass

PLACES = 10
VISIBLE = 0.02  # of the height: places are where the fault moves the surface so far
SIZES = (0.5, 1.05, 2.0, 5.0, 10.0)
MOMENTS = 9
CLIPS = 3  # of a kind, for a track to be missed
UNLIKE = 20.0  # degrees between the means of left and right: an exchange is seen


def changed(context, c, tracks):
    """The character with other tracks in a clip."""
    clips = list(context.model.clips)
    clips[c] = Clip.of(clips[c].name, tracks, rest=clips[c].rest)
    return rebuilt(context, replace(context.model, clips=tuple(clips)))


def rebuilt(context, model):
    """A context of another model, with the same document and settings."""
    return CheckContext(model, motion=context.motion, loops=context.loops)


def effects(context, c, tracks):
    """How far the surface moves at most with other tracks of a clip, metres."""
    clip = context.model.clips[c]
    times = np.linspace(clip.start, clip.end, MOMENTS)
    skeleton = context.model.skeleton
    found = []
    for each in (clip, Clip.of(clip.name, tracks, rest=clip.rest)):
        pose = Pose.like(skeleton.rest, times.shape)
        pose.assign(skeleton.rest)
        each.sample(times, pose)
        found.append(to_model_transforms(skeleton, pose)[0])
    change = found[1] - found[0]
    return max(
        (
            float(np.linalg.norm(block.skinned(block.palette(at), block.points), axis=1).max())
            for block in context.blocks
            for at in change
        ),
        default=0.0,
    )


def spread(places, most=PLACES):
    """At most ten of the places, evenly spread."""
    keep = np.unique(np.linspace(0, max(len(places) - 1, 0), most).round().astype(int))
    return [places[k] for k in keep.tolist()] if places else []


def visible(context, candidates, tracks):
    """Up to ten (clip, place) whose changed tracks move the surface visibly.

    Candidates are tried in a fixed random order, so that no list of all effects is needed.
    """
    order = np.random.default_rng(5).permutation(len(candidates)).tolist()
    least, found = VISIBLE * context.height, []
    for k in order:
        c, place = candidates[k]
        if effects(context, c, tracks(context, c, place)) >= least:
            found.append((c, place))
        if len(found) == PLACES:
            break
    return found


def without_joint(context, c, joint):
    """The tracks of a clip without those of a joint."""
    return [
        track
        for track in context.model.clips[c].tracks
        if track.path == "values" or track.target != joint
    ]


def missed_places(context):
    """Joints that all clips animate away from rest, in files with some clips of a kind."""
    clips = context.model.clips
    if len(clips) < CLIPS:
        return []
    joints = set.intersection(*(set(clip.joints.tolist()) for clip in clips))
    missed = [joint for joint in sorted(joints) if rests_rarely(context, joint)]
    candidates = [(c, joint) for c in range(len(clips)) for joint in missed]
    return visible(context, candidates, without_joint)


def rests_rarely(context, joint):
    """Whether a joint is visibly away from rest in most clips: at rest it is not missed."""
    away = []
    for clip in context.model.clips:
        track = next((t for t in clip.tracks if (t.target, t.path) == (joint, "rotation")), None)
        if track is None:
            return False
        dots = np.abs(track.values @ context.model.skeleton.rest.rotation[joint])
        away.append(np.degrees(2 * np.arccos(np.minimum(dots, 1))).mean())
    swing = 2 * np.sin(np.radians(np.median(away)) / 2) * joint_reach(context, joint)
    return swing > VISIBLE / 2 * context.height


def stepped(context, c, key):
    """The tracks of a clip with one of them STEP."""
    return [
        replace(track, interpolation="STEP", tangents=None)
        if (track.target, track.path) == key
        else track
        for track in context.model.clips[c].tracks
    ]


def step_places(context):
    """Tracks of at least six keys beside three others that move."""
    candidates = []
    for c, clip in enumerate(context.model.clips):
        moving = [
            track
            for track in clip.tracks
            if track.path in ("rotation", "translation")
            and track.interpolation != "STEP"
            and np.ptp(track.values, axis=0).max() > 1e-3
        ]
        if len(moving) > CLIPS:
            candidates += [
                (c, (track.target, track.path)) for track in moving if len(track.times) >= 6
            ]
    return visible_range(context, candidates)


def visible_range(context, candidates):
    """Up to ten of the tracks whose motion is visible."""
    found = []
    for k in np.random.default_rng(5).permutation(len(candidates)).tolist():
        c, (joint, path) = candidates[k]
        track = next(
            t for t in context.model.clips[c].tracks if (t.target, t.path) == (joint, path)
        )
        extent = float(np.linalg.norm(np.ptp(track.values, axis=0)))
        if path == "rotation":
            moved = 2 * extent * joint_reach(context, joint)
        else:
            moved = extent * unit_lengths(context)[joint] * (joint_reach(context, joint) > 0)
        if moved > VISIBLE * context.height:
            found.append((c, (joint, path)))
        if len(found) == PLACES:
            break
    return found


def exchanged(context, c, pairs):
    """The tracks of a clip with those of pairs of joints exchanged."""
    other = {a: b for pair in pairs for a, b in (pair, pair[::-1])}
    return [
        track
        if track.path == "values"
        else replace(track, target=other.get(track.target, track.target))
        for track in context.model.clips[c].tracks
    ]


def differing_pairs(context, _=-1):
    """The pairs of joints whose sides differ in their rotations.

    Left and right differ, and by twice as much as each of them from clip to clip. Axes may be alike
    on both sides, as of legs that only swing: an exchange is not seen in their values.
    """
    means = [
        {t.target: mean_of(t) for t in clip.tracks if t.path == "rotation"}
        for clip in context.model.clips
    ]
    found = []
    for pair in side_pairs(context).items():
        own = [each for each in means if set(pair) <= each.keys()]
        if pair[0] > pair[1] or not own:
            continue
        apart = np.median([angle(each[pair[0]], each[pair[1]]) for each in own])
        varies = [varies_by([each[joint] for each in own]) for joint in pair]
        if apart > max(UNLIKE, 2 * max(varies)):
            found.append(pair)
    return found


def varies_by(rotations):
    """The median angle, degrees, of rotations to the one in the middle of them."""
    apart = [[angle(a, b) for b in rotations] for a in rotations]
    return np.median(apart[int(np.argmin(np.sum(apart, axis=1)))])


def mean_of(track):
    """The mean of the rotations of a track, a unit quaternion."""
    mean = quat.align_signs(track.values.astype(float)).mean(axis=0)
    return mean / np.linalg.norm(mean)


def angle(a, b):
    """The angle between two rotations, degrees."""
    return np.degrees(2 * np.arccos(min(abs(a @ b), 1)))


def pairs_in(context, c, pairs):
    """Those of the pairs that have tracks in a clip."""
    joints = set(context.model.clips[c].joints.tolist())
    return tuple(pair for pair in pairs if set(pair) <= joints)


def pair_places(context):
    """Clips and pairs of joints."""
    differing = context.cached(differing_pairs)
    candidates = [
        (c, (pair,))
        for c in range(len(context.model.clips))
        for pair in pairs_in(context, c, differing)
    ]
    return visible(context, candidates, exchanged)


def side_places(context):
    """Clips with all pairs of joints that have tracks, if one of them differs."""
    differing = context.cached(differing_pairs)
    every = [pair for pair in side_pairs(context).items() if pair[0] < pair[1]]
    candidates = [
        (c, pairs_in(context, c, every))
        for c in range(len(context.model.clips))
        if pairs_in(context, c, differing)
    ]
    return visible(context, candidates, exchanged)


def bone_places(context):
    """Clips and bones with a surface, whose length the clip does not change."""
    candidates = []
    rest = np.linalg.norm(context.model.skeleton.rest.translation, axis=1)
    for c, clip in enumerate(context.model.clips):
        varies = {
            track.target
            for track in clip.tracks
            if track.path == "translation"
            and np.ptp(np.linalg.norm(track.values, axis=1)) > 1e-3 * rest[track.target]
        }
        candidates += [
            (c, joint)
            for joint in sorted(_bones(context))
            if joint not in varies and joint_reach(context, joint) > 0 and rest[joint] > 0
        ]
    return spread(candidates)


def with_length(context, place, size):
    """The character with a bone that is longer in a clip than at rest."""
    c, joint = place
    clip = context.model.clips[c]
    rest = context.model.skeleton.rest.translation[joint].astype(float)
    limit = rule("bone-differs").limits[0].default / 1000 * scale(context)
    more = size * limit / unit_lengths(context)[joint]
    way = rest * (1 + more / np.linalg.norm(rest))
    tracks = [t for t in clip.tracks if (t.target, t.path) != (joint, "translation")]
    ends = np.array([clip.start, clip.end], np.float32)
    values = np.tile(way.astype(np.float32), (2, 1))
    return changed(context, c, [*tracks, Track(joint, "translation", "LINEAR", ends, values)])


def scale(context):
    """The factor of scaled limits."""
    return context.height / REFERENCE_HEIGHT


def bind_places(context):
    """Skins whose joints rest as they were bound, and joints with weights."""
    model = context.model
    rest = to_model_transforms(model.skeleton, model.skeleton.rest)[0]
    candidates = []
    for s, skin in enumerate(model.skins):
        placed = rest[skin.joints] @ skin.inverse_bind.astype(float)
        off = np.abs(placed - np.median(placed, axis=0)).max(axis=(1, 2))
        if len(skin.joints) < 5 or (off > 1e-3 * scale(context)).any():
            continue
        greatest = weights_of(context, s)
        candidates += [(s, k) for k in np.flatnonzero(greatest > 0.2).tolist()]
    return spread(candidates)


def weights_of(context, s):
    """The greatest weight of each joint [S] of a skin for a vertex."""
    greatest = np.zeros(len(context.model.skins[s].joints))
    for points, entries, weights in parts(context, s):
        del points
        np.maximum.at(greatest, entries.ravel(), weights.ravel())
    return greatest


def parts(context, s):
    """Positions, joints and weights of the primitives of a skin."""
    for instance in context.model.instances:
        if instance.skin == s:
            for part in context.model.meshes[instance.mesh].primitives:
                if part.joints is not None:
                    yield part.positions.astype(float), part.joints, part.weights


def with_bind(context, place, size):
    """The character with one inverse bind matrix displaced, of every second joint rotated."""
    s, k = place
    skin = context.model.skins[s]
    limit = rule("bind-outlier").limits[0].default / 1000 * scale(context)
    change = np.eye(4)
    if k % 2:
        change[:3, :3] = quat.to_matrix(np.array([0.0, np.sin(1e-3), 0.0, np.cos(1e-3)]))
    else:
        change[0, 3] = 1e-3
    inverse = skin.inverse_bind.astype(float)
    joint = int(skin.joints[k])
    skeleton = context.model.skeleton
    rest = to_model_transforms(skeleton, skeleton.rest)[0][joint]
    for _ in range(4):  # the chord of a rotation is not quite linear
        wrong = inverse.copy()
        wrong[k] = change @ inverse[k]
        change = resized(change, size * limit / displacement(context, s, k, rest, wrong - inverse))
    wrong[k] = change @ inverse[k]
    skins = list(context.model.skins)
    skins[s] = replace(skin, inverse_bind=wrong.astype(np.float32))
    return rebuilt(context, replace(context.model, skins=tuple(skins)))


def resized(change, factor):
    """A rotation or displacement times a factor."""
    out = np.eye(4)
    out[:3, 3] = change[:3, 3] * factor
    half = np.arctan2(change[0, 2], change[0, 0]) / 2 * factor
    if half:
        out[:3, :3] = quat.to_matrix(np.array([0.0, np.sin(half), 0.0, np.cos(half)]))
    return out


def displacement(context, s, k, rest, off):
    """How far a vertex is displaced at most by other inverse bind matrices, metres."""
    greatest = 0.0
    for points, entries, weights in parts(context, s):
        row, column = np.nonzero((entries == k) & (weights > 0))
        if len(row):
            way = (rest @ off[k])[:3] @ np.append(points[row], np.ones((len(row), 1)), axis=1).T
            greatest = max(
                greatest, float((np.linalg.norm(way, axis=0) * weights[row, column]).max())
            )
    return greatest


def joint_of(context, place):
    """The name of the joint of a place (clip, joint) or (clip, (joint, path))."""
    _, joint = place
    return [context.model.skeleton.names[joint[0] if isinstance(joint, tuple) else joint]]


def joints_of(context, place):
    """The names of the joints of pairs."""
    return [context.model.skeleton.names[joint] for pair in place[1] for joint in pair]


def bound_joint(context, place):
    """The name of the joint of an inverse bind matrix."""
    s, k = place
    return [context.model.skeleton.names[context.model.skins[s].joints[k]]]


CLASSES = (
    FaultClass(
        "joint without tracks in one clip",
        ("track-missing",),
        missed_places,
        lambda context, place, _: changed(context, place[0], without_joint(context, *place)),
        causes=joint_of,
    ),
    FaultClass(
        "STEP track among LINEAR ones",
        ("track-step",),
        step_places,
        lambda context, place, _: changed(context, place[0], stepped(context, *place)),
        causes=joint_of,
    ),
    FaultClass(
        "left and right joint exchanged in a clip",
        ("sides-exchanged",),
        pair_places,
        lambda context, place, _: changed(context, place[0], exchanged(context, *place)),
        causes=joints_of,
    ),
    FaultClass(
        "left and right side exchanged in a clip",
        ("sides-exchanged",),
        side_places,
        lambda context, place, _: changed(context, place[0], exchanged(context, *place)),
        causes=joints_of,
    ),
    FaultClass(
        "bone of another length in a clip",
        ("bone-differs",),
        bone_places,
        with_length,
        SIZES,
        joint_of,
    ),
    FaultClass(
        "one inverse bind matrix of many",
        ("bind-outlier",),
        bind_places,
        with_bind,
        SIZES,
        bound_joint,
    ),
)
