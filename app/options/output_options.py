"""Options of output files, reduced keys and parallel work."""

from ..tomlfile.value_parsing import positive, whole_number_from
from .command_groups import MANY_FILES
from .option import Option

OUTPUT = (
    Option(
        "output",
        ("render", "sheet", "turntable", "report", "curves", "pose", "diff", "bake"),
        "output file, .png; - is standard output",
        metavar="OUT",
        short="-o",
        required=("render", "sheet", "turntable", "report", "curves", "bake"),
        defaults={"pose": "-"},
        helps={
            "render": "output file: .png (- is standard output), or a video, .mp4 .webm .gif "
            ".webp. {model}, {clip} and {frame:04} are replaced by names and numbers; a sequence "
            "without {frame}, #### or %04d is numbered before the extension",
            "sheet": "output file, .png; - is standard output. With {model} in the name, one sheet "
            "for each file; else one with a row for each file",
            "turntable": "output video, .mp4 .webm .gif .webp, or a sequence of .png",
            "report": "output page, .html; - is standard output",
            "curves": "output file, .svg or .png; - is SVG on standard output",
            "pose": "output file, .npz or .json; default: JSON on standard output",
            "diff": "write A, B and the error as a heat map: a picture (.png) at the time of the "
            "greatest error, or a video of the worst clip (.mp4 .webm .gif .webp)",
            "bake": "output file, .glb; - is standard output",
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
        "frame k of a looping video is at k / frame rate, even if the loop is then not seamless",
    ),
    Option(
        "seconds",
        ("turntable",),
        "duration of one turn, rounded to whole passes of the clip",
        metavar="S",
        parse=positive,
        default=4.0,
    ),
    Option(
        "joint",
        ("curves",),
        "the joint, morph target, or pointer such as /nodes/3/weights",
        metavar="NAME",
        required=("curves",),
    ),
    Option(
        "rotation",
        ("curves",),
        "rotations as Euler angles about X, then Y, then Z in degrees, or as quaternions",
        metavar="HOW",
        default="euler",
        choices=("euler", "quaternion"),
    ),
    Option("vertices", ("pose",), "add the deformed vertices of all primitives"),
)

KEYS = (
    Option(
        "fps",
        ("bake",),
        "resample at this many keys per second; default: remove redundant keys",
        metavar="F",
        parse=positive,
    ),
    Option(
        "tolerance-mm",
        ("bake",),
        "largest error of a vertex (0.1, or 1/10000 of the character's height)",
        metavar="MM",
        parse=positive,
    ),
    Option(
        "tolerance-deg",
        ("bake",),
        "largest rotation error of a joint (0.05)",
        metavar="DEGREES",
        parse=positive,
    ),
)


PARALLEL = (
    Option(
        "jobs",
        MANY_FILES,
        "number of parallel processes; default: the number of CPU cores",
        metavar="N",
        parse=whole_number_from(1, 1024),
    ),
    Option(
        "dask",
        MANY_FILES,
        "address of a Dask scheduler (tcp://host:8786) whose workers process the files",
        metavar="ADDRESS",
    ),
)
