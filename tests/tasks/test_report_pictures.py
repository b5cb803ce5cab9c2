from dataclasses import replace

import numpy as np
import pytest

from rigview.animation.clip import Clip
from rigview.animation.track import Track
from rigview.options.parser import parse
from rigview.rendering.offscreen import OffscreenRenderer
from rigview.tasks import report_pictures
from rigview.tasks.playback_setup import PlaybackSetup
from rigview.tasks.report_pictures import ReportRenderer, loop_times
from tests.support.models import rod_model

SMALL = ["--resolution", "32,32", "--samples", "1"]


@pytest.fixture
def studio():
    """Make a studio for a model, as `report` with some options has it."""
    made = []

    def open_studio(model, *options):
        made.append(
            ReportRenderer(parse("report", ["x.glb", "-o", "x.html", *SMALL, *options]), model)
        )
        return made[-1]

    yield open_studio
    for each in made:
        each.release()


def travelling(metres=40.0, seconds=1.0):
    """The rod on its way along +X; it bends on the way."""
    model = rod_model()
    times = np.array([0, seconds], np.float32)
    way = np.array([[0, 0, 0], [metres, 0, 0]], np.float32)
    track = Track(1, "translation", "LINEAR", times, way, None)
    clip = Clip.of("Travel", [track, *model.clips[0].tracks[1:]])
    return replace(model, clips=(clip,))


def test_head_picture_shows_the_character_without_its_path(studio):
    model = travelling()
    hero, thumbnail = studio(model).head_pictures(PlaybackSetup(model, 0))
    assert 600 <= max(hero.width, hero.height) <= max(report_pictures.HERO)
    assert thumbnail.height == report_pictures.THUMBNAIL


def test_given_camera_position_is_kept(studio):
    model = travelling()
    placed = studio(model, "--camera-position", "20,2,60", "--camera-target", "20,2,0")
    hero, _ = placed.head_pictures(PlaybackSetup(model, 0))
    assert max(hero.width, hero.height) < 200


def test_still_is_the_most_different_picture(studio):
    model = rod_model()
    rows = [
        studio(model, "--phase", phases).row(PlaybackSetup(model, 0), "Bend", "")
        for phases in ("0,0.5,0", "0.5", "0")
    ]
    assert rows[0].still == rows[1].still != rows[2].still


def test_phases_from_start_to_end(studio):
    model = rod_model()
    row = studio(model, "--no-player").row(PlaybackSetup(model, 0), "Bend", "")
    assert row.captions == ("0.00 s", "0.20 s", "0.40 s", "0.60 s", "0.80 s", "1.00 s")
    assert (row.frames_strip.width, row.frames_strip.height) == (6 * 32, 32)
    assert row.loop is not None


def test_player_takes_the_place_of_loops(studio):
    model, setup = rod_model(), PlaybackSetup(rod_model(), 0)
    made = studio(model)
    row = made.row(setup, "Bend", "")
    assert row.captions == ("0.00 s", "0.33 s", "0.67 s", "1.00 s")
    assert made.picture_count(setup) == 4
    assert (row.loop, row.length) == (None, 1.0)


def test_equal_poses_are_drawn_once(studio, monkeypatch):
    """The loop begins with the first cell; the dot on a path shows the time."""
    drawn = []

    def counted(self, scene, **named):
        drawn.append(scene)
        return render(self, scene, **named)

    render = OffscreenRenderer.render
    monkeypatch.setattr(OffscreenRenderer, "render", counted)
    setup = PlaybackSetup(rod_model(), 0)
    assert studio(setup.model, "--no-player").picture_count(setup) == 22
    row = studio(setup.model, "--no-player").row(setup, "Bend", "")
    every = len(drawn)
    studio(setup.model, "--no-player", "--joint-path", "--select", "Joint 3").row(setup, "Bend", "")
    assert (every, len(drawn) - every) == (21, 22)
    monkeypatch.setattr(report_pictures, "_shown", lambda *_: b"")
    assert studio(setup.model, "--no-player").row(setup, "Bend", "") == row


@pytest.mark.parametrize(
    ("seconds", "options", "frames", "fps"),
    [
        (1.0, [], 16, 16),
        (1.0, ["--frame-rate", "12"], 12, 12),
        (4.0, [], 40, 10),
        (10.0, [], 100, 10),
        (1.0, ["--speed", "2"], 8, 16),
        (1.0, ["--loop", "pingpong"], 32, 16),
        (1.0, ["--loop", "once"], 17, 16),
    ],
)
def test_frames_of_a_loop(seconds, options, frames, fps):
    model = travelling(seconds=seconds)
    args = parse("report", ["x.glb", "-o", "x.html", *options])
    shown, remark = loop_times(args, PlaybackSetup(model, 0))
    assert (len(shown.taus), shown.fps, remark) == (frames, fps, "")


def test_long_clip_is_shown_completely():
    model = travelling(seconds=240.0)
    args = parse("report", ["x.glb", "-o", "x.html"])
    shown, remark = loop_times(args, PlaybackSetup(model, 0))
    assert len(shown.taus) == report_pictures.MOST_FRAMES
    assert shown.taus[-1] > 238
    assert remark == "shown 10 times as fast"
