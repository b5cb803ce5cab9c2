"""Settings kept between runs, in the folders that platformdirs names."""

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import platformdirs

from .errors import OutputError

Theme = Literal["dark", "light"]
Mouse = Literal["rigview", "blender"]
RECENT = 10  # files in the list of recent files
SCALES = (0.75, 3.0)  # least and greatest scale of the panels
SMALLEST_WINDOW = 320  # pixels; a smaller stored size is ignored
_BACKSLASHED = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


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

    def remember(self, path: Path) -> None:
        """Put a file at the head of the recent files."""
        text = str(path.absolute())
        self.recent = [text, *(other for other in self.recent if other != text)][:RECENT]


def settings_folder() -> Path:
    """Return the folder of the settings file and `imgui.ini`; it may not exist."""
    return Path(platformdirs.user_config_dir("rigview", appauthor=False))


def options_path() -> Path:
    """Return the path of the default options file; it may not exist."""
    return settings_folder() / "config.toml"


def cache_folder() -> Path:
    """Return the cache folder; it may not exist."""
    return Path(platformdirs.user_cache_dir("rigview", appauthor=False))


def pictures_folder() -> Path:
    """Return the folder for the window's screenshots."""
    return Path(platformdirs.user_pictures_dir())


def load(path: Path | None = None) -> tuple[Settings, str]:
    """Read the settings file.

    An invalid TOML file is renamed to ``settings.toml.broken``; invalid values are ignored.

    Returns
    -------
    Settings, str
        The settings, defaults where the file is missing; and a warning, empty without one.
    """
    import tomllib  # imported late: not needed without a window

    path = path or settings_folder() / "settings.toml"
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Settings(), ""
    except OSError as error:
        return Settings(), f"The settings file {path} cannot be read ({error.strerror})"
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        aside = path.with_name(f"{path.name}.broken")
        try:
            os.replace(path, aside)
        except OSError:
            return Settings(), f"The settings file {path} is invalid ({error})"
        return Settings(), f"The settings file was invalid ({error}) and was renamed to {aside}"
    return _checked(data), ""


def save(settings: Settings, path: Path | None = None) -> None:
    """Write the settings file atomically.

    Raises
    ------
    OutputError
        It cannot be written.
    """
    path = path or settings_folder() / "settings.toml"
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.write_text(as_toml(settings), encoding="utf-8")
        os.replace(draft, path)
    except OSError as error:
        raise OutputError(error.strerror or str(error), file=str(path)) from None


def as_toml(settings: Settings) -> str:
    """Return the text of the settings file."""
    lines = [
        f"ui_scale = {settings.ui_scale}",
        f'theme = "{settings.theme}"',
        f"reload = {str(settings.reload).lower()}",
        f'mouse = "{settings.mouse}"',
    ]
    if settings.size is not None:
        lines.append(f"size = [{settings.size[0]}, {settings.size[1]}]")
    if settings.place is not None:
        lines.append(f"place = [{settings.place[0]}, {settings.place[1]}]")
    recent = ", ".join(f'"{_escape(path)}"' for path in settings.recent)
    return "\n".join([*lines, f"recent = [{recent}]", ""])


def _escape(text: str) -> str:
    """Return the text escaped for a TOML 1.0 basic string."""
    return "".join(
        _BACKSLASHED.get(c, c if c >= " " and c != "\x7f" else f"\\u{ord(c):04x}") for c in text
    )


def _checked(data: dict[str, Any]) -> Settings:
    size = _pair(data.get("size"))
    if size is not None and min(size) < SMALLEST_WINDOW:
        size = None
    recent = data.get("recent")
    return Settings(
        size=size,
        place=_pair(data.get("place")),
        ui_scale=_scale(data.get("ui_scale")),
        theme="light" if data.get("theme") == "light" else "dark",
        reload=data.get("reload") is not False,
        mouse="blender" if data.get("mouse") == "blender" else "rigview",
        recent=[text for text in recent if isinstance(text, str)][:RECENT]
        if isinstance(recent, list)
        else [],
    )


def _pair(value: object) -> tuple[int, int] | None:
    if not isinstance(value, list) or len(value) != 2:
        return None
    first, second = value
    if not (isinstance(first, int) and isinstance(second, int)):
        return None
    return (first, second) if max(abs(first), abs(second)) <= 1 << 15 else None


def _scale(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 1.0
    return float(value) if SCALES[0] <= value <= SCALES[1] else 1.0
