from dataclasses import replace

import pytest

from rigview.batch.task_attempt import attempt
from rigview.console import print_message, warn
from rigview.errors import ContextError, GltfError, UsageError, WorkerError
from rigview.options.command_options import GeneralOptions, Options, ParallelOptions
from rigview.tasks.file_results import FileResults

OPTIONS = Options(parallel=ParallelOptions(jobs=1))


def work(task):
    """Say something; fail where the name says so."""
    warn([f"odd {task.file}"], file=task.file, quiet=False)
    if "broken" in task.file:
        raise GltfError("is broken", file=task.file)
    if "usage" in task.file:
        raise UsageError("no such clip")
    if "blind" in task.file:
        raise ContextError("no OpenGL")
    return task.file.upper()


@pytest.fixture
def done(monkeypatch):
    """Work on files that are done in another order than they were given in."""

    def doing(names, order=None, options=OPTIONS, lost=()):
        def run(task, tasks, **_):
            for number in order or range(len(names)):
                gone = WorkerError("was killed") if number in lost else None
                yield number, gone or attempt(task, tasks[number])

        monkeypatch.setattr("rigview.batch.parallel.run", run)
        files = FileResults(options, work, [Options().with_shown(file=name) for name in names])
        return list(files), files

    return doing


def test_results_when_finished_and_messages_in_order(done, capsys):
    found, files = done(["a", "b", "c"], order=[2, 0, 1])
    assert found == [(2, "C"), (0, "A"), (1, "B")]
    assert files.code == 0
    said = capsys.readouterr().err.splitlines()
    assert said == [f"rigview: {name}: warning: odd {name}" for name in "abc"]


def test_failed_files_are_reported_and_skipped(done, capsys):
    found, files = done(["broken", "b", "usage", "d"], order=[3, 2, 1, 0], lost=[3])
    assert found == [(1, "B")]
    assert files.code == 3
    assert capsys.readouterr().err.splitlines() == [
        "rigview: broken: warning: odd broken",
        "rigview: broken: is broken",
        "rigview: b: warning: odd b",
        "rigview: usage: warning: odd usage",
        "rigview: usage: no such clip",
        "rigview: d: was killed",
    ]


def test_verbose_prints_the_traceback(done, capsys):
    done(["broken", "b"], options=replace(OPTIONS, general=GeneralOptions(verbose=True)))
    assert "in work" in capsys.readouterr().err
    done(["broken", "b"])
    assert "in work" not in capsys.readouterr().err


def test_one_file_fails_as_a_command_does(done):
    with pytest.raises(GltfError):
        done(["broken"])


def test_missing_opengl_stops_the_batch(done, capsys):
    with pytest.raises(ContextError):
        done(["a", "blind", "c"])
    assert "odd c" not in capsys.readouterr().err


def test_messages_of_one_file_are_printed_once(done, capsys):
    done(["a"])
    print_message("after")
    assert capsys.readouterr().err == "rigview: a: warning: odd a\nrigview: after\n"
