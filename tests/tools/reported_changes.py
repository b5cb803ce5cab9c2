"""Prints what `diff` says about planted changes of characters, one at a time.

Run ``python -m tests.tools.reported_changes FILE...`` after a change of the comparison. Each row is
a change, each column a file: "ok" if it is reported exactly, "-" where the file lacks what would
change, else what is said instead, below the table. The last row is the file after `bake`.
"""

import sys
from pathlib import Path

from rigview.differences.compare import compare
from rigview.gltf.bake import bake
from rigview.gltf.document import parse
from rigview.gltf.read_model import read_model
from rigview.loading.load import load
from tests.support.planted_character import Character, NotPossibleError
from tests.support.planted_motion_changes import MOTION_CHANGES
from tests.support.planted_surface_changes import SURFACE_CHANGES


def reported(character, change):
    """Return what `diff` says about a change other than expected; "ok" or "-"."""
    try:
        made, expected = change(character)
    except NotPossibleError:
        return "-"
    return expected.faults(compare(character.model, made.load())) or "ok"


def bake_reported(character):
    """Return what `diff` says about a file and its bake; "ok" if nothing within the tolerance."""
    document = parse(character.version.glb(), "file", None, None)
    model = read_model(document)
    if not model.clips:
        return "-"
    found = compare(model, load(bake(document, model).data))
    return "ok" if found.same else f"{[c for c in found.changes if not c.stored]} {found.worst}"


def main(paths):
    """Print the table of files."""
    columns = [Character(path) for path in paths]
    print("| change |", " | ".join(Path(path).stem for path in paths), "|")
    print("| --- " * (1 + len(paths)) + "|")
    faults = []
    for change in (*MOTION_CHANGES, *SURFACE_CHANGES, bake_reported):
        name = change.__name__.replace("_", " ")
        cells = []
        for path, column in zip(paths, columns, strict=True):
            said = bake_reported(column) if change is bake_reported else reported(column, change)
            if said not in ("ok", "-"):
                faults.append(f"{name}, {path}: {said}")
                said = f"no {len(faults)}"
            cells.append(said)
        print(f"| {name} |", " | ".join(cells), "|", flush=True)
    for number, fault in enumerate(faults, 1):
        print(f"{number}: {fault}")


if __name__ == "__main__":
    main(sys.argv[1:])
