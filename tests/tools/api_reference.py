"""Writes the reference of the public names with a search, from their docstrings, by pdoc.

``make docs`` runs it and writes into ``build/docs``.
"""

import inspect
import re
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import rigview

FOLDER = Path(__file__).resolve().parents[2] / "build" / "docs"
SEARCHED = """{% extends "default/module.html.jinja2" %}
{% block title %}Rigview: names for Python{% endblock %}
{% block search_box %}
<input type="search" placeholder="Search..." role="searchbox" aria-label="search"
       pattern=".+" required>
{% endblock %}
{% block search_js %}{% include "search.html.jinja2" %}{% endblock %}
"""  # pdoc leaves out the search of a single module
ARRAY = re.compile(
    r"numpy\.ndarray\[tuple\[(?:typing\.Any|int), \.\.\.\], numpy\.dtype\[(?:numpy\.)?(.+?)\]\]"
)


def write(folder: Path) -> None:
    """Write the pages; pdoc must be installed (the extra `docs`)."""
    import pdoc.doc
    import pdoc.render

    whole = inspect.formatannotation

    def short(annotation: Any, *others: Any, **named: Any) -> str:
        return ARRAY.sub(r"ndarray[\1]", whole(annotation, *others, **named))

    for name in rigview.__all__:  # pdoc lists what has been imported
        getattr(rigview, name)
    with (
        TemporaryDirectory() as templates,
        patch.object(inspect, "formatannotation", short),
        patch.object(pdoc.doc, "formatannotation", short),
    ):
        Path(templates, "module.html.jinja2").write_text(SEARCHED, encoding="utf-8")
        pdoc.render.configure(
            docformat="numpy",
            footer_text=f"Rigview {rigview.__version__}",
            template_directory=Path(templates),
        )
        pdoc.pdoc("rigview", r"!rigview\.", output_directory=folder)


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
