"""The pytest plug-in: fixtures that render and pose a character, and compare with goldens.

Every run of pytest with Rigview installed imports it, so it imports only pytest until a fixture is
used.
"""

import argparse
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .golden.golden import Golden, Outcome
    from .options.command_options import Options
    from .tasks.still_pictures import StillRenderer

_OUTPUT = "golden-failures"
_FILES = ("anims", "motion", "root")  # options that name files
_FALSE = ("", "0", "false", "no", "off")  # values of CI that mean "not in CI"


@dataclass
class Tally:
    """Results of golden comparisons, for the summary of a run."""

    loose: list[str] = field(default_factory=list)
    written: list[str] = field(default_factory=list)
    kept: int = 0

    def add(self, outcome: "Outcome") -> None:
        """Count one result."""
        if outcome.kind == "loose":
            self.loose.append(outcome.words)
        elif outcome.kind == "written":
            self.written.append(outcome.words)
        elif outcome.kind == "kept":
            self.kept += 1

    def merge(self, other: Mapping[str, Any]) -> None:
        """Add the results of another process."""
        self.loose += other["loose"]
        self.written += other["written"]
        self.kept += other["kept"]


_TALLY = pytest.StashKey[Tally]()
_USERS = pytest.StashKey[dict[str, str]]()  # golden file to the test that uses it


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of golden comparisons."""
    group = parser.getgroup("rigview", "goldens of animated characters (rigview)")
    group.addoption(
        "--update-goldens",
        action="store_true",
        help="write the pictures and poses that tests compare with",
    )
    group.addoption(
        "--golden-tolerance",
        type=_channel,
        default=0,
        metavar="N",
        help="greatest difference of a channel, 0 to 255, from a picture that the same renderer "
        "drew (0)",
    )
    group.addoption(
        "--golden-strict",
        action="store_true",
        help="fail instead of comparing loosely where another renderer drew the golden",
    )
    group.addoption(
        "--golden-output",
        default=_OUTPUT,
        metavar="DIR",
        help="folder for expected, actual and difference pictures of failures, from the root "
        f"folder of the tests ({_OUTPUT})",
    )
    parser.addini(
        "rigview_golden_dir",
        "folder of the goldens, from the root folder of the tests; without it `goldens` beside "
        "each test file",
        default="",
    )


def _channel(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) <= 255):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 to 255")
    return int(text)


def pytest_configure(config: pytest.Config) -> None:
    """Initialise the counters."""
    config.stash[_TALLY] = Tally()
    config.stash[_USERS] = {}


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Send the results of a pytest-xdist worker to the controller, which prints the summary."""
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["rigview"] = asdict(session.config.stash[_TALLY])


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:  # noqa: ANN401 - a type of pytest-xdist
    """Add the results of a pytest-xdist worker."""
    counted = getattr(node, "workeroutput", {}).get("rigview")
    if counted:
        node.config.stash[_TALLY].merge(counted)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Print the goldens that were compared loosely and those that were written."""
    tally = config.stash[_TALLY]
    update = config.getoption("--update-goldens")
    if not (tally.loose or tally.written or update):
        return
    terminalreporter.section("rigview goldens")
    if tally.loose:
        terminalreporter.line(f"compared loosely: {len(tally.loose)}", yellow=True)
    for words in sorted(tally.loose):
        terminalreporter.line(f"  {words}")
    if tally.written:
        terminalreporter.line(f"written: {len(tally.written)}; review them", yellow=True)
    for words in sorted(tally.written):
        terminalreporter.line(f"  {words}")
    if update:
        terminalreporter.line(f"unchanged: {tally.kept}")


@pytest.fixture(scope="session")
def _rigview_stills() -> "Iterator[StillRenderer]":
    """Yield the renderer of all pictures of the session."""
    from contextlib import suppress

    from .errors import ContextError
    from .tasks.still_pictures import StillRenderer

    stills = StillRenderer()
    with suppress(ContextError):  # reported by the test that renders
        stills.prepare()
    yield stills
    stills.release()


@pytest.fixture
def rigview_render(
    request: pytest.FixtureRequest, _rigview_stills: "StillRenderer"
) -> "Callable[..., NDArray[np.uint8]]":
    """Render a character as ``rigview render --fit rest --samples 4`` does, bit for bit.

    ``rigview_render(path, clip=None, time=None, **options)`` returns [H, W, 4] uint8, sRGB,
    straight alpha. A path is relative to the test file, else to the root folder of the tests.
    `clip` is a name, a number or a pattern, None the first clip; `time` is in seconds. Each may be
    a list: several files side by side, with one value for each. The options are those of the
    command with ``_`` for ``-``: ``resolution=(256, 256)``, ``view="right"``,
    ``no_background=True``, ``phase=0.5``.

    Raises
    ------
    AppError
        The file cannot be read, the clip or option does not exist, or there is no OpenGL.
    """

    def render(
        path: str | os.PathLike[str] | list[str | os.PathLike[str]],
        clip: str | int | list[str | int] | None = None,
        time: float | list[float] | None = None,
        **options: Any,  # noqa: ANN401 - each option has its own
    ) -> "NDArray[np.uint8]":
        __tracebackhide__ = True
        return _rigview_stills.picture(_options(request, "render", path, clip, time, options))

    return render


@pytest.fixture
def rigview_pose(request: pytest.FixtureRequest) -> "Callable[..., dict[str, NDArray[Any]]]":
    """Evaluate a character as ``rigview pose`` does, bit for bit.

    ``rigview_pose(path, clip=None, time=None, **options)`` returns the arrays by name; `time` may
    be a list of T seconds. Needs no OpenGL. Other arguments are as for `rigview_render`.

    Raises
    ------
    AppError
        The file cannot be read, or the clip or option does not exist.
    """

    def pose(
        path: str | os.PathLike[str],
        clip: str | int | None = None,
        time: Any = None,  # noqa: ANN401 - a number or several
        **options: Any,  # noqa: ANN401 - each option has its own
    ) -> "dict[str, NDArray[Any]]":
        __tracebackhide__ = True
        from .cli.pose import evaluated_arrays

        return evaluated_arrays(_options(request, "pose", path, clip, time, options))

    return pose


def _options(
    request: pytest.FixtureRequest,
    command: str,
    path: str | os.PathLike[str] | list[str | os.PathLike[str]],
    clip: str | int | list[str | int] | None,
    time: Any,  # noqa: ANN401 - a number or several
    options: dict[str, Any],
) -> "Options":
    """Return the options of a command, with paths resolved for the test."""
    __tracebackhide__ = True
    from .errors import UsageError
    from .options.python_call import options_from_python
    from .tasks.still_pictures import COMMAND_ONLY, clip_option

    for name in _FILES:
        given = options.get(name)
        if isinstance(given, str | os.PathLike):
            options[name] = _found(request, given)
        elif given is not None:
            options[name] = [_found(request, value) for value in given]
    if "animation" in options:
        raise UsageError("no option 'animation'", hint="pass the clip as the second argument")
    if command == "render":
        options.setdefault("fit", "rest")  # the camera stays if the motion changes
        options.setdefault("samples", 4)  # for speed
    values = {"animation": clip_option(clip), "time": time, **options}
    files = [_found(request, value) for value in (path if isinstance(path, list) else [path])]
    return options_from_python(command, files, values, without=COMMAND_ONLY)


def _found(request: pytest.FixtureRequest, path: str | os.PathLike[str]) -> str:
    """Return the path of a file: beside the test file, else in the root folder."""
    beside, root = request.path.parent / path, request.config.rootpath / path
    return str(root if root.exists() and not beside.exists() else beside)


@pytest.fixture
def rigview_golden_dir(request: pytest.FixtureRequest) -> Path:
    """Return the folder of a test's goldens; a project may override this fixture."""
    folder = str(request.config.getini("rigview_golden_dir"))
    return request.config.rootpath / folder if folder else request.path.parent / "goldens"


@pytest.fixture
def rigview_image_golden(
    request: pytest.FixtureRequest, rigview_golden_dir: Path, _rigview_stills: "StillRenderer"
) -> Callable[..., None]:
    """Compare a picture with its golden and fail on a difference.

    ``rigview_image_golden(image, name, *, tolerance=None)``: `image` is [H, W, 4] or [H, W, 3]
    uint8, `name` the file name without extension, `tolerance` the greatest difference of a
    channel for this picture instead of ``--golden-tolerance``. Where another renderer drew the
    golden, the picture is compared loosely and counted in the summary. A picture of
    `rigview_render` is drawn again if the same camera options framed the golden differently.
    """
    golden = _goldens(request, rigview_golden_dir)

    def compare(image: object, name: str, *, tolerance: int | None = None) -> None:
        __tracebackhide__ = True
        stored = golden(name, ".png")
        _check_outcome(request, stored.picture(image, _rigview_stills.made_by, tolerance))

    return compare


@pytest.fixture
def rigview_pose_golden(
    request: pytest.FixtureRequest, rigview_golden_dir: Path
) -> Callable[..., None]:
    """Compare the arrays of a pose with their golden and fail on a difference.

    ``rigview_pose_golden(pose, name, *, mm=0.01, deg=0.01)``: `mm` is for a character of human
    height and scales with the character's height; rotations are compared by angle.
    """
    golden = _goldens(request, rigview_golden_dir)

    def compare(
        pose: Mapping[str, Any], name: str, *, mm: float | None = None, deg: float | None = None
    ) -> None:
        __tracebackhide__ = True
        from .golden.pose_comparison import DEG, MM, Limits

        limits = Limits(MM if mm is None else mm, DEG if deg is None else deg)
        _check_outcome(request, golden(name, ".npz").pose(pose, limits))

    return compare


def _goldens(request: pytest.FixtureRequest, folder: Path) -> "Callable[[str, str], Golden]":
    """Return a function that finds a golden of one test by name and extension."""
    config, taken = request.config, set()

    def golden(name: str, ending: str) -> "Golden":
        __tracebackhide__ = True
        from .errors import UsageError
        from .golden.files import checked_name
        from .golden.golden import Golden, Rules

        stem = folder / checked_name(name)
        key = os.path.normcase(f"{stem}{ending}").casefold()
        user = _first_user(request, key)
        if key in taken or user != request.node.nodeid:
            raise UsageError(
                f"two goldens have the name {name!r}, in {user}"
                + ("" if user == request.node.nodeid else f" and {request.node.nodeid}")
            )
        taken.add(key)
        rules = Rules(
            update=config.getoption("--update-goldens"),
            must_exist=os.environ.get("CI", "").lower() not in _FALSE,
            strict=config.getoption("--golden-strict"),
            tolerance=config.getoption("--golden-tolerance"),
        )
        return Golden(stem, _failure_folder(request) / name, rules)

    return golden


def _first_user(request: pytest.FixtureRequest, golden: str) -> str:
    """Return the test that is first to use a golden in this run, in any worker of pytest-xdist."""
    config, test = request.config, request.node.nodeid
    user = config.stash[_USERS].setdefault(golden, test)
    if not hasattr(config, "workerinput") or user != test:
        return user
    from hashlib import sha256

    base: Path = request.getfixturevalue("tmp_path_factory").getbasetemp()
    claims = base.parent / "rigview-goldens"  # shared by the workers of a run
    claims.mkdir(exist_ok=True)
    claim = claims / sha256(golden.encode()).hexdigest()
    own = base / f"{claim.name}.golden"
    own.write_text(test, encoding="utf-8")
    try:
        os.link(own, claim)  # fails if it exists, and is never seen half-written
    except FileExistsError:
        from .file_io import read_file

        return read_file(claim).decode()
    except OSError:  # a file system without links
        return user
    return user


def _output(request: pytest.FixtureRequest) -> Path:
    return request.config.rootpath / str(request.config.getoption("--golden-output"))


def _failure_folder(request: pytest.FixtureRequest) -> Path:
    """Return the output folder for failures of a test file."""
    module = os.path.relpath(request.path.with_suffix(""), request.config.rootpath)
    return _output(request).joinpath(*(part for part in Path(module).parts if part != ".."))


def _check_outcome(request: pytest.FixtureRequest, outcome: "Outcome") -> None:
    """Count the result of a comparison and fail where it failed."""
    __tracebackhide__ = True
    request.config.stash[_TALLY].add(outcome)
    if outcome.kind == "failed":
        _output(request).joinpath(".gitignore").write_text("*\n", encoding="utf-8")
        raise AssertionError(outcome.words)
