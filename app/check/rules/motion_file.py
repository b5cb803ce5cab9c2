"""What a motion file asks for that the character does not do well (SPEC D3, D6, D9)."""

from collections.abc import Iterator, Sequence

import numpy as np

from ...animation.types import F64
from ...blending.joint_limits import Past
from ...errors import AppError, MotionError
from ...model.lookup import find_clip
from ...motion.bind import bind
from ...motion.document import LayerSettings, MotionDoc, Nested, StrafeSpace
from ..clip_ends import length, moved_joints
from ..finding_text import number, quoted
from ..foot_contacts import Contact, Contacts, contacts
from ..looping_clips import said
from ..rule import Hit, Limit, Limits, Rule
from ..subject import Subject

LOOKS = 12.0  # poses a second of the motion that are looked at for limits
LONGEST = 8.0  # seconds of it
STANDS = 0.9  # of a clip: a foot that stands so long does not step
SIDES = ("left", "right")
LEAVES = {  # what plays as a strafing space turns about: role before, role after
    "left_to_back": ("left", "left_back"),
    "left_to_front": ("left_back", "left"),
    "right_to_back": ("right", "right_back"),
    "right_to_front": ("right_back", "right"),
}


def _cones(subject: Subject, limits: Limits) -> Iterator[Hit]:
    if subject.motion is None:
        return
    document = subject.motion.document
    limited = {name for name, each in document.additives.items() if each.limits}
    joints = subject.model.skeleton.names
    for chain in _chains(document.layers):
        layer = chain[-1]
        if layer.play not in limited:
            continue
        held = _held(subject, document, [each.name for each in chain])
        for joint, (tau, past) in sorted(held.items()):
            angle, limit = float(np.degrees(past.angle)), float(np.degrees(past.limit))
            if angle - limit > limits["degrees"]:
                yield Hit(
                    f"layer {quoted(layer.name)} turns {quoted(joints[joint])} by "
                    f"{number(angle)}°, past its limit of {number(limit)}°, and is held there, at "
                    f"{tau:.2f} s of the motion",
                    angle - limit,
                    "°",
                    "degrees",
                    joint=joints[joint],
                    item=layer.name,
                    time=tau,
                )


def _chains(layers: Sequence[LayerSettings]) -> Iterator[list[LayerSettings]]:
    """Yield every layer, with those that it is in before it."""
    for layer in layers:
        yield [layer]
        if isinstance(layer.play, Nested):
            yield from ([layer, *inner] for inner in _chains(layer.play.layers))


def _held(
    subject: Subject, document: MotionDoc, names: Sequence[str]
) -> dict[int, tuple[float, Past]]:
    """Return the joints that the last of some layers gets past their cones: when, and how far.

    All of them are at full weight; in the motion as it starts some may be silent.
    """
    try:
        mixer = bind(subject.model, document)
    except MotionError:
        return {}  # who asks for the motion is told
    for name in names:
        if f"{name}.weight" in mixer.parameters:
            mixer.set(f"{name}.weight", 1.0, seconds=0.0)
    out = subject.model.skeleton.rest.copy()
    for k in range(int(min(mixer.length, LONGEST) * LOOKS) + 1):
        mixer.go(k / LOOKS)
        out.assign(subject.model.skeleton.rest)
        mixer.sample(out)
    return {joint: found for (name, joint), found in mixer.held.items() if name == names[-1]}


def _gaps(subject: Subject, limits: Limits) -> Iterator[Hit]:
    """Transitions of strafing that begin or end in a pose that no moment of the step comes near."""
    if subject.motion is None:
        return
    for name, space in subject.motion.document.spaces.items():
        if not isinstance(space, StrafeSpace):
            continue
        for turn, clip in space.transitions.items():
            ends = [_end(subject, space, turn, clip, k) for k in (0, 1)]
            gap, one, other, joint, last = max(ends, key=lambda end: end[0])
            if gap * 1000 > limits["mm"]:
                chosen, name_of = subject.clip(one), subject.model.skeleton.names[joint]
                yield Hit(
                    f"{quoted(chosen.name)} {'ends' if last else 'begins'} in no pose of "
                    f"{quoted(subject.clip(other).name)}, which it "
                    f"{'leads to' if last else 'follows'} in {quoted(name)}: at best "
                    f"{quoted(name_of)} is {number(gap * 1000)} mm off",
                    gap * 1000,
                    "mm",
                    "mm",
                    clip=chosen.name,
                    joint=name_of,
                    item=f"{name}.{turn}",
                    time=chosen.end if last else chosen.start,
                )


def _end(
    subject: Subject, space: StrafeSpace, turn: str, clip: str, last: int
) -> tuple[float, int, int, int, int]:
    """Return how far an end of a transition is from the clip beside it, both, and the joint."""
    try:
        one = find_clip(subject.model, clip).index
        other = find_clip(subject.model, space.clips[LEAVES[turn][last]]).index
    except (AppError, KeyError):
        return 0.0, -1, -1, -1, last  # who binds the motion file is told
    joints = subject.once(moved_joints)
    pose = subject.sampled(one).places[-last, joints]
    gap, joint = _nearest(pose, subject.sampled(other).places[:, joints])
    return gap, one, other, int(joints[joint]), last


def _nearest(pose: F64, poses: F64) -> tuple[float, int]:
    """Return how far the worst joint of a pose [n, 3] is from the nearest of poses [T, n, 3]."""
    apart = length(poses - pose)
    best = int(apart.max(axis=1).argmin())
    return float(apart[best].max()), int(apart[best].argmax())


def _marks(subject: Subject, limits: Limits) -> Iterator[Hit]:
    """Sync marks named after a side, against when that side's foot is on the ground.

    Where in a contact they are is a convention of the motion file: the middle of what its marks do.
    """
    found: list[tuple[int, str, float, Contact, float]] = []
    for c in subject.clips:
        settings, steps = said(subject, c), subject.once(contacts, c)
        if settings is None or steps is None or not settings.sync:
            continue
        length = subject.clip(c).end
        for name, phases in settings.sync.items():
            stands = _of_side(steps, name, length)
            for phase in phases if stands else ():
                time = phase * length
                off, contact = min(
                    ((_since(time, each, length), each) for each in stands), key=lambda o: abs(o[0])
                )
                found.append((c, name, time, contact, off))
    if not found:
        return
    shares = [off / _lasts(each, subject.clip(c).end) for c, _, _, each, off in found]
    usual = float(np.clip(np.median(shares), 0.0, 1.0))
    told: set[tuple[int, str]] = set()
    for c, name, time, contact, off in found:
        wrong = off - usual * _lasts(contact, subject.clip(c).end)
        if abs(wrong) * 1000 > limits["ms"] and (c, name) not in told:
            told.add((c, name))
            clip = subject.clip(c)
            yield Hit(
                f"sync mark {quoted(name)} of {quoted(clip.name)}, at {number(time)} s, is "
                f"{number(abs(wrong) * 1000)} ms {'after' if wrong > 0 else 'before'} its place "
                f"in the contact of that foot, which begins at {number(contact.begin)} s",
                abs(wrong) * 1000,
                "ms",
                "ms",
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
    """Return how long after the beginning of a contact a time is, the shorter way round."""
    since = float(np.mod(time - contact.begin, length))
    return since if since <= (length + _lasts(contact, length)) / 2 else since - length


RULES: tuple[Rule, ...] = (
    Rule(
        "cone-limit",
        "warning",
        "an additive at full weight turns a joint past the limit that the motion file gives it",
        "widen the limit, or turn the joint less in the additive's clip",
        _cones,
        (Limit("degrees", 1.0, "°", "past the limit"),),
    ),
    Rule(
        "transition-gap",
        "info",
        "a transition of a strafing space begins or ends in no pose of the clip before or after",
        "begin and end the transition in a pose of those clips",
        _gaps,
        (Limit("mm", 80.0, "mm", "between the joints of the nearest poses", scaled=True),),
    ),
    Rule(
        "sync-mark",
        "warning",
        "a sync mark named left or right is elsewhere in the contact of that foot than the others "
        "are",
        "set the mark where the foot comes down, or where the other clips have theirs",
        _marks,
        (Limit("ms", 80.0, "ms", "off its place"),),
    ),
)
