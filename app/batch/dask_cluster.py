"""Tasks on the workers of a Dask cluster that is there already, through its executor."""

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
from typing import TYPE_CHECKING, TypeVar

from ..errors import AppError, UnsupportedError, UsageError, WorkerError
from ..version import __version__
from .task_result import answered, loads, noted

if TYPE_CHECKING:
    from distributed import Client

Task = TypeVar("Task")
Result = TypeVar("Result")

PATIENCE = 10.0  # seconds for the scheduler to answer
DESERTED = 30  # seconds without any worker
_AHEAD = 2  # tasks a thread of the cluster that are on their way
_LEAST = 32  # tasks on their way, also where the cluster has yet to grow

_ADDRESS = re.compile(r"(?:(tcp|tls|ws|wss|ucx)://)?(?:[^\s/:]+|\[[0-9a-fA-F:.%]+\]):\d+/?")

_in_turn = threading.Lock()  # of a worker's threads: OpenGL and numpy have threads of their own


def run_on(
    address: str,
    work: Callable[[Task], Result],
    tasks: Sequence[Task],
    *,
    verbose: bool = False,
) -> Iterator[tuple[int, Result | AppError]]:
    """Do `work` on the workers of a cluster; `rigview.batch.parallel.run` tells the rest.

    What a worker was doing when it died is done by another one, as often as the scheduler is
    told to (`distributed.scheduler.allowed-failures`, 3).
    """
    with _silence(kept=not verbose), _connected(address) as client:
        executor = client.get_executor(pure=False)
        most = max(_LEAST, _AHEAD * sum(client.nthreads().values()))
        waiting = enumerate(tasks)
        there, here = _sent(), os.getcwd()
        sent: dict[Future[bytes], int] = {}
        alone = 0  # seconds since there was a worker
        while True:
            for index, task in islice(waiting, most - len(sent)):
                data = pickle.dumps((work, task))
                sent[executor.submit(there, __version__, here, data)] = index
            if not sent:
                return
            done, _ = wait(sent, timeout=1, return_when=FIRST_COMPLETED)
            alone = 0 if done or _workers(client, address) else alone + 1
            if alone >= DESERTED:
                raise WorkerError(f"the Dask cluster at {address} has no worker")
            for future in done:
                index = sent.pop(future)
                yield index, _result(future, address)


def _sent() -> Callable[[str, str, bytes], bytes]:
    """Return what a worker is to do, as a function that travels by value.

    The scheduler reads it too, and need not have rigview.
    """
    own = __name__.partition(".")[0]  # "app" in a checkout that is not installed

    def there(version: str, folder: str, data: bytes) -> bytes:
        from importlib import import_module
        from importlib.util import find_spec

        package = "rigview" if find_spec("rigview") else own
        answer: bytes = import_module(f"{package}.batch.dask_cluster").do(version, folder, data)
        return answer

    return there


def do(version: str, folder: str, data: bytes) -> bytes:
    """Work on a task, on the cluster; one after another, whatever threads a worker has.

    A relative path means there what it means here, as long as there is such a folder.
    """
    if version != __version__:
        other = f"the Dask worker has rigview {__version__}, here it is {version}"
        return pickle.dumps(WorkerError(other))
    with _in_turn, chdir(folder) if os.path.isdir(folder) else nullcontext():
        return answered(data)


def _result(future: "Future[bytes]", address: str) -> Result | AppError:
    """Return what a task has come to; raise where that is the end of all of them."""
    if future.cancelled():
        raise WorkerError(f"the Dask cluster at {address} was lost half-way")
    try:
        found: Result | AppError = loads(future.result())
        return found
    except ImportError as error:
        raise WorkerError(
            f"a worker of the Dask cluster at {address} cannot import rigview: {error}",
            hint="install the same version of it there",
        ) from None
    except Exception as error:
        if type(error).__name__ == "KilledWorker":
            sentence = "every Dask worker that worked on it died"
            return noted(WorkerError(sentence, hint="too little memory is a usual reason"))
        return noted(WorkerError(f"the Dask cluster failed: {type(error).__name__}: {error}"))


def _workers(client: "Client", address: str) -> int:
    try:
        return len(client.nthreads())
    except OSError:
        raise WorkerError(f"the Dask cluster at {address} was lost half-way") from None


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
            hint="is it running, and does its version of distributed fit?",
        ) from None
    try:
        yield client
    finally:
        with suppress(OSError):
            client.close(timeout=2)


def _check(address: str) -> None:
    """Refuse what a Client would be stuck with, for as long as its own time-outs are."""
    found = _ADDRESS.fullmatch(address)
    if found is None:
        raise UsageError(f"--dask {address!r} is not an address", hint="as in tcp://host:8786")
    from distributed.security import Security

    if found[1] in ("tls", "wss"):
        context = Security().get_connection_args("client").get("ssl_context")
        if context is None:
            raise UsageError(
                f"--dask {address!r} needs certificates",
                hint="name them in Dask's configuration, distributed.comm.tls",
            )


@contextmanager
def _silence(*, kept: bool) -> Iterator[None]:
    """Keep Dask's loggers and warnings off standard error."""
    before = logging.root.manager.disable
    with warnings.catch_warnings():
        if kept:
            logging.disable(logging.CRITICAL)
            warnings.simplefilter("ignore")
        try:
            yield
        finally:
            logging.disable(before)
