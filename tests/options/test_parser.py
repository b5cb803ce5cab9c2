"""Arguments that look like options but are not."""

import pytest

from rigview.errors import UsageError
from rigview.options.parser import parse


@pytest.mark.parametrize("command", ["check", "sheet", "report"])
def test_files_after_two_dashes_may_begin_with_one(command):
    output = ["-o", "out.html"] if command != "check" else []
    parsed = parse(command, [*output, "a.glb", "--", "-b.glb", "--json", "-", "c.glb"])
    assert parsed.files == ("a.glb", "./-b.glb", "./--json", "-", "c.glb")
    assert parsed.file == "a.glb"
    with pytest.raises(UsageError):
        parse(command, [*output, "a.glb", "-b.glb"])


def test_one_file_and_two_files_after_two_dashes():
    assert parse("bench", ["--json", "--", "-a.glb"]).file == "-a.glb"
    assert parse("diff", ["--", "-a.glb", "-b.glb"]).files == ("-a.glb", "-b.glb")
