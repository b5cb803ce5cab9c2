"""Options of the camera and the picture, and options of all commands."""

from ..scene.view_modes import VIEWS
from ..tomlfile.value_parsing import (
    colour,
    field_of_view,
    grid,
    number,
    size,
    stops,
    vector,
    whole_number_from,
)
from .command_groups import ALL, IN_ONE_SCENE, RENDERING
from .option import Option

CAMERA = (
    Option(
        "view",
        RENDERING,
        "view of the character; default: slightly off the front, from above",
        metavar="SIDE",
        choices=("front", "right", "back", "left", "top", "iso"),
    ),
    Option(
        "camera",
        RENDERING,
        "use a camera of the file: a name, else an index",
        metavar="NAME",
    ),
    Option(
        "camera-position",
        RENDERING,
        "position of the camera, metres",
        metavar="X,Y,Z",
        parse=vector,
    ),
    Option(
        "camera-target", RENDERING, "target of the camera, metres", metavar="X,Y,Z", parse=vector
    ),
    Option(
        "camera-fov",
        RENDERING,
        "vertical field of view, degrees",
        metavar="DEGREES",
        parse=field_of_view,
    ),
    Option(
        "camera-azimuth",
        RENDERING,
        "azimuth about +Y, degrees: 0 front, 90 from +X",
        metavar="DEGREES",
        parse=number,
    ),
    Option(
        "camera-elevation",
        RENDERING,
        "elevation above the horizon, degrees",
        metavar="DEGREES",
        parse=number,
    ),
    Option("ortho", RENDERING, "orthographic projection"),
)

PICTURE = (
    Option(
        "resolution",
        (*RENDERING, "curves"),
        "width and height in pixels, or WxH",
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
            "view": "width and height of the window, or WxH; default: the last size",
            "sheet": "width and height of each cell in pixels, or WxH",
            "report": "width and height of the sheets' cells and of each loop, or WxH",
            "diff": "width and height of each of the three pictures, or WxH",
            "curves": "width and height in pixels, or WxH; default: to fit the curves",
        },
    ),
    Option(
        "background",
        RENDERING,
        "background colour: a name, #rgb, #rrggbb or #rrggbbaa",
        metavar="COLOUR",
        parse=colour,
    ),
    Option("no-background", RENDERING, "transparent background"),
    Option(
        "variant",
        RENDERING,
        "material variant (KHR_materials_variants): a name, else an index",
        metavar="NAME",
        per_file=IN_ONE_SCENE,
    ),
    Option(
        "crowd",
        ("view", "render", "turntable"),
        "show N instances of the character on a grid, or ROWSxCOLUMNS, each at its own phase",
        metavar="N",
        parse=grid,
        helps=dict.fromkeys(
            ("render", "turntable"),
            "show N instances of the character on a grid, or ROWSxCOLUMNS, each at its own phase; "
            "several --animation are distributed evenly",
        ),
    ),
    Option("skeleton", RENDERING, "draw the skeleton over the mesh"),
    Option("joint-names", RENDERING, "draw the names of the joints"),
    Option("wireframe", RENDERING, "draw the edges of the triangles"),
    Option(
        "bounds",
        RENDERING,
        "draw bounding boxes of the character and its meshes, in the current pose",
    ),
    Option("grid", RENDERING, "draw the ground grid", negative=True),
    Option("shadow", RENDERING, "draw shadows on the ground and the character", negative=True),
    Option(
        "environment",
        RENDERING,
        "environment map for lighting (.hdr, .exr); default: a studio",
        metavar="FILE",
    ),
    Option(
        "environment-rotation",
        RENDERING,
        "rotation of the environment about +Y, degrees",
        metavar="DEGREES",
        parse=number,
    ),
    Option("weights", RENDERING, "show the skin weights of a joint as a heat map", metavar="JOINT"),
    Option(
        "view-mode",
        RENDERING,
        "shading: lit, or one property of the surface",
        metavar="MODE",
        default="lit",
        choices=tuple(VIEWS),
    ),
    Option(
        "tone-mapping",
        RENDERING,
        "tone mapping",
        metavar="CURVE",
        default="neutral",
        choices=("neutral", "aces", "linear", "none"),
    ),
    Option("exposure", RENDERING, "exposure in stops (EV)", metavar="EV", parse=stops, default=0.0),
    Option(
        "samples",
        RENDERING,
        "samples per pixel for anti-aliasing; 1 is fastest",
        metavar="N",
        parse=whole_number_from(1, 64),
        default=4,
    ),
)

GENERAL = (
    Option(
        "root",
        ALL,
        "folder that files may be read from; default: the folder of FILE",
        metavar="DIR",
    ),
    Option("verbose", ALL, "print more messages, and a traceback on errors"),
    Option("quiet", ALL, "print no warnings and no progress"),
    Option(
        "config",
        ALL,
        "a TOML file of default options by name; default: config.toml in the settings folder, if "
        "it exists",
        metavar="FILE",
        helps={"check": "a TOML file with limits, severities and disabled rules"},
        parses={"check": ("RULES.toml", str)},
    ),
    Option("no-config", ALL, "do not read config.toml"),
)
