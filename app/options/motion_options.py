"""Options of playback: clips, motion file, time and loop mode."""

from ..tomlfile.value_parsing import (
    frame_range,
    loop_mode,
    natural_numbers,
    number,
    numbers,
    phases,
    positive,
    time_range,
    whole_numbers,
)
from .command_groups import IN_ONE_SCENE, PLAYING, POSING, READING
from .option import Option

PLAYBACK = (
    Option(
        "animation",
        (*PLAYING, "curves", "check", "diff", "bench", "bake"),
        "the clip: a name, else an index from 0 (3 or #3), else a pattern (Run*); "
        "default: the first",
        metavar="NAME",
        repeat=("sheet", "report", "check", "diff", "bench", "bake"),
        per_file=IN_ONE_SCENE,
        helps=dict.fromkeys(
            ("report", "check", "diff", "bake"),
            "clips: a name, else an index from 0 (3 or #3), else a pattern (Run*); may be "
            "given several times; default: all clips",
        )
        | {
            "sheet": "a clip: a name, else an index from 0 (3 or #3), else a pattern "
            "(Run*); may be given several times; default: all clips",
            "bench": "clips to measure, four of them blended: a name, else an index from 0 "
            "(3 or #3), else a pattern (Run*); may be given several times",
        },
    ),
    Option(
        "anims",
        READING,
        "import animations of other files, .glb .gltf .vrm .bvh, retargeted by joint name; "
        "several files, or given several times",
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
            **dict.fromkeys(("sheet", "pose"), "times since the start in seconds: 0,0.5,1"),
            "events": "interval A to B, seconds since the start; includes events at A",
            "turntable": "show the pose at this time, seconds since the start",
        },
        parses={"events": ("A..B", time_range)},
        per_file=IN_ONE_SCENE,
    ),
    Option(
        "step",
        ("events",),
        "evaluate in frames of this many seconds; default: the whole interval at once",
        metavar="S",
        parse=positive,
    ),
    Option(
        "phase",
        POSING,
        "phase of the clip, 0 to 1",
        metavar="U",
        parse=phases,
        helps=dict.fromkeys(("sheet", "pose"), "phases of the clip, 0 to 1: 0,0.5,1")
        | {"turntable": "show the pose at this phase of the clip, 0 to 1"},
    ),
    Option(
        "frame",
        POSING,
        "frame number; its time is N / frame rate",
        metavar="N",
        parse=whole_numbers,
        helps=dict.fromkeys(("sheet", "pose"), "frame numbers; their times are N / frame rate")
        | {"turntable": "show the pose at this frame; its time is N / frame rate"},
    ),
    Option(
        "frames",
        ("render",),
        "a sequence or video of frames A to B inclusive, every STEPth frame",
        metavar="A..B[:STEP]",
        parse=frame_range,
    ),
    Option(
        "motion",
        (*PLAYING, "check", "bake"),
        "a motion file; default: FILE.motion.toml beside the character, if it exists",
        metavar="FILE",
        helps={"bake": "a motion file, for imported clips and retargeting"},
        per_file=IN_ONE_SCENE,
    ),
    Option("no-motion", (*PLAYING, "check", "bake"), "do not read a motion file"),
    Option(
        "set",
        PLAYING,
        "set a parameter of the motion, or LAYER.weight; may be given several times",
        metavar="NAME=VALUE",
        repeat=PLAYING,
    ),
    Option(
        "at",
        PLAYING,
        "an action at a time: T:fade:LAYER=CLIP[,SECONDS], T:set:NAME=VALUE[,SECONDS]; "
        "may be given several times",
        metavar="T:WHAT",
        repeat=PLAYING,
    ),
    Option("key", ("pose",), "key numbers of the clip, from 0", metavar="K", parse=natural_numbers),
    Option("hold", ("pose",), "use the last key at or before each time, without interpolation"),
    Option(
        "frame-rate",
        (*POSING, "diff"),
        "frames per second",
        metavar="FPS",
        parse=positive,
        default=30.0,
    ),
    Option(
        "speed",
        PLAYING,
        "playback speed; negative plays backwards",
        metavar="R",
        parse=number,
        default=1.0,
        per_file=IN_ONE_SCENE,
    ),
    Option(
        "loop",
        PLAYING,
        "once, loop, pingpong, a number of passes, or pingpong:N",
        metavar="MODE",
        parse=loop_mode,
        helps={
            "render": "once, loop, pingpong, a number of passes, or pingpong:N; default: once "
            "for a picture, loop for a video",
        },
        per_file=IN_ONE_SCENE,
    ),
    Option(
        "trim",
        (*PLAYING, "curves"),
        "play from the first key to the last instead of from 0",
        helps={"curves": "start the time axis at the first key instead of at 0"},
    ),
    Option(
        "pose",
        POSING,
        "show the clip, the rest pose of the nodes, or the bind pose of the skin",
        metavar="WHICH",
        default="clip",
        choices=("clip", "rest", "bind"),
        per_file=IN_ONE_SCENE,
    ),
)
