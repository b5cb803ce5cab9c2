"""A clip that plays when the present one ends."""

import math
from typing import NamedTuple, Protocol

from ..blending.mixer import Mixer
from ..scene.character import Character
from . import playing
from .transport import Player


class NextClip(NamedTuple):
    """A clip that plays when the present one ends."""

    clip: int
    mixer: Mixer  # what plays until then
    end: float  # unwrapped local time of its end, seconds


class NextPlayer(Player, Protocol):
    """A player of one character, with the clip that plays next."""

    next_clip: NextClip | None

    @property
    def character(self) -> Character:
        """The character."""


def play_next(player: NextPlayer, clip: int, *, at_once: bool = False) -> None:
    """Play a clip from its start when the present clip ends.

    It starts at once if time is paused or runs backwards, or no single clip plays.
    """
    mixer, now = player.character.mixer, player.character.playback
    player.next_clip = None
    rate, duration = float(now.rate), float(now.duration)
    if at_once or now.paused or rate <= 0 or mixer.clip < 0 or duration <= 0:
        playing.choose_clip(player, clip)
        return
    passes = math.floor(float(now.x(player.tau)) / duration) + 1
    if now.mode == "pingpong":
        passes += 1 - passes % 2  # even passes end at the clip's start
    end = min(passes, float(now.passes)) * duration
    player.next_clip = NextClip(clip, mixer, end)


def start_next(player: NextPlayer) -> None:
    """Start the clip of `play_next` if the present one has ended; called once a frame."""
    following = player.next_clip
    if following is None:
        return
    character = player.character
    if character.mixer is not following.mixer or character.show != "clip":
        player.next_clip = None
        return
    over = float(character.playback.x(player.tau)) - following.end
    if over >= 0:
        player.next_clip = None
        playing.choose_clip(player, following.clip)
        character.playback.enter(min(over, float(character.playback.duration)), player.tau)
