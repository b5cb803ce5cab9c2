"""The types of the options of `rigview.render` are those of the options table."""

from rigview.options.render_options import RenderOptions
from tests.tools.render_options import FILE, filled


def test_the_types_are_those_of_the_table():
    text = FILE.read_text(encoding="utf-8")
    assert filled(text) == text, "run python -m tests.tools.render_options"
    assert "resolution" in RenderOptions.__annotations__
