"""Fixtures of the tests of commands."""

import pytest


@pytest.fixture
def ruled(monkeypatch):
    """Return a function that replaces the rules of `rigview check`."""

    def use(*rules):
        monkeypatch.setattr("rigview.checks.examine.RULES", rules)
        monkeypatch.setattr("rigview.tasks.examine_file.RULES", rules)

    return use
