"""The reference of the public names that `make docs` writes."""

import re

import pytest

import rigview

pytest.importorskip("pdoc", reason="pdoc is not installed: pip install rigview[docs]")

from tests.tools.api_reference import write


def test_the_reference_has_the_public_names_and_a_search(tmp_path):
    write(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "index.html",
        "rigview.html",
        "search.js",
    ]
    page = (tmp_path / "rigview.html").read_text(encoding="utf-8")
    assert re.findall(r'<section id="(\w+)">', page) == list(rigview.__all__)
    assert 'type="search"' in page
    words = re.sub(r"<[^>]+>", "", page)
    assert "Return what rigview check finds, the most visible first." in words
    assert "numpy.ndarray[" not in words
    found = (tmp_path / "search.js").read_text(encoding="utf-8")
    assert "Return the contacts of the feet with the ground" in found
