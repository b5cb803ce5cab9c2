"""Run a function in a forked process, and end it or fail it at any of its system calls.

By ptrace(2), on Linux on x86-64 only. The calls of the main thread are counted from the first one
that creates a file.
"""

import ctypes
import os
import platform
import signal
import sys
from contextlib import suppress

SUPPORTED = sys.platform == "linux" and platform.machine() == "x86_64"
KILLED = -signal.SIGKILL

# Requests and options of ptrace(2), and registers in `struct user`.
_TRACEME, _PEEKUSER, _POKEUSER, _SYSCALL, _SETOPTIONS = 0, 3, 6, 24, 0x4200
_SYSGOOD, _EXITKILL = 1, 1 << 20
_RAX, _RDX, _ORIG_RAX = 10 * 8, 12 * 8, 15 * 8
_AT_A_CALL = signal.SIGTRAP | 0x80

_OPENAT = 257
# write, close, pwrite64, writev, fsync, ftruncate, rename, chmod, openat, renameat, fchmodat
_FILE_CALLS = frozenset({1, 3, 18, 20, 74, 77, 82, 90, _OPENAT, 264, 268})


def run(action, limit=None):
    """Run a function in a forked process; return its exit status.

    Parameters
    ----------
    action
        Returns the exit status; an exception is 70.
    limit
        Largest size of the files that it writes, bytes: the disk is full there.
    """
    child = _fork(action, limit=limit)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def count(action, *, files=False):
    """Return the number of system calls of a function; with `files`, of those about files."""
    seen = []
    _traced(action, lambda _, child: seen.append(_ptrace(_PEEKUSER, child, _ORIG_RAX)))
    return sum(call in _FILE_CALLS for call in seen) if files else len(seen)


def run_and_kill(action, number):
    """Run a function and kill it (SIGKILL) before a system call.

    Returns the exit status, `KILLED` unless there are fewer calls.
    """

    def at_a_call(calls, child):
        if calls == number:
            os.kill(child, signal.SIGKILL)

    return _traced(action, at_a_call)


def run_and_fail(action, number, code):
    """Run a function; one of its calls about files fails with an error number.

    Returns the exit status.
    """
    files, failing = 0, 0

    def at_a_call(calls, child):
        nonlocal files, failing
        if _ptrace(_PEEKUSER, child, _ORIG_RAX) in _FILE_CALLS:
            files += 1
            if files == number:
                failing = calls
                _ptrace(_POKEUSER, child, _ORIG_RAX, -1)  # no such call: skipped

    def after_a_call(calls, child):
        if calls == failing:
            _ptrace(_POKEUSER, child, _RAX, -code)

    return _traced(action, at_a_call, after_a_call)


def _traced(action, at_a_call, after_a_call=None):
    """Run a function, and others with the number and the process before and after its calls."""
    child = _fork(action, traced=True)
    os.waitpid(child, 0)
    _ptrace(_SETOPTIONS, child, 0, _SYSGOOD | _EXITKILL)
    calls, inside, sent = 0, False, 0
    while True:
        with suppress(ProcessLookupError):  # killed
            _ptrace(_SYSCALL, child, 0, sent)
        status = os.waitpid(child, 0)[1]
        if not os.WIFSTOPPED(status):
            return os.waitstatus_to_exitcode(status)
        stop = os.WSTOPSIG(status)
        sent = 0 if stop == _AT_A_CALL else stop
        if sent:
            continue
        inside = not inside
        if inside and (calls or _creates_a_file(child)):
            calls += 1
            at_a_call(calls, child)
        elif calls and not inside and after_a_call is not None:
            after_a_call(calls, child)


def _creates_a_file(child):
    return (
        _ptrace(_PEEKUSER, child, _ORIG_RAX) == _OPENAT
        and _ptrace(_PEEKUSER, child, _RDX) & os.O_CREAT != 0
    )


def _fork(action, *, limit=None, traced=False):
    child = os.fork()
    if child:
        return child
    status = 70
    with suppress(BaseException):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        if limit is not None:
            import resource

            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        if traced:
            _ptrace(_TRACEME, 0)
            os.kill(os.getpid(), signal.SIGSTOP)
        status = action()
    os._exit(status)


def _ptrace(request, child, address=0, data=0):
    ctypes.set_errno(0)
    result = _libc_ptrace(request, child, address, data)
    if result == -1 and ctypes.get_errno():
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


if SUPPORTED:
    _libc_ptrace = ctypes.CDLL(None, use_errno=True).ptrace
    _libc_ptrace.argtypes = (ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p)
    _libc_ptrace.restype = ctypes.c_long
