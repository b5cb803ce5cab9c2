"""Plays 24 simulated hours of the mixer: memory flat, events counted exactly, positions to 0.1 mm.

Run ``make soak``, or ``python -m tests.tools.soak [HOURS]``. It plays a generated motion file with
cross-fades, ramps, a blend space, a mask, an additive and root motion, and the bundled one with its
layers and aims, in frames of 10 ms to 3 s. Events and positions are compared with those computed
from the numbers of the clips. Linux only.
"""

import os
import random
import sys
import time
from collections import Counter

import numpy as np

from rigview.animation.pose import Pose
from rigview.loading.load import load
from rigview.motion.bind import bind
from rigview.motion.read import parse_motion
from rigview.resources import asset_path
from tests.support.five_joint_model import five_joint_model, slide_clip, turn_clip

HOUR = 3600.0
NEAR = 1e-4  # metres
GROWTH = 4 << 20  # bytes after the first twentieth of the time
FADE = 0.5  # seconds
EVERY = 1800.0  # seconds between two cross-fades
LEAST = 0.01  # weight of an event that is reported
CLIPS = {
    "Walk": (1.1, 1.37, (0.25, 0.75)),
    "Run": (0.7, 2.1, (0.2, 0.7)),
}  # seconds, metres, events
WAVE = 2.3  # seconds of a pass, with an event in the middle

LAYERS = """
parameters = { lean = { default = 0, range = [0, 1], damp = 0.2 } }
clips.Walk = { root = { joint = "Hips", mode = "accumulate" }, events = [EVENTS Walk] }
clips.Run = { root = { joint = "Hips", mode = "accumulate" }, events = [EVENTS Run] }
clips.Wave.events = [{ name = "wave", phase = 0.5 }]
masks.arm.joints = { Arm = 1 }
spaces.leaning = { kind = "line", x = "lean", clips = [
  { clip = "Left", at = 0 }, { clip = "Right", at = 1 }] }
additives.nod = { source = "Nod", reference = { clip = "Nod", time = 0 } }
layers = [
  { name = "base", play = "Walk" },
  { name = "lean", play = "leaning", mask = "arm", weight = 0.5 },
  { name = "wave", play = "Wave", mask = "arm", weight = 0.4 },
  { name = "nod", play = "nod", weight = 0.3 },
]
"""


def generated(seconds):
    """The model and the motion file that fades and ramps every half hour."""
    moved = [slide_clip(name, length, way) for name, (length, way, _) in CLIPS.items()]
    turned = [turn_clip(name, s, 30.0) for name, s in (("Left", 2.0), ("Right", 2.9), ("Nod", 1.7))]
    model = five_joint_model(*moved, *turned, turn_clip("Wave", WAVE, 45.0))
    text = LAYERS
    for name, (_, _, phases) in CLIPS.items():
        rows = ", ".join(f'{{ name = "{name} {phase}", phase = {phase} }}' for phase in phases)
        text = text.replace(f"EVENTS {name}", rows)
    for k, tau in enumerate(starts(seconds)[1:], 1):
        to, lean = list(CLIPS)[k % 2], (k * 0.37) % 1
        text += (
            f'[[at]]\ntime = {tau}\nfade = {{ layer = "base", to = "{to}", seconds = {FADE} }}\n'
        )
        text += f'[[at]]\ntime = {tau + 60}\nset = {{ name = "lean", value = {lean:g} }}\n'
    return model, text


def stored(number):
    """A number as a file stores it."""
    return float(np.float32(number))


def starts(seconds):
    """The times at which the base layer starts a clip."""
    return [k * EVERY for k in range(int(np.ceil(seconds / EVERY)))]


def eased(u):
    """The share of the new clip at a fraction of a cross-fade."""
    u = min(max(u, 0.0), 1.0)
    return u * u * (3 - 2 * u)


def eased_integral(u):
    """The integral of `eased` from 0."""
    u = min(max(u, 0.0), 1.0)
    return u**3 - u**4 / 2


def generated_position(seconds):
    """Metres walked; the clips have a constant speed."""
    total = 0.0
    speeds = [stored(way) / stored(length) for length, way, _ in CLIPS.values()]
    for k, start in enumerate(starts(seconds)):
        end = min(start + EVERY, seconds)
        own, before = speeds[k % 2], speeds[(k + 1) % 2]
        faded = min(FADE, end - start) if k else 0.0
        share = eased_integral(faded / FADE) * FADE
        total += own * (end - start) - (own - before) * (faded - share)
    return total


def generated_events(seconds):
    """How often each event fires."""
    found = Counter()
    for k, start in enumerate(starts(seconds)):
        name, end = list(CLIPS)[k % 2], start + EVERY
        length, _, phases = CLIPS[name]
        length = stored(length)
        last = min(end + FADE, seconds)
        for phase in phases:
            for number in range(int((last - start) / length) + 1):
                tau = start + (number + phase) * length
                weight = eased((tau - start) / FADE) if k else 1.0
                weight *= 1 - eased((tau - end) / FADE)
                found[f"{name} {phase}"] += tau <= last and weight >= LEAST
    found["wave"] = int(seconds / stored(WAVE) + 0.5)
    return found


def bundled(seconds):
    """The mannequin with its motion file; the layers above the base change in each half hour."""
    text = (
        asset_path("mannequin.motion.toml").read_text(encoding="utf-8").replace("version = 1", "")
    )
    for k, tau in enumerate(starts(seconds)[1:]):
        changes = (
            ("wave", k % 2, 0),
            ("look", 1, 0),
            ("look", 0, 8),
            ("aim", 0.5, 60),
            ("aim", 0, 90),
        )
        for name, value, later in changes:
            row = f'name = "{name}.weight", value = {value}, seconds = 1'
            text += f"[[at]]\ntime = {tau + later}\nset = {{ {row} }}\n"
    return load(asset_path("mannequin.glb")), text


def bundled_position(seconds):
    model = load(asset_path("mannequin.glb"))
    (clip,) = (clip for clip in model.clips if clip.name == "WalkForward")
    hips = model.skeleton.names.index("Hips")
    (track,) = (each for each in clip.tracks if (each.target, each.path) == (hips, "translation"))
    first, last = track.values[[0, -1], 2].astype(np.float64)
    return (last - first) * seconds / clip.end


def bundled_events(seconds):
    return Counter({"foot_left": int(seconds + 0.75), "foot_right": int(seconds + 0.25)})


def resident():
    """Bytes of this process in memory."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def play(make, position, events, axis, seconds):
    """Play one motion; return the faults."""
    model, text = make(seconds)
    mixer = bind(model, parse_motion("version = 1\n" + text, "soak.motion.toml").document)
    pose, found, rng = Pose.like(model.skeleton.rest), Counter(), random.Random(1)
    faults, away, early, begun, frames = [], 0.0, 0, time.perf_counter(), 0
    tau, marks = 0.0, [seconds * k / 20 for k in range(1, 21)]
    while tau < seconds:
        tau = min(tau + rng.uniform(0.01, 3.0), marks[0])
        mixer.play(tau)
        mixer.sample(pose)
        found.update(event.name for event in mixer.fired)
        mixer.commit_long_step()
        frames += 1
        if tau == marks[0]:
            marks.pop(0)
            away = max(away, abs(float(mixer.world[axis, 3]) - position(tau)))
            early = early or resident()
    grown = resident() - early
    if away > NEAR:
        faults.append(f"{away * 1000:.4f} mm off")
    if found != events(seconds):
        faults.append(f"events {dict(found)}, expected {dict(events(seconds))}")
    if grown > GROWTH:
        faults.append(f"{grown >> 20} MiB more than at the beginning")
    sys.stdout.write(
        f"{make.__name__}: {seconds / HOUR:g} h in {time.perf_counter() - begun:.0f} s, {frames} "
        f"frames, {found.total()} events, {away * 1000:.5f} mm off, {grown / 2**20:+.1f} MiB\n"
    )
    return faults


def main():
    """Play both motions; return 1 if one has a fault."""
    seconds = float(sys.argv[1] if len(sys.argv) > 1 else 24) * HOUR
    faults = play(generated, generated_position, generated_events, 0, seconds)
    faults += play(bundled, bundled_position, bundled_events, 2, seconds)
    sys.stdout.writelines(f"FAULT: {fault}\n" for fault in faults)
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
