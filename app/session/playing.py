"""What a character plays: start clips, with their settings in the motion file, and its layers."""

import math
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from ..animation.playback import Loop
from ..blending.layer_mixer import LayerMixer
from ..blending.mixer import ENDLESS, Mixer
from ..errors import MotionError
from ..motion.bind import bind
from ..motion.document import MotionDoc
from ..motion.single_clip import clip_mixer_with_settings
from ..scene.character import Character
from . import transport
from .transport import Player

LONG_RUN = 60.0  # seconds of small steps that an edit may evaluate again


def choose_clip(player: Player, clip: int) -> None:
    """Play another clip from its start (-1: the rest pose), with the current speed and loop mode.

    The clip's settings in the motion file apply: range, root motion and its own loop mode.
    """
    character = player.character
    if character is not None:
        _start_clip(player, character, clip, _fitting_mixer(character, player.document, clip))


def next_clip(player: Player, step: int) -> None:
    """Play the clip `step` positions further, wrapping at the end."""
    character = player.character
    if character is not None and character.model.clips:
        choose_clip(player, (max(character.clip, 0) + step) % len(character.model.clips))


def _fitting_mixer(
    character: Character, document: MotionDoc, clip: int, loop: Loop | None = None
) -> Mixer:
    """Return the mixer of a clip, without its settings if they do not fit the model."""
    try:
        return _clip_mixer(character, document, clip, loop)
    except MotionError:
        return _clip_mixer(character, MotionDoc(), clip, loop)


def _clip_mixer(
    character: Character, document: MotionDoc, clip: int, loop: Loop | None = None
) -> Mixer:
    """Return the mixer of a clip, with the current speed and, if it is not given, loop mode."""
    now = character.playback
    keeps = not character.mixer.layered and character.mixer.own_loop is None
    return clip_mixer_with_settings(
        character.model,
        document,
        clip,
        loop=loop,
        default_loop=(now.mode, float(now.passes)) if keeps else ("loop", math.inf),
        speed=float(now.rate),
        trim=character.trim,
    )


def _start_clip(player: Player, character: Character, clip: int, mixer: Mixer) -> None:
    with _kept_in_view(player):
        character.clip, character.show = clip, "clip"
        character.play(mixer, player.tau)


@contextmanager
def _kept_in_view(player: Player) -> Iterator[None]:
    """Measure the scene after a change of what plays; frame it if it has left the picture.

    If something was outside before, as in a close view, the camera stays.
    """
    fitted = player.scene.fits(player.aspect)
    yield
    player.scene.measure()
    if fitted and not player.scene.fits(player.aspect):
        player.scene.frame(player.aspect)


def restart_clip(player: Player, mixer: Mixer | None = None) -> None:
    """Apply changed clip settings or `trim` to the playing clip; its time stays."""
    character = player.character
    if character is None or character.mixer.layered:
        return
    now, paused, show = transport.mixer_time(player), character.playback.paused, character.show
    if mixer is None:
        choose_clip(player, character.clip)
    else:
        _start_clip(player, character, character.clip, mixer)
    character.show = show
    character.playback.seek(now, player.tau)
    if paused:
        character.playback.pause(player.tau)


def continue_from(character: Character, old: Character, document: MotionDoc, tau: float) -> None:
    """Copy the state of the character before its file was reloaded.

    Clip, time, speed, looping and morph sliders are kept; `document` is its motion document.
    """
    names = [clip.name for clip in character.model.clips]
    previous = old.model.clips[old.clip].name if old.clip >= 0 else ""
    clip = names.index(previous) if previous in names else min(old.clip, len(names) - 1)
    if old.clip < 0 and names and not old.model.clips:
        clip = 0
    before = old.playback
    character.clip, character.trim = clip, old.trim
    loop = before.mode, float(before.passes)
    character.play(_fitting_mixer(character, document, clip, loop), tau)
    character.playback.set_rate(before.rate, tau)
    character.playback.seek(before.time(tau), tau)
    if before.paused:
        character.playback.pause(tau)
    character.show = old.show
    if character.override.shape == old.override.shape:
        np.copyto(character.override, old.override)


def play_document(
    player: Player, document: MotionDoc, *, keep_state: bool = False, from_start: bool = False
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
        _play_clip_of(player, character, document)
    elif from_start or not character.mixer.layered:
        _start_layers(player, character, document, from_start=from_start)
    else:
        _replace_layers(player, character, document, keep_state=keep_state)


def _play_clip_of(player: Player, character: Character, document: MotionDoc) -> None:
    """Play the last clip instead of layers, or apply changed settings to the playing clip."""
    mixer = _clip_mixer(character, document, character.clip)
    if character.mixer.layered:
        _start_clip(player, character, character.clip, mixer)
    elif not mixer.like(character.mixer):
        restart_clip(player, mixer)


def _start_layers(
    player: Player, character: Character, document: MotionDoc, *, from_start: bool
) -> None:
    mixer, before = bind(character.model, document), character.playback
    # a base layer that plays the same clip continues at its time
    now = 0.0 if from_start else max(transport.mixer_time(player), 0.0)
    rate, paused = float(before.rate), before.paused
    with _kept_in_view(player):
        character.play(mixer, player.tau)
        character.show, character.trim = "clip", False
    mixer.playback.set_rate(rate if rate > 0.0 else 1.0, player.tau)
    mixer.playback.seek(now, player.tau)
    if document.at:
        mixer.set_loop("loop", math.inf, player.tau)
    if paused:
        mixer.playback.pause(player.tau)


def _replace_layers(
    player: Player, character: Character, document: MotionDoc, *, keep_state: bool
) -> None:
    options = character.mixer.settings
    mixer = bind(character.model, document, **options._asdict(), trim=character.trim)
    if not keep_state or document.at:
        _return_early(player, character, mixer)
    character.replace_mixer(mixer, keep_state=keep_state)
    now = mixer.playback
    if now.duration < ENDLESS and float(now.duration) != (mixer.length or 1.0):
        mixer.set_loop(now.mode, float(now.passes), player.tau)


def _return_early(player: Player, character: Character, mixer: LayerMixer) -> None:
    """Move layers that run on to an early time, from which an edited mixer can run from 0.

    With a common loop that is the time on the ruler, at which a first scheduled change then stands.
    Without one, the ruler starts again after `LONG_RUN` if the whole run needs small steps.
    """
    now, goal = transport.mixer_time(player), transport.time(player)
    if transport.is_endless(player) and now > LONG_RUN and mixer.is_stepped_until(now):
        goal = now % LONG_RUN
    if goal < now:
        character.playback.seek(goal, player.tau)
        if isinstance(character.mixer, LayerMixer):
            character.mixer.seek(goal)


def set_trim(player: Player, *, trim: bool) -> None:
    """Play from the first key to the last one, or from 0; the time stays if possible."""
    character = player.character
    if character is None:
        return
    character.trim = trim
    if character.mixer.layered:
        play_document(player, player.document)
    elif not character.mixer.still:
        restart_clip(player)
