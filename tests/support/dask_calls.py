"""Calls a Dask cluster from a separate process.

`python -m tests.support.dask_calls ADDRESS FOLDER`

Prints the results as JSON. In the process of the tests, the threads and sockets that Dask leaves
open would cause warnings.
"""

import json
import sys

from rigview.batch import dask_cluster, parallel
from tests.support import batch_tasks


def call(work, given, address):
    try:
        return [[index, str(one)] for index, one in sorted(parallel.run(work, given, dask=address))]
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def hide(dask_worker):
    sys.modules["rigview.batch.dask_cluster"] = None


def reveal(dask_worker):
    del sys.modules["rigview.batch.dask_cluster"]


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
        client.run(hide)
        yield "not there", call(batch_tasks.square, [3], address)
        client.run(reveal)
    dask_cluster.PATIENCE = 0.3
    yield "deaf", call(batch_tasks.square, [3], "tcp://127.0.0.1:9")


if __name__ == "__main__":
    json.dump(dict(calls(*sys.argv[1:])), sys.stdout)
