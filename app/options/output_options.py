"""Options of output files, and of the curves that are drawn into one."""

from typing import Literal

from ..fields.option import choice, switch, value
from ..fields.readers import positive, size, text, whole_number_from
from ..fields.record import record

Rotations = Literal["euler", "quaternion"]
Spaces = Literal["local", "model", "speed"]
Scale = Literal["row", "sheet"]
MOST_CELLS = 1000  # in a row or column of a sheet
Names = Literal["clips", "joints", "meshes", "materials", "cameras", "variants"]


@record(frozen=True)
class OutputOptions:
    """What is written, and where."""

    file: str = value(
        ("render", "sheet", "turntable", "report", "curves", "pose", "bake", "convert"),
        "output file, .png; - is standard output",
        "OUT",
        text,
        default="-",
        name="output",
        short="-o",
        required=("render", "sheet", "turntable", "report", "curves", "convert"),
        helps={
            "render": "output file: .png (- is standard output), .jpg, .exr (light before tone "
            "mapping), or a video, .mp4 .webm .gif .webp. {model}, {clip} and {frame:04} are "
            "replaced by names and numbers; a sequence without {frame}, #### or %04d is numbered "
            "before the extension",
            "sheet": "output file, .png (- is standard output) or .jpg. With {model} in the name, "
            "one sheet for each file; else one with a row for each file. Pages are numbered at "
            "{page}, else before the extension",
            "turntable": "output video, .mp4 .webm .gif .webp, or a sequence of .png, .jpg or .exr",
            "report": "output page, .html; - is standard output",
            "curves": "output file, .svg, .png or .jpg; - is SVG on standard output",
            "pose": "output file, .npz or .json; default: JSON on standard output",
            "bake": "output file, .glb; - is standard output; required without --in-place",
            "convert": "output file, .glb; - is standard output; {stem} is replaced by the name of "
            "each file without folder and extension",
        },
    )
    comparison: str | None = value(
        ("diff",),
        "write A, B and the error as a heat map: a picture (.png or .jpg) at the time of the "
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
    names: Names | None = choice(
        ("info",),
        "print only the names of these objects, one on a line",
        "WHAT",
        ("clips", "joints", "meshes", "materials", "cameras", "variants"),
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
class SheetOptions:
    """How the pictures of a contact sheet are arranged."""

    columns: int | None = value(
        ("sheet",),
        "number of columns: phases from start to end (6); with given times, longer rows are "
        "continued below, and shorter ones stand side by side",
        "N",
        whole_number_from(1, MOST_CELLS),
    )
    rows: int | None = value(
        ("sheet",),
        "rows of a page; further ones are on further pages; default: one page",
        "N",
        whole_number_from(1, MOST_CELLS),
    )
    scale: Scale | None = choice(
        ("sheet",),
        "frame each row by itself, or show all rows of the sheet at one scale; default: one scale "
        "for each file",
        "WHICH",
        ("row", "sheet"),
    )


@record(frozen=True)
class CurveOptions:
    """The drawn curves."""

    joint: str = value(
        ("curves",),
        "the joint, morph target, or pointer such as /nodes/3/weights",
        "NAME",
        text,
        default="",
        names="joints",
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
