"""Measures the longest work of a frame while files are checked and compared in the background.

Usage: python -m tests.bench.longest_frames [OLD NEW]  (default: the bundled character, and baked)

Milliseconds of the longest frames, without drawing: while the check runs and its findings appear
in their tab, and from the opening of the tab Compare until the differences are listed and the
errors painted, in each mode.

Of each frame: its wall time less the time that its thread was ready but waited for a processor,
which the scheduler gave to other threads and programs; then that waiting time, the time of the
processor, and how often the thread was interrupted. On a machine at rest nothing waits, and the
first time is the wall time. The wait is read from Linux (/proc/thread-self/schedstat); elsewhere
it is what the wall time exceeds that of the processor by. The program exits with 1 if a frame's
own work took longer than 50 ms.
"""

import resource
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

from rigview.clock import WallClock
from rigview.rendering.context import create_context
from rigview.resources import asset_path
from rigview.session import character_files
from rigview.session.comparison import LABELS
from rigview.session.findings import background_check
from rigview.ui import panels
from tests.support.panels import PanelDriver

ROOT = Path(__file__).resolve().parents[2]
LISTED = 3  # longest frames
RESTS = 20  # frames after the work, which show its result
LONGEST = 120.0  # seconds to wait for a result
LIMIT = 0.05  # seconds of a frame
SCHEDULE = Path("/proc/thread-self/schedstat")  # nanoseconds on a processor and waiting for one


class Moment(NamedTuple):
    """Clocks of the window's thread; the difference of two is the time of a frame."""

    wall: float  # seconds
    waited: float  # seconds, for a processor
    processor: float  # seconds
    interrupted: int  # times

    @classmethod
    def now(cls):
        """Return the present clocks."""
        wall, own = time.perf_counter(), time.thread_time()
        waited = int(SCHEDULE.read_text().split()[1]) * 1e-9 if SCHEDULE.exists() else wall - own
        switches = resource.getrusage(resource.RUSAGE_THREAD).ru_nivcsw
        return cls(wall, waited, own, switches)

    def since(self, begin):
        """Return the difference from an earlier moment."""
        return Moment(*(b - a for a, b in zip(begin, self, strict=True)))

    @property
    def work(self):
        """Wall seconds of the frame's own work."""
        return self.wall - self.waited

    @property
    def words(self):
        """The times, for people."""
        work, waited, own = (1e3 * x for x in (self.work, self.waited, self.processor))
        return f"{work:.1f} (waited {waited:.1f}, processor {own:.1f}, {self.interrupted} switches)"


class Frames:
    """Frames of a window with their times, by what happens."""

    def __init__(self, driver):
        self.driver = driver
        session = driver.session
        session.jobs.watch(lambda: background_check.poll(session))
        self.taken = defaultdict(list)  # moments

    def draw(self, name, count=1):
        """Draw frames; note the time of each."""
        session, gui = self.driver.session, self.driver.gui
        for _ in range(count):
            begin = Moment.now()
            session.poll()
            session.tick()
            gui.begin(self.driver.size, 1.0, 1 / 60)
            gui.draw_panels(session)
            session.update()
            panels.overlay(session)
            self.taken[name].append(Moment.now().since(begin))
            gui.end(self.driver.framebuffer)
            time.sleep(0.005)  # as the screen waits

    def until(self, name, done):
        """Draw frames until something is done, and those that show it."""
        end = time.monotonic() + LONGEST
        while not done() and time.monotonic() < end:
            self.draw(name)
        self.draw(name, RESTS)

    def report(self):
        """Print the longest frames of each name; return whether all were within the limit."""
        for name, taken in self.taken.items():
            longest = sorted(taken, key=lambda each: each.work, reverse=True)[:LISTED]
            listed = "\n".join(f"    {each.words} ms" for each in longest)
            sys.stdout.write(f"{name}: {len(taken)} frames, the longest\n{listed}\n")
        late = [each for taken in self.taken.values() for each in taken if each.work > LIMIT]
        sys.stdout.write(f"{len(late)} frames over {1e3 * LIMIT:g} ms\n")
        return not late


def measure(context, old, new):
    """Print the times of a check and of a comparison; return whether all were in the limit."""
    driver = PanelDriver(context, old)
    session, interface = driver.session, driver.session.interface
    session.time.clock, session.jobs.in_background = WallClock(), True
    interface.widget_boxes = None
    session.settings.check_files = True
    frames = Frames(driver)
    frames.draw("before", 60)
    interface.tabs["right"] = "Findings"
    frames.until("check", lambda: session.active.check.status == "done")
    character_files.add_files(session, [new])
    session.settings.check_files = False
    frames.draw("two characters", 60)
    interface.tabs["right"] = "Compare"
    frames.until("compare opens", lambda: session.comparison.known is not None)
    for mode, label in LABELS.items():
        session.compare(mode)
        frames.draw(label, RESTS)
    session.compare("error")
    frames.until("errors painted", lambda: session.comparison.painted_errors.errors is not None)
    within = frames.report()
    session.jobs.end()
    driver.close()
    return within


if __name__ == "__main__":
    gl = create_context()
    gl.simple_framebuffer((4, 4)).use()
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(name) for name in sys.argv[1:3]]
        if not files:
            files = [asset_path("mannequin.glb"), Path(folder, "new.glb")]
            bake = [sys.executable, "-m", "app", "bake", str(files[0]), "-o", str(files[1])]
            subprocess.run(bake, check=True, cwd=ROOT, stdout=subprocess.DEVNULL)
        code = 0 if measure(gl, *files) else 1
    gl.release()
    sys.exit(code)
