"""Made-up rules with given findings, for tests of the output of findings."""

from rigview.checks.finding import Finding, Limit, Rule

STIFF = Limit("mm", 2.0, "mm", "how far")


def fake_rule(identity, *matches, severity="error", limits=(STIFF,), **fields):
    """Return a rule that yields these matches for every file."""
    given = {"summary": f"{identity} is looked for", "fix": f"fix {identity}", "group": "File"}
    given |= fields
    return Rule(identity, severity, find=lambda *_: matches, limits=limits, **given)


def seam_match(clip="Turn", **fields):
    """Return a match of a made-up rule about loop seams."""
    given = {
        "amount": 12.345,
        "unit": "mm",
        "limit": STIFF.default,
        "place": "/animations/0",
        "clip": clip,
        "joint": "Tip",
        "time": 2.0,
    }
    return Finding(f"{clip} ends far from where it begins", **(given | fields))
