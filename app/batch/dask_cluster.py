"""Tasks on the workers of an existing Dask cluster, submitted through its executor."""

import io
import logging
import os
import pickle
import re
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import chdir, contextmanager, nullcontext, suppress
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from ..errors import AppError, UnsupportedError, UsageError, WorkerError
from ..version import __version__
from ..wording import one_line
from .task_attempt import Unpickler, dumps, run_pickled, with_traceback_note

if TYPE_CHECKING:
    from distributed import Client

Task = TypeVar("Task")
Result = TypeVar("Result")

PATIENCE = 10.0  # seconds for the scheduler to answer
DESERTED = 30  # seconds without any worker before giving up
NOTICED = 2  # seconds without any worker before this is reported
_AHEAD = 2  # submitted tasks per thread of the cluster
_LEAST = 32  # least number of submitted tasks, for clusters that grow

_ADDRESS = re.compile(r"(?:(tcp|tls|ws|wss|ucx)://)?(?:[^\s/:]+|\[[0-9a-fA-F:.%]+\]):\d+/?")

_ERRORS = (
    *("AppError", "BvhError", "ContextError", "ConversionError", "GltfError", "MotionError"),
    *("OutOfMemoryError", "OutputError", "RuleError", "UnsupportedError", "UsageError"),
    "WorkerError",
)
_RESULTS = frozenset(  # what results are made of, besides numbers, text, bytes and containers
    (
        ("numpy", "dtype"),
        ("numpy", "ndarray"),
        ("numpy._core.multiarray", "_reconstruct"),
        ("numpy.core.multiarray", "_reconstruct"),  # numpy 1
        ("rigview.checks.finding", "Finding"),
        ("rigview.checks.rule_settings", "Ignore"),
        *(("rigview.errors", name) for name in _ERRORS),
        ("rigview.images.contact_sheet", "Row"),
        ("rigview.loading.import_clips", "ImportedFile"),
        ("rigview.pages.entry", "AnimationRow"),
        ("rigview.pages.entry", "CharacterEntry"),
        ("rigview.pages.entry", "JointRow"),
        ("rigview.pages.entry", "Media"),
        ("rigview.pages.packed_arrays", "Content"),
        ("rigview.tasks.file_results", "TaskOutput"),
        ("rigview.tasks.check_report", "Accepted"),
        ("rigview.tasks.check_report", "CheckReport"),
        ("rigview.tasks.report_entry", "Part"),
    )
)

_one_at_a_time = threading.Lock()  # for a worker's threads: OpenGL and numpy use own threads


def run_on(
    address: str,
    work: Callable[[Task], Result],
    tasks: Sequence[Task],
    *,
    verbose: bool = False,
    notify: Callable[[str], None] = lambda _: None,
) -> Iterator[tuple[int, Result | AppError]]:
    """Run `work` on the workers of a cluster; parameters as in `rigview.batch.parallel.run`.

    Tasks of a worker that died run again on another one, as often as the scheduler allows
    (`distributed.scheduler.allowed-failures`, 3).
    """
    with _silence(enabled=not verbose), _connected(address) as client:
        executor = client.get_executor(pure=False)
        most = max(_LEAST, _AHEAD * sum(client.nthreads().values()))
        waiting = enumerate(tasks)
        remote_function, here = _remote_function(), os.getcwd()
        sent: dict[Future[bytes], int] = {}
        idle_seconds = 0  # since there was a worker
        while True:
            for index, task in islice(waiting, most - len(sent)):
                data = pickle.dumps((work, task))
                sent[executor.submit(remote_function, __version__, here, data)] = index
            if not sent:
                return
            done, _ = wait(sent, timeout=1, return_when=FIRST_COMPLETED)
            idle_seconds = 0 if done or _workers(client, address) else idle_seconds + 1
            if idle_seconds == NOTICED:
                rest = f"waiting up to {DESERTED} s for one"
                notify(f"the Dask cluster at {address} has no worker; {rest}")
            if idle_seconds >= DESERTED:
                raise WorkerError(f"the Dask cluster at {address} has no worker")
            for future in done:
                index = sent.pop(future)
                yield index, _result(future, address)


def _remote_function() -> Callable[[str, str, bytes], bytes]:
    """Return the function that a worker runs, pickled by value.

    The scheduler unpickles it too, and need not have rigview installed.
    """
    own = __name__.partition(".")[0]  # "app" in a checkout that is not installed

    def run_task(version: str, folder: str, data: bytes) -> bytes:
        from importlib import import_module
        from importlib.util import find_spec

        package = "rigview" if find_spec("rigview") else own
        return import_module(f"{package}.batch.dask_cluster").do(version, folder, data)

    return run_task


def do(version: str, folder: str, data: bytes) -> bytes:
    """Run a pickled task on a worker, one at a time even if the worker has several threads.

    The working directory of the client is used if it exists on the worker.
    """
    if version != __version__:
        other = f"the Dask worker has rigview {__version__}, this is {version}"
        return dumps(WorkerError(other))
    with _one_at_a_time, chdir(folder) if os.path.isdir(folder) else nullcontext():
        return run_pickled(data)


def _result(future: "Future[bytes]", address: str) -> Result | AppError:
    """Return the result of a task; raise if the cluster failed."""
    if future.cancelled():
        raise WorkerError(f"the Dask cluster at {address} was lost")
    try:
        data = future.result()
    except ImportError as error:
        raise WorkerError(
            f"a worker of the Dask cluster at {address} cannot import rigview: {error}",
            hint="install the same version on the workers",
        ) from None
    except Exception as error:
        if type(error).__name__ == "KilledWorker":
            message = "every Dask worker that ran the task died"
            return with_traceback_note(
                WorkerError(message, hint="a common reason is too little memory")
            )
        return with_traceback_note(
            WorkerError(f"the Dask cluster failed: {type(error).__name__}: {error}")
        )
    try:
        return unpacked(data)
    except Exception as error:  # pickle raises any for broken data
        raise WorkerError(
            f"a worker of the Dask cluster at {address} sent something else than a result: "
            f"{one_line(str(error))}",
            hint="use a cluster that you trust, with the same version of rigview",
        ) from None


class _ResultUnpickler(Unpickler):
    """Unpickler of results: any other class or function than theirs is refused."""

    def find_class(self, module: str, name: str) -> Any:  # noqa: ANN401 - signature of pickle
        root, dot, rest = module.partition(".")
        known = f"rigview{dot}{rest}" if root == "app" else module
        if (known, name) not in _RESULTS:
            raise pickle.UnpicklingError(f"{module}.{name} is not part of a result")
        return super().find_class(module, name)


def unpacked(data: bytes) -> Any:  # noqa: ANN401 - the result of any work
    """Return the result that a worker packed; raise an Exception if it is not one."""
    return _ResultUnpickler(io.BytesIO(data)).load()


def _workers(client: "Client", address: str) -> int:
    try:
        return len(client.nthreads())
    except OSError:
        raise WorkerError(f"the Dask cluster at {address} was lost") from None


@contextmanager
def _connected(address: str) -> "Iterator[Client]":
    try:
        from distributed import Client
    except ImportError:
        raise UnsupportedError(
            "--dask needs the package distributed",
            hint="install it with pip install 'rigview[farm]'",
        ) from None
    _check(address)
    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False, name="rigview")
    except OSError:  # its own TimeoutError is one
        raise WorkerError(
            f"no Dask scheduler answers at {address} within {PATIENCE:g} s",
            hint="check that it is running with a compatible version of distributed",
        ) from None
    try:
        yield client
    finally:
        with suppress(OSError):
            client.close(timeout=2)


def _check(address: str) -> None:
    """Raise for addresses that would block a Client until its own time-out."""
    match = _ADDRESS.fullmatch(address)
    if match is None:
        raise UsageError(f"--dask {address!r} is not an address", hint="as in tcp://host:8786")
    from distributed.security import Security

    if match[1] in ("tls", "wss"):
        context = Security().get_connection_args("client").get("ssl_context")
        if context is None:
            raise UsageError(
                f"--dask {address!r} needs certificates",
                hint="set them in Dask's configuration, distributed.comm.tls",
            )


@contextmanager
def _silence(*, enabled: bool) -> Iterator[None]:
    """Keep Dask's loggers and warnings off standard error."""
    before = logging.root.manager.disable
    with warnings.catch_warnings():
        if enabled:
            logging.disable(logging.CRITICAL)
            warnings.simplefilter("ignore")
        try:
            yield
        finally:
            logging.disable(before)
