"""Keys that the user sets in keys.toml."""

import tomllib

import pytest

from rigview.session.commands import keys_file
from rigview.session.commands.action import Action
from rigview.session.commands.actions import ACTIONS, action, keys_of, read_keys
from rigview.session.commands.keys_file import KeyBindings, UserKeys, is_chord, rebound
from tests.support.pages import FILES
from tests.support.sessions import new_session

DEFAULTS = {each.name: each.keys for each in ACTIONS}


def write(text):
    path = keys_file.keys_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_every_key_of_the_table_is_a_chord():
    assert all(is_chord(key) for keys in DEFAULTS.values() for key in keys)


@pytest.mark.parametrize(
    "text", ["Ctrl+", "+K+", "ctrl+K", "Ctrl+Ctrl+K", "k", "Foo", "F25", "Ctrl+Home+End", "", " "]
)
def test_what_is_no_chord(text):
    assert not is_chord(text)


@pytest.mark.parametrize("text", ["+", "Ctrl++", "Alt+F12", "Shift+Ctrl+É", "0", "Ctrl+Delete"])
def test_chords(text):
    assert is_chord(text)


def test_a_key_is_taken_from_the_action_that_had_it():
    keys = rebound({"a": ("A", "Ctrl+A"), "b": ("B",), "c": ("C",)}, {"b": ("A",), "c": ()})
    assert keys == KeyBindings((("a", ("Ctrl+A",)), ("b", ("A",)), ("c", ())))
    assert keys.of("d", ("D",)) == ("D",)


def test_the_template_has_every_action_and_changes_nothing(tmp_path):
    text = keys_file.template(ACTIONS)
    path = tmp_path / "keys.toml"
    path.write_text(text, encoding="utf-8")
    assert keys_file.load(ACTIONS, path) == (KeyBindings(), [])
    bare = "\n".join(line.removeprefix("# ") for line in text.splitlines() if " = " in line)
    assert {name: tuple(keys) for name, keys in tomllib.loads(bare).items()} == DEFAULTS
    path.write_text(bare, encoding="utf-8")
    assert keys_file.load(ACTIONS, path) == (KeyBindings(), [])


def test_keys_are_read_again_by_reload():
    session = new_session(60.0)
    write('frame = ["Ctrl+0", "F"]\n"next clip" = []\ngrid = "F5"\n')
    action("reload").run(session)
    assert keys_of(session, action("frame")) == ("Ctrl+0", "F")
    assert keys_of(session, action("next clip")) == ()
    assert keys_of(session, action("grid")) == ("F5",)
    keys_file.keys_path().unlink()
    read_keys(session)
    assert session.interface.of(UserKeys).bindings == KeyBindings()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('fram = ["F"]', 'keys.toml:1: fram: no such action; did you mean "frame" or'),
        ('frame = ["Strg+F"]', 'frame: "Strg+F" is no key; an example is "Ctrl+Shift+K"'),
        ("frame = 3", "frame: must be a list, not 3"),
        ("frame = [", "keys.toml:1: not TOML: "),
        ('frame = ["Y"]\ngrid = ["Y"]', 'keys.toml:2: grid: "Y" is the key of "frame", too'),
    ],
)
def test_faults_of_the_file(text, words):
    session = new_session(60.0)
    write(text)
    read_keys(session)
    assert words in session.interface.error
    assert session.interface.popup == "error"
    assert "\n" not in session.interface.error
    assert keys_of(session, action("help")) == ("F1", "?")


def test_a_file_that_exists_is_kept():
    write("# mine\n")
    keys_file.write_template((Action("a", (), "A", print, group="File"),))
    assert keys_file.keys_path().read_text(encoding="utf-8") == "# mine\n"


def test_the_file_of_the_manual():
    write(FILES["keys.toml"])
    bindings, wrong = keys_file.load(ACTIONS)
    assert wrong == []
    assert {name for name, _ in bindings.changed} >= {"frame", "next clip", "grid"}
