"""What every test stands on: one OpenGL context, loud numerics, fixed seeds, own settings."""

import random
from collections.abc import Iterator
from typing import TYPE_CHECKING

import hypothesis
import numpy as np
import pytest

import rigview.gltf.load
from tests.support.one_mannequin import read_once

if TYPE_CHECKING:
    import moderngl

pytest_plugins = ("tests.support.processes",)

rigview.gltf.load.load_document = read_once(rigview.gltf.load.load_document)

hypothesis.settings.register_profile("rigview", derandomize=True, deadline=None, database=None)
hypothesis.settings.load_profile("rigview")


@pytest.fixture(autouse=True)
def _loud_numpy() -> Iterator[None]:
    """A division by zero, an overflow or a NaN is a failure (underflow to zero is arithmetic)."""
    with np.errstate(divide="raise", over="raise", invalid="raise"):
        yield


@pytest.fixture(autouse=True)
def _fixed_seed() -> None:
    random.seed(20)


@pytest.fixture
def rng() -> np.random.Generator:
    """The same random numbers in every run."""
    return np.random.default_rng(20)


@pytest.fixture(autouse=True, scope="session")
def _own_settings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the tests out of the settings of whoever runs them."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
            patch.setenv(name, str(tmp_path_factory.mktemp(name.lower())))
        yield


@pytest.fixture(scope="session")
def gl_context() -> "Iterator[moderngl.Context]":
    """The one context of the session; a test takes `gl`, which also checks for errors."""
    from rigview.render.context import create_context

    context = create_context()
    yield context
    context.release()


@pytest.fixture(scope="session")
def _small_framebuffer(gl_context: "moderngl.Context") -> "moderngl.Framebuffer":
    with gl_context:
        return gl_context.simple_framebuffer((4, 4))


@pytest.fixture
def gl(
    gl_context: "moderngl.Context", _small_framebuffer: "moderngl.Framebuffer"
) -> "Iterator[moderngl.Context]":
    """The context, current, with a small framebuffer bound; no OpenGL error may be left behind.

    Transform feedback gives wrong numbers where no framebuffer is bound; and a test that made a
    context of its own has left none current.
    """
    with gl_context:
        assert gl_context.error == "GL_NO_ERROR", "left by an earlier test or fixture"
        _small_framebuffer.use()
        yield gl_context
        assert gl_context.error == "GL_NO_ERROR"
