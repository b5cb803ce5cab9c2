"""The `check` command of an open character."""

import shlex

import pytest

from rigview.session.findings.check_command import check_command
from tests.support.checked_files import broken_file, session_with


@pytest.fixture
def session(tmp_path):
    return session_with(broken_file(tmp_path / "hero.gltf"))


def test_the_command_has_the_options_of_the_session(session, tmp_path):
    active = session.active
    assert shlex.split(check_command(session, active)) == ["rigview", "check", str(active.path)]
    session.files.root = tmp_path
    session.scene.change(anims=(str(tmp_path / "a b.bvh"),), force=True)
    active.editor.path = tmp_path / "other.motion.toml"
    assert shlex.split(check_command(session, active))[3:] == [
        "--motion",
        str(tmp_path / "other.motion.toml"),
        "--anims",
        str(tmp_path / "a b.bvh"),
        "--force",
        "--root",
        str(tmp_path),
    ]
    active.editor.path, session.files.read_motions = None, False
    assert "--no-motion" in check_command(session, active)


def test_the_command_has_the_configuration_of_the_session(session, tmp_path):
    session.files.config, session.files.no_config = str(tmp_path / "a.toml"), True
    session.files.rule_files = (str(tmp_path / "mine.py"),)
    assert shlex.split(check_command(session, session.active))[3:] == [
        "--rule-file",
        str(tmp_path / "mine.py"),
        "--config",
        str(tmp_path / "a.toml"),
        "--no-config",
    ]
