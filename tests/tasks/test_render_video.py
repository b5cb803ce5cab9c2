"""`render` to videos and sequences of a whole clip: frame times, names and looping."""

import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from rigview.images.video import ENDINGS
from rigview.resources import asset_path
from tests.support.light_mannequin import light_mannequin
from tests.support.videos import need_encoder, read_film

ROOT = Path(__file__).resolve().parents[2]
SMALL = ("--resolution", "48x40", "--samples", "1")


@pytest.fixture
def film(rigview, model_file, tmp_path):
    """Make a video of the small file; return it as read again, and what was said."""

    def run(*arguments, name="out.gif"):
        need_encoder(name)
        ran = rigview("render", model_file, "-o", tmp_path / name, *SMALL, *arguments)
        assert ran.code == 0, ran.err
        assert sorted(os.listdir(tmp_path)) == sorted([name, "small.gltf"])
        return read_film(tmp_path / name), ran.err

    return run


@pytest.mark.parametrize("ending", ENDINGS)
def test_whole_clip(film, ending):
    made, said = film("--frame-rate", "5", name=f"out{ending}")  # 2 s
    assert made.frames.shape == (10, 40, 48, 4)
    assert made.ends[-1] == pytest.approx(2.0, abs=2e-3)
    assert made.frames[0].std() > 5
    assert not said


@pytest.mark.parametrize(
    ("options", "count"),
    [
        ([], 20),
        (["--loop", "loop"], 20),
        (["--loop", "once"], 21),
        (["--loop", "pingpong"], 40),
        (["--loop", "3"], 60),
        (["--loop", "pingpong:2"], 40),
        (["--loop", "pingpong:3"], 61),
        (["--trim"], 15),
        (["--speed", "2"], 10),
        (["--speed", "-2"], 10),
        (["--speed", "0.5", "--loop", "once"], 41),
        (["--animation", "Turn fast"], 10),
        (["--frames", "2..9"], 8),
        (["--frames", "2..9:2"], 4),
    ],
)
def test_number_of_frames(film, options, count):
    made, said = film("--frame-rate", "10", *options)
    assert len(made.frames) == count
    assert made.ends[-1] == pytest.approx(0.8 if "--frames" in options else count / 10)
    assert not said


@pytest.mark.parametrize(
    ("options", "frame", "moment"),
    [
        ([], 3, ["--time", "0.6"]),
        ([], 9, ["--time", "1.8"]),
        (["--loop", "once"], 10, ["--phase", "1"]),
        (["--loop", "pingpong"], 15, ["--time", "1"]),
        (["--speed", "-1"], 2, ["--time", "1.6"]),
        (["--speed", "2"], 1, ["--time", "0.4"]),
        (["--trim"], 2, ["--time", "0.875"]),  # 1.5 s in 8 frames
        (["--trim", "--exact"], 2, ["--time", "0.9"]),
        (["--frames", "2..9:2"], 1, ["--frame", "4"]),
    ],
)
def test_frame_equals_the_picture_at_its_time(
    rigview, model_file, tmp_path, options, frame, moment
):
    name = tmp_path / "s_####.png"
    rate = ("--frame-rate", "5", "--fit", "clip", *SMALL)
    assert rigview("render", model_file, "-o", name, *rate, *options).code == 0
    assert rigview("render", model_file, "-o", tmp_path / "one.png", *rate, *moment).code == 0
    number = range(2, 10, 2)[frame] if "--frames" in options else frame
    with (
        Image.open(tmp_path / f"s_{number:04}.png") as one,
        Image.open(tmp_path / "one.png") as other,
    ):
        assert np.array_equal(np.asarray(one), np.asarray(other))


def test_last_frame_leads_to_the_first(rigview, tmp_path):
    options = ("--animation", "Walk", "--frame-rate", "16", "--resolution", "96x96", "--no-grid")
    options += ("--background", "#303236")  # a gradient differs by the loss of the format
    target = tmp_path / "walk.webp"
    assert rigview("render", "-o", target, *options).code == 0
    frames = read_film(target).frames.astype(float)
    steps = np.abs(np.roll(frames, -1, axis=0) - frames).mean(axis=(1, 2, 3))
    assert len(frames) == 16
    assert steps.min() > 0.1  # the last is not the first again
    assert steps[-1] < 1.3 * steps[:-1].max()  # and no jump
    assert rigview("render", "-o", target, *options, "--loop", "once").code == 0
    once = read_film(target).frames.astype(float)
    assert len(once) == 17
    assert np.abs(once[-1] - once[0]).mean() < 0.5 * steps.min()


@pytest.mark.parametrize(
    ("options", "loops"),
    [([], 0), (["--loop", "2"], 0), (["--loop", "once"], None), (["--loop", "1"], None)],
)
def test_gif_loop_count(film, options, loops):
    made, _ = film("--frame-rate", "5", *options)
    assert made.loops == loops


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--frame-rate", "6", "--animation", "Turn", "--speed", "1.7"], "0.8% faster: 7 frames"),
        (["--frame-rate", "10", "--pose", "rest"], "single frame: there is no motion"),
        (["--frame-rate", "10", "--speed", "0"], "single frame: there is no motion"),
        (["--frame-rate", "100"], ".gif supports at most 50 frames per second"),
    ],
)
def test_notes(film, options, words):
    assert words in film(*options)[1]
    assert not film(*options, "--quiet")[1]


def test_exact_keeps_the_speed_without_a_note(film):
    made, said = film("--frame-rate", "6", "--speed", "1.7", "--exact")
    assert len(made.frames) == 7
    assert not said


def test_mp4_has_no_transparency(film):
    made, said = film("--no-background", "--frame-rate", "2", name="out.mp4")
    assert ".mp4 has no transparency; using a black background" in said
    assert np.abs(made.frames[:, 0, 0].astype(int) - (0, 0, 0, 255)).max() <= 2


def test_mp4_has_even_sizes(film):
    size = ("--resolution", "33,24", "--frame-rate", "2")
    made, said = film(*size, name="out.mp4")
    assert said == "rigview: .mp4 has even sizes only; using 34x24 instead of 33x24\n"
    assert made.frames.shape[1:3] == (24, 34)
    assert not film(*size, "--quiet", name="out.mp4")[1]


@pytest.mark.parametrize("ending", [".webm", ".gif", ".webp"])
def test_other_formats_have_transparency(film, ending):
    made, said = film("--no-background", "--frame-rate", "2", name=f"out{ending}")
    assert not said
    assert (made.frames[:, 0, 0, 3] <= 2).all()
    assert (made.frames[..., 3] >= 250).any()


@pytest.mark.parametrize(
    ("pattern", "written"),
    [
        ("s_{frame:03}.png", ["s_000.png", "s_001.png"]),
        ("s_%05d.png", ["s_00000.png", "s_00001.png"]),
        ("##.png", ["00.png", "01.png"]),
        ("{model}_{clip}_{frame}.png", ["small_Turn fast_0.png", "small_Turn fast_1.png"]),
        ("{model}-{clip}.gif", ["small-Turn fast.gif"]),
        ("{clip}.png", ["Turn fast.png"]),
        ("C#.png", ["C#.png"]),
    ],
)
def test_names(rigview, model_file, tmp_path, pattern, written):
    clip = ("--animation", "Turn fast", "--frame-rate", "2")
    assert rigview("render", model_file, "-o", tmp_path / pattern, *clip, *SMALL).code == 0
    assert sorted(os.listdir(tmp_path)) == sorted([*written, "small.gltf"])


@pytest.mark.parametrize(
    ("options", "clip"),
    [
        (["--animation", "3"], "Animation 3"),
        (["--pose", "rest"], "rest"),
        (["--pose", "bind"], "bind"),
        (["--at", "0.1:fade:base=Turn fast"], "motion"),
    ],
)
def test_unnamed_content_gets_a_name(rigview, model_file, tmp_path, options, clip):
    target = tmp_path / "{clip}.png"
    assert rigview("render", model_file, "-o", target, *options, *SMALL).code == 0
    assert (tmp_path / f"{clip}.png").is_file()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["-o", "out.gif", "--time", "1"], "--time selects a single time; a video needs a range"),
        (["-o", "out.gif", "--phase", "0"], "--frames A..B"),
        (["-o", "out.gif", "--frame", "1"], "--frame selects"),
        (["-o", "out.gif", "--frames", "0..3", "--time", "1"], "--frames and --time"),
        (["-o", "{clap}.gif"], "{clap}"),
        (["-o", "out_{frame}.gif"], "{frame}"),
        (["-o", "out_{frame}.png", "--time", "1"], "{frame}"),
        (
            ["-o", "out.gif", "--frame-rate", "1e9", "--quiet", "--speed", "1e-9"],
            "invalid frame rate",
        ),
        (["-o", "out.mp4", "--frame-rate", "0.001"], "invalid frame rate"),
        (
            ["-o", "out.avi"],
            "the extension of 'out.avi' must be .png or .jpg or .jpeg or .exr or .mp4 or .webm",
        ),
    ],
)
def test_wrong_use(rigview, model_file, tmp_path, monkeypatch, options, words):
    need_encoder(options[1])
    monkeypatch.chdir(tmp_path)
    ran = rigview("render", model_file, *options)
    assert ran.code == 2
    assert words in ran.err
    assert ran.err.count("\n") == 1
    assert os.listdir(tmp_path) == ["small.gltf"]


def test_missing_encoder_fails_before_loading(rigview, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "av", None)
    monkeypatch.setitem(sys.modules, "av.codec", None)
    ran = rigview("render", tmp_path / "missing.glb", "-o", tmp_path / "x.mp4")
    assert ran.code == 5
    assert "pip install 'rigview[video]'" in ran.err
    assert ran.err.count("\n") == 1


def test_a_video_into_a_device_is_refused(rigview, model_file, tmp_path):
    os.mkfifo(tmp_path / "out.gif")
    ran = rigview("render", model_file, "-o", tmp_path / "out.gif", *SMALL)
    assert ran.code == 5
    assert "a video cannot be written to a pipe" in ran.err
    assert (tmp_path / "out.gif").is_fifo()


def test_layers_last_as_long_as_their_longest_pass(rigview, tmp_path):
    (tmp_path / "a.glb").write_bytes(light_mannequin(frozenset({"Run", "Walk", "Wave"})))
    (tmp_path / "a.motion.toml").write_text(
        'version = 1\n[[layers]]\nname = "base"\nplay = "Walk"\n'
        '[[layers]]\nname = "wave"\nplay = "Wave"\nmask = "touched"\n',
        encoding="utf-8",
    )
    target = tmp_path / "out.gif"
    options = ("--frame-rate", "4", *SMALL)
    assert rigview("render", tmp_path / "a.glb", "-o", target, *options).code == 0
    assert len(read_film(target).frames) == 12  # of Wave's 3 s
    late = ("--at", "1:fade:base=Run,0.5")
    assert rigview("render", tmp_path / "a.glb", "-o", target, *options, *late).code == 0
    made = read_film(target)
    assert len(made.frames) == 19  # 1 s, 0.5 s of the fade, 3 s more, and the end
    assert made.loops == 0


@pytest.mark.parametrize(
    ("said", "count", "loops"), [("once", 5, None), ("pingpong", 8, 0), ("2", 8, 0)]
)
def test_loop_mode_of_the_motion_file(rigview, tmp_path, said, count, loops):
    shutil.copy(asset_path("mannequin.glb"), tmp_path / "a.glb")
    text = f'version = 1\n[clips.Walk]\nloop = "{said}"\n'
    (tmp_path / "a.motion.toml").write_text(text, encoding="utf-8")
    target = tmp_path / "out.gif"
    options = ("--animation", "Walk", "--frame-rate", "4", *SMALL)
    assert rigview("render", tmp_path / "a.glb", "-o", target, *options).code == 0
    made = read_film(target)
    assert (len(made.frames), made.loops) == (count, loops)
    assert rigview("render", tmp_path / "a.glb", "-o", target, *options, "--loop", "loop").code == 0
    assert len(read_film(target).frames) == 4


def started(target, *options, limit=None):
    """Begin a video that takes long."""
    command = [sys.executable, "-m", "rigview", "render", "-o", target, "--frames", "0..100000"]
    return subprocess.Popen(
        [*command, *SMALL, *options],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=limit,
    )


@pytest.mark.skipif(os.name == "nt", reason="signals are others there")
@pytest.mark.parametrize(
    ("ending", "number"),
    [(".mp4", signal.SIGINT), (".webm", signal.SIGTERM), (".webp", signal.SIGINT)],
)
def test_interrupted_run_leaves_no_files(tmp_path, ending, number):
    need_encoder(ending)
    target = tmp_path / f"out{ending}"
    target.write_text("as it was")
    ran = started(target)
    end = time.monotonic() + 60
    while len(os.listdir(tmp_path)) < 2 and ran.poll() is None and time.monotonic() < end:
        time.sleep(0.02)
    assert len(os.listdir(tmp_path)) == 2, "there is a draft"
    ran.send_signal(number)
    try:
        _, said = ran.communicate(timeout=60)
    finally:
        ran.kill()  # a shell that runs us aside may have it ignore the signal
    assert ran.returncode == 128 + number
    assert said == ""
    assert os.listdir(tmp_path) == [target.name]
    assert target.read_text() == "as it was"


@pytest.mark.skipif(os.name == "nt", reason="files have no limit there")
@pytest.mark.parametrize("ending", [".mp4", ".webp"])
def test_full_disk(tmp_path, ending):
    need_encoder(ending)

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))

    much = ("--resolution", "400x400", "--wireframe", "--animation", "Run")
    ran = started(tmp_path / f"out{ending}", *much, limit=limit)
    _, said = ran.communicate(timeout=60)
    assert ran.returncode == 5
    assert said.count("\n") == 1
    assert f"out{ending}" in said
    assert os.listdir(tmp_path) == []
