"""Fixtures of all tests: OpenGL context, numpy errors, seeds, settings folder, command line."""

import gc
import os
import random
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple

import hypothesis
import moderngl
import numpy as np
import pytest

import rigview.loading.load
from tests.support.light_mannequin import read_once

pytest_plugins = ("tests.support.processes",)

rigview.loading.load.load = read_once(rigview.loading.load.load)

# For Mesa, also in programs that tests start: one cache of compiled shaders for any HOME,
# compilation without optimization, which takes two thirds of the time, and no threads for pixels,
# since there are as many workers as cores, and Mesa's threads can write to a fence that is freed.
# The pixels are the same.
_CACHE = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
os.environ.setdefault("MESA_SHADER_CACHE_DIR", _CACHE)
os.environ.setdefault("GALLIVM_PERF", "nopt")
os.environ.setdefault("LP_NUM_THREADS", "0")

hypothesis.settings.register_profile(  # the same examples in every run
    "rigview", derandomize=True, deadline=None, database=None, max_examples=60
)
hypothesis.settings.load_profile("rigview")

_Create = Callable[[], moderngl.Context]

SLOW = (  # the slowest test files, started first so that the workers end at the same time
    "window/test_viewer.py",
    "docs/test_commands.py",
    "docs/test_features_page.py",
    "assets/test_body.py",
    "fuzz/test_fuzz.py",
    "window/test_viewer_motion.py",
    "test_package.py",
    "fuzz/test_fuzzer.py",
    "window/test_viewer_background.py",
    "window/test_viewer_compare.py",
    "window/test_viewer_timeline.py",
    "monkey/test_monkey.py",
    "ui/test_diagnoses.py",
    "docs/test_testing_page.py",
    "docs/test_recipes.py",
    "tasks/test_render_video.py",
    "pages/test_browser.py",
    "ui/test_layout.py",
    "batch/test_dask_cluster.py",
    "motion/test_mixer.py",
    "animation/test_clip.py",
    "test_import_cost.py",
    "cli/test_motion_examples_time.py",
    "test_processes.py",
    "cli/test_report.py",
    "test_testing_runs.py",
    "test_testing.py",
    "rendering/test_identical_bytes.py",
    "rendering/test_golden_features.py",
    "window/test_viewer_several.py",
    "window/test_viewer_layout.py",
    "window/test_input_and_rest.py",
    "window/test_drop.py",
    "cli/test_bench.py",
    "session/export/test_background_export.py",
    "motion/test_write.py",
    "gltf/test_validate.py",
    "test_write_faults.py",
    "test_words.py",
    "session/test_reload.py",
    "test_layers.py",
)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect the tests without garbage collection, and exclude them from it afterwards."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Move the slow files to the front; `make test` passes --no-loadscope-reorder to keep it so."""
    ranks = {name: rank for rank, name in enumerate(SLOW)}
    folder = Path(__file__).parent
    items.sort(key=lambda item: ranks.get(item.path.relative_to(folder).as_posix(), len(SLOW)))


@pytest.fixture(autouse=True)
def _numpy_errors() -> Iterator[None]:
    """Raise an error at a division by zero, an overflow or a NaN; underflow to zero is allowed."""
    with np.errstate(divide="raise", over="raise", invalid="raise"):
        yield


@pytest.fixture(autouse=True)
def _fixed_seed() -> None:
    random.seed(20)


@pytest.fixture
def rng() -> np.random.Generator:
    """A random number generator with a fixed seed."""
    return np.random.default_rng(20)


@pytest.fixture(autouse=True, scope="session")
def _own_settings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Use empty folders for settings, so that those of the user stay unchanged."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
            patch.setenv(name, str(tmp_path_factory.mktemp(name.lower())))
        yield


@contextmanager
def create_once(create: _Create) -> Iterator[_Create]:
    """Yield a version of `create_context` that always returns the same context, made current.

    The driver compiles shaders and mipmap generation anew for every context, which takes longer
    than a small picture. Releasing the context does nothing until the end of the `with` block.
    """

    @cache
    def shared() -> moderngl.Context:
        context = create()
        context.release = lambda: None
        return context

    yield lambda: shared().__enter__()
    if shared.cache_info().currsize:
        moderngl.Context.release(shared())


@pytest.fixture(autouse=True, scope="session")
def _one_context() -> Iterator[None]:
    """Let all commands that run in this process share an OpenGL context."""
    from rigview.rendering import offscreen

    with pytest.MonkeyPatch.context() as patch, create_once(offscreen.create_context) as shared:
        patch.setattr(offscreen, "create_context", shared)
        yield


@pytest.fixture(scope="session")
def gl_context() -> Iterator[moderngl.Context]:
    """The OpenGL context of the session; tests use `gl`, which also checks for errors."""
    from rigview.rendering.context import create_context

    context = create_context()
    yield context
    context.release()


@pytest.fixture(scope="session")
def _small_framebuffer(gl_context: moderngl.Context) -> moderngl.Framebuffer:
    with gl_context:
        return gl_context.simple_framebuffer((4, 4))


@pytest.fixture
def gl(
    gl_context: moderngl.Context, _small_framebuffer: moderngl.Framebuffer
) -> Iterator[moderngl.Context]:
    """The current context with a small framebuffer bound; OpenGL errors are failures.

    Transform feedback returns wrong numbers without a framebuffer. A test that creates its own
    context leaves no context current.
    """
    with gl_context:
        assert gl_context.error == "GL_NO_ERROR", "an earlier test or fixture caused an error"
        _small_framebuffer.use()
        yield gl_context
        assert gl_context.error == "GL_NO_ERROR"


class Ran(NamedTuple):
    """The result of a command."""

    code: int
    out: str
    err: str


@pytest.fixture
def rigview(capfd: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Return a function that runs the command line in this process."""
    from rigview.cli.main import main

    def run(*arguments: object) -> Ran:
        capfd.readouterr()
        code = main([str(argument) for argument in arguments])
        return Ran(code, *capfd.readouterr())

    return run


@pytest.fixture
def model_file(tmp_path: Path) -> Path:
    """The path of a small glTF file with a skin, morph targets and clips."""
    from tests.support.command_files import write_document

    return Path(write_document(tmp_path / "small.gltf"))
