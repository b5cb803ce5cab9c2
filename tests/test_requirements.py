"""The locked versions of requirements/: hashes, no registry, and in step with pyproject.toml."""

import re
import tomllib
from pathlib import Path

import pytest

pytest.importorskip("packaging", reason="packaging is not installed")

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
FILES = {path.stem: path.read_text(encoding="utf-8") for path in ROOT.glob("requirements/*.txt")}
ENTRY = re.compile(r"^([^\s#][^\\\n]*) \\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", re.M)
PYTHONS = ("3.11", "3.12", "3.13", "3.14")


def locked(file, python="3.11"):
    """The requirements of a file that a version of Python installs, by name."""
    here = {"python_version": python, "python_full_version": f"{python}.0", "os_name": "nt"}
    found = [Requirement(entry[1]) for entry in ENTRY.finditer(FILES[file])]
    used = [each for each in found if each.marker is None or each.marker.evaluate(here)]
    names = [canonicalize_name(each.name) for each in used]
    assert len(names) == len(set(names)), python
    return dict(zip(names, used, strict=True))


def wanted(*extras):
    """The direct requirements of pyproject.toml, of its extras, and of building."""
    table = PROJECT["project"]
    lines = [*PROJECT["build-system"]["requires"]]
    for extra in extras:
        lines += table["optional-dependencies"][extra] if extra else table["dependencies"]
    return map(Requirement, lines)


@pytest.mark.parametrize("file", sorted(FILES))
def test_every_line_is_a_version_with_hashes(file):
    rest = ENTRY.sub("", FILES[file])
    assert all(line.startswith("#") for line in rest.splitlines()), "run make lock"
    assert "://" not in FILES[file]


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize(
    ("file", "extras"),
    [
        ("bundle", ["", "bundle", "compressed", "video"]),
        ("dev", ["", "dev", "video"]),
        ("run", ["", "video"]),
        ("wheel", []),
    ],
)
def test_versions_are_in_the_ranges_of_the_project(file, extras, python):
    there = locked(file, python)
    for each in wanted(*extras):
        (pin,) = there[canonicalize_name(each.name)].specifier
        assert pin.operator == "=="
        assert each.specifier.contains(pin.version, prereleases=True), f"run make lock: {each}"


@pytest.mark.parametrize("python", PYTHONS)
def test_files_agree(python):
    dev = locked("dev", python)
    for file in ("run", "wheel", "bundle"):
        for name, each in locked(file, python).items():
            own = file == "bundle" and name not in dev  # PyInstaller and what it needs
            assert own or each.specifier == dev[name].specifier
