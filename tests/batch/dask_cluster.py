"""Runs a local Dask cluster of two workers until its standard input is closed.

Its scheduler cannot import rigview.
"""

import os
import sys

import dask
from distributed import LocalCluster

if __name__ == "__main__":
    sys.modules["rigview"] = None  # type: ignore[assignment]
    dask.config.set({"distributed.scheduler.allowed-failures": 1})
    with LocalCluster(
        n_workers=2,
        threads_per_worker=2,
        processes=True,
        dashboard_address=None,
        local_directory=sys.argv[1],
        preload="tests.batch.dask_preload",
    ) as cluster:
        sys.stdout.write(f"{cluster.scheduler_address}\n")
        sys.stdout.flush()
        sys.stdin.read()
    os._exit(0)
