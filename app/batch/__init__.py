"""Parallel tasks: in this process, in several local processes, or on a Dask cluster."""
