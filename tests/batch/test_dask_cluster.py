"""Tasks on a Dask cluster of two local processes."""

import json
import os
import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rigview import __version__, errors
from rigview.batch import parallel
from rigview.batch.dask_cluster import unpacked
from rigview.batch.task_attempt import dumps, run_pickled
from rigview.cli.main import main
from tests.support.command_files import write_document
from tests.support.light_mannequin import light_mannequin
from tests.support.processes import killed_on_error

pytest.importorskip("distributed")
pytestmark = pytest.mark.skipif(os.name != "posix", reason="workers are killed by signals")

ROOT = Path(__file__).resolve().parents[2]
SMALL = ("--resolution", "32,32", "--samples", "1", "--phase", "0,0.5")


def start(*arguments, cwd=ROOT, **options):
    paths = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    return subprocess.Popen(
        [sys.executable, "-m", *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": paths},
        text=True,
        stdout=subprocess.PIPE,
        **options,
    )


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """The address of the cluster."""
    folder = tmp_path_factory.mktemp("cluster")
    with start(
        "tests.batch.dask_cluster", folder, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as running:
        yield running.stdout.readline().strip()
        running.stdin.close()
        assert running.wait(20) == 0


@pytest.fixture(scope="module")
def called(cluster, tmp_path_factory):
    """The results of `tests.batch.dask_calls`."""
    folder = tmp_path_factory.mktemp("calls")
    with start("tests.batch.dask_calls", cluster, folder, stderr=subprocess.PIPE) as ran:
        out, err = ran.communicate()
    assert (ran.returncode, err) == (0, "")
    return json.loads(out)


@pytest.fixture
def characters(tmp_path):
    folder = tmp_path / "characters"
    folder.mkdir()
    for name in ("a", "b", "c", "wait"):
        write_document(folder / f"{name}.gltf")
    yield folder
    (folder / "go").touch()  # a worker that still waits would keep all other tests from it


def sheet(folder, *arguments):
    return start(
        "rigview", "sheet", "characters", *SMALL, *arguments, cwd=folder, stderr=subprocess.PIPE
    )


def whole(process):
    with killed_on_error(process):
        out, err = process.communicate()
    assert (process.returncode, out, err) == (0, "", "")


def near(folder, *arguments):
    """The sheets rendered one after another in this process."""
    given = ["sheet", str(folder / "characters"), *SMALL, "--jobs", "1", *arguments]
    assert main(given) == 0


def written(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def until(true, seconds=30.0):
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.01)


def test_worker_killed_during_a_task(cluster, characters, tmp_path):
    """Every sheet exists once, complete, and equals that of a single process."""
    for name in ("far", "near"):
        (tmp_path / name).mkdir()
    process = sheet(tmp_path, "-o", "far/{model}.png", "--dask", cluster)
    until(lambda: list(characters.glob("begun.*")))
    until(lambda: len(written(tmp_path / "far")) == 3)  # all the others
    (begun,) = characters.glob("begun.*")
    os.kill(int(begun.suffix[1:]), signal.SIGKILL)
    until(lambda: len(list(characters.glob("begun.*"))) == 2)
    (characters / "go").touch()
    whole(process)
    near(tmp_path, "-o", f"{tmp_path}/near/{{model}}.png")
    assert set(written(tmp_path / "near")) == {"a.png", "b.png", "c.png", "wait.png"}
    assert written(tmp_path / "far") == written(tmp_path / "near")


def test_picture_equals_the_local_one(cluster, characters, tmp_path):
    (characters / "go").touch()
    whole(sheet(tmp_path, "-o", "far.png", "--dask", cluster))
    near(tmp_path, "-o", f"{tmp_path}/near.png")
    assert (tmp_path / "far.png").read_bytes() == (tmp_path / "near.png").read_bytes()


def test_ctrl_c_exits_at_once(cluster, characters, tmp_path):
    (characters / "a.gltf").rename(characters / "z.gltf")
    process = sheet(tmp_path, "-o", "{model}.png", "--dask", cluster)
    until(lambda: list(characters.glob("begun.*")))
    process.send_signal(signal.SIGINT)
    with killed_on_error(process):
        assert process.wait(10) == 130
        assert process.stderr.read() == ""
    (characters / "go").touch()
    assert not list(tmp_path.glob(".*"))
    assert not (tmp_path / "wait.png").exists()


def test_every_task_once(called):
    assert called["many"] == [[k, str(k * k)] for k in range(30)]


def test_an_error_is_the_result_of_its_task(called):
    found = dict(called["errors"])
    assert found[0] == "0"
    assert found[1] == "fox.glb: /nodes/1: is broken; fix it"
    assert found[3].startswith("internal error: ZeroDivisionError")


def test_task_that_kills_every_worker(called):
    ((_, words),) = called["deadly"]
    assert words.startswith("every Dask worker that ran the task died")


def test_worker_with_another_rigview_or_none(called):
    words = f"the Dask worker has rigview {__version__}, this is 99"
    assert called["other version"] == [[0, words]]
    assert called["not there"].startswith("WorkerError: a worker of the Dask cluster at tcp://")
    assert "cannot import rigview" in called["not there"]


def test_cluster_without_workers(called):
    assert called["lonely"] == [
        "the Dask cluster at ADDRESS has no worker; waiting up to 4 s for one",
        "WorkerError: the Dask cluster at ADDRESS has no worker",
    ]


def test_a_worker_cannot_send_code(called):
    """Its class or function is refused before it is called."""
    assert "sent something else than a result: io.open is not part of a result" in called["hostile"]
    assert called["hostile"].startswith("WorkerError: a worker of the Dask cluster at tcp://")
    assert not called["ran code"]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"cos\nsystem\n(S'true'\ntR.",
        b"cbuiltins\neval\n(S'1'\ntR.",
        b"cnumpy\nload\n(S'x.npy'\ntR.",
        b"crigview.batch.task_attempt\nloads\n.",
        b"crigview.console\nprint_line\n.",
        b"\x80\x04\x8c\x16rigview.checks.finding\x8c\x10Finding.__init__\x93.",
    ],
)
def test_what_is_no_result_is_refused(data):
    with pytest.raises((pickle.UnpicklingError, EOFError)):
        unpacked(data)


def through_pickle(work, tasks, **_):
    """Stands in for `parallel.run`: results as workers pack them and the client unpacks them."""
    for index, task in enumerate(tasks):
        yield index, unpacked(run_pickled(pickle.dumps((work, task))))


@pytest.mark.parametrize(
    "command",
    [
        ("check", "--animation", "Walk", "--anims", "{figure}"),
        ("check", "--animation", "Nothing"),
        ("sheet", *SMALL, "-o", "{folder}/one.png"),
        ("report", "--animation", "Walk", "-o", "{folder}/page.html"),
    ],
)
def test_results_of_every_command_are_accepted(command, capsys, monkeypatch, tmp_path):
    figure = tmp_path / "figure.glb"
    figure.write_bytes(light_mannequin(("Walk",)))
    odd = write_document(tmp_path / "odd.gltf")
    broken = tmp_path / "broken.gltf"
    broken.write_text("{")
    monkeypatch.setattr(parallel, "run", through_pickle)
    name, *rest = (each.format(figure=figure, folder=tmp_path) for each in command)
    main([name, str(figure), str(odd), str(broken), "--dask", "tcp://farm:8786", *rest])
    messages = capsys.readouterr().err
    assert "broken.gltf" in messages
    assert "not part of" not in messages
    assert "internal error" not in messages


def test_errors_of_every_class_are_results():
    classes = [each for each in vars(errors).values() if isinstance(each, type)]
    for each in classes:
        if issubclass(each, errors.AppError):
            sent = dumps(each("is odd", file="fox.glb", hint="fix it"))
            assert str(unpacked(sent)) == "fox.glb: is odd; fix it"


def test_no_scheduler(called):
    words = "WorkerError: no Dask scheduler answers at tcp://127.0.0.1:9 within 0.3 s"
    assert called["deaf"].startswith(words)


def test_distributed_not_installed(monkeypatch):
    from rigview.batch.parallel import run
    from rigview.errors import UnsupportedError

    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UnsupportedError, match=r"rigview\[farm\]"):
        list(run(abs, [1], dask="tcp://127.0.0.1:9"))
