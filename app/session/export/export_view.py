"""State of the export dialog: what is written, and how far the running export is."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

from ...fields.readers import Colour
from ...images import stills
from ...images.video import ENDINGS
from ...options.table import options_by_name

Kind = Literal["picture", "video", "range", "turntable", "sheet", "page", "animation"]
Background = Literal["view", "transparent", "colour"]
Repeat = Literal["loop", "pingpong", "once"]

LABELS: dict[Kind, str] = {
    "picture": "Picture",
    "video": "Video of the clip",
    "range": "Video of the range",
    "turntable": "Turntable",
    "sheet": "Contact sheet of all clips",
    "page": "Page that plays all clips",
    "animation": "Animation (.glb)",
}
COMMANDS: dict[Kind, str] = {
    "picture": "render",
    "video": "render",
    "range": "render",
    "turntable": "turntable",
    "sheet": "sheet",
    "page": "page",
    "animation": "bake",
}
STILLS = tuple(ending for ending in stills.ENDINGS if ending != ".jpeg")  # which is .jpg
FORMATS: dict[Kind, tuple[str, ...]] = {
    "picture": STILLS,
    "video": (*ENDINGS, *STILLS),
    "range": (*ENDINGS, *STILLS),
    "turntable": (*ENDINGS, *STILLS),
    "sheet": tuple(ending for ending in STILLS if ending in stills.DISPLAYED),
    "page": (".html",),
    "animation": (".glb",),
}
SIZES = ("640x360", "1280x720", "1920x1080", "3840x2160", "1080x1080", "1080x1920")
CELLS = ("128x128", "256x256", "512x512")  # of a contact sheet


class ExportValues(NamedTuple):
    """The values of the fields of the dialog.

    Attributes
    ----------
    size
        Width and height, pixels; None: that of the view.
    frame_rate
        Frames or keys per second.
    seconds
        Duration of a turn.
    background
        Colours from top to bottom; None: that of the view, or transparent.
    """

    size: tuple[int, int] | None
    frame_rate: float
    seconds: float
    background: tuple[Colour, ...] | None


@dataclass(slots=True)
class ExportView:
    """The fields of the dialog, kept while the window is open, and the running export.

    Attributes
    ----------
    frame_rate
        Frames per second; empty: that of the window.
    format
        Extension of videos and turntables; that of a picture is a sequence.
    still
        Extension of pictures and sheets.
    passes
        Number of passes of the clip; of ping-pong, of pairs of passes.
    framed
        Whether the camera frames the whole motion from the direction of the view.
    name
        Typed file name, in `folder` if it is relative; empty: the proposal.
    folder
        The user's pictures folder; None before the dialog was opened.
    running
        The file that is being written; empty: none.
    sequence
        Whether it has a file for each frame.
    done, total
        Frames or pictures; total 0: not known yet.
    """

    kind: Kind = "video"
    size: str = "1920x1080"  # or "view", "custom", or width and height as text
    cell: str = "256x256"  # of a contact sheet; or "custom"
    custom: str = "1280x720"
    frame_rate: str = ""
    repeat: Repeat = "loop"
    passes: int = 1
    seconds: str = "4"
    format: str = ".mp4"
    still: str = ".png"
    background: Background = "view"
    colour: str = "white"
    framed: bool = False
    name: str = ""
    folder: Path | None = None
    running: str = ""
    sequence: bool = False
    done: int = 0
    total: int = 0

    @property
    def command(self) -> str:
        """The command that writes it."""
        return COMMANDS[self.kind]

    @property
    def ending(self) -> str:
        """The extension of the file."""
        wanted = self.format if self.is_moving else self.still
        return wanted if wanted in FORMATS[self.kind] else FORMATS[self.kind][0]

    def choose(self, ending: str) -> None:
        """Set the extension of the file."""
        if self.is_moving:
            self.format = ending
        elif ending in STILLS:
            self.still = ending

    @property
    def is_moving(self) -> bool:
        """Whether it has a frame rate."""
        return self.kind in ("video", "range", "turntable")

    @property
    def has_all_clips(self) -> bool:
        """Whether it shows each clip of the active character."""
        return self.kind in ("sheet", "page")

    @property
    def is_sequence(self) -> bool:
        """Whether each frame is a file."""
        return self.is_moving and self.ending in STILLS

    def count(self, steps: tuple[int, int]) -> None:
        """Set `done` and `total` of the running export."""
        self.done, self.total = steps

    def values(self) -> ExportValues:
        """Return the values of the fields, as the options of the command read them.

        Raises
        ------
        ValueError
            A field cannot be read; with a message for the user.
        """
        if self.kind == "animation":
            return ExportValues(None, self._read("fps", self.frame_rate), 0.0, None)
        size = self.cell if self.kind == "sheet" else self.size
        given = self.custom if size == "custom" else size
        if self.kind == "page":
            pixels = options_by_name("page")["resolution"].default_for("page")
        else:
            pixels = None if size == "view" else self._read("resolution", given)
        return ExportValues(
            pixels,
            self._read("frame-rate", self.frame_rate),
            self._read("seconds", self.seconds) if self.kind == "turntable" else 0.0,
            self._read("background", self.colour) if self.background == "colour" else None,
        )

    def _read(self, option: str, text: str) -> Any:  # noqa: ANN401 - the type is the option's own
        try:
            return options_by_name(self.command)[option].read(text)
        except ValueError as error:
            raise ValueError(f"{option.replace('-', ' ')}: {error}") from None
