"""How the options of a command convert files of other formats."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TypeVar

from ..console import Status
from ..conversion.conversion_settings import Settings, present, using
from ..options.command_options import GeneralOptions

Task = TypeVar("Task")
Result = TypeVar("Result")


@contextmanager
def converting(general: GeneralOptions) -> Iterator[None]:
    """Convert files in the block as the options say, and show on a terminal what is being done."""
    with Status(quiet=general.quiet) as status:
        settings = Settings(general.blender, general.convert_timeout, report=status.show)
        with using(settings):
            yield


def run_converting(general: GeneralOptions, work: Callable[[Task], Result], task: Task) -> Result:
    """Run a function on a task, in any process; files are converted as the options say."""
    with using(replace(present(), blender=general.blender, seconds=general.convert_timeout)):
        return work(task)
