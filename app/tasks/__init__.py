"""The tasks of the commands, shared by the command line, the Python API and the pytest plug-in."""
