"""The one table of options: the command line, the panels, the help page and the docs read it.

Every option stands here once, with the function that reads it from text. A parser takes the text
and returns the value, or raises ValueError with a sentence for the user. Angles are in degrees
here, as in everything that a person writes; seconds are seconds.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from app.option import Option
from app.values import (
    angle_of_view,
    colour,
    counts,
    frame_range,
    loop_mode,
    number,
    numbers,
    phases,
    positive,
    size,
    stops,
    time_range,
    vector,
    whole_from,
    wholes,
)

COMMANDS = {
    "view": "open the window on a file (also without the word `view`)",
    "render": "write a picture, or a numbered sequence of pictures",
    "sheet": "write a contact sheet: a row a clip, a column a phase",
    "curves": "draw the keys and curves of a joint",
    "info": "tell what a file holds",
    "pose": "write the evaluated pose as numbers",
    "events": "tell the events that a motion fires",
    "check": "tell which clips follow each other without a blend",
    "bench": "time the steps from a file to a frame on this machine",
    "bake": "write the file with fewer keys, or with keys at a fixed rate",
}

DRAWING = ("view", "render", "sheet")
MOVING = (*DRAWING, "pose")
PLAYING = (*MOVING, "events")
READING = (*PLAYING, "curves", "info", "check", "bench", "bake")


GROUPS: dict[str, tuple[Option, ...]] = {
    "output": (
        Option(
            "output",
            ("render", "sheet", "curves", "pose", "bake"),
            "where to write the picture, .png; - is standard output",
            metavar="OUT",
            short="-o",
            required=("render", "sheet", "curves", "bake"),
            defaults={"pose": "-"},
            helps={
                "render": "where to write, .png; - is standard output. A sequence has its frame "
                "numbers where {frame:04} stands (four digits), else before the ending",
                "curves": "where to write, .svg or .png; - is SVG on standard output",
                "pose": "where to write, .npz or .json; without it JSON to standard output",
                "bake": "where to write, .glb; - is standard output",
            },
        ),
        Option("json", ("info", "events", "check", "bench", "bake"), "print JSON instead of text"),
        Option(
            "joint",
            ("curves",),
            "whose curves: a joint, a morph target, or a pointer such as /nodes/3/weights",
            metavar="NAME",
            required=("curves",),
        ),
        Option(
            "rotation",
            ("curves",),
            "rotations in degrees about X, then Y, then Z, or as the four components",
            metavar="HOW",
            default="euler",
            choices=("euler", "quaternion"),
        ),
        Option("vertices", ("pose",), "add the deformed vertices of every primitive"),
    ),
    "what is looked for": (
        Option("joins", ("check",), "how well each clip's end meets each clip's beginning"),
        Option(
            "threshold-mm",
            ("check",),
            "ends whose joints are this close are one pose",
            metavar="MM",
            parse=positive,
            default=1.0,
        ),
        Option(
            "threshold-deg",
            ("check",),
            "ends whose joints are turned this little against each other are one pose",
            metavar="DEGREES",
            parse=positive,
            default=1.0,
        ),
    ),
    "keys": (
        Option(
            "fps",
            ("bake",),
            "keys a second; without it needless keys are cut",
            metavar="F",
            parse=positive,
        ),
        Option(
            "tolerance-mm",
            ("bake",),
            "how far a vertex may be off (0.1, or 1/10000 of the character's height)",
            metavar="MM",
            parse=positive,
        ),
        Option(
            "tolerance-deg",
            ("bake",),
            "how far a joint may be turned off (0.05)",
            metavar="DEGREES",
            parse=positive,
        ),
    ),
    "what moves": (
        Option(
            "animation",
            (*PLAYING, "curves", "check", "bench", "bake"),
            "the clip: its name, else its number from 0 (3 or #3), else a pattern (Run*); "
            "without it the first",
            metavar="NAME",
            repeat=("sheet", "check", "bench", "bake"),
            helps=dict.fromkeys(
                ("check", "bake"),
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
            },
            parses={"events": ("A..B", time_range)},
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
            helps=dict.fromkeys(("sheet", "pose"), "places in the clip, from 0 to 1: 0,0.5,1"),
        ),
        Option(
            "frame",
            MOVING,
            "number of the frame: it is at N / frame rate",
            metavar="N",
            parse=wholes,
            helps=dict.fromkeys(("sheet", "pose"), "numbers of frames, each at N / frame rate"),
        ),
        Option(
            "frames",
            ("render",),
            "a sequence: every STEPth frame from A to B, B included",
            metavar="A..B[:STEP]",
            parse=frame_range,
        ),
        Option(
            "motion",
            (*PLAYING, "bake"),
            "a motion file; without it FILE.motion.toml, where one lies beside the character",
            metavar="FILE",
            helps={"bake": "a motion file, for the clips of other files and how they fit"},
        ),
        Option("no-motion", (*PLAYING, "bake"), "read no motion file"),
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
            MOVING,
            "frames a second",
            metavar="FPS",
            parse=positive,
            default=30.0,
        ),
        Option("speed", PLAYING, "rate; below 0 backwards", metavar="R", parse=number, default=1.0),
        Option(
            "loop",
            PLAYING,
            "once, loop, pingpong, a number of passes, or pingpong:N",
            metavar="MODE",
            parse=loop_mode,
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
        ),
    ),
    "camera": (
        Option(
            "view",
            DRAWING,
            "a side of the character; without it a little off the front and from above",
            metavar="SIDE",
            choices=("front", "right", "back", "left", "top", "iso"),
        ),
        Option(
            "camera-position", DRAWING, "place of the camera, metres", metavar="X,Y,Z", parse=vector
        ),
        Option(
            "camera-target", DRAWING, "point it looks at, metres", metavar="X,Y,Z", parse=vector
        ),
        Option(
            "camera-fov",
            DRAWING,
            "vertical field of view, degrees",
            metavar="DEGREES",
            parse=angle_of_view,
        ),
        Option(
            "camera-azimuth",
            DRAWING,
            "turn about +Y, degrees: 0 front, 90 from +X",
            metavar="DEGREES",
            parse=number,
        ),
        Option(
            "camera-elevation",
            DRAWING,
            "height above the horizon, degrees",
            metavar="DEGREES",
            parse=number,
        ),
        Option("ortho", DRAWING, "parallel projection"),
    ),
    "picture": (
        Option(
            "resolution",
            (*DRAWING, "curves"),
            "width and height in pixels, WxH too",
            metavar="W,H",
            parse=size,
            default=(1024, 1024),
            defaults={"view": (1280, 800), "sheet": (256, 256), "curves": None},
            helps={
                "view": "width and height of the window, WxH too; without it as it was last",
                "sheet": "width and height of each cell in pixels, WxH too",
                "curves": "width and height in pixels, WxH too; without it as the curves need",
            },
        ),
        Option(
            "background",
            DRAWING,
            "a name, #rgb, #rrggbb or #rrggbbaa",
            metavar="COLOUR",
            parse=colour,
        ),
        Option("no-background", DRAWING, "transparent background"),
        Option("skeleton", DRAWING, "draw the skeleton over the mesh"),
        Option("joint-names", DRAWING, "write the names of the joints"),
        Option("wireframe", DRAWING, "draw the edges of the triangles"),
        Option("grid", DRAWING, "draw the ground grid", negative=True),
        Option("weights", DRAWING, "heat map of a joint's weights", metavar="JOINT"),
        Option(
            "view-mode",
            DRAWING,
            "lit, or base-colour: unlit and not tone-mapped",
            metavar="MODE",
            default="lit",
            choices=("lit", "base-colour"),
        ),
        Option(
            "tone-mapping",
            DRAWING,
            "from light to colour",
            metavar="CURVE",
            default="neutral",
            choices=("neutral", "aces", "linear", "none"),
        ),
        Option("exposure", DRAWING, "stops, EV", metavar="EV", parse=stops, default=0.0),
        Option(
            "samples",
            DRAWING,
            "samples a pixel against jagged edges; 1 is fastest",
            metavar="N",
            parse=whole_from(1, 64),
            default=4,
        ),
    ),
    "general": (
        Option("root", READING, "folder that files may come from; default: FILE's", metavar="DIR"),
        Option("verbose", READING, "say more, and show a traceback where something fails"),
        Option("quiet", READING, "no warnings and no progress"),
    ),
}


def options_of(command: str) -> dict[str, tuple[Option, ...]]:
    """Return the options of a command, by group; groups without any are left out."""
    found = {
        group: tuple(option for option in options if command in option.commands)
        for group, options in GROUPS.items()
    }
    return {group: options for group, options in found.items() if options}


def option(name: str) -> Option:
    """Return the option of that name (KeyError: there is none)."""
    return {each.name: each for options in GROUPS.values() for each in options}[name]


def written(command: str, values: Mapping[str, Any]) -> Iterator[str]:
    """Yield the arguments that give a command these values by option name, but its defaults."""
    for each in (each for group in options_of(command).values() for each in group):
        value = values.get(each.name)
        if value is None or value == each.default_for(command):
            continue
        if not each.metavar:
            if value or each.negative:
                yield each.flag if value else f"--no-{each.name}"
            continue
        for one in value if command in each.repeat else (value,):
            text = ",".join(map(str, one)) if isinstance(one, tuple) else str(one)
            if text.startswith("-"):
                yield f"{each.flag}={text}"
            else:
                yield from (each.short or each.flag, text)
