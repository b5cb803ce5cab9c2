"""Jobs: one of a key, handed on in the thread that polls, or done at once."""

import math
from threading import Event, get_ident

import pytest

from rigview.batch.jobs import THREAD_POLL, Jobs, Shows
from rigview.errors import GltfError

LIMIT = 60.0


@pytest.fixture
def jobs():
    return Jobs(in_background=True)


def run(jobs, key="job", **options):
    """Start a job that waits; return its gate, and the list that receives its result."""
    gate, found = Event(), []

    def work(report):
        report("begun")
        gate.wait(LIMIT)
        return get_ident()

    job = jobs.start(key, work, lambda job: found.append(job.result()), **options)
    return job, gate, found


def test_the_result_is_handed_on_by_poll(jobs):
    assert jobs.poll_seconds == math.inf
    job, gate, found = run(jobs, shows=Shows.SCENE)
    assert jobs.is_running("job")
    assert jobs.poll_seconds == THREAD_POLL
    gate.set()
    assert job.wait(LIMIT)
    assert not found
    assert jobs.is_running("job"), "its end is not handed on yet"
    assert jobs.poll() is Shows.SCENE
    assert found[0] != get_ident(), "in a thread"
    assert not jobs.is_running("job")
    assert jobs.poll() is Shows.NOTHING


def test_progress_is_handed_on_once(jobs):
    steps = []
    _, gate, _ = run(jobs, progress=steps.append)
    while not steps:
        jobs.poll()
    assert steps == ["begun"]
    assert jobs.poll() is Shows.NOTHING
    gate.set()
    jobs.wait()
    assert steps == ["begun"]


def test_a_job_of_the_same_key_cancels_the_one_before(jobs):
    cancelled = []
    first, gate, found = run(jobs, cancelled=lambda: cancelled.append("first"))
    _, other_gate, other_found = run(jobs)
    assert cancelled == ["first"]
    gate.set()
    other_gate.set()
    assert first.wait(LIMIT)
    jobs.wait("job")
    assert not found
    assert len(other_found) == 1


def test_jobs_of_several_keys_run_beside_each_other(jobs):
    (_, gate, found), (_, other_gate, other_found) = run(jobs, "one"), run(jobs, "two")
    gate.set()
    jobs.wait("one")
    assert len(found) == 1
    assert not other_found
    assert jobs.is_running("two")
    other_gate.set()
    jobs.end()
    assert not jobs.is_running("two")
    jobs.poll()
    assert not other_found


def test_an_end_waits_until_it_may_be_handed_on(jobs):
    ready = []
    job, gate, found = run(jobs, ready=lambda: bool(ready))
    gate.set()
    job.wait(LIMIT)
    jobs.poll()
    assert not found
    ready.append(True)
    assert jobs.poll() is Shows.SCENE
    assert found


@pytest.mark.parametrize("in_background", [True, False])
def test_an_error_is_raised_by_the_result(in_background):
    def fail(_report):
        raise GltfError("is broken")

    jobs, errors = Jobs(in_background=in_background), []

    def take(job):
        with pytest.raises(GltfError) as raised:
            job.result()
        errors.append(str(raised.value))

    jobs.start("job", fail, take)
    jobs.wait()
    assert errors == ["is broken"]


def test_without_a_background_a_job_is_done_at_once():
    jobs, found = Jobs(), []
    jobs.start("job", lambda _: get_ident(), lambda job: found.append(job.result()))
    assert found == [get_ident()]
    assert not jobs.is_running("job")


def test_jobs_that_follow_are_waited_for(jobs):
    found = []

    def again(job):
        found.append(job.result())
        if len(found) < 3:
            jobs.start("job", lambda _: len(found), again)

    jobs.start("job", lambda _: 0, again)
    jobs.wait()
    assert found == [0, 1, 2]


def test_one_that_another_cancels_is_not_handed_on(jobs):
    found = []
    done = [
        jobs.start("one", lambda _: None, lambda _: jobs.cancel("two")),
        jobs.start("two", lambda _: None, found.append),
    ]
    assert all(job.wait(LIMIT) for job in done)
    jobs.poll()
    assert not found
    assert not jobs.is_running("two")


def test_what_is_watched_is_called_first(jobs):
    shown = [Shows.NOTHING, Shows.PANELS]
    jobs.watch(lambda: shown.pop())
    assert jobs.poll() is Shows.PANELS
    assert jobs.poll() is Shows.NOTHING


def test_a_job_that_is_cancelled_before_its_delay_is_not_run(jobs):
    done = []
    first = jobs.start("job", done.append, print, delay=LIMIT)
    jobs.start("job", lambda _: done.append("second"), print, delay=0.01)
    assert first.wait(LIMIT / 2), "its thread ends"
    jobs.wait()
    assert done == ["second"]
