"""Options of output files, reduced keys and parallel work."""

from typing import Literal

from ..fields.command_groups import MANY_FILES
from ..fields.option import choice, switch, value
from ..fields.readers import positive, size, text, whole_number_from
from ..fields.record import record

Rotations = Literal["euler", "quaternion"]
Spaces = Literal["local", "model", "speed"]


@record(frozen=True)
class OutputOptions:
    """What is written, and where."""

    file: str = value(
        ("render", "sheet", "turntable", "report", "curves", "pose", "bake"),
        "output file, .png; - is standard output",
        "OUT",
        text,
        default="-",
        name="output",
        short="-o",
        required=("render", "sheet", "turntable", "report", "curves"),
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
            "bake": "output file, .glb; - is standard output; required without --in-place",
        },
    )
    comparison: str | None = value(
        ("diff",),
        "write A, B and the error as a heat map: a picture (.png) at the time of the "
        "greatest error, or a video of the worst clip (.mp4 .webm .gif .webp)",
        "OUT",
        text,
        name="output",
        short="-o",
    )
    in_place: bool = switch(
        ("render", "sheet", "turntable", "report", "curves", "pose", "bake", "diff"),
        "allow -o to overwrite an input file",
        helps={
            "bake": "allow -o to overwrite an input file; without -o, replace FILE once the "
            "result is complete"
        },
    )
    json: bool = switch(
        ("info", "events", "check", "diff", "bench", "bake"), "print JSON instead of text"
    )
    exact: bool = switch(
        ("render", "turntable"),
        "frame k of a looping video is at k / frame rate, even if the loop is then not seamless",
    )
    seconds: float = value(
        ("turntable",),
        "duration of one turn, rounded to whole passes of the clip",
        "S",
        positive,
        default=4.0,
    )
    vertices: bool = switch(("pose",), "add the deformed vertices of all primitives")


@record(frozen=True)
class CurveOptions:
    """The drawn curves."""

    joint: str = value(
        ("curves",),
        "the joint, morph target, or pointer such as /nodes/3/weights",
        "NAME",
        text,
        default="",
        required=("curves",),
    )
    rotation: Rotations = choice(
        ("curves",),
        "rotations as Euler angles about X, then Y, then Z in degrees, or as quaternions",
        "HOW",
        ("euler", "quaternion"),
        default="euler",
    )
    space: Spaces = choice(
        ("curves",),
        "the stored tracks; the joint in model space, sampled with its parents; or its speed, "
        "acceleration and angular speed there",
        "SPACE",
        ("local", "model", "speed"),
        default="local",
    )
    plot_size: tuple[int, int] | None = value(
        ("curves",),
        "width and height in pixels, or WxH; default: to fit the curves",
        "W,H",
        size,
        name="resolution",
    )


@record(frozen=True)
class KeyOptions:
    """Resampled or reduced keys."""

    fps: float | None = value(
        ("bake",),
        "resample at this many keys per second; default: remove redundant keys",
        "F",
        positive,
    )
    tolerance_mm: float | None = value(
        ("bake",),
        "largest error of a vertex (0.1, or 1/10000 of the character's height)",
        "MM",
        positive,
    )
    tolerance_deg: float | None = value(
        ("bake",), "largest rotation error of a joint (0.05)", "DEGREES", positive
    )


@record(frozen=True)
class ParallelOptions:
    """Parallel processing of many files."""

    jobs: int | None = value(
        MANY_FILES,
        "number of parallel processes; default: the number of CPU cores",
        "N",
        whole_number_from(1, 1024),
    )
    dask: str | None = value(
        MANY_FILES,
        "address of a Dask scheduler (tcp://host:8786) whose workers process the files",
        "ADDRESS",
        text,
    )
