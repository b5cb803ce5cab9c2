"""What must hold after every action of the monkey, and over a whole run."""

import ctypes
import gc
import os
import sys
import tempfile
import threading
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from imgui_bundle import imgui

from rigview.motion.document import MotionDoc
from rigview.motion.read import MotionFile
from rigview.motion.write import write_motion
from rigview.session.commands.actions import action
from rigview.session.undo_history import DEEPEST

WARM_UP = 0.25  # share of the memory's samples that are not judged
FEWEST = 30  # samples of the memory that are judged
FEWEST_FRESH = 8  # of windows that have just been opened
STEEPEST = 1.0  # MiB that the memory may grow per 1000 actions
BLOCK = 80  # bytes of a small object of Python, on average
THREADS = 12  # at once, at most


class FaultError(AssertionError):
    """Something that must not happen."""


class Messages:
    """What the process writes to standard error, also from C."""

    @contextmanager
    def recording(self):
        with tempfile.TemporaryFile() as file:
            self._file, self._seen = file, 0
            sys.stderr.flush()
            kept = os.dup(2)
            os.dup2(file.fileno(), 2)
            try:
                yield self
            finally:
                sys.stderr.flush()
                os.dup2(kept, 2)
                os.close(kept)

    def new(self):
        """Return what was written since the last call."""
        sys.stderr.flush()
        size = os.fstat(self._file.fileno()).st_size
        start, self._seen = self._seen, size
        return os.pread(self._file.fileno(), size - start, start).decode(errors="replace").strip()


def check_window(driver, messages):
    """Check messages, ImGui's stacks, the OpenGL errors, the error pop-up and the scene."""
    said = messages.new()
    if said:
        raise FaultError(f"written to standard error: {said}")
    error = driver.viewer.context.error
    if error != "GL_NO_ERROR":
        raise FaultError(f"OpenGL: {error}")
    _check_imgui()
    check_scene(driver.session)
    if threading.active_count() > THREADS:
        raise FaultError(f"{threading.active_count()} threads")


def _check_imgui():
    state = imgui.get_current_context()
    if state.error_count_current_frame:
        raise FaultError("ImGui counts an error of its use")
    if state.hovered_id_previous_frame_item_count > 1:
        raise FaultError("two widgets with the same ID")


def check_scene(session):
    """Check that an error in the window is a sentence, and that camera and poses are finite."""
    interface = session.interface
    if interface.popup == "error":
        for line in interface.error.split("\n"):
            if not line.strip() or "Traceback" in line or "Error(" in line:
                raise FaultError(f"an error that is no sentence: {interface.error!r}")
    orbit = session.scene.camera.orbit
    numbers = [orbit.azimuth, orbit.elevation, orbit.distance, *orbit.target, session.aspect]
    for each in session.open_characters:
        numbers.append(float(each.character.matrices.sum()))
    if not np.isfinite(numbers).all():
        raise FaultError(f"a number that is not finite: {numbers}")


class Documents:
    """The first documents of all editors, to compare them after undoing everything."""

    def __init__(self):
        self._first = []  # (editor, document, its text)

    def note(self, session):
        """Note the documents of editors that have no edits yet."""
        now = [each.editor for each in session.open_characters]
        edited = [step.subject for step in session.history._steps]
        known = [each for each in self._first if _is_in(each[0], now)]
        for editor in now:
            if not _is_in(editor, edited):
                known = [each for each in known if each[0] is not editor]
                known.append((editor, editor.document, repr(editor.document)))
        self._first = known

    def check_undo(self, session):
        """Undo all edits, compare the documents of all characters, and redo them."""
        self.note(session)
        session.editor.end_drag()
        before = [(each, _text(each.editor.document)) for each in session.open_characters]
        steps, undone = len(session.history._steps), 0
        while session.history.undo_label:
            action("undo").run(session)
            undone += 1
        for each, _ in before:
            self._compare(each, whole=steps < DEEPEST)
        for _ in range(undone):
            action("redo").run(session)
        for each, text in before:
            if _text(each.editor.document) != text:
                raise FaultError(f"{each.name}: redo does not lead to the last document")

    def _compare(self, opened, *, whole):
        found = [each[1:] for each in self._first if each[0] is opened.editor]
        for first, text in found:
            if repr(first) != text:
                raise FaultError(f"{opened.name}: the first document has changed")
            if whole and _text(opened.editor.document) != _text(first):
                raise FaultError(f"{opened.name}: undo does not lead to the first document")


def _is_in(history, some):
    return any(history is each for each in some)


def _text(document):
    return write_motion(MotionFile(MotionDoc()), document)


class _Allocations(ctypes.Structure):
    """What mallinfo2 of glibc returns."""

    _names = "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost"
    _fields_ = [(name, ctypes.c_size_t) for name in _names.split()]


def allocated():
    """Return the allocated memory, MiB: that of C, also of Mesa and of arrays, and of Python.

    The resident memory is larger: it has the holes between blocks, whose share grows for hours.
    """
    gc.collect()
    ask = ctypes.CDLL(None).mallinfo2
    ask.restype = _Allocations
    found = ask()
    small = sys.getallocatedblocks() * BLOCK
    return (found.uordblks + found.hblkhd + small) / 2**20


def resident():
    """Return the resident memory, MiB."""
    ctypes.CDLL(None).malloc_trim(0)
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


class Memory:
    """The allocated memory, measured in the same state again and again."""

    def __init__(self):
        self.samples = []  # (actions, MiB, shader programs)
        self.fresh = []  # (actions, MiB) of windows that have just been opened

    def measure(self, actions, programs):
        self.samples.append((actions, allocated(), programs))

    def measure_fresh(self, actions):
        self.fresh.append((actions, allocated()))

    def slope(self):
        """MiB per 1000 actions after the warm-up and its standard error; None: too few samples.

        Shader programs take about 2 MiB each and are freed with the window: their share is fitted.
        """
        judged = _judged(self.samples)
        if len(judged) < FEWEST:
            return None
        actions, sizes, programs = judged.T
        terms = np.stack([actions / 1000, programs, np.ones(len(judged))], axis=1)
        return _fitted(terms, sizes)

    def fresh_slope(self):
        """`slope` of windows that have just been opened; None if there are too few."""
        judged = _judged(self.fresh)
        if len(judged) < FEWEST_FRESH:
            return None
        actions, sizes = judged.T
        return _fitted(np.stack([actions / 1000, np.ones(len(judged))], axis=1), sizes)

    def check(self):
        """Check both slopes, each without twice its standard error."""
        for slope, samples in ((self.slope(), self.samples), (self.fresh_slope(), self.fresh)):
            if slope is not None and slope[0] - 2 * slope[1] > STEEPEST:
                raise FaultError(
                    f"the memory grows by {slope[0]:.2f} MiB per 1000 actions: {samples}"
                )


def _judged(samples):
    return np.array(samples[round(WARM_UP * len(samples)) :], dtype=float)


def _fitted(terms, sizes):
    """Return the first coefficient of a linear fit and its standard error."""
    found = np.linalg.lstsq(terms, sizes, rcond=None)[0]
    variance = np.sum((sizes - terms @ found) ** 2) / (len(terms) - terms.shape[1])
    return float(found[0]), float(np.sqrt(variance * np.linalg.inv(terms.T @ terms)[0, 0]))
