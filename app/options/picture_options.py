"""Where the camera stands, what a picture shows, and what every command takes."""

from ..scene.view_modes import VIEWS
from ..tomlfile.value_parsing import (
    angle_of_view,
    colour,
    grid,
    number,
    size,
    stops,
    vector,
    whole_from,
)
from .command_groups import ALL, DRAWING, TOGETHER
from .option import Option

CAMERA = (
    Option(
        "view",
        DRAWING,
        "a side of the character; without it a little off the front and from above",
        metavar="SIDE",
        choices=("front", "right", "back", "left", "top", "iso"),
    ),
    Option(
        "camera",
        DRAWING,
        "look through a camera of the file: its name, else its number",
        metavar="NAME",
    ),
    Option(
        "camera-position", DRAWING, "place of the camera, metres", metavar="X,Y,Z", parse=vector
    ),
    Option("camera-target", DRAWING, "point it looks at, metres", metavar="X,Y,Z", parse=vector),
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
)

PICTURE = (
    Option(
        "resolution",
        (*DRAWING, "curves"),
        "width and height in pixels, WxH too",
        metavar="W,H",
        parse=size,
        default=(1024, 1024),
        defaults={
            "view": (1280, 800),
            "sheet": (256, 256),
            "turntable": (720, 720),
            "report": (160, 160),
            "diff": (512, 512),
            "curves": None,
        },
        helps={
            "view": "width and height of the window, WxH too; without it as it was last",
            "sheet": "width and height of each cell in pixels, WxH too",
            "report": "width and height of each cell of the sheets and of each loop, WxH too",
            "diff": "width and height of each of the three pictures, WxH too",
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
    Option(
        "variant",
        DRAWING,
        "materials of a variant (KHR_materials_variants): its name, else its number",
        metavar="NAME",
        apiece=TOGETHER,
    ),
    Option(
        "crowd",
        ("view", "render", "turntable"),
        "that many of the character on a grid, or ROWSxCOLUMNS of them, each at a phase of its own",
        metavar="N",
        parse=grid,
        helps=dict.fromkeys(
            ("render", "turntable"),
            "that many of the character on a grid, or ROWSxCOLUMNS of them, each at a phase of its "
            "own; of several --animation each has its even share",
        ),
    ),
    Option("skeleton", DRAWING, "draw the skeleton over the mesh"),
    Option("joint-names", DRAWING, "write the names of the joints"),
    Option("wireframe", DRAWING, "draw the edges of the triangles"),
    Option(
        "bounds",
        DRAWING,
        "draw boxes about the character and about each of its meshes, as they stand",
    ),
    Option("grid", DRAWING, "draw the ground grid", negative=True),
    Option("shadow", DRAWING, "a shadow on the ground and on the character itself", negative=True),
    Option(
        "environment",
        DRAWING,
        "light from all around: a picture of the whole sphere (.hdr, .exr); without it a studio",
        metavar="FILE",
    ),
    Option(
        "environment-rotation",
        DRAWING,
        "turn it about +Y, degrees",
        metavar="DEGREES",
        parse=number,
    ),
    Option("weights", DRAWING, "heat map of a joint's weights", metavar="JOINT"),
    Option(
        "view-mode",
        DRAWING,
        "lit, or one quantity of the surface instead",
        metavar="MODE",
        default="lit",
        choices=tuple(VIEWS),
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
)

GENERAL = (
    Option("root", ALL, "folder that files may come from; default: FILE's", metavar="DIR"),
    Option("verbose", ALL, "say more, and show a traceback where something fails"),
    Option("quiet", ALL, "no warnings and no progress"),
    Option(
        "config",
        ALL,
        "a TOML file of options by name, for what is not said here; without it config.toml in the "
        "folder of the settings, where there is one",
        metavar="FILE",
        helps={"check": "a TOML file with limits, severities and rules to leave out"},
        parses={"check": ("RULES.toml", str)},
    ),
    Option("no-config", ALL, "read no config.toml"),
)
