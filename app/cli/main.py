"""The program: finds the command, runs it, and turns errors into one line and an exit code."""

import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from ..console import complain
from ..errors import AppError, OutputError, UsageError
from ..options.table import COMMANDS

INTERRUPTED = 130  # 128 + SIGINT, as shells have it
FAULT = 1  # a fault of this program
_RARELY = 100_000  # objects between two collections: starting up makes many, and no garbage


def run() -> None:
    """Run the program on the arguments of the process, and leave it.

    A command that writes something and ends skips what the interpreter and the OpenGL driver would
    tear down object by object: 20 ms of the 290 that a first picture takes.
    """
    gc.set_threshold(_RARELY)
    arguments = sys.argv[1:]
    code = main(arguments)
    if split_command(arguments)[0] != "view":
        if sys.stderr is not None:
            sys.stderr.flush()
        os._exit(code)
    sys.exit(code)


def main(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code; never raises what a user can cause."""
    command, rest = split_command(arguments)
    verbose = "--verbose" in rest
    try:
        code = _command(command, rest)
        _flush()
        return code
    except AppError as error:
        return _failed(error, str(error), error.exit_code, verbose=verbose)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _abandon_stdout()  # who read our output has had enough, as with `| head`
        return 0
    except MemoryError as error:
        return _failed(error, "out of memory", FAULT, verbose=verbose)
    except Exception as error:
        sentence = f"a fault of rigview: {type(error).__name__}: {error}; --verbose tells where"
        return _failed(error, sentence, FAULT, verbose=verbose)


def split_command(arguments: Sequence[str]) -> tuple[str, list[str]]:
    """Return the command and its arguments; a first one that is no command is a file to view."""
    if arguments and arguments[0] in COMMANDS:
        return arguments[0], list(arguments[1:])
    return "view", list(arguments)


def _command(command: str, arguments: list[str]) -> int:
    if "--version" in arguments:
        from ..version import __version__

        print(f"rigview {__version__}")
        return 0
    if command == "view":
        _check_spelling(arguments)
    from ..options.config_defaults import with_defaults
    from ..options.parser import parse

    try:
        parsed = parse(command, with_defaults(command, arguments))
    except SystemExit:  # argparse has printed the help
        return 0
    module = import_module(f".{command}", __package__)
    code: int = module.run(parsed)
    return code


def _check_spelling(arguments: list[str]) -> None:
    """Raise UsageError where the first argument looks like a command and is no file."""
    word = arguments[0] if arguments else ""
    if not word.isalpha() or os.path.exists(word):
        return
    from difflib import get_close_matches

    near = get_close_matches(word, COMMANDS, 1)
    if near:
        raise UsageError(f"no command and no file {word!r}", hint=f"did you mean {near[0]!r}?")


def _failed(error: BaseException, sentence: str, code: int, *, verbose: bool) -> int:
    if verbose:
        from traceback import print_exception

        print_exception(error)
    complain(sentence)
    return code


def _flush() -> None:
    if sys.stdout is None:  # closed by who started us
        return
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        _abandon_stdout()
        raise OutputError(error.strerror or str(error), file="standard output") from None


def _abandon_stdout() -> None:
    """Point the descriptor of standard output at nothing, so that Python's last flush is quiet."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, sys.stdout.fileno())
    os.close(nothing)
