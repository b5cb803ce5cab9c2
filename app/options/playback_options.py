"""Options of commands that work on several clips or times."""

from ..fields.command_groups import POSING
from ..fields.option import switch, value, values
from ..fields.readers import (
    frame_range,
    frame_range_text,
    natural_numbers,
    phases,
    positive,
    text,
    time_range,
    whole_numbers,
)
from ..fields.record import record
from ..scenedoc.shown import CLIP


@record(frozen=True)
class ClipOptions:
    """The clips of a command that takes several."""

    animations: tuple[str, ...] = values(
        ("sheet", "report", "check", "diff", "bench", "bake"),
        f"clips: {CLIP}; may be given several times; default: all clips",
        "NAME",
        text,
        name="animation",
        names="clips",
        helps={
            "sheet": f"a clip: {CLIP}; may be given several times; default: all clips",
            "bench": f"clips to measure, four of them blended: {CLIP}; may be given several times",
        },
    )


@record(frozen=True)
class TimeOptions:
    """The times to show; those of `Shown.time`, `phase`, `frame` and `key` exclude each other."""

    interval: tuple[float, float] = value(
        ("events", "bake"),
        "interval A to B, seconds since the start; includes events at A",
        "A..B",
        time_range,
        default=(0.0, 0.0),
        name="time",
        required=("events",),
        helps={
            "bake": "with --mix: from A to B, seconds since the start; default: until everything "
            "repeats"
        },
    )
    step: float | None = value(
        ("events",),
        "evaluate in frames of this many seconds; default: the whole interval at once",
        "S",
        positive,
    )
    phase: tuple[float, ...] | None = value(
        POSING,
        "phase of the clip, 0 to 1",
        "U",
        phases,
        helps=dict.fromkeys(("sheet", "pose"), "phases of the clip, 0 to 1: 0,0.5,1")
        | {"turntable": "show the pose at this phase of the clip, 0 to 1"},
    )
    frame: tuple[int, ...] | None = value(
        POSING,
        "frame number; its time is N / frame rate",
        "N",
        whole_numbers,
        helps=dict.fromkeys(("sheet", "pose"), "frame numbers; their times are N / frame rate")
        | {"turntable": "show the pose at this frame; its time is N / frame rate"},
    )
    frames: range | None = value(
        ("render", "pose"),
        "a sequence or video of frames A to B inclusive, every STEPth frame",
        "A..B[:STEP]",
        frame_range,
        helps={"pose": "frames A to B inclusive, every STEPth frame"},
        writer=frame_range_text,
    )
    key: tuple[int, ...] | None = value(
        ("pose",), "key numbers of the clip, from 0", "K", natural_numbers
    )
    hold: bool = switch(("pose",), "use the last key at or before each time, without interpolation")
