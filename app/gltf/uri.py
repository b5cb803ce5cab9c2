"""URIs of a glTF file: data URIs, and files in the permitted folder."""

import binascii
import os
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote, unquote_to_bytes

from ..errors import GltfError
from ..file_io import MAX_BYTES, CheckHead, NotAFileError, read_file
from ..wording import shortened

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
ErrorFactory = Callable[..., GltfError]  # (message, hint="") -> error


def read_uri(
    uri: str,
    folder: Path | None,
    root: Path | None,
    make_error: ErrorFactory,
    limit: int | None = None,
    check: CheckHead | None = None,
) -> bytes:
    """Return the bytes of a URI (glTF 2.0, section 2.8).

    Parameters
    ----------
    uri
        A data URI of any media type, or a relative, percent-encoded file name.
    folder
        Folder that relative URIs are resolved against; None: unknown.
    root
        Folder that files must lie in; None: `folder`.
    make_error
        Creates the error from a message and a hint.
    limit
        Maximum number of bytes read from a file.
    check
        As of `read_file`, for a file.

    Raises
    ------
    GltfError
        The URI leads outside the folder or to the network, or cannot be read.
    """
    if is_data(uri):
        return _read_data(uri, make_error)
    path, shown = locate(uri, folder, root, make_error), shortened(uri, 200)
    try:
        most = MAX_BYTES if limit is None else limit
        return read_file(path, most, truncate=limit is not None, check=check)
    except FileNotFoundError:
        raise make_error(f"“{shown}” not found") from None
    except NotAFileError:
        raise make_error(f"“{shown}” is not a file") from None
    except OSError as error:
        raise make_error(f"“{shown}” cannot be read: {error.strerror}") from None


def is_data(uri: str) -> bool:
    """Return whether a URI is a data URI."""
    return uri[:5].lower() == "data:"


def has_scheme(uri: str) -> bool:
    """Return whether a URI is absolute (has a scheme or an authority), not a relative file name."""
    return _SCHEME.match(uri) is not None


def _read_data(uri: str, make_error: ErrorFactory) -> bytes:
    """Return the bytes of a data URI (RFC 2397), base64 or percent-encoded."""
    comma = uri.find(",")
    if comma < 0:
        raise make_error("the data URI has no comma")
    body = uri[comma + 1 :]
    if not uri[:comma].lower().endswith(";base64"):
        return unquote_to_bytes(body)
    if "%" in body:
        body = unquote(body)
    try:
        return binascii.a2b_base64(body + "=" * (-len(body) % 4))
    except ValueError as error:  # binascii.Error, or a character that is not ASCII
        raise make_error(f"invalid base64 data: {error}") from None


def locate(uri: str, folder: Path | None, root: Path | None, make_error: ErrorFactory) -> Path:
    """Return the path of a relative URI, inside the permitted folder.

    Parameters and errors are those of `read_uri`. The file need not exist.
    """
    shown = shortened(uri, 200)
    if has_scheme(uri):
        raise make_error(
            f"“{shown}” is not a relative file name", "download it and refer to the local copy"
        )
    if folder is None:
        raise make_error(
            f"“{shown}” cannot be found: the folder of the model is unknown",
            "give its folder with --root",
        )
    try:
        base = folder.resolve()
        allowed = root.resolve() if root else base
        path = _existing(base, uri).resolve()
    except (OSError, ValueError, RuntimeError):  # a loop of links, a NUL, a name too long
        raise make_error(f"“{shown}” is not a valid file name") from None
    if not path.is_relative_to(allowed):
        raise make_error(
            f"“{shown}” lies outside {allowed}",
            "give a folder that contains both with --root",
        )
    return path


def _existing(base: Path, uri: str) -> Path:
    """Return the existing file of a URI: percent-decoded, or else as wrong exporters write it."""
    decoded = unquote(uri)
    for name in (decoded, uri, decoded.replace("\\", "/")):
        if os.path.exists(base / name):
            return base / name
    return base / decoded
