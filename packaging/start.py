"""The start of the program that needs no Python: what a frozen process does before Rigview.

PyInstaller's own hooks for this import 30 ms of modules in every process.
"""

import os
import sys

_LIBRARIES = "LD_LIBRARY_PATH"  # set by the bootloader


def run() -> None:
    """Run Rigview, or what a process was started for by multiprocessing or by `bench`."""
    # programs that are started from here, such as git and Blender, have libraries of their own
    before = os.environ.pop(f"{_LIBRARIES}_ORIG", None)
    os.environ.pop(_LIBRARIES, None)
    if before is not None:
        os.environ[_LIBRARIES] = before
    if "-c" in sys.argv:
        code = sys.argv.index("-c")
        if all(word.startswith("-") for word in sys.argv[1:code]):  # as to an interpreter
            exec(sys.argv[code + 1], {"__name__": "__main__"})
            sys.exit()  # the bootloader would flush streams that it may have closed
    if "--multiprocessing-fork" in sys.argv:
        from multiprocessing import spawn

        spawn.freeze_support()
    from rigview.__main__ import run

    run()


if __name__ == "__main__":
    del __file__  # or new processes look for this script
    run()
