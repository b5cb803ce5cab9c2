"""What answers in place of the system, so that a run can be repeated: files, dialogs, loading."""

import threading
from contextlib import contextmanager
from unittest.mock import patch

from rigview.batch import background_task
from rigview.check.finding import Finding
from rigview.loading.file_watcher import file_stamps
from rigview.session import character_files
from rigview.session.background_diff import BackgroundDiff
from rigview.session.background_loading import Loading
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


class GatedLoading(Loading):
    """Reads files only while the gate is open, and then waits for the end."""

    gate = threading.Event()
    gate.set()

    def wait(self, _seconds):
        if self.gate.is_set():
            super().wait(threading.TIMEOUT_MAX)
        return self.done

    def _run(self):
        self.gate.wait()
        return super()._run()


class PromptDiff(BackgroundDiff):
    """Waits for what is computed in threads, so that a log can be repeated."""

    def poll(self):
        changed = super().poll()
        while self.working:
            self.wait()
            changed |= super().poll()
        return changed


class InstantCheck:
    """A check without a process; its findings are about things that some of the files have."""

    progress = 0.5
    result = CheckReport(
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

    def __init__(self, _work, _arguments):
        pass

    def end(self):
        pass


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
    GatedLoading.gate.set()
    own = [
        patch.object(viewer, "fetch_events", fetch),
        patch.object(viewer, "shift_held", shift),
        patch.object(viewer, "Loading", GatedLoading),
        patch.object(character_files, "Loading", GatedLoading),
        patch.object(viewer, "BackgroundDiff", PromptDiff),
        patch.object(file_changes, "Watcher", PollingWatcher),
        patch.object(file_changes, "FileDialog", Dialog),
        patch.object(background_task, "BackgroundTask", InstantCheck),
    ]
    if open_window is not None:
        own.append(patch.object(viewer, "open_window", open_window))
    for each in own:
        each.start()
    try:
        yield
    finally:
        GatedLoading.gate.set()
        for each in reversed(own):
            each.stop()
