"""`rigview events`: print the events between two times, one per line."""

import json
import math
from collections.abc import Sequence

from ..blending.layer_mixer import LayerMixer
from ..blending.sources import FiredEvent
from ..console import warn
from ..errors import UsageError
from ..options.command_options import Options
from ..tasks.input_file import print_file_warnings, source_name
from ..tasks.playback_setup import load_playback
from ..wording import columns

MOST_STEPS = 1_000_000


def run(options: Options) -> int:
    """Evaluate from A to B and print the events; returns the exit code."""
    (begin, end), step = options.times.interval, options.times.step
    if step is not None and (end - begin) / step > MOST_STEPS:
        raise UsageError(f"--step: more than {MOST_STEPS} frames from {begin:g} to {end:g}")
    setup = load_playback(options)
    mixer = setup.bound(options)
    if setup.document is None:
        message = "without a motion file there are no events"
        warn([message], file=source_name(options), quiet=options.general.quiet)
    fired = mixer.events(begin, end) if step is None else stepped_events(mixer, begin, end, step)
    if options.output.json:
        print(json.dumps([as_dict(event) for event in fired], ensure_ascii=False))
    else:
        for line in lines(fired):
            print(line)
    print_file_warnings(options, setup.model)
    return 0


def stepped_events(mixer: LayerMixer, begin: float, end: float, step: float) -> list[FiredEvent]:
    """Return the events of an interval that is evaluated in frames, as in a game."""
    fired = mixer.events(begin, begin)
    for number in range(1, max(1, math.ceil((end - begin) / step)) + 1):
        mixer.play(min(begin + number * step, end))
        fired += mixer.fired
    return fired


def as_dict(event: FiredEvent) -> dict[str, object]:
    """Return an event for JSON."""
    return {
        "time": event.tau,
        "name": event.name,
        "clip": event.clip,
        "layer": event.layer,
        "weight": event.weight,
        "pass": event.number,
    }


def lines(fired: Sequence[FiredEvent]) -> list[str]:
    """Return a line for each event, in columns."""
    rows = [
        (f"{e.tau:.4f}", e.name, e.clip, e.layer, f"{e.weight:.3f}", str(e.number)) for e in fired
    ]
    return columns(rows, right=(0, 4, 5))
