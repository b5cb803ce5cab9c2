"""The files of shells in the wheel: manual page and completion scripts, generated when it is built.

As a program, it writes them into ``build/shared``.
"""

import sys
import tomllib
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ShellFiles(BuildHookInterface[Any]):
    """The build hook, which hatchling finds in this file."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the files to the wheel; a checkout, whose options change, is installed without."""
        if version != "editable":
            root = Path(self.root)
            build_data["shared_data"] |= {
                str(path): path.relative_to(root / "build" / "shared").as_posix()
                for path in write_files(root)
            }


def write_files(root: Path) -> list[Path]:
    """Write the files below ``build/shared`` as below the prefix of an installation."""
    sys.path.insert(0, str(root))  # the wheel is not installed yet
    try:
        from app.options.completion import completion
        from app.options.manual_page import manual_page
    finally:
        sys.path.remove(str(root))
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    texts = {
        "share/man/man1/rigview.1": manual_page(project.get("urls", {})),
        "share/bash-completion/completions/rigview": completion("bash"),
        "share/zsh/site-functions/_rigview": completion("zsh"),
        "share/fish/vendor_completions.d/rigview.fish": completion("fish"),
    }
    paths = []
    for name, text in texts.items():
        path = root / "build" / "shared" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
        paths.append(path)
    return paths


if __name__ == "__main__":
    write_files(Path(__file__).resolve().parent)
