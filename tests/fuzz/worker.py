"""Runs a case in a forked process with limits, and says what is wrong with the result."""

import faulthandler
import gc
import os
import resource
import shutil
import signal
import sys
import traceback
from functools import partial
from importlib import import_module
from pathlib import Path

from rigview.cli.main import main
from rigview.console import print_message
from rigview.errors import AppError
from rigview.fields.command_groups import COMMANDS
from tests.fuzz.functions import FUNCTIONS, QUICK
from tests.fuzz.verdict import UNCAUGHT, Result, judge_end, judge_files, place, validate_output

LATE = (  # modules that commands import late, so that not each case imports them
    *(f"cli.{command}" for command in COMMANDS),
    *("gltf.draco", "gltf.meshopt", "gltf.basisu", "loading.bvh", "loading.import_clips"),
    *("options.config_file", "rendering.renderer", "session.session", "session.character_files"),
    *("motion.write", "scene.hdri", "golden.golden", "golden.pose_comparison", "session.settings"),
)
CPU_SECONDS = 60  # of a case; a valid one takes less than 3
WALL_SECONDS = 300
ADDRESSES = 3 << 30  # bytes, in addition to the imports and to the software renderer
QUICK_SECONDS = 10  # of a function of QUICK; a valid file takes a few milliseconds
QUICK_ADDRESSES = 1 << 30
LONGEST_MESSAGE = 1000  # characters
FILE_BYTES = 1 << 28  # of a written file


class Worker:
    """Runs cases one after the other in an empty folder."""

    def __init__(self, folder):
        self.root = Path(folder).resolve()
        self.folder, self.home = self.root / "case", self.root / "home"
        self.out, self.err = self.root / "stdout", self.root / "stderr"
        self.ended = self.root / "ended"  # exit codes of the cases of a process, a line each
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
        self._late = LATE
        gc.collect()
        gc.freeze()

    def run(self, case):
        """Return the result of a case."""
        result = self._run(case, case.arguments)
        if result.finding.startswith(("internal error", "out of memory")):
            verbose = self._run(case, (*case.arguments, "--verbose"))
            return verbose.judged(f"{result.finding} {place(verbose.err)}")
        return result

    def run_quick(self, cases):
        """Yield the results of cases of QUICK functions, in one process while nothing is wrong."""
        while cases:
            self._empty()
            self.ended.write_bytes(b"")
            self._forked(partial(self._each, cases), cases[0].arguments)
            codes = [int(line) for line in self.ended.read_text().split()]
            yield from (Result(code, 0.0, 0, "", "") for code in codes)
            cases = cases[len(codes) :]
            if cases:
                alone = self.run(cases.pop(0))
                yield alone if alone.finding else alone.judged("fails after other cases only")

    def _each(self, cases):
        """Run cases until one has a finding; note the exit codes of those before it."""
        for case in cases:
            self._fill(case)
            start = self.err.stat().st_size
            signal.setitimer(signal.ITIMER_REAL, QUICK_SECONDS)
            code = _call(case.arguments)
            sys.stderr.flush()
            with self.err.open(errors="surrogateescape") as file:
                file.seek(start)
                if judge_end(Result(code, 0.0, 0, "", file.read()), case.arguments):
                    return UNCAUGHT
            with self.ended.open("a") as file:
                file.write(f"{code}\n")
        return 0

    def _empty(self):
        for folder in (self.folder, self.home):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()

    def _fill(self, case):
        for name, data in case.files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)

    def _forked(self, call, arguments):
        """Return the end of a process with limits that calls a function: status and usage."""
        sys.stdout.flush()
        child = os.fork()
        if not child:
            self._child(call, arguments)
        _, status, usage = os.wait4(child, 0)
        return status, usage

    def _import_late(self):
        """Import what commands import late, once."""
        for name in self._late:
            import_module(f"rigview.{name}")
        if self._late:
            gc.collect()
            gc.freeze()
        self._late = ()

    def _run(self, case, arguments):
        if arguments[0] not in QUICK:  # which import nothing more
            self._import_late()
        self._empty()
        self._fill(case)
        status, usage = self._forked(partial(_call, arguments), arguments)
        code = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
        out, err = (path.read_text(errors="surrogateescape") for path in (self.out, self.err))
        seconds, memory = usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024
        result = Result(code, seconds, memory, out, err)
        return result.judged(
            judge_end(result, arguments)
            or judge_files(self.folder, self.home, case, arguments, code)
        )

    def _child(self, call, arguments):
        code = UNCAUGHT
        try:
            os.chdir(self.folder)
            for number, path in ((1, self.out), (2, self.err)):
                opened = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_TRUNC)
                os.dup2(opened, number)
            _limit(quick=arguments[0] in QUICK)
            code = call()
            sys.stdout.flush()
        except BaseException:
            traceback.print_exc()
            sys.stderr.flush()
        finally:
            os._exit(code)


def _limit(*, quick):
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 5))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES, FILE_BYTES))
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    size = pages * resource.getpagesize()
    size += QUICK_ADDRESSES if quick else ADDRESSES
    resource.setrlimit(resource.RLIMIT_AS, (size, size))
    faulthandler.enable()
    for number in (signal.SIGXCPU, signal.SIGALRM):
        signal.signal(number, signal.SIG_DFL)
        faulthandler.register(number, chain=True)
    signal.setitimer(signal.ITIMER_REAL, QUICK_SECONDS if quick else WALL_SECONDS)


def _call(arguments):
    if arguments[0] in FUNCTIONS:
        try:
            FUNCTIONS[arguments[0]]()
        except AppError as error:
            message, code = str(error), error.exit_code
            print_message(message)
            if len(message) > LONGEST_MESSAGE:
                raise ValueError(f"a message of {len(message)} characters") from None
            return code
        return 0
    code = main(arguments)
    sys.stdout.flush()
    if code == 0:
        validate_output(arguments)
    return code
