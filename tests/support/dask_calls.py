"""Call a Dask cluster from a process of its own.

`python -m tests.support.dask_calls ADDRESS FOLDER`

It writes what comes of each, as JSON. Dask leaves threads and sockets behind that a test run would
warn of.
"""

import json
import sys

from rigview import batch
from rigview.batch import dask_cluster as farm
from tests.support import batch_tasks as tasks


def call(work, given, address):
    try:
        return [[index, str(one)] for index, one in sorted(batch.run(work, given, dask=address))]
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def hide(dask_worker):
    sys.modules["rigview.batch.dask_cluster"] = None


def reveal(dask_worker):
    del sys.modules["rigview.batch.dask_cluster"]


def calls(address, folder):
    from distributed import Client

    yield "errors", call(tasks.picky, range(5), address)
    yield "deadly", call(tasks.deadly, [(folder, 1, 99)], address)
    farm._LEAST, farm._AHEAD = 3, 0
    yield "many", call(tasks.square, range(30), address)
    farm._LEAST = 32
    version, farm.__version__ = farm.__version__, "99"
    yield "other version", call(tasks.square, [3], address)
    farm.__version__ = version
    with Client(address) as client:
        client.run(hide)
        yield "not there", call(tasks.square, [3], address)
        client.run(reveal)
    farm.PATIENCE = 0.3
    yield "deaf", call(tasks.square, [3], "tcp://127.0.0.1:9")


if __name__ == "__main__":
    json.dump(dict(calls(*sys.argv[1:])), sys.stdout)
