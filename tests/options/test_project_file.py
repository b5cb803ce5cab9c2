"""`rigview.toml` beside a character or above it: what it can set, and hostile ones."""

import os

import pytest

from rigview import resources
from rigview.cli.main import main
from rigview.options.command_options import GeneralOptions
from rigview.options.config_file import (
    PROJECT,
    config_files,
    options_of_line,
    project_file,
    why_not_in_projects,
)
from rigview.options.table import ROWS

NOT_IN_PROJECTS = {  # all others are switches, choices, numbers, or names of what a character has
    "anims",
    "attach",
    "baseline",
    "changed-since",
    "config",
    "cut",
    "dask",
    "environment",
    "in-place",
    "jobs",
    "max-memory",
    "mix",
    "blender",
    "convert",
    "convert-timeout",
    "motion",
    "no-config",
    "output",
    "quiet",
    "root",
    "rule-file",
    "rules",
    "update-baseline",
    "verbose",
}
FREE_TEXT = {"animation", "camera", "hide-joints", "hide-mesh", "joint", "label", "select"}
FREE_TEXT |= {"variant", "weights"}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "heroes" / "new").mkdir(parents=True)
    return tmp_path


@pytest.fixture
def usual(tmp_path, monkeypatch):
    path = tmp_path / "config" / "config.toml"
    path.parent.mkdir()
    monkeypatch.setattr(resources, "options_path", lambda: path)
    return path


def render(file, *line):
    return options_of_line("render", [str(file), "-o", "x.png", *line])


def test_the_nearest_file_counts(folder, monkeypatch):
    above, near = folder / PROJECT, folder / "heroes" / PROJECT
    above.write_text("samples = 2\n")
    file = folder / "heroes" / "new" / "hero.glb"
    assert project_file(str(file)) == str(above)
    near.write_text("exposure = 1\n")
    assert project_file(str(file)) == str(near)
    assert project_file(str(folder / "heroes")) == str(near), "a folder is searched itself"
    assert project_file(str(folder / "hero.glb")) == str(above)
    options = render(file)
    assert (options.scene.samples, options.scene.look.shading.exposure) == (16, 1.0)
    monkeypatch.chdir(file.parent)
    assert project_file("hero.glb") == str(near)
    assert project_file("-") == str(near), "of standard input: the working folder"
    assert project_file("HEAD:hero.glb") == str(near)
    near.unlink()
    above.unlink()
    assert project_file(str(file)) != str(above)


def test_without_a_file_none_is_read(folder, monkeypatch):
    (folder / PROJECT).write_text("samples = 2\n")
    monkeypatch.chdir(folder)
    assert options_of_line("render", ["-o", "x.png"]).scene.samples == 16
    assert options_of_line("render", ["-", "-o", "x.png"]).scene.samples == 2


def test_a_working_folder_that_was_removed(folder, monkeypatch):
    gone = folder / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert project_file("hero.glb") is None


def test_the_user_overrides_it_and_the_line_both(folder, usual, tmp_path):
    file = folder / "hero.glb"
    (folder / PROJECT).write_text("samples = 2\nexposure = 1\n[render]\nresolution = '9x9'\n")
    usual.write_text("samples = 4\n")
    options = render(file)
    assert (options.scene.samples, options.scene.look.shading.exposure) == (4, 1.0)
    assert options.scene.size == (9, 9)
    assert render(file, "--samples", "8", "--resolution", "7,7").scene.samples == 8
    other = tmp_path / "other.toml"
    other.write_text("exposure = 2\n")
    options = render(file, "--config", str(other))
    assert (options.scene.samples, options.scene.look.shading.exposure) == (2, 2.0)
    options = render(file, "--no-config")
    assert (options.scene.samples, options.scene.look.shading.exposure) == (16, 0.0)
    options = render(file, "--no-config", "--config", str(other))
    assert (options.scene.samples, options.scene.look.shading.exposure) == (16, 2.0)


def test_the_first_of_several_files(folder):
    (folder / "heroes" / PROJECT).write_text("samples = 2\n")
    files = [str(folder / "heroes" / "a.glb"), str(folder / "b.glb")]
    assert render(*files).scene.samples == 2
    assert render(*files[::-1]).scene.samples == 16
    project, *_ = config_files(files[0], GeneralOptions())
    assert project.of_project


def test_a_required_option_may_be_in_it(folder):
    (folder / PROJECT).write_text("[curves]\njoint = 'Hips'\n")
    line = [str(folder / "a.glb"), "-o", "-"]
    assert options_of_line("curves", line).curves.joint == "Hips"


def test_what_it_cannot_set():
    assert {row.option.name for row in ROWS if why_not_in_projects(row.option)} == NOT_IN_PROJECTS
    plain = {
        row.option.name
        for row in ROWS
        if row.option.reader.__name__ == "text" and not why_not_in_projects(row.option)
    }
    assert plain == FREE_TEXT


@pytest.mark.parametrize("name", sorted(NOT_IN_PROJECTS - {"rules"}))
def test_an_option_that_it_cannot_set_is_an_error(folder, capsys, name):
    option = next(row.option for row in ROWS if row.option.name == name)
    for table in ("", f"[{option.commands[0]}]\n"):
        (folder / PROJECT).write_text(f"samples = 2\n{table}{name} = 'x'\n")
        assert main(["info", str(folder / "a.glb")]) == 3
        shown = capsys.readouterr().err
        assert shown.count("\n") == 1
        assert f"{PROJECT}:{2 + bool(table)}: " in shown
        assert "cannot set it: it " in shown


HOSTILE = {
    "path": b"anims = ['/etc/passwd']\n",
    "address": b"[check]\ndask = 'tcp://evil:1'\n",
    "unknown key": b"\nscript = 'rm -rf /'\n",
    "unknown table": b"[plugins]\nload = 'x.py'\n",
    "nesting": b"a = " + b"[" * 100_000,
    "deep tables": b"[" + b"a." * 100_000 + b"a]\n",
    "nesting of known tables": b"rules = " + b"{a=" * 5000 + b"1" + b"}" * 5000,
    "huge": b"# " + b"x" * (1 << 20) + b"\n",
    "binary": bytes(range(256)) * 16,
    "not UTF-8": b"samples = 2 # \xff\n",
    "zeros": bytes(4096),
    "long number": b"samples = 1" + b"0" * 10_000,
    "many entries": b"[[ignore]]\nrule = '*'\nreason = 'x'\n" * 20_000,
    "wrong type": b"json = [[1], {}]\n",
    "date": b"json = 2020-01-01\n",
}


@pytest.mark.parametrize("name", [*HOSTILE, "link to itself", "folder", "pipe", "dangling link"])
def test_a_hostile_file_is_one_line(folder, capsys, name):
    path = folder / PROJECT
    if name in HOSTILE:
        path.write_bytes(HOSTILE[name])
    elif name == "folder":
        path.mkdir()
    elif name == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to(path if "itself" in name else folder / "nothing")
    command = "check" if name == "many entries" else "info"
    assert main([command, str(folder / "heroes" / "a.glb")]) == 3
    shown = capsys.readouterr()
    assert not shown.out
    assert shown.err.count("\n") == 1
    assert PROJECT in shown.err
    assert len(shown.err) < 500
    assert "internal error" not in shown.err
