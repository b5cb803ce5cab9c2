"""Writes docs/features.md from tests/support/feature_rows.py.

Run ``python -m tests.tools.features_page`` after a change of it; a test compares them.
"""

from pathlib import Path

from tests.support.feature_rows import MOTION, NOISE, ROWS, SETUP, Row

PAGE = Path(__file__).resolve().parents[2] / "docs" / "features.md"
HEAD = f"""\
# What can be done, in three ways

Everything that the animation system does can be written in [Python](python.md), typed as a
[command](commands.md), and done by hand in [the window](window.md). Each row below is one subject
with all three. Every line and every click of them is tested.

* Python: each cell follows these lines:

```python
{SETUP}```

* Commands draw, print or write the same.
* By hand: `rigview character.glb` is open, or the files that the cell names. A › B is an entry of
  a menu, a list or a panel; a key is followed by what it does.

Python and commands use two [motion files](motion-file.md). Layers of weight 0 wait to be turned up:

```toml
{MOTION}```

```toml
{NOISE}```
"""


def page() -> str:
    """Return the whole page."""
    parts = [HEAD]
    for heading, rows in ROWS.items():
        lines = ["| subject | in Python | as a command | by hand |", "| --- | --- | --- | --- |"]
        parts.append("\n".join([f"\n## {heading}\n", *lines, *map(_line, rows), ""]))
    return "".join(parts)


def _line(row: Row) -> str:
    opened = [] if row.opens == ("character.glb",) else [f"`rigview {' '.join(row.opens)}`"]
    cells = (
        row.subject,
        "<br>".join(f"`{line}`" for line in row.python.splitlines()),
        "<br>".join(f"`{line}`" for line in row.commands),
        "<br>".join([*opened, *(step.words for step in row.steps)]),
    )
    assert not any("|" in cell for cell in cells), row.subject
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
