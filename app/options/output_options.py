"""What a command writes, and how it goes about many files."""

from ..tomlfile.value_parsing import positive, whole_from
from .command_groups import SEVERAL
from .option import Option

OUTPUT = (
    Option(
        "output",
        ("render", "sheet", "turntable", "report", "curves", "pose", "diff", "bake"),
        "where to write the picture, .png; - is standard output",
        metavar="OUT",
        short="-o",
        required=("render", "sheet", "turntable", "report", "curves", "bake"),
        defaults={"pose": "-"},
        helps={
            "render": "where to write: .png (- is standard output), or a video, .mp4 .webm .gif "
            ".webp. {model}, {clip} and {frame:04} stand for names and numbers; a sequence "
            "without {frame}, #### or %04d has its numbers before the ending",
            "sheet": "where to write, .png; - is standard output. With {model} in it, a sheet "
            "for each file; else one with a row a file",
            "turntable": "where to write the video, .mp4 .webm .gif .webp, or a sequence of .png",
            "report": "where to write the page, .html; - is standard output",
            "curves": "where to write, .svg or .png; - is SVG on standard output",
            "pose": "where to write, .npz or .json; without it JSON to standard output",
            "diff": "write A, B and the error as a heat map: a picture (.png) of the worst moment, "
            "or a video of the worst clip (.mp4 .webm .gif .webp)",
            "bake": "where to write, .glb; - is standard output",
        },
    ),
    Option(
        "json",
        ("info", "events", "check", "diff", "bench", "bake"),
        "print JSON instead of text",
    ),
    Option(
        "exact",
        ("render", "turntable"),
        "frame k of a looping video is at k / frame rate, also where the loop then ends off beat",
    ),
    Option(
        "seconds",
        ("turntable",),
        "how long once around takes; rounded to whole passes of the clip",
        metavar="S",
        parse=positive,
        default=4.0,
    ),
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
)

KEYS = (
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
)


FARM = (
    Option(
        "jobs",
        SEVERAL,
        "processes that work side by side; without it as many as the machine has cores",
        metavar="N",
        parse=whole_from(1, 1024),
    ),
    Option(
        "dask",
        SEVERAL,
        "address of a Dask scheduler (tcp://host:8786), whose workers do the files instead",
        metavar="ADDRESS",
    ),
)
