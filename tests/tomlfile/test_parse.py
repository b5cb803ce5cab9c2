"""Limits of TOML files: what would take the parser too long is refused."""

import tomllib

import pytest

from rigview.tomlfile.parse import MAX_KEY_PARTS, parse_toml

PARTS = 50_000  # takes the parser minutes and gigabytes


@pytest.mark.parametrize(
    "text",
    [
        ".".join(["a"] * PARTS) + " = 1",
        "x = 1\n[" + " . ".join(["a"] * PARTS) + "]",
        "[[" + ".".join(["a"] * PARTS) + "]]",
        "x = {" + ".".join(['"a b"'] * PARTS) + " = 1}",
        "x = {" + ".".join(["''"] * PARTS) + " = 1}",
    ],
)
def test_long_dotted_keys_are_refused(text):
    with pytest.raises(ValueError, match=f"more than {MAX_KEY_PARTS} parts"):
        parse_toml(text)


@pytest.mark.parametrize(
    ("text", "message"), [("x = " + "[" * 5000, "too deeply"), ("x = " + "1" * 5000, "too long")]
)
def test_other_limits_of_the_parser(text, message):
    with pytest.raises(ValueError, match=message):
        parse_toml(text)


@pytest.mark.parametrize("text", ["a" * 1_000_000, '"' * 1_000_001, "'" * 1_000_001, "a." * 40])
def test_what_is_not_toml_is_refused_in_linear_time(text):
    with pytest.raises(tomllib.TOMLDecodeError):
        parse_toml(text)


def test_keys_of_some_parts_are_read():
    key = ".".join(["a"] * MAX_KEY_PARTS)
    table = parse_toml(f"{key} = 1")
    for _ in range(MAX_KEY_PARTS):
        table = table["a"]
    assert table == 1
