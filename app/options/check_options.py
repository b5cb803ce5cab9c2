"""Options of `check` and `diff`: thresholds, output format and baseline."""

from typing import Literal

from ..fields.option import choice, switch, value, values
from ..fields.readers import positive, text
from ..fields.record import record

Format = Literal["text", "json", "junit", "sarif", "github"]
FailOn = Literal["error", "warning", "never"]


@record(frozen=True)
class VersionOptions:
    """Which versions are compared."""

    changed_since: str | None = value(
        ("diff",),
        "compare the characters of the folder A that changed since git revision REV",
        "REV",
        text,
    )
    labels: tuple[str, ...] = values(
        ("diff",),
        "name of A in the output, then of B, where git passes temporary files; an object ID at its "
        "end is abbreviated",
        "NAME",
        text,
        name="label",
    )


@record(frozen=True)
class ThresholdOptions:
    """Limits of differences."""

    joins: bool = switch(("check",), "how well the end of each clip matches the start of each clip")
    threshold_mm: float = value(
        ("check", "diff"),
        "with --joins: largest distance of joints in matching poses",
        "MM",
        positive,
        default=1.0,
        defaults={"diff": 0.1},
        helps={"diff": "report a vertex or joint whose error exceeds this"},
    )
    threshold_deg: float = value(
        ("check", "diff"),
        "with --joins: largest rotation between joints in matching poses",
        "DEGREES",
        positive,
        default=1.0,
        defaults={"diff": 0.05},
        helps={"diff": "report a joint whose rotation error exceeds this"},
    )

    @property
    def metres(self) -> float:
        """The largest distance, metres."""
        return self.threshold_mm / 1000


@record(frozen=True)
class FindingOptions:
    """Output of the findings."""

    format: Format | None = choice(
        ("check",),
        "output format of the findings; default: text",
        "FORMAT",
        ("text", "json", "junit", "sarif", "github"),
    )
    fail_on: FailOn = choice(
        ("check",),
        "exit with 1 if there is a finding of at least this severity",
        "SEVERITY",
        ("error", "warning", "never"),
        default="error",
    )
    baseline: str | None = value(
        ("check",),
        "a file of known findings, which are not reported again",
        "FILE",
        text,
    )
    update_baseline: bool = switch(("check",), "write the findings to the file of --baseline")
    rules: bool = switch(("check",), "list the rules with their limits and fixes")
    rule_files: tuple[str, ...] = values(
        ("view", "check", "report"),
        "a Python file with rules of your own, whose code is run",
        "FILE",
        text,
        name="rule-file",
    )
