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
from .player import NextClip, Player
from .transport import Transport

LONG_RUN = 60.0  # seconds of small steps that an edit may evaluate again


def choose_clip(own: Player, clip: int) -> None:
    """Play another clip from its start (-1: the rest pose), with the current speed and loop mode.

    The clip's settings in the motion file apply: range, root motion and its own loop mode.
    """
    _start_clip(own, clip, _fitting_mixer(own.character, own.document, clip))


def preview_clip(own: Player, clip: int) -> None:
    """Show a clip from its start in place of what plays, which goes on; -1: show that again."""
    character = own.character
    if clip < 0:
        character.preview = None
        return
    character.preview = _fitting_mixer(character, own.document, clip, ("loop", math.inf))
    character.preview.playback.start_at(own.session.tau)


def start_clip(transport: Transport, clip: int) -> None:
    """Play another clip of a transport's lead; linked characters that are paused play on."""
    if transport.lead is not None:
        choose_clip(transport.lead, clip)
        transport.resume_linked()


def next_clip(transport: Transport, step: int) -> None:
    """Play the lead's clip `step` positions further, wrapping at the end."""
    lead = transport.lead
    if lead is not None and lead.character.model.clips:
        count = len(lead.character.model.clips)
        start_clip(transport, (max(lead.character.clip, 0) + step) % count)


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


def _start_clip(own: Player, clip: int, mixer: Mixer) -> None:
    character = own.character
    with _kept_in_view(own):
        character.clip, character.show = clip, "clip"
        character.play(mixer, own.session.tau - own.offset)


@contextmanager
def _kept_in_view(own: Player) -> Iterator[None]:
    """Measure the scene after a change of what plays; frame it if it has left the picture.

    If something was outside before, as in a close view, the camera stays.
    """
    fitted = own.session.scene.fits(own.session.aspect)
    yield
    own.session.scene.measure()
    if fitted and not own.session.scene.fits(own.session.aspect):
        own.session.scene.frame(own.session.aspect)


def restart_clip(own: Player, mixer: Mixer | None = None) -> None:
    """Apply changed clip settings or `trim` to the playing clip; its time stays.

    With a mixer the clip also plays in place of layers, from its time in them.
    """
    character, before = own.character, own.character.mixer
    if before.layered and mixer is None:
        return
    now, paused, show = Transport(own).mixer_time, character.playback.paused, character.show
    if before.layered:
        clips = character.model.clips
        playing = clips[character.clip] if character.clip >= 0 else None
        now = before.time_in_clip(playing, own.session.tau)
    if mixer is None:
        choose_clip(own, character.clip)
    else:
        _start_clip(own, character.clip, mixer)
    character.show = show
    character.playback.seek(now, own.session.tau)
    if paused:
        character.playback.pause(own.session.tau)


def replace_clips(own: Player) -> None:
    """Play the single clip of the character's edited model; its time goes on."""
    character = own.character
    if character.mixer.layered or character.mixer.still or character.clip < 0:
        return
    now = character.playback
    loop = now.mode, float(now.passes)
    mixer = _fitting_mixer(character, own.document, character.clip, loop)
    if mixer.playback.duration == now.duration:
        mixer.playback.restore(now.save())
        character.mixer = mixer
    else:
        restart_clip(own)


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
    own: Player, document: MotionDoc, *, keep_state: bool = False, from_start: bool = False
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
    character = own.character
    if not document.layers:
        _play_clip_of(own, document)
    elif from_start or not character.mixer.layered:
        _start_layers(own, document, from_start=from_start)
    else:
        _replace_layers(own, document, keep_state=keep_state)


def _play_clip_of(own: Player, document: MotionDoc) -> None:
    """Play the last clip instead of layers, or apply changed settings to the playing clip."""
    character = own.character
    mixer = _clip_mixer(character, document, character.clip)
    if character.mixer.layered or not mixer.like(character.mixer):
        restart_clip(own, mixer)


def _start_layers(own: Player, document: MotionDoc, *, from_start: bool) -> None:
    character = own.character
    mixer, before = bind(character.model, document), character.playback
    # a base layer that plays the same clip continues at its time
    now = own.offset if from_start else max(Transport(own).mixer_time, 0.0)
    rate, paused = float(before.rate), before.paused
    with _kept_in_view(own):
        character.play(mixer, own.session.tau)
        character.show, character.trim = "clip", False
    mixer.playback.set_rate(rate if rate > 0.0 else 1.0, own.session.tau)
    mixer.playback.seek(now, own.session.tau)
    if document.at:
        mixer.set_loop("loop", math.inf, own.session.tau)
    if paused:
        mixer.playback.pause(own.session.tau)


def _replace_layers(own: Player, document: MotionDoc, *, keep_state: bool) -> None:
    character = own.character
    options = character.mixer.settings
    mixer = bind(character.model, document, **options._asdict(), trim=character.trim)
    if not keep_state or document.at:
        _return_early(own, mixer)
    character.replace_mixer(mixer, keep_state=keep_state)
    now = mixer.playback
    if now.duration < ENDLESS and float(now.duration) != (mixer.length or 1.0):
        mixer.set_loop(now.mode, float(now.passes), own.session.tau)


def _return_early(own: Player, mixer: LayerMixer) -> None:
    """Move layers that run on to an early time, from which an edited mixer can run from 0.

    With a common loop that is the time on the ruler, at which a first scheduled change then stands.
    Without one, the ruler starts again after `LONG_RUN` if the whole run needs small steps.
    """
    character = own.character
    now, goal = Transport(own).mixer_time, Transport(own).time
    if Transport(own).endless and now > LONG_RUN and mixer.is_stepped_until(now):
        goal = now % LONG_RUN
    if goal < now:
        character.playback.seek(goal, own.session.tau)
        if isinstance(character.mixer, LayerMixer):
            character.mixer.seek(goal)


def set_trim(own: Player, *, trim: bool) -> None:
    """Play from the first key to the last one, or from 0; the time stays if possible."""
    character = own.character
    character.trim = trim
    if character.mixer.layered:
        play_document(own, own.document)
    elif not character.mixer.still:
        restart_clip(own)


def play_next(own: Player, clip: int, *, at_once: bool = False) -> None:
    """Play a clip from its start when the present clip ends.

    It starts at once if time is paused or runs backwards, or no single clip plays.
    """
    mixer, now = own.character.mixer, own.character.playback
    own.next_clip = None
    rate, duration = float(now.rate), float(now.duration)
    if at_once or now.paused or rate <= 0 or mixer.clip < 0 or duration <= 0:
        choose_clip(own, clip)
        return
    passes = math.floor(float(now.x(own.session.tau)) / duration) + 1
    if now.mode == "pingpong":
        passes += 1 - passes % 2  # even passes end at the clip's start
    end = min(passes, float(now.passes)) * duration
    own.next_clip = NextClip(clip, mixer, end)


def start_next(own: Player) -> None:
    """Start the clip of `play_next` if the present one has ended; called once a frame."""
    following = own.next_clip
    if following is None:
        return
    character = own.character
    if character.mixer is not following.mixer or character.show != "clip":
        own.next_clip = None
        return
    over = float(character.playback.x(own.session.tau)) - following.end
    if over >= 0:
        own.next_clip = None
        choose_clip(own, following.clip)
        character.playback.enter(min(over, float(character.playback.duration)), own.session.tau)
