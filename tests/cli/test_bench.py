import json
import weakref

import pytest

from rigview.checks.rule_list import RULES
from rigview.cli import bench
from rigview.errors import ContextError
from rigview.loading.load import load
from rigview.tasks import command_timing
from tests.support.command_files import write_document

CPU = {"load", "sample", "blend of 4 clips", "hierarchy", "palette"}
KNOWN = {"sample, 65 joints", "blend of 4 clips, 65 joints"}  # of whatever file


@pytest.fixture(autouse=True)
def _hasty(monkeypatch):
    monkeypatch.setattr(bench, "TIME_LIMIT", 0.002)
    monkeypatch.setattr(bench, "RUNS", 4)
    monkeypatch.setattr(bench, "SIZE", (16, 16))
    monkeypatch.setattr(command_timing, "RUNS", 1)
    monkeypatch.setattr(command_timing, "CELL", (16, 16))


class Ticking:
    """A clock that goes on by what each work says it takes."""

    def __init__(self):
        self.tau = 0.0

    def now(self):
        return self.tau

    def work(self, *seconds):
        left = list(seconds)

        def spend():
            self.tau += left.pop(0) if len(left) > 1 else left[0]

        return spend


def test_median_and_best_of_alternating_runs(monkeypatch):
    monkeypatch.setattr(bench, "TIME_LIMIT", 1.0)
    monkeypatch.setattr(bench, "LONG", 100.0)
    clock = Ticking()
    works = [("a", clock.work(9, 9, 9, 3, 1, 5)), ("b", clock.work(7))]
    a, b = bench.measure(works, clock)
    assert a == bench.Row("a", 3, 1, 3)
    assert b == bench.Row("b", 7, 7, 3)


def test_a_long_call_is_not_repeated(monkeypatch):
    monkeypatch.setattr(bench, "TIME_LIMIT", 1.0)
    clock = Ticking()
    rows = bench.measure([("a", clock.work(9, 4)), ("b", clock.work(0.5, 0.25))], clock)
    assert rows == [bench.Row("a", 9, 9, 1), bench.Row("b", 0.25, 0.25, 1)]


@pytest.mark.parametrize("time", [command_timing.time_check, command_timing.time_sheet])
def test_models_of_earlier_runs_take_no_memory(time, tmp_path, monkeypatch):
    monkeypatch.setattr(command_timing, "RUNS", 2)
    monkeypatch.setattr(command_timing, "_start", lambda *_: 0.0)
    path, models = tmp_path / "a.gltf", []
    write_document(path)

    def read():
        assert not any(model() for model in models)
        model = load(path)
        models.append(weakref.ref(model.skeleton))
        return model

    time(read, *([[]] if time is command_timing.time_sheet else []), Ticking())
    assert len(models) == 2


def test_short_function_is_called_often(monkeypatch):
    monkeypatch.setattr(bench, "TIME_LIMIT", 1.0)
    clock = Ticking()
    calls = []

    def work():
        calls.append(0)
        clock.tau += 0.001

    (row,) = bench.measure([("x", work)], clock)
    assert row.runs == 4
    assert row.best == pytest.approx(0.001)
    assert len(calls) == 3 + 4 * 250


def test_json(rigview, model_file):
    ran = rigview("bench", model_file, "--json")
    assert (ran.code, ran.err) == (0, "")
    found = json.loads(ran.out)
    assert set(found["rows"]) >= CPU | KNOWN
    for row in found["rows"].values():
        assert 0 < row["best"] <= row["median"]
        assert row["runs"] >= 3
    assert found["unit"] == "us"
    assert found["blend_in_samples"] > 0
    assert found["blend_of_65_joints_in_samples"] > 0
    assert (found["renderer"] is None) == (found["no_gpu"] is not None)
    if found["renderer"]:
        assert {"upload", "draw"} <= set(found["rows"])


def test_text(rigview, model_file):
    ran = rigview("bench", model_file, "--animation", "Turn")
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert lines[0] == f"{model_file}: seconds of one call on this machine"
    assert lines[1].split() == ["median", "best", "runs"]
    assert {line[2:20].strip() for line in lines[2:7]} == CPU
    assert all(line.split()[-2] in ("us", "ms", "s") for line in lines[2:7])
    assert any(line.startswith("A blend of 4 clips costs ") for line in lines)
    assert any(line.startswith("With 65 animated joints it costs ") for line in lines)
    assert any(line.startswith(("Drawn at 16 x 16 by ", "Not drawn: ")) for line in lines)


def test_without_opengl(rigview, model_file, monkeypatch):
    def refuse(*_):
        raise ContextError("no OpenGL 3.3 context (egl: none)")

    monkeypatch.setattr("rigview.rendering.offscreen.OffscreenRenderer", refuse)
    ran = rigview("bench", model_file)
    assert ran.code == 0
    assert "Not drawn: no OpenGL 3.3 context (egl: none)" in ran.out.splitlines()
    assert "A sheet" not in ran.out
    found = json.loads(rigview("bench", model_file, "--json").out)
    assert set(found["rows"]) == CPU | KNOWN
    assert found["renderer"] is None


def test_a_file_without_clips_and_skins(rigview, tmp_path):
    path = tmp_path / "bare.gltf"
    path.write_text('{"asset": {"version": "2.0"}, "nodes": [{}], "scenes": [{"nodes": [0]}]}')
    ran = rigview("bench", path, "--quiet")
    assert ran.code == 0
    assert "No animation to sample or blend" in ran.out
    assert not [line for line in ran.out.splitlines() if line.split()[:1] == ["palette"]]
    assert json.loads(rigview("bench", path, "--json").out)["blend_in_samples"] is None


def test_wrong_use(rigview, tmp_path):
    path = write_document(tmp_path / "small.gltf")
    ran = rigview("bench", path, "--animation", "Trun")
    assert (ran.code, ran.out) == (2, "")
    assert "Turn" in ran.err
    assert rigview("bench", tmp_path / "none.glb").code == 3


@pytest.mark.parametrize(
    ("seconds", "text"), [(2, "2 s"), (0.0123456, "12.35 ms"), (12.34e-6, "12.3 us")]
)
def test_units(seconds, text):
    assert bench._time(seconds) == text


STEPS = {"start, imports", "load", "decode images", "context, shaders", "upload"}
STEPS |= {"frame the clip", "pose", "draw", "read back", "compose", "encode PNG"}


def test_step_times_of_sheet_and_check(rigview, model_file):
    ways = json.loads(rigview("bench", model_file, "--json", "--animation", "Turn").out)["ways"]
    assert set(ways["sheet of 1 x 6 pictures, 16 x 16"]) == STEPS
    check = ways[f"check by {len(RULES)} rules"]
    assert set(check) == {"start, imports", "load", *(rule.id for rule in RULES)}
    assert all(took > 0 for way in ways.values() for took in way.values())
    of_rules = list(check.values())[2:]
    assert of_rules == sorted(of_rules, reverse=True)


def test_steps_as_text():
    """Small steps are combined; percentages are of the total."""
    way = command_timing.CommandTiming(
        "walk", {"start": 0.5, **{f"step {k}": 0.25 - k / 100 for k in range(4)}}
    )
    lines = command_timing.as_lines(way, most=3)
    assert lines[0] == "A walk: 1.44 s"
    assert [line.split() for line in lines[1:]] == [
        ["start", "500.0", "ms", "35%"],
        ["step", "0", "250.0", "ms", "17%"],
        ["3", "others", "690.0", "ms", "48%"],
    ]
    assert len(command_timing.as_lines(way, most=5)) == 6


def test_stopwatch_adds_up():
    clock = Ticking()
    watch = command_timing.Stopwatch(clock)
    for seconds in (1, 2):
        with watch.step("a"):
            clock.tau += seconds
        with watch.step("b"):
            clock.tau += 10
    assert watch.steps == {"a": 3, "b": 20}


def test_fastest_run_is_reported(monkeypatch):
    monkeypatch.setattr(command_timing, "RUNS", 3)
    clock = Ticking()
    turns = [{"a": 0.75, "b": 0.25}, {"a": 0.25, "b": 0.5}, {"a": 1.0, "b": 1.0}]
    left = iter(turns)

    def run(watch):
        for name, seconds in next(left).items():
            with watch.step(name):
                clock.tau += seconds

    assert command_timing._fastest(run, clock) == turns[1]
    assert not list(left)


def test_long_run_is_the_only_one(monkeypatch):
    monkeypatch.setattr(command_timing, "RUNS", 3)
    clock, runs = Ticking(), []

    def run(watch):
        runs.append(watch)
        with watch.step("a"):
            clock.tau += command_timing._LONG_RUN + 1.0

    command_timing._fastest(run, clock)
    assert len(runs) == 1
