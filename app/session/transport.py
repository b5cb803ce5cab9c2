"""Playback controls of open characters: play, pause, step, seek, range, speed and loop mode.

Panels, keys and actions use the transport of the session, `rigview.animation.playback` does the
arithmetic. Several characters play, pause and seek together, to compare them: the transport reads
the active one, its lead, and moves all. One character is a transport of one.
"""

import math
from collections.abc import Callable, Iterable

from ..animation.playback import Mode
from ..blending.mixer import ENDLESS
from ..fields.readers import LARGEST_SPEED
from ..scene.character import Character
from ..wording import counted
from .player import SHORTEST, Player, PlayRange

SPEEDS = (0.1, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0)  # what [ and ] step through
LOOPS: tuple[tuple[str, Mode, float], ...] = (
    ("Loop", "loop", math.inf),
    ("Ping-pong", "pingpong", math.inf),
    ("Once", "loop", 1.0),
)
CONTINUOUS = "Continuous"  # loop mode of a motion that never wraps
LEAST_PAGE, MOST_PAGE = 5.0, 60.0  # seconds: visible part of a ruler without an end
_NEAR = 1e-6  # frames: a time this near a frame is that frame


class Transport:
    """Controls of several characters, whose times are those of the lead; one is a list of one.

    The loop mode belongs to each character: that of the lead is set. Nothing happens without a
    clip or a motion.

    Parameters
    ----------
    lead
        The character whose time is read, None for none.
    linked
        Returns the characters that are moved, in display order; by default the lead.
    """

    __slots__ = ("_linked", "lead")

    def __init__(
        self,
        lead: Player | None,
        linked: Callable[[], Iterable[Player]] | None = None,
    ) -> None:
        self.lead = lead
        self._linked = linked or (lambda: () if lead is None else (lead,))

    @property
    def playable(self) -> Character | None:
        """The lead's character if it has a clip or a motion to play, else None."""
        character = None if self.lead is None else self.lead.character
        return None if character is None or character.mixer.still else character

    @property
    def tau(self) -> float:
        """The global time of the current frame, seconds."""
        return 0.0 if self.lead is None else self.lead.session.tau

    # -- the time of the lead ---------------------------------------------------------------------

    @property
    def running(self) -> bool:
        """Whether time runs: neither paused nor at the end."""
        character = self.playable
        return (
            character is not None
            and character.show == "clip"
            and not character.playback.paused
            and not bool(character.playback.done(self.tau))
        )

    @property
    def time(self) -> float:
        """The time on the ruler, seconds: of the clip, or of the motion; 0 if nothing plays.

        Layers that run on show the time within their common loop.
        """
        return self.on_ruler(self.mixer_time)

    @property
    def mixer_time(self) -> float:
        """The clip time, or the tau of a motion, seconds; 0 if nothing plays."""
        character = self.playable
        return 0.0 if character is None else float(character.playback.time(self.tau))

    @property
    def common_loop(self) -> float | None:
        """The common loop of layers that run on, seconds; None: there is none."""
        character = self.playable
        return None if character is None or not self.continuous else character.mixer.common_loop

    def on_ruler(self, seconds: float) -> float:
        """Return the place on the ruler, seconds, of a time of the mixer."""
        loop = self.common_loop
        return seconds if loop is None or seconds <= loop else seconds % loop

    @property
    def span(self) -> PlayRange:
        """Start and end of a pass, seconds; a motion without a common loop ends at infinity."""
        character = self.playable
        if character is None:
            return PlayRange(0.0, 0.0)
        if self.continuous:
            return PlayRange(0.0, character.mixer.common_loop or math.inf)
        begin, duration = float(character.playback.start), float(character.playback.duration)
        return PlayRange(begin, begin + duration)

    @property
    def endless(self) -> bool:
        """Whether time runs on without a common loop."""
        return math.isinf(self.span.end)

    @property
    def ruler(self) -> PlayRange:
        """The visible part of the ruler, seconds: a pass, or a page around the present time.

        A page of a motion without an end is as long as its longest layer and its schedule, or
        several times that. It rests while time runs through it.
        """
        span, character = self.span, self.playable
        if character is None or not math.isinf(span.end):
            return span
        length = max(character.mixer.length, 1e-3)
        length = min(length * math.ceil(LEAST_PAGE / length), MOST_PAGE)
        number = max(math.floor(self.time / length), 0)
        return PlayRange(number * length, (number + 1) * length)

    @property
    def frame_rate(self) -> float:
        """Frames per second of frame steps."""
        return 0.0 if self.lead is None else self.lead.session.frame_rate

    @property
    def frame(self) -> int:
        """The frame number: the last frame at or before the clip's time."""
        return math.floor(self.time * self.frame_rate + _NEAR)

    @property
    def frames(self) -> tuple[int, int | None]:
        """The numbers of the first and last frame of a pass; None: it has no end."""
        begin, end = self.span
        first = math.ceil(begin * self.frame_rate - _NEAR)
        return first, None if math.isinf(end) else math.ceil(end * self.frame_rate - _NEAR)

    # -- play, pause and seek ---------------------------------------------------------------------

    def toggle(self) -> None:
        """Play or pause all: the opposite of the lead's, or any character's, state.

        A character at its end restarts.
        """
        players = [each for each in self._each() if each.playable is not None]
        running = any(each.running for each in players)
        if self.playable is not None:
            running = self.running
        for each in players:
            if each.running == running:
                each._toggle()

    def _toggle(self) -> None:
        character = self.playable
        if character is None:
            return
        playback = character.playback
        if self.running:
            playback.pause(self.tau)
            return
        if bool(playback.done(self.tau)):
            begin, end = self.span
            last = character.mixer.length if math.isinf(end) else end
            playback.seek(last if playback.rate < 0 else begin, self.tau)
        character.show = "clip"
        playback.resume(self.tau)

    def resume_linked(self) -> None:
        """Resume paused characters after the lead has started another clip."""
        if not self.running:
            return
        for each in self._each():
            if each.playable is not None and each.playable.playback.paused:
                each._toggle()

    def seek(self, seconds: float) -> None:
        """Go to a time of the lead's clip without pausing."""
        for each, time in self._times(seconds):
            each._seek(time)

    def _seek(self, seconds: float) -> None:
        character = self.playable
        if character is not None:
            character.show = "clip"
            character.playback.seek(seconds, self.tau)

    def pause_at(self, seconds: float) -> None:
        """Pause at a time of the lead's clip."""
        for each, time in self._times(seconds):
            each._pause_at(time)

    def _pause_at(self, seconds: float) -> None:
        character = self.playable
        if character is not None:
            character.playback.pause(self.tau)
            self._seek(seconds)

    def go_to_frame(self, number: int) -> None:
        """Pause at a frame of the lead (time = number / frame rate), clamped to its clip."""
        self._go_to_frame(number)
        self.pause_at(self.time)

    def _go_to_frame(self, number: int) -> None:
        begin, end = self.span
        self._pause_at(min(max(number / self.frame_rate, begin), end))

    def step(self, count: int) -> None:
        """Pause and step all by `count` frames, each wrapping at its ends."""
        for each in self._each():
            each._step(count)

    def _step(self, count: int) -> None:
        if self.lead is None:
            return
        first, last = self.frames
        position = self.time * self.frame_rate
        whole = math.floor(position + _NEAR) if count > 0 else math.ceil(position - _NEAR)
        number = whole + count
        if last is None:
            number = max(number, first)
        elif number > last:
            number = first
        elif number < first:
            number = last
        self._go_to_frame(number)

    def go_to_end(self, *, last: bool) -> None:
        """Pause all at the start or end of their passes; one without an end pauses where it is."""
        for each in self._each():
            each._go_to_end(last=last)

    def _go_to_end(self, *, last: bool) -> None:
        begin, end = self.span
        self._pause_at(begin if not last else self.time if math.isinf(end) else end)

    def go_to_key(self, direction: int) -> None:
        """Pause at the lead's next (`direction` 1) or previous (-1) key, or scheduled change.

        Without one, at the end of a pass; a motion without an end pauses where it is.
        """
        character = self.playable
        if character is None:
            return
        times, now = character.mixer.key_times, self.time
        passed = times > now + _NEAR if direction > 0 else times < now - _NEAR
        if passed.any():
            self._pause_at(float(times[passed][0 if direction > 0 else -1]))
        else:
            self._go_to_end(last=direction > 0)
        self.pause_at(self.time)

    def join(self, lead: "Transport") -> None:
        """Take over time, rate and pause of another character's transport."""
        if lead.playable is None:
            return
        self.set_speed(lead.speed)
        if self.lead is not None:
            ahead = self.lead.offset - lead.lead.offset if lead.lead is not None else 0.0
            self._seek(self._time_in_span(lead.time + ahead))
            if lead.playable.playback.paused:
                self.lead.character.playback.pause(self.tau)

    # -- speed and loop mode ----------------------------------------------------------------------

    @property
    def speed(self) -> float:
        """The playback rate, 1 without a character."""
        return 1.0 if self.lead is None else float(self.lead.character.playback.rate)

    def set_speed(self, rate: float) -> None:
        """Set the rate of all, within the limits of `--speed`; negative rates play backwards."""
        rate = min(max(rate, -LARGEST_SPEED), LARGEST_SPEED)
        for each in self._linked():
            each.character.playback.set_rate(rate, each.session.tau)

    def change_speed(self, direction: int) -> None:
        """Set the rate one step of `SPEEDS` faster (`direction` 1) or slower (-1); its sign stays.

        The linked characters get the same rate.
        """
        rate = self.speed
        size = abs(rate)
        steps = [each for each in SPEEDS if (each - size) * direction > _NEAR]
        if steps:
            rate = math.copysign(steps[0] if direction > 0 else steps[-1], rate)
        self.set_speed(rate)

    @property
    def continuous(self) -> bool:
        """Whether the loop mode is continuous."""
        character = self.playable
        return character is not None and float(character.playback.duration) >= ENDLESS

    @property
    def can_be_continuous(self) -> bool:
        """Whether time may run without end: the clips of layers loop by themselves."""
        return self.lead is not None and self.lead.character.mixer.layered

    @property
    def loop_name(self) -> str:
        """The label of the loop mode."""
        if self.lead is None:
            return LOOPS[0][0]
        if self.continuous:
            return CONTINUOUS
        playback = self.lead.character.playback
        mode, passes = playback.mode, float(playback.passes)
        for name, of_mode, of_passes in LOOPS:
            if (mode, passes) == (of_mode, of_passes):
                return name
        return passes_name(mode, passes)

    def set_loop(self, mode: Mode, passes: float) -> None:
        """Set the loop mode of the lead from now on."""
        if self.lead is not None:
            self.lead.character.mixer.set_loop(mode, passes, self.tau)

    def set_continuous(self) -> None:
        """Set the loop mode of the lead's motion to continuous."""
        if self.lead is not None:
            self.lead.character.mixer.set_continuous(self.tau)

    def next_loop(self) -> None:
        """Change the lead to the next loop mode."""
        names = [name for name, _, _ in LOOPS]
        now = self.loop_name
        if now == names[-1] and self.can_be_continuous:
            self.set_continuous()
            return
        _, mode, passes = LOOPS[(names.index(now) + 1) % len(LOOPS) if now in names else 0]
        self.set_loop(mode, passes)

    # -- the range that is repeated ---------------------------------------------------------------

    @property
    def play_range(self) -> PlayRange | None:
        """The range of what the lead plays, within its ruler; None if there is none."""
        if self.lead is None:
            return None
        ranges = self.lead.play_ranges.known
        known = ranges.get(self._range_key) if ranges else None
        if known is None:
            return None
        begin, end = self.span
        found = PlayRange(max(known.begin, begin), min(known.end, end))
        return found if found.length >= SHORTEST else None

    @property
    def chosen_range(self) -> PlayRange | None:
        """The range of what the lead plays; None if there is none, or it has no end."""
        span = self.play_range
        return None if span is None or math.isinf(span.end) else span

    def set_play_range(self, begin: float, end: float) -> None:
        """Repeat a range of the ruler, seconds, in either order; one without length clears it."""
        for each in self._each():
            each._set_play_range(begin, end)

    def _set_play_range(self, begin: float, end: float) -> None:
        if self.lead is None:
            return
        (low, high), (first, last) = self.span, sorted((begin, end))
        wanted = PlayRange(max(first, low), min(last, high))
        if wanted.length < SHORTEST:
            self._clear_play_range()
        else:
            self.lead.play_ranges.known[self._range_key] = wanted

    def set_in(self) -> None:
        """Start the range at the present time; without a range after it, it ends with the ruler."""
        now, known = self.time, self.play_range
        self._change_range(
            now, known.end if known and known.end > now + SHORTEST else self.span.end
        )

    def set_out(self) -> None:
        """End the range at the present time; without one before it, it starts with the ruler."""
        now, known = self.time, self.play_range
        begin = known.begin if known and known.begin < now - SHORTEST else self.span.begin
        self._change_range(begin, now)

    def _change_range(self, begin: float, end: float) -> None:
        """Set the lead's range, and give it to the linked characters."""
        if self.lead is None or self.playable is None:
            return
        self._set_play_range(begin, end)
        now = self.play_range
        if now is None:
            self.lead.session.notify("The range would have no length")
            return
        self.set_play_range(*now)

    def clear_play_range(self) -> None:
        """Remove the range of what plays."""
        for each in self._each():
            each._clear_play_range()

    def _clear_play_range(self) -> None:
        if self.lead is not None:
            self.lead.play_ranges.known.pop(self._range_key, None)

    @property
    def _range_key(self) -> str:
        """What plays: a clip's name, or "" for layers."""
        character = self.playable
        return "" if character is None or character.mixer.layered else character.mixer.name

    # -- several characters -----------------------------------------------------------------------

    def _each(self) -> "list[Transport]":
        """Return the transport of each character that is moved."""
        return [Transport(each) for each in self._linked()]

    def _times(self, seconds: float) -> "list[tuple[Transport, float]]":
        """Return each transport, and its time for one of the lead; their offsets are kept."""
        base = 0.0 if self.lead is None else self.lead.offset
        return [
            (each, seconds if each.lead is self.lead else each._time_in_span(seconds + ahead))
            for each in self._each()
            for ahead in [each.lead.offset - base if each.lead is not None else 0.0]
        ]

    def _time_in_span(self, seconds: float) -> float:
        """Return a time within the clip: wrapped if it loops without end, else clamped."""
        begin, end = self.span
        if self.lead is None or begin <= seconds <= end or end <= begin or self.continuous:
            return seconds
        if math.isinf(float(self.lead.character.playback.passes)):
            return begin + (seconds - begin) % (end - begin)
        return min(max(seconds, begin), end)


def passes_name(mode: Mode, passes: float) -> str:
    """Return the label of a loop mode with a number of passes."""
    times = counted(round(passes), "time")
    return times if mode == "loop" else f"Ping-pong, {times}"
