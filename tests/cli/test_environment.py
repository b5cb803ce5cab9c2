"""`--environment`: image-based light from a file."""

import numpy as np
import pytest
from PIL import Image

from rigview import resources
from rigview.cli.main import main
from tests.support.material_extension_files import ExtensionBuilder
from tests.support.radiance_files import write_radiance

SMALL = ["--resolution", "48,48", "--samples", "1", "--no-grid"]


@pytest.fixture(scope="module")
def ball(tmp_path_factory):
    b = ExtensionBuilder()
    b.ball(b.extended())
    return str(b.path(tmp_path_factory.mktemp("ball")))


@pytest.fixture
def sky(tmp_path, monkeypatch):
    """Blue above, red below."""
    monkeypatch.setattr(resources, "cache_folder", lambda: tmp_path / "cache")
    light = np.zeros((16, 32, 3))
    light[:8], light[8:] = [0, 0, 2.0], [2.0, 0, 0]
    return str(write_radiance(tmp_path / "sky.hdr", light))


@pytest.fixture
def picture(tmp_path, ball):
    """A function that draws the ball with options."""

    def drawn(*options):
        path = tmp_path / "out.png"
        assert main(["render", ball, *SMALL, *options, "-o", str(path)]) == 0
        return np.asarray(Image.open(path)).astype(int)

    return drawn


def test_cache_that_cannot_be_written(tmp_path, capsys, picture, sky):
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "environments").write_bytes(b"")
    picture("--environment", sky)
    assert "sky.hdr: the result cannot be cached: " in capsys.readouterr().err
    assert [path.name for path in (tmp_path / "cache").iterdir()] == ["environments"]


def test_environment_of_a_file(tmp_path, capsys, picture, sky):
    studio = picture()
    first = picture("--environment", sky)
    assert capsys.readouterr().err.endswith("sky.hdr: prefiltering the environment map\n")
    again = picture("--environment", sky)
    assert capsys.readouterr().err == "", "it was kept"
    np.testing.assert_array_equal(first, again)
    assert (first != studio).any()
    light = np.zeros((16, 32, 3))
    light[:8], light[8:] = [2.0, 0, 0], [0, 0, 2.0]
    other = picture("--environment", str(write_radiance(tmp_path / "over.hdr", light)))
    bluer = (first - other)[..., 2] - (first - other)[..., 0]
    rows = np.nonzero((first != other).any(axis=(1, 2)))[0]
    assert bluer[rows[0] : rows[0] + 3].sum() > 300, "the top sees what is above"


def test_environment_rotation(capsys, picture, ball, sky):
    """A sky that is the same all around looks the same however it is turned."""
    plain = picture("--environment", sky)
    turned = picture("--environment", sky, "--environment-rotation", "90")
    assert np.abs(plain - turned).max() <= 2
    assert main(["render", ball, "--environment-rotation", "90", "-o", "x.png"]) == 2
    assert "needs --environment" in capsys.readouterr().err


def test_environment_as_background(picture, sky):
    """Blue at the top, red at the bottom; not in a transparent picture."""
    background = ["--environment", sky, "--environment-background"]
    shown = picture(*background, "--environment-blur", "0.2")
    assert shown[0, 0, 2] > shown[0, 0, 0] + 100
    assert shown[-1, 0, 0] > shown[-1, 0, 2] + 100
    clear = picture(*background, "--no-background")
    assert (clear[..., 3] == 0).any()
    covered = clear[..., 3] == 255
    np.testing.assert_array_equal(clear[covered][:, :3], shown[covered][:, :3])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--environment-background"], "--environment-background needs --environment"),
        (["--environment-blur", "0.5"], "--environment-blur needs --environment-background"),
        (["--environment-blur", "1.5"], "not from 0 to 1"),
        (
            ["--environment", "a.hdr", "--environment-background", "--background", "red"],
            "--background and --environment-background exclude each other",
        ),
    ],
)
def test_wrong_use_of_the_background(capsys, ball, options, said):
    assert main(["render", ball, *options, "-o", "x.png"]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.usefixtures("sky")
def test_a_black_environment_gives_a_black_picture(tmp_path, picture):
    dark = str(write_radiance(tmp_path / "dark.hdr", np.zeros((16, 32, 3))))
    black = picture("--environment", dark, "--environment-background")
    assert not black[..., :3].any()


def test_invalid_file(tmp_path, capsys, ball):
    broken = tmp_path / "broken.hdr"
    broken.write_bytes(b"#?RADIANCE\n")
    target = tmp_path / "out.png"
    found = main(["render", ball, "--environment", str(broken), "-o", str(target)])
    assert found == 3
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "broken.hdr" in said
    assert not target.exists()
