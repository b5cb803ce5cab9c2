"""`python -m app`."""

from app.cli.main import run

run()
