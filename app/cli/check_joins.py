"""`rigview check --joins`: which clips match end to start without a blend, as text or JSON."""

import json
from collections.abc import Sequence

from ..errors import UsageError
from ..model.model import Model
from ..model.transition_continuity import (
    TransitionContinuity,
    TransitionDifference,
    transition_continuity,
)
from ..options.command_options import Options
from ..tasks.clip_choice import MOST_COMPARED, check_clip_count, choose_clips
from ..tasks.input_file import load_source, print_file_warnings, source_name
from ..tasks.output import STANDARD, write
from ..wording import columns, one_line

_LEAST_WIDTH = 4  # least width of a column, characters
_LARGEST_SHOWN = 9999  # largest number in a cell


def run(options: Options) -> int:
    """Compare and print; returns the exit code 0, since clips need not match."""
    if len(options.files) > 1:
        raise UsageError("--joins takes one file")
    if options.findings.format not in (None, "text", "json"):
        raise UsageError(
            f"--joins supports the formats text and json, not {options.findings.format}"
        )
    model = load_source(options)
    clips = choose_clips(options, model)
    if not clips:
        raise UsageError("no animation to check", file=source_name(options))
    check_clip_count(options, len(clips), MOST_COMPARED)
    continuity = transition_continuity(
        model,
        clips,
        metres=options.thresholds.metres,
        degrees=options.thresholds.threshold_deg,
    )
    text = (
        json.dumps(as_json(model, continuity), ensure_ascii=False)
        if options.output.json or options.findings.format == "json"
        else as_text(model, continuity)
    )
    write(STANDARD, text.encode() + b"\n")
    print_file_warnings(options, model)
    return 0


def as_json(model: Model, continuity: TransitionContinuity) -> dict[str, object]:
    """Return the error matrices `[from][to]`, their worst joints, and the core poses, for JSON."""
    names, joined = _names(model, continuity.clips), continuity.joined
    misses = _misses(continuity)
    matrices = {key: (miss.amount * scale).tolist() for key, _, miss, scale in misses}
    worst_joints = {f"{key}_joint": _joints(model, miss) for key, _, miss, _ in misses}
    called = dict(zip(continuity.clips, names, strict=True))
    return {
        "threshold_mm": continuity.metres * 1000,
        "threshold_deg": continuity.degrees,
        "clips": names,
        "poses": [
            {
                "name": pose.name,
                "begins": [called[c] for c in pose.begins],
                "ends": [called[c] for c in pose.ends],
            }
            for pose in continuity.poses
        ],
        "joins": joined.tolist(),
        **matrices,
        **worst_joints,
    }


def _misses(
    continuity: TransitionContinuity,
) -> tuple[tuple[str, str, TransitionDifference, int], ...]:
    """Return the differences with their keys in JSON, their units, and factors to these."""
    return (
        ("mm", "mm", continuity.place, 1000),
        ("deg", "°", continuity.angle, 1),
        ("mm_per_s", "mm/s", continuity.speed, 1000),
        ("deg_per_s", "°/s", continuity.spin, 1),
    )


def _names(model: Model, clips: Sequence[int]) -> list[str]:
    return [model.clips[c].name for c in clips]


def _joints(model: Model, miss: TransitionDifference) -> list[list[str]]:
    names = model.skeleton.names
    return [[names[joint] for joint in row] if names else [] for row in miss.joint.tolist()]


def as_text(model: Model, continuity: TransitionContinuity) -> str:
    """Return the core poses, the error matrix and the joins as lines of text."""
    blocks = [_poses(model, continuity), _matrix(model, continuity), _list(model, continuity)]
    return "\n\n".join(block for block in blocks if block)


def _poses(model: Model, continuity: TransitionContinuity) -> str:
    lines = [f"Core poses: {len(continuity.poses) or 'none'}"]
    for pose in continuity.poses:
        lines.append(f"  {one_line(pose.name)}")
        for word, clips in (("begin", pose.begins), ("end", pose.ends)):
            names = ", ".join(map(one_line, _names(model, clips)))
            lines.append(f"    {word} in it: {names or 'none'}")
    return "\n".join(lines)


def _matrix(model: Model, continuity: TransitionContinuity) -> str:
    """Return the errors in millimetres, from row to column; `=` marks joins."""
    amounts, joined = continuity.place.amount * 1000, continuity.joined
    cells = [
        ["=" if joined[a, b] else _short(float(amounts[a, b])) for b in range(len(amounts))]
        for a in range(len(amounts))
    ]
    width = max(_LEAST_WIDTH, *(len(cell) for row in cells for cell in row))
    names = [f"{c} {one_line(model.clips[c].name)}" for c in continuity.clips]
    side = max(map(len, names))
    head = " " * side + "".join(str(c).rjust(width + 1) for c in continuity.clips)
    rows = [
        name.ljust(side) + "".join(cell.rjust(width + 1) for cell in row)
        for name, row in zip(names, cells, strict=True)
    ]
    limits = f"{continuity.metres * 1000:g} mm and {continuity.degrees:g}°"
    title = f"From the end of the row's clip to the start of the column's, mm; = within {limits}"
    return "\n".join([title, *(f"  {line}" for line in (head, *rows))])


def _short(number: float) -> str:
    if number > _LARGEST_SHOWN:
        return f">{_LARGEST_SHOWN}"
    return f"{number:.1f}" if number < 10 else f"{number:.0f}"


def _list(model: Model, continuity: TransitionContinuity) -> str:
    """Return the errors of each pair that joins, with their joints."""
    names, joints = _names(model, continuity.clips), model.skeleton.names
    rows = []
    for a, b in zip(*continuity.joined.nonzero(), strict=True):
        row = [f"{one_line(names[a])} > {one_line(names[b])}"]
        for _, unit, miss, scale in _misses(continuity):
            amount = round(float(miss.amount[a, b]) * scale, 9)  # smaller ones are rounding errors
            where = one_line(joints[miss.joint[a, b]]) if joints and amount else ""
            row.append(f"{amount:.3g} {unit} {where}".strip())
        rows.append(row)
    if not rows:
        return "Joins: none"
    lines = [f"  {line}" for line in columns(rows)]
    return "\n".join([f"Joins: {len(rows)}, with their errors and joints", *lines])
