"""When frames are drawn, by a clock of the test."""

import math

import pytest

from rigview.window.frame_pacing import LINGER, REST, SETTLING, FramePacer

INTERVAL = 1 / 60


class Window:
    """Draws frames when the pacer wants them; a frame takes `cost` seconds."""

    def __init__(self, cost=0.001):
        self.pacer = FramePacer(60.0)
        self.now = 0.0
        self.cost = cost
        self.sharp = True
        self.slow = False  # the moving scene has a low resolution
        self.frames = []  # (start, whether the scene was drawn)

    def run(self, seconds, *, moving=False, until=math.inf):
        """Return the frames of some seconds."""
        end, first = self.now + seconds, len(self.frames)
        while self.now < end:
            self.pacer.move(self.now, moving=moving)
            wait = self.pacer.wait(self.now, sharp=self.sharp, until=until)
            if self.now + wait >= end:
                self.now = end
                break
            self.now += wait
            if wait == 0.0:
                self._draw()
        return self.frames[first:]

    def _draw(self):
        rests = self.pacer.resting(self.now)
        scene = self.pacer.begin(self.now, sharp=self.sharp)
        if scene:
            self.sharp = rests or not self.slow
        self.frames.append((self.now, scene))
        self.now += self.cost


@pytest.fixture
def window():
    window = Window()
    window.pacer.change(0.0)
    window.run(5.0)
    return window


def test_nothing_is_drawn_while_nothing_changes(window):
    assert window.run(3600.0) == []
    assert window.pacer.settled


def test_a_change_draws_the_scene_until_the_panels_have_settled(window):
    window.pacer.change(window.now)
    frames = window.run(60.0)
    assert [scene for _, scene in frames[:SETTLING]] == [True] * SETTLING
    assert not any(scene for _, scene in frames[SETTLING:])
    assert frames[-1][0] - frames[0][0] <= LINGER + 0.1, "tooltips appear"
    assert len(frames) < 15


def test_panels_are_kept_once_they_have_settled_and_only_the_scene_moves(window):
    assert not window.pacer.keeps_panels
    window.run(1.0, moving=True)
    assert window.pacer.keeps_panels
    for change in (window.pacer.change_panels, window.pacer.change):
        change(window.now)
        for _ in range(SETTLING):
            assert not window.pacer.keeps_panels
            window.pacer.begin(window.now, sharp=True)
        assert window.pacer.keeps_panels


def test_moves_of_pointer_and_camera_keep_panels(window):
    window.run(1.0, moving=True)
    window.pacer.point(window.now)
    assert window.pacer.keeps_panels
    window.pacer.orbit(window.now)
    assert window.pacer.keeps_panels


def test_an_orbit_draws_the_scene(window):
    window.pacer.orbit(window.now)
    frames = window.run(60.0)
    assert [scene for _, scene in frames[:SETTLING]] == [True] * SETTLING


def test_a_change_is_drawn_at_once(window):
    window.pacer.change(window.now)
    assert window.pacer.wait(window.now, sharp=True) == 0.0


def test_the_mouse_over_a_panel_draws_no_scene(window):
    window.pacer.point(window.now)
    frames = window.run(60.0)
    assert len(frames) >= SETTLING
    assert not any(scene for _, scene in frames)


def test_playing_draws_sixty_frames_a_second(window):
    frames = window.run(10.0, moving=True)
    assert 600 <= len(frames) <= 630
    assert all(scene for _, scene in frames)


def test_slow_frames_follow_each_other():
    window = Window(cost=0.4)
    assert len(window.run(10.0, moving=True)) == 25


def test_the_end_of_playing_is_drawn(window):
    window.run(1.0, moving=True)
    frames = window.run(60.0)
    assert sum(scene for _, scene in frames) == SETTLING


def test_events_while_playing_draw_no_more_frames(window):
    for _ in range(1000):
        window.pacer.change(window.now)
        window.run(0.001, moving=True)
    assert len(window.frames) < 90


@pytest.mark.parametrize("cost", [0.001, 0.02, 0.4])
def test_the_resting_scene_is_drawn_once_at_full_resolution(cost):
    window = Window(cost)
    window.slow = True
    window.run(3.0, moving=True)
    assert not window.sharp
    begun = window.now
    frames = window.run(60.0)
    assert window.sharp
    drawn = [start for start, scene in frames if scene]
    assert begun + REST <= drawn[-1] <= begun + REST + (SETTLING + 1) * max(cost, INTERVAL)
    assert sum(start >= begun + REST for start in drawn) <= SETTLING
    assert window.run(60.0) == []


def test_the_end_of_a_notice_is_drawn_without_the_scene(window):
    frames = window.run(60.0, until=window.now + 4.0)
    assert [scene for _, scene in frames] == [False]
