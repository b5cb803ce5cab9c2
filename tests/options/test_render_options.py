"""The types of the options of `rigview.render` are those of the options table."""

import inspect

from rigview.fields import readers
from rigview.options import render_options
from rigview.options.table import options_by_name
from rigview.tasks.still_pictures import COMMAND_ONLY

ARGUMENTS = ("animation", "time", "pose")  # `render` has parameters of them
TEXTS = {  # of readers of any object
    "grid": "str | int",
    "loop_mode": "str | int",
    "colours": "str | Sequence[str]",
    "text": "str",
    "_value": "str | Sequence[str] | Mapping[str, object]",
    "_action": "str | Sequence[str]",
}


def type_of(option):
    """The type of the values of an option from Python, as it is written in the class."""
    if not option.metavar:
        return "bool"
    if option.choices:
        return f"Literal[{', '.join(map(repr, option.choices))}]".replace("'", '"')
    (given,) = inspect.signature(option.reader).parameters.values()
    if given.annotation in (readers.Number, readers.Numbers):
        one = "Number" if given.annotation == readers.Number else "Numbers"
    else:
        one = "Path" if option.metavar in ("FILE", "DIR") else TEXTS[option.reader.__name__]
    if option.repeat and one in ("Number", "Path"):
        one = f"{one} | Sequence[{one}]"
    elif "render" in option.per_file:
        one = f"{one} | Sequence[{one} | None]"
    return one


def test_the_types_are_those_of_the_table():
    expected = {
        option.key: f"{type_of(option)} | None"
        for option in options_by_name("render").values()
        if option.key not in (*COMMAND_ONLY, *ARGUMENTS)
    }
    types = render_options.RenderOptions.__annotations__
    lines = "\n".join(f"    {name}: {text}" for name, text in expected.items())
    known = {name: eval(text, vars(render_options)) for name, text in expected.items()}
    assert types == known, f"write into the class:\n{lines}"
