"""Run the program: `rigview`, ``python -m rigview``, or in a checkout ``python -m app``."""

import os


def run() -> None:
    """Run the program; Ctrl+C while it is being imported ends it without a traceback."""
    # Products here are small: further threads of numpy's OpenBLAS cost more than they save.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from .cli.main import run

        run()
    except KeyboardInterrupt:
        os._exit(130)


if __name__ == "__main__":
    run()
