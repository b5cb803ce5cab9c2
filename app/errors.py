"""The errors that are reported to the user, as a tree.

::

    AppError                 caught once, in cli/main: one line on stderr and an exit code
    ├─ UsageError            invalid options or names on the command line         exit 2
    ├─ GltfError             invalid glTF: file, JSON pointer, message, hint      exit 3
    ├─ BvhError              invalid BVH: file, line, message                     exit 3
    ├─ UnsupportedError      a required extension or feature is not supported     exit 3
    ├─ MotionError           motion file: line, key, message, nearest match       exit 3
    ├─ RuleError             the code of a user's own rule fails                  exit 3
    ├─ WorkerError           a worker process or a cluster failed                 exit 3
    ├─ ContextError          no OpenGL context, or no display                     exit 4
    ├─ OutputError           a result cannot be written                           exit 5
    └─ OutOfMemoryError      there is not enough memory                           exit 71

    Terminated               a KeyboardInterrupt by SIGTERM or SIGHUP        exit 143 or 129
"""

import signal

KeyPath = tuple[str | int, ...]  # keys and indices from the root of a document


class AppError(Exception):
    """An error with a message, its place and a hint.

    Parameters
    ----------
    message
        The message: what is wrong, without a final full stop.
    file
        The file with the error, as the user named it.
    place
        A JSON pointer into the file (``/animations/2/channels/9/target``), or a line number.
    hint
        What the user can do; may be empty.

    Examples
    --------
    >>> try:
    ...     rigview.load("missing.glb")
    ... except rigview.AppError as error:
    ...     print(error)
    missing.glb: there is no such file
    """

    exit_code = 70

    def __init__(self, message: str, *, file: str = "", place: str = "", hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.file = file
        self.place = place
        self.hint = hint

    def __str__(self) -> str:
        parts = [part for part in (self.file, self.place) if part]
        text = ": ".join([*parts, self.message])
        return f"{text}; {self.hint}" if self.hint else text


class UsageError(AppError):
    """Invalid use of a command: an unknown option, clip, joint or value."""

    exit_code = 2


class GltfError(AppError):
    """The file is not valid glTF."""

    exit_code = 3


class BvhError(AppError):
    """The file is not valid BVH."""

    exit_code = 3


class UnsupportedError(AppError):
    """The file requires a feature that is not supported."""

    exit_code = 3


class MotionError(AppError):
    """A motion file is invalid, or does not fit the character that it is bound to.

    Parameters
    ----------
    message, file, hint
        As in `AppError`.
    path
        Keys and indices from the root table: ``("layers", 1, "mask")``.
    place
        The path as text: ``layers[1].mask``.
    line
        Line number from 1; 0 where it is unknown.
    """

    exit_code = 3

    def __init__(
        self,
        message: str,
        *,
        file: str = "",
        place: str = "",
        hint: str = "",
        path: KeyPath = (),
        line: int = 0,
    ) -> None:
        super().__init__(message, file=file, place=place, hint=hint)
        self.path = path
        self.line = line

    def __str__(self) -> str:
        where = f"line {self.line}" if self.line else ""
        if self.file:
            where = f"{self.file}:{self.line}" if self.line else self.file
        text = super().__str__().removeprefix(f"{self.file}: " if self.file else "")
        return f"{where}: {text}" if where else text


class RuleError(AppError):
    """The code of a user's own rule fails, with its file and line, or there is no rule in it."""

    exit_code = 3


class ConversionError(AppError):
    """A file of another format cannot be converted: no Blender, or it failed."""

    exit_code = 3


class WorkerError(AppError):
    """A worker process was killed, or the cluster cannot be reached."""

    exit_code = 3


class ContextError(AppError):
    """No OpenGL context or no display is available."""

    exit_code = 4


class OutputError(AppError):
    """A result cannot be written."""

    exit_code = 5


class OutOfMemoryError(AppError):
    """There is not enough memory."""

    exit_code = 71  # EX_OSERR


class Terminated(KeyboardInterrupt):
    """The process was asked to end (SIGTERM, SIGHUP); what was begun is undone, as after Ctrl+C.

    Parameters
    ----------
    number
        The signal.
    """

    def __init__(self, number: int = signal.SIGTERM) -> None:
        super().__init__(number)
        self.exit_code = 128 + number  # as in shells
