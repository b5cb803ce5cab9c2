"""Bundled shaders and assets, and the user's folders for settings, caches and pictures.

Shaders and assets are beside `app` in a checkout, inside the package in a wheel. The user's folders
are those that platformdirs names; it is imported on use, because it takes 20 ms.
"""

import os
import sys
from functools import cache
from pathlib import Path

_HERE = Path(__file__).resolve().parent


@cache
def _folder(kind: str) -> Path:
    packed = _HERE / "_data" / kind
    return packed if packed.is_dir() else _HERE.parent / kind


def asset_path(name: str) -> Path:
    """Return the path of a bundled asset, such as ``mannequin.glb``."""
    return _folder("assets") / name


def is_bundled(path: Path) -> bool:
    """Return whether a path is in the folder of bundled assets, which are not written."""
    return path.resolve().is_relative_to(_folder("assets"))


def shader_text(name: str) -> str:
    """Return the source of a shader, such as ``mesh.vert`` or ``lib/skin.glsl``."""
    return (_folder("shaders") / name).read_text(encoding="utf-8")


def shader_names() -> list[str]:
    """Return the names of all shader files, ``lib/…`` included."""
    root = _folder("shaders")
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*.*") if path.is_file())


def settings_folder() -> Path:
    """Return the folder of the settings file and `imgui.ini`; it may not exist."""
    if (folder := _xdg_folder("XDG_CONFIG_HOME", ".config")) is not None:
        return folder
    from platformdirs import user_config_dir

    return Path(user_config_dir("rigview", appauthor=False))


def options_path() -> Path:
    """Return the path of the default options file; it may not exist."""
    return settings_folder() / "config.toml"


def cache_folder() -> Path:
    """Return the cache folder; it may not exist."""
    if (folder := _xdg_folder("XDG_CACHE_HOME", ".cache")) is not None:
        return folder
    from platformdirs import user_cache_dir

    return Path(user_cache_dir("rigview", appauthor=False))


def _xdg_folder(variable: str, usual: str) -> Path | None:
    """Return our folder on Linux as platformdirs does, without importing it; None elsewhere."""
    if not sys.platform.startswith("linux"):
        return None
    given = os.environ.get(variable, "")
    base = given if os.path.isabs(given) else os.path.expanduser(os.path.join("~", usual))
    return Path(base) / "rigview"


def state_folder() -> Path:
    """Return the folder of reports of crashes; it may not exist."""
    if (folder := _xdg_folder("XDG_STATE_HOME", ".local/state")) is not None:
        return folder
    from platformdirs import user_state_dir

    return Path(user_state_dir("rigview", appauthor=False))


def data_home() -> Path:
    """Return the folder of the user's data on Linux, where desktops look for entries and icons."""
    folder = _xdg_folder("XDG_DATA_HOME", ".local/share")
    assert folder is not None
    return folder.parent


def pictures_folder() -> Path:
    """Return the folder for the window's screenshots."""
    from platformdirs import user_pictures_dir

    return Path(user_pictures_dir())
