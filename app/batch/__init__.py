"""Many tasks at once: in this process, in several local ones, or on a Dask cluster."""
