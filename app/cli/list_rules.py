"""`rigview check --rules`: list the rules with their limits and fixes."""

import json

from ..checks import rule_list
from ..checks.finding import Rule
from ..checks.rule_settings import Settings
from ..errors import UsageError
from ..options.command_options import Options
from ..tasks.examine_file import rule_settings
from ..tasks.output import STANDARD, write
from ..wording import number, one_line


def print_rules(form: str, options: Options) -> int:
    """Print the rules with the settings of the configuration files; returns the exit code."""
    if form not in ("text", "json"):
        raise UsageError(f"--rules supports the formats text and json, not {form}")
    settings, rules = rule_settings(options), rule_list.all_rules(options.findings.rule_files)
    if form == "json":
        text = json.dumps([_row(rule, settings) for rule in rules], ensure_ascii=False)
    else:
        text = "\n\n".join(_block(rule, settings) for rule in rules)
    write(STANDARD, f"{text}\n".encode())
    return 0


def _severity(rule: Rule, settings: Settings) -> str:
    if not settings.runs(rule.id):
        return "off"
    return settings.severities.get(rule.id) or rule.severity


def _row(rule: Rule, settings: Settings) -> dict[str, object]:
    values = settings.limits_of(rule)
    return {
        "id": rule.id,
        "severity": _severity(rule, settings),
        "group": rule.group,
        "source": settings.sources.get((rule.id, "severity"), ""),
        "what": rule.summary,
        "fix": rule.fix,
        "limits": [
            {
                "name": limit.name,
                "value": values[limit.name],
                "unit": limit.unit,
                "what": limit.summary,
                "scaled": limit.scaled,
                "source": settings.sources.get((rule.id, limit.name), ""),
            }
            for limit in rule.limits
        ],
    }


def _block(rule: Rule, settings: Settings) -> str:
    values = settings.limits_of(rule)
    severity = f"{_severity(rule, settings)}{_source(rule, 'severity', settings)}"
    lines = [f"{rule.id} ({severity}): {rule.summary}"]
    for limit in rule.limits:
        scaled = ", for a character 1.8 m tall" if limit.scaled else ""
        value = f"{number(values[limit.name])} {limit.unit}".rstrip()
        value += _source(rule, limit.name, settings)
        lines.append(f"    {limit.name} = {value}: {limit.summary}{scaled}")
    lines.append(f"    → {rule.fix}")
    return "\n".join(lines)


def _source(rule: Rule, name: str, settings: Settings) -> str:
    """Return which configuration file has the severity or a limit, `""` for none."""
    source = settings.sources.get((rule.id, name), "")
    return one_line(f" from {source}") if source else ""
