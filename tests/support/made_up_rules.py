"""Rules made in code, which find what a test says, for tests of how findings are told."""

from rigview.check.rule import Hit, Limit, Rule

STIFF = Limit("mm", 2.0, "mm", "how far")


def rule(identity, *hits, severity="error", limits=(STIFF,), **fields):
    """A rule that finds these hits in every file."""
    given = {"what": f"{identity} is looked for", "mend": f"mend {identity}"} | fields
    return Rule(identity, severity, find=lambda *_: hits, limits=limits, **given)


def seam(clip="Turn", **fields):
    """A hit as a rule about the ends of clips makes it."""
    given = {
        "amount": 12.345,
        "unit": "mm",
        "limit": "mm",
        "place": "/animations/0",
        "clip": clip,
        "joint": "Tip",
        "time": 2.0,
    }
    return Hit(f"{clip} ends far from where it begins", **(given | fields))
