"""Rules about motion files: joint limits of additives, strafing transitions, sync marks."""

from collections.abc import Iterator, Sequence

import numpy as np

from ...animation.types import F64
from ...animation.vectors import length
from ...blending.cone_limits import LimitViolation
from ...errors import AppError, MotionError
from ...model.lookup import find_clip
from ...motion.document import LayerSettings, MotionDoc, Nested, StrafeSpace
from ...wording import measure, number, quoted
from ..check_context import CheckContext
from ..clip_ends import moved_joints
from ..finding import Finding, Limit, Limits, rule
from ..foot_contacts import Contact, Contacts, contacts
from ..looping_clips import motion_file_settings
from ..visible_size import size_of_rotation

LOOKS = 12.0  # poses per second that are sampled for joint limits
LONGEST = 8.0  # seconds of the motion that are sampled
STANDS = 0.9  # of a clip: a longer contact is not a step
SIDES = ("left", "right")
LEAVES = {  # transition of a strafing space: role before, role after
    "left_to_back": ("left", "left_back"),
    "left_to_front": ("left_back", "left"),
    "right_to_back": ("right", "right_back"),
    "right_to_front": ("right_back", "right"),
}


@rule(
    "cone-limit",
    "size",
    "an additive at full weight rotates a joint beyond its limit in the motion file",
    "widen the limit, or rotate the joint less in the additive's clip",
    Limit("degrees", 1.0, "°", "beyond the limit"),
)
def _cones(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    if context.motion is None:
        return
    document = context.motion.document
    limited = {name for name, each in document.additives.items() if each.limits}
    joints = context.model.skeleton.names
    for chain in _chains(document.layers):
        layer = chain[-1]
        if layer.play not in limited:
            continue
        held = _held(context, document, [each.name for each in chain])
        for joint, (tau, past) in sorted(held.items()):
            angle, limit = float(np.degrees(past.angle)), float(np.degrees(past.limit))
            if angle - limit > limits["degrees"]:
                yield Finding(
                    f"layer {quoted(layer.name)} rotates {quoted(joints[joint])} by "
                    f"{number(angle)}°, beyond its limit of {number(limit)}°, and is clamped, at "
                    f"{tau:.2f} s of the motion",
                    angle - limit,
                    joint=joints[joint],
                    item=layer.name,
                    time=tau,
                    size=size_of_rotation(context, joint, angle - limit),
                )


def _chains(layers: Sequence[LayerSettings]) -> Iterator[list[LayerSettings]]:
    """Yield every layer, preceded by the layers that contain it."""
    for layer in layers:
        yield [layer]
        if isinstance(layer.play, Nested):
            yield from ([layer, *inner] for inner in _chains(layer.play.layers))


def _held(
    context: CheckContext, document: MotionDoc, names: Sequence[str]
) -> dict[int, tuple[float, LimitViolation]]:
    """Return the joints that the last of some layers rotates beyond their limits: time and angles.

    All these layers get full weight, which may be 0 at the start of the motion.
    """
    from ...motion.bind import bind  # imported late: the mixer, which few files need

    try:
        mixer = bind(context.model, document)
    except MotionError:
        return {}  # binding the motion file reports it
    for name in names:
        if f"{name}.weight" in mixer.parameters:
            mixer.set(f"{name}.weight", 1.0, seconds=0.0)
    out = context.model.skeleton.rest.copy()
    for k in range(int(min(mixer.length, LONGEST) * LOOKS) + 1):
        mixer.seek(k / LOOKS)
        out.assign(context.model.skeleton.rest)
        mixer.sample(out)
    return {
        joint: found for (name, joint), found in mixer.limit_violations.items() if name == names[-1]
    }


@rule(
    "transition-gap",
    "info",
    "a transition of a strafing space begins or ends far from every pose of the adjoining clip",
    "begin and end the transition in a pose of those clips",
    Limit("mm", 80.0, "mm", "between the joints of the nearest poses", scaled=True),
)
def _gaps(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    """Yield strafing transitions that begin or end far from every pose of the adjoining clip."""
    if context.motion is None:
        return
    for name, space in context.motion.document.spaces.items():
        if not isinstance(space, StrafeSpace):
            continue
        for turn, clip in space.transitions.items():
            ends = [_end(context, space, turn, clip, k) for k in (0, 1)]
            gap, one, other, joint, last = max(ends, key=lambda end: end[0])
            if gap * 1000 > limits["mm"]:
                chosen, name_of = context.clip(one), context.model.skeleton.names[joint]
                yield Finding(
                    f"{quoted(chosen.name)} does not {'end' if last else 'begin'} in a pose of "
                    f"{quoted(context.clip(other).name)}, which it "
                    f"{'precedes' if last else 'follows'} in {quoted(name)}: in the nearest pose "
                    f"{quoted(name_of)} is {measure(gap * 1000, 'mm')} off",
                    gap * 1000,
                    clip=chosen.name,
                    joint=name_of,
                    item=f"{name}.{turn}",
                    time=chosen.end if last else chosen.start,
                )


def _end(
    context: CheckContext, space: StrafeSpace, turn: str, clip: str, last: int
) -> tuple[float, int, int, int, int]:
    """Return the distance of a transition's end to the adjoining clip, both clips, the joint."""
    try:
        one = find_clip(context.model, clip).index
        other = find_clip(context.model, space.clips[LEAVES[turn][last]]).index
    except (AppError, KeyError):
        return 0.0, -1, -1, -1, last  # binding the motion file reports it
    joints = context.cached(moved_joints)
    pose = context.sampled(one).positions[-last, joints]
    gap, joint = _nearest(pose, context.sampled(other).positions[:, joints])
    return gap, one, other, int(joints[joint]), last


def _nearest(pose: F64, poses: F64) -> tuple[float, int]:
    """Return the greatest joint distance of a pose [n, 3] to the nearest of poses [T, n, 3]."""
    apart = length(poses - pose)
    best = int(apart.max(axis=1).argmin())
    return float(apart[best].max()), int(apart[best].argmax())


@rule(
    "sync-mark",
    "warning",
    "a sync mark named left or right is at another time of the contact of that foot than the "
    "other marks",
    "move the mark to the landing of the foot, or to the time used in the other clips",
    Limit("ms", 80.0, "ms", "difference to the expected time"),
)
def _marks(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    """Yield sync marks named after a side that do not fit the contacts of that side's foot.

    Their position within a contact is a convention of the motion file: the median of its marks.
    """
    found: list[tuple[int, str, float, Contact, float]] = []
    for c in context.clips:
        settings, found_contacts = motion_file_settings(context, c), context.cached(contacts, c)
        if settings is None or found_contacts is None or not settings.sync:
            continue
        length = context.clip(c).end
        for name, phases in settings.sync.items():
            of_foot = _of_side(found_contacts, name, length)
            for phase in phases if of_foot else ():
                time = phase * length
                off, contact = min(
                    ((_since(time, candidate, length), candidate) for candidate in of_foot),
                    key=lambda o: abs(o[0]),
                )
                found.append((c, name, time, contact, off))
    if not found:
        return
    shares = [off / _lasts(contact, context.clip(c).end) for c, _, _, contact, off in found]
    usual = float(np.clip(np.median(shares), 0.0, 1.0))
    reported: set[tuple[int, str]] = set()
    for c, name, time, contact, off in found:
        wrong = off - usual * _lasts(contact, context.clip(c).end)
        if abs(wrong) * 1000 > limits["ms"] and (c, name) not in reported:
            reported.add((c, name))
            clip = context.clip(c)
            yield Finding(
                f"sync mark {quoted(name)} of {quoted(clip.name)}, at {number(time)} s, is "
                f"{number(abs(wrong) * 1000)} ms {'after' if wrong > 0 else 'before'} its expected "
                f"time in the contact of that foot, which begins at {number(contact.begin)} s",
                abs(wrong) * 1000,
                clip=clip.name,
                item=name,
                time=time,
            )


def _of_side(steps: Contacts, mark: str, length: float) -> list[Contact]:
    """Return the contacts of the feet on the side that a mark is named after."""
    side = next((side for side in SIDES if side in mark.lower()), "")
    return [
        contact
        for foot, each in steps.feet
        if side and foot.side == side
        for contact in each
        if _lasts(contact, length) < STANDS * length
    ]


def _lasts(contact: Contact, length: float) -> float:
    return contact.end - contact.begin + (length if contact.end <= contact.begin else 0.0)


def _since(time: float, contact: Contact, length: float) -> float:
    """Return the time since the beginning of a contact, wrapped to the shorter direction."""
    since = float(np.mod(time - contact.begin, length))
    return since if since <= (length + _lasts(contact, length)) / 2 else since - length
