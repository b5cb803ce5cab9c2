"""Options of `check` and `diff`: thresholds, output format and baseline."""

from ..tomlfile.value_parsing import positive
from .option import Option

THRESHOLDS = (
    Option("joins", ("check",), "how well the end of each clip matches the start of each clip"),
    Option(
        "threshold-mm",
        ("check", "diff"),
        "with --joins: largest distance of joints in matching poses",
        metavar="MM",
        parse=positive,
        default=1.0,
        defaults={"diff": 0.1},
        helps={"diff": "report a vertex or joint whose error exceeds this"},
    ),
    Option(
        "threshold-deg",
        ("check", "diff"),
        "with --joins: largest rotation between joints in matching poses",
        metavar="DEGREES",
        parse=positive,
        default=1.0,
        defaults={"diff": 0.05},
        helps={"diff": "report a joint whose rotation error exceeds this"},
    ),
)

FINDINGS = (
    Option(
        "format",
        ("check",),
        "output format of the findings; default: text",
        metavar="FORMAT",
        choices=("text", "json", "junit", "github"),
    ),
    Option(
        "fail-on",
        ("check",),
        "exit with 1 if there is a finding of at least this severity",
        metavar="SEVERITY",
        default="error",
        choices=("error", "warning", "never"),
    ),
    Option(
        "baseline",
        ("check",),
        "a file of known findings, which are not reported again",
        metavar="FILE",
    ),
    Option("update-baseline", ("check",), "write the findings to the file of --baseline"),
    Option("rules", ("check",), "list the rules with their limits and fixes"),
)
