"""Runs a piece of work in bursts, as a process that is driven through stdin and stdout.

The first line of stdin is a job: {"task": NAME, ...}. Each further line is {"burst": SECONDS} or
{"calls": COUNT}, and is answered by {"wall": S, "cpu": S}: seconds of one call of the work, and of
the processor, over all threads. Needs the standard library only, so that it runs in the
interpreters of other programs.
"""

import json
import sys
import time


def calls(work, count):
    """Return the mean time of a call of `work`, called so often."""
    cpu, begin = time.process_time(), time.perf_counter()
    for _ in range(count):
        work()
    wall = time.perf_counter() - begin
    return {"wall": wall / count, "cpu": (time.process_time() - cpu) / count}


def burst(work, seconds):
    """Return the mean time of a call of `work`, called for some seconds."""
    cpu, begin = time.process_time(), time.perf_counter()
    count, step, passed = 0, 1, 0.0
    while passed < seconds:
        for _ in range(step):
            work()
        count += step
        passed = time.perf_counter() - begin
        left = (seconds - passed) * count / passed  # calls
        step = int(max(1, min(step * 2, left / 2, 4096)))
    return {"wall": passed / count, "cpu": (time.process_time() - cpu) / count}


def serve(tasks):
    """Answer the lines of stdin; `tasks` makes the work of a job by its name."""
    work = None
    for line in sys.stdin:
        job = json.loads(line)
        if "task" in job:
            work = tasks[job.pop("task")](**job)
            answer = {"ready": True}
        elif "calls" in job:
            answer = calls(work, job["calls"])
        else:
            answer = burst(work, job["burst"])
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
