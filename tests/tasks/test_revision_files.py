"""Files of git revisions in the window and in pictures."""

import numpy as np
import pytest

from rigview.errors import UsageError
from rigview.session import character_files
from rigview.session.copied_text import diff_command
from rigview.session.findings.check_command import check_arguments, check_command
from rigview.session.findings.muted_findings import why_not
from rigview.tasks.input_file import source_path
from rigview.tasks.still_pictures import render
from tests.support.git_repository import git, write_gltf
from tests.support.sessions import new_session

SIZE = {"resolution": (48, 48), "samples": 1, "quiet": True, "time": 1.0}


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A repository with a committed character, which was changed afterwards."""
    monkeypatch.chdir(tmp_path)
    git("init", "--quiet")
    write_gltf(tmp_path)
    git("add", ".")
    git("commit", "--quiet", "-m", "Add")
    write_gltf(tmp_path, wave=(0, 30, 0))
    return tmp_path


def test_a_file_of_a_revision_is_drawn(repository):
    before, after = (render(name, **SIZE) for name in ("HEAD:hero.gltf", "hero.gltf"))
    assert (before != after).any()
    both = render(["HEAD:hero.gltf", "hero.gltf"], compare="wipe", wipe=1.0, **SIZE)
    assert np.ptp(both) > 0


def test_an_open_file_of_a_revision_keeps_its_name(repository):
    session = new_session(60.0)
    session.tick()
    paths = [source_path("HEAD:hero.gltf"), source_path("hero.gltf")]
    character_files.open_files(session, paths)
    assert [each.name for each in session.open_characters] == ["HEAD:hero.gltf", "hero.gltf"]
    words = diff_command(session, (64, 64), 1).split()
    assert words[2:4] == ["HEAD:hero.gltf", str(repository / "hero.gltf")]
    first, second = session.open_characters
    assert check_command(session, first) == "rigview check HEAD:hero.gltf --no-motion"
    assert check_arguments(session, first)[0] == str(paths[0]), "the file is not read again"
    assert why_not(session, first)
    assert not why_not(session, second)


def test_an_unknown_revision(repository):
    with pytest.raises(UsageError, match="unknown revision 'HEAD~7'"):
        source_path("HEAD~7:hero.gltf")
