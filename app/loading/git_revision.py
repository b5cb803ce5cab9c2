"""Files of git revisions: `REV:PATH` in git's syntax, with external buffers and images.

Files are written to a temporary folder, never into the repository. They pass through git's
filters, so that Git LFS files have their actual bytes.
"""

import atexit
import json
import os
import posixpath
import re
import struct
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple
from urllib.parse import unquote

from ..conversion.formats import FORMATS, is_convertible
from ..errors import AppError, ConversionError, GltfError, UsageError
from ..file_io import HEAD
from ..gltf.document import check_head
from ..gltf.uri import has_scheme, is_data
from ..wording import suggestion

if TYPE_CHECKING:
    import subprocess

_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_POINTER = b"version https://git-lfs.github.com/spec/"
_PICTURES = (".png", ".jpg", ".jpeg", ".tga", ".tif", ".tiff", ".bmp", ".webp", ".exr", ".hdr")
CHARACTERS = (".glb", ".gltf", ".vrm", ".bvh")
_ENVIRONMENT = {
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
_LINK, _MODULE = "120000", "160000"  # modes of symbolic links and submodules in a tree


class Revision(NamedTuple):
    """A parsed `REV:PATH`. An empty `rev` is the index (staged files)."""

    rev: str
    path: str

    def __str__(self) -> str:
        return f"{self.rev}:{self.path}"


class ExtractedFile(NamedTuple):
    """A file of a revision, written to a temporary folder."""

    path: Path
    folder: Path  # corresponds to the top of the repository


def parse_revision(text: str) -> Revision | None:
    """Return the revision and the path of `REV:PATH`; None for an ordinary file name.

    Existing files of that name and Windows paths with a drive letter are ordinary file names.
    """
    if ":" not in text or _DRIVE.match(text) or os.path.lexists(text):
        return None
    depth = 0
    for k, letter in enumerate(text):
        depth += (letter == "{") - (letter == "}")
        if letter == ":" and depth <= 0 and text[k + 1 :]:  # skips the colon in HEAD^{/fix: foo}
            return Revision(text[:k], text[k + 1 :])
    return None


@contextmanager
def extracted(revision: Revision) -> Iterator[ExtractedFile]:
    """Yield a file of a revision in a temporary folder, with its external buffers and images.

    External files that the revision lacks are left out; loading reports them. A file that Blender
    reads is converted, and comes with the pictures and libraries of its folder and subfolders, and
    with those elsewhere in the repository that it refers to.

    Raises
    ------
    UsageError
        git is not installed, or the repository, the revision or the path does not exist.
    GltfError
        git cannot read the file: a filter fails, or a Git LFS object is missing.
    ConversionError
        Blender cannot convert it.
    """
    repository = _Repository(revision)
    path = repository.path
    from tempfile import TemporaryDirectory  # imported late: few files are of a revision

    with TemporaryDirectory(prefix="rigview-") as name:
        folder = Path(name).resolve()
        data = repository.read(path)
        target = _write(folder, path, data)
        if is_convertible(path):
            for other in repository.beside(path):
                _write(folder, other, repository.read(other))
            try:
                while _write_links(repository, folder, target):
                    pass  # libraries may refer to others
            except ConversionError as error:
                error.file = str(revision)
                raise
        for reference in references(data):
            candidates = possible_paths(path, reference)
            found = [candidate for candidate in candidates if repository.has(candidate)]
            if found:
                _write(folder, found[0], repository.read(found[0]))
        yield ExtractedFile(target, folder)


class _Extracted:
    """Files of revisions that stay until the process ends."""

    paths: ClassVar[dict[tuple[str, str], Path]] = {}  # by working directory and `REV:PATH`
    folders: ClassVar[ExitStack] = ExitStack()


def kept_file(revision: Revision) -> Path:
    """Return a file of a revision in a temporary folder, which stays until the process ends.

    Raises
    ------
    UsageError, GltfError, ConversionError
        As of `extracted`.
    """
    kept, key = _Extracted.paths, (os.getcwd(), str(revision))
    if key not in kept:
        if not kept:
            atexit.register(_Extracted.folders.close)
        kept[key] = _Extracted.folders.enter_context(extracted(revision)).path
    return kept[key]


def revision_of(path: Path) -> str:
    """Return the `REV:PATH` of a file from `kept_file`, "" for any other file."""
    return next((name for (_, name), kept in _Extracted.paths.items() if kept == path), "")


def _write(folder: Path, path: str, data: bytes) -> Path:
    target = folder.joinpath(*path.split("/"))
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data)
    return target


def _write_links(repository: "_Repository", folder: Path, target: Path) -> bool:
    """Write files of the revision that a file refers to; False if none was missing."""
    from ..conversion.convert import convert  # imported late: few files are of a revision

    missing = [
        link.relative_to(folder).as_posix()
        for link in convert(target).links
        if link.is_relative_to(folder) and not link.exists()
    ]
    found = [path for path in missing if repository.has(path)]
    for path in found:
        _write(folder, path, repository.read(path))
    return bool(found)


def references(data: bytes) -> list[str]:
    """Return the relative URIs of buffers and images of a .gltf or .glb; [] if it is invalid."""
    text = data
    if data[:4] == b"glTF" and len(data) >= 20:
        text = data[20 : 20 + struct.unpack_from("<I", data, 12)[0]]
    try:
        check_head(data[:HEAD], len(data))
        document = json.loads(text)
    except (AppError, ValueError, RecursionError):
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


def possible_paths(path: str, uri: str) -> list[str]:
    """Return the repository paths that a URI may refer to, resolved as in `gltf.uri`."""
    found = []
    for name in dict.fromkeys((unquote(uri), uri, unquote(uri).replace("\\", "/"))):
        joined = posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
        if not joined.startswith(("/", "../")) and joined != ".." and joined.isprintable():
            found.append(joined)
    return found


class _Repository:
    """The repository of the working directory at one revision; read only."""

    def __init__(self, revision: Revision) -> None:
        self._name = str(revision)
        if "\0" in self._name:
            raise UsageError("REV:PATH must not contain a NUL character")
        self._run = partial(run_git, self._name)
        if revision.rev.startswith("-"):
            raise UsageError(f"invalid revision {revision.rev!r}", file=self._name)
        prefix = self._run("rev-parse", "--show-prefix")
        if prefix.returncode:
            raise UsageError(
                error_line(prefix, "this is not a git checkout"),
                file=self._name,
                hint="REV:PATH is a file in a git revision; no file has that name",
            )
        self._prefix = os.fsdecode(prefix.stdout).rstrip("\n")
        top = self._run("rev-parse", "--show-toplevel")  # empty for bare repositories
        self._top = os.fsdecode(top.stdout).rstrip("\n") or None
        self._tree = self._resolve(revision.rev)
        self.path = self._find(revision.path)

    def has(self, path: str) -> bool:
        """Return whether the revision has a file at a path relative to the top."""
        return self._entry(path) not in ("", _MODULE)

    def read(self, path: str) -> bytes:
        """Return the bytes of a file, as in a checkout."""
        ran = self._run("cat-file", "--filters", f"{self._tree}:{path}")
        if ran.returncode:
            raise GltfError(
                f"git cannot read {path!r}: {error_line(ran, 'no reason given')}", file=self._name
            )
        if ran.stdout.startswith(_POINTER):
            raise GltfError(
                f"{path!r} is a Git LFS pointer whose file is not available",
                file=self._name,
                hint="install git-lfs, then: git lfs install && git lfs fetch --all",
            )
        return ran.stdout

    def beside(self, path: str) -> list[str]:
        """Return the paths of pictures and libraries in the folder of a file and below."""
        folder = posixpath.dirname(path)
        inside = f"{folder}/" if folder else ""
        kinds = (*FORMATS, *_PICTURES)
        names = [name for name in self._names() if name.startswith(inside) and name != path]
        return [name for name in names if name.lower().endswith(kinds) and self.has(name)]

    def _names(self) -> list[str]:
        """Return the paths of all files of the revision."""
        if self._tree:
            ran = self._run("ls-tree", "-r", "-z", "--full-tree", "--name-only", self._tree)
        else:
            ran = self._run("ls-files", "-z", folder=self._top)
        return [os.fsdecode(name) for name in ran.stdout.split(b"\0") if name]

    def _resolve(self, rev: str) -> str:
        """Return the tree hash of a revision; "" for the index."""
        if not rev:
            return ""
        ran = self._run("rev-parse", "--verify", "--quiet", f"{rev}^{{tree}}")
        if ran.returncode:
            raise UsageError(
                f"unknown revision {rev!r}",
                file=self._name,
                hint="give a branch, a tag, a commit or HEAD~1; `git log` shows them",
            )
        return ran.stdout.decode().strip()

    def _find(self, path: str) -> str:
        """Return the path of a file relative to the top of the repository."""
        relative = path.replace("\\", "/") if os.sep == "\\" else path
        if relative.startswith(("./", "../")):
            relative = f"{self._prefix}{relative}"
        found = posixpath.normpath(relative)
        mode = "" if found.startswith(("/", "../")) else self._entry(found)
        if mode == _LINK:
            raise UsageError(
                f"{found!r} is a symbolic link", file=self._name, hint="give the path of its target"
            )
        if mode in ("", _MODULE):
            raise UsageError(
                f"the revision has no file {path!r}", file=self._name, hint=self._suggestions(found)
            )
        return found

    def _entry(self, path: str) -> str:
        """Return the mode of a file in the tree; "" if there is none."""
        if self._tree:
            ran = self._run("ls-tree", "-z", "--full-tree", self._tree, "--", path)
        else:
            ran = self._run("ls-files", "-z", "--stage", "--", path, folder=self._top)
        for row in ran.stdout.split(b"\0"):
            facts, _, name = row.partition(b"\t")
            if name == os.fsencode(path) and b" tree " not in facts:
                return facts.split(b" ")[0].decode()
        return ""

    def _suggestions(self, path: str) -> str:
        """Return a hint with the most similar paths of character files in the revision."""
        names = self._names()
        characters = [name for name in names if name.lower().endswith(CHARACTERS)]
        base = posixpath.basename(path)
        same = [name for name in characters if posixpath.basename(name) == base]
        hint = suggestion(base, same) or suggestion(path, characters)
        if hint:
            return f"{hint} (./PATH is relative to the working directory)"
        listed = ", ".join(repr(name) for name in characters[:5])
        return f"it has {listed}" if listed else "it has no .glb, .gltf, .vrm or .bvh file"


def run_git(
    name: str, *arguments: str, folder: str | None = None
) -> "subprocess.CompletedProcess[bytes]":
    """Return the result of a git command that only reads, without shell, pager or prompts.

    Parameters
    ----------
    name
        What the user named, for errors.
    folder
        Working directory of the command; None: the present one.

    Raises
    ------
    UsageError
        git is not installed, or cannot be run.
    """
    import subprocess  # imported late: few files are of a revision

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
            "git is not installed", file=name, hint="it reads the files of a revision"
        ) from None
    except OSError as error:
        raise UsageError(f"git cannot be run: {error.strerror}", file=name) from None


def error_line(ran: "subprocess.CompletedProcess[bytes]", otherwise: str) -> str:
    """Return the last line of git's error output, or `otherwise`."""
    lines = ran.stderr.decode(errors="replace").strip().splitlines()
    if not lines or "not a git repository" in lines[0]:
        return otherwise
    return lines[-1].removeprefix("fatal: ")
