"""The pages of the manual, and the blocks of code in them."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
TEXTS = {page.name: page.read_text(encoding="utf-8") for page in PAGES}
FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(  # in lists: steps of recipes, which a test applies
    r"^(?P<indent> +)```\w+\n(?P<code>.*?)^(?P=indent)```$", re.MULTILINE | re.DOTALL
)
BLOCKS = [found for text in TEXTS.values() for found in FENCED.findall(text)]
PROSE = "\n".join(INDENTED.sub("", FENCED.sub("", text)) for text in TEXTS.values())

LINES = [line for kind, block in BLOCKS if kind == "sh" for line in block.splitlines() if line]
LINES += re.findall(r"`((?:make|rigview|pipx) [^`]+)`", PROSE)
LINES = list(dict.fromkeys(LINES))
PYTEST = [line for line in LINES if line.startswith("pytest")]
FILES = {  # of the project that is tested: blocks that begin with the name of a file
    block.partition("\n")[0].removeprefix("# "): block
    for kind, block in BLOCKS
    if re.match(r"# [\w/.]+\.(py|toml)\n", block)
}
