"""Run the program: `rigview`, ``python -m rigview``, or in a checkout ``python -m app``."""

import os


def run() -> None:
    """Run the program; a signal while it is being imported ends it without a traceback."""
    # Products here are small: further threads of numpy's OpenBLAS cost more than they save.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from .cli.supervisor import supervise

        supervise()
        from .cli.main import run

        run()
    except KeyboardInterrupt as error:
        from .errors import Terminated

        os._exit(error.exit_code if isinstance(error, Terminated) else 130)


if __name__ == "__main__":
    run()
