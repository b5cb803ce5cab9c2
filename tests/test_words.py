"""Docstrings, comments, messages, help and docs use the terms of the field.

Each pattern is a slip that was frequent before the list, or came back after it was removed; `SAY`
says what to write instead.
"""

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

# What is found, and what to say instead.
SAY = {
    r"\b[Tt]ells?\b": "return, report, say",
    r"\btold\b": "reported, returned, given",
    r"\bmend(s|ed|ing)?\b": "fix, repair",
    r"\bwhom\b": "name the thing",
    r"\b([Nn]obody|[Ss]omebody|[Ww]hoever)\b": "name the user, the file, the caller",
    r"\b[Ww]ho\b": "which, that",
    r"\bstands? for\b": "is, represents",
    r"\bas (it|they) stands?\b": "as is, unchanged",
    r"\b(put to|at) work\b": "bind, evaluate, run",
    r"\bon stage\b": "in the scene",
    r"\b([Aa]ctors?|[Pp]erformers?|[Cc]ompanions?|[Pp]erformances|[Ee]nsembles?)\b": "instance",
    r"\b[Gg]atherings?\b": "crowd",
    r"\btime lines?\b|\blines? of time\b": "timeline",
    r"\b(there and back|on and on|for ever)\b": "ping-pong, continuous, forever",
    r"\b(light from all around|surroundings)\b": "environment map, image-based light",
    r"\b([Rr]eckon(s|ed|ing)?)\b": "compute",
    r"\bcarr(y|ies|ied|ying) over\b": "retarget",
    r"\ba fault of\b": "internal error",
    r"\bway of the (root|clip|body|character)\b|\bthe way out of\b": "path, displacement",
    r"\bstances?\b(?! phase)": "reference pose",
    r"\b(easel|portrait|exhibit|ledger|yardstick|reel|casting|triptych)s?\b": "name the thing",
    r"\b(SPEC|RULINGS|INTERFACE|DESIGN)(\.md)?\b": "say what is meant, or cite the specification",
    r"\b(is|are|was|were) no (clip|joint|file|number|name|whole|option|command)s?\b": "is not a",
    r"(?<![\w`])_[A-Z]{2,}\b": "the name without the underscore, or `_NAME` of a constant",
    r"\b(of|in|by|from) (which|what) .{0,30}\b(stands?|lies)\b": "shorten: name the thing",
}
PATTERN = {re.compile(found): instead for found, instead in SAY.items()}

# Hits that are right: file and words, with the reason.
ALLOWED = {
    ("app/checks/looping_clips.py", "stance"): "a word in names of clips",
}


def tracked(*endings: str) -> list[str]:
    """Return the text files of the repository, apart from licences and this list."""
    command = ["git", "ls-files", *(f"*{ending}" for ending in endings)]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout")
    return [name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]


# Strings, which may contain a "#", and comments; `tokenize` takes twenty times as long.
STRING_OR_COMMENT = re.compile(
    r'''"""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\\n])*"|'''
    r"""'''(?:\\.|[^\\])*?'''|'(?:\\.|[^'\\\n])*'|"""
    r"(?P<comment>#[^\n]*)",
    re.DOTALL,
)


def prose_of_python(source: str) -> Iterator[tuple[int, str]]:
    """Yield docstrings, messages and comments with their lines."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            for offset, line in enumerate(node.value.splitlines()):
                yield node.lineno + offset, line
    for token in STRING_OR_COMMENT.finditer(source):
        if token["comment"]:
            yield source.count("\n", 0, token.start()) + 1, token["comment"]


def prose_of_shader(source: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(source.splitlines(), 1):
        _, mark, comment = line.partition("//")
        if mark:
            yield number, comment


def prose_of_page(source: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of a page that are not code."""
    code = False
    for number, line in enumerate(source.splitlines(), 1):
        if line.lstrip().startswith("```"):
            code = not code
        elif not code:
            yield number, re.sub(r"`[^`]*`", "", line)


READERS = {".py": prose_of_python, ".md": prose_of_page}


def slips(name: str) -> list[str]:
    """Return the lines of a file that use a word of the list, with what to say instead."""
    read = READERS.get(Path(name).suffix, prose_of_shader)
    return [
        f"{name}:{number}: {hit[0]!r}: say {instead}: {line.strip()}"
        for number, line in read((ROOT / name).read_text(encoding="utf-8"))
        for pattern, instead in PATTERN.items()
        if (hit := pattern.search(line)) and (name, hit[0]) not in ALLOWED
    ]


FILES = [
    name
    for name in tracked(".py", ".md", ".vert", ".frag", ".geom", ".glsl")
    if name != "tests/test_words.py"
]


def test_words():
    assert not [line for name in FILES for line in slips(name)]


def test_allowed_words_are_there():
    for name, words in ALLOWED:
        assert words in (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "line",
    [
        "Tell whether it loops.",
        "what is told of it",
        "RULINGS M6",
        "who is on stage",
        "it is not _JPEG",
    ],
)
def test_a_slip_is_found(line):
    assert [1 for pattern in PATTERN if pattern.search(line)]


def test_comments_and_strings():
    source = "x = '# 1'  # '2\ny = '''# 3\n'''  # 4"
    comments = [row for row in prose_of_python(source) if row[1].startswith("# ")]
    assert comments == [(1, "# 1"), (2, "# 3"), (1, "# '2"), (3, "# 4")]


if __name__ == "__main__":
    import sys

    chosen = tuple(sys.argv[1:])
    lines = [line for name in FILES if name.startswith(chosen or ("",)) for line in slips(name)]
    sys.stdout.write("\n".join([*lines, f"{len(lines)} slips\n"]))
