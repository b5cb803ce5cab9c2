"""A file of another revision: `REV:PATH`, as git names it, with all that it refers to.

Nothing is written into the repository: what is needed is put into a folder of its own, which is
gone afterwards. Files come through git's filters, so that Git LFS gives their real bytes.
"""

import json
import os
import posixpath
import re
import struct
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from urllib.parse import unquote

from ..errors import GltfError, UsageError
from ..gltf.uri import has_scheme, is_data

_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_POINTER = b"version https://git-lfs.github.com/spec/"
_CHARACTERS = (".glb", ".gltf", ".vrm", ".bvh")
_ENVIRONMENT = {
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
_LINK, _MODULE = "120000", "160000"  # modes in a tree


class Revision(NamedTuple):
    """What `REV:PATH` names. An empty `rev` is the index, what is staged."""

    rev: str
    path: str

    def __str__(self) -> str:
        return f"{self.rev}:{self.path}"


class Fetched(NamedTuple):
    """A file of a revision, as it lies in a folder of its own."""

    path: Path
    folder: Path  # stands for the top of the repository


def split(text: str) -> Revision | None:
    """Return the revision and the path of `REV:PATH`; None for the name of a file.

    A file of that very name wins, and what begins with a drive's letter is one of Windows.
    """
    if ":" not in text or _DRIVE.match(text) or os.path.lexists(text):
        return None
    depth = 0
    for k, letter in enumerate(text):
        depth += (letter == "{") - (letter == "}")
        if letter == ":" and depth <= 0 and text[k + 1 :]:  # not that of HEAD^{/fix: foo}
            return Revision(text[:k], text[k + 1 :])
    return None


@contextmanager
def fetched(revision: Revision) -> Iterator[Fetched]:
    """Give a file of a revision, and beside it the buffers and images that it refers to.

    What it refers to and the revision has not is left out: the loader tells which.

    Raises
    ------
    UsageError
        There is no git, no repository here, no such revision or no such path.
    GltfError
        git cannot give the bytes: a filter fails, or a Git LFS object is missing.
    """
    repository = _Repository(revision)
    path = repository.path
    with TemporaryDirectory(prefix="rigview-") as name:
        folder = Path(name).resolve()
        data = repository.read(path)
        target = _put(folder, path, data)
        for each in references(data):
            beside = _beside(path, each)
            found = [one for one in beside if repository.has(one)]
            if found:
                _put(folder, found[0], repository.read(found[0]))
        yield Fetched(target, folder)


def _put(folder: Path, path: str, data: bytes) -> Path:
    target = folder.joinpath(*path.split("/"))
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data)
    return target


def references(data: bytes) -> list[str]:
    """Return the URIs of files that a .gltf or .glb names; none of what is not sound."""
    text = data
    if data[:4] == b"glTF" and len(data) >= 20:
        text = data[20 : 20 + struct.unpack_from("<I", data, 12)[0]]
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return []
    rows: list[Any] = []
    for key in ("buffers", "images"):
        found = document.get(key) if isinstance(document, dict) else None
        rows += found if isinstance(found, list) else []
    uris = [row.get("uri") for row in rows if isinstance(row, dict)]
    return [
        uri
        for uri in dict.fromkeys(uri for uri in uris if isinstance(uri, str) and uri)
        if not is_data(uri) and not has_scheme(uri)
    ]


def _beside(path: str, uri: str) -> list[str]:
    """Return where in the repository a URI may lead, read as `gltf.uri` does; never out of it."""
    found = []
    for name in dict.fromkeys((unquote(uri), uri, unquote(uri).replace("\\", "/"))):
        joined = posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
        if not joined.startswith(("/", "../")) and joined != ".." and joined.isprintable():
            found.append(joined)
    return found


class _Repository:
    """The repository around the working directory, at one revision; read only."""

    def __init__(self, revision: Revision) -> None:
        self._name = str(revision)
        if "\0" in self._name:
            raise UsageError("no revision and no file has a NUL in its name")
        if revision.rev.startswith("-"):
            raise UsageError(f"no revision is called {revision.rev!r}", file=self._name)
        where = self._run("rev-parse", "--show-prefix")
        if where.returncode:
            raise UsageError(
                _said(where, "this is not a git checkout"),
                file=self._name,
                hint="REV:PATH names a file of a git history; there is no file of that name",
            )
        self._prefix = os.fsdecode(where.stdout).rstrip("\n")
        top = self._run("rev-parse", "--show-toplevel")  # a bare repository has none, nor an index
        self._top = os.fsdecode(top.stdout).rstrip("\n") or None
        self._tree = self._resolve(revision.rev)
        self.path = self._find(revision.path)

    def has(self, path: str) -> bool:
        """Tell whether the revision has a file at a path from the top."""
        return self._entry(path) not in ("", _MODULE)

    def read(self, path: str) -> bytes:
        """Return the bytes of a file, as a checkout would have them."""
        ran = self._run("cat-file", "--filters", f"{self._tree}:{path}")
        if ran.returncode:
            raise GltfError(
                f"git cannot read {path!r}: {_said(ran, 'it gives no reason')}", file=self._name
            )
        if ran.stdout.startswith(_POINTER):
            raise GltfError(
                f"{path!r} is a Git LFS pointer, and the file it stands for cannot be had",
                file=self._name,
                hint="install git-lfs, then: git lfs install && git lfs fetch --all",
            )
        return ran.stdout

    def _resolve(self, rev: str) -> str:
        """Return the tree of a revision; "" is the index."""
        if not rev:
            return ""
        ran = self._run("rev-parse", "--verify", "--quiet", f"{rev}^{{tree}}")
        if ran.returncode:
            raise UsageError(
                f"there is no revision {rev!r}",
                file=self._name,
                hint="a branch, a tag, a commit or HEAD~1; `git log` shows them",
            )
        return ran.stdout.decode().strip()

    def _find(self, path: str) -> str:
        """Return a path from the top of the repository, which the revision has a file at."""
        relative = path.replace("\\", "/") if os.sep == "\\" else path
        if relative.startswith(("./", "../")):
            relative = f"{self._prefix}{relative}"
        found = posixpath.normpath(relative)
        mode = "" if found.startswith(("/", "../")) else self._entry(found)
        if mode == _LINK:
            raise UsageError(
                f"{found!r} is a symbolic link", file=self._name, hint="name what it leads to"
            )
        if mode in ("", _MODULE):
            raise UsageError(
                f"the revision has no file {path!r}", file=self._name, hint=self._offer(found)
            )
        return found

    def _entry(self, path: str) -> str:
        """Return the mode of a file in the tree; "" where there is none."""
        if self._tree:
            ran = self._run("ls-tree", "-z", "--full-tree", self._tree, "--", path)
        else:
            ran = self._run("ls-files", "-z", "--stage", "--", path, folder=self._top)
        for row in ran.stdout.split(b"\0"):
            facts, _, name = row.partition(b"\t")
            if name == os.fsencode(path) and b" tree " not in facts:
                return facts.split(b" ")[0].decode()
        return ""

    def _offer(self, path: str) -> str:
        """Return a hint: the characters of the revision that come nearest."""
        from difflib import get_close_matches

        if self._tree:
            ran = self._run("ls-tree", "-r", "-z", "--full-tree", "--name-only", self._tree)
        else:
            ran = self._run("ls-files", "-z", folder=self._top)
        names = [os.fsdecode(name) for name in ran.stdout.split(b"\0") if name]
        characters = [name for name in names if name.lower().endswith(_CHARACTERS)]
        base = posixpath.basename(path)
        near = [name for name in characters if posixpath.basename(name) == base]
        near += [name for name in get_close_matches(path, characters, 3, 0.5) if name not in near]
        if near:
            offered = ", ".join(repr(name) for name in near[:3])
            return f"did you mean {offered}? (./PATH starts from here)"
        listed = ", ".join(repr(name) for name in characters[:5])
        return f"it has {listed}" if listed else "it has no .glb, .gltf, .vrm or .bvh file"

    def _run(
        self, *arguments: str, folder: str | None = None
    ) -> "subprocess.CompletedProcess[bytes]":
        """Run git, without a shell, a pager, a prompt or anything that writes."""
        try:
            return subprocess.run(
                ["git", "--no-pager", *arguments],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=False,
                cwd=folder,
                env=os.environ | _ENVIRONMENT,
            )
        except FileNotFoundError:
            raise UsageError(
                "git is not installed",
                file=self._name,
                hint="REV:PATH names a file of a git history; there is no file of that name",
            ) from None
        except OSError as error:
            raise UsageError(f"git cannot be run: {error.strerror}", file=self._name) from None


def _said(ran: "subprocess.CompletedProcess[bytes]", otherwise: str) -> str:
    """Return what git had to complain about, as one line."""
    lines = ran.stderr.decode(errors="replace").strip().splitlines()
    if not lines or "not a git repository" in lines[0]:
        return otherwise
    return lines[-1].removeprefix("fatal: ")
