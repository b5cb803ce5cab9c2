"""Accept findings and mute rules: write it into `rigview.toml`, and take it back.

The file is that beside the character or in the nearest folder above it, as the commands read it; if
there is none, it is made beside the character. Each change of it is an undo step.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path

from ...checks import edit_settings
from ...checks.finding import Finding, by_visible_size
from ...checks.rule_settings import Ignore, settings_of
from ...errors import AppError, MotionError, OutputError
from ...loading.git_revision import revision_of
from ...options.config_file import PROJECT, project_file
from ...resources import is_bundled
from ...tasks.check_report import Accepted, CheckReport
from ...tasks.output import write
from ...tomlfile.parse import read_toml, toml_file
from ..opened_character import OpenedCharacter
from ..session import Session
from ..undo_history import Step

REASON = "accepted in the window"
CANNOT_WRITE = f"{PROJECT} cannot be written"


@dataclass(slots=True)
class MutedView:
    """The list of accepted findings and muted rules.

    Attributes
    ----------
    shown
        Whether it is unfolded.
    opened
        The accepted finding whose reason is shown.
    reason
        What is typed.
    """

    shown: bool = False
    opened: Accepted | None = None
    reason: str = ""


def why_not(session: Session, opened_character: OpenedCharacter) -> str:
    """Return why findings of a character cannot be accepted; "" if they can."""
    path = opened_character.path
    if path is None or _is_foreign(path):
        return "The bundled character and files of git revisions have no folder for it"
    return f"--no-config: {PROJECT} is not read" if session.files.no_config else ""


def settings_path(path: Path) -> Path:
    """Return the `rigview.toml` of a character; it may not exist."""
    return Path(project_file(str(path)) or os.path.abspath(path.with_name(PROJECT)))


def accept(
    session: Session,
    opened_character: OpenedCharacter,
    finding: Finding,
    *,
    all_clips: bool = False,
) -> bool:
    """Accept a finding, in its clip or in all of them. Returns whether it worked.

    Findings of one rule about the same clip, joint and item are accepted together.
    """
    path = opened_character.path
    if path is None:
        return False
    target, check = settings_path(path), opened_character.check
    end = Path(os.path.relpath(os.path.abspath(path), target.parent)).as_posix()
    entry = edit_settings.entry_of(finding, end, REASON, all_clips=all_clips)
    if not _change(
        session,
        opened_character,
        lambda text: edit_settings.with_entry(text, entry),
        f"Accept {finding.rule}",
        f"Accepted in {target}",
    ):
        return False
    more = {} if check.report is None else check.report.more
    check.asked = any(rule == finding.rule for _, rule in more)
    return True


def report_again(session: Session, opened_character: OpenedCharacter, accepted: Accepted) -> bool:
    """Remove the entries of `rigview.toml` that accept a finding. Returns whether it worked."""
    path = opened_character.path
    if path is None:
        return False
    target, file = settings_path(path), os.path.abspath(path)

    def edit(text: str) -> str:
        entries = _entries(session, text, target)
        fit = [k for k, each in enumerate(entries) if each.covers(accepted.finding, file)]
        return edit_settings.without_entries(text, fit) if fit else text

    label = f"Report {accepted.finding.rule}"
    return _change(session, opened_character, edit, label, f"Removed from {target}")


def set_reason(
    session: Session, opened_character: OpenedCharacter, accepted: Accepted, reason: str
) -> bool:
    """Change the reason of an accepted finding. Returns whether it worked."""
    entry, path = accepted.entry, opened_character.path
    if path is None or not reason.strip() or reason == entry.reason:
        return False
    target = settings_path(path)

    def edit(text: str) -> str:
        entries = _entries(session, text, target)
        if entry not in entries:
            raise MotionError(f'no entry has the reason "{entry.reason}"')
        return edit_settings.with_reason(text, entries.index(entry), reason)

    return _change(session, opened_character, edit, "Reason", f"Changed in {target}")


def mute(session: Session, opened_character: OpenedCharacter, rule: str) -> bool:
    """Turn off a rule for the characters of `rigview.toml`. Returns whether it worked."""
    check = opened_character.check
    target = _set_rule(session, opened_character, rule, off=True)
    if target is None:
        return False
    report = check.report
    if report is not None:
        check.report = replace(
            report,
            findings=tuple(each for each in report.findings if each.rule != rule),
            known=tuple(each for each in report.known if each.rule != rule),
            more={key: count for key, count in report.more.items() if key[1] != rule},
            muted={**report.muted, rule: str(target)},
        )
    for other in _characters_of(session, target):
        if other is not opened_character:
            other.check.again()
    return True


def unmute(session: Session, opened_character: OpenedCharacter, rule: str) -> bool:
    """Turn a muted rule on again, and check its characters. Returns whether it worked."""
    check = opened_character.check
    target = _set_rule(session, opened_character, rule, off=False)
    if target is None:
        return False
    if check.report is not None:
        muted = {name: file for name, file in check.report.muted.items() if name != rule}
        check.report = replace(check.report, muted=muted)
    for each in _characters_of(session, target):
        each.check.again()
    return True


def _set_rule(
    session: Session, opened_character: OpenedCharacter, rule: str, *, off: bool
) -> Path | None:
    """Turn a rule off or on in `rigview.toml`; return the file, None if that did not work."""
    if opened_character.path is None:
        return None
    target = settings_path(opened_character.path)
    edit, label, words = (
        (edit_settings.with_rule_off, "Mute", f"{rule} is muted in {target}")
        if off
        else (edit_settings.with_rule_on, "Unmute", f"{rule} is not muted in {target} any more")
    )
    changed = _change(
        session, opened_character, lambda text: edit(text, rule), f"{label} {rule}", words
    )
    return target if changed else None


def _change(
    session: Session,
    opened_character: OpenedCharacter,
    edit: Callable[[str], str],
    label: str,
    words: str,
) -> bool:
    """Write an edit of `rigview.toml` as an undo step; a notice or an error says how it went.

    The report of the character has the findings that the file accepts then among the accepted ones.
    """
    path = opened_character.path
    if path is None or why_not(session, opened_character):
        return False
    target = settings_path(path)
    try:
        before = _text(target)
        after = edit(before or "")
        entries = _entries(session, after, target)  # raises the error that `check` would report
        write(str(target), after.encode())
    except AppError as error:
        error.file = error.file or str(target)
        session.fail(error, CANNOT_WRITE)
        return False
    show = partial(_show_again, session, target, (before, after))
    session.history.put(Step(opened_character, before, after, show, label))
    check = opened_character.check
    if check.status == "running":  # with the settings before
        check.again()
    if check.report is not None:
        check.report = _accepted_again(check.report, entries, target, os.path.abspath(path))
    session.notify(words)
    return True


def _accepted_again(
    report: CheckReport, entries: Sequence[Ignore], target: Path, file: str
) -> CheckReport:
    """Return the report of a file as the present entries of a `rigview.toml` accept findings."""
    before = report.accepted_findings
    own = [each.finding for each in before if each.entry.source == str(target)]
    pairs = [
        (finding, next((entry for entry in entries if entry.covers(finding, file)), None))
        for finding in (*report.findings, *own)
    ]
    accepted = [Accepted(finding, entry) for finding, entry in pairs if entry is not None]
    return replace(
        report,
        findings=tuple(by_visible_size(finding for finding, entry in pairs if entry is None)),
        accepted_findings=(
            *accepted,
            *(each for each in before if each.entry.source != str(target)),
        ),
    )


def _show_again(
    session: Session, target: Path, states: tuple[str | None, str], text: str | None
) -> bool:
    """Write the text before or after an edit, unless another program has changed the file."""
    try:
        if _text(target) not in states:
            raise OutputError("has changed since", file=str(target))
        if text is None:
            target.unlink(missing_ok=True)
        else:
            write(str(target), text.encode())
    except OSError as error:
        session.fail(OutputError(error.strerror or str(error), file=str(target)), CANNOT_WRITE)
    except AppError as error:
        session.fail(error, CANNOT_WRITE)
    else:
        for each in _characters_of(session, target):
            each.check.again()
        return True
    return False


def _text(target: Path) -> str | None:
    """Return the text of `rigview.toml`, None if there is none (MotionError: it is invalid)."""
    return read_toml(target).text if os.path.lexists(target) else None


def _entries(session: Session, text: str, target: Path) -> tuple[Ignore, ...]:
    """Return the accepted findings in a text (MotionError: it is invalid)."""
    from ...checks.rule_list import all_rules  # imported late: the window opens without the rules

    return settings_of(toml_file(text, str(target)), all_rules(session.files.rule_files)).ignores


def _characters_of(session: Session, target: Path) -> list[OpenedCharacter]:
    """Return the open characters beside a `rigview.toml`, and in folders below it."""
    return [
        each
        for each in session.open_characters
        if each.path is not None and Path(os.path.abspath(each.path)).is_relative_to(target.parent)
    ]


@lru_cache(maxsize=64)
def _is_foreign(path: Path) -> bool:
    """Return whether nothing is written beside a file."""
    return is_bundled(path) or bool(revision_of(path))
