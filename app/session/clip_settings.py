"""The settings of a clip in the motion document: loop mode, range, sync marks, root motion."""

import math
from dataclasses import replace
from types import MappingProxyType
from typing import Literal

import numpy as np

from ..animation.playback import parse_loop
from ..errors import UsageError
from ..memo import Memo
from ..model.lookup import find_clip
from ..model.model import Model
from ..model.skin_joints import joint_reference
from ..motion import edit
from ..motion.document import ClipSettings, MotionDoc, Root
from ..motion.new_entries import play_names
from ..retargeting.hips import guess_hips

LoopKind = Literal["", "loop", "pingpong", "once", "times", "pingpong times"]
DIGITS = 4  # of written phases


def clip_key(model: Model, document: MotionDoc, clip: int) -> str:
    """Return the document's key for a clip; its name if the document has no settings of it."""
    name = model.clips[clip].name
    if find_clip(model, name).index == clip and name in document.clips:
        return name
    for key in document.clips:
        try:
            if find_clip(model, key).index == clip:
                return key
        except UsageError:
            continue
    return name if find_clip(model, name).index == clip else f"#{clip}"


def settings_of(model: Model, document: MotionDoc, clip: int) -> ClipSettings:
    """Return the settings of a clip; the defaults if the document has none of it."""
    return document.clips.get(clip_key(model, document, clip), ClipSettings())


@Memo
def clips_with_settings(model: Model, document: MotionDoc) -> frozenset[int]:
    """Return the clips that the document has settings of."""
    found = set()
    for key in document.clips:
        try:
            found.add(find_clip(model, key).index)
        except UsageError:
            continue  # binding the document reports it
    return frozenset(found)


@Memo
def searched_names(model: Model, document: MotionDoc) -> tuple[str, ...]:
    """Return what the search in the list of clips looks at: each clip's name and its #tags."""
    names = [clip.name for clip in model.clips]
    for clip in clips_with_settings(model, document):
        tags = settings_of(model, document, clip).tags
        names[clip] = " ".join([names[clip], *(f"#{tag}" for tag in tags)])
    return tuple(names)


def with_cut_clip(
    model: Model, document: MotionDoc, clip: int, span: tuple[float, float]
) -> tuple[MotionDoc, str]:
    """Return the document with a new clip that is a range of a clip, seconds, and its name."""
    long = model.clips[clip]
    before = document.clips.get(long.name, ClipSettings())
    begin = before.range[0] if before.source is not None and before.range is not None else 0.0
    source = before.source or long.name
    name = edit.free_name(f"{source} part", [*document.clips, *play_names(document, model)])
    first, last = (round(begin + each, DIGITS) for each in span)
    return edit.with_cut_clip(document, name, source, (first, last)), name


def loop_kind(loop: str | None) -> tuple[LoopKind, int]:
    """Return the kind of a clip's loop mode, and its number of passes (2 without one)."""
    if loop is None:
        return "", 2
    mode, passes = parse_loop(loop)
    if math.isinf(passes):
        return ("loop" if mode == "loop" else "pingpong"), 2
    if mode == "loop" and passes == 1:
        return "once", 2
    return ("times" if mode == "loop" else "pingpong times"), round(passes)


def loop_setting(kind: LoopKind, times: int) -> str | None:
    """Return the loop mode as a motion file has it; None: not set."""
    by_number: dict[LoopKind, str] = {"times": f"{times}", "pingpong times": f"pingpong:{times}"}
    return by_number.get(kind, kind) or None


def with_cycles(settings: ClipSettings, cycles: int) -> ClipSettings:
    """Return settings with another number of cycles; sync marks are spread evenly again."""
    if cycles == settings.cycles:
        return settings
    sync = {
        name: even_phases(phases[0] * settings.cycles / cycles, cycles)
        for name, phases in settings.sync.items()
    }
    return replace(settings, cycles=cycles, sync=MappingProxyType(sync))


def with_mark(settings: ClipSettings, name: str, phases: tuple[float, ...]) -> ClipSettings:
    """Return settings with a sync mark, one phase for each cycle."""
    rounded = tuple(round(min(max(phase, 0.0), 1.0), DIGITS) for phase in phases)
    return replace(settings, sync=MappingProxyType({**settings.sync, name: rounded}))


def even_phases(phase: float, cycles: int) -> tuple[float, ...]:
    """Return the phases of a mark in each cycle, from that of one of them, ascending."""
    first = phase % (1.0 / cycles)
    return tuple(round(first + k / cycles, DIGITS) for k in range(cycles))


def default_root(model: Model) -> Root | None:
    """Return root motion in place by the hips; None without a joint."""
    skins = [skin.joints for skin in model.skins if len(skin.joints)]
    joints = np.unique(np.concatenate(skins)) if skins else np.arange(model.skeleton.count)
    hips = guess_hips(model.skeleton, joints.astype(np.int32), model.clips)
    return None if hips < 0 else Root(joint_reference(model, hips))
