"""Rule about noise: every key of a track is off a smooth curve."""

from collections.abc import Iterator

import numpy as np

from ...wording import counted, measure, quoted
from ..check_context import CheckContext
from ..finding import Finding, Limit, Limits, Rule
from ..key_groups import key_groups, key_noise


def _noise(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    names = context.model.skeleton.names
    for c in context.clips:
        found: list[
            tuple[float, float, str, int]
        ] = []  # multiple of the limit, amount, unit, joint
        for group in context.cached(key_groups, c):
            limit = limits["degrees" if group.unit == "°" else "mm"]
            noise, alternates = key_noise(group)
            found += [
                (float(noise[k]) / limit, float(noise[k]), group.unit, int(group.joints[k]))
                for k in np.flatnonzero(alternates & (noise > limit)).tolist()
            ]
        if not found:
            continue
        _, amount, unit, joint = max(found, key=lambda track: track[0])
        clip, others = context.clip(c).name, len({track[3] for track in found} - {joint})
        yield Finding(
            f"{quoted(names[joint])} trembles in {quoted(clip)}: its keys are typically "
            f"{measure(amount, unit)} off a smooth curve"
            + (f", as are those of {counted(others, 'other joint')}" if others else ""),
            amount,
            unit,
            limits["degrees" if unit == "°" else "mm"],
            clip=clip,
            joint=names[joint],
        )


RULES: tuple[Rule, ...] = (
    Rule(
        "noise",
        "warning",
        "the keys of a track are off a smooth curve, in another direction at nearly every key",
        "filter the curve (Blender: Key > Smooth, or the Butterworth filter), or clean the capture",
        _noise,
        (
            Limit("mm", 4.0, "mm", "root mean square distance of the keys", scaled=True),
            Limit("degrees", 2.0, "°", "root mean square angle of the keys"),
        ),
    ),
)
