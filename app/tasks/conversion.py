"""How the options of a command convert files of other formats."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

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


@dataclass(frozen=True, slots=True)
class ConvertingWork(Generic[Task, Result]):
    """A function that runs in any process, and converts files as the options say."""

    work: Callable[[Task], Result]
    general: GeneralOptions

    def __call__(self, task: Task) -> Result:
        """Run the function on a task."""
        general = self.general
        own = replace(present(), blender=general.blender, seconds=general.convert_timeout)
        with using(own):
            return self.work(task)
