"""The copied `diff` command of two versions."""

import shlex

import numpy as np
import pytest
from PIL import Image

from rigview.cli.main import main
from rigview.scene.selected import Selected
from rigview.session.copied_text import diff_command
from tests.support.character_versions import character
from tests.support.compared_session import compared, session_of
from tests.support.copied_commands import SIZE
from tests.support.looks import set_look


def words_of(session):
    return shlex.split(diff_command(session, SIZE, 1))


def test_the_command_draws_the_worst_moment_with_the_camera_of_the_view(
    gl, tmp_path, monkeypatch, capsys
):
    session = compared(tmp_path, "wipe", character(), character(wave=(0, 120, 0)))
    session.scene.camera.orbit.orbit(0.5, 0.1)
    set_look(session.scene, skeleton=True)
    session.selections.select(session.active, Selected(1))
    words = words_of(session)
    assert words[:4] == ["rigview", "diff", str(tmp_path / "0.glb"), str(tmp_path / "1.glb")]
    assert "--camera-position" in " ".join(words)
    assert "--skeleton" in words
    assert "--select" not in words
    monkeypatch.chdir(tmp_path)
    with gl:
        assert main([*words[1:], "--quiet"]) == 1
    assert "Motion: 1 of 2 animations differ" in capsys.readouterr().out
    with Image.open(tmp_path / "1-diff.png") as picture:
        assert np.asarray(picture).std() > 5.0


def test_the_camera_of_a_row_is_left_out(tmp_path):
    session = session_of(tmp_path, character(), character())
    words = words_of(session)
    assert not [word for word in words if word.startswith("--camera")]
    assert words[words.index("-o") + 1] == "1-diff.png"


def test_one_file_has_no_command(tmp_path):
    assert words_of(session_of(tmp_path, character())) == []


@pytest.mark.parametrize("chosen", [(2, 0), (1, 2)])
def test_the_command_names_the_chosen_versions(tmp_path, chosen):
    session = session_of(tmp_path, character(), character(), character())
    opened = session.open_characters
    session.comparison.choose(*(opened[k] for k in chosen))
    assert words_of(session)[2:4] == [str(opened[k].path) for k in chosen]
