"""The findings of a check by the joint, part of a mesh and clip that they are about."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from ..check.finding import SEVERITIES, Finding
from ..model.mesh_parts import Part
from ..model.model import Model
from ..scene.selected import Selected
from ..wording import capitalized
from .finding_target import target_of

MOST_SHOWN = 4  # findings in a tooltip

Findings = tuple[Finding, ...]  # most severe first
K = TypeVar("K")


@dataclass(frozen=True, slots=True, eq=False)
class FindingPlaces:
    """The new findings of a check by place; a place without findings is missing.

    Attributes
    ----------
    joints, parts, clips
        Findings about a joint, a part of a mesh, and a clip, by their indices.
    branches
        Findings about a joint and all joints below it, by its index.
    times
        Findings at a time of a clip, by its index; ascending.
    """

    joints: Mapping[int, Findings]
    branches: Mapping[int, Findings]
    parts: Mapping[Part, Findings]
    clips: Mapping[int, Findings]
    times: Mapping[int, Findings]

    def of(self, chosen: Selected) -> Findings:
        """Return the findings about a joint or a part of a mesh; those of its part for a vertex."""
        if chosen.primitive < 0:
            return self.joints.get(chosen.joint, ())
        return self.parts.get((chosen.joint, chosen.primitive), ())


def finding_places(model: Model, findings: Iterable[Finding]) -> FindingPlaces:
    """Return findings, most severe first, by the places to which a click on them goes."""
    joints: dict[int, list[Finding]] = {}
    parts: dict[Part, list[Finding]] = {}
    clips: dict[int, list[Finding]] = {}
    for finding in findings:
        chosen, clip, *_ = target_of(model, finding)
        if chosen is not None and chosen.primitive < 0:
            joints.setdefault(chosen.joint, []).append(finding)
        elif chosen is not None:
            parts.setdefault((chosen.joint, chosen.primitive), []).append(finding)
        if clip >= 0:
            clips.setdefault(clip, []).append(finding)
    times = {
        clip: sorted((each for each in own if each.time is not None), key=_time)
        for clip, own in clips.items()
    }
    fixed = _fixed(joints), _fixed(_branches(model, joints)), _fixed(parts)
    return FindingPlaces(*fixed, _fixed(clips), _fixed(times))


def tooltip_text(findings: Sequence[Finding]) -> str:
    """Return the text of a tooltip: what is wrong and how to fix it, of the first findings."""
    lines = [
        f"{each.severity.capitalize()}: {capitalized(each.message)}\n→ {each.fix}"
        for each in findings[:MOST_SHOWN]
    ]
    more = len(findings) - MOST_SHOWN
    return "\n".join([*lines, f"and {more} more"] if more > 0 else lines)


def _branches(model: Model, joints: Mapping[int, Sequence[Finding]]) -> dict[int, list[Finding]]:
    """Return the findings about the joints of each branch, most severe first."""
    parents, found = model.skeleton.parents.tolist(), dict[int, list[Finding]]()
    for joint, own in joints.items():
        above = joint
        while above >= 0:
            found.setdefault(above, []).extend(own)
            above = parents[above]
    for listed in found.values():
        listed.sort(key=lambda each: SEVERITIES.index(each.severity))
    return found


def _time(finding: Finding) -> float:
    return finding.time or 0.0


def _fixed(groups: Mapping[K, Sequence[Finding]]) -> dict[K, Findings]:
    return {key: tuple(found) for key, found in groups.items() if found}
