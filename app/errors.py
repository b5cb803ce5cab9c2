"""Every error a user may meet, drawn as a tree.

::

    AppError                 caught once, in cli/main: one line on stderr and an exit code
    ├─ UsageError            wrong use of the command line                        exit 2
    ├─ GltfError             file, place, sentence, hint                          exit 3
    ├─ UnsupportedError      a required extension or feature we do not have       exit 3
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


class UnsupportedError(AppError):
    """A file that needs what this program does not support."""

    exit_code = 3


class ContextError(AppError):
    """No OpenGL context, or no display, could be had."""

    exit_code = 4


class OutputError(AppError):
    """A result could not be written."""

    exit_code = 5
