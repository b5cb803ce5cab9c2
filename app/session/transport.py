"""Playback controls of one character: play, pause, step, seek, speed and loop mode.

Sessions, actions and panels call them; `rigview.animation.playback` does the arithmetic.
"""

import math
from pathlib import Path
from typing import Protocol

from ..animation.playback import Mode
from ..blending.mixer import ENDLESS
from ..errors import AppError
from ..motion.document import MotionDoc
from ..scene.character import Character
from ..scene.scene import Scene
from ..tomlfile.value_parsing import LARGEST_SPEED
from ..wording import counted
from .undo_history import UndoHistory

SPEEDS = (0.1, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0)  # what [ and ] step through
LOOPS: tuple[tuple[str, Mode, float], ...] = (
    ("Loop", "loop", math.inf),
    ("Ping-pong", "pingpong", math.inf),
    ("Once", "loop", 1.0),
)
CONTINUOUS = "Continuous"  # loop mode of a motion that never wraps
LEAST_PAGE, MOST_PAGE = 5.0, 60.0  # seconds: visible part of a ruler without an end
_NEAR = 1e-6  # frames: a time this near a frame is that frame


class Player(Protocol):
    """A session or an open character, to its playback controls and its motion editor."""

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
    def aspect(self) -> float:
        """Width over height of the part of the view that no panel covers."""

    @property
    def character(self) -> Character | None:
        """The character to control."""

    @property
    def path(self) -> Path | None:
        """The character's file."""

    @property
    def document(self) -> MotionDoc:
        """Its motion document, whose settings of clips apply to clips that play alone."""

    @property
    def history(self) -> UndoHistory:
        """The undo history that its edits belong to."""

    def notify(self, text: str) -> None:
        """Show a notice for a few seconds."""

    def fail(self, error: AppError, title: str = "") -> None:
        """Show an error pop-up."""


def playable_character(player: Player) -> Character | None:
    """Return the character if it has a clip or a motion to play, else None."""
    character = player.character
    return None if character is None or character.mixer.still else character


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
    """Return the time on the ruler, seconds: of the clip, or of the motion; 0 if nothing plays.

    Layers that run on show the time within their common loop.
    """
    character = playable_character(player)
    if character is None:
        return 0.0
    playback = character.playback
    seconds = float(playback.time(player.tau))
    if playback.duration < ENDLESS:  # else layers run on
        return seconds
    return _within(character.mixer.common_loop, seconds)


def on_ruler(player: Player, seconds: float) -> float:
    """Return the place on the ruler, seconds, of a time of the mixer."""
    return _within(common_loop(player), seconds)


def _within(loop: float | None, seconds: float) -> float:
    """Return a time within a common loop, if there is one."""
    return seconds if loop is None or seconds <= loop else seconds % loop


def mixer_time(player: Player) -> float:
    """Return the clip time, or the tau of a motion, seconds; 0 if nothing plays."""
    character = playable_character(player)
    return 0.0 if character is None else float(character.playback.time(player.tau))


def common_loop(player: Player) -> float | None:
    """Return the common loop of layers that run on, seconds; None: there is none."""
    character = playable_character(player)
    return None if character is None else _loop_of(character)


def _loop_of(character: Character) -> float | None:
    """Return the common loop of a character's layers if they run on, seconds; None: none."""
    return character.mixer.common_loop if _runs_on(character) else None


def _runs_on(character: Character) -> bool:
    """Return whether the loop mode of a character is continuous."""
    return float(character.playback.duration) >= ENDLESS


def time_range(player: Player) -> tuple[float, float]:
    """Return start and end of a pass, seconds; a motion without a common loop ends at infinity."""
    character = playable_character(player)
    if character is None:
        return 0.0, 0.0
    if _runs_on(character):
        return 0.0, character.mixer.common_loop or math.inf
    begin, duration = float(character.playback.start), float(character.playback.duration)
    return begin, begin + duration


def is_endless(player: Player) -> bool:
    """Return whether time runs on without a common loop."""
    return math.isinf(time_range(player)[1])


def ruler(player: Player) -> tuple[float, float]:
    """Return the visible part of the ruler, seconds: a pass, or a page around the present time.

    A page of a motion without an end is as long as its longest layer and its schedule, or several
    times that. It rests while time runs through it.
    """
    begin, end = time_range(player)
    character = playable_character(player)
    if character is None or not math.isinf(end):
        return begin, end
    length = max(character.mixer.length, 1e-3)
    length = min(length * math.ceil(LEAST_PAGE / length), MOST_PAGE)
    number = max(math.floor(time(player) / length), 0)
    return number * length, (number + 1) * length


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
        last = character.mixer.length if math.isinf(end) else end
        playback.seek(last if playback.rate < 0 else begin, player.tau)
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


def frames(player: Player) -> tuple[int, int | None]:
    """Return the numbers of the first and last frame of a pass; None: it has no end."""
    begin, end = time_range(player)
    first = math.ceil(begin * player.frame_rate - _NEAR)
    return first, None if math.isinf(end) else math.ceil(end * player.frame_rate - _NEAR)


def is_continuous(player: Player) -> bool:
    """Return whether the loop mode is continuous."""
    character = playable_character(player)
    return character is not None and _runs_on(character)


def can_be_continuous(player: Player) -> bool:
    """Return whether time may run without end: the clips of layers loop by themselves."""
    return player.character is not None and player.character.mixer.layered


def go_to_frame(player: Player, number: int) -> None:
    """Pause at a frame (time = number / frame rate), clamped to the clip."""
    begin, end = time_range(player)
    pause_at(player, min(max(number / player.frame_rate, begin), end))


def step(player: Player, count: int) -> None:
    """Pause and step by `count` frames, wrapping at the ends."""
    first, last = frames(player)
    position = time(player) * player.frame_rate
    whole = math.floor(position + _NEAR) if count > 0 else math.ceil(position - _NEAR)
    number = whole + count
    if last is None:
        number = max(number, first)
    elif number > last:
        number = first
    elif number < first:
        number = last
    go_to_frame(player, number)


def go_to_end(player: Player, *, last: bool) -> None:
    """Pause at the start or end of a pass; a motion without an end pauses where it is."""
    begin, end = time_range(player)
    pause_at(player, begin if not last else time(player) if math.isinf(end) else end)


def go_to_key(player: Player, direction: int) -> None:
    """Pause at the next (`direction` 1) or previous (-1) key, or scheduled change of a motion.

    Without one, at the end of a pass; a motion without an end pauses where it is.
    """
    character = playable_character(player)
    if character is None:
        return
    times, now = character.mixer.key_times, time(player)
    passed = times > now + _NEAR if direction > 0 else times < now - _NEAR
    if passed.any():
        pause_at(player, float(times[passed][0 if direction > 0 else -1]))
    else:
        go_to_end(player, last=direction > 0)


def speed(player: Player) -> float:
    """Return the playback rate, 1 without a character."""
    return 1.0 if player.character is None else float(player.character.playback.rate)


def set_speed(player: Player, rate: float) -> None:
    """Set the playback rate, within the limits of `--speed`; negative rates play backwards."""
    if player.character is not None:
        rate = min(max(rate, -LARGEST_SPEED), LARGEST_SPEED)
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
    return passes_name(mode, passes)


def passes_name(mode: Mode, passes: float) -> str:
    """Return the label of a loop mode with a number of passes."""
    times = counted(round(passes), "time")
    return times if mode == "loop" else f"Ping-pong, {times}"


def set_loop(player: Player, mode: Mode, passes: float) -> None:
    """Set the loop mode from now on."""
    if player.character is not None:
        player.character.mixer.set_loop(mode, passes, player.tau)


def set_continuous(player: Player) -> None:
    """Set a motion's loop mode to continuous."""
    if player.character is not None:
        player.character.mixer.set_continuous(player.tau)


def next_loop(player: Player) -> None:
    """Change to the next loop mode."""
    names = [name for name, _, _ in LOOPS]
    now = loop_name(player)
    if now == names[-1] and can_be_continuous(player):
        set_continuous(player)
        return
    _, mode, passes = LOOPS[(names.index(now) + 1) % len(LOOPS) if now in names else 0]
    set_loop(player, mode, passes)
