"""Run the program: `rigview`, ``python -m rigview``, or in a checkout ``python -m app``."""

import os


def run() -> None:
    """Run the program; Ctrl+C while it is being imported ends it without a traceback."""
    try:
        from .cli.main import run

        run()
    except KeyboardInterrupt:
        os._exit(130)


if __name__ == "__main__":
    run()
