"""The worked examples of docs/contributing.md: their steps, and their application to a tree."""

import re
import textwrap
from pathlib import Path
from typing import Literal, NamedTuple

from tests.support.pages import INDENTED, TEXTS

_FILE = re.compile(r"`((?:app|docs|tests)/[\w/]+\.\w+)`")
_ANCHOR = re.compile(r"(after|before) `([^`]+)`:$")
_COMMAND = re.compile(r"run `python -m ([\w.]+)`")


class Step(NamedTuple):
    """A block of code of a recipe, and where it goes in a file: before or after a line."""

    file: str
    place: Literal["new", "after", "before"]
    anchor: str
    code: str

    def apply(self, root: Path) -> None:
        """Insert the block with the indentation of its anchor, or write a new file."""
        path = root / self.file
        if self.place == "new":
            assert not path.exists(), f"{self.file} exists: its step names no line"
            path.write_text(self.code, encoding="utf-8")
            return
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        found = [k for k, line in enumerate(lines) if line.strip() == self.anchor]
        assert len(found) == 1, f"{self.file} has {len(found)} lines {self.anchor}"
        line = lines[found[0]]
        code = textwrap.indent(self.code, line[: len(line) - len(line.lstrip())])
        lines.insert(found[0] + (self.place == "after"), code)
        path.write_text("".join(lines), encoding="utf-8")


class Recipe(NamedTuple):
    """The steps of a section, then modules to run."""

    steps: tuple[Step, ...]
    modules: tuple[str, ...]


def _recipe(section: str) -> Recipe:
    steps: list[Step] = []
    end = 0
    for fence in INDENTED.finditer(section):
        before = section[end : fence.start()].strip().rpartition("\n\n")[2]
        words, end = " ".join(before.split()), fence.end()
        file = (_FILE.findall(words) or [steps[-1].file])[-1]
        found = _ANCHOR.search(words)
        place, anchor = found.groups() if found else ("new", "")
        steps.append(Step(file, place, anchor, textwrap.dedent(fence["code"])))
    return Recipe(tuple(steps), tuple(_COMMAND.findall(section)))


_SECTIONS = re.split("^### (.*)\n", TEXTS["contributing.md"], flags=re.MULTILINE)[1:]
RECIPES = {
    title: _recipe(section)
    for title, section in zip(_SECTIONS[::2], _SECTIONS[1::2], strict=True)
    if INDENTED.search(section)
}
NEW_FILES = {step.file for each in RECIPES.values() for step in each.steps if step.place == "new"}
