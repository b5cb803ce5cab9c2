"""The record of what a picture shows."""

from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from ..fields.command_groups import IN_ONE_SCENE, MOVING, POSING, READING, RENDERING
from ..fields.option import MOST_FILES, choice, part, switch, value, values
from ..fields.readers import (
    grid,
    grid_text,
    positive,
    share,
    size,
    text,
    whole_number_from,
)
from ..fields.record import record
from .camera import Camera
from .look import Look
from .shown import Shown

if TYPE_CHECKING:
    from ..animation.track import Rotation

STILL_SAMPLES = 16  # per pixel of a still picture
SEQUENCE_SAMPLES = 4  # of each picture of a sequence, video or sheet
_CROWD = "show N instances of the character on a grid, or ROWSxCOLUMNS, each at its own phase"
CompareMode = Literal["side-by-side", "overlaid", "wipe", "error"]


class ShownVersions(NamedTuple):
    """One way to show two versions."""

    label: str
    what: str  # one line of help


COMPARE_MODES: dict[CompareMode, ShownVersions] = {
    "side-by-side": ShownVersions(
        "Side by side", "each version in its half of the picture, seen by the same camera"
    ),
    "overlaid": ShownVersions(
        "Overlaid", "both at the same place, the old one as a translucent shape"
    ),
    "wipe": ShownVersions(
        "Wipe", "the old version at the left of an edge, the new one at its right"
    ),
    "error": ShownVersions(
        "Error", "the new version, coloured by the distances of its vertices from the old one"
    ),
}

assert set(COMPARE_MODES) == set(get_args(CompareMode))


@record(frozen=True)
class Comparison:
    """How two versions of a character are shown, instead of all characters in a row."""

    mode: CompareMode | None = choice(
        "show the first two files as the old and the new version of one character",
        "MODE",
        CompareMode,
        name="compare",
    )
    edge: float = value(
        "edge of --compare wipe, from 0, the left end of the picture, to 1",
        "X",
        share,
        name="wipe",
        default=0.5,
    )


@record(frozen=True)
class Crowd:
    """Many instances of the only character, on a grid.

    Attributes
    ----------
    size
        Rows, columns and number of instances; None: no crowd.
    clips
        The clips that are distributed evenly; empty: the clip of the character.
    """

    size: tuple[int, int, int] | None = value(
        _CROWD,
        "N",
        grid,
        name="crowd",
        helps=dict.fromkeys(
            ("render", "turntable"), f"{_CROWD}; several --animation are distributed evenly"
        ),
        writer=grid_text,
    )
    in_step: bool = switch("with --crowd: all characters at the same phase, in one shared pose")
    clips: tuple[str | None, ...] = ()


@record(frozen=True)
class SceneDoc:
    """What a picture shows, by names as the command line writes them.

    Nothing that follows from it is stored: where characters stand, bounds, the time of a clip.

    Attributes
    ----------
    characters
        From left to right, at least one.
    active
        Number of the active character, from 1.
    anims
        Files whose clips all characters have.

    Examples
    --------
    >>> doc = rigview.SceneDoc(size=(320, 240))
    >>> doc.samples, doc.size
    (16, (320, 240))
    """

    characters: tuple[Shown, ...] = field(default=(Shown(),))
    anims: tuple[str, ...] = values(
        "import animations of other files, .glb .gltf .vrm .bvh, retargeted by joint name; "
        "several files, or given several times",
        "FILE",
        text,
        commands=READING,
        many=True,
    )
    force: bool = switch(
        "import animations with --anims also if less than a quarter of the joints are matched",
        commands=READING,
    )
    key_rotation: "Rotation" = choice(
        "interpolation of rotations between LINEAR keys; slerp follows glTF, nlerp many game "
        "engines",
        "KIND",
        Literal["slerp", "nlerp"],
        commands=(*MOVING, "curves"),
        default="slerp",
    )
    frame_rate: float = value(
        "frames per second", "FPS", positive, commands=(*POSING, "diff"), default=30.0
    )
    active: int = value(
        "number of the active file, from 1: --weights, --camera, --set and --at apply to it, "
        "and it determines the length of a video",
        "N",
        whole_number_from(1, MOST_FILES),
        commands=IN_ONE_SCENE,
        default=1,
        title="side by side",
    )
    same_size: bool = switch(
        "scale all characters to the height of the first",
        commands=IN_ONE_SCENE,
        title="side by side",
    )
    size: tuple[int, int] = value(
        "width and height in pixels, or WxH",
        "W,H",
        size,
        commands=RENDERING,
        name="resolution",
        default=(1024, 1024),
        defaults={
            "view": (1280, 800),
            "sheet": (256, 256),
            "turntable": (720, 720),
            "report": (160, 160),
            "page": (640, 480),
            "diff": (512, 512),
        },
        helps={
            "view": "width and height of the window, or WxH; default: the last size",
            "sheet": "width and height of each cell in pixels, or WxH",
            "report": "width and height of the sheets' cells and of each loop, or WxH",
            "diff": "width and height of each of the three pictures, or WxH",
        },
        title="picture",
    )
    selected: str | None = value(
        "highlight a joint, a part of a mesh (mesh:NODE/PART) or a vertex "
        "(vertex:NODE/PART/NUMBER)",
        "ITEM",
        text,
        commands=RENDERING,
        name="select",
        names="joints",
        crowd=False,
        title="picture",
    )
    samples: int = value(
        f"samples per pixel, 1 to 64; 1 is fastest, the default is {STILL_SAMPLES}",
        "N",
        whole_number_from(1, 64),
        commands=RENDERING,
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
        title="picture",
    )
    comparison: Comparison = part(Comparison, "side by side", commands=IN_ONE_SCENE)
    crowd: Crowd = part(Crowd, "picture", commands=IN_ONE_SCENE)
    camera: Camera = part(Camera, "camera", commands=RENDERING)
    look: Look = part(Look, "picture")

    @property
    def character(self) -> Shown:
        """The active character."""
        return self.characters[self.active - 1]

    @property
    def own_times(self) -> bool:
        """Whether the characters stand still at different times."""
        return len({each.time for each in self.characters}) > 1

    def with_character(self, **values: Any) -> "SceneDoc":  # noqa: ANN401 - of the fields
        """Return the record with other values of the active character."""
        now = list(self.characters)
        now[self.active - 1] = replace(self.character, **values)
        return replace(self, characters=tuple(now))
