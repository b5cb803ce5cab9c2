"""What a motion file asks for that the character does not do well (SPEC D3, D6, D9)."""

from collections.abc import Iterator

import numpy as np

from app.animation.layers import additives
from app.animation.mixer import Mixer
from app.animation.types import F64
from app.check.contacts import Contact, Contacts, contacts
from app.check.ends import length, moved_joints
from app.check.looping import said
from app.check.rule import Hit, Limit, Limits, Rule
from app.check.subject import Subject
from app.check.words import number, quoted
from app.errors import AppError, MotionError
from app.motion.bind import bind
from app.motion.document import MotionDoc, StrafeSpace
from app.select import find_clip

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


def _bound(subject: Subject, _: int) -> Mixer | MotionError | None:
    if subject.motion is None:
        return None
    try:
        return bind(subject.model, subject.motion.document, advise=True)
    except MotionError as error:
        return subject.motion.locate(error)


def _fits(subject: Subject, _: Limits) -> Iterator[Hit]:
    found = subject.once(_bound)
    if isinstance(found, MotionError):
        where = f"{found.file}:{found.line}: " if found.file and found.line else ""
        yield Hit(
            f"the motion file does not fit the character: {where}{found.sentence}",
            item=".".join(map(str, found.path)),
            mend=found.hint,
        )


def _advice(subject: Subject, _: Limits) -> Iterator[Hit]:
    found = subject.once(_bound)
    if isinstance(found, Mixer):
        for warning in found.warnings:
            yield Hit(warning, item=_layer(warning))


def _layer(warning: str) -> str:
    """Return the layer that an advice is about, what is between the first quotation marks."""
    parts = warning.split('"')
    return parts[1] if warning.startswith("layer ") and len(parts) > 1 else ""


def _cones(subject: Subject, limits: Limits) -> Iterator[Hit]:
    found = subject.once(_bound)
    if not isinstance(found, Mixer) or subject.motion is None:
        return
    document = subject.motion.document
    if not any(each.limits for each in document.additives.values()):
        return
    names = [layer.name for layer, act in additives(found.layers) if act.limits is not None]
    joints = subject.model.skeleton.names
    for name in names:
        for joint, (tau, past) in sorted(_held(subject, document, name).items()):
            angle, limit = float(np.degrees(past[0])), float(np.degrees(past[1]))
            if angle - limit > limits["degrees"]:
                yield Hit(
                    f"layer {quoted(name)} turns {quoted(joints[joint])} by {number(angle)}°, "
                    f"past its limit of {number(limit)}°, and is held there, at {tau:.2f} s of the "
                    "motion",
                    angle - limit,
                    "°",
                    "degrees",
                    joint=joints[joint],
                    item=name,
                    time=tau,
                )


def _held(
    subject: Subject, document: MotionDoc, layer: str
) -> dict[int, tuple[float, tuple[float, float]]]:
    """Return the joints that a layer at full weight gets past their cones: when, and how far."""
    mixer = bind(subject.model, document)
    weight = f"{layer}.weight"
    if weight in mixer.parameters:
        mixer.set(weight, 1.0, seconds=0.0)
    out = subject.model.skeleton.rest.copy()
    for k in range(int(min(mixer.length, LONGEST) * LOOKS) + 1):
        mixer.go(k / LOOKS)
        out.assign(subject.model.skeleton.rest)
        mixer.sample(out)
    return {
        joint: (tau, (past.angle, past.limit))
        for (name, joint), (tau, past) in mixer.held.items()
        if name == layer
    }


def _gaps(subject: Subject, limits: Limits) -> Iterator[Hit]:
    """Transitions of strafing that begin or end in a pose that no moment of the step comes near."""
    if subject.motion is None:
        return
    joints = subject.once(moved_joints)
    for name, space in subject.motion.document.spaces.items():
        if not isinstance(space, StrafeSpace):
            continue
        for turn, clip in space.transitions.items():
            for role, last in zip(LEAVES.get(turn, ()), (False, True), strict=False):
                try:
                    one = find_clip(subject.model, clip).index
                    other = find_clip(subject.model, space.clips.get(role, "")).index
                except AppError:
                    continue  # told as an error of the motion file
                pose = subject.sampled(one).places[-1 if last else 0, joints]
                gap, joint = _nearest(pose, subject.sampled(other).places[:, joints])
                if gap * 1000 > limits["mm"]:
                    names = subject.model.skeleton.names
                    yield Hit(
                        f"{quoted(clip)} {'ends' if last else 'begins'} in no pose of "
                        f"{quoted(subject.clip(other).name)}, which it "
                        f"{'leads to' if last else 'follows'} in {quoted(name)}: at best "
                        f"{quoted(names[joints[joint]])} is {number(gap * 1000)} mm off",
                        gap * 1000,
                        "mm",
                        "mm",
                        clip=subject.clip(one).name,
                        joint=names[joints[joint]],
                        item=f"{name}.{turn}",
                        time=subject.clip(one).end if last else subject.clip(one).start,
                    )


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
        "motion-file",
        "error",
        "the motion file names what the character lacks, or an event outside a clip's range",
        "correct the motion file",
        _fits,
    ),
    Rule(
        "motion-advice",
        "warning",
        "an additive's reference turns the hips or holds the arms up, an additive is put on "
        "several core poses, or a value is out of its range (SPEC D9)",
        "take the reference from the pose that the difference is put on",
        _advice,
    ),
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
        (Limit("mm", 150.0, "mm", "between the joints of the nearest poses", scaled=True),),
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
