"""One input of the fuzzer: files, and a command that reads them; and its JSON file."""

import base64
import json
import struct
from dataclasses import dataclass, field, replace

from tests.support.gltf_documents import make_glb, split_glb


@dataclass(frozen=True)
class Case:
    """Files of a folder, and what is run in it.

    Attributes
    ----------
    arguments
        Of the command line; or one word, the name of a function of `tests.fuzz.functions`.
    files
        Contents by path relative to the folder.
    mutated
        The path of the file that was mutated.
    """

    arguments: tuple[str, ...]
    files: dict[str, bytes] = field(default_factory=dict)
    mutated: str = ""

    def with_file(self, name, data):
        """The case with another content of a file; None removes it."""
        files = {key: held for key, held in self.files.items() if key != name}
        return replace(self, files=files if data is None else files | {name: data})


def as_json(case, finding=""):
    """The text of a case's file."""
    row = {
        "finding": finding,
        "arguments": list(case.arguments),
        "mutated": case.mutated,
        "files": {name: _readable(data) for name, data in case.files.items()},
    }
    return json.dumps(row, indent=1) + "\n"


def from_json(text):
    """The case of a text."""
    row = json.loads(text)
    files = {name: _data(held) for name, held in row["files"].items()}
    return Case(tuple(row["arguments"]), files, row["mutated"])


def _readable(data):
    """The parts of a GLB, a text, or base64."""
    if data[:4] == b"glTF":
        try:
            text, blob = split_glb(data)
            if make_glb(text, blob) == data:
                return {"json": text.decode(), "chunk": base64.b64encode(blob).decode()}
        except (ValueError, struct.error):
            pass
    try:
        return {"text": data.decode()}
    except ValueError:
        return {"base64": base64.b64encode(data).decode()}


def _data(held):
    if "json" in held:
        return make_glb(held["json"].encode(), base64.b64decode(held["chunk"]))
    return held["text"].encode() if "text" in held else base64.b64decode(held["base64"])
