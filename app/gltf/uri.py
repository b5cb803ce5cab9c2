"""URIs of a glTF file: data URIs, and files that lie in the permitted folder."""

import binascii
import os
import re
import stat
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote, unquote_to_bytes

from ..errors import GltfError

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
Fault = Callable[..., GltfError]  # of a sentence and, where there is one, a hint


def read_uri(
    uri: str, folder: Path | None, root: Path | None, fault: Fault, limit: int | None = None
) -> bytes:
    """Return the bytes behind a URI (glTF 2.0, section 2.8).

    Parameters
    ----------
    uri
        A data URI of any media type, or a relative, percent-encoded file name.
    folder
        Folder that relative names start from; None: there is none.
    root
        Folder that must not be left; None: `folder`.
    fault
        Makes the error from a sentence and a hint.
    limit
        Read no more than this many bytes of a file.

    Raises
    ------
    GltfError
        It leads out of the folder or to the network, or cannot be read.
    """
    if is_data(uri):
        return _read_data(uri, fault)
    path, shown = locate(uri, folder, root, fault), _shown(uri)
    try:
        found = os.stat(path)
        if not stat.S_ISREG(found.st_mode):
            raise fault(f"“{shown}” is not a file")
        with path.open("rb") as file:
            return file.read(found.st_size if limit is None else min(limit, found.st_size))
    except FileNotFoundError:
        raise fault(f"there is no file “{shown}”") from None
    except OSError as error:
        raise fault(f"“{shown}” cannot be read: {error.strerror}") from None


def is_data(uri: str) -> bool:
    """Tell whether a URI holds its data itself."""
    return uri[:5].lower() == "data:"


def has_scheme(uri: str) -> bool:
    """Tell whether a URI leads to the network or anywhere but to a file beside the model."""
    return _SCHEME.match(uri) is not None


def _read_data(uri: str, fault: Fault) -> bytes:
    """Decode a data URI (RFC 2397), base64 or percent-encoded."""
    comma = uri.find(",")
    if comma < 0:
        raise fault("a data URI without a comma")
    body = uri[comma + 1 :]
    if not uri[:comma].lower().endswith(";base64"):
        return unquote_to_bytes(body)
    if "%" in body:
        body = unquote(body)
    try:
        return binascii.a2b_base64(body + "=" * (-len(body) % 4))
    except ValueError as error:  # binascii.Error, or a character that is not ASCII
        raise fault(f"its base64 data is broken: {error}") from None


def locate(uri: str, folder: Path | None, root: Path | None, fault: Fault) -> Path:
    """Return where a relative URI leads, which is never out of the permitted folder.

    Parameters and errors are those of `read_uri`. The file need not exist.
    """
    shown = _shown(uri)
    if has_scheme(uri):
        raise fault(f"“{shown}” is not a file beside the model", "fetch it and refer to the copy")
    if folder is None:
        raise fault(
            f"“{shown}” cannot be found: the model came without a folder",
            "name its folder with --root",
        )
    try:
        base = folder.resolve()
        allowed = root.resolve() if root else base
        path = _existing(base, uri).resolve()
    except (OSError, ValueError, RuntimeError):  # a loop of links, a NUL, a name too long
        raise fault(f"“{shown}” is no name of a file") from None
    if not path.is_relative_to(allowed):
        raise fault(
            f"“{shown}” lies outside {allowed}",
            "name a folder that holds both with --root",
        )
    return path


def _shown(uri: str) -> str:
    return uri if len(uri) <= 200 else uri[:200] + "…"


def _existing(base: Path, uri: str) -> Path:
    """Try the decoded name first, then the readings that careless exporters need."""
    decoded = unquote(uri)
    for name in (decoded, uri, decoded.replace("\\", "/")):
        if os.path.exists(base / name):
            return base / name
    return base / decoded
