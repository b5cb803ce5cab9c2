"""Writes the tables of docs/licences.md from the metadata of the installed packages.

Run ``python -m tests.tools.licences_page`` after a change of the dependencies; a test compares the
tables. The packages are those of Rigview and its extras, apart from the tools of developers.
"""

import re
import tomllib
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "licences.md"
DEVELOPERS = {"assets", "bundle", "dev", "docs"}  # extras that are not for users
_TABLES = re.compile(r"<!-- packages -->\n.*<!-- end -->\n", re.DOTALL)

# Licences that the metadata lack or write in several ways, as SPDX expressions.
SPDX = {
    "3-clause BSD": "BSD-3-Clause",
    "Apache 2.0": "Apache-2.0",
    "BSD": "BSD-3-Clause",
    "BSD License": "BSD-3-Clause",
    "MIT License": "MIT",
    "zlib/libpng License": "Zlib",
}
STATED = {  # in their LICENSE files
    "multipledispatch": "BSD-3-Clause",
    "partd": "BSD-3-Clause",
    "pyglet": "BSD-3-Clause",
    "pyrr": "BSD-2-Clause",
    "zict": "BSD-3-Clause",
}
BUNDLED = {  # libraries in the wheels under other licences, or many
    "av": "FFmpeg (LGPL-3.0-or-later); x264 and x265 (GPL-2.0-or-later); LAME, GnuTLS (LGPL); "
    "dav1d, libvpx, Opus, SVT-AV1, libwebp (BSD)",
    "imgui-bundle": "Dear ImGui, ImGuizmo and others (MIT), GLFW (Zlib), and fonts",
    "numpy": "OpenBLAS (BSD-3-Clause), libgfortran (GPL-3.0-or-later with GCC runtime exception)",
    "pillow": "FreeType (FTL), libjpeg-turbo, libtiff, libpng, libwebp, libavif and others "
    "(permissive)",
}


def project() -> dict[str, object]:
    """Return the table `project` of pyproject.toml."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)["project"]


def direct() -> dict[str, list[str]]:
    """Return the direct requirements by extra; those of Rigview itself are the extra ``""``."""
    table = project()
    extras = {"": table["dependencies"], **table["optional-dependencies"]}
    return {
        extra: [Requirement(line).name for line in lines]
        for extra, lines in extras.items()
        if extra not in DEVELOPERS
    }


def packages() -> dict[str, tuple[str, bool]]:
    """Return all packages by canonical name: what needs them, and whether directly."""
    found: dict[str, tuple[str, bool]] = {}
    for extra, names in direct().items():
        use = f"extra `{extra}`" if extra else "Rigview"
        waiting = [(name, True) for name in names]
        while waiting:
            name, is_direct = waiting.pop(0)
            key = canonicalize_name(name)
            if key not in found:
                found[key] = use, is_direct
                waiting += [(each, False) for each in _requirements(name)]
    return found


def _requirements(name: str) -> list[str]:
    """Return what an installed package requires on this system, without extras."""
    try:
        lines = metadata.requires(name) or []
    except metadata.PackageNotFoundError:
        return []
    parsed = map(Requirement, lines)
    return [each.name for each in parsed if not each.marker or each.marker.evaluate({"extra": ""})]


def licence(name: str) -> str:
    """Return the licence of an installed package, an SPDX expression."""
    if name in STATED:
        return STATED[name]
    data = metadata.metadata(name)
    named = data.get("License-Expression") or data.get("License") or ""
    if not named or len(named) > 40:
        classes = [each for each in data.get_all("Classifier", []) if each.startswith("License")]
        named = classes[-1].rpartition(" :: ")[2] if classes else named
    return SPDX.get(named, named) or "unknown"


def rows() -> dict[str, str]:
    """Return the rows of the table by canonical name of the package."""
    return {
        name: f"| {metadata.metadata(name)['Name']} | {licence(name)} | "
        f"{use}{'' if is_direct else ', indirectly'} | {BUNDLED.get(name, '')} |"
        for name, (use, is_direct) in sorted(packages().items())
    }


def filled(text: str) -> str:
    """Return a page with an up-to-date table."""
    head = "| package | licence | needed by | also in its wheels |\n| --- | --- | --- | --- |"
    table = "\n".join(["<!-- packages -->", head, *rows().values(), "<!-- end -->", ""])
    return _TABLES.sub(lambda _: table, text)


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
