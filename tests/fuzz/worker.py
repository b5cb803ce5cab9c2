"""Runs a case in a forked process with limits, and says what is wrong with the result."""

import faulthandler
import gc
import os
import resource
import shutil
import signal
import sys
import traceback
from importlib import import_module
from pathlib import Path

from rigview.cli.main import main
from rigview.console import print_message
from rigview.errors import AppError
from rigview.fields.command_groups import COMMANDS
from tests.fuzz.functions import FUNCTIONS
from tests.fuzz.verdict import UNCAUGHT, Result, judge_end, judge_files, place, validate_output

LATE = (  # modules that commands import late, so that not each case imports them
    *(f"cli.{command}" for command in COMMANDS),
    *("gltf.draco", "gltf.meshopt", "gltf.basisu", "loading.bvh", "loading.import_clips"),
    *("options.config_file", "render.renderer"),
)
CPU_SECONDS = 60  # of a case; a valid one takes less than 3
WALL_SECONDS = 300
ADDRESSES = 3 << 30  # bytes, in addition to the imports and to the software renderer
FILE_BYTES = 1 << 28  # of a written file


class Worker:
    """Runs cases one after the other in an empty folder."""

    def __init__(self, folder):
        self.root = Path(folder).resolve()
        self.folder, self.home = self.root / "case", self.root / "home"
        self.out, self.err = self.root / "stdout", self.root / "stderr"
        self.root.mkdir(parents=True, exist_ok=True)
        os.environ.pop("DISPLAY", None)
        os.environ.pop("WAYLAND_DISPLAY", None)
        cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
        os.environ.setdefault("MESA_SHADER_CACHE_DIR", cache)  # compiled once, as in the tests
        os.environ.setdefault("GALLIVM_PERF", "nopt")
        os.environ.setdefault("LP_NUM_THREADS", "0")  # without the races of its threads
        os.environ["XDG_CONFIG_HOME"] = str(self.folder / "config")
        for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
            os.environ[name] = str(self.home)
        for name in LATE:
            import_module(f"rigview.{name}")
        gc.collect()
        gc.freeze()

    def run(self, case):
        """Return the result of a case."""
        result = self._run(case, case.arguments)
        if result.finding.startswith(("internal error", "out of memory")):
            verbose = self._run(case, (*case.arguments, "--verbose"))
            return verbose.judged(f"{result.finding} {place(verbose.err)}")
        return result

    def _run(self, case, arguments):
        for folder in (self.folder, self.home):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
        for name, data in case.files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        sys.stdout.flush()
        child = os.fork()
        if not child:
            self._child(arguments)
        _, status, usage = os.wait4(child, 0)
        code = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
        out, err = (path.read_text(errors="surrogateescape") for path in (self.out, self.err))
        seconds, memory = usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024
        result = Result(code, seconds, memory, out, err)
        return result.judged(
            judge_end(result, arguments)
            or judge_files(self.folder, self.home, case, arguments, code)
        )

    def _child(self, arguments):
        code = UNCAUGHT
        try:
            os.chdir(self.folder)
            for number, path in ((1, self.out), (2, self.err)):
                opened = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_TRUNC)
                os.dup2(opened, number)
            _limit()
            code = _call(arguments)
            sys.stdout.flush()
        except BaseException:
            traceback.print_exc()
            sys.stderr.flush()
        finally:
            os._exit(code)


def _limit():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 5))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES, FILE_BYTES))
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    size = pages * resource.getpagesize() + ADDRESSES
    resource.setrlimit(resource.RLIMIT_AS, (size, size))
    faulthandler.enable()
    for number in (signal.SIGXCPU, signal.SIGALRM):
        signal.signal(number, signal.SIG_DFL)
        faulthandler.register(number, chain=True)
    signal.setitimer(signal.ITIMER_REAL, WALL_SECONDS)


def _call(arguments):
    if arguments[0] in FUNCTIONS:
        try:
            FUNCTIONS[arguments[0]]()
        except AppError as error:
            print_message(str(error))
            return error.exit_code
        return 0
    code = main(arguments)
    sys.stdout.flush()
    if code == 0:
        validate_output(arguments)
    return code
