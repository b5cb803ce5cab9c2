"""Short runs of the monkey, and its own checks."""

import json
from pathlib import Path

import moderngl
import pytest

from tests.support.reduce import reduce

from .checks import FaultError, Memory
from .gl_objects import GlObjects
from .run import Monkey, drawn, fault_of, replayed


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The folder of a run, which is also the home of the program."""
    monkeypatch.chdir(tmp_path)
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_PICTURES_DIR"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    return tmp_path


@pytest.fixture
def log(tmp_path_factory):
    with (tmp_path_factory.mktemp("log") / "log.jsonl").open("w") as file:
        yield file


def test_actions_by_a_seed(gl, folder, log):
    monkey = Monkey(folder, log, gl)
    monkey.run(drawn(6, seconds=60, most=80))
    actions = [json.loads(line) for line in Path(log.name).read_text().splitlines()]
    assert len(actions) == monkey.done == 82
    assert len({action["do"] for action in actions}) > 8


def test_a_closed_window_opens_again(gl, folder, log):
    lines = [
        '{"do": "press", "key": "b", "text": "b"}',
        '{"do": "write", "name": "figure.glb", "content": "json"}',
        '{"do": "press", "key": "q", "keys": ["left_ctrl"]}',
        '{"do": "click", "at": ["Close pop-up", 0.5, 0.5]}',
    ]
    monkey = Monkey(folder, log, gl)
    monkey.run(replayed(lines))
    assert monkey.done == len(lines)


def test_objects_that_are_dropped_without_being_freed(gl):
    objects = GlObjects()
    with objects.recording():
        objects.begin(gl)
        kept, dropped = gl.buffer(reserve=4), gl.texture((2, 2), 4)
        assert objects.faults() == ""
        assert objects.counts()["Buffer"] == objects.counts()["Texture"] == 1
        number = dropped.glo
        texture, dropped.mglo = dropped.mglo, moderngl.InvalidObject()
        assert objects.faults() == f"leaked Texture: [{number}]"
        texture.release()
        kept.release()
        assert objects.faults() == ""


def test_memory_that_grows():
    memory = Memory()
    memory.samples = [(k * 250, 200.0 + 2.0 * (k % 7), k % 7) for k in range(48)]
    memory.check()
    assert memory.slope() == pytest.approx((0.0, 0.0), abs=1e-6)
    memory.samples = [(actions, size + actions / 100, k) for actions, size, k in memory.samples]
    assert memory.slope() == pytest.approx((10.0, 0.0), abs=1e-6)
    with pytest.raises(FaultError, match=r"10\.00 MiB per 1000 actions"):
        memory.check()


def test_memory_of_new_windows_that_grows():
    memory = Memory()
    memory.fresh = [(k * 1000, 120.0 + k % 2) for k in range(16)]
    memory.check()
    memory.fresh = [(actions, size + actions / 500) for actions, size in memory.fresh]
    with pytest.raises(FaultError, match=r"2\.\d\d MiB per 1000 actions"):
        memory.check()


def test_a_window_is_opened_anew_in_the_same_state(gl, folder, log):
    monkey = Monkey(folder, log, gl)
    monkey.run(replayed(['{"do": "home"}', '{"do": "reopen"}']))
    assert monkey.done == 2
    assert len(monkey.memory.fresh) == len(monkey.counts) == 1


def test_shortening():
    lines = [str(k) for k in range(50)]

    def fails(some):
        return {"7", "31"} <= {*some}

    assert reduce(lines, fails, lambda: False) == ["7", "31"]


def test_fault_of_an_action_that_fails(gl, folder, log):
    fault, trace = fault_of(Monkey(folder, log, gl), replayed(['{"do": "none"}']))
    assert fault == "AttributeError in do"
    assert "_none" in trace
