"""`rigview check`: report errors of characters as text, JSON, JUnit, SARIF or for GitHub."""

from collections.abc import Sequence
from contextlib import closing
from functools import cache

from ..checks import rule_list
from ..checks.rule_settings import Settings, read_settings
from ..console import Progress, print_message, warn
from ..errors import AppError, UsageError
from ..options.command_options import Options
from ..tasks.baseline_state import BaselineState, open_baseline
from ..tasks.check_report import CheckReport, FailurePolicy
from ..tasks.examine_file import Task, examine_file, rule_settings
from ..tasks.file_results import run_tasks
from ..tasks.input_file import checked_root, each_file, print_anims_report, source_name
from ..tasks.output import STANDARD, write

FOUND = 1  # exit code if something was found


def run(options: Options) -> int:
    """Check and print findings; returns the exit code."""
    form = _format(options)
    if options.thresholds.joins:
        from .check_joins import run as run_joins

        return run_joins(options)
    if options.findings.rules:
        from .list_rules import print_rules

        return print_rules(form, options)
    baseline_state = open_baseline(options)
    checked_root(options)
    read = cache(read_settings)  # many files have the same
    tasks = [Task(own, rule_settings(own, read)) for own in each_file(options)]
    examined = _examine(options, tasks)
    _check_names(options, tasks[0].settings, examined)
    reports = [
        _compared(task, report, baseline_state)
        for task, report in zip(tasks, examined, strict=True)
    ]
    baseline_state.write()
    policy = FailurePolicy(
        tuple(
            rule
            for rule in rule_list.all_rules(options.findings.rule_files)
            if any(task.settings.runs(rule.id) for task in tasks)
        ),
        options.findings.fail_on,
    )
    write(STANDARD, _formatted(form, reports, policy, options).encode("utf-8", "backslashreplace"))
    return _code(reports, policy)


def _format(options: Options) -> str:
    findings, json = options.findings, options.output.json
    if json and findings.format not in (None, "json"):
        raise UsageError(
            f"--json and --format {findings.format} exclude each other", hint="use one of them"
        )
    if findings.update_baseline and findings.baseline is None:
        raise UsageError("--update-baseline needs --baseline FILE, the file to write")
    return "json" if json else findings.format or "text"


def _examine(options: Options, tasks: Sequence[Task]) -> list[CheckReport]:
    """Examine each file; return the reports with all findings or the error, in order.

    A single file is examined in this process, so that an exception in a rule is not hidden.
    """
    examined: dict[int, CheckReport | AppError] = {}
    if len(tasks) == 1 and (options.parallel.dask is None or tasks[0].options.file == STANDARD):
        try:
            examined[0] = examine_file(tasks[0])
        except AppError as error:
            examined[0] = error
    else:
        results = run_tasks(options, examine_file, tasks)
        with closing(results), Progress(len(tasks), "file", quiet=options.general.quiet) as bar:
            for index, result in results:
                bar.step()
                examined[index] = result
    reports = []
    for index, task in enumerate(tasks):
        result, name = examined[index], source_name(task.options)
        if isinstance(result, AppError):
            result.file = result.file or name
            result = CheckReport(name, error=result)
        reports.append(result)
    return reports


def _check_names(options: Options, settings: Settings, reports: Sequence[CheckReport]) -> None:
    """Raise for a clip of --animation that no file has; warn about one in the user's settings."""
    if any(report.error is not None for report in reports):
        return  # it may be in a file that cannot be read
    for text in options.clips.animations:
        errors = [report.missing[text] for report in reports if text in report.missing]
        if errors and len(errors) == len(reports):
            raise errors[0]
    names = [name for report in reports for name in report.clips]
    for pattern in settings.unused_clips(names):
        line, quiet = settings.lines[pattern], options.general.quiet
        warn([f"no file has a clip {pattern!r}"], file=line, quiet=quiet)


def _compared(task: Task, examined: CheckReport, baseline_state: BaselineState) -> CheckReport:
    """Print what happened to a file; return its report with known and new findings apart."""
    if examined.error is not None:
        _print_error(task.options, examined.error)
        return examined
    print_anims_report(task.options, examined.carried)
    return baseline_state.report(task, examined)


def _print_error(options: Options, error: AppError) -> None:
    if options.general.verbose:
        from traceback import print_exception

        print_exception(error)
    print_message(str(error))


def _formatted(
    form: str, reports: Sequence[CheckReport], policy: FailurePolicy, options: Options
) -> str:
    if form == "text":
        from .findings_text import Style, as_text

        general = options.general
        style = Style.of_terminal()
        return as_text(reports, style, all_of_them=general.verbose, quiet=general.quiet)
    if form == "junit":
        from .findings_junit import as_junit

        return as_junit(reports, policy)
    from .findings_formats import as_github, as_json, as_sarif

    if form == "sarif":
        return as_sarif(reports, policy)
    return as_json(reports) if form == "json" else as_github(reports)


def _code(reports: Sequence[CheckReport], policy: FailurePolicy) -> int:
    """Return the exit code; errors take precedence over findings."""
    wrong = max(
        (report.error.exit_code for report in reports if report.error is not None), default=0
    )
    failed = any(policy.fails(finding) for report in reports for finding in report.findings)
    return wrong or (FOUND if failed else 0)
