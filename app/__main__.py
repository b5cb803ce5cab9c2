"""Run the program as ``python -m rigview``, or in a checkout as ``python -m app``."""

from .cli.main import run

run()
