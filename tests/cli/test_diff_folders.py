"""`diff` of folders, and of what changed since a git revision."""

import json
import os

import pytest

from tests.support.character_versions import WAVE_ANGLE, character
from tests.support.git_repository import LOCAL, git, write_gltf


def write(path, **changes):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(character(**changes).glb())


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A checkout with three characters, on a branch that has changed nothing yet."""
    for name in LOCAL:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    git("init", "-q", "-b", "main")
    write(tmp_path / "cast" / "hero.glb")
    write(tmp_path / "cast" / "old.vrm", mesh="Elder")
    write(tmp_path / "other.glb")
    write_gltf(tmp_path / "cast" / "props", "sword.gltf", "sword.bin")
    commit("first")
    git("checkout", "-q", "-b", "work")
    return tmp_path


def commit(message):
    git("add", "-A")
    git("commit", "-q", "-m", message)


def pairs_of(ran):
    return [(row["a"], row["b"]) for row in json.loads(ran.out)["files"]]


def test_nothing_changed(rigview, repository):
    ran = rigview("diff", "--changed-since", "main", "cast")
    assert (ran.code, ran.out) == (0, "0 characters compared, 0 with differences\n")


def test_edited_renamed_added_and_removed_files(rigview, repository):
    write(repository / "cast" / "new.glb", clips=())
    (repository / "cast" / "old.vrm").unlink()
    write(repository / "cast" / "elder.vrm", mesh="Elder", wave=(0, WAVE_ANGLE + 1, 0))
    (repository / "cast" / "hero.glb").unlink()
    write(repository / "other.glb", clips=())
    commit("change")
    ran = rigview("diff", "--changed-since", "main", "cast", "--json")
    assert ran.code == 1
    assert pairs_of(ran) == [
        ("main:cast/old.vrm", os.path.join("cast", "elder.vrm")),
        ("main:cast/hero.glb", os.devnull),
        (os.devnull, os.path.join("cast", "new.glb")),
    ]
    renamed, removed, added = json.loads(ran.out)["files"]
    assert [clip["max_deg"] for clip in renamed["clips"] if not clip["same"]] == [
        pytest.approx(1, rel=1e-3)
    ]
    assert [row["changes"][0]["what"] for row in (removed, added)] == ["removed", "added"]


def test_a_changed_buffer_changes_its_character(rigview, repository):
    write_gltf(repository / "cast" / "props", "sword.gltf", "sword.bin", wave=(0, 45, 0))
    assert "sword.gltf" not in git("diff", "--name-only")
    ran = rigview("diff", "--changed-since", "main", "cast")
    assert ran.code == 1
    assert ran.out.startswith("main:cast/props/sword.gltf → cast")
    assert ran.out.endswith("1 character compared, 1 with differences\n")


def test_a_picture_of_each_changed_character(rigview, repository):
    """Also of added and removed ones, by the names of their files."""
    write(repository / "cast" / "hero.glb", wave=(0, 10, 0))
    write(repository / "cast" / "new.glb", mesh="New", wave=(0, 10, 0))
    (repository / "cast" / "old.vrm").unlink()
    (repository / "other.glb").unlink()
    ran = rigview(
        "diff", "--changed-since", "main", ".", "-o", "{model}.diff.png", "--resolution", "96,96"
    )
    assert (ran.code, ran.err) == (1, "")
    names = sorted(path.name for path in repository.glob("*.png"))
    assert names == ["hero.diff.png", "new.diff.png", "old.diff.png", "other.diff.png"]
    for text in ("removed main:cast/old.vrm", "removed main:other.glb", "added cast/new.glb"):
        assert text.replace("cast/new", os.path.join("cast", "new")) in ran.out


def test_a_picture_of_a_name_that_another_file_has(rigview, tmp_path):
    a, b = tmp_path / "a", tmp_path / "b"
    write(a / "c.glb")
    write(b / "c.glb", wave=(0, 10, 0))
    write(b / "c.vrm", mesh="New")
    target = str(tmp_path / "d.{model}.png")
    ran = rigview("diff", a, b, "-o", target, "--resolution", "96,96")
    assert ran.code == 1
    second = target.format(model="c-2")
    words = f"another file has the name c; the picture of this one is written to {second}"
    assert ran.err == f"rigview: {b / 'c.vrm'}: warning: {words}\n"
    assert os.path.exists(second)


def test_untracked_files_and_those_of_the_other_branch(rigview, repository):
    """Only changes of this branch count, not those of main since."""
    write(repository / "cast" / "hero.glb", wave=(0, 10, 0))
    git("checkout", "-q", "main")
    write(repository / "other.glb", clips=())
    git("commit", "-q", "-m", "main goes on", "other.glb")
    git("checkout", "-q", "work")
    write(repository / "cast" / "new.glb")
    ran = rigview("diff", "--changed-since", "main", ".", "--json")
    (edited, added) = pairs_of(ran)
    assert edited[0].endswith(":cast/hero.glb")
    assert added == (os.devnull, os.path.join("cast", "new.glb"))


def test_two_folders(rigview, tmp_path):
    a, b = tmp_path / "a", tmp_path / "b"
    for folder in (a, b):
        write(folder / "same.glb")
        write(folder / "sub" / "hero.glb", wave=(0, 80 + (folder == b), 0))
    write(a / "gone.glb", clips=())
    write(a / "before.glb", mesh="Renamed")
    write(b / "after.glb", mesh="Renamed")
    ran = rigview("diff", a, b, "--json")
    assert ran.code == 1
    assert pairs_of(ran) == [
        (str(a / "before.glb"), str(b / "after.glb")),
        (str(a / "same.glb"), str(b / "same.glb")),
        (str(a / "sub" / "hero.glb"), str(b / "sub" / "hero.glb")),
        (str(a / "gone.glb"), os.devnull),
    ]
    assert [row["same"] for row in json.loads(ran.out)["files"]] == [True, True, False, False]
    text = rigview("diff", a, b).out
    assert f"removed {a / 'gone.glb'}" in text
    assert text.endswith("4 characters compared, 2 with differences\n")


def test_a_broken_file_is_reported_and_the_others_are_compared(rigview, tmp_path):
    for name in ("a", "b"):
        write(tmp_path / name / "good.glb")
        (tmp_path / name / "bad.glb").write_bytes(b"glTF" + name.encode())
    ran = rigview("diff", tmp_path / "a", tmp_path / "b")
    assert ran.code == 3
    assert "bad.glb" in ran.err
    bad = [str(tmp_path / name / "bad.glb") for name in ("a", "b")]
    assert ran.out.startswith(f"not compared: {bad[0]} → {bad[1]}\n")
    assert ran.out.endswith("1 character compared, 0 with differences, 1 not compared\n")
    ran = rigview("diff", tmp_path / "a", tmp_path / "b", "--json")
    found = json.loads(ran.out)
    assert (ran.code, found["same"], len(found["files"])) == (3, False, 2)
    error = found["files"][0].pop("error")
    assert found["files"][0] == {"a": bad[0], "b": bad[1]}
    assert error in ran.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("cast",), "required: B"),
        (("cast", "other.glb"), "only with another folder"),
        (("--changed-since", "main", "cast", "cast"), "takes one folder"),
        (("--changed-since", "nowhere", "cast"), "unknown revision 'nowhere'"),
        (("--changed-since", "main", "nothing"), "'nothing' does not exist"),
        (
            ("cast", "cast", "-o", "x.png"),
            "-o draws one picture for each pair; name it '{model}.png'",
        ),
    ],
)
def test_wrong_use(rigview, repository, arguments, message):
    ran = rigview("diff", *arguments)
    assert ran.code == 2
    assert message in ran.err
