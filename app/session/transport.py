"""Playback controls of one character: play, pause, step, seek, speed and loop mode.

Sessions, actions and panels call them; `rigview.animation.playback` does the arithmetic.
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
    from ..motion.single_clip import SingleClip

SPEEDS = (0.1, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0)  # what [ and ] step through
LOOPS: tuple[tuple[str, Mode, float], ...] = (
    ("Loop", "loop", math.inf),
    ("Ping-pong", "pingpong", math.inf),
    ("Once", "loop", 1.0),
)
CONTINUOUS = "Continuous"  # loop mode of a motion that never wraps
_NEAR = 1e-6  # frames: a time this near a frame is that frame


class Player(Protocol):
    """The part of a session or an open character that the playback controls need."""

    @property
    def scene(self) -> Scene:
        """The scene."""

    @property
    def tau(self) -> float:
        """The global time of the current frame, seconds."""

    @property
    def frame_rate(self) -> float:
        """Frames per second of frame steps."""

    @property
    def character(self) -> Character | None:
        """The character to control."""


def playable_character(player: Player) -> Character | None:
    """Return the character if it has a clip or a motion to play, else None."""
    character = player.character
    if character is None or (character.clip < 0 and character.mixer is None):
        return None
    return character


def motion(player: Player) -> "Mixer | None":
    """Return the mixer of the motion, None if a single clip plays."""
    return None if player.character is None else player.character.mixer


def is_running(player: Player) -> bool:
    """Return whether time runs: neither paused nor at the end."""
    character = playable_character(player)
    return (
        character is not None
        and character.show == "clip"
        and not character.playback.paused
        and not bool(character.playback.done(player.tau))
    )


def time(player: Player) -> float:
    """Return the clip time, or the tau of a motion, seconds; 0 if nothing plays."""
    character = playable_character(player)
    return 0.0 if character is None else float(character.playback.time(player.tau))


def time_range(player: Player) -> tuple[float, float]:
    """Return start and end of a pass, seconds; of a continuous motion, of the current page."""
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
    """Play another clip from its start (-1: the rest pose), with the current speed and loop mode.

    The clip's settings in the motion file apply: range, root motion and its own loop mode.
    """
    character = player.character
    if character is None:
        return
    _start(player, character, clip, character.settings_of_clip(clip))


def _start(player: Player, character: Character, clip: int, settings: "SingleClip | None") -> None:
    before, was = character.playback, character.clip_settings
    mode, passes = before.mode, float(before.passes)
    if character.mixer is not None or (was is not None and was.loop is not None):
        mode, passes = "loop", math.inf
    if settings is not None and settings.loop is not None:
        mode, passes = settings.loop
    character.show = "clip"
    rate, trim = float(before.rate), character.trim
    character.play(
        clip, player.tau, passes=passes, mode=mode, rate=rate, trim=trim, clip_settings=settings
    )
    player.scene.measure()


def restart_clip(player: Player) -> None:
    """Apply changed clip settings or `trim` to the playing clip; its time stays."""
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
    player: Player, document: "MotionDoc", *, keep_state: bool = False, from_start: bool = False
) -> None:
    """Play a motion document at the time of the playing motion.

    A document without layers plays a single clip with its settings. A document with a schedule
    loops over its length; another one is continuous.

    Parameters
    ----------
    keep_state
        Continue from the phases of the playing motion, without a jump; else the state is that of
        a run from 0.
    from_start
        Start at 0 in any case.

    Raises
    ------
    MotionError
        The document does not fit the model; playback is unchanged.
    """
    character = player.character
    if character is None:
        return
    if not document.layers:
        from ..motion.single_clip import single_clip

        settings = single_clip(character.model, document, character.clip, trim=character.trim)
        character.motion_settings = document
        if character.mixer is not None:
            choose_clip(player, character.clip)
        elif settings != character.clip_settings and (
            settings is None or not settings.like(character.clip_settings)
        ):
            restart_clip(player)
        return
    if character.mixer is None or from_start:
        rate, paused = float(character.playback.rate), character.playback.paused
        # a base layer that plays the same clip continues at its time
        now = 0.0 if from_start else max(time(player), 0.0)
        character.play_motion(document, player.tau)
        character.show = "clip"
        character.playback.set_rate(rate if rate > 0.0 else 1.0, player.tau)
        character.playback.seek(now, player.tau)
        _repeat(character, player.tau, "loop", math.inf, continuous=not document.at)
        if paused:
            character.playback.pause(player.tau)
        player.scene.measure()
    else:
        character.rebind(document, keep_state=keep_state)
        before = character.playback
        if before.duration < ENDLESS and float(before.duration) != _length(character):
            _repeat(character, player.tau, before.mode, float(before.passes))


def _length(character: Character) -> float:
    """Return the length of a motion's timeline, seconds."""
    length = 0.0 if character.mixer is None else character.mixer.length
    return length or 1.0


def _repeat(
    character: Character, tau: float, mode: Mode, passes: float, *, continuous: bool = False
) -> None:
    """Change a motion's loop mode; its time, rate and pause stay."""
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
    """Play the clip `step` positions further, wrapping at the end."""
    character = player.character
    if character is not None and character.model.clips:
        choose_clip(player, (max(character.clip, 0) + step) % len(character.model.clips))


def toggle(player: Player) -> None:
    """Play or pause; at the end, restart."""
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
    """Go to a clip time without pausing."""
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
    """Return the frame number: the last frame at or before the clip's time."""
    return math.floor(time(player) * player.frame_rate + _NEAR)


def frames(player: Player) -> tuple[int, int]:
    """Return the numbers of the first and last frame of a pass."""
    begin, end = time_range(player)
    return (
        math.ceil(begin * player.frame_rate - _NEAR),
        math.ceil(end * player.frame_rate - _NEAR),
    )


def is_continuous(player: Player) -> bool:
    """Return whether the loop mode is continuous."""
    character = playable_character(player)
    return character is not None and float(character.playback.duration) >= ENDLESS


def go_to_frame(player: Player, number: int) -> None:
    """Pause at a frame (time = number / frame rate), clamped to the clip."""
    begin, end = (0.0, ENDLESS) if is_continuous(player) else time_range(player)
    pause_at(player, min(max(number / player.frame_rate, begin), end))


def step(player: Player, count: int) -> None:
    """Pause and step by `count` frames, wrapping at the ends."""
    first, last = frames(player)
    position = time(player) * player.frame_rate
    whole = math.floor(position + _NEAR) if count > 0 else math.ceil(position - _NEAR)
    number = whole + count
    if is_continuous(player):
        number = max(number, 0)
    elif number > last:
        number = first
    elif number < first:
        number = last
    go_to_frame(player, number)


def go_to_end(player: Player, *, last: bool) -> None:
    """Pause at the start or end of a pass; a continuous motion starts at 0."""
    pause_at(
        player,
        time_range(player)[1] if last else 0.0 if is_continuous(player) else time_range(player)[0],
    )


def go_to_key(player: Player, direction: int) -> None:
    """Pause at the next (`direction` 1) or previous (-1) key, or scheduled change of a motion."""
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
    """Return the playback rate, 1 without a character."""
    return 1.0 if player.character is None else float(player.character.playback.rate)


def set_speed(player: Player, rate: float) -> None:
    """Set the playback rate; negative rates play backwards."""
    if player.character is not None:
        player.character.playback.set_rate(rate, player.tau)


def change_speed(player: Player, direction: int) -> None:
    """Set the rate one step of `SPEEDS` faster (`direction` 1) or slower (-1); its sign stays."""
    rate = speed(player)
    size = abs(rate)
    steps = [each for each in SPEEDS if (each - size) * direction > _NEAR]
    if steps:
        set_speed(player, math.copysign(steps[0] if direction > 0 else steps[-1], rate))


def loop_name(player: Player) -> str:
    """Return the label of the loop mode."""
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
    """Set the loop mode from now on."""
    character = player.character
    if character is not None and character.mixer is not None:
        _repeat(character, player.tau, mode, passes)
    elif character is not None:
        character.playback.set_mode(mode, passes, player.tau)


def set_continuous(player: Player) -> None:
    """Set a motion's loop mode to continuous."""
    character = player.character
    if character is not None and character.mixer is not None:
        _repeat(character, player.tau, "loop", 1.0, continuous=True)


def next_loop(player: Player) -> None:
    """Change to the next loop mode."""
    names = [name for name, _, _ in LOOPS]
    now = loop_name(player)
    if now == names[-1] and motion(player) is not None:
        set_continuous(player)
        return
    _, mode, passes = LOOPS[(names.index(now) + 1) % len(LOOPS) if now in names else 0]
    set_loop(player, mode, passes)


def set_trim(player: Player, *, trim: bool) -> None:
    """Play from the first key to the last one, or from 0; the time stays if possible."""
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
