"""A glTF file as read: its JSON, its binary chunk, its buffers and external files."""

import json
import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import GltfError, UnsupportedError, UsageError
from ..file_io import HEAD, CheckHead, NotAFileError, read_file
from ..wording import printable
from .object_names import described_place
from .uri import ErrorFactory, is_data, locate, read_uri

if TYPE_CHECKING:
    import pygltflib

MAX_MEMORY = 1 << 31  # bytes: 2 GiB
MAX_JSON = 1 << 29  # bytes: 512 MiB, embedded buffers included
MAX_VALUES = 10_000_000  # of the JSON, about: its commas and opening brackets
MAX_WARNINGS = 200  # a corrupt file could produce millions
_JSON_CHUNK = 0x4E4F534A  # "JSON"
_BIN_CHUNK = 0x004E4942  # "BIN\0"
_JSON = re.compile(rb'(\xef\xbb\xbf)?\s*[\[{"]')  # the first byte of an object, list or text
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1f]")  # bytes that text does not have
_EXPORT = "export it as glTF, .glb or .gltf"
_DOWNLOAD = "copy or download it again"
_CONTENTS = {  # of files that are no glTF, by their first bytes: what they look like, what to do
    b"\x89PNG": ("a PNG picture", "name the model that uses it"),
    b"\xff\xd8\xff": ("a JPEG picture", "name the model that uses it"),
    b"PK\3\4": ("a ZIP archive", "unpack it and name the model inside"),
    b"\x1f\x8b": ("a gzip archive", "unpack it and name the model inside"),
    b"7z\xbc\xaf": ("a 7z archive", "unpack it and name the model inside"),
    b"Rar!": ("a RAR archive", "unpack it and name the model inside"),
    b"BLENDER": ("a Blender file", "rename it to .blend"),
    b"Kaydara FBX": ("an FBX file", "rename it to .fbx"),
    b"; FBX": ("an FBX file", "rename it to .fbx"),
    b"#usda": ("a USD file", "rename it to .usda"),
    b"PXR-USDC": ("a USD file", "rename it to .usdc"),
    b"HIERARCHY": ("a BVH motion capture", "rename it to .bvh"),
    b"version https://git-lfs.": ("a pointer of Git LFS", "fetch the file: git lfs pull"),
    b"<": ("a page of HTML or XML", _DOWNLOAD),
    b"\xff\xfe": ("text in UTF-16", "save it as UTF-8"),
    b"\xfe\xff": ("text in UTF-16", "save it as UTF-8"),
    b"\0\0\0\0": ("an incomplete copy: it begins with zeros", _DOWNLOAD),
}


@dataclass(slots=True)
class Document:
    """The parsed JSON of a file, and access to its buffers and external files.

    Parameters
    ----------
    json
        The top-level object; unchecked until `validate`.
    name
        The file name as given by the user, for messages.
    path
        Path of the file; None for bytes.
    root
        Folder that external files must lie in; None: the file's own folder.
    chunk
        The binary chunk of a GLB, or None.
    file_bytes
        Size of the file itself.
    links
        Further files that it was made from.
    host
        The document without attached files; None: nothing is attached.
    """

    json: dict[str, Any]
    name: str
    path: Path | None = None
    root: Path | None = None
    chunk: memoryview | None = None
    file_bytes: int = 0
    links: tuple[Path, ...] = ()
    warnings: list[str] = field(default_factory=list)
    max_memory: int = MAX_MEMORY  # bytes for the pixels and textures of all images
    read_bytes: int = 0  # JSON and all buffers read so far
    decoded: dict[Any, Any] = field(default_factory=dict)  # cache of decompressed data
    _buffers: dict[int, memoryview] = field(default_factory=dict)
    host: "Document | None" = None

    def rows(self, key: str) -> list[dict[str, Any]]:
        """Return a top-level array of objects; empty if absent."""
        return self.json.get(key) or []

    def texts(self, key: str) -> list[str]:
        """Return a top-level array of strings; empty if absent."""
        return self.json.get(key) or []

    def copied_json(self) -> dict[str, Any]:
        """Return a deep copy of the JSON; GltfError if it is nested too deeply for that."""
        try:
            copied: dict[str, Any] = json.loads(json.dumps(self.json))
        except RecursionError:
            raise self.error("", "the JSON is nested too deeply") from None
        return copied

    def to_pygltflib(self) -> "pygltflib.GLTF2":
        """Return the document as a `pygltflib.GLTF2`, its binary chunk included."""
        import pygltflib

        gltf = pygltflib.GLTF2.from_json(json.dumps(self.json))
        if self.chunk is not None:
            gltf.set_binary_blob(bytes(self.chunk))
        if self.path is not None:
            gltf._path, gltf._name = self.path.parent, self.path.name
        return gltf

    def error(self, place: str, message: str, hint: str = "") -> GltfError:
        """Return (do not raise) an error located at the JSON pointer `place`.

        If the object there has a name, the message begins with it: ``mesh “Body”: …``.
        """
        is_image = place.startswith("/images/")  # errors of images are shown with their name
        named = "" if is_image else described_place(self.json, place)
        if named and named not in message:
            message = f"{named}: {message}"
        message, place = printable(message), printable(place)
        return GltfError(message, file=self.name, place=place, hint=hint)

    def warn(self, place: str, message: str) -> None:
        """Add a warning located at the JSON pointer `place`; duplicates are dropped."""
        if len(self.warnings) > MAX_WARNINGS:
            return
        text = printable(f"{place}: {message}")
        if text not in self.warnings:
            full = len(self.warnings) == MAX_WARNINGS
            self.warnings.append("/: more warnings are not listed" if full else text)

    @property
    def folder(self) -> Path | None:
        """Folder that relative URIs are resolved against."""
        return self.path.parent if self.path else self.root

    def resource(
        self, uri: str, place: str, limit: int | None = None, check: CheckHead | None = None
    ) -> bytes:
        """Return the bytes of a URI: a data URI, or a file inside the permitted folder.

        Parameters
        ----------
        uri
            As written in the file.
        place
            JSON pointer of the URI, for the error.
        limit
            Maximum number of bytes read from a file.
        check
            As of `read_file`, for a file.

        Raises
        ------
        GltfError
            The URI leads outside the folder or to the network, or cannot be read.
        """
        return read_uri(uri, self.folder, self.root, self.error_at(place), limit, check)

    def files(self) -> list[Path]:
        """Return the paths of external buffers, images and links; the files need not exist."""
        rows = [*self.rows("buffers"), *self.rows("images")]
        names = [row["uri"] for row in rows if row.get("uri") and not is_data(row["uri"])]
        found = []
        for name in names:
            try:
                found.append(locate(name, self.folder, self.root, self.error_at("/")))
            except GltfError:  # reported when the file is read
                continue
        return list(dict.fromkeys([*found, *self.links]))

    def error_at(self, place: str) -> ErrorFactory:
        """Return a function that creates errors located at a JSON pointer."""
        return partial(self.error, place)

    def buffer(self, index: int) -> memoryview:
        """Return the bytes of a buffer; read on first use and cached.

        Raises
        ------
        GltfError
            The buffer cannot be read, or is shorter than its byteLength.
        """
        if index in self._buffers:
            return self._buffers[index]
        place = f"/buffers/{index}"
        row = self.rows("buffers")[index]
        length, uri = row["byteLength"], row.get("uri")
        if uri is not None:
            data = memoryview(self.resource(uri, f"{place}/uri", length))
        elif index == 0 and self.chunk is not None:
            data = self.chunk
        else:
            raise self.error(place, "the buffer has neither a uri nor a binary chunk")
        if len(data) < length:
            raise self.error(
                place, f"the buffer has {len(data)} of {length} bytes", "the file is truncated"
            )
        self._buffers[index] = data[:length]
        self.read_bytes += length
        return self._buffers[index]

    def with_contents(self, json: dict[str, Any], buffers: Mapping[int, bytearray]) -> "Document":
        """Return the document with other JSON, and other bytes of buffers by their indices."""
        changed = {b: memoryview(data) for b, data in buffers.items()}
        return replace(self, json=json, _buffers=self._buffers | changed)


def open_document(
    source: "str | Path | bytes | pygltflib.GLTF2", *, root: Path | None = None
) -> Document:
    """Return the parsed document of a file, bytes or a `pygltflib.GLTF2`; buffers are not read yet.

    Parameters
    ----------
    source
        Path to a .gltf, .glb or .vrm file, its bytes, or a pygltflib document.
    root
        Folder that external files must lie in; None: the file's own folder.

    Raises
    ------
    GltfError
        The file cannot be read, or is not valid JSON or GLB.
    UnsupportedError
        The file has another format, or another GLB version.
    UsageError
        It is none of these.
    """
    if isinstance(source, bytes | bytearray | memoryview):
        return parse(bytes(source), "<bytes>", None, root)
    if isinstance(source, str | Path):
        path = Path(source)
        return parse(_read(path), str(source), path, root)
    if not hasattr(source, "to_json"):
        raise UsageError(f"a path, bytes or a pygltflib.GLTF2 is read, not {type(source).__name__}")
    return _from_pygltflib(source, root)


def _read(path: Path) -> bytes:
    name = str(path)
    try:
        return read_file(path, check=partial(check_head, name=name))
    except FileNotFoundError:
        raise GltfError("there is no such file", file=name) from None
    except NotAFileError:
        hint = "name a .glb, .gltf or .vrm file"
        raise GltfError("it is not a file", file=name, hint=hint) from None
    except OSError as error:
        raise GltfError(f"it cannot be read: {error.strerror}", file=name) from None


def parse(data: bytes, name: str, path: Path | None, root: Path | None) -> Document:
    """Return the document of the bytes of a .glb or .gltf file; see `open_document`."""
    document = Document({}, name, path, root, file_bytes=len(data))
    check_head(data[:HEAD], len(data), name)
    text: bytes | memoryview = data
    if data[:4] == b"glTF":
        text, document.chunk = _chunks(document, data)
    document.json = _decode(document, text)
    document.read_bytes = len(text)
    return document


def check_head(head: bytes, size: int | None, name: str = "") -> None:
    """Raise the error of a file that is not glTF, by its beginning, before the rest is read.

    Parameters
    ----------
    head
        The first `HEAD` bytes.
    size
        Of the whole file, bytes; None: of a pipe, which is not known.
    name
        For the error.
    """
    if head[:4] == b"glTF":
        size = _json_size(head, size, name)
    elif not _JSON.match(head):
        raise _not_gltf(head, name)
    if size is not None and size > MAX_JSON:
        raise GltfError(f"the JSON has {size} bytes; at most {MAX_JSON} are supported", file=name)


def _json_size(head: bytes, size: int | None, name: str) -> int:
    """Return the bytes of the JSON of a GLB of `size` bytes, if known (glTF 2.0, section 4.4)."""
    if len(head) < 20:
        raise GltfError(f"a GLB of {len(head)} bytes", file=name, hint="the file is truncated")
    _, version, length, chunk, kind = struct.unpack_from("<5I", head)
    if version != 2:
        message = f"GLB version {version} is not supported"
        raise UnsupportedError(message, file=name, hint="convert it to 2.0")
    if size is not None and length > size:
        message = f"the file ends at {size} of {length} bytes"
        raise GltfError(message, file=name, hint="the file is truncated")
    if kind != _JSON_CHUNK:
        raise GltfError("the first chunk of the GLB is not its JSON", file=name)
    if 20 + chunk > length:
        raise GltfError("the JSON of the GLB ends beyond the end of the file", file=name)
    if not _JSON.match(head, 20):
        raise GltfError("the JSON of the GLB does not begin with an object", file=name)
    return int(chunk)


def _not_gltf(head: bytes, name: str) -> GltfError:
    """Return the error of a file that is neither GLB nor JSON, with what it looks like."""
    if not head.strip():
        return GltfError("the file is empty", file=name, hint=_DOWNLOAD)
    for first, (content, hint) in _CONTENTS.items():
        if head.startswith(first):
            return GltfError(f"not a glTF file; it looks like {content}", file=name, hint=hint)
    content = "binary data" if _CONTROL.search(head) else "text"
    return GltfError(f"not a glTF file; it looks like {content}", file=name, hint=_EXPORT)


def _chunks(document: Document, data: bytes) -> tuple[memoryview, memoryview | None]:
    """Return the JSON and the binary chunk of a GLB (glTF 2.0, section 4.4)."""
    length = struct.unpack_from("<I", data, 8)[0]
    if length < len(data):
        document.warn("/", f"{len(data) - length} bytes after the end of the GLB are ignored")
    view, offset = memoryview(data), 12
    found: dict[int, memoryview] = {}
    while offset + 8 <= length:
        size, kind = struct.unpack_from("<II", data, offset)
        offset += 8
        if offset + size > length:
            raise document.error(
                "", f"the chunk of {size} bytes at byte {offset} ends beyond the end of the file"
            )
        found.setdefault(kind, view[offset : offset + size])
        offset += size
    return found[_JSON_CHUNK], found.get(_BIN_CHUNK)


def _decode(document: Document, data: bytes | memoryview) -> dict[str, Any]:
    try:
        text = str(data, "utf-8-sig")
    except UnicodeDecodeError as error:
        document.warn("/", f"invalid UTF-8 at byte {error.start}; replaced by U+FFFD")
        text = str(data, "utf-8", "replace")
    count = sum(map(text.count, ",{["))
    if count > MAX_VALUES:
        raise document.error("", f"{count} values in the JSON; at most {MAX_VALUES} are supported")
    try:
        value = json.loads(text.rstrip("\0 \r\n\t"), parse_constant=_no_constant)
    except RecursionError:
        raise document.error("", "the JSON is nested too deeply") from None
    except ValueError as error:
        raise document.error("", f"invalid JSON: {error}", "is it a glTF file?") from None
    if not isinstance(value, dict):
        raise document.error("", "the JSON is not an object", "is it a glTF file?")
    return value


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not a JSON number")


def _from_pygltflib(gltf: "pygltflib.GLTF2", root: Path | None) -> Document:
    """Return a pygltflib document as a `Document`: the JSON that pygltflib writes, and the blob."""
    text = gltf.to_json().encode()
    folder, name = getattr(gltf, "_path", None), getattr(gltf, "_name", None)
    path = Path(folder, name) if folder and name else None
    document = parse(text, str(path or "<pygltflib>"), path, root)
    blob = gltf.binary_blob()
    document.chunk = memoryview(blob) if blob else None
    return document


def property_at(row: dict[str, Any], path: str) -> Any:  # noqa: ANN401 - whatever the JSON holds
    """Return the property of a JSON object at a path such as ``spot/innerConeAngle``, or None."""
    value: Any = row
    for part in path.split("/"):
        value = value.get(part) if isinstance(value, dict) else None
    return value
