"""Playing: start, stop, step, seek, speed and loop of what is on stage, at the session's moment.

A session calls these, and so do actions and panels; `rigview.animation.playback` does the sums.
"""

import math
from typing import TYPE_CHECKING, Protocol

import numpy as np

from ..animation.playback import Mode, Playback
from ..scene.character import ENDLESS, Character
from ..scene.scene import Scene

if TYPE_CHECKING:
    from ..blending.mixer import Mixer
    from ..motion.document import MotionDoc
    from ..motion.single_clip import Alone

SPEEDS = (0.1, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0)  # what [ and ] step through
LOOPS: tuple[tuple[str, Mode, float], ...] = (
    ("Loop", "loop", math.inf),
    ("Ping-pong", "pingpong", math.inf),
    ("Once", "loop", 1.0),
)
ON_AND_ON = "On and on"  # how a motion goes that is not repeated
_NEAR = 1e-6  # frames: a time this near a frame is that frame


class Stage(Protocol):
    """What is needed of a session."""

    @property
    def scene(self) -> Scene:
        """What is looked at."""

    @property
    def tau(self) -> float:
        """The global time of the present frame, seconds."""

    @property
    def frame_rate(self) -> float:
        """Frames a second that stepping goes by."""

    @property
    def character(self) -> Character | None:
        """The character on stage."""


def playing(stage: Stage) -> Character | None:
    """Return the character where it has a clip or a motion to play, else None."""
    character = stage.character
    if character is None or (character.clip < 0 and character.mixer is None):
        return None
    return character


def motion(stage: Stage) -> "Mixer | None":
    """Return the motion that plays, None where a single clip does."""
    return None if stage.character is None else stage.character.mixer


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
    """Return the clip's own time, or tau of a motion, seconds; 0 where nothing plays."""
    character = playing(stage)
    return 0.0 if character is None else float(character.playback.time(stage.tau))


def reach(stage: Stage) -> tuple[float, float]:
    """Return first and last time of a pass, seconds; of an endless motion, of the present page."""
    character = playing(stage)
    if character is None:
        return 0.0, 0.0
    begin, duration = float(character.playback.start), float(character.playback.duration)
    if duration < ENDLESS:
        return begin, begin + duration
    length = _length(character)
    page = max(math.floor(time(stage) / length + 1e-9), 0)
    return page * length, (page + 1) * length


def choose_clip(stage: Stage, clip: int) -> None:
    """Play another clip from its start (-1: the rest pose) with the speed and loop of now.

    What the motion file says of the clip holds (RULINGS M5): range, root, and its own loop.
    """
    character = stage.character
    if character is None:
        return
    _start(stage, character, clip, character.said_of(clip))


def _start(stage: Stage, character: Character, clip: int, said: "Alone | None") -> None:
    before, was = character.playback, character.alone
    mode, passes = before.mode, float(before.passes)
    if character.mixer is not None or (was is not None and was.loop is not None):
        mode, passes = "loop", math.inf
    if said is not None and said.loop is not None:
        mode, passes = said.loop
    character.show = "clip"
    rate, trim = float(before.rate), character.trim
    character.play(clip, stage.tau, passes=passes, mode=mode, rate=rate, trim=trim, alone=said)
    stage.scene.measure()


def again(stage: Stage) -> None:
    """Play the clip that plays alone as the motion file and `trim` now say, at its present time."""
    character = stage.character
    if character is None or character.mixer is not None:
        return
    now, paused, show = time(stage), character.playback.paused, character.show
    choose_clip(stage, character.clip)
    character.show = show
    character.playback.seek(now, stage.tau)
    if paused:
        character.playback.pause(stage.tau)


def perform(
    stage: Stage, document: "MotionDoc", *, adopt: bool = False, anew: bool = False
) -> None:
    """Play a motion in place of what plays, at the time of the motion that plays.

    A document in which nothing plays leaves the clip on stage alone. One with moments is begun
    again at its end; another goes on and on.

    Parameters
    ----------
    adopt
        Go on from the phases of the motion that plays, so that nothing jumps; else be where a
        run from 0 would be.
    anew
        From the beginning, whatever plays.

    Raises
    ------
    MotionError
        It does not fit the model; what played plays on.
    """
    character = stage.character
    if character is None:
        return
    if not document.layers:
        from ..motion.single_clip import alone

        said = alone(character.model, document, character.clip, trim=character.trim)
        character.said = document
        if character.mixer is not None:
            choose_clip(stage, character.clip)
        elif said != character.alone and (said is None or not said.like(character.alone)):
            again(stage)
        return
    if character.mixer is None or anew:
        rate, paused = float(character.playback.rate), character.playback.paused
        now = (
            0.0 if anew else max(time(stage), 0.0)
        )  # a base layer that plays the same clip goes on
        character.perform(document, stage.tau)
        character.show = "clip"
        character.playback.set_rate(rate if rate > 0.0 else 1.0, stage.tau)
        character.playback.seek(now, stage.tau)
        _repeat(character, stage.tau, "loop", math.inf, endless=not document.at)
        if paused:
            character.playback.pause(stage.tau)
        stage.scene.measure()
    else:
        character.rebind(document, adopt=adopt)
        before = character.playback
        if before.duration < ENDLESS and float(before.duration) != _length(character):
            _repeat(character, stage.tau, before.mode, float(before.passes))


def _length(character: Character) -> float:
    """Return the seconds of a motion that are worth showing."""
    length = 0.0 if character.mixer is None else character.mixer.length
    return length or 1.0


def _repeat(
    character: Character, tau: float, mode: Mode, passes: float, *, endless: bool = False
) -> None:
    """Repeat a motion in another way; its time, rate and pause stay."""
    before = character.playback
    now = float(before.time(tau))
    duration = ENDLESS if endless else _length(character)
    character.playback = Playback(
        duration, passes=1 if endless else passes, mode=mode, rate=before.rate, tau=tau
    )
    character.playback.seek(now if endless else now % duration if now > duration else now, tau)
    if before.paused:
        character.playback.pause(tau)


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


def is_endless(stage: Stage) -> bool:
    """Tell whether a motion goes on and on."""
    character = playing(stage)
    return character is not None and float(character.playback.duration) >= ENDLESS


def go_to_frame(stage: Stage, number: int) -> None:
    """Pause at a frame: number / frame rate, within the clip."""
    begin, end = (0.0, ENDLESS) if is_endless(stage) else reach(stage)
    hold(stage, min(max(number / stage.frame_rate, begin), end))


def step(stage: Stage, count: int) -> None:
    """Pause, and go `count` frames on or back; beyond an end, around to the other."""
    first, last = frames(stage)
    place = time(stage) * stage.frame_rate
    whole = math.floor(place + _NEAR) if count > 0 else math.ceil(place - _NEAR)
    number = whole + count
    if is_endless(stage):
        number = max(number, 0)
    elif number > last:
        number = first
    elif number < first:
        number = last
    go_to_frame(stage, number)


def to_end(stage: Stage, *, last: bool) -> None:
    """Pause at the first or the last moment of a pass; the first of a motion is 0."""
    hold(stage, reach(stage)[1] if last else 0.0 if is_endless(stage) else reach(stage)[0])


def to_key(stage: Stage, way: int) -> None:
    """Pause at the next key of any track (`way` 1), or moment of a motion, or at the one before."""
    character = playing(stage)
    if character is None:
        return
    if character.mixer is not None:
        times = np.unique([each.tau for each in character.mixer.schedule])
    else:
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
    if is_endless(stage):
        return ON_AND_ON
    mode, passes = character.playback.mode, float(character.playback.passes)
    for name, of_mode, of_passes in LOOPS:
        if (mode, passes) == (of_mode, of_passes):
            return name
    return f"{passes:.0f} passes" if mode == "loop" else f"{passes:.0f} passes, ping-pong"


def set_loop(stage: Stage, mode: Mode, passes: float) -> None:
    """Repeat in another way from now on."""
    character = stage.character
    if character is not None and character.mixer is not None:
        _repeat(character, stage.tau, mode, passes)
    elif character is not None:
        character.playback.set_mode(mode, passes, stage.tau)


def set_endless(stage: Stage) -> None:
    """Let a motion go on and on."""
    character = stage.character
    if character is not None and character.mixer is not None:
        _repeat(character, stage.tau, "loop", 1.0, endless=True)


def next_loop(stage: Stage) -> None:
    """Change to the next way of repeating."""
    names = [name for name, _, _ in LOOPS]
    now = loop_name(stage)
    if now == names[-1] and motion(stage) is not None:
        set_endless(stage)
        return
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
    character.trim = trim
    if character.document is not None:
        perform(stage, character.document)
    else:
        again(stage)
