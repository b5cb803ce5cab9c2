"""Packs the program that needs no Python for Linux: `make packages`.

Writes ``rigview_VERSION_ARCHITECTURE.deb`` and ``rigview-VERSION-linux-MACHINE.tar.xz`` into
``dist``.
"""

import gzip
import hashlib
import os
import platform
import re
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUNDLE = ROOT / "build" / "bundle" / "rigview"
TREE = ROOT / "build" / "deb"
DEBIAN = ROOT / "packaging" / "debian"
DIST = ROOT / "dist"
HOME = "usr/lib/rigview"
VERSION = re.findall(r'__version__ = "(.+)"', (ROOT / "app/version.py").read_text("utf-8"))[0]

CHANGES = """\
rigview ({}) unstable; urgency=medium

  * What is new is listed in CHANGELOG.md.

 -- Rigview maintainers <maintainers@rigview.invalid>  {}
"""


def committed() -> str:
    """Return the time of the latest commit as a changelog of Debian writes it."""
    git = ["git", "log", "-1", "--format=%cD"]
    return subprocess.run(git, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def lay_out() -> None:
    """Lay the files out as they are installed."""
    shutil.rmtree(TREE, ignore_errors=True)
    shutil.copytree(BUNDLE, TREE / HOME, symlinks=True, ignore=shutil.ignore_patterns("share"))
    (TREE / "usr/bin").mkdir()
    (TREE / "usr/bin/rigview").symlink_to("../lib/rigview/rigview")
    share = TREE / "usr" / "share"
    shutil.copytree(BUNDLE / "share", share)
    (share / "zsh/site-functions").rename(share / "zsh/vendor-completions")
    shutil.copytree(ROOT / "assets" / "desktop", share, dirs_exist_ok=True)
    packed(share / "man/man1/rigview.1")
    documents = share / "doc" / "rigview"
    documents.mkdir(parents=True)
    shutil.copy(ROOT / "CHANGELOG.md", documents)
    packed(documents / "CHANGELOG.md")
    (documents / "licences").symlink_to("../../../lib/rigview/_internal/licences")
    (documents / "changelog").write_text(CHANGES.format(VERSION, committed()), encoding="utf-8")
    packed(documents / "changelog")
    lines = (ROOT / "LICENSE").read_text(encoding="utf-8").splitlines()
    licence = "".join(f" {line or '.'}\n" for line in lines)
    text = (DEBIAN / "copyright").read_text(encoding="utf-8").format(licence=licence)
    (documents / "copyright").write_text(text, encoding="utf-8")
    overrides = share / "lintian" / "overrides"
    overrides.mkdir(parents=True)
    shutil.copy(DEBIAN / "lintian-overrides", overrides / "rigview")


def packed(path: Path) -> None:
    """Replace a file by a packed one, the same bytes at any time."""
    path.with_name(f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes(), 9, mtime=0))
    path.unlink()


def set_modes() -> None:
    """Let all read, and only programs be executed."""
    for path in (TREE, *TREE.rglob("*")):
        if not path.is_symlink():
            executable = path.is_dir() or path == TREE / HOME / "rigview"
            path.chmod(0o755 if executable else 0o644)


def deb() -> Path:
    """Write the Debian package; return its path."""
    lay_out()
    set_modes()
    files = sorted(path for path in TREE.rglob("*") if path.is_file() and not path.is_symlink())
    size = sum(-(-path.stat().st_size // 1024) for path in files)
    sums = "".join(
        f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(TREE)}\n"
        for path in files
    )
    architecture = subprocess.run(
        ["dpkg", "--print-architecture"], capture_output=True, text=True, check=True
    ).stdout.strip()
    control = (DEBIAN / "control").read_text(encoding="utf-8")
    (TREE / "DEBIAN").mkdir(mode=0o755)
    (TREE / "DEBIAN" / "md5sums").write_text(sums, encoding="utf-8")
    (TREE / "DEBIAN" / "control").write_text(
        control.format(version=VERSION, architecture=architecture, kib=size), encoding="utf-8"
    )
    target = DIST / f"rigview_{VERSION}_{architecture}.deb"
    subprocess.run(["dpkg-deb", "--root-owner-group", "-Zxz", "--build", TREE, target], check=True)
    return target


def archive() -> Path:
    """Write the archive of the folder; return its path."""
    name = f"rigview-{VERSION}-linux-{platform.machine()}"
    target = DIST / f"{name}.tar.xz"
    tar = ["tar", "--owner=0", "--group=0", "--numeric-owner", "--sort=name", "--sparse"]
    subprocess.run(
        [*tar, f"--transform=s,^rigview,{name},S", "-cJf", target, BUNDLE.name],
        cwd=BUNDLE.parent,
        env={**os.environ, "XZ_OPT": "-T0 -6"},
        check=True,
    )
    return target


if __name__ == "__main__":
    DIST.mkdir(exist_ok=True)
    for path in (deb(), archive()):
        print(f"{path}: {path.stat().st_size / 1e6:.1f} MB")
