"""Patterns with which a backtracking matcher takes exponential time on `NAME`."""

NAME = "a" * 60
PATTERNS = [
    "*a" * 30 + "*b",
    "*" * 400 + "b",
    "a*" * 30 + "b",
    "*a*" * 20 + "c",
    "?*" * 30 + "b",
    "[a]*" * 30 + "b",
    "*[!b]" * 30 + "b",
    "[" * 200 + "*b",
]
