"""Prints which sizes of planted faults `check` finds, as multiples of the limits of its rules.

Run ``python -m tests.tools.fault_sizes`` after a change of a rule about motion. Each row is a fault
in a clip, each column a size; the cells are the amounts found, also as multiples of the limit.
"""

from functools import partial

from rigview.checks.rule_list import rule
from tests.support.planted_faults import SIZES, SLIDES, contexts, noisy, popped, slid, swaying
from tests.support.rule_case import findings_of

FAULTS = {
    "pop of 1 key": ("pop", partial(popped, keys=1)),
    "pop of 2 keys": ("pop", partial(popped, keys=2)),
    "pop of 3 keys": ("pop", partial(popped, keys=3)),
    "noise": ("noise", noisy),
}
LIMITS = {"translation": "mm", "rotation": "degrees"}


def limit_of(identity, path):
    """The documented limit of a rule for a path."""
    return next(row.default for row in rule(identity).limits if row.name == LIMITS[path])


def planted(change, path, size):
    """Return a change of values: a fault as large as `size`, millimetres or degrees."""
    return partial(_changed, change, path, size)


def _changed(change, path, size, values):
    return change(path, size, values=values)


def found(identity, path, change, make, times):
    """The greatest amount of a rule for a fault `times` its limit, as a multiple of the limit."""
    context = make(planted(change, path, times * limit_of(identity, path) * scale_of(path, make)))
    amounts = [each.amount / each.limit for each in findings_of(context, identity)]
    return max(amounts, default=0.0)


def scale_of(path, make):
    """The scale of a context's limits; 1 for angles."""
    return make().scale if path == "translation" else 1.0


def slides():
    """Return functions by name: the greatest amount for a slide `times` the limit."""
    made = {
        f"{motion}, in {seconds:g} s": partial(slid, motion, seconds=seconds)
        for motion, seconds in SLIDES.items()
    }
    made |= {"stand, in 0.5 s": partial(slid, "stand", seconds=0.45), "to and fro": _to_and_fro}
    return {name: partial(_slide, make) for name, make in made.items()}


def _to_and_fro(size):
    return swaying(size / 2)


def _slide(make, times):
    limit = rule("foot-slide").limits[0].default
    context = make(size=times * limit * make(size=0).scale)
    return max((each.amount / each.limit for each in findings_of(context, "foot-slide")), default=0)


def main():
    """Print the table."""
    print("| fault | path | clip |", " | ".join(f"{size:g}" for size in SIZES), "|")
    print("| --- " * (3 + len(SIZES)) + "|")
    for name, (identity, change) in FAULTS.items():
        for path in LIMITS:
            for clip, make in contexts(path).items():
                cells = [found(identity, path, change, make, size) for size in SIZES]
                shown = [f"{each:.2g}" if each else "–" for each in cells]
                print(f"| {name} | {path} | {clip} |", " | ".join(shown), "|")
    for name, make in slides().items():
        shown = [f"{each:.2g}" if each else "–" for each in map(make, SIZES)]
        print(f"| slide | foot | {name} |", " | ".join(shown), "|")


if __name__ == "__main__":
    main()
