"""The manual page `rigview(1)` in roff, from the options table and the list of commands.

https://man7.org/linux/man-pages/man7/man.7.html: the macros of man pages.
"""

from collections.abc import Iterator, Mapping

from ..fields.command_groups import COMMANDS
from ..fields.option import Option
from ..version import __version__
from .parser import help_text
from .table import PRINTING, ROWS, TITLES

EXIT_CODES = {  # as in docs/commands.md
    0: "success",
    1: "check found something, or diff found a difference",
    2: "wrong use: an unknown option, clip or value",
    3: "the input cannot be read, or needs an unsupported feature",
    4: "no OpenGL or no display, or the window has lost its display",
    5: "the output cannot be written, or its encoder is not installed",
    70: "an internal error: please report it, with the output of --verbose",
    71: "out of memory",
    129: "the terminal was closed (SIGHUP)",
    130: "interrupted (Ctrl+C)",
    141: "the reader of standard output closed it before all was found, as | head -1 may do",
    143: "terminated (SIGTERM)",
}
_SPECIAL = {
    "\\": r"\e",
    "-": r"\-",
    "'": r"\(aq",
    '"': r"\(dq",
    "`": r"\(ga",
    "~": r"\(ti",
    "^": r"\(ha",
}
_FILES = {
    "FILE.motion.toml": "the motion file of a character, beside it",
    "~/.config/rigview/config.toml": "default options by name, where no XDG folder is set",
}


def manual_page(urls: Mapping[str, str]) -> str:
    """Return the page; `urls` are those of the project by name."""
    return "\n".join(_lines(urls)) + "\n"


def _lines(urls: Mapping[str, str]) -> Iterator[str]:
    yield f'.TH RIGVIEW 1 "" "Rigview {__version__}" "User Commands"'
    yield from (".SH NAME", r"rigview \- view and inspect animated glTF characters")
    yield from (".SH SYNOPSIS", ".B rigview", r"[\fIFILE\fR...] [\fIOPTION\fR...]", ".br")
    yield from (".B rigview", r"\fICOMMAND\fR [\fIFILE\fR...] [\fIOPTION\fR...]")
    yield from (
        ".SH DESCRIPTION",
        "A viewer of animated glTF characters (.glb, .gltf, .vrm, .bvh):",
    )
    yield "a window, and commands that need no display. Without"
    yield from (".I FILE", "they use the bundled character;", r".B \-", "is standard input.")
    yield from (".SH COMMANDS", *_terms({name: each.help for name, each in COMMANDS.items()}))
    yield ".SH OPTIONS"
    yield "Names of commands at the end are those that have the option, if not all have it."
    for title in TITLES:
        yield f'.SS "{_roff(title.capitalize())}"'
        for row in ROWS:
            if row.title == title:
                yield from _option(row.option)
        if title == "general":
            for option in PRINTING:
                yield from _option(option)
    yield from (".SH EXIT STATUS", *_terms({str(code): text for code, text in EXIT_CODES.items()}))
    yield from (".SH FILES", *_terms(_FILES))
    yield ".SH EXAMPLES"
    yield ".nf"
    yield from (_roff(example) for each in COMMANDS.values() for example in each.examples)
    yield ".fi"
    if urls:
        yield from (".SH SEE ALSO", *_terms(urls))


def _terms(terms: Mapping[str, str]) -> Iterator[str]:
    for term, text in terms.items():
        yield from (".TP", rf"\fB{_roff(term)}\fR", _roff(text))


def _option(option: Option) -> Iterator[str]:
    """Yield an option, with each of its texts and the commands that it is of."""
    flags = [option.short, option.flag] if option.short else [option.flag]
    if option.negative:
        flags.append(f"--no-{option.name}")
    value = rf" \fI{_roff(option.metavar)}\fR" if option.metavar else ""
    yield from (".TP", ", ".join(rf"\fB{_roff(flag)}\fR" for flag in flags) + value)
    commands_of_text: dict[str, list[str]] = {}
    for command in option.commands:
        commands_of_text.setdefault(help_text(option, command), []).append(command)
    for number, (text, commands) in enumerate(commands_of_text.items()):
        if number:
            yield ".br"
        of_all = len(commands) == len(COMMANDS) or option in PRINTING
        named = "" if of_all else f" ({', '.join(commands)})"
        yield _roff(f"{text}{named}")


def _roff(text: str) -> str:
    """Return text with what roff takes for escapes, requests and typographic hyphens escaped."""
    escaped = "".join(_SPECIAL.get(letter, letter) for letter in text)
    return rf"\&{escaped}" if text.startswith(".") else escaped
