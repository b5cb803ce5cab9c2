"""The result of a comparison as text."""

from collections import Counter
from collections.abc import Sequence

from ..differences.difference import (
    TITLES,
    Change,
    ClipDifference,
    Difference,
    change_text,
    track_text,
)
from ..wording import columns, counted, millimetres, one_line

LISTED = 12  # changes of a kind, without --verbose
TRACKS = 3  # of a clip, without --verbose
_HEAD = ("animation", "length", "greatest error", "where", "mean", "greatest turn", "where")


def as_text(difference: Difference, names: tuple[str, str], *, verbose: bool = False) -> str:
    """Return the differences; `verbose`: also everything that is equal."""
    blocks = [f"{names[0]} → {names[1]}"]
    for kind, title in TITLES.items():
        own = [change for change in difference.changes if change.kind == kind and not change.stored]
        if own:
            blocks.append(_section(title, own, verbose=verbose))
    blocks += [_poses(difference, verbose=verbose), _clips(difference, verbose=verbose)]
    blocks += [_stored(difference, verbose=verbose), _verdict(difference)]
    return "\n\n".join(block for block in blocks if block)


def _section(title: str, changes: Sequence[Change], *, verbose: bool) -> str:
    counts = Counter(change.what for change in changes)
    total = ", ".join(f"{counts[what]} {what}" for what in counts)
    shown = changes if verbose else changes[:LISTED]
    lines = [f"{title}: {total}", *(f"  {_line(change)}" for change in shown)]
    if len(shown) < len(changes):
        lines.append(f"  ... and {len(changes) - len(shown)} more (--verbose lists all)")
    return "\n".join(lines)


def _line(change: Change) -> str:
    return f"{change.what:8} {change_text(change)}"


def _poses(difference: Difference, *, verbose: bool) -> str:
    if not (
        difference.rest_differs
        or (verbose and difference.rest.metres + difference.rest.degrees > 0)
    ):
        return ""
    deviation, parts = difference.rest, []
    if difference.rest.metres > 0:
        parts.append(
            f"{millimetres(deviation.metres)} at {one_line(deviation.joint)}, "
            f"mean {millimetres(deviation.mean)}"
        )
    if difference.rest.degrees > 0:
        parts.append(f"{deviation.degrees:.3f}° at {one_line(deviation.turned)}")
    return f"Rest pose: {'; '.join(parts)}"


def _clips(difference: Difference, *, verbose: bool) -> str:
    shown = [clip for clip in difference.clips if verbose or not clip.same]
    if not shown:
        return ""
    differ = sum(not clip.same for clip in difference.clips)
    rows = [_HEAD, *(_row(clip) for clip in shown)]
    lines = [f"Motion: {differ} of {len(difference.clips)} animations differ"]
    lines += [f"  {line}" for line in columns(rows)]
    if not difference.skin:
        lines.append("  measured at the joints: no corresponding vertices")
    elif difference.unmatched:
        meshes = ", ".join(map(one_line, difference.unmatched[:3]))
        lines.append(f"  measured without {meshes}, whose vertices do not correspond")
    for clip in shown:
        tracks = [track_text(track) for track in (clip.tracks if verbose else clip.tracks[:TRACKS])]
        if len(tracks) < len(clip.tracks):
            more = counted(len(clip.tracks) - len(tracks), "track")
            tracks.append(f"and {more} more (--verbose lists all)")
        if tracks:
            lines.append(f"  in {one_line(clip.name)}: {'; '.join(tracks)}")
    return "\n".join(lines)


def _row(clip: ClipDifference) -> tuple[str, ...]:
    name, deviation = one_line(clip.name), clip.deviation
    if clip.now != clip.name:
        name += f" → {one_line(clip.now)}"
    lengths = [f"{end:.4g}" for end in clip.ends]
    length = lengths[0] if lengths[0] == lengths[1] else " → ".join(lengths)
    where = f"{one_line(deviation.joint)}, {deviation.time:.3f} s" if deviation.joint else ""
    turned = (
        f"{one_line(deviation.turned)}, {deviation.turned_time:.3f} s" if deviation.turned else ""
    )
    return (
        name,
        f"{length} s",
        millimetres(deviation.metres),
        where,
        millimetres(deviation.mean),
        f"{deviation.degrees:.3f}°",
        turned,
    )


def _stored(difference: Difference, *, verbose: bool) -> str:
    """Return differences in storage that do not change the character."""
    stored = [change for change in difference.changes if change.stored]
    if not stored:
        return ""
    if verbose:
        return _section("Stored differently", stored, verbose=True)
    of_files = [change for change in stored if change.kind == "file"]
    parts = [_line(change).removeprefix("changed  file: ") for change in of_files]
    keyed = {change.name for change in stored if change.kind == "clip" and change.field}
    if keyed:
        counts = [sum(clip.keys[side] for clip in difference.clips) for side in range(2)]
        parts.append(
            f"{counted(len(keyed), 'animation')} with other keys ({counts[0]} → {counts[1]} in all)"
        )
    rest = [change for change in stored if change.kind not in ("file", "clip")]
    parts += [f"{change.name}: {change.field}" for change in rest[:LISTED]]
    return f"Stored differently, without effect: {'; '.join(parts)}"


def _verdict(difference: Difference) -> str:
    within = f"{difference.metres * 1000:g} mm and {difference.degrees:g}°"
    if difference.identical:
        return "no differences: the files are identical"
    if difference.same:
        return f"no differences above {within}"
    counts = sum(not change.stored for change in difference.changes)
    parts = [counted(counts, "change")] if counts else []
    if difference.rest_differs:
        parts.append("the rest pose")
    differ = sum(not clip.same for clip in difference.clips)
    if differ:
        parts.append(f"the motion of {counted(differ, 'animation')}")
    return f"differs (above {within}): {', '.join(parts)}"
