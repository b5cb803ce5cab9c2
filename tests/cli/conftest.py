"""The program in this process: its exit code, and what it said on both streams."""

from typing import NamedTuple

import pytest

from rigview.cli.main import main
from tests.support.command_files import write_document


class Ran(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def rigview(capfd):
    def run(*arguments):
        capfd.readouterr()
        code = main([str(argument) for argument in arguments])
        return Ran(code, *capfd.readouterr())

    return run


@pytest.fixture
def model_file(tmp_path):
    return write_document(tmp_path / "small.gltf")


@pytest.fixture
def ruled(monkeypatch):
    """Put rules in the place of all that `check` has."""

    def use(*rules):
        monkeypatch.setattr("rigview.check.examine.RULES", rules)

    return use
