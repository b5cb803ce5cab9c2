"""Settings of the window that are kept between runs, and when they are written."""

import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Literal

from ..errors import MotionError, OutputError
from ..file_io import locked_folder, read_file, write_file
from ..resources import settings_folder
from ..tomlfile.format import inline
from ..tomlfile.tables import ListOf
from ..tomlfile.value_types import Boolean, Choice, Integer, Kind, Number, Text

Theme = Literal["dark", "light"]
Density = Literal["compact", "roomy"]
Mouse = Literal["rigview", "blender"]
REST = 1.0  # seconds after the last change; a drag changes them in every frame
RECENT = 10  # files in the list of recent files
SCALES = (0.75, 3.0)  # least and greatest scale of the panels
MAX_BYTES = 1 << 20  # of the file
SMALLEST_WINDOW = 320  # pixels; a smaller stored size is ignored
FARTHEST = 1 << 15  # pixels of the screen
PANEL_SIZES = {  # least and greatest size of a panel, font heights
    "left": (12.0, 80.0),  # width of the left panels
    "right": (14.5, 80.0),  # width of the right panels
    "clips": (7.0, 200.0),  # height of the clips beside the mixer
    "curves": (7.0, 200.0),  # height of the curves
    "curves list": (6.0, 80.0),  # width of their list of joints
    "dope sheet": (2.1, 80.0),  # height of its rows
}
_SIZES = {name: Number(*limits) for name, limits in PANEL_SIZES.items()}
_KINDS: dict[str, Kind] = {  # of the values of the file, but for sizes of panels and recent files
    "ui_scale": Number(*SCALES),
    "theme": Choice("dark", "light"),
    "density": Choice("compact", "roomy"),
    "reload": Boolean(),
    "check_files": Boolean(),
    "mouse": Choice("rigview", "blender"),
    "zoom_to_pointer": Boolean(),
    "view_cube": Boolean(),
    "tab": Text(empty=True),
    "size": ListOf(Integer(SMALLEST_WINDOW, FARTHEST), 2),
    "place": ListOf(Integer(-FARTHEST, FARTHEST), 2),
}


@dataclass(slots=True)
class Settings:
    """The validated values of the settings file."""

    size: tuple[int, int] | None = None  # window size, None: from the screen and the options
    place: tuple[int, int] | None = None  # upper left corner of the window on the screen
    ui_scale: float = 1.0
    recent: list[str] = field(default_factory=list)  # absolute paths, most recent first
    theme: Theme = "dark"
    reload: bool = True  # reload files that change on disk
    mouse: Mouse = "rigview"  # mouse button mapping of the camera
    zoom_to_pointer: bool = True  # the wheel zooms to the pointer instead of the middle
    view_cube: bool = True  # is shown
    panels: dict[str, float] = field(default_factory=dict)  # sizes dragged by hand, font heights
    tab: str = ""  # the tab at the right that was chosen last
    check_files: bool = True  # check open files in the background
    density: Density = "roomy"  # of the rows of panels

    def remember(self, path: Path) -> None:
        """Put a file at the head of the recent files."""
        text = str(path.absolute())
        self.recent = [text, *(other for other in self.recent if other != text)][:RECENT]

    def copy(self) -> "Settings":
        """Return a copy that later changes leave as it is."""
        return replace(self, recent=[*self.recent], panels=dict(self.panels))


class SettingsWriter:
    """Writes settings to their file, from their state at creation on.

    Parameters
    ----------
    notify
        Shows a warning.
    """

    def __init__(self, settings: Settings, notify: Callable[[str], object]) -> None:
        self._settings, self._notify = settings, notify
        self._saved = self._seen = settings.copy()
        self._due = math.inf  # global time at which a change has rested

    def poll(self, tau: float) -> None:
        """Write the settings if a change has rested at a global time, seconds."""
        if self._settings != self._seen:
            self._seen = self._settings.copy()
            self._due = tau + REST
        if tau >= self._due:
            self.write()

    def write(self) -> None:
        """Write what has changed; if that fails, try again after the next change."""
        self._due = math.inf
        settings = self._settings.copy()
        if settings == self._saved:
            return
        try:
            warning = save(settings, since=self._saved)
        except OutputError:
            return  # unsaved settings are not worth an error
        self._saved = settings
        if warning:
            self._notify(warning)


def load(path: Path | None = None) -> tuple[Settings, str]:
    """Read the settings file.

    An invalid TOML file is renamed to ``settings.toml.broken``; invalid values are ignored.

    Returns
    -------
    Settings, str
        The settings, defaults where the file is missing; and a warning, empty without one.
    """
    path = path or _usual_path()
    try:
        settings, warning = _read(path)
    except OSError as error:
        return Settings(), f"The settings file {path} cannot be read ({error.strerror})"
    return settings or Settings(), warning


def save(settings: Settings, path: Path | None = None, *, since: Settings | None = None) -> str:
    """Write the changed settings atomically; the others stay as they are in the file.

    Without a valid file all are written. An invalid file is renamed, as by `load`.

    Parameters
    ----------
    settings
        The settings of this window; its recent files come before those of the file.
    since
        A copy of them from the time when they were read or last saved; None: the defaults.

    Returns
    -------
    str
        A warning, empty without one.

    Raises
    ------
    OutputError
        The file cannot be written, or there is one that cannot be read.
    """
    path = path or _usual_path()
    with locked_folder(path):
        there, warning = _read(path)
        if there is not None:
            settings = merged(settings, since or Settings(), there)
        if settings != there:
            write_file(path, as_toml(settings).encode())
    return warning


def merged(mine: Settings, since: Settings, there: Settings) -> Settings:
    """Return the settings of the file, `there`, with what has changed in `mine` since `since`."""
    values = [
        {each.name: getattr(one, each.name) for each in fields(one)} for one in (mine, since, there)
    ]
    result = Settings(**_merged_by_name(*values))
    result.panels = _merged_by_name(mine.panels, since.panels, there.panels)
    result.recent = _merged_files(mine.recent, since.recent, there.recent)
    return result


def _merged_by_name(
    mine: dict[str, Any], since: dict[str, Any], there: dict[str, Any]
) -> dict[str, Any]:
    names = dict.fromkeys((*there, *mine))
    chosen = {name: there if mine.get(name) == since.get(name) else mine for name in names}
    return {name: values[name] for name, values in chosen.items() if name in values}


def _merged_files(mine: list[str], since: list[str], there: list[str]) -> list[str]:
    """Return the files that were put at the head of `mine` since, followed by those of `there`."""
    k = 0
    while mine[k:] != [path for path in since if path not in mine[:k]][: len(mine) - k]:
        k += 1
    return [*mine[:k], *(path for path in there if path not in mine[:k])][:RECENT]


def _usual_path() -> Path:
    return settings_folder() / "settings.toml"


def _read(path: Path) -> tuple[Settings | None, str]:
    """Return the settings of a file and a warning; None where it is missing or invalid.

    Raises
    ------
    OSError
        It cannot be read.
    """
    from ..tomlfile.parse import parse_toml  # imported late: not needed without a window

    try:
        return _checked(parse_toml(read_file(path, MAX_BYTES).decode("utf-8"))), ""
    except FileNotFoundError:
        return None, ""
    except ValueError as error:
        aside = path.with_name(f"{path.name}.broken")
        try:
            path.replace(aside)
        except OSError:
            return None, f"The settings file {path} is invalid ({error})"
        return None, f"The settings file was invalid ({error}) and was renamed to {aside}"


def as_toml(settings: Settings) -> str:
    """Return the text of the settings file."""
    values = {name: getattr(settings, name) for name in (*_KINDS, "panels", "recent")}
    return "".join(
        f"{name} = {inline(list(value) if isinstance(value, tuple) else value)}\n"
        for name, value in values.items()
        if value is not None
    )


def _checked(data: Mapping[str, Any]) -> Settings:
    """Return the settings of a parsed file; a value that is invalid has its default."""
    values = _valid(data, _KINDS)
    panels, files = data.get("panels"), data.get("recent")
    recent = [each for each in files if isinstance(each, str)] if isinstance(files, list) else []
    sizes = _valid(panels, _SIZES) if isinstance(panels, Mapping) else {}
    return Settings(**values, panels=sizes, recent=recent[:RECENT])


def _valid(table: Mapping[str, Any], kinds: Mapping[str, Kind]) -> dict[str, Any]:
    """Return the values of a table that are of their kind."""
    found = {}
    for name in kinds.keys() & table.keys():
        with suppress(MotionError):
            found[name] = kinds[name].read(table[name], (name,))
    return found
