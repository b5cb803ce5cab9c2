"""Generates broken files: truncated, or with changed bytes, integers, floats or values."""

import json
import random
import struct

HEADER = 20  # bytes before the JSON of a GLB
UNEXPECTED_INTEGERS = (-1, 2**31, 4_000_000_000, 2**63, 10**30, None, "1", 1.5, True, [], {})


def split(data):
    """The JSON and the binary chunk of a GLB; of a .gltf only the text."""
    if data[:4] != b"glTF":
        return data, b""
    length = struct.unpack_from("<I", data, 12)[0]
    return data[HEADER : HEADER + length], data[HEADER + length + 8 :]


def join(text, blob):
    """A GLB of any text and binary chunk with correct lengths."""
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<II", len(text), 0x4E4F534A) + text
    chunks += struct.pack("<II", len(blob), 0x004E4942) + blob
    return b"glTF" + struct.pack("<II", 2, 12 + len(chunks)) + chunks


def read_as_glb(path):
    """The bytes of a file; a .gltf with one external buffer becomes a GLB."""
    data = path.read_bytes()
    if data[:4] == b"glTF":
        return data
    document = json.loads(data)
    buffer, *more = document["buffers"]
    if more or buffer["uri"].startswith("data:"):
        return data
    blob = (path.parent / buffer.pop("uri")).read_bytes()
    return join(json.dumps(document).encode(), blob)


def truncations(data, step=1024):
    """Cut the file at each `step` bytes; and each chunk of a GLB, with correct lengths."""
    for end in range(0, len(data), step):
        yield f"cut at {end}", data[:end]
    if data[:4] == b"glTF":
        text, blob = split(data)
        for end in range(0, len(text), step):
            yield f"JSON cut at {end}", join(text[:end], blob)
        for end in range(0, len(blob), step):
            yield f"binary chunk cut at {end}", join(text, blob[:end])


def byte_flips(data, count, seed):
    """Change single bytes, half of them in the JSON."""
    rng = random.Random(seed)
    text, _ = split(data)
    for k in range(count):
        at = rng.randrange(HEADER + len(text) if k % 2 else len(data)) % len(data)
        value = data[at] ^ (1 << rng.randrange(8) if k % 4 < 2 else rng.randrange(1, 256))
        yield f"byte {at} = {value}", data[:at] + bytes([value]) + data[at + 1 :]


def _integers(value, path=()):
    if type(value) is int:
        yield path
    elif isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from _integers(value[key], (*path, key))


def changed_integers(data, count, seed):
    """Replace single integers of the JSON by other integers or other types."""
    rng = random.Random(seed)
    text, blob = split(data)
    document = json.loads(text)
    paths = list(_integers(document))
    for _ in range(count):
        path = rng.choice(paths)
        owner = document
        for key in path[:-1]:
            owner = owner[key]
        before = owner[path[-1]]
        others = (before + 1, before - 1, rng.randrange(100), 0, *UNEXPECTED_INTEGERS)
        owner[path[-1]] = rng.choice(others)
        name = "/".join(map(str, path))
        broken = json.dumps(document).encode()
        yield f"{name} = {owner[path[-1]]!r}", join(broken, blob) if blob else broken
        owner[path[-1]] = before


EXTREME_FLOATS = (float("nan"), float("inf"), -float("inf"), 3e38, -3e38, 1e-40, 0.0, -1.0)


def extreme_floats(data, count, seed):
    """Replace floats of the buffer and of node transforms by NaN, infinity and extreme values."""
    rng = random.Random(seed)
    text, blob = split(data)
    for k in range(count):
        document, numbers = json.loads(text), bytearray(blob)
        value = rng.choice(EXTREME_FLOATS)
        share = rng.choice((0.0, 0.001, 0.1, 0.9))
        for at in range(0, len(numbers) - 3, 4):
            if rng.random() < share:
                struct.pack_into("<f", numbers, at, value)
        for node in document.get("nodes", ()):
            for key in ("translation", "rotation", "scale", "matrix"):
                if key in node and rng.random() < 0.3:
                    large = min(max(value, -3e38), 3e38)  # JSON has no NaN and infinity
                    node[key] = [0.0 if value != value else large for _ in node[key]]
        yield (
            f"extreme floats {k}: {share} x {value}",
            join(json.dumps(document).encode(), bytes(numbers)),
        )


UNEXPECTED_VALUES = (
    *(None, True, False, 0, -0.0, -1, 1e-300, 1e18, -1e18, 2e18, 1e300, 10**400, 2**31, 2**64),
    *("", "x", "0", "/", "/nodes/0/weights", "~1", "\0", "é" * 300, [], {}, [[]], [None], [0] * 99),
)


def paths_of(value, path=()):
    """The paths of all values in a document."""
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield (*path, key)
            yield from paths_of(value[key], (*path, key))


def changed_value(rng, value):
    """A slightly changed value, or an unexpected one."""
    if rng.random() < 0.4:
        return rng.choice(UNEXPECTED_VALUES)
    if isinstance(value, str):
        at = rng.randrange(len(value) + 1)
        return value[:at] + rng.choice(("", "/", "9", "extensions/", "KHR_")) + value[at + 1 :]
    if isinstance(value, list):
        return rng.choice(
            (
                value[:-1],
                value + value[-1:],
                value[::-1],
                [rng.choice(UNEXPECTED_VALUES)] * len(value),
            )
        )
    if isinstance(value, dict):
        kept = {key: each for key, each in value.items() if rng.random() < 0.7}
        return rng.choice((kept, value | {"extensions": rng.choice(UNEXPECTED_VALUES)}))
    if isinstance(value, bool) or value is None or abs(value) > 1e200:
        return rng.choice(UNEXPECTED_VALUES)
    return value * rng.choice((-1, 0, 1e-30, 1e6, 1e17)) + rng.choice((0, 1, -1))


def changed_values(data, count, seed):
    """Change or delete one to three values of the JSON."""
    rng = random.Random(seed)
    text, blob = split(data)
    places = list(paths_of(json.loads(text)))
    plain = [place for place in places if place[0] not in ("accessors", "bufferViews")]
    for k in range(count):
        document, changed = json.loads(text), []
        for _ in range(rng.choice((1, 1, 2, 3))):
            *above, key = rng.choice(places if rng.random() < 0.2 else plain)
            owner = document
            try:
                for part in above:
                    owner = owner[part]
                if rng.random() < 0.15:
                    del owner[key]
                else:
                    owner[key] = changed_value(rng, owner[key])
            except (KeyError, IndexError, TypeError):  # an earlier change removed it
                continue
            changed.append("/".join(map(str, (*above, key))))
        broken = json.dumps(document, allow_nan=True).encode()
        yield f"changed values {k}: {', '.join(changed)}", join(broken, blob) if blob else broken
