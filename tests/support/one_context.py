"""One OpenGL context for all commands that the tests run in a process.

The driver compiles shaders and mipmap generation anew for every context, which takes longer than
a small picture.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache

import moderngl

Create = Callable[[], moderngl.Context]


@contextmanager
def create_once(create: Create) -> Iterator[Create]:
    """Yield a version of `create_context` that always returns the same context, made current.

    Releasing the context does nothing until the end of the `with` block.
    """

    @cache
    def shared() -> moderngl.Context:
        context = create()
        context.release = lambda: None
        return context

    yield lambda: shared().__enter__()
    if shared.cache_info().currsize:
        moderngl.Context.release(shared())
