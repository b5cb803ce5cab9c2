"""A run of the monkey: actions, their log, and the checks after each of them."""

import faulthandler
import json
import sys
import time
import traceback
from contextlib import ExitStack
from statistics import median

from tests.support.window_driver import Driver

from .checks import (
    FEWEST,
    FEWEST_FRESH,
    Documents,
    FaultError,
    Memory,
    Messages,
    check_window,
    resident,
)
from .choices import Choices
from .deeds import Deeds
from .disk import HOME, Disk
from .gl_objects import GlObjects

PATIENCE = 120  # seconds that an action may take
HOME_EVERY = 250  # actions between two visits of the same state
REOPEN_EVERY = 1000  # actions between two new windows


class Monkey:
    """Performs actions in the window of the program and checks what must hold.

    Parameters
    ----------
    folder
        An empty folder for its files; also the home of the program.
    log
        The file that gets the actions, a line each.
    context
        Draws an off-screen window; None: a window on the display.
    report
        Called with a line of progress now and then.
    """

    def __init__(self, folder, log, context=None, report=str):
        self.log, self.report = log, report
        self.disk = Disk(folder)
        self.done = 0  # actions
        self.memory = Memory()
        self.counts = []  # OpenGL objects in the same state
        self.fresh_counts = []  # in windows that have just been opened
        self._documents = Documents()
        self._objects = GlObjects()
        self._messages = Messages()
        self._context = context

    def run(self, actions):
        """Perform actions; `actions` is called with driver and disk and yields them.

        Raises
        ------
        FaultError
            Something must not happen.
        """
        with ExitStack() as stack:
            stack.enter_context(self._messages.recording())
            stack.enter_context(self._objects.recording())
            self.driver = Driver(self.disk.folder, self._context)
            stack.callback(self.driver.end)
            self._deeds = Deeds(self.driver, self.disk)
            self._open()
            for action in actions(self.driver, self.disk):
                self.log.write(json.dumps(action, ensure_ascii=False) + "\n")
                self.log.flush()
                faulthandler.dump_traceback_later(PATIENCE, exit=True, file=self.log)
                self._perform(action)
                faulthandler.cancel_dump_traceback_later()
            self._documents.check_undo(self.driver.session)
            self._shut()
        self.memory.check()
        self._check_counts()

    def _open(self):
        if self._context is not None:
            self._objects.begin(self._context)
        self.driver.open(HOME)
        if self._context is None:
            self._objects.begin(self.driver.viewer.context)

    def _perform(self, action):
        driver = self.driver
        if action["do"] == "home":
            self._documents.check_undo(driver.session)
        if action["do"] == "reopen":
            self._reopen()
        else:
            self._deeds.do(action)
        self.done += 1
        if driver.viewer.closed:
            self._shut()
            self._open()
        self._documents.note(driver.session)
        check_window(driver, self._messages)
        self._check_objects()
        if action["do"] == "home":
            self.counts.append(self._objects.counts())
            self.memory.measure(self.done, self.counts[-1]["Program"])
            _, size, programs = self.memory.samples[-1]
            parts = f"{size:.1f} MiB with {programs} programs", f"{resident():.0f} MiB resident"
            self.report(f"{self.done} actions, {', '.join(parts)}")

    def _reopen(self):
        """Open a new window in the same state, and measure the memory."""
        self._shut()
        self._open()
        self._deeds.do({"do": "home"})
        self.memory.measure_fresh(self.done)
        self.fresh_counts.append(self._objects.counts())

    def _shut(self):
        self.driver.shut()
        if self._context is not None:
            self._check_objects()
            if any(self._objects.counts().values()):
                raise FaultError(f"OpenGL objects of a closed window: {self._objects.counts()}")

    def _check_objects(self):
        faults = self._objects.faults()
        if faults:
            raise FaultError(f"OpenGL objects: {faults}")

    def _check_counts(self):
        """Windows do not get more objects in the course of a run, neither new nor in use.

        Passes and programs create theirs when they are needed first; new windows follow settings.
        """
        for counts, fewest in ((self.counts, FEWEST), (self.fresh_counts, FEWEST_FRESH)):
            half = len(counts) // 2
            if half < fewest // 2:
                continue
            for kind in counts[0].keys() - {"Program"}:
                early, late = ([each[kind] for each in part] for part in _halves(counts, half))
                if median(late) > max(early):
                    raise FaultError(f"{kind}: {max(early)} objects became {median(late)}")


def _halves(items, half):
    return items[:half], items[half:]


def drawn(seed, seconds, most):
    """Return a function that yields actions by a seed, for some seconds at most."""

    def actions(driver, disk):
        choices, start = Choices(driver, disk, seed), time.monotonic()
        for number in range(most):
            if time.monotonic() - start > seconds:
                return
            if number % HOME_EVERY == 0:
                yield {"do": "home"}
            if number and number % REOPEN_EVERY == 0:
                yield {"do": "reopen"}
            yield choices.next()
        yield {"do": "home"}

    return actions


def replayed(lines):
    """Return a function that yields the actions of a log."""
    return lambda _driver, _disk: (json.loads(line) for line in lines if line.startswith("{"))


def fault_of(monkey, actions):
    """Run; return where and what the first fault is, "" for none, and its traceback."""
    try:
        monkey.run(actions)
    except Exception as error:
        frames = traceback.extract_tb(sys.exc_info()[2])
        own = [each for each in frames if "/app/" in each.filename] or frames
        words = str(error) if isinstance(error, FaultError) else type(error).__name__
        place = "" if isinstance(error, FaultError) else f" in {own[-1].name}"
        return f"{words.split(':')[0]}{place}", traceback.format_exc()
    return "", ""
