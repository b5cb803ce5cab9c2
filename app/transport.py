"""Playing: start, stop, step, seek, speed and loop of what is on stage, at the session's moment.

A session calls these, and so do actions and panels; `app.animation.playback` does the sums.
"""

import math
from typing import Protocol

import numpy as np

from app.animation.playback import Mode
from app.character import Character
from app.scene import Scene

SPEEDS = (0.1, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0)  # what [ and ] step through
LOOPS: tuple[tuple[str, Mode, float], ...] = (
    ("Loop", "loop", math.inf),
    ("Ping-pong", "pingpong", math.inf),
    ("Once", "loop", 1.0),
)
_NEAR = 1e-6  # frames: a time this near a frame is that frame


class Stage(Protocol):
    """What is needed of a session."""

    scene: Scene
    tau: float
    frame_rate: float

    @property
    def character(self) -> Character | None:
        """The character on stage."""


def playing(stage: Stage) -> Character | None:
    """Return the character where it has a clip to play, else None."""
    character = stage.character
    return character if character is not None and character.clip >= 0 else None


def is_running(stage: Stage) -> bool:
    """Tell whether time goes on: not paused and not at its end."""
    character = playing(stage)
    return (
        character is not None
        and character.show == "clip"
        and not character.playback.paused
        and not bool(character.playback.done(stage.tau))
    )


def time(stage: Stage) -> float:
    """Return the clip's own time, seconds; 0 where nothing plays."""
    character = playing(stage)
    return 0.0 if character is None else float(character.playback.time(stage.tau))


def reach(stage: Stage) -> tuple[float, float]:
    """Return first and last time of a pass, seconds."""
    character = playing(stage)
    if character is None:
        return 0.0, 0.0
    begin = float(character.playback.start)
    return begin, begin + float(character.playback.duration)


def choose_clip(stage: Stage, clip: int) -> None:
    """Play another clip from its start (-1: the rest pose) with the speed and loop of now."""
    character = stage.character
    if character is None:
        return
    before = character.playback
    character.show = "clip"
    character.play(
        clip,
        stage.tau,
        passes=float(before.passes),
        mode=before.mode,
        rate=float(before.rate),
        trim=character.trim,
    )
    stage.scene.measure()


def next_clip(stage: Stage, step: int) -> None:
    """Play the clip `step` places on, around the end."""
    character = stage.character
    if character is not None and character.model.clips:
        choose_clip(stage, (max(character.clip, 0) + step) % len(character.model.clips))


def toggle(stage: Stage) -> None:
    """Play or pause; at its end, play again from the start."""
    character = playing(stage)
    if character is None:
        return
    playback = character.playback
    if is_running(stage):
        playback.pause(stage.tau)
        return
    if bool(playback.done(stage.tau)):
        begin, end = reach(stage)
        playback.seek(end if playback.rate < 0 else begin, stage.tau)
    character.show = "clip"
    playback.resume(stage.tau)


def seek(stage: Stage, seconds: float) -> None:
    """Go to a clip time; playing goes on where it was."""
    character = playing(stage)
    if character is not None:
        character.show = "clip"
        character.playback.seek(seconds, stage.tau)


def hold(stage: Stage, seconds: float) -> None:
    """Pause at a clip time."""
    character = playing(stage)
    if character is not None:
        character.playback.pause(stage.tau)
        seek(stage, seconds)


def frame(stage: Stage) -> int:
    """Return the number of the frame shown: the last one at or before the clip's time."""
    return math.floor(time(stage) * stage.frame_rate + _NEAR)


def frames(stage: Stage) -> tuple[int, int]:
    """Return the numbers of the first and of the last frame of a pass."""
    begin, end = reach(stage)
    return (
        math.ceil(begin * stage.frame_rate - _NEAR),
        math.ceil(end * stage.frame_rate - _NEAR),
    )


def go_to_frame(stage: Stage, number: int) -> None:
    """Pause at a frame: number / frame rate, within the clip."""
    begin, end = reach(stage)
    hold(stage, min(max(number / stage.frame_rate, begin), end))


def step(stage: Stage, count: int) -> None:
    """Pause, and go `count` frames on or back; beyond an end, around to the other."""
    first, last = frames(stage)
    place = time(stage) * stage.frame_rate
    whole = math.floor(place + _NEAR) if count > 0 else math.ceil(place - _NEAR)
    number = whole + count
    if number > last:
        number = first
    elif number < first:
        number = last
    go_to_frame(stage, number)


def to_end(stage: Stage, *, last: bool) -> None:
    """Pause at the first or the last moment of a pass."""
    hold(stage, reach(stage)[last])


def to_key(stage: Stage, way: int) -> None:
    """Pause at the next key of any track (`way` 1) or at the one before (-1)."""
    character = playing(stage)
    if character is None:
        return
    times = character.model.clips[character.clip].key_times
    now = time(stage)
    if way > 0:
        after = times[times > now + _NEAR]
        goal = after[0] if after.size else reach(stage)[1]
    else:
        before = times[times < now - _NEAR]
        goal = before[-1] if before.size else reach(stage)[0]
    hold(stage, float(goal))


def speed(stage: Stage) -> float:
    """Return the rate, 1 where nothing is on stage."""
    return 1.0 if stage.character is None else float(stage.character.playback.rate)


def set_speed(stage: Stage, rate: float) -> None:
    """Play at another rate from now on; below 0 backwards."""
    if stage.character is not None:
        stage.character.playback.set_rate(rate, stage.tau)


def change_speed(stage: Stage, way: int) -> None:
    """Play faster (`way` 1) or slower (-1) by one step of `SPEEDS`, in the same direction."""
    rate = speed(stage)
    size = abs(rate)
    steps = [each for each in SPEEDS if (each - size) * way > _NEAR]
    if steps:
        set_speed(stage, math.copysign(steps[0] if way > 0 else steps[-1], rate))


def loop_name(stage: Stage) -> str:
    """Return how it repeats, in words."""
    character = stage.character
    if character is None:
        return LOOPS[0][0]
    mode, passes = character.playback.mode, float(character.playback.passes)
    for name, of_mode, of_passes in LOOPS:
        if (mode, passes) == (of_mode, of_passes):
            return name
    return f"{passes:.0f} passes" if mode == "loop" else f"{passes:.0f} passes, ping-pong"


def set_loop(stage: Stage, mode: Mode, passes: float) -> None:
    """Repeat in another way from now on."""
    if stage.character is not None:
        stage.character.playback.set_mode(mode, passes, stage.tau)


def next_loop(stage: Stage) -> None:
    """Change to the next way of repeating."""
    names = [name for name, _, _ in LOOPS]
    now = loop_name(stage)
    _, mode, passes = LOOPS[(names.index(now) + 1) % len(LOOPS) if now in names else 0]
    set_loop(stage, mode, passes)


def set_trim(stage: Stage, *, trim: bool) -> None:
    """Play from the first key to the last one, or from 0; the time shown stays if it can."""
    character = playing(stage)
    if character is None:
        stage_character = stage.character
        if stage_character is not None:
            stage_character.trim = trim
        return
    now, paused = time(stage), character.playback.paused
    show = character.show
    character.trim = trim
    choose_clip(stage, character.clip)
    character.show = show
    character.playback.seek(now, stage.tau)
    if paused:
        character.playback.pause(stage.tau)


def carry_over(old: Character, new: Character, tau: float) -> None:
    """Go on with a model read again as the one before it did: clip, time, speed, loop, sliders."""
    names = [clip.name for clip in new.model.clips]
    wanted = old.model.clips[old.clip].name if old.clip >= 0 else ""
    clip = names.index(wanted) if wanted in names else min(old.clip, len(names) - 1)
    if old.clip < 0 and names and not old.model.clips:
        clip = 0
    playback = old.playback
    new.play(
        clip,
        tau,
        passes=float(playback.passes),
        mode=playback.mode,
        rate=float(playback.rate),
        trim=old.trim,
    )
    new.playback.seek(playback.time(tau), tau)
    if playback.paused:
        new.playback.pause(tau)
    new.show = old.show
    if new.override.shape == old.override.shape:
        np.copyto(new.override, old.override)
