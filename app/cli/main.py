"""The entry point: run a command, and report errors as one line and an exit code."""

import gc
import os
import signal
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from types import FrameType
from typing import TYPE_CHECKING

from ..console import (
    captured_messages,
    discard_stdout,
    each_warning_once,
    print_line,
    print_message,
    reported_progress,
    warn,
)
from ..errors import AppError, OutOfMemoryError, OutputError, Terminated, UsageError
from ..fields.command_groups import COMMANDS
from ..images.fallback_fonts import undrawn
from ..version import __version__, bundled_parts, project_urls
from ..wording import first_of, one_line, suggestion

if TYPE_CHECKING:
    from ..options.command_options import Options

INTERNAL_ERROR = 70  # EX_SOFTWARE of sysexits.h
INTERRUPTED = 130  # 128 + SIGINT, as in shells
UNREAD = 141  # 128 + SIGPIPE: the reader closed the pipe, as `| head` does, before the end
_GC_THRESHOLD = 100_000  # objects between garbage collections: start-up makes many and no garbage


def run() -> None:
    """Run the program with the arguments of the process, and exit.

    Commands other than `view` skip the teardown of the interpreter and the OpenGL driver, which
    takes 20 ms of the 290 ms of a first picture.
    """
    gc.set_threshold(_GC_THRESHOLD)
    for name in ("SIGTERM", "SIGHUP"):  # Windows has no SIGHUP; `nohup` ignores it
        number = getattr(signal, name, None)
        # the handler of a supervised program is another one
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _terminate)
    arguments = sys.argv[1:]
    code = main(arguments)
    if split_command(arguments)[0] != "view":
        os._exit(code)
    sys.exit(code)


def _terminate(number: int, _frame: FrameType | None) -> None:
    raise Terminated(number)


def main(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code; errors are reported, not raised."""
    command, rest = split_command(arguments)
    return _reported(lambda: _command(command, rest), verbose="--verbose" in rest)


def run_beside_window(
    command: str, options: "Options", report: Callable[[tuple[int, int]], object]
) -> tuple[str, ...]:
    """Run a command with options and return its messages; reports steps done and their total.

    Raises
    ------
    AppError
        The command has failed; with its message.
    """
    with captured_messages() as messages, reported_progress(lambda *steps: report(steps)):
        code = _reported(lambda: _run(command, options), verbose=options.general.verbose)
    if code:
        raise AppError(messages[-1] if messages else f"exited with code {code}")
    return tuple(messages)


def _reported(run: Callable[[], int], *, verbose: bool) -> int:
    """Return the exit code of a command; its error is reported as one line."""
    try:
        with each_warning_once():
            code = run()
        _flush()
        return code  # also if the reader has closed the pipe
    except AppError as error:
        return _report_error(error, str(error), error.exit_code, verbose=verbose)
    except Terminated as error:
        return error.exit_code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        discard_stdout()
        return UNREAD
    except MemoryError as error:
        return _report_error(error, "out of memory", OutOfMemoryError.exit_code, verbose=verbose)
    except Exception as error:
        if code := _signal_code(error):
            return code
        where = f" at {url}" if (url := project_urls().get("Issues")) else ""
        message = (
            f"internal error: {type(error).__name__}: {error}; "
            f"please report it{where}, with the output of --verbose"
        )
        return _report_error(error, message, INTERNAL_ERROR, verbose=verbose)


def _signal_code(error: BaseException) -> int:
    """Return the exit code if a signal caused an error (classes being made wrap it), else 0."""
    cause = error.__cause__
    if isinstance(cause, KeyboardInterrupt):
        return cause.exit_code if isinstance(cause, Terminated) else INTERRUPTED
    return 0 if cause is None else _signal_code(cause)


def split_command(arguments: Sequence[str]) -> tuple[str, list[str]]:
    """Return the command and its arguments; the default command is `view`."""
    if arguments and arguments[0] in COMMANDS:
        return arguments[0], list(arguments[1:])
    return "view", list(arguments)


def _command(command: str, arguments: list[str]) -> int:
    if "--version" in arguments:
        print(f"rigview {__version__}\n{bundled_parts()}", end="")
        return 0
    if "--print-completion" in (word.partition("=")[0] for word in arguments):
        return _print_completion(arguments)
    if command == "view":
        _check_spelling(arguments)
    from ..options.config_file import options_of_line

    try:
        options = options_of_line(command, arguments)
    except SystemExit:  # argparse printed the help
        return 0
    return _run(command, options)


def _run(command: str, options: "Options") -> int:
    from ..tasks.conversion import converting

    module = import_module(f".{command}", __package__)
    undrawn.clear()
    with converting(options.general):
        code: int = module.run(options)
    if undrawn:
        letters = first_of(sorted(undrawn), 8)
        lacking = f"no installed font has {letters}; pictures have boxes: install one, such as Noto"
        warn([lacking], quiet=options.general.quiet)
    return code


def _print_completion(arguments: list[str]) -> int:
    from ..options.completion import completion
    from ..options.table import PRINTING

    (option,) = (each for each in PRINTING if each.name == "print-completion")
    words = [part for word in arguments for part in word.partition("=")[::2] if part]
    try:
        shell = option.read("".join(words[words.index(option.flag) + 1 :][:1]))
    except ValueError as error:
        raise UsageError(f"{option.flag}: {error}", hint="see rigview --help") from None
    print(completion(shell), end="")
    return 0


def _check_spelling(arguments: list[str]) -> None:
    """Raise UsageError if the first argument is a misspelt command and not a file."""
    word = arguments[0] if arguments else ""
    if not word.isalpha() or os.path.exists(word):
        return
    hint = suggestion(word, COMMANDS)
    if hint:
        raise UsageError(f"{word!r} is neither a command nor a file", hint=hint)


def _report_error(error: BaseException, message: str, code: int, *, verbose: bool) -> int:
    if verbose:
        from traceback import format_exception

        for line in "".join(format_exception(error)).splitlines():
            print_line(one_line(line))
    print_message(message)
    return code


def _flush() -> None:
    if sys.stdout is None:  # None where the parent process closed it
        return
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        discard_stdout()
    except OSError as error:
        discard_stdout()
        raise OutputError(error.strerror or str(error), file="standard output") from None
