"""Measures the longest work of a frame while files are checked and compared in the background.

Usage: python tests/bench/longest_frames.py [OLD NEW]  (default: the bundled character, and baked)

Milliseconds of the longest frames, without drawing: while the check runs and its findings appear
in their tab, and from the opening of the tab Compare until the differences are listed and the
errors painted, in each mode. Wall time, and in parentheses that of the processor for the thread of
the window: the difference is what other threads and programs took.
"""

import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT)]

from rigview.clock import WallClock  # noqa: E402
from rigview.render.context import create_context  # noqa: E402
from rigview.resources import asset_path  # noqa: E402
from rigview.session import character_files  # noqa: E402
from rigview.session.background_diff import BackgroundDiff  # noqa: E402
from rigview.session.comparison import LABELS  # noqa: E402
from rigview.session.findings.background_check import BackgroundCheck  # noqa: E402
from tests.support.panels import PanelDriver  # noqa: E402

LISTED = 3  # longest frames
RESTS = 20  # frames after the work, which show its result
LONGEST = 120.0  # seconds to wait for a result


class Frames:
    """Frames of a window with their times, by what happens."""

    def __init__(self, driver):
        self.driver = driver
        self.checks = BackgroundCheck(driver.session)
        self.work = self.checks, BackgroundDiff(driver.session)
        self.taken = defaultdict(list)  # wall seconds and processor seconds

    def draw(self, name, count=1):
        """Draw frames; note the time of each."""
        session, gui = self.driver.session, self.driver.gui
        for _ in range(count):
            begin = time.perf_counter(), time.thread_time()
            for work in self.work:
                work.poll()
            session.tick()
            gui.begin(self.driver.size, 1.0, 1 / 60)
            gui.draw_panels(session)
            session.update()
            gui.draw_overlay(session)
            end = time.perf_counter(), time.thread_time()
            self.taken[name].append((end[0] - begin[0], end[1] - begin[1]))
            gui.end(self.driver.framebuffer)
            time.sleep(0.005)  # as the screen waits

    def until(self, name, done):
        """Draw frames until something is done, and those that show it."""
        end = time.monotonic() + LONGEST
        while not done() and time.monotonic() < end:
            self.draw(name)
        self.draw(name, RESTS)

    def report(self):
        """Print the longest frames of each name."""
        for name, taken in self.taken.items():
            longest = sorted(taken, reverse=True)[:LISTED]
            words = ", ".join(f"{1e3 * wall:.1f} ({1e3 * own:.1f})" for wall, own in longest)
            sys.stdout.write(f"{name:24}{len(taken):5} frames, longest {words} ms\n")


def measure(context, old, new):
    """Print the times of a check and of a comparison."""
    driver = PanelDriver(context, old)
    session, interface = driver.session, driver.session.interface
    session.clock, session.in_background, interface.widget_boxes = WallClock(), True, None
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
    frames.until("errors painted", lambda: session.painted_errors.errors is not None)
    frames.report()
    frames.checks.end()
    driver.close()


if __name__ == "__main__":
    gl = create_context()
    gl.simple_framebuffer((4, 4)).use()
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(name) for name in sys.argv[1:3]]
        if not files:
            files = [asset_path("mannequin.glb"), Path(folder, "new.glb")]
            bake = [sys.executable, "-m", "app", "bake", str(files[0]), "-o", str(files[1])]
            subprocess.run(bake, check=True, cwd=ROOT, stdout=subprocess.DEVNULL)
        measure(gl, *files)
    gl.release()
