"""The work of a background process that runs a command of the program."""

from collections.abc import Callable

from ..console import captured_messages, reported_progress
from ..errors import AppError
from ..options.command_options import Options

Command = Callable[[str, Options], int]  # runs a command with options; returns its exit code


def run_command(
    command: Command, task: tuple[str, Options], report: Callable[[object], object]
) -> tuple[str, ...]:
    """Run a command and return its messages; reports pairs of steps done and their total.

    Raises
    ------
    AppError
        The command has failed; with its message.
    """
    with captured_messages() as messages, reported_progress(lambda *steps: report(steps)):
        code = command(*task)
    if code:
        raise AppError(messages[-1] if messages else f"exited with code {code}")
    return tuple(messages)
