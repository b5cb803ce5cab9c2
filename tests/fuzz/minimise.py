"""Make the files of a finding smaller: fewer mutations, values, lines and bytes (delta debugging).

`same` says whether a case still has the finding.
"""

import json
import struct
import time
from dataclasses import replace

from tests.fuzz.mutate_gltf import Parts
from tests.fuzz.mutate_values import paths_of
from tests.support.reduce import reduce

SECONDS = 45.0  # for one finding


def minimise(mutated, same, seconds=SECONDS):
    """Return the smallest case found."""
    deadline = time.monotonic() + seconds

    def over():
        return time.monotonic() > deadline

    def still(case):
        return not over() and same(case)

    seeds = reduce(list(mutated.seeds), lambda some: still(mutated.case(some)), over)
    case = mutated.case(seeds)
    for name in list(case.files):
        fewer = case.with_file(name, None)
        if name != case.mutated and still(fewer):
            case = fewer

    command = case.arguments[:2]
    rest = reduce(
        list(case.arguments[2:]),
        lambda some: still(replace(case, arguments=(*command, *some))),
        over,
    )
    case = replace(case, arguments=(*command, *rest))
    if not case.mutated:
        return case

    def holds(data):
        return still(case.with_file(case.mutated, data))

    data = case.files[case.mutated]
    if data[:4] == b"glTF":
        data = smaller_gltf(data, holds, over)
    elif b"\0" in data:
        data = smaller_bytes(data, holds, over)
    else:
        data = smaller_text(data, holds, over)
    return case.with_file(case.mutated, data)


def smaller_text(data, holds, over):
    """Remove lines, then words."""
    for separator in (b"\n", b" "):
        items = data.split(separator)
        found = reduce(items, lambda some: holds(separator.join(some)), over)
        data = separator.join(found)
    return data


def smaller_bytes(data, holds, over):
    """Remove pieces of bytes."""
    pieces = [data[at : at + 16] for at in range(0, len(data), 16)]
    return b"".join(reduce(pieces, lambda some: holds(b"".join(some)), over))


def smaller_gltf(data, holds, over):
    """Remove values of the JSON and empty the binary chunk; or remove bytes."""
    try:
        parts = Parts(data)
        parts.data()
    except (ValueError, TypeError, struct.error, RecursionError):
        return smaller_bytes(data, holds, over)
    if not holds(parts.data()):  # the fault is in the container
        return smaller_bytes(data, holds, over)
    for depth in (*range(1, 9), *range(1, 9)):  # again: fewer references
        paths = [path for path in paths_of(parts.json) if len(path) == depth]
        kept = reduce(paths[::-1], lambda some: holds(_only(parts, depth, some).data()), over)
        parts = _only(parts, depth, kept)
    for blob in (b"", bytes(len(parts.blob))):
        fewer = _with(parts, parts.json, blob)
        if len(blob) <= len(parts.blob) and holds(fewer.data()):
            return fewer.data()
    return parts.data()


def _only(parts, depth, kept):
    """Parts without the values at a depth whose paths are not kept."""
    wanted = set(kept)

    def walk(value, path):
        if len(path) == depth or not isinstance(value, dict | list):
            return value
        keys = list(value) if isinstance(value, dict) else range(len(value))
        below = [key for key in keys if len(path) + 1 < depth or (*path, key) in wanted]
        if isinstance(value, dict):
            return {key: walk(value[key], (*path, key)) for key in below}
        return [walk(value[key], (*path, key)) for key in below]

    return _with(parts, walk(parts.json, ()), bytes(parts.blob))


def _with(parts, document, blob):
    made = object.__new__(Parts)
    made.json, made.blob = json.loads(json.dumps(document)), bytearray(blob)
    return made
