"""Options of the camera and the picture, and options of all commands."""

from typing import TYPE_CHECKING, Literal

from ..fields.command_groups import ALL, IN_ONE_SCENE, RENDERING
from ..fields.option import choice, switch, value
from ..fields.record import record
from ..tomlfile.value_parsing import (
    bytes_from_text,
    bytes_text,
    field_of_view,
    grid,
    grid_text,
    number,
    size,
    text,
    vector,
    whole_number_from,
)

if TYPE_CHECKING:
    from ..scene.scene_bounds import Fit

Side = Literal["front", "right", "back", "left", "top", "bottom", "iso"]
STILL_SAMPLES = 16  # per pixel of a still picture
SEQUENCE_SAMPLES = 4  # of each picture of a sequence, video or sheet
_CROWD = "show N instances of the character on a grid, or ROWSxCOLUMNS, each at its own phase"


@record(frozen=True)
class CameraOptions:
    """The camera: one of the file, or an orbit camera. Angles are in degrees."""

    view: Side | None = choice(
        RENDERING,
        "view of the character instead of slightly off the front, from above",
        "SIDE",
        ("front", "right", "back", "left", "top", "bottom", "iso"),
    )
    name: str | None = value(
        RENDERING, "use a camera of the file: a name, else an index", "NAME", text, name="camera"
    )
    position: tuple[float, float, float] | None = value(
        RENDERING, "position of the camera, metres", "X,Y,Z", vector, name="camera-position"
    )
    target: tuple[float, float, float] | None = value(
        RENDERING,
        "target of the camera, metres; default: the middle of what is framed",
        "X,Y,Z",
        vector,
        name="camera-target",
    )
    fov: float | None = value(
        RENDERING, "vertical field of view, degrees", "DEGREES", field_of_view, name="camera-fov"
    )
    azimuth: float | None = value(
        RENDERING,
        "azimuth about +Y, degrees: 0 is the front, 90 the left of the character",
        "DEGREES",
        number,
        name="camera-azimuth",
    )
    elevation: float | None = value(
        RENDERING,
        "elevation above the horizon, degrees",
        "DEGREES",
        number,
        name="camera-elevation",
    )
    ortho: bool = switch(RENDERING, "orthographic projection")
    fit: "Fit" = choice(
        ("render",),
        "what the camera frames: the whole clip or motion (default of sequences and videos), the "
        "pose shown (default of stills), or the rest pose",
        "WHAT",
        ("clip", "pose", "rest"),
        default="clip",
        defaults={"render": "pose"},
    )

    @property
    def angles(self) -> dict[str, str | float]:
        """The given options that turn the camera, by name."""
        given = {
            "view": self.view,
            "camera-azimuth": self.azimuth,
            "camera-elevation": self.elevation,
        }
        return {name: value for name, value in given.items() if value is not None}

    @property
    def placement(self) -> dict[str, object]:
        """The given options that place the camera, by name."""
        given = {
            "camera-position": self.position,
            "camera-target": self.target,
            "camera-fov": self.fov,
            "ortho": self.ortho or None,
        }
        return self.angles | {name: value for name, value in given.items() if value is not None}

    @property
    def given(self) -> dict[str, object]:
        """What is framed, and the given options, by name."""
        return self.placement | {"fit": self.fit}

    @property
    def is_framed(self) -> bool:
        """Whether neither position nor target is given: the camera frames the character."""
        return self.position is None and self.target is None


@record(frozen=True)
class PictureOptions:
    """The size of a picture, its samples, and the characters in it."""

    resolution: tuple[int, int] = value(
        RENDERING,
        "width and height in pixels, or WxH",
        "W,H",
        size,
        default=(1024, 1024),
        defaults={
            "view": (1280, 800),
            "sheet": (256, 256),
            "turntable": (720, 720),
            "report": (160, 160),
            "diff": (512, 512),
        },
        helps={
            "view": "width and height of the window, or WxH; default: the last size",
            "sheet": "width and height of each cell in pixels, or WxH",
            "report": "width and height of the sheets' cells and of each loop, or WxH",
            "diff": "width and height of each of the three pictures, or WxH",
        },
    )
    plot_size: tuple[int, int] | None = value(
        ("curves",),
        "width and height in pixels, or WxH; default: to fit the curves",
        "W,H",
        size,
        name="resolution",
    )
    variant: str | None = value(
        RENDERING,
        "material variant (KHR_materials_variants): a name, else an index",
        "NAME",
        text,
        per_file=IN_ONE_SCENE,
    )
    hide_mesh: str | None = value(
        RENDERING,
        "nodes whose meshes are not drawn, separated by commas; NODE/PART hides one part",
        "NODES",
        text,
        per_file=IN_ONE_SCENE,
    )
    hide_joints: str | None = value(
        RENDERING,
        "joints that are not drawn, nor the bones and meshes below them, separated by commas; "
        "!JOINT draws a branch of them nevertheless",
        "JOINTS",
        text,
        per_file=IN_ONE_SCENE,
    )
    crowd: tuple[int, int, int] | None = value(
        IN_ONE_SCENE,
        _CROWD,
        "N",
        grid,
        helps=dict.fromkeys(
            ("render", "turntable"), f"{_CROWD}; several --animation are distributed evenly"
        ),
        writer=grid_text,
    )
    in_step: bool = switch(
        IN_ONE_SCENE, "with --crowd: all characters at the same phase, in one shared pose"
    )
    select: str | None = value(
        RENDERING,
        "highlight a joint, a part of a mesh (mesh:NODE/PART) or a vertex "
        "(vertex:NODE/PART/NUMBER)",
        "ITEM",
        text,
        crowd=False,
    )
    samples: int = value(
        RENDERING,
        f"samples per pixel, 1 to 64; 1 is fastest, the default is {STILL_SAMPLES}",
        "N",
        whole_number_from(1, 64),
        default=STILL_SAMPLES,
        defaults=dict.fromkeys(("sheet", "turntable", "report", "diff"), SEQUENCE_SAMPLES),
        helps={
            "view": f"samples per pixel at rest, 1 to 64; {SEQUENCE_SAMPLES} or fewer in motion",
            "render": f"samples per pixel, 1 to 64; default: {STILL_SAMPLES}, in a sequence or "
            f"video {SEQUENCE_SAMPLES}",
            **dict.fromkeys(
                ("sheet", "turntable", "report", "diff"),
                f"samples per pixel, 1 to 64; 1 is fastest, the default is {SEQUENCE_SAMPLES}",
            ),
        },
    )


@record(frozen=True)
class WindowOptions:
    """The window."""

    strict: bool = switch(
        ("view",),
        "exit with an error if a file cannot be read, instead of showing it in the window",
    )


@record(frozen=True)
class GeneralOptions:
    """Options of all commands; `config_defaults` reads `--config` before the other options."""

    root: str | None = value(
        ALL, "folder that files may be read from; default: the folder of FILE", "DIR", text
    )
    max_memory: int = value(
        tuple(dict.fromkeys((*RENDERING, "diff", "bench"))),
        "memory for the textures of a file; if they need more, the largest are halved",
        "SIZE",
        bytes_from_text,
        default=1 << 31,
        writer=bytes_text,
    )
    verbose: bool = switch(ALL, "print more messages, and a traceback on errors")
    quiet: bool = switch(ALL, "print no warnings and no progress")
    config: str | None = value(
        tuple(command for command in ALL if command != "check"),
        "a TOML file of default options by name; default: config.toml in the settings folder, if "
        "it exists",
        "FILE",
        text,
    )
    rules_file: str | None = value(
        ("check",),
        "a TOML file with limits, severities and disabled rules",
        "RULES.toml",
        text,
        name="config",
    )
    no_config: bool = switch(ALL, "do not read config.toml")
