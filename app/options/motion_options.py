"""What moves, and which moment of it is shown."""

from ..tomlfile.value_parsing import (
    counts,
    frame_range,
    loop_mode,
    number,
    numbers,
    phases,
    positive,
    time_range,
    wholes,
)
from .command_groups import MOVING, PLAYING, READING, TOGETHER
from .option import Option

MOVES = (
    Option(
        "animation",
        (*PLAYING, "curves", "check", "diff", "bench", "bake"),
        "the clip: its name, else its number from 0 (3 or #3), else a pattern (Run*); "
        "without it the first",
        metavar="NAME",
        repeat=("sheet", "report", "check", "diff", "bench", "bake"),
        apiece=TOGETHER,
        helps=dict.fromkeys(
            ("report", "check", "diff", "bake"),
            "clips: a name, else a number from 0 (3 or #3), else a pattern (Run*); may be "
            "given several times; without it all clips",
        )
        | {
            "sheet": "a clip: its name, else its number from 0 (3 or #3), else a pattern "
            "(Run*); may be given several times; without it all clips",
            "bench": "clips to time, of which four are blended: a name, else a number from 0 "
            "(3 or #3), else a pattern (Run*); may be given several times",
        },
    ),
    Option(
        "anims",
        READING,
        "animations of other files, .glb .gltf .vrm .bvh, put on this one by joint name; "
        "several, or given several times",
        metavar="FILE",
        repeat=READING,
        many=True,
    ),
    Option(
        "time",
        PLAYING,
        "seconds since the start",
        metavar="SECONDS",
        parse=numbers,
        required=("events",),
        helps={
            **dict.fromkeys(("sheet", "pose"), "seconds since the start, a list: 0,0.5,1"),
            "events": "from A to B, seconds since the start: what stands at A has fired",
            "turntable": "stand still at this time, seconds since the start",
        },
        parses={"events": ("A..B", time_range)},
        apiece=TOGETHER,
    ),
    Option(
        "step",
        ("events",),
        "seconds of a frame, where the way is to be gone in frames; without it at once",
        metavar="S",
        parse=positive,
    ),
    Option(
        "phase",
        MOVING,
        "place in the clip, from 0 to 1",
        metavar="U",
        parse=phases,
        helps=dict.fromkeys(("sheet", "pose"), "places in the clip, from 0 to 1: 0,0.5,1")
        | {"turntable": "stand still at this place in the clip, from 0 to 1"},
    ),
    Option(
        "frame",
        MOVING,
        "number of the frame: it is at N / frame rate",
        metavar="N",
        parse=wholes,
        helps=dict.fromkeys(("sheet", "pose"), "numbers of frames, each at N / frame rate")
        | {"turntable": "stand still at this frame: it is at N / frame rate"},
    ),
    Option(
        "frames",
        ("render",),
        "a sequence or a video of a part: every STEPth frame from A to B, B included",
        metavar="A..B[:STEP]",
        parse=frame_range,
    ),
    Option(
        "motion",
        (*PLAYING, "check", "bake"),
        "a motion file; without it FILE.motion.toml, where one lies beside the character",
        metavar="FILE",
        helps={"bake": "a motion file, for the clips of other files and how they fit"},
        apiece=TOGETHER,
    ),
    Option("no-motion", (*PLAYING, "check", "bake"), "read no motion file"),
    Option(
        "set",
        PLAYING,
        "a parameter of the motion, or LAYER.weight; may be given several times",
        metavar="NAME=VALUE",
        repeat=PLAYING,
    ),
    Option(
        "at",
        PLAYING,
        "what happens at a time: T:fade:LAYER=CLIP[,SECONDS], T:set:NAME=VALUE[,SECONDS]; "
        "may be given several times",
        metavar="T:WHAT",
        repeat=PLAYING,
    ),
    Option("key", ("pose",), "key numbers of the clip, from 0", metavar="K", parse=counts),
    Option("hold", ("pose",), "the last key at or before each time, not interpolated"),
    Option(
        "frame-rate",
        (*MOVING, "diff"),
        "frames a second",
        metavar="FPS",
        parse=positive,
        default=30.0,
    ),
    Option(
        "speed",
        PLAYING,
        "rate; below 0 backwards",
        metavar="R",
        parse=number,
        default=1.0,
        apiece=TOGETHER,
    ),
    Option(
        "loop",
        PLAYING,
        "once, loop, pingpong, a number of passes, or pingpong:N",
        metavar="MODE",
        parse=loop_mode,
        helps={
            "render": "once, loop, pingpong, a number of passes, or pingpong:N; without it a "
            "picture is of a clip that plays once, and a video loops",
        },
        apiece=TOGETHER,
    ),
    Option(
        "trim",
        (*PLAYING, "curves"),
        "play from the first key to the last one instead of from 0",
        helps={"curves": "begin the axis of time at the first key instead of at 0"},
    ),
    Option(
        "pose",
        MOVING,
        "show the clip, the pose of the nodes, or the one the skin was bound in",
        metavar="WHICH",
        default="clip",
        choices=("clip", "rest", "bind"),
        apiece=TOGETHER,
    ),
)
