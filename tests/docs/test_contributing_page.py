"""docs/contributing.md has all make targets and environment variables."""

import ast
import re
from collections import defaultdict
from pathlib import Path

import pytest

from tests.support.pages import ROOT, TEXTS

PAGE = TEXTS["contributing.md"]


def test_every_make_target_is_on_the_page():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8").replace("\\\n", "")
    (phony,) = re.findall("^[.]PHONY:(.*)$", makefile, re.MULTILINE)
    named = set(re.findall("(?:`|^)make ([a-z]+)", PAGE, re.MULTILINE))
    assert named == set(phony.split())


def test_every_target_has_a_line_of_help():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8").replace("\\\n", "")
    (phony,) = re.findall("^[.]PHONY:(.*)$", makefile, re.MULTILINE)
    helped = set(re.findall('^\t@echo "make ([a-z]+)', makefile, re.MULTILINE))
    assert set(phony.split()) - helped == {"help", "newest", "clean"}


def rows_of_variables():
    """The names in the first column of the table of environment variables."""
    table = PAGE.partition("| environment variable |")[2].partition("\n\n")[0]
    cells = [line.split("|")[1] for line in table.splitlines()[2:]]
    return {name for cell in cells for name in re.findall("`([A-Z][A-Z0-9_*]+)", cell)}


def test_every_environment_variable_is_on_the_page():
    used = set(variables_of_make((ROOT / "Makefile").read_text(encoding="utf-8")))
    used |= set(variables_of_shell((ROOT / ".ci" / "setup").read_text(encoding="utf-8")))
    for folder in ("app", "tests", "assets"):
        for path in set((ROOT / folder).rglob("*.py")) - {Path(__file__)}:
            used |= set(variables_of_python(path.read_text(encoding="utf-8")))
    assert rows_of_variables() == used


def variables_of_make(text):
    """Yield the variables that a Makefile reads: those with a default, and those it never sets."""
    yield from re.findall("^(?:export )?([A-Z_]+) [?]=", text, re.MULTILINE)
    yield from set(re.findall("[$][(]([A-Z_]+)[)]", text)) - {
        *re.findall("([A-Z_]+) *(?::=|[?]=|=)", text),
        "CURDIR",  # of make itself
    }
    yield from re.findall("[$][$]([A-Z_]+)", text)


def variables_of_shell(text):
    """Yield the variables that a shell script reads with a default."""
    yield from re.findall("[$][{]([A-Z_]+):-", text)


def variables_of_python(source):
    """Yield the environment variables that a module reads, or sets unless they are set.

    A name may be a string, a constant of the module, or an argument of a function of the module.
    """
    if "environ" not in source and "getenv" not in source:
        return
    yield from re.findall("RIGVIEW_[A-Z_]+", source)
    prefixes = re.findall(r'startswith\("([A-Z]+_)"\) for name in os[.]environ', source)
    yield from (f"{prefix}*" for prefix in prefixes)
    nodes = list(ast.walk(ast.parse(source)))
    read = [name for name in map(name_read, nodes) if name is not None]
    wanted = {name.id for name in read if isinstance(name, ast.Name)}
    names = strings_by_name(nodes) if wanted else {}
    for name in read:
        yield from strings_of(name) or names.get(getattr(name, "id", ""), ())


def strings_by_name(nodes):
    """The strings that constants, loop variables and arguments of functions may be."""
    names = defaultdict(set)
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    for node in nodes:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            names[node.targets[0].id] |= strings_of(node.value)
        elif isinstance(node, ast.For) and isinstance(node.target, ast.Name):
            names[node.target.id] |= strings_of(node.iter) | names[getattr(node.iter, "id", "")]
        elif isinstance(node, ast.FunctionDef):
            for call in calls:
                if getattr(call.func, "id", "") == node.name:
                    for argument, given in zip(node.args.args, call.args, strict=False):
                        names[argument.arg] |= strings_of(given)
    return names


def strings_of(node):
    """The strings of a constant, or of a tuple of them."""
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    return {each.value for each in parts if isinstance(getattr(each, "value", None), str)}


def name_read(node):
    """The expression of the name that `os.environ` or `os.getenv` reads here, None elsewhere."""
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        return node.slice if ast.unparse(node.value) == "os.environ" else None
    readers = ("os.environ.get", "os.environ.setdefault", "os.getenv")
    if isinstance(node, ast.Call) and node.args and ast.unparse(node.func) in readers:
        return node.args[0]
    return None


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('import os\nos.environ.get("ONE")', {"ONE"}),
        ('os.environ["TWO"] = os.environ["ONE"]', {"ONE"}),
        ('NAME = "ONE"\nos.environ.setdefault(NAME, "1")', {"ONE"}),
        (
            'BOTH = ("ONE", "TWO")\nfor name in BOTH:\n    os.environ.setdefault(name, "1")',
            {"ONE", "TWO"},
        ),
        ('def read(name):\n    return os.getenv(name)\n\n\nread("ONE")', {"ONE"}),
        ('any(name.startswith("ONE_") for name in os.environ)', {"ONE_*"}),
        ('os.environ.pop("ONE")', set()),
    ],
)
def test_variables_of_python(source, found):
    assert set(variables_of_python(source)) == found


def test_variables_of_make_and_shell():
    text = "PY := python\nONE ?= 1\nall:\n\t$(PY) $(ONE) $(TWO) $(CURDIR) $$THREE\n"
    assert set(variables_of_make(text)) == {"ONE", "TWO", "THREE"}
    assert list(variables_of_shell("a=${ONE:-1} ${2:-}")) == ["ONE"]
