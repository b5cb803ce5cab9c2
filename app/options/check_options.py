"""What `check` and `diff` look for, and how `check` tells it."""

from ..tomlfile.value_parsing import positive
from .option import Option

LOOKED_FOR = (
    Option("joins", ("check",), "how well each clip's end meets each clip's beginning"),
    Option(
        "threshold-mm",
        ("check", "diff"),
        "with --joins: ends whose joints are this close are one pose",
        metavar="MM",
        parse=positive,
        default=1.0,
        defaults={"diff": 0.1},
        helps={"diff": "a vertex or joint that is further off than this counts as changed"},
    ),
    Option(
        "threshold-deg",
        ("check", "diff"),
        "with --joins: ends whose joints are turned this little against each other are one pose",
        metavar="DEGREES",
        parse=positive,
        default=1.0,
        defaults={"diff": 0.05},
        helps={"diff": "a joint that is turned off by more than this counts as changed"},
    ),
)

CHECKING = (
    Option(
        "format",
        ("check",),
        "how the findings are told, without it as text",
        metavar="FORMAT",
        choices=("text", "json", "junit", "github"),
    ),
    Option(
        "fail-on",
        ("check",),
        "exit with 1 where there is a finding of at least this severity",
        metavar="SEVERITY",
        default="error",
        choices=("error", "warning", "never"),
    ),
    Option(
        "baseline",
        ("check",),
        "a file of known findings, which are not told again",
        metavar="FILE",
    ),
    Option("update-baseline", ("check",), "write what is found to the file of --baseline"),
    Option("rules", ("check",), "list the rules: what each looks for, its limits, how to mend"),
)
