"""The manual names every key of the JSON output of `diff` and `check`."""

import json
import re

from tests.support.character_versions import WAVE_ANGLE, character
from tests.support.pages import TEXTS


def keys_of(value):
    """All keys of a JSON value, at any depth."""
    if isinstance(value, list):
        return set().union(*map(keys_of, value))
    if isinstance(value, dict):
        return set(value) | set().union(*map(keys_of, value.values()))
    return set()


def named(page, heading):
    """The words in backquotes of a section and what follows it."""
    return set(re.findall(r"`(\w+)`", TEXTS[page][TEXTS[page].index(heading) :]))


def test_diff(rigview, tmp_path):
    paths = tmp_path / "a.glb", tmp_path / "b.glb"
    versions = character(), character(wave=(0, WAVE_ANGLE + 1, 0), mesh="Torso", bind=(0, -1.2, -2))
    for path, version in zip(paths, versions, strict=True):
        path.write_bytes(version.glb())
    found = json.loads(rigview("diff", *paths, "--json").out)
    assert {change["what"] for change in found["changes"]} == {"renamed", "changed"}
    obvious = {"a", "b", "name", "mm", "deg"}
    assert keys_of(found) - obvious <= named("commands.md", "## `diff`")


def test_check(rigview, model_file):
    found = json.loads(rigview("check", model_file, "--json", "--fail-on", "never").out)
    assert found["files"][0]["findings"]
    assert keys_of(found) <= named("checks.md", "## Output formats")
