"""Mutations of binary data and of text, as functions of a random generator."""

import re
import struct

EXTREME_INTEGERS = (0, 1, 127, 128, 255, 256, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)
EXTREME_FLOATS = (float("nan"), float("inf"), -float("inf"), 3e38, -3e38, 1e-40, 0.0, -1.0)
NUMBERS = (
    *("0", "-0.0", "-1", "1", "1e-45", "1e-300", "3.5e38", "-1e39", "1e308", "1e999", "-1e999"),
    *("nan", "inf", "-inf", "NaN", "Infinity", "65536", "2147483648", "4294967296", "1e18"),
    *("18446744073709551616", "9" * 400, "0x10", "1_000", "+5", ".5", "5.", "--1", "1e", "٣"),
    *("0.5", "2", "10", "-0.25", "100", "1e-6", "1e6"),  # often valid
)
HOSTILE_TEXTS = (
    *(
        "",
        " ",
        "\0",
        "\x1b[31m",
        "\r\n",
        "\t",
        "'",
        '"',
        "\\",
        "%s%n",
        "{0}",
        "*",
        "[",
        "#3",
        "../",
    ),
    *("\u202e", "\ud800", "\ufeff", "é" * 300, "a" * 5000, "*a" * 30, "~1~0", "/nodes/0/weights"),
)
_NUMBER = re.compile(rb"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_WORD = re.compile(rb"[A-Za-z_][A-Za-z_0-9]*")
_LONGEST = 1 << 21  # bytes; a mutation does not make longer files


def mutate_bytes(rng, data):
    """Change some bytes, integers or ranges of binary data."""
    data = bytearray(data)
    if not data:
        return bytes(rng.randrange(256) for _ in range(8))
    at = _place(rng, len(data))
    kind = rng.randrange(8)
    if kind == 0:
        data[at] ^= 1 << rng.randrange(8)
    elif kind == 1:
        data[at] = rng.choice((0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)))
    elif kind == 2:
        size, code = rng.choice(((2, "H"), (4, "I"), (8, "Q")))
        value = rng.choice(EXTREME_INTEGERS) if rng.random() < 0.7 else rng.getrandbits(8 * size)
        order = rng.choice("<>")
        if at + size <= len(data):
            struct.pack_into(order + code, data, at, value % (1 << 8 * size))
    elif kind == 3:
        del data[at : at + rng.choice((1, 2, 4, 16, 256))]
    elif kind == 4:
        data[at:at] = rng.randbytes(rng.choice((1, 2, 4, 16, 256)))
    elif kind == 5:
        data = data[:at]
    elif kind == 6:
        length = rng.choice((1, 4, 16, 64))
        data[at : at + length] = bytes([rng.choice((0, 255))]) * len(data[at : at + length])
    else:
        length, other = rng.choice((4, 16, 64, 512)), rng.randrange(len(data))
        data[at : at + length] = data[other : other + length]
    return bytes(data[:_LONGEST])


def _place(rng, length):
    """An offset; half of them are in the header."""
    return rng.randrange(min(length, 96) if rng.random() < 0.5 else length)


def mutate_text(rng, data):
    """Change numbers, words, lines or characters of a text."""
    kind = rng.randrange(10)
    if kind < 4:
        return _replace_token(rng, data, _NUMBER, rng.choice(NUMBERS).encode())
    if kind == 4:
        words = _WORD.findall(data) or [b"x"]
        return _replace_token(rng, data, _WORD, rng.choice(words))
    if kind == 5:
        hostile = rng.choice(HOSTILE_TEXTS).encode("utf-8", "surrogatepass")
        return _replace_token(rng, data, _WORD, hostile)
    if kind < 9:
        return _change_lines(rng, data)
    return mutate_bytes(rng, data)


def _replace_token(rng, data, pattern, text):
    found = list(pattern.finditer(data))
    if not found:
        return data + text
    token = rng.choice(found)
    return data[: token.start()] + text + data[token.end() :]


def _change_lines(rng, data):
    """Delete, repeat, swap, cut or join lines."""
    lines = data.split(b"\n")
    at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    kind = rng.randrange(6)
    if kind == 0:
        del lines[at]
    elif kind == 1:
        lines.insert(other, lines[at])
    elif kind == 2:
        lines[at], lines[other] = lines[other], lines[at]
    elif kind == 3:
        times = min(rng.choice((10, 1000)), _LONGEST // (len(lines[at]) + 1))
        lines[at:at] = [lines[at]] * times
    elif kind == 4:
        lines[at] = lines[at][: rng.randrange(len(lines[at]) + 1)]
    else:
        lines[at : at + 2] = [b" ".join(lines[at : at + 2])]
    return b"\n".join(lines)[:_LONGEST]
