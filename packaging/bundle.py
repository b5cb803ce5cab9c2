"""Builds the program that needs no Python, a folder with all that it uses: `make bundle`.

It lies in ``build/bundle/rigview``, with the licences of its parts in ``_internal/licences``, and
on Linux with manual page and completion in ``share``; on macOS also ``build/bundle/Rigview.app``.
An environment of its own has what goes into it, in the versions of ``requirements/bundle.txt``.
"""

import os
import platform
import shutil
import subprocess
import sys
import sysconfig
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build" / "bundle"
ENVIRONMENT = BUILD / "venv"
PYTHON = ENVIRONMENT / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
PROGRAM = BUILD / "rigview"
LICENCES = BUILD / "licences"
PARTS = BUILD / "parts.txt"  # what --version prints
LOCK = ROOT / "requirements" / "bundle.txt"
LEAST = 0.9  # a library that is not smaller without its symbols stays as it is
NOTICE = """\
Rigview is under the MIT licence (LICENSE). This folder also contains the programs and libraries
below. x264 and x265, with which videos are written, are under the GPL, and FFmpeg is built for
its version 3: so this folder as a whole is passed on under the GNU General Public License,
version 3 or later (GPL-3.0.txt).

Sources: those of Rigview and of each package lie at the address in its row, in this version. The
sources of FFmpeg, x264, x265 and the other libraries of PyAV, with the scripts that built them,
lie at https://github.com/PyAV-Org/pyav-ffmpeg.

"""


def run(*command: object) -> None:
    """Run a command in the folder of the checkout; exit as it does if it fails."""
    status = subprocess.run([str(word) for word in command], cwd=ROOT, check=False).returncode
    if status:
        sys.exit(status)


def prepare() -> None:
    """Make the environment, where its versions are not the locked ones, and install Rigview."""
    stamp = ENVIRONMENT / ".installed"
    wanted = LOCK.read_text(encoding="utf-8")
    pip = (PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    if not stamp.is_file() or stamp.read_text(encoding="utf-8") != wanted:
        run(sys.executable, "-m", "venv", "--clear", ENVIRONMENT)
        run(*pip, "--require-hashes", "-r", LOCK)
        stamp.write_text(wanted, encoding="utf-8")
    run(*pip, "--no-deps", "--no-build-isolation", "--force-reinstall", ROOT)


def build() -> None:
    """Build the folder, in the environment."""
    shutil.rmtree(LICENCES, ignore_errors=True)
    parts = write_licences(LICENCES)
    text = f"{', '.join(parts)}\nas a whole under the GPL, version 3 or later; see {{licences}}\n"
    PARTS.write_text(text, encoding="utf-8")
    if os.name == "nt":
        from PIL import Image

        icon = ROOT / "assets/desktop/icons/hicolor/256x256/apps/rigview.png"
        Image.open(icon).save(BUILD / "rigview.ico")  # for the installer
    folders = ("--distpath", BUILD, "--workpath", BUILD / "work")
    spec = ROOT / "packaging" / "rigview.spec"
    run(PYTHON, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN", *folders, spec)
    if sys.platform == "linux":
        strip()
        shutil.copytree(ENVIRONMENT / "share", PROGRAM / "share")


def strip() -> None:
    """Remove the symbols of libraries, apart from those of repaired wheels, which it may break."""
    for path in PROGRAM.rglob("*.so*"):
        if path.is_symlink() or path.parent.name.endswith(".libs"):
            continue
        bare = path.with_name(f"{path.name}.bare")
        ran = subprocess.run(["strip", "--strip-unneeded", "-o", bare, path], check=False)
        if ran.returncode == 0 and bare.stat().st_size < LEAST * path.stat().st_size:
            bare.replace(path)
        bare.unlink(missing_ok=True)


def write_licences(folder: Path) -> list[str]:
    """Write the texts of all licences and a table of the parts; return parts and versions."""
    sys.path.insert(0, str(ROOT))
    from tests.tools import licences_page

    folder.mkdir()
    shutil.copy(ROOT / "LICENSE", folder)
    shutil.copy(ROOT / "packaging" / "GPL-3.0.txt", folder)
    stdlib = Path(sysconfig.get_path("stdlib"))
    for path in (stdlib / "LICENSE.txt", stdlib.parent / "LICENSE_PYTHON.txt", stdlib / "LICENSE"):
        if path.is_file():
            shutil.copy(path, folder / "Python.txt")
    version = platform.python_version()
    source = f"https://www.python.org/downloads/source/ ({version})"
    rows = [f"| Python | {version} | PSF-2.0 |  | {source} |"]
    parts = [f"Python {version}", *libraries()]
    for name, (use, _) in sorted(licences_page.packages().items()):
        if "farm" in use:
            continue
        about = metadata.metadata(name)
        version = about["Version"]
        parts.append(f"{about['Name']} {version}")
        inside = licences_page.BUNDLED.get(name, "")
        source = f"https://pypi.org/project/{name}/{version}/"
        licence = licences_page.licence(name)
        rows.append(f"| {about['Name']} | {version} | {licence} | {inside} | {source} |")
        copy_texts(name, folder / f"{about['Name']}-{version}")
    copy_texts("pyinstaller", folder / "PyInstaller-bootloader")
    head = "| part | version | licence | also in it | source |\n| --- | --- | --- | --- | --- |\n"
    text = f"# Licences\n\n{NOTICE}{head}" + "\n".join(rows) + "\n"
    (folder / "README.md").write_text(text, encoding="utf-8")
    return parts


def copy_texts(name: str, folder: Path) -> None:
    """Copy the licence files of an installed package, if it has some."""
    for file in metadata.files(name) or ():
        words = ("LICEN", "COPYING", "NOTICE", "AUTHORS")
        if ".dist-info" not in file.parts[0] or file.suffix in (".py", ".pyc"):
            continue
        if any(word in file.name.upper() for word in words):
            folder.mkdir(exist_ok=True)
            shutil.copy(str(file.locate()), folder)


def libraries() -> list[str]:
    """Return what the wheel of PyAV brings, with the versions that it states."""
    import av

    found = [f"FFmpeg {getattr(av, 'ffmpeg_version_info', '')}".strip()]
    for path in sorted(Path(av.__file__).parents[1].glob("av.libs/libx26*")):
        # libx264-d6533a8d.so.165: the number of its interface
        found.append(f"{path.name[3:7]} build {path.suffix[1:]}")
    return found


if __name__ == "__main__":
    if Path(sys.prefix) == ENVIRONMENT:
        build()
    else:
        prepare()
        run(PYTHON, __file__)
