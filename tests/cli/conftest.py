"""Fixtures of the tests of commands."""

import pytest


@pytest.fixture
def ruled(monkeypatch):
    """Return a function that replaces the rules of `rigview check`."""

    def use(*rules):
        monkeypatch.setattr("rigview.checks.rule_list.all_rules", lambda _files=(): rules)

    return use
