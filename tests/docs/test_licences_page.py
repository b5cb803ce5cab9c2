"""docs/licences.md: every dependency of pyproject.toml with the licence of its package."""

import sys
from importlib import metadata

import pytest

pytest.importorskip("packaging", reason="packaging is not installed")

from packaging.utils import canonicalize_name

from tests.tools import licences_page

TEXT = licences_page.PAGE.read_text(encoding="utf-8")
ROWS = [line for line in TEXT.splitlines() if line.startswith("| ")][2:]
LISTED = {canonicalize_name(row.split(" | ")[0][2:]): row for row in ROWS}


def test_all_direct_dependencies_are_listed():
    names = {canonicalize_name(n) for names in licences_page.direct().values() for n in names}
    assert names <= set(LISTED), "run python -m tests.tools.licences_page"
    assert sorted(LISTED) == list(LISTED)
    assert "unknown" not in TEXT


def test_licences_are_those_of_the_installed_packages():
    try:
        rows = licences_page.rows()
    except metadata.PackageNotFoundError as error:
        pytest.skip(f"not installed: {error}")
    if sys.version_info[:2] == (3, 11) and sys.platform == "linux":
        assert rows == LISTED, "run python -m tests.tools.licences_page"
    assert all(LISTED[name] == row for name, row in rows.items() if name in LISTED)


def test_codecs_under_the_gpl_are_named():
    readme = (licences_page.ROOT / "README.md").read_text(encoding="utf-8")
    assert "docs/licences.md" in readme
    assert all("GPL" in text and "x264" in text for text in (LISTED["av"], readme))
