"""What answers in place of the system, so that a run can be repeated: files, dialogs, loading."""

import threading
from contextlib import contextmanager
from unittest.mock import patch

from rigview.batch.jobs import Jobs, Shows
from rigview.checks.finding import Finding
from rigview.loading.file_watcher import file_stamps
from rigview.session.file_reading import FILES
from rigview.session.findings.background_check import CHECK
from rigview.tasks.check_report import CheckReport
from rigview.window import file_changes, viewer


class PollingWatcher:
    """A file watcher without a thread: it compares the files whenever it is asked."""

    def __init__(self, _clock):
        self.failure = ""
        self._files, self._stamps = (), {}

    def watch(self, files):
        if set(self._files) != set(files):
            self._files = tuple(files)
            self._stamps = file_stamps(self._files)

    def changed(self):
        before, self._stamps = self._stamps, file_stamps(self._files)
        return self._stamps != before

    def close(self):
        self._files, self._stamps = (), {}


class Dialog:
    """A file dialog that is answered by an action; `available` is whether the system has one."""

    available = True
    shown = None  # the open dialog

    def __init__(self, *, saving):
        self.saving = saving
        self.answer = None

    @classmethod
    def show(cls, _start, _title, *, saving=False):
        if not cls.available:
            return None
        Dialog.shown = cls(saving=saving)
        return Dialog.shown

    def ready(self):
        return self.answer is not None

    def result(self):
        Dialog.shown = None
        return self.answer

    def close(self):
        Dialog.shown = None


REPORT = CheckReport(  # of every check; its findings are about things that some of the files have
    findings=(
        Finding(
            "12 vertices",
            rule="weights-sum",
            severity="error",
            fix="normalise",
            place="/meshes/0/primitives/0",
        ),
        Finding(
            "it pops",
            rule="pop",
            severity="warning",
            fix="delete it",
            clip="Walk",
            joint="Hips",
            time=0.4,
        ),
        Finding(
            "it trembles",
            rule="noise",
            severity="warning",
            fix="filter it",
            place="/animations/1",
        ),
        Finding(
            "a name",
            rule="name-shared",
            severity="info",
            fix="rename it",
            place="/nodes/3/name",
        ),
    ),
    known=(
        Finding(
            "it is 79 m tall", rule="units", severity="warning", fix="scale it", place="/scenes"
        ),
    ),
)


def report_of_a_check(report):
    report(0.5)
    return REPORT


class PromptJobs(Jobs):
    """Waits for what is done in threads, so that a log can be repeated; starts no process.

    Files are read only while the gate is open.
    """

    gate = threading.Event()

    def __init__(self):
        super().__init__(in_background=True)
        self.gate.set()

    def start(self, key, work, then, **options):
        if key == CHECK:
            work = report_of_a_check
        elif key == FILES:
            work = self._gated(work)
        return super().start(key, work, then, **options | {"in_process": False, "delay": 0.0})

    def poll(self):
        shows = super().poll()
        while waiting := [key for key in self._running if key != FILES]:
            self.wait(*waiting)
            shows = max(shows, super().poll(), Shows.PANELS)
        if self.gate.is_set() and FILES in self._running:
            self._running[FILES].job.wait()
        return shows

    def _gated(self, work):
        def read(report):
            self.gate.wait()
            return work(report)

        return read


@contextmanager
def installed(fetch, shift, open_window=None):
    """Install the stand-ins.

    Parameters
    ----------
    fetch
        Dispatches events, in place of `fetch_events`.
    shift
        Returns whether Shift is held during a drop.
    open_window
        Opens the window; None: on the display.
    """
    Dialog.shown = None
    PromptJobs.gate.set()
    own = [
        patch.object(viewer, "fetch_events", fetch),
        patch.object(viewer, "shift_held", shift),
        patch.object(file_changes, "Watcher", PollingWatcher),
        patch.object(file_changes, "FileDialog", Dialog),
    ]
    if open_window is not None:
        own.append(patch.object(viewer, "open_window", open_window))
    for each in own:
        each.start()
    try:
        yield
    finally:
        PromptJobs.gate.set()
        for each in reversed(own):
            each.stop()
