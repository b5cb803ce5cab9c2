"""Writes the options of `rigview.render` with their types into app/options/render_options.py.

Run ``python -m tests.tools.render_options`` after a change of an option; a test compares the file.
"""

import inspect
from pathlib import Path

from rigview.fields import readers
from rigview.fields.option import Option
from rigview.options.table import options_by_name
from rigview.tasks.still_pictures import COMMAND_ONLY

FILE = Path(__file__).resolve().parents[2] / "app" / "options" / "render_options.py"
ARGUMENTS = ("animation", "time", "pose")  # `render` has parameters of them
NAMED = {"view-mode": "ViewMode"}  # choices too long for a line
TEXTS = {  # of readers of any object
    "grid": "str | int",
    "loop_mode": "str | int",
    "colours": "str | Sequence[str]",
    "text": "str",
    "attachment": "str | Sequence[str]",
    "_value": "str | Sequence[str] | Mapping[str, object]",
    "_action": "str | Sequence[str]",
}


def filled(text: str) -> str:
    """Return the text of the module with a line for each option after the docstring."""
    begin = text.index('"""\n', text.index("class RenderOptions")) + 4
    return f"{text[:begin]}\n{''.join(map(_line, options_by_name('render').values()))}"


def _line(option: Option) -> str:
    if option.key in (*COMMAND_ONLY, *ARGUMENTS):
        return ""
    return f"    {option.key}: {_type(option)} | None\n"


def _type(option: Option) -> str:
    """Return the type of the values of an option in Python."""
    if not option.metavar:
        return "bool"
    if option.name in NAMED:
        return NAMED[option.name]
    if option.choices:
        return f"Literal[{', '.join(map(repr, option.choices))}]".replace("'", '"')
    (given,) = inspect.signature(option.reader).parameters.values()
    if given.annotation in (readers.Number, readers.Numbers):
        one = "Number" if given.annotation == readers.Number else "Numbers"
    else:
        one = "Path" if option.metavar in ("FILE", "DIR") else TEXTS[option.reader.__name__]
    if option.repeat and one in ("Number", "Path"):
        return f"{one} | Sequence[{one}]"
    return f"{one} | Sequence[{one} | None]" if "render" in option.per_file else one


if __name__ == "__main__":
    FILE.write_text(filled(FILE.read_text(encoding="utf-8")), encoding="utf-8")
