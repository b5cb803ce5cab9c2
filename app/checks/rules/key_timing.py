"""The frame rate of keys; rules about late starts, short tracks, keys between frames."""

from collections.abc import Iterator

from ...animation.clip import Clip
from ...animation.resample import KeyFrameRate, frame_rate_of
from ...wording import counted, number, quoted
from ..check_context import CheckContext
from ..clip_rules import per_clip
from ..finding import Finding, Limit, Limits, rule
from ..looping_clips import loop_decision
from .redundant_keys import is_constant


@rule(
    "late-start",
    "info",
    "the first key of a clip is later than 0 s, and its pose is held until then; a warning if "
    "the clip loops",
    "move the keys of the clip to start at 0 s, or play it with --trim",
    Limit("ms", 1.0, "ms", "before the first key"),
)
@per_clip
def _late(context: CheckContext, limits: Limits, c: int, clip: Clip) -> Iterator[Finding]:
    if clip.start * 1000 > limits["ms"] and clip.duration > 0:
        loops = loop_decision(context, c).expected
        yield Finding(
            f"the first key of {quoted(clip.name)} is at {number(clip.start)} s: "
            + ("every pass begins with a pause" if loops else "it begins with a pause"),
            clip.start * 1000,
            time=clip.start,
            severity="warning" if loops else "",
        )


@rule(
    "short-track",
    "info",
    "a track ends before its clip, and holds its last key from there",
    "add a key at the end of the clip, unless the joint should hold",
    Limit("frames", 1.5, "frames", "between the end of the track and of the clip"),
)
@per_clip
def _short(context: CheckContext, limits: Limits, c: int, clip: Clip) -> Iterator[Finding]:
    """Yield clips with animated tracks that end before the clip, which hold their last key."""
    names = context.model.skeleton.names
    rate = context.cached(key_frame_rate, c).rate
    ends = {k: track.end for k, track in enumerate(clip.tracks) if len(track.times) > 1}
    early = [k for k, end in ends.items() if clip.end - end > limits["frames"] / rate]
    early = [k for k in early if not is_constant(clip.tracks[k])]
    if not early:
        return
    first = min(early, key=lambda k: ends[k])
    track = clip.tracks[first]
    name = names[track.target] if track.path != "values" else ""
    what = f"{track.path} of {quoted(name)}" if name else "track of morph weights"
    yield Finding(
        f"the {what} ends at {number(ends[first])} s of {quoted(clip.name)}, which ends "
        f"at {number(clip.end)} s; {counted(len(early), 'track')} of {len(clip.tracks)} "
        f"{'ends' if len(early) == 1 else 'end'} early",
        (clip.end - ends[first]) * 1000,
        "ms",
        joint=name,
        time=ends[first],
    )


@rule(
    "off-frame-keys",
    "info",
    "keys are between the frames of the clip's frame rate",
    "snap the keys to frames before exporting",
    Limit("percent", 2.0, "%", "share of the key times"),
)
@per_clip
def _off_frames(context: CheckContext, limits: Limits, c: int, clip: Clip) -> Iterator[Finding]:
    rate, certain, off = context.cached(key_frame_rate, c)
    percent = len(off) / max(len(clip.key_times), 1) * 100
    if certain and percent > limits["percent"]:
        yield Finding(
            f"{len(off)} of the {len(clip.key_times)} key times of {quoted(clip.name)} are "
            f"between frames at {number(rate)} frames per second, as at "
            f"{number(float(off[0]))} s",
            percent,
            time=float(off[0]),
        )


def key_frame_rate(context: CheckContext, index: int) -> KeyFrameRate:
    """Return the frame rate of a clip's keys; call it by `context.cached`."""
    return frame_rate_of(context.clip(index).key_times)
