"""Calls a Dask cluster from a separate process.

`python -m tests.batch.dask_calls ADDRESS FOLDER`

Prints the results as JSON. In the process of the tests, the threads and sockets that Dask leaves
open would cause warnings.
"""

import json
import pickle
import sys
from pathlib import Path

from rigview.batch import dask_cluster, parallel
from tests.batch import batch_tasks

WORKERS = 2  # of tests.batch.dask_cluster


def call(work, given, address):
    try:
        return [[index, str(one)] for index, one in sorted(parallel.run(work, given, dask=address))]
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def call_without_workers():
    """The messages and the result of a task on a scheduler without workers."""
    from distributed import LocalCluster

    said = []
    dask_cluster.DESERTED = 4
    with LocalCluster(n_workers=0, dashboard_address=":0") as cluster:
        run = parallel.run(
            batch_tasks.square, [3], dask=cluster.scheduler_address, notify=said.append
        )
        try:
            list(run)
        except Exception as error:
            said.append(f"{type(error).__name__}: {error}")
    return [words.replace(cluster.scheduler_address, "ADDRESS") for words in said]


def hide(dask_worker):
    sys.modules["rigview.batch.dask_cluster"] = None


def reveal(dask_worker):
    sys.modules.pop("rigview.batch.dask_cluster", None)


class Runner:
    """A value whose unpickling would create a file."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return open, (self.path, "w")


def send_code(version, folder, data):
    """What a hostile worker runs instead of a task."""
    _, path = pickle.loads(data)
    return pickle.dumps(Runner(path))


def calls(address, folder):
    from distributed import Client

    yield "errors", call(batch_tasks.raise_errors, range(5), address)
    yield "deadly", call(batch_tasks.kill_worker, [(folder, 1, 99)], address)
    dask_cluster._LEAST, dask_cluster._AHEAD = 3, 0
    yield "many", call(batch_tasks.square, range(30), address)
    dask_cluster._LEAST = 32
    version, dask_cluster.__version__ = dask_cluster.__version__, "99"
    yield "other version", call(batch_tasks.square, [3], address)
    dask_cluster.__version__ = version
    with Client(address) as client:
        client.wait_for_workers(WORKERS)  # killed ones are started again
        client.run(hide)
        yield "not there", call(batch_tasks.square, [3], address)
        client.run(reveal)
    honest, dask_cluster._remote_function = dask_cluster._remote_function, lambda: send_code
    yield "hostile", call(batch_tasks.square, [f"{folder}/code"], address)
    dask_cluster._remote_function = honest
    yield "ran code", Path(folder, "code").exists()
    dask_cluster.PATIENCE = 0.3
    yield "lonely", call_without_workers()
    yield "deaf", call(batch_tasks.square, [3], "tcp://127.0.0.1:9")


if __name__ == "__main__":
    json.dump(dict(calls(*sys.argv[1:])), sys.stdout)
