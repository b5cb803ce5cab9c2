"""Every error a user may meet, drawn as a tree.

::

    AppError                 caught once, in cli/main: one line on stderr and an exit code
    ├─ UsageError            wrong use of the command line                        exit 2
    ├─ GltfError             file, place, sentence, hint                          exit 3
    ├─ BvhError              file, line, sentence                                 exit 3
    ├─ UnsupportedError      a required extension or feature we do not have       exit 3
    ├─ MotionError           motion file: line, key, sentence, nearest match      exit 3
    ├─ WorkerError           a process or a cluster that was to work on a file    exit 3
    ├─ ContextError          no OpenGL, or no display                             exit 4
    └─ OutputError           cannot be written                                    exit 5
"""


class AppError(Exception):
    """What went wrong, in one sentence; where; and what to do about it.

    Parameters
    ----------
    sentence
        What is wrong, without a final full stop.
    file
        The file it was found in, as the user named it.
    place
        A JSON pointer into the file (``/animations/2/channels/9/target``), or a line.
    hint
        What to do, where that can be said.
    """

    exit_code = 1

    def __init__(self, sentence: str, *, file: str = "", place: str = "", hint: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.file = file
        self.place = place
        self.hint = hint

    def __str__(self) -> str:
        parts = [part for part in (self.file, self.place) if part]
        text = ": ".join([*parts, self.sentence])
        return f"{text}; {self.hint}" if self.hint else text


class UsageError(AppError):
    """The command was used wrongly: an unknown clip, joint or value."""

    exit_code = 2


class GltfError(AppError):
    """A file that is not sound glTF."""

    exit_code = 3


class BvhError(AppError):
    """A file that is not sound BVH."""

    exit_code = 3


class UnsupportedError(AppError):
    """A file that needs what this program does not support."""

    exit_code = 3


class MotionError(AppError):
    """A motion file that is not sound, or that does not fit the character it is put to work on.

    Parameters
    ----------
    sentence, file, hint
        As of AppError.
    path
        Keys and indices from the top of the file: ``("layers", 1, "mask")``.
    place
        The same as a person reads it: ``layers[1].mask``.
    line
        Counted from 1; 0 where it is not known.
    """

    exit_code = 3

    def __init__(
        self,
        sentence: str,
        *,
        file: str = "",
        place: str = "",
        hint: str = "",
        path: tuple[str | int, ...] = (),
        line: int = 0,
    ) -> None:
        super().__init__(sentence, file=file, place=place, hint=hint)
        self.path = path
        self.line = line

    def __str__(self) -> str:
        where = f"line {self.line}" if self.line else ""
        if self.file:
            where = f"{self.file}:{self.line}" if self.line else self.file
        text = super().__str__().removeprefix(f"{self.file}: " if self.file else "")
        return f"{where}: {text}" if where else text


class WorkerError(AppError):
    """A process that worked on a file was killed, or there is no cluster to send files to."""

    exit_code = 3


class ContextError(AppError):
    """No OpenGL context, or no display, could be had."""

    exit_code = 4


class OutputError(AppError):
    """A result could not be written."""

    exit_code = 5
