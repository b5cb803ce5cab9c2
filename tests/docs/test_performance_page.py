"""docs/performance.md and its plot show docs/performance.json; how its figures are made."""

import sys

import pytest

from tests.bench.performance import performance_page, ratio_plot, results
from tests.bench.performance.__main__ import alternate
from tests.bench.performance.burst_worker import burst
from tests.bench.performance.experiments import Program
from tests.bench.performance.programs import HERE, Whole, Worker

STORED = results.read()
MACHINE = {"processor": "one", "cores": 2}


def row(*ours, peer=(2.0, 2.0, 2.0)):
    samples = {"Rigview": {"cpu": list(ours)}, "f3d": {"cpu": list(peer)}}
    return {"lines": [["cpu", "Rigview", "f3d", 0.9, None]], "samples": samples}


def test_page_shows_the_stored_figures():
    text = performance_page.PAGE.read_text(encoding="utf-8")
    assert performance_page.filled(text, STORED) == text, "run make bench, or its --page"
    assert all(f"| {each['what']} |" in text for each in STORED["rows"].values())
    assert all(run["commit"] in text for run in STORED["runs"])


@pytest.mark.parametrize("theme", ratio_plot.THEMES)
def test_plot_shows_the_stored_figures(theme):
    text = performance_page.PLOTS[theme].read_text(encoding="utf-8")
    assert ratio_plot.drawn(STORED, theme) == text, "run make bench, or its --page"


def test_stored_text_is_that_of_the_figures(tmp_path):
    results.write(STORED, tmp_path / "again.json")
    assert (tmp_path / "again.json").read_text() == results.STORED.read_text()


def test_ratios_are_those_of_the_rounds():
    ours, peer, ratios = results.figures(
        row(1.0, 2.0, 9.0, peer=(2.0, 2.0, 6.0)), results.Line("cpu", "Rigview", "f3d")
    )
    assert (ours.middle, ours.least, ours.most) == (2.0, 1.0, 9.0)
    assert peer.middle == 2.0
    assert (ratios.middle, ratios.least, ratios.most) == (1.0, 0.5, 1.5)


@pytest.mark.parametrize(
    ("now", "machine", "marked"),
    [
        (row(1.5, 1.5, 1.5), MACHINE, {"0": 0.5}),
        (row(1.1, 1.1, 1.1), MACHINE, {}),  # within the span of the former measurement
        (row(1.5, 1.5, 1.5), {"processor": "other"}, {}),
        (row(0.1, 0.1, 0.1), MACHINE, {}),
    ],
)
def test_a_row_that_is_worse_by_more_than_its_span_is_marked(now, machine, marked):
    older, newer = {"date": "1", "machine": MACHINE}, {"date": "2", "machine": machine}
    before = results.merged({}, older, {"a": row(0.9, 1.0, 1.1), "b": row(1, 1, 1)}, "ab")
    after = results.merged(before, newer, {"a": now}, "ab")
    assert after["rows"]["a"]["worse"] == marked
    assert [after["rows"][name]["run"] for name in "ab"] == [1, 0]
    assert results.merged(after, newer, {"a": now, "b": now}, "ab")["runs"] == [newer]


def test_a_missing_peer_leaves_one_line():
    some = row(1.0)
    some["lines"].append(["cpu", "Rigview", "three.js", None, None])
    del some["samples"]["f3d"]
    assert [line.peer for line in results.lines(some)] == ["f3d"]
    assert results.is_met(some, results.lines(some)[0]) is None
    assert results.worse(some, row(0.5, peer=(2.0,))) == {}, "a ratio is not compared with seconds"


class Counter:
    """Counts its samples in a list of all programs."""

    def __init__(self, taken, name):
        self.taken, self.name = taken, name

    def sample(self):
        self.taken.append(self.name)
        if self.name == "fails" and len(self.taken) > 3:
            raise ValueError("no answer")
        return {"cpu": 1.0}

    def close(self):
        self.taken.append(f"{self.name} closed")


def test_programs_take_turns_and_failing_ones_are_left_out(capsys):
    taken = []
    listed = {name: Program(lambda name=name: Counter(taken, name)) for name in ("a", "fails")}
    listed["absent"] = Program(lambda: 1 / 0, needs="three.js")
    found = alternate(listed, 3, {"three.js": "not here"})
    assert found == {"a": {"cpu": [1.0, 1.0, 1.0]}}
    assert taken == ["a", "fails", "fails", "a", "a", "fails", "fails closed", "a closed"]
    assert capsys.readouterr().out == "fails failed: no answer\n"


def test_bursts_count_the_calls():
    called = []
    found = burst(lambda: called.append(0), 0.005)
    assert found["wall"] * len(called) >= 0.005
    assert 0 <= found["cpu"] <= found["wall"] * 2


def test_whole_process_and_its_children_are_measured():
    code = "import subprocess, sys; subprocess.run([sys.executable, '-SIc', 'bytearray(60 << 20)'])"
    found = Whole([sys.executable, "-SIc", code], warm=False).sample()
    assert 60 < found["peak"] < 200
    assert 0 < found["cpu"] < 10


def test_worker_of_a_missing_program_fails():
    with pytest.raises(Exception, match="absent"):
        Worker([sys.executable, "-SI", HERE / "absent.py"], {"task": "load"})
