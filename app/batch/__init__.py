"""Many tasks: in this process, in several local ones, or on a Dask cluster; jobs of a window."""
