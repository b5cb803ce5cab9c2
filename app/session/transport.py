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
CONTINUOUS = "On and on"  # how a motion goes that is not repeated
_NEAR = 1e-6  # frames: a time this near a frame is that frame


class Player(Protocol):
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


def playable_character(player: Player) -> Character | None:
    """Return the character where it has a clip or a motion to play, else None."""
    character = player.character
    if character is None or (character.clip < 0 and character.mixer is None):
        return None
    return character


def motion(player: Player) -> "Mixer | None":
    """Return the motion that plays, None where a single clip does."""
    return None if player.character is None else player.character.mixer


def is_running(player: Player) -> bool:
    """Tell whether time goes on: not paused and not at its end."""
    character = playable_character(player)
    return (
        character is not None
        and character.show == "clip"
        and not character.playback.paused
        and not bool(character.playback.done(player.tau))
    )


def time(player: Player) -> float:
    """Return the clip's own time, or tau of a motion, seconds; 0 where nothing plays."""
    character = playable_character(player)
    return 0.0 if character is None else float(character.playback.time(player.tau))


def time_range(player: Player) -> tuple[float, float]:
    """Return first and last time of a pass, seconds; of an endless motion, of the present page."""
    character = playable_character(player)
    if character is None:
        return 0.0, 0.0
    begin, duration = float(character.playback.start), float(character.playback.duration)
    if duration < ENDLESS:
        return begin, begin + duration
    length = _length(character)
    page = max(math.floor(time(player) / length + 1e-9), 0)
    return page * length, (page + 1) * length


def choose_clip(player: Player, clip: int) -> None:
    """Play another clip from its start (-1: the rest pose) with the speed and loop of now.

    What the motion file says of the clip holds (RULINGS M5): range, root, and its own loop.
    """
    character = player.character
    if character is None:
        return
    _start(player, character, clip, character.settings_of_clip(clip))


def _start(player: Player, character: Character, clip: int, said: "Alone | None") -> None:
    before, was = character.playback, character.alone
    mode, passes = before.mode, float(before.passes)
    if character.mixer is not None or (was is not None and was.loop is not None):
        mode, passes = "loop", math.inf
    if said is not None and said.loop is not None:
        mode, passes = said.loop
    character.show = "clip"
    rate, trim = float(before.rate), character.trim
    character.play(clip, player.tau, passes=passes, mode=mode, rate=rate, trim=trim, alone=said)
    player.scene.measure()


def restart_clip(player: Player) -> None:
    """Play the clip that plays alone as the motion file and `trim` now say, at its present time."""
    character = player.character
    if character is None or character.mixer is not None:
        return
    now, paused, show = time(player), character.playback.paused, character.show
    choose_clip(player, character.clip)
    character.show = show
    character.playback.seek(now, player.tau)
    if paused:
        character.playback.pause(player.tau)


def play_motion(
    player: Player, document: "MotionDoc", *, adopt: bool = False, from_start: bool = False
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
    character = player.character
    if character is None:
        return
    if not document.layers:
        from ..motion.single_clip import alone

        said = alone(character.model, document, character.clip, trim=character.trim)
        character.motion_settings = document
        if character.mixer is not None:
            choose_clip(player, character.clip)
        elif said != character.alone and (said is None or not said.like(character.alone)):
            restart_clip(player)
        return
    if character.mixer is None or from_start:
        rate, paused = float(character.playback.rate), character.playback.paused
        now = (
            0.0 if from_start else max(time(player), 0.0)
        )  # a base layer that plays the same clip goes on
        character.play_motion(document, player.tau)
        character.show = "clip"
        character.playback.set_rate(rate if rate > 0.0 else 1.0, player.tau)
        character.playback.seek(now, player.tau)
        _repeat(character, player.tau, "loop", math.inf, continuous=not document.at)
        if paused:
            character.playback.pause(player.tau)
        player.scene.measure()
    else:
        character.rebind(document, adopt=adopt)
        before = character.playback
        if before.duration < ENDLESS and float(before.duration) != _length(character):
            _repeat(character, player.tau, before.mode, float(before.passes))


def _length(character: Character) -> float:
    """Return the seconds of a motion that are worth showing."""
    length = 0.0 if character.mixer is None else character.mixer.length
    return length or 1.0


def _repeat(
    character: Character, tau: float, mode: Mode, passes: float, *, continuous: bool = False
) -> None:
    """Repeat a motion in another way; its time, rate and pause stay."""
    before = character.playback
    now = float(before.time(tau))
    duration = ENDLESS if continuous else _length(character)
    character.playback = Playback(
        duration, passes=1 if continuous else passes, mode=mode, rate=before.rate, tau=tau
    )
    character.playback.seek(now if continuous else now % duration if now > duration else now, tau)
    if before.paused:
        character.playback.pause(tau)


def next_clip(player: Player, step: int) -> None:
    """Play the clip `step` places on, around the end."""
    character = player.character
    if character is not None and character.model.clips:
        choose_clip(player, (max(character.clip, 0) + step) % len(character.model.clips))


def toggle(player: Player) -> None:
    """Play or pause; at its end, play again from the start."""
    character = playable_character(player)
    if character is None:
        return
    playback = character.playback
    if is_running(player):
        playback.pause(player.tau)
        return
    if bool(playback.done(player.tau)):
        begin, end = time_range(player)
        playback.seek(end if playback.rate < 0 else begin, player.tau)
    character.show = "clip"
    playback.resume(player.tau)


def seek(player: Player, seconds: float) -> None:
    """Go to a clip time; playing goes on where it was."""
    character = playable_character(player)
    if character is not None:
        character.show = "clip"
        character.playback.seek(seconds, player.tau)


def pause_at(player: Player, seconds: float) -> None:
    """Pause at a clip time."""
    character = playable_character(player)
    if character is not None:
        character.playback.pause(player.tau)
        seek(player, seconds)


def frame(player: Player) -> int:
    """Return the number of the frame shown: the last one at or before the clip's time."""
    return math.floor(time(player) * player.frame_rate + _NEAR)


def frames(player: Player) -> tuple[int, int]:
    """Return the numbers of the first and of the last frame of a pass."""
    begin, end = time_range(player)
    return (
        math.ceil(begin * player.frame_rate - _NEAR),
        math.ceil(end * player.frame_rate - _NEAR),
    )


def is_continuous(player: Player) -> bool:
    """Tell whether a motion goes on and on."""
    character = playable_character(player)
    return character is not None and float(character.playback.duration) >= ENDLESS


def go_to_frame(player: Player, number: int) -> None:
    """Pause at a frame: number / frame rate, within the clip."""
    begin, end = (0.0, ENDLESS) if is_continuous(player) else time_range(player)
    pause_at(player, min(max(number / player.frame_rate, begin), end))


def step(player: Player, count: int) -> None:
    """Pause, and go `count` frames on or back; beyond an end, around to the other."""
    first, last = frames(player)
    place = time(player) * player.frame_rate
    whole = math.floor(place + _NEAR) if count > 0 else math.ceil(place - _NEAR)
    number = whole + count
    if is_continuous(player):
        number = max(number, 0)
    elif number > last:
        number = first
    elif number < first:
        number = last
    go_to_frame(player, number)


def go_to_end(player: Player, *, last: bool) -> None:
    """Pause at the first or the last moment of a pass; the first of a motion is 0."""
    pause_at(
        player,
        time_range(player)[1] if last else 0.0 if is_continuous(player) else time_range(player)[0],
    )


def go_to_key(player: Player, direction: int) -> None:
    """Pause at the next key of any track (`direction` 1), or moment of a motion, or at the one before."""
    character = playable_character(player)
    if character is None:
        return
    if character.mixer is not None:
        times = np.unique([each.tau for each in character.mixer.schedule])
    else:
        times = character.model.clips[character.clip].key_times
    now = time(player)
    if direction > 0:
        after = times[times > now + _NEAR]
        goal = after[0] if after.size else time_range(player)[1]
    else:
        before = times[times < now - _NEAR]
        goal = before[-1] if before.size else time_range(player)[0]
    pause_at(player, float(goal))


def speed(player: Player) -> float:
    """Return the rate, 1 where nothing is on stage."""
    return 1.0 if player.character is None else float(player.character.playback.rate)


def set_speed(player: Player, rate: float) -> None:
    """Play at another rate from now on; below 0 backwards."""
    if player.character is not None:
        player.character.playback.set_rate(rate, player.tau)


def change_speed(player: Player, direction: int) -> None:
    """Play faster (`direction` 1) or slower (-1) by one step of `SPEEDS`, in the same direction."""
    rate = speed(player)
    size = abs(rate)
    steps = [each for each in SPEEDS if (each - size) * direction > _NEAR]
    if steps:
        set_speed(player, math.copysign(steps[0] if direction > 0 else steps[-1], rate))


def loop_name(player: Player) -> str:
    """Return how it repeats, in words."""
    character = player.character
    if character is None:
        return LOOPS[0][0]
    if is_continuous(player):
        return CONTINUOUS
    mode, passes = character.playback.mode, float(character.playback.passes)
    for name, of_mode, of_passes in LOOPS:
        if (mode, passes) == (of_mode, of_passes):
            return name
    return f"{passes:.0f} passes" if mode == "loop" else f"{passes:.0f} passes, ping-pong"


def set_loop(player: Player, mode: Mode, passes: float) -> None:
    """Repeat in another way from now on."""
    character = player.character
    if character is not None and character.mixer is not None:
        _repeat(character, player.tau, mode, passes)
    elif character is not None:
        character.playback.set_mode(mode, passes, player.tau)


def set_continuous(player: Player) -> None:
    """Let a motion go on and on."""
    character = player.character
    if character is not None and character.mixer is not None:
        _repeat(character, player.tau, "loop", 1.0, continuous=True)


def next_loop(player: Player) -> None:
    """Change to the next way of repeating."""
    names = [name for name, _, _ in LOOPS]
    now = loop_name(player)
    if now == names[-1] and motion(player) is not None:
        set_continuous(player)
        return
    _, mode, passes = LOOPS[(names.index(now) + 1) % len(LOOPS) if now in names else 0]
    set_loop(player, mode, passes)


def set_trim(player: Player, *, trim: bool) -> None:
    """Play from the first key to the last one, or from 0; the time shown stays if it can."""
    character = playable_character(player)
    if character is None:
        shown = player.character
        if shown is not None:
            shown.trim = trim
        return
    character.trim = trim
    if character.document is not None:
        play_motion(player, character.document)
    else:
        restart_clip(player)
