"""The pytest fixtures render and pose exactly like the commands."""

import io

import numpy as np
import pytest
from PIL import Image

from rigview.cli.main import main
from rigview.errors import AppError, ContextError, GltfError, UsageError
from rigview.gltf.document import open_document
from rigview.golden.files import read_png, read_shot
from rigview.golden.golden import Golden, Rules
from rigview.golden.pose_comparison import differences
from rigview.golden.shot import shot_of
from rigview.resources import asset_path
from tests.support.gltf_documents import make_glb
from tests.support.light_mannequin import light_mannequin

SMALL = {"resolution": (96, 128)}
MANNEQUIN = asset_path("mannequin.glb")

FITS = ("clip", "pose", "rest")

pytest_plugins = "pytester"


@pytest.fixture
def command(tmp_path, capfd):
    """Run a command that writes a file; return the file's bytes."""

    def run(name, *options, ending):
        target = tmp_path / f"command{ending}"
        assert main([name, str(MANNEQUIN), *map(str, options), "-o", str(target)]) == 0
        return target.read_bytes()

    return run


def pixels(data):
    with Image.open(io.BytesIO(data)) as picture:
        return np.asarray(picture.convert("RGBA"))


RENDERED = [
    ((), {}, ""),
    (
        ("Wal*",),
        {"phase": 0.3, "view": "right", "samples": 1, "no_background": True, "skeleton": True},
        "--animation Wal* --phase 0.3 --view right --samples 1 --no-background --skeleton",
    ),
    (
        (2, -0.25),
        {"speed": -2, "loop": "pingpong", "grid": False, "camera_azimuth": -40.5},
        "--animation #2 --time=-0.25 --speed=-2 --loop pingpong --no-grid --camera-azimuth=-40.5",
    ),
    (
        ("Run",),
        {
            "frame": 7,
            "no_motion": True,
            "joint_names": True,
            "camera_position": np.array([2, 1, 3]),
            "camera_target": [0, 1, 0],
        },
        "--animation Run --frame 7 --no-motion --joint-names --camera-position 2,1,3 "
        "--camera-target 0,1,0",
    ),
    (
        (),
        {"set": {"speed": 3}, "at": "0.2:set:speed=4,0.1", "time": 0.5, "background": "#fff"},
        "--set speed=3 --at 0.2:set:speed=4,0.1 --time .5 --background #fff",
    ),
    (
        (),
        {"pose": "rest", "weights": "Spine", "ortho": True},
        "--pose rest --weights Spine --ortho",
    ),
]


@pytest.mark.parametrize(("arguments", "options", "line"), RENDERED)
def test_picture_is_that_of_the_command(rigview_render, command, arguments, options, line):
    picture = rigview_render(MANNEQUIN, *arguments, **SMALL, **options)
    assert picture.shape == (128, 96, 4)
    assert picture.dtype == np.uint8
    size = ("--resolution", "96x128", "--fit", "rest")
    drawn = pixels(command("render", "--samples", "4", *line.split(), *size, ending=".png"))
    assert (picture == drawn).all()


def test_pictures_are_framed_by_the_rest_pose(rigview_render, command):
    """An arm that moves does not shift the camera; another value of fit does."""
    wave = rigview_render(MANNEQUIN, "Wave", 0.8, **SMALL, no_background=True, shadow=False)
    idle = rigview_render(MANNEQUIN, "Idle", 0.0, **SMALL, no_background=True, shadow=False)
    feet = slice(112, 128)
    rows = [np.flatnonzero(image[..., 3].any(axis=1)).max() for image in (wave, idle)]
    assert abs(rows[0] - rows[1]) <= 1
    assert wave[feet].any()
    line = [
        "--animation",
        "Wave",
        "--time",
        "0.8",
        "--resolution",
        "96x128",
        "--no-background",
        "--no-shadow",
        "--samples",
        "4",
        "--fit",
    ]
    drawn = {fit: pixels(command("render", *line, fit, ending=".png")) for fit in FITS}
    assert (drawn["rest"] == wave).all()
    assert len({drawn[fit].tobytes() for fit in FITS}) == len(FITS)
    whole = drawn["pose"][..., 3] > 0
    for edge in (whole[0], whole[-1], whole[:, 0], whole[:, -1]):
        assert not edge.any(), "the raised hand is in the picture"
    assert whole.any(axis=1).mean() > 0.9, "and the pose fills it"


@pytest.mark.parametrize(
    ("arguments", "options", "line"),
    [
        (("Walk", [0.0, 0.25, 0.5]), {}, "--animation Walk --time 0,0.25,0.5"),
        (
            ("Walk", np.linspace(0, 1, 3)),
            {"vertices": True},
            "--animation Walk --vertices --time 0,.5,1",
        ),
        ((), {"phase": (0, 1), "set": ["speed=2"]}, "--phase 0,1 --set speed=2"),
        ((3,), {"key": [0, 1]}, "--animation #3 --key 0,1"),
        (("Talk",), {"time": 0.3, "hold": True}, "--animation Talk --time 0.3 --hold"),
    ],
)
def test_pose_is_that_of_the_command(rigview_pose, command, arguments, options, line):
    pose = rigview_pose(MANNEQUIN, *arguments, **options)
    with np.load(io.BytesIO(command("pose", *line.split(), ending=".npz"))) as written:
        assert set(pose) == set(written)
        for name in written:
            assert pose[name].dtype == written[name].dtype
            np.testing.assert_array_equal(pose[name], written[name])


MOTIONLESS = {
    "nothing": "",
    "another clip": "[clips.Run]\nrange = [0.1, 0.4]",
    "an event": "[clips.Walk]\nevents = [{time = 0.2, name = 'step'}]",
    "loop mode": "[clips.Walk]\nloop = 'pingpong'",
    "a parameter": "[parameters]\nspeed = {default = 2.0}",
    "the facing found": "facing = [0, 0, 1]",
}


@pytest.mark.parametrize("text", MOTIONLESS.values(), ids=MOTIONLESS)
def test_a_motion_file_that_says_nothing_about_what_is_shown_changes_nothing(
    rigview_render, rigview_pose, tmp_path, text
):
    hero = tmp_path / "hero.glb"
    hero.write_bytes(light_mannequin(frozenset({"Run", "Walk"})))
    picture, pose = rigview_render(hero, "Walk", 0.3, **SMALL), rigview_pose(hero, "Walk", 0.3)
    hero.with_suffix(".motion.toml").write_text(f"version = 1\n{text}", encoding="utf-8")
    assert (rigview_render(hero, "Walk", 0.3, **SMALL) == picture).all()
    now = rigview_pose(hero, "Walk", 0.3)
    assert all(np.array_equal(now[name], pose[name]) for name in pose)
    assert differences(pose, now) == []


@pytest.fixture
def longer_arm(tmp_path):
    """A function that writes the character with its left upper arm longer by some millimetres."""

    def write(millimetres):
        hero = tmp_path / "hero.glb"
        hero.write_bytes(light_mannequin(frozenset({"Walk"})))
        document = open_document(hero)
        (joint,) = (node for node in document.json["nodes"] if node.get("name") == "LeftForeArm")
        place = np.array(joint["translation"])
        joint["translation"] = list(place * (1 + millimetres / 1e3 / np.linalg.norm(place)))
        hero.write_bytes(make_glb(document.json, document.chunk))
        return hero

    return write


@pytest.mark.parametrize("options", [{}, {"view": "right"}, {"fit": "pose", "ortho": True}])
def test_a_changed_character_is_compared_with_the_camera_of_its_golden(
    rigview_render, longer_arm, tmp_path, options
):
    options |= SMALL | {"shadow": False, "no_background": True}
    golden = Golden(tmp_path / "golden", tmp_path / "failed", Rules())
    golden.picture(rigview_render(longer_arm(0), "Walk", 0.3, **options), "here")
    stored = (tmp_path / "golden.png").read_bytes()
    picture = rigview_render(longer_arm(54), "Walk", 0.3, **options)
    found = golden.picture(picture, "here").words
    assert "joints moved: 'LeftForeArm' 54 mm, 'LeftForeArmTwist1' 54 mm" in found
    expected, actual = (
        read_png((tmp_path / f"failed-{name}.png").read_bytes())[0]
        for name in ("expected", "actual")
    )
    changes = [  # that can be seen
        (np.abs(expected.astype(int) - each) > 2).any(axis=-1).mean() for each in (picture, actual)
    ]
    assert changes[1] < 0.04
    assert changes[0] > 3 * changes[1]
    assert str(tmp_path) not in read_shot(stored).as_text()
    found = golden.picture(rigview_render(longer_arm(0), "Walk", 0.3, **SMALL, view="left"), "here")
    assert "the camera has other options: view='left', fit='rest', not " in found.words


def test_a_picture_of_a_camera_of_the_file_stores_none(rigview_render, longer_arm):
    hero = longer_arm(0)
    document = open_document(hero)
    document.json["cameras"] = [{"type": "perspective", "perspective": {"yfov": 1, "znear": 0.1}}]
    document.json["scenes"][0]["nodes"].append(len(document.json["nodes"]))
    document.json["nodes"].append({"name": "Wide", "camera": 0, "translation": [0, 1, 4]})
    hero.write_bytes(make_glb(document.json, document.chunk))
    assert shot_of(rigview_render(hero, **SMALL, camera="Wide")) is None
    assert shot_of(rigview_render(hero, **SMALL)) is not None


def test_pictures_are_independent(rigview_render):
    first = rigview_render(MANNEQUIN, "Walk", 0.25, **SMALL)
    rigview_render(MANNEQUIN, "Run", resolution=(200, 64), samples=1, skeleton=True, wireframe=True)
    assert (rigview_render(MANNEQUIN, "Walk", 0.25, **SMALL) == first).all()


def test_other_contexts_stay_valid(gl_context, rigview_render):
    with gl_context:
        texture = gl_context.texture((2, 2), 4, bytes(range(16)))
    rigview_render(MANNEQUIN, **SMALL)
    with gl_context:
        assert texture.read() == bytes(range(16))
        assert gl_context.error == "GL_NO_ERROR"
        texture.release()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"resolutoin": (8, 8)}, "no option 'resolutoin'; did you mean 'resolution'"),
        ({"qqqqqq": 1}, "no option 'qqqqqq'; rigview render --help lists them"),
        ({"animation": "Walk"}, "no option 'animation'; pass the clip as the second argument"),
        ({"output": "x.png"}, "no option 'output'"),
        ({"frames": "0..3"}, "no option 'frames'; did you mean 'frame'"),
        ({"vertices": True}, "no option 'vertices'"),
        ({"skeleton": "yes"}, "skeleton must be True or False, not 'yes'"),
        ({"resolution": 64}, "'64' is not a width and a height"),
        ({"resolution": (0, 64)}, "0 is not from 1 to"),
        ({"view": "below"}, "invalid choice: 'below'"),
        ({"time": "soon"}, "'soon' is not a number"),
        ({"time": []}, "'' is not a number"),
        ({"time": [0, 1]}, "--time was given 2 times for 1 file"),
        ({"time": (0, 1)}, "a picture shows one time"),
        ({"time": 0, "phase": 0}, "exclude each other"),
        ({"clip": "Wlak"}, "no animation 'Wlak'; did you mean 'Walk'"),
        ({"clip": 900}, "no animation '#900'"),
        ({"set": {"height": 1}}, "height"),
    ],
)
def test_wrong_use_has_a_message(rigview_render, options, message):
    with pytest.raises(UsageError) as caught:
        rigview_render(MANNEQUIN, **options)
    assert message in str(caught.value)


def test_option_of_the_other_command(rigview_pose):
    with pytest.raises(UsageError, match="no option 'skeleton'"):
        rigview_pose(MANNEQUIN, skeleton=True)


def test_file_that_is_not_there(rigview_render):
    with pytest.raises(GltfError, match="nobody"):
        rigview_render("nobody.glb")


def test_missing_opengl_is_an_error(pytester, monkeypatch):
    def refuse():
        raise ContextError("no OpenGL here", hint="install it")

    monkeypatch.delenv("CI", raising=False)  # there a missing golden is a failure
    monkeypatch.setattr("rigview.rendering.offscreen.create_context", refuse)
    pytester.makepyfile(f"""
        import numpy as np
        def test_picture(rigview_render):
            rigview_render({str(MANNEQUIN)!r})
        def test_pose(rigview_pose):
            assert rigview_pose({str(MANNEQUIN)!r}, "Walk")["times"] == 0
        def test_picture_from_elsewhere(rigview_image_golden):
            rigview_image_golden(np.zeros((4, 4, 4), np.uint8), "blank")
    """)
    ran = pytester.runpytest_inprocess()
    ran.assert_outcomes(passed=2, failed=1)
    ran.stdout.fnmatch_lines(["E *ContextError: no OpenGL here; install it"])


def test_error_is_an_app_error(rigview_render):
    with pytest.raises(AppError):
        rigview_render("nobody.glb")
