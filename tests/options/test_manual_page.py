"""The manual page: its contents, and that the readers of manual pages find no fault in it."""

import re
import shutil
import subprocess

import pytest

from rigview.fields.command_groups import COMMANDS
from rigview.options.manual_page import EXIT_CODES, manual_page
from rigview.options.table import ROWS
from tests.support.pages import TEXTS

URLS = {"Homepage": "https://example.org/~rigview", "Issues": "https://example.org/issues"}
CHECKERS = {"groff": ["-man", "-ww", "-z"], "mandoc": ["-T", "lint", "-W", "error"]}


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    path = tmp_path_factory.mktemp("manual") / "rigview.1"
    path.write_text(manual_page(URLS), encoding="utf-8")
    return path


@pytest.mark.parametrize("program", CHECKERS)
def test_page_has_no_faults(page, program):
    if not shutil.which(program):
        pytest.skip(f"{program} is not installed")
    command = [program, *CHECKERS[program], str(page)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")


def shown(page):
    """Return the text of a page as `man` shows it."""
    if not shutil.which("groff"):
        pytest.skip("groff is not installed")
    command = ["groff", "-man", "-Tascii", "-P-c", "-P-b", "-P-u", "-rLL=200n", str(page)]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    return ran.stdout


def test_page_shows_every_command_option_and_exit_code(page):
    text = shown(page)
    for command, each in COMMANDS.items():
        assert re.search(rf"^ +{command}\b", text, re.MULTILINE)
        assert all(f" {example}\n" in text for example in each.examples)
    for row in ROWS:
        head = ", ".join(each for each in (row.option.short, row.option.flag) if each)
        assert re.search(rf"^ +{re.escape(head)}\b", text, re.MULTILINE), head
    assert re.search(r"--view SIDE +view of the .*: front, right, back, left, top", flat(text))
    assert "(2GiB)" in text
    assert URLS["Homepage"] in text
    for code in EXIT_CODES:
        assert re.search(rf"^ +{code}\b", text, re.MULTILINE)


def flat(text):
    return re.sub(r"\s+", " ", text)


def test_options_are_in_the_commands_that_have_them(page):
    text = flat(shown(page))
    assert "--vertices add the deformed vertices of all primitives (pose)" in text
    assert "--quiet print no warnings and no progress --config" in text  # of all commands


def test_page_without_addresses_has_no_section_of_them():
    assert ".SH SEE ALSO" in manual_page(URLS)
    assert ".SH SEE ALSO" not in manual_page({})


def test_a_line_does_not_begin_with_a_request(page):
    requests = {".TH", ".SH", ".SS", ".TP", ".B", ".I", ".br", ".nf", ".fi"}
    lines = page.read_text(encoding="utf-8").splitlines()
    assert {line.split()[0] for line in lines if line.startswith((".", "'"))} <= requests


def test_exit_codes_are_those_of_the_manual():
    rows = re.findall(r"^\| (\d+) \| (.*) \|$", TEXTS["commands.md"], re.MULTILINE)
    assert {int(code): text.replace("`", "") for code, text in rows} == EXIT_CODES
