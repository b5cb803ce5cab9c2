"""The work of a background process that runs a command of the program."""

from collections.abc import Callable, Sequence

from ..console import captured_messages, reported_progress
from ..errors import AppError

Command = Callable[[Sequence[str]], int]  # runs the program with arguments; returns its exit code


def run_command(
    command: Command, arguments: tuple[str, ...], report: Callable[[object], object]
) -> tuple[str, ...]:
    """Run a command and return its messages; reports pairs of steps done and their total.

    Raises
    ------
    AppError
        The command has failed; with its message.
    """
    with captured_messages() as messages, reported_progress(lambda *steps: report(steps)):
        code = command(arguments)
    if code:
        raise AppError(messages[-1] if messages else f"exited with code {code}")
    return tuple(messages)
