"""The camera of a picture."""

from typing import Literal

from ..fields.option import choice, switch, value
from ..fields.readers import field_of_view, number, text, vector
from ..fields.record import record

Side = Literal["front", "right", "back", "left", "top", "bottom", "iso"]
Fit = Literal["clip", "pose", "rest"]  # what a camera frames
Follow = Literal["root", "selection", "none"]
Vector = tuple[float, float, float]


@record(frozen=True)
class Camera:
    """The camera: one of the file, or an orbit camera. Angles in degrees, world space in metres.

    Without a position, or without a target, it frames the characters.
    """

    view: Side | None = choice(
        "view of the character instead of slightly off the front, from above", "SIDE", Side
    )
    name: str | None = value(
        "use a camera of the file: a name, else an index",
        "NAME",
        text,
        name="camera",
        names="cameras",
    )
    position: Vector | None = value(
        "position of the camera, metres", "X,Y,Z", vector, name="camera-position"
    )
    target: Vector | None = value(
        "target of the camera, metres; default: the middle of what is framed",
        "X,Y,Z",
        vector,
        name="camera-target",
    )
    fov: float | None = value(
        "vertical field of view, degrees", "DEGREES", field_of_view, name="camera-fov"
    )
    azimuth: float | None = value(
        "azimuth about +Y, degrees: 0 is the front, 90 the left of the character",
        "DEGREES",
        number,
        name="camera-azimuth",
    )
    elevation: float | None = value(
        "elevation above the horizon, degrees", "DEGREES", number, name="camera-elevation"
    )
    ortho: bool = switch("orthographic projection")
    follow: Follow | None = choice(
        "what the camera moves with: the root motion of the active character, what --select names, "
        "or nothing; default: the root motion, unless the camera is placed",
        "WHAT",
        Follow,
        name="camera-follow",
    )
    fit: Fit = choice(
        "what the camera frames: the whole clip or motion (default of sequences and videos), the "
        "pose shown (default of stills), or the rest pose",
        "WHAT",
        Fit,
        commands=("render",),
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
    def followed(self) -> Follow:
        """What the camera moves with."""
        return self.follow or ("root" if self.is_framed else "none")

    @property
    def is_framed(self) -> bool:
        """Whether neither position nor target is given: the camera frames the character."""
        return self.position is None and self.target is None
