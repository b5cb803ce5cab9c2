"""Run the program: `rigview`, ``python -m rigview``, or in a checkout ``python -m app``."""

import os
import sys


def run() -> None:
    """Run the program; a signal while it is being imported ends it without a traceback."""
    # Products here are small: further threads of numpy's OpenBLAS cost more than they save.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    _report_other_checkout(sys.argv[0])
    try:
        from .cli.supervisor import supervise

        supervise()
        from .cli.main import run

        run()
    except KeyboardInterrupt as error:
        from .errors import Terminated

        os._exit(error.exit_code if isinstance(error, Terminated) else 130)


def _report_other_checkout(script: str) -> None:
    """Print a warning if the script of a copied checkout runs the code of the original one.

    The script and the path of the package in ``.venv`` are absolute, and stay in a copy.
    """
    folder, tail = os.path.split(os.path.dirname(os.path.dirname(os.path.abspath(script))))
    here, copied = os.path.dirname(os.path.abspath(__file__)), os.path.join(folder, "app")
    if tail == ".venv" and os.path.isdir(copied) and not os.path.samefile(copied, here):
        message = f"this runs the program in {os.path.dirname(here)}; to run that in {folder}, "
        print(f"rigview: {message}type `make run` there once", file=sys.stderr)


if __name__ == "__main__":
    run()
