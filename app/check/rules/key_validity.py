"""Keys that are no rotations, that flip, that are ambiguous, or too small to be numbers."""

from collections.abc import Iterator

import numpy as np

from ...animation.types import F32, F64, Bool, Index
from ..finding import Severity
from ..finding_text import counted, number, quoted
from ..rule import Hit, Limit, Limits, Rule
from ..stored_keys import Channel, Rotations, channels, rotations
from ..subject import Subject

FLIPPED = -0.5  # the product of a key and the next: less than 120 degrees from the opposite
TINY = float(np.finfo(np.float32).tiny)  # the smallest number that is not denormal


def _lengths(subject: Subject, limits: Limits) -> Iterator[Hit]:
    keys = subject.once(rotations)
    off = np.abs(keys.lengths.astype(np.float64) - 1)
    for channel, at, count in _worst(keys, off, off > limits["off"]):
        length = float(keys.lengths[at])
        yield _hit(
            subject,
            channel,
            f"{counted(count, 'rotation key')} of {{clip}} {'is' if count == 1 else 'are'} not of "
            f"unit length, at {{joint}} one is {number(length)} long",
            length,
            "",
            "off",
            float(keys.times[at]),
        )


def _flips(subject: Subject, _: Limits) -> Iterator[Hit]:
    keys = subject.once(rotations)
    for how in ("CUBICSPLINE", "LINEAR"):
        wrong = how == "CUBICSPLINE"
        flipped = np.append(keys.dots < FLIPPED, False)[: len(keys.of)] & keys.are(how)
        for channel, at, count in _worst(keys, np.append(-keys.dots, 0), flipped):
            yield _hit(
                subject,
                channel,
                f"{counted(count, 'rotation key')} of {{clip}} {'is' if count == 1 else 'are'} "
                "followed by one on the other side (q, then nearly -q), as at {joint}: "
                + (
                    "the spline goes the long way round"
                    if wrong
                    else "slerp does not mind, engines that blend components do"
                ),
                float(count),
                "keys" if count > 1 else "key",
                "",
                float(keys.times[at]),
                severity="warning" if wrong else "info",
            )


def _turns(subject: Subject, limits: Limits) -> Iterator[Hit]:
    keys = subject.once(rotations)
    cosine = np.abs(keys.dots) / np.maximum(keys.lengths[1:] * keys.lengths[:-1], 1e-12)
    angle = np.append(np.degrees(2 * np.arccos(np.minimum(cosine, 1))), 0.0)
    for channel, at, count in _worst(keys, angle, (angle > limits["degrees"]) & keys.are("LINEAR")):
        yield _hit(
            subject,
            channel,
            f"{{joint}} turns by {number(float(angle[at]))}° from one key to the next in {{clip}}: "
            "which way round it goes hangs on rounding"
            + (f" ({count} steps like that)" if count > 1 else ""),
            float(angle[at]),
            "°",
            "degrees",
            float(keys.times[at]),
        )


def _worst(keys: Rotations, amount: F32 | F64, bad: Bool) -> Iterator[tuple[Channel, int, int]]:
    """Yield for each clip with bad keys the channel and the key of the worst, and how many."""
    at: Index = np.flatnonzero(bad)
    if not len(at):
        return
    clips = np.array([channel.clip for channel in keys.channels])[keys.of[at]]
    for clip in np.unique(clips).tolist():
        own = at[clips == clip]
        worst = int(own[int(np.argmax(amount[own]))])
        yield keys.channels[int(keys.of[worst])], worst, len(own)


def _hit(
    subject: Subject,
    channel: Channel,
    sentence: str,
    amount: float,
    unit: str,
    limit: str,
    time: float | None,
    severity: Severity | None = None,
) -> Hit:
    clip = subject.clip(channel.clip).name
    joint = subject.model.skeleton.names[channel.joint]
    return Hit(
        sentence.format(clip=quoted(clip), joint=quoted(joint)),
        amount,
        unit,
        limit,
        place=channel.place if subject.document is not None else "",
        clip=clip,
        joint=joint,
        time=time,
        severity=severity,
    )


def _denormals(subject: Subject, _: Limits) -> Iterator[Hit]:
    raw = subject.raw
    moving = subject.once(channels)
    if raw is None or not moving:
        return
    first = {channel.output: channel for channel in reversed(moving)}
    arrays = [raw.accessors.floats(output).ravel() for output in first]
    values = np.abs(np.concatenate(arrays))
    of = np.repeat(np.arange(len(arrays)), [len(each) for each in arrays])
    counts = np.bincount(of[(values > 0) & (values < TINY)], minlength=len(arrays))
    users = list(first.values())
    for clip in sorted({users[k].clip for k in np.flatnonzero(counts)}):
        own = [k for k in np.flatnonzero(counts).tolist() if users[k].clip == clip]
        most = max(own, key=lambda k: int(counts[k]))
        total = int(sum(counts[k] for k in own))
        yield _hit(
            subject,
            users[most],
            f"{counted(total, 'number')} in the keys of {{clip}} {'is' if total == 1 else 'are'} "
            "denormal: meant to be 0, and slow to reckon with on some processors",
            float(total),
            "numbers",
            "",
            None,
        )


def _scales(subject: Subject, limits: Limits) -> Iterator[Hit]:
    skeleton = subject.model.skeleton
    parents = {int(parent) for parent in skeleton.parents if parent >= 0}
    for c in subject.clips:
        clip = subject.clip(c)
        tracks = [track for track in clip.tracks if track.path == "scale" and len(track.times)]
        if not tracks:
            continue
        of = np.repeat(np.arange(len(tracks)), [len(track.times) for track in tracks])
        values = np.concatenate([track.values for track in tracks]).astype(np.float64)
        times = np.concatenate([track.times for track in tracks])
        least, most = np.abs(values).min(axis=1), np.abs(values).max(axis=1)
        inner = np.array([track.target in parents for track in tracks])[of]
        negative: Bool = np.asarray((values < 0).any(axis=1))
        nothing: Bool = np.asarray(least < limits["least"])
        uneven: F64 = np.where(nothing, 0, most / np.maximum(least, 1e-12) - 1) * 100
        found: tuple[tuple[Bool, Severity, F64, str, str], ...] = (
            (negative, "warning", values.min(axis=1), "", "is mirrored: scaled by {}"),
            (nothing & ~negative, "info", least, "", "is scaled to nothing: by {}"),
            (
                np.asarray((uneven > limits["percent"]) & inner & ~negative),
                "info",
                uneven,
                "%",
                "is scaled unevenly, by {} % more along one axis than along another: engines "
                "without shear turn what hangs on it wrongly",
            ),
        )
        for bad, severity, amount, unit, words in found:
            if not bad.any():
                continue
            at = int(np.flatnonzero(bad)[int(np.argmax(np.abs(amount[bad])))])
            name = skeleton.names[tracks[int(of[at])].target]
            others = len(np.unique(of[bad])) - 1
            yield Hit(
                f"{quoted(name)} {words.format(number(float(amount[at])))}, in {quoted(clip.name)}"
                + (f"; so are {counted(others, 'other joint')}" if others else ""),
                float(amount[at]),
                unit,
                "percent" if unit else "",
                clip=clip.name,
                joint=name,
                time=float(times[at]),
                severity=severity,
            )


RULES: tuple[Rule, ...] = (
    Rule(
        "rotation-length",
        "warning",
        "keys of a rotation are quaternions that are not of unit length",
        "normalise the keys; the program they come from rounds or blends them",
        _lengths,
        (Limit("off", 2e-3, "", "that a length may be off 1"),),
    ),
    Rule(
        "rotation-flip",
        "warning",
        "a rotation key lies on the other side of the one before it: q is followed by nearly -q",
        "negate the key and those after it, which are the same rotations",
        _flips,
    ),
    Rule(
        "half-turn",
        "warning",
        "a LINEAR rotation turns by about half a circle from one key to the next, so that either "
        "way round is as short",
        "set a key between the two",
        _turns,
        (Limit("degrees", 175.0, "°", "from one key to the next"),),
    ),
    Rule(
        "denormal-keys",
        "info",
        "keys hold numbers that are too small for a float of full precision",
        "round them to 0",
        _denormals,
    ),
    Rule(
        "animated-scale",
        "info",
        "a clip scales a joint by a negative number (a warning), to nothing, or unevenly above "
        "other joints",
        "scale evenly and above 0; hide things by visibility, mirror them in the mesh",
        _scales,
        (
            Limit("least", 1e-6, "", "scale that is more than nothing"),
            Limit("percent", 5.0, "%", "more along one axis than along another"),
        ),
    ),
)
