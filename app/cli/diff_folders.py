"""`rigview diff` of many characters: the differences of each pair, and their number."""

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import replace

from ..console import Progress, print_message
from ..differences.difference import Difference, as_json
from ..errors import AppError
from ..loading.git_revision import parse_revision
from ..loading.version_pairs import VersionPair
from ..options.command_options import Options
from ..tasks.output import STANDARD, write
from ..tasks.output_names import fill_pattern, model_name, unique_names
from ..wording import counted, one_line
from .diff_text import as_text

FOUND = 1  # exit code if something differs


def run(
    options: Options, pairs: Sequence[VersionPair], compare: Callable[[Options], Difference]
) -> int:
    """Compare each pair and print the differences; returns the exit code.

    A pair that cannot be read is reported, and the others are compared.
    """
    code = 0
    found: list[tuple[VersionPair, Difference]] = []
    targets = _targets(options, pairs)
    with Progress(len(pairs), "file", quiet=options.general.quiet) as bar:
        for pair, target in zip(pairs, targets, strict=True):
            bar.step()
            output = replace(options.output, comparison=target)
            try:
                one = replace(options, files=tuple(pair), output=output)
                found.append((pair, compare(one)))
            except AppError as error:
                print_message(str(error))
                code = max(code, error.exit_code)
    differing = [difference for _, difference in found if not difference.same]
    if options.output.json:
        rows = [{"a": pair.before, "b": pair.after, **as_json(each)} for pair, each in found]
        facts = {"same": not differing and not code, "files": rows}
        write(STANDARD, json.dumps(facts, ensure_ascii=False, indent=2).encode() + b"\n")
    else:
        write(STANDARD, _text(options, found).encode())
    return max(code, FOUND if differing else 0)


def _targets(options: Options, pairs: Sequence[VersionPair]) -> Sequence[str | None]:
    """Return the picture of each pair, by the name of its latest version; None without -o."""
    pattern = options.output.comparison
    if pattern is None:
        return [None] * len(pairs)
    names = unique_names([model_name(_latest_file(pair)) for pair in pairs])
    return [fill_pattern(pattern, model=name, clip=None) for name in names]


def _latest_file(pair: VersionPair) -> str:
    """Return the path of the newer version, or of the older one of a removed character."""
    if pair.after != os.devnull:
        return pair.after
    revision = parse_revision(pair.before)
    return pair.before if revision is None else revision.path


def _text(options: Options, found: Sequence[tuple[VersionPair, Difference]]) -> str:
    blocks = []
    for pair, difference in found:
        before, after = (one_line(name) for name in pair)
        if os.devnull in pair:
            blocks.append(f"added {after}" if pair.before == os.devnull else f"removed {before}")
        else:
            blocks.append(as_text(difference, (before, after), verbose=options.general.verbose))
    differing = sum(not difference.same for _, difference in found)
    blocks.append(f"{counted(len(found), 'character')} compared, {differing} with differences")
    return "\n\n".join(blocks) + "\n"
